//! The fuzz targets of tests/fuzz without a fuzzer: each runs on the vectors, the reported cases, what fuzzing has found,
//! and random changes of them.
#![cfg(feature = "std")]

mod common;

#[path = "fuzz/src/targets/mod.rs"]
mod targets;

use std::path::Path;
use std::{env, fs, panic};

// The targets find it at the crate's root, as in their own crate.
use common::grammar;
use common::random::Random;
use common::vectors::{decode_vectors, encode_vectors, reports};

/// How many changed inputs each target gets; more with the variable `UBJSON_FUZZ_RUNS`.
const CHANGED: usize = 2000;

/// What tests/fuzz/finds holds: inputs that once made a target fail.
fn finds() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/finds");
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let path = |entry: std::io::Result<fs::DirEntry>| entry.expect("an entry").path();
    entries.map(|entry| fs::read(path(entry)).expect("a file")).collect()
}

fn inputs() -> Vec<Vec<u8>> {
    let mut inputs = finds();
    inputs.extend(decode_vectors().into_iter().map(|vector| vector.bytes));
    inputs.extend(encode_vectors().into_iter().map(|vector| vector.bytes));
    inputs.extend(reports().into_iter().filter_map(|report| report.bytes));
    inputs.retain(|input| input.len() <= 4096);
    inputs
}

/// One to three changes of one input, by what other inputs hold and by the letters that mean something.
fn changed(inputs: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    const LETTERS: &[u8] = b"ZNTFiUIlLdDHCS[]{}$#";
    let mut input = inputs[random.below(inputs.len())].clone();
    for _ in 0..=random.below(3) {
        let at = random.below(input.len() + 1);
        match random.below(5) {
            0 => input.truncate(at),
            1 => input.insert(at, LETTERS[random.below(LETTERS.len())]),
            2 if at < input.len() => input[at] ^= 1 << random.below(8),
            3 if at < input.len() => drop(input.remove(at)),
            _ => {
                let other = &inputs[random.below(inputs.len())];
                let start = random.below(other.len() + 1);
                let end = other.len().min(start + random.below(32));
                input.splice(at..at, other[start..end].iter().copied());
            }
        }
    }
    input
}

fn replay(name: &str) {
    let (_, target) = targets::ALL
        .iter()
        .find(|(target, _)| *target == name)
        .expect("a target");
    let run = |input: &[u8]| {
        if let Err(panicked) = panic::catch_unwind(|| target(input)) {
            println!("{name} fails on {}", common::to_hex(input));
            panic::resume_unwind(panicked);
        }
    };
    let inputs = inputs();
    assert!(inputs.len() > 1500, "{} inputs", inputs.len());
    for input in &inputs {
        run(input);
    }
    let runs = env::var("UBJSON_FUZZ_RUNS").map_or(CHANGED, |runs| runs.parse().expect("a number of runs"));
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for _ in 0..runs {
        run(&changed(&inputs, &mut random));
    }
}

#[test]
fn every_source_reads_the_same() {
    replay("sources_agree");
}

#[test]
fn every_view_says_the_same_of_validity_and_end() {
    replay("views_agree");
}

#[cfg(feature = "codec")]
#[test]
fn every_split_gives_the_same_documents() {
    replay("splits_agree");
}

#[test]
fn what_is_written_reads_as_the_same_under_every_policy() {
    replay("round_trip");
}

#[test]
fn types_of_every_kind_read_what_they_write() {
    replay("typed_round_trip");
}

#[test]
fn types_of_every_kind_read_the_same_from_every_source() {
    replay("typed_decode");
}

#[cfg(feature = "cli")]
#[test]
fn the_command_says_what_the_streams_say() {
    let inputs = inputs();
    // A process each: one in ten of them.
    for input in inputs.iter().step_by(10) {
        let run = common::command::ubjson(&["check", "--quiet"], input);
        let valid = targets::cli::is_valid(input);
        assert_eq!(
            run.code,
            Some(i32::from(!valid)),
            "{}: {}",
            common::to_hex(input),
            run.stderr
        );
    }
}
