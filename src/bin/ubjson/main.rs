//! The command line: look into UBJSON files, convert them, check and rescue them.
//!
//! One file a subcommand. All of them read with the pull reader or transcode, so that memory does
//! not grow with the input, unless the subcommand says so. They run on a thread of their own, whose
//! stack is large enough for the deepest nesting that [`arguments`] allows.

mod arguments;
mod check;
mod counts;
mod failure;
mod from_json;
mod get;
mod hex;
mod input;
mod inspect;
mod output;
mod path;
mod stat;
mod style;
mod to_json;
mod walk;

use std::process::ExitCode;
use std::thread;

use clap::{CommandFactory, Parser, Subcommand};

use crate::failure::{Failure, Outcome};
use crate::style::Color;

/// Looks into UBJSON files (draft 12), converts them, checks and rescues them.
///
/// Files may hold several documents, one behind the other. `-` is standard input or output.
#[derive(Debug, Parser)]
#[command(name = "ubjson", version, after_help = EXIT_CODES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// When to use colours; without it, the variable `NO_COLOR` is respected
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    color: Color,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  done; also when the reader of the output has gone away
  1  the data is not valid, or cannot be written with these options
  2  the command line is not valid
  3  a file or stream cannot be opened, read or written
  4  `get` and `inspect --path` found no value at the path";

#[derive(Debug, Subcommand)]
enum Command {
    ToJson(to_json::Arguments),
    FromJson(from_json::Arguments),
    Inspect(inspect::Arguments),
    Stat(stat::Arguments),
    Check(check::Arguments),
    Get(get::Arguments),
    /// Print the completions of a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

impl Command {
    fn run(self) -> Outcome {
        match self {
            Self::ToJson(arguments) => to_json::run(&arguments),
            Self::FromJson(arguments) => from_json::run(&arguments),
            Self::Inspect(arguments) => inspect::run(&arguments),
            Self::Stat(arguments) => stat::run(&arguments),
            Self::Check(arguments) => check::run(&arguments),
            Self::Get(arguments) => get::run(&arguments),
            Self::Completions { shell } => {
                let mut script = Vec::new();
                clap_complete::generate(shell, &mut Cli::command(), "ubjson", &mut script);
                output::to_stdout(&script)
            }
        }
    }
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    cli.color.apply();
    let worker = thread::Builder::new()
        .stack_size(arguments::STACK_LEN)
        .spawn(|| cli.command.run());
    let outcome = match worker.map(thread::JoinHandle::join) {
        Ok(Ok(outcome)) => outcome,
        // The panic's message has been printed.
        Ok(Err(_)) => return ExitCode::from(101),
        Err(error) => Err(Failure::io("starting", &error)),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
