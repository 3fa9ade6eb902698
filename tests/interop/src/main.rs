//! This crate as the interoperability tests' other side.
//!
//! `documents` answers requests, one JSON object a line: `{"act": "encode", "setting": "auto", "json": "[1]"}` with
//! `{"hex": "..."}`, and `{"act": "decode", "setting": "slice", "hex": "..."}` with `{"json": "..."}`; either with
//! `{"error": "..."}`. `model IN OUT [drop-last-round]` and `replay IN OUT` read a file into structs and write it back.

#[path = "../../common/doc.rs"]
mod doc;
mod documents;
mod model;
mod replay;

use std::error::Error;
use std::fs;
use std::process::ExitCode;

fn run(arguments: &[&str]) -> Result<(), Box<dyn Error>> {
    match arguments {
        ["documents"] => documents::answer_requests(),
        ["model", input, output] => {
            let model: model::Model = ubjson::from_slice(&fs::read(input)?)?;
            Ok(fs::write(output, model::config().to_vec(&model)?)?)
        }
        ["model", input, output, "drop-last-round"] => {
            let mut model: model::Model = ubjson::from_slice(&fs::read(input)?)?;
            model.drop_last_round().ok_or("there is no round to drop")?;
            Ok(fs::write(output, model::config().to_vec(&model)?)?)
        }
        ["replay", input, output] => {
            let replay: replay::Replay = ubjson::from_slice(&fs::read(input)?)?;
            Ok(fs::write(output, replay::config().to_vec(&replay)?)?)
        }
        _ => Err("usage: documents | model IN OUT [drop-last-round] | replay IN OUT".into()),
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
