//! `to-json`: UBJSON to JSON text.

use std::io::Write;

use clap::Args;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter};
use ubjson::TranscodeError;

use crate::arguments::Reading;
use crate::failure::{Failure, Outcome};
use crate::input::Input;
use crate::output::Output;
use crate::path::require_documents;
use crate::style::NOTE;
use crate::walk::{Target, Walk};

/// Convert UBJSON to JSON, a line for each document
///
/// High-precision numbers keep their text, chars become strings, NaN and the infinities null.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(flatten)]
    reading: Reading,
    /// The JSON file; `-` is standard output
    #[arg(short, long, default_value = "-", value_name = "FILE")]
    output: String,
    /// Put every element on a line of its own, indented
    #[arg(short, long)]
    pretty: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let mut input = Input::open(&arguments.reading.input)?;
    let mut output = Output::create(&arguments.output)?;
    let name = input.name().to_owned();
    let walk = Walk::new(input.reader(arguments.reading.config()), Target::Json);
    let mut documents = 0;
    let mut converted = Ok(());
    while converted.is_ok() && walk.next_document().map_err(|error| Failure::reading(&name, &error))? {
        documents += 1;
        converted = write_document(&walk, &name, &mut output, arguments.pretty).map(drop);
    }
    // What is before a fault is printed, too.
    output.finish()?;
    note_non_finite(walk.non_finite());
    converted?;
    require_documents(documents, &name)
}

/// Writes the next value and ends the line; false if there is none.
pub(crate) fn write_document<'de, R: ubjson::de::Read<'de>>(
    walk: &Walk<R>,
    input: &str,
    output: &mut Output,
    is_pretty: bool,
) -> Outcome<bool> {
    match is_pretty {
        true => write_formatted(walk, input, output, PrettyFormatter::new()),
        false => write_formatted(walk, input, output, CompactFormatter),
    }
}

fn write_formatted<'de, R: ubjson::de::Read<'de>>(
    walk: &Walk<R>,
    input: &str,
    output: &mut Output,
    formatter: impl Formatter,
) -> Outcome<bool> {
    let mut serializer = serde_json::Serializer::with_formatter(&mut *output, formatter);
    match walk.serialize_next(&mut serializer) {
        Ok(Some(())) => match writeln!(output) {
            Ok(()) => Ok(true),
            Err(error) => Err(output.failure(&error)),
        },
        Ok(None) => Ok(false),
        Err(TranscodeError::Read(error)) => Err(Failure::reading(input, &error)),
        Err(TranscodeError::Write(error)) => Err(Failure::writing_json(output.name(), &error)),
    }
}

/// Says that JSON has no such numbers.
pub(crate) fn note_non_finite(count: u64) {
    if count > 0 {
        let style = NOTE.style();
        let note = format!("{style}note:{style:#} {count} NaN or infinite, written as null");
        // That nobody reads it is no failure.
        let _ = writeln!(anstream::stderr(), "{note}");
    }
}
