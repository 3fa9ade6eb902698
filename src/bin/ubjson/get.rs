//! `get`: one value out of a document.

use std::io::Write;

use clap::{Args, ValueEnum};
use ubjson::de::Read;
use ubjson::pull::{Reader, Token};
use ubjson::{Serializer, TranscodeError, ser};

use crate::arguments::{Containers, Reading, Writing};
use crate::counts::write_counted;
use crate::failure::{Failure, Outcome};
use crate::input::Input;
use crate::output::Output;
use crate::path::{Pointer, require_documents};
use crate::to_json::{note_non_finite, write_document};
use crate::walk::{Target, Walk};

/// Print the value at a path, of each document that has one
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// Where the value is, as a JSON pointer: /records/0/name; an empty one is the whole document
    path: Pointer,
    #[command(flatten)]
    reading: Reading,
    /// The file to write; `-` is standard output
    #[arg(short, long, default_value = "-", value_name = "FILE")]
    output: String,
    /// What to write
    #[arg(short = 'a', long = "as", value_enum, default_value_t, value_name = "FORM")]
    form: Form,
    /// Put every element of JSON on a line of its own, indented
    #[arg(short, long)]
    pretty: bool,
    #[command(flatten)]
    writing: Writing,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Form {
    /// JSON, a line for each value
    #[default]
    Json,
    /// UBJSON
    Ubjson,
    /// The text of a string or number, or the payload of a typed array as it is, big-endian
    Raw,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let mut input = Input::open(&arguments.reading.input)?;
    let mut output = Output::create(&arguments.output)?;
    let name = input.name().to_owned();
    let mut reader = input.reader(arguments.reading.config());
    let mut search = Search {
        arguments,
        name: &name,
        output: &mut output,
        non_finite: 0,
    };
    let (mut documents, mut found) = (0, 0);
    loop {
        match reader.next_document() {
            Ok(true) => documents += 1,
            Ok(false) => break,
            Err(error) => return Err(Failure::reading(&name, &error)),
        }
        let is_there = arguments.path.find(&mut reader);
        if is_there.map_err(|error| Failure::reading(&name, &error))? {
            let (rest, written) = search.write(reader)?;
            reader = rest;
            found += u64::from(written);
        }
    }
    let non_finite = search.non_finite;
    output.finish()?;
    note_non_finite(non_finite);
    require_documents(documents, &name)?;
    match found {
        0 => Err(arguments.path.missing(&name)),
        _ => Ok(()),
    }
}

struct Search<'a> {
    arguments: &'a Arguments,
    name: &'a str,
    output: &'a mut Output,
    non_finite: u64,
}

impl Search<'_> {
    /// Writes the value that is next; false if there is none after all.
    fn write<'de, R: Read<'de>>(&mut self, mut reader: Reader<R>) -> Outcome<(Reader<R>, bool)> {
        let target = match self.arguments.form {
            Form::Json => Target::Json,
            Form::Ubjson => Target::Ubjson,
            Form::Raw => {
                let written = self.write_raw(&mut reader)?;
                return Ok((reader, written));
            }
        };
        let walk = Walk::new(reader, target);
        let written = match self.arguments.form {
            Form::Ubjson => self.write_ubjson(&walk)?,
            _ => write_document(&walk, self.name, self.output, self.arguments.pretty)?,
        };
        self.non_finite += walk.non_finite();
        Ok((walk.into_reader(), written))
    }

    fn write_ubjson<'de, R: Read<'de>>(&mut self, walk: &Walk<R>) -> Outcome<bool> {
        let config = self.arguments.writing.config(self.arguments.reading.depth.levels());
        let output_name = self.output.name().to_owned();
        let encode = |output: &mut dyn Write, config| {
            let mut serializer = Serializer::with_config(output, config);
            match walk.serialize_next(&mut serializer) {
                Ok(written) => Ok(written.is_some()),
                Err(TranscodeError::Read(error)) => Err(Failure::reading(self.name, &error)),
                Err(TranscodeError::Write(error)) => Err(Failure::writing(&output_name, &error)),
            }
        };
        if self.arguments.writing.containers != Containers::Counted {
            return encode(self.output, &config);
        }
        let mut encoded = Vec::new();
        let written = encode(&mut encoded, &config.containers(ser::Containers::Auto))?;
        write_counted(&encoded, &mut *self.output, &output_name, &config)?;
        Ok(written)
    }

    fn write_raw<'de, R: Read<'de>>(&mut self, reader: &mut Reader<R>) -> Outcome<bool> {
        let reading = |error| Failure::reading(self.name, &error);
        let Some(event) = reader.next_event().map_err(reading)? else {
            return Ok(false);
        };
        let written = match event.token {
            Token::ArrayEnd | Token::ObjectEnd | Token::Key(..) => return Ok(false),
            Token::HighPrecision(_, text) => self.output.write_all(text.as_bytes()),
            Token::String(_) => loop {
                match reader.text_chunk().map_err(reading)? {
                    Some(chunk) => self.output.write_all(chunk.as_bytes()),
                    None => break Ok(()),
                }
                .map_err(|error| self.output.failure(&error))?;
            },
            Token::Scalar(scalar) => match serde_json::to_string(&scalar) {
                Ok(text) => self.output.write_all(text.trim_matches('"').as_bytes()),
                Err(error) => return Err(Failure::Data(error.to_string())),
            },
            Token::Array(header) if header.element.is_some_and(|element| element.payload_len().is_some()) => loop {
                match reader.packed_chunk().map_err(reading)? {
                    Some(chunk) => self.output.write_all(chunk.as_bytes()),
                    None => break Ok(()),
                }
                .map_err(|error| self.output.failure(&error))?;
            },
            Token::Array(_) | Token::Object(_) => {
                let message = format!("{}: the value at {} has no raw form", self.name, self.arguments.path);
                return Err(Failure::Data(message));
            }
        };
        written.map_err(|error| self.output.failure(&error))?;
        Ok(true)
    }
}
