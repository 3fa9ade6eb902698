//! Where results go.

use std::fs::File;
use std::io::{self, BufWriter, StdoutLock, Write};

use crate::failure::{Failure, Outcome};

/// Text for people.
pub(crate) type Console = BufWriter<StdoutLock<'static>>;

/// Standard output for people.
pub(crate) fn console() -> Console {
    BufWriter::new(io::stdout().lock())
}

/// What becomes of a failure to print.
pub(crate) fn printing(error: io::Error) -> Failure {
    Failure::io("standard output", &error)
}

/// A number of things: "1 byte", "2 bytes".
pub(crate) fn counted(count: u64, thing: &str) -> String {
    match count {
        1 => format!("1 {thing}"),
        _ => format!("{count} {thing}s"),
    }
}

/// Prints bytes as they are.
pub(crate) fn to_stdout(bytes: &[u8]) -> Outcome {
    let mut stdout = io::stdout().lock();
    stdout.write_all(bytes).and_then(|()| stdout.flush()).map_err(printing)
}

/// A file or standard output, for data.
pub(crate) struct Output {
    name: String,
    stream: BufWriter<Box<dyn Write>>,
}

impl Output {
    /// Creates a file, or uses standard output for `-`.
    pub(crate) fn create(path: &str) -> Outcome<Self> {
        let (name, stream): (_, Box<dyn Write>) = match path {
            "-" => ("standard output".to_owned(), Box::new(io::stdout().lock())),
            _ => {
                let file = File::create(path).map_err(|error| Failure::io(path, &error))?;
                (path.to_owned(), Box::new(file))
            }
        };
        Ok(Self {
            name,
            stream: BufWriter::with_capacity(64 * 1024, stream),
        })
    }

    /// How messages call it.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn failure(&self, error: &io::Error) -> Failure {
        Failure::io(&self.name, error)
    }

    /// Sees to it that everything has been written.
    pub(crate) fn finish(mut self) -> Outcome {
        self.stream.flush().map_err(|error| self.failure(&error))
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}
