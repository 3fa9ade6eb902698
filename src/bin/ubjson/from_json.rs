//! `from-json`: JSON text to UBJSON.

use std::io::{self, BufReader};

use clap::Args;
use ubjson::{Serializer, TranscodeError, de, ser, transcode};

use crate::arguments::{Containers, Depth, Writing};
use crate::failure::{Failure, Outcome};
use crate::input::Input;
use crate::output::Output;
use crate::walk::{Target, Walk, counts_of};

/// Convert JSON to UBJSON, each value of the input to a document
///
/// Numbers that no float64 holds become high-precision numbers. With `--containers counted` the
/// input is held in memory, encoded: its containers' counts stand before their elements.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// The JSON file; `-` is standard input
    #[arg(default_value = "-", value_name = "FILE")]
    input: String,
    /// The UBJSON file; `-` is standard output
    #[arg(short, long, default_value = "-", value_name = "FILE")]
    output: String,
    #[command(flatten)]
    writing: Writing,
    #[command(flatten)]
    depth: Depth,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let input = Input::open(&arguments.input)?;
    let mut output = Output::create(&arguments.output)?;
    let config = arguments.writing.config(arguments.depth.levels());
    let output_name = output.name().to_owned();
    match arguments.writing.containers {
        Containers::Counted => convert_counted(input, &mut output, &output_name, config)?,
        _ => convert(input, &mut output, &output_name, &config)?,
    }
    output.finish()
}

/// Converts what comes as it comes.
fn convert(input: Input, output: impl io::Write, output_name: &str, config: &ser::Config) -> Outcome {
    let name = input.name().to_owned();
    let mut deserializer = serde_json::Deserializer::from_reader(BufReader::new(input));
    // The serializer holds the limit.
    deserializer.disable_recursion_limit();
    let mut serializer = Serializer::with_config(output, config);
    loop {
        transcode(&mut deserializer, &mut serializer)
            .map_err(|error| Failure::encoding(&name, output_name, &error))?;
        if deserializer.end().is_ok() {
            return Ok(());
        }
    }
}

/// Converts it as it comes into memory, where its containers are then counted.
fn convert_counted(input: Input, output: impl io::Write, output_name: &str, config: ser::Config) -> Outcome {
    let name = input.name().to_owned();
    let reading = |error| Failure::reading(&name, &error);
    let mut encoded = Vec::new();
    convert(input, &mut encoded, output_name, &config.containers(ser::Containers::Auto))?;
    let encoded = || de::Config::new().max_depth(usize::MAX).deserializer_from_slice(&encoded);
    let counts = counts_of(encoded().into()).map_err(reading)?;
    let walk = Walk::new(encoded().into(), Target::Ubjson).with_counts(counts);
    let mut serializer = Serializer::with_config(output, &config);
    while walk.next_document().map_err(reading)? {
        walk.serialize_next(&mut serializer).map_err(|error| match error {
            TranscodeError::Read(error) => reading(error),
            TranscodeError::Write(error) => Failure::writing(output_name, &error),
        })?;
    }
    Ok(())
}
