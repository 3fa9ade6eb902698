//! However the bytes come, the same is read of them, and the reader stands at the same place.

use std::fmt::Debug;
use std::io::{self, Cursor, Read};

use serde::de::{DeserializeOwned, IgnoredAny};
use ubjson::{RawValue, Value, de};

use super::{Failure, configs, shown};

/// Gives `chunk` bytes a read, and panics when asked for one behind `end`.
pub(super) struct Exact<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) position: usize,
    pub(super) chunk: usize,
    pub(super) end: usize,
}

impl Read for Exact<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let left = self.end - self.position;
        assert!(buf.len() <= left, "asked for {} bytes with {left} left", buf.len());
        let len = buf.len().min(self.chunk).min(self.bytes.len() - self.position);
        buf[..len].copy_from_slice(&self.bytes[self.position..][..len]);
        self.position += len;
        Ok(len)
    }
}

pub(super) fn agree(bytes: &[u8]) {
    for config in configs() {
        agree_as::<Value>(config, bytes);
        agree_as::<RawValue>(config, bytes);
        agree_as::<IgnoredAny>(config, bytes);
        agree_as::<Value>(config.lossy_utf8(true), bytes);
    }
}

pub(super) fn agree_as<T: DeserializeOwned + Debug>(config: de::Config, bytes: &[u8]) {
    let slice = config
        .from_slice_prefix::<T>(bytes)
        .map(|(value, rest)| (shown(value), bytes.len() - rest.len()))
        .map_err(Failure::from);
    if let Ok((value, end)) = &slice {
        let exact = config.from_slice::<T>(&bytes[..*end]).map(shown).map_err(Failure::from);
        assert_eq!(exact.as_ref(), Ok(value), "the document alone");
    }
    for chunk in [1, 3, usize::MAX] {
        let mut reader = Exact {
            bytes,
            position: 0,
            chunk,
            // Of a broken document all may be asked for.
            end: slice.as_ref().map_or(usize::MAX, |(_, end)| *end),
        };
        let read = config.from_reader::<_, T>(&mut reader).map_err(Failure::from);
        let read = read.map(|value| (shown(value), reader.position));
        assert_eq!(read, slice, "a reader of {chunk} bytes");
    }
    for capacity in [0, 40, 16 * 1024] {
        let mut reader = Cursor::new(bytes);
        let config = config.buffer_capacity(capacity);
        let read = config.from_seekable::<_, T>(&mut reader).map_err(Failure::from);
        let position = usize::try_from(reader.position()).expect("a position within the bytes");
        assert!(position <= bytes.len());
        let read = read.map(|value| (shown(value), position));
        assert_eq!(read, slice, "{capacity} bytes ahead");
    }
}
