//! `check`: whether a file is valid, where it is not, and what can be saved of it.

use std::io::{self, Write};

use clap::Args;
use ubjson::pull::{Header, Reader, Token};
use ubjson::ser::{self, Integers};
use ubjson::{Serializer, TranscodeError, de};

use crate::arguments::Reading;
use crate::failure::{Failure, Outcome};
use crate::hex::Dump;
use crate::input::Input;
use crate::output::{Console, Output, console, counted, printing};
use crate::path::{Path, require_documents};
use crate::style::{ERROR, NOTE, VALUE};
use crate::walk::{Target, Walk};

/// Say whether a file is valid UBJSON, and show the first fault
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(flatten)]
    reading: Reading,
    /// Write all that is before the first fault to this file, as a valid document
    #[arg(long, value_name = "OUT")]
    salvage: Option<String>,
    /// Print nothing; the exit code says it
    #[arg(short, long)]
    quiet: bool,
}

/// The first thing wrong with an input.
struct Fault {
    error: ubjson::Error,
    /// Which document, from 1.
    document: u64,
    /// The path of what was read last.
    last: String,
}

/// How far an input goes.
struct Extent {
    documents: u64,
    byte_len: u64,
    fault: Option<Fault>,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let mut input = Input::open(&arguments.reading.input)?;
    let name = input.name().to_owned();
    let config = arguments.reading.config();
    let extent = match &arguments.salvage {
        Some(path) => salvage(&mut input, &name, config, path)?,
        None => scan(input.reader(config)),
    };
    let Some(fault) = extent.fault else {
        require_documents(extent.documents, &name)?;
        return match arguments.quiet {
            true => Ok(()),
            false => print_valid(&name, extent.documents, extent.byte_len),
        };
    };
    if fault.error.is_io() {
        return Err(Failure::reading(&name, &fault.error));
    }
    if !arguments.quiet {
        let mut out = console();
        print_fault(&mut out, &name, &fault, &mut input, arguments.salvage.as_deref())
            .and_then(|()| out.flush())
            .map_err(printing)?;
    }
    Err(Failure::Reported)
}

/// Reads everything up to the first fault.
fn scan<'de, R: de::Read<'de>>(mut reader: Reader<R>) -> Extent {
    let (mut documents, mut path) = (0, Path::default());
    let error = loop {
        match reader.next_document() {
            Ok(true) => documents += 1,
            Ok(false) => break None,
            Err(error) => break Some(error),
        }
        path = Path::default();
        if let Err(error) = scan_document(&mut reader, &mut path) {
            break Some(error);
        }
    };
    Extent {
        documents,
        byte_len: reader.byte_offset(),
        fault: error.map(|error| Fault {
            error,
            document: documents,
            last: path.to_string(),
        }),
    }
}

fn scan_document<'de, R: de::Read<'de>>(reader: &mut Reader<R>, path: &mut Path) -> ubjson::Result<()> {
    while let Some(event) = reader.next_event()? {
        path.follow(&event.token);
        let Token::Array(Header {
            element: Some(element), ..
        }) = event.token
        else {
            continue;
        };
        while let Some(chunk) = reader.packed_chunk()? {
            let count = chunk.as_bytes().len() / element.payload_len().unwrap_or(1);
            path.follow_elements(count as u64);
        }
    }
    Ok(())
}

/// Writes everything up to the first fault to the file at `path`.
fn salvage(input: &mut Input, name: &str, config: de::Config, path: &str) -> Outcome<Extent> {
    let mut output = Output::create(path)?;
    let writing = ser::Config::new().integers(Integers::Declared).max_depth(usize::MAX);
    let walk = Walk::new(input.reader(config), Target::Ubjson).lenient();
    let (mut documents, mut fault) = (0, None);
    while fault.is_none() && walk.next_document().map_err(|error| Failure::reading(name, &error))? {
        documents += 1;
        let mut serializer = Serializer::with_config(&mut output, &writing);
        let written = walk.serialize_next(&mut serializer);
        fault = match written {
            Ok(_) => walk.take_fault(),
            Err(TranscodeError::Read(error)) => Some((error, String::new())),
            Err(TranscodeError::Write(error)) => return Err(Failure::writing(path, &error)),
        };
    }
    output.finish()?;
    Ok(Extent {
        documents,
        byte_len: walk.byte_offset(),
        fault: fault.map(|(error, last)| Fault {
            error,
            document: documents,
            last,
        }),
    })
}

fn print_valid(name: &str, documents: u64, byte_len: u64) -> Outcome {
    let mut out = console();
    let (documents, byte_len) = (counted(documents, "document"), counted(byte_len, "byte"));
    writeln!(out, "{name}: {VALUE}valid{VALUE:#}, {documents}, {byte_len}")
        .and_then(|()| out.flush())
        .map_err(printing)
}

fn print_fault(
    out: &mut Console,
    name: &str,
    fault: &Fault,
    input: &mut Input,
    salvaged: Option<&str>,
) -> io::Result<()> {
    writeln!(out, "{name}: {ERROR}not valid{ERROR:#}: {}", fault.error)?;
    let last = match fault.last.as_str() {
        "" => "its start",
        path => path,
    };
    writeln!(out, "  {NOTE}in document {}, last read: {last}{NOTE:#}", fault.document)?;
    if let Some(offset) = fault.error.offset() {
        // Whole rows, two before that of the fault and one behind it.
        let before = offset % 16 + 32;
        let (start, bytes) = input.window(offset, before, 32 - offset % 16);
        writeln!(out)?;
        write!(
            out,
            "{}",
            Dump {
                start,
                bytes: &bytes,
                fault: offset,
            }
        )?;
    }
    if let Some(path) = salvaged {
        writeln!(out, "\nwhat is before the fault is in {path}")?;
    }
    Ok(())
}
