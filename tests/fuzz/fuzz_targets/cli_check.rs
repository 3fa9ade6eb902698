//! `ubjson check`, compiled in: says what the crate's streams say, and what it salvages is valid.
#![no_main]
#![allow(dead_code, reason = "the command has more than this one subcommand")]

/// The command's files find each other at the crate's root.
#[path = "../../../src/bin/ubjson"]
mod command {
    pub(crate) mod arguments;
    pub(crate) mod check;
    pub(crate) mod counts;
    pub(crate) mod failure;
    pub(crate) mod hex;
    pub(crate) mod input;
    pub(crate) mod output;
    pub(crate) mod path;
    pub(crate) mod style;
    pub(crate) mod walk;
}

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use clap::Parser;
#[allow(unused_imports, reason = "not all of them are looked for at the root")]
pub(crate) use command::{arguments, check, counts, failure, hex, input, output, path, style, walk};
use libfuzzer_sys::fuzz_target;
use ubjson_fuzz::{is_valid, is_valid_or_empty};

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    check: check::Arguments,
}

static FOLDER: LazyLock<tempfile::TempDir> = LazyLock::new(|| {
    // In memory where the machine has such a folder.
    let memory = Path::new("/dev/shm");
    match memory.is_dir() {
        true => tempfile::tempdir_in(memory),
        false => tempfile::tempdir(),
    }
    .expect("a folder for temporary files")
});

fn passes(arguments: &[&str]) -> bool {
    let cli = Cli::try_parse_from([&["check", "--quiet"], arguments].concat()).expect("valid arguments");
    match check::run(&cli.check) {
        Ok(()) => true,
        Err(failure::Failure::Io(message)) => panic!("{message}"),
        Err(_) => false,
    }
}

fuzz_target!(|data: &[u8]| {
    let (input, salvaged) = (FOLDER.path().join("input"), FOLDER.path().join("salvaged"));
    fs::write(&input, data).expect("a file");
    let (input, output) = (input.to_str().expect("a path"), salvaged.to_str().expect("a path"));
    let valid = is_valid(data);
    assert_eq!(passes(&[input]), valid, "check");
    assert_eq!(passes(&["--salvage", output, input]), valid, "check --salvage");
    let salvaged = fs::read(&salvaged).unwrap_or_default();
    assert!(is_valid_or_empty(&salvaged), "salvaged {salvaged:02x?}");
});
