//! `from-json`: JSON text to UBJSON.

use std::io::{self, BufReader};

use clap::Args;
use ubjson::{Serializer, ser, transcode};

use crate::arguments::{Containers, Depth, Writing};
use crate::counts::write_counted;
use crate::failure::{Failure, Outcome};
use crate::input::Input;
use crate::output::Output;

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
        Containers::Counted => convert_counted(input, &mut output, &output_name, &config)?,
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
        transcode(&mut deserializer, &mut serializer).map_err(|error| Failure::encoding(&name, output_name, &error))?;
        if deserializer.end().is_ok() {
            return Ok(());
        }
    }
}

/// Converts it as it comes into memory, where its containers are then counted.
fn convert_counted(input: Input, output: impl io::Write, output_name: &str, config: &ser::Config) -> Outcome {
    let mut encoded = Vec::new();
    let uncounted = config.containers(ser::Containers::Auto);
    convert(input, &mut encoded, output_name, &uncounted)?;
    write_counted(&encoded, output, output_name, config)
}
