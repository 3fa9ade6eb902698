//! Options for reading.

#[cfg(feature = "std")]
use std::io;

use serde_core::de::Deserialize;
#[cfg(feature = "std")]
use serde_core::de::DeserializeOwned;

use super::Deserializer;
use crate::decode::Limits;
use crate::error::Result;
use crate::read::SliceRead;
#[cfg(feature = "std")]
use crate::read::{DEFAULT_CAPACITY, IoRead, Seekable};

/// Options for reading: limits, text, buffers.
///
/// ```
/// let config = ubjson::de::Config::new().max_depth(2);
/// assert!(config.from_slice::<Vec<Vec<u8>>>(b"[[]]").is_ok());
/// assert!(config.from_slice::<Vec<Vec<Vec<u8>>>>(b"[[[]]]").is_err());
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Config {
    pub(crate) limits: Limits,
    pub(super) human_readable: bool,
    pub(super) lossy_utf8: bool,
    #[cfg(feature = "std")]
    buffer_capacity: usize,
}

impl Default for Config {
    fn default() -> Self {
        Self::new()
    }
}

impl Config {
    /// The options that [`from_slice`](crate::from_slice) and its siblings use.
    pub fn new() -> Self {
        Self {
            limits: Limits::default(),
            human_readable: false,
            lossy_utf8: false,
            #[cfg(feature = "std")]
            buffer_capacity: DEFAULT_CAPACITY,
        }
    }

    /// How many containers may be nested; 128 unless set.
    ///
    /// Reading into a recursive type uses stack for each level, so a large limit needs a large
    /// stack. Skipping does not.
    pub fn max_depth(mut self, levels: usize) -> Self {
        self.limits.max_depth = levels;
        self
    }

    /// How many elements that take no bytes (of `[$Z#`, `[$T#`, `[$F#`) one document may have;
    /// 1,048,576 unless set.
    pub fn max_empty_elements(mut self, count: u64) -> Self {
        self.limits.max_empty_elements = count;
        self
    }

    /// What types are told that ask whether the format is human-readable; false unless set. The
    /// keys of maps are told that it is, being text.
    ///
    /// Must be the same on the writing side ([`ser::Config`](crate::ser::Config)).
    pub fn human_readable(mut self, yes: bool) -> Self {
        self.human_readable = yes;
        self
    }

    /// Replaces what is not UTF-8 in strings and keys by U+FFFD instead of failing; for the
    /// rescue of files whose writer got text wrong.
    pub fn lossy_utf8(mut self, yes: bool) -> Self {
        self.lossy_utf8 = yes;
        self.limits.lossy_utf8 = yes;
        self
    }

    /// The size of a reader's buffer in bytes; 16 KiB unless set, at least 32.
    #[cfg(feature = "std")]
    pub fn buffer_capacity(mut self, byte_len: usize) -> Self {
        self.buffer_capacity = byte_len;
        self
    }

    /// Like [`from_slice`](crate::from_slice).
    ///
    /// # Errors
    ///
    /// As [`from_slice`](crate::from_slice).
    pub fn from_slice<'de, T: Deserialize<'de>>(&self, bytes: &'de [u8]) -> Result<T> {
        let mut deserializer = self.deserializer_from_slice(bytes);
        let value = deserializer.document()?;
        deserializer.end()?;
        Ok(value)
    }

    /// Like [`from_slice_prefix`](crate::from_slice_prefix).
    ///
    /// # Errors
    ///
    /// As [`from_slice_prefix`](crate::from_slice_prefix).
    pub fn from_slice_prefix<'de, T: Deserialize<'de>>(&self, bytes: &'de [u8]) -> Result<(T, &'de [u8])> {
        let mut deserializer = self.deserializer_from_slice(bytes);
        let value = deserializer.document()?;
        Ok((value, deserializer.rest()))
    }

    /// Like [`from_reader`](crate::from_reader).
    ///
    /// # Errors
    ///
    /// As [`from_reader`](crate::from_reader).
    #[cfg(feature = "std")]
    pub fn from_reader<R: io::Read, T: DeserializeOwned>(&self, reader: R) -> Result<T> {
        self.deserializer_from_reader(reader).document()
    }

    /// Like [`from_seekable`](crate::from_seekable).
    ///
    /// # Errors
    ///
    /// As [`from_seekable`](crate::from_seekable).
    #[cfg(feature = "std")]
    pub fn from_seekable<R: io::Read + io::Seek, T: DeserializeOwned>(&self, reader: R) -> Result<T> {
        let mut deserializer = self.deserializer_from_seekable(reader);
        let value = deserializer.document();
        // A failed seek leaves the reader astray, which matters more than why it was to go back.
        deserializer.finish()?;
        value
    }

    /// A [`Deserializer`] over a slice.
    #[must_use]
    pub fn deserializer_from_slice<'de>(&self, bytes: &'de [u8]) -> Deserializer<SliceRead<'de>> {
        Deserializer::new(SliceRead::new(bytes), self)
    }

    /// A [`Deserializer`] over a reader that is read exactly.
    #[cfg(feature = "std")]
    pub fn deserializer_from_reader<R: io::Read>(&self, reader: R) -> Deserializer<IoRead<R>> {
        Deserializer::new(IoRead::new(reader, self.buffer_capacity), self)
    }

    /// A [`Deserializer`] over a reader that can seek.
    #[cfg(feature = "std")]
    pub fn deserializer_from_seekable<R: io::Read + io::Seek>(&self, reader: R) -> Deserializer<IoRead<R, Seekable>> {
        Deserializer::new(IoRead::new(reader, self.buffer_capacity), self)
    }
}
