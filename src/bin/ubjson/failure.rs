//! Why a subcommand stops, and what a script gets to see of it.

use std::io::{self, Write};
use std::process::ExitCode;

use ubjson::TranscodeError;

use crate::style::ERROR;

pub(crate) type Outcome<T = ()> = Result<T, Failure>;

/// Why a subcommand stops early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Whoever read the output has gone away.
    ClosedPipe,
    /// The data is not valid, or cannot be written as asked.
    Data(String),
    /// The same, and all about it has been printed.
    Reported,
    /// A file or stream failed.
    Io(String),
    /// There is no value at the path asked for.
    Missing(String),
}

impl Failure {
    /// A failure of the file or stream `name`.
    pub(crate) fn io(name: &str, error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::ClosedPipe,
            _ => Self::Io(format!("{name}: {error}")),
        }
    }

    /// A fault in the UBJSON of the input `name`, or a failure to read it.
    pub(crate) fn reading(name: &str, error: &ubjson::Error) -> Self {
        match error.is_io() {
            true => Self::Io(format!("{name}: {error}")),
            false => Self::Data(format!("{name}: {error}")),
        }
    }

    /// The same for JSON.
    pub(crate) fn reading_json(name: &str, error: &serde_json::Error) -> Self {
        match error.is_io() {
            true => Self::Io(format!("{name}: {error}")),
            false => Self::Data(format!("{name}: {error}")),
        }
    }

    /// A failure to write UBJSON to the output `name`.
    pub(crate) fn writing(name: &str, error: &ubjson::Error) -> Self {
        match error.io_error_kind() {
            Some(io::ErrorKind::BrokenPipe) => Self::ClosedPipe,
            Some(_) => Self::Io(format!("{name}: {error}")),
            None => Self::Data(error.to_string()),
        }
    }

    /// The same for JSON.
    pub(crate) fn writing_json(name: &str, error: &serde_json::Error) -> Self {
        match error.io_error_kind() {
            Some(io::ErrorKind::BrokenPipe) => Self::ClosedPipe,
            Some(_) => Self::Io(format!("{name}: {error}")),
            None => Self::Data(error.to_string()),
        }
    }

    /// A failure on the way from JSON to UBJSON.
    pub(crate) fn encoding(
        input: &str,
        output: &str,
        error: &TranscodeError<serde_json::Error, ubjson::Error>,
    ) -> Self {
        match error {
            TranscodeError::Read(error) => Self::reading_json(input, error),
            TranscodeError::Write(error) => Self::writing(output, error),
        }
    }

    /// Prints what there is to say and gives the exit code.
    pub(crate) fn report(&self) -> ExitCode {
        let (message, code) = match self {
            Self::ClosedPipe => return ExitCode::SUCCESS,
            Self::Reported => return ExitCode::from(1),
            Self::Data(message) => (message, 1),
            Self::Io(message) => (message, 3),
            Self::Missing(message) => (message, 4),
        };
        let style = ERROR.style();
        // Nobody is left to be told that standard error is closed.
        let _ = writeln!(anstream::stderr(), "{style}error:{style:#} {message}");
        ExitCode::from(code)
    }
}
