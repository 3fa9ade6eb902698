//! Every way the crate reads, behind one call.

use std::io::Cursor;

use serde::de::DeserializeOwned;
use ubjson::{Error, ErrorKind, de};

use super::readers::Chunked;

/// A way to read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Source {
    /// `from_slice`: the whole input is the document.
    Slice,
    /// `from_slice_prefix`.
    Prefix,
    /// `from_reader` on a reader that gives so many bytes a read, `Interrupted` before each.
    Reader(usize),
    /// `from_seekable` on a cursor.
    Seekable,
    /// `from_seekable` on a cursor, with a buffer of so many bytes.
    SeekableBuffer(usize),
    /// `from_seekable` on a reader that gives so many bytes a read, `Interrupted` before each.
    SeekableChunked(usize),
}

impl Source {
    /// Miri has those that differ most; a byte a read takes it hours.
    #[cfg(miri)]
    pub(crate) const ALL: [Source; 6] = [
        Source::Slice,
        Source::Prefix,
        Source::Reader(7),
        Source::Reader(4096),
        Source::Seekable,
        Source::SeekableBuffer(64),
    ];

    #[cfg(not(miri))]
    pub(crate) const ALL: [Source; 13] = [
        Source::Slice,
        Source::Prefix,
        Source::Reader(1),
        Source::Reader(2),
        Source::Reader(3),
        Source::Reader(7),
        Source::Reader(4096),
        Source::Seekable,
        Source::SeekableBuffer(1),
        Source::SeekableBuffer(7),
        Source::SeekableBuffer(64),
        Source::SeekableChunked(3),
        Source::SeekableChunked(4096),
    ];

    /// Whether it gives back what it read ahead.
    pub(crate) fn is_seekable(self) -> bool {
        matches!(
            self,
            Source::Seekable | Source::SeekableBuffer(_) | Source::SeekableChunked(_)
        )
    }

    pub(crate) fn read<T: DeserializeOwned>(self, bytes: &[u8]) -> Outcome<T> {
        self.read_with(de::Config::new(), bytes)
    }

    pub(crate) fn read_with<T: DeserializeOwned>(self, config: de::Config, bytes: &[u8]) -> Outcome<T> {
        match self {
            Source::Slice => Outcome::new(config.from_slice(bytes), None),
            Source::Prefix => match config.from_slice_prefix(bytes) {
                Ok((value, rest)) => Outcome::new(Ok(value), Some((bytes.len() - rest.len()) as u64)),
                Err(error) => Outcome::new(Err(error), None),
            },
            Source::Reader(chunk) => {
                let mut reader = Chunked::new(bytes, chunk);
                let result = config.from_reader(&mut reader);
                Outcome::new(result, Some(reader.position()))
            }
            Source::Seekable => {
                let mut reader = Cursor::new(bytes);
                let result = config.from_seekable(&mut reader);
                Outcome::new(result, Some(reader.position()))
            }
            Source::SeekableBuffer(capacity) => Source::Seekable.read_with(config.buffer_capacity(capacity), bytes),
            Source::SeekableChunked(chunk) => {
                let mut reader = Chunked::new(bytes, chunk);
                let result = config.from_seekable(&mut reader);
                Outcome::new(result, Some(reader.position()))
            }
        }
    }
}

/// What came of a read, and where the reader stands after it (a slice without a rest stands nowhere).
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Outcome<T> {
    pub(crate) result: Result<T, Failure>,
    pub(crate) position: Option<u64>,
}

impl<T> Outcome<T> {
    fn new(result: ubjson::Result<T>, position: Option<u64>) -> Self {
        Outcome {
            result: result.map_err(|error| Failure::new(&error)),
            position,
        }
    }
}

/// All that an error says.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Failure {
    pub(crate) kind: ErrorKind,
    pub(crate) offset: Option<u64>,
    pub(crate) text: String,
}

impl Failure {
    pub(crate) fn new(error: &Error) -> Self {
        Failure {
            kind: error.kind(),
            offset: error.offset(),
            text: error.to_string(),
        }
    }
}

/// A kind as the vectors name it.
pub(crate) fn kind_name(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Io => "io",
        ErrorKind::Eof => "eof",
        ErrorKind::Marker => "marker",
        ErrorKind::Length => "length",
        ErrorKind::Utf8 => "utf8",
        ErrorKind::Char => "char",
        ErrorKind::Number => "number",
        ErrorKind::Trailing => "trailing",
        ErrorKind::ContainerHeader => "container-header",
        ErrorKind::Depth => "depth",
        ErrorKind::Budget => "budget",
        ErrorKind::Data => "data",
        _ => "unknown",
    }
}
