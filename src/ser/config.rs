//! Options for writing.

use alloc::vec::Vec;
#[cfg(feature = "std")]
use std::io;

use serde_core::Serialize;

#[cfg(feature = "std")]
use super::entry::to_writer_with;
use super::entry::{INITIAL_CAPACITY, append_with};
use crate::decode::DEFAULT_MAX_DEPTH;
use crate::error::Result;
use crate::write::{Defaults, Known};

/// How the ends of arrays and objects are written (Draft 12, Container Types › Optimized Format).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Containers {
    /// What fits the data: arrays of one scalar type as `[$type#count` where that is not longer
    /// than the plain form, other arrays of known length counted from 4 elements on, objects from
    /// 16 entries on, where the count costs at most 2 bytes (up to 255, and not with counts of a
    /// fixed width). Arrays of containers are counted whatever their length. The two thresholds were
    /// found by counting bytes and read calls: from 1 or 2 elements on rows take 2% more bytes and
    /// no fewer calls, and from 8 entries on a document of records a third fewer calls, but each
    /// record 2 bytes more.
    ///
    /// Two and more `u8` are written as `serialize_bytes` does. Never longer than `Counted`, and
    /// no more than 2 bytes a container longer than `Plain`, save for up to 7 bytes more for the
    /// count of an array of more than 255 containers.
    #[default]
    Auto,
    /// Every container whose length is known starts with `#` and its count.
    Counted,
    /// Every array whose length is known starts with `#` and its count, objects end with their
    /// closing marker; `XGBoost` writes its models so.
    CountedArrays,
    /// Every container ends with its closing marker.
    Plain,
}

/// How wide lengths and counts are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Lengths {
    /// The smallest that fits, `i` before `U`.
    #[default]
    Smallest,
    /// `U` where it fits, then `I`, `l`, `L`; replay parsers want this.
    Uint8First,
    /// Always `l`; a longer length is an error.
    Int32,
    /// Always `L`; `XGBoost` wants this.
    Int64,
}

/// How wide integers are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Integers {
    /// The smallest that fits the value: `i`, `U`, `I`, `l`, `L`, and `H` beyond 64 bits signed.
    #[default]
    Smallest,
    /// By the Rust type: i8 `i`, u8 `U`, i16 `I`, u16 and i32 `l`, u32 and i64 `L`, u64 and
    /// 128 bits `L` where it fits and else `H`.
    Declared,
}

/// How structs are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Structs {
    /// As objects with the fields' names as keys.
    #[default]
    Map,
    /// As arrays of the fields' values in the order of declaration.
    ///
    /// A field that `skip_serializing_if` leaves out is written as null, since only places count.
    /// serde itself cannot read a struct variant of an untagged or adjacently tagged enum from an
    /// array. With [`Containers::Counted`] a writer holds each struct in memory until it ends.
    Array,
}

/// How NaN and the infinities are written, for which draft 12 has no value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum NonFinite {
    /// As their IEEE 754 bits, so that they read back.
    #[default]
    Ieee,
    /// As null, as draft 12 says (Value Types › Numeric Types).
    Null,
    /// Not at all: an error of kind [`Data`](crate::ErrorKind::Data).
    Error,
}

/// Options for writing.
///
/// ```
/// use ubjson::ser::{Config, Containers, Lengths};
///
/// let config = Config::new().containers(Containers::Plain).lengths(Lengths::Uint8First);
/// assert_eq!(config.to_vec("a")?, b"SU\x01a");
/// # Ok::<(), ubjson::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Config {
    pub(crate) containers: Containers,
    pub(crate) lengths: Lengths,
    pub(crate) counts: Lengths,
    pub(crate) integers: Integers,
    pub(crate) structs: Structs,
    pub(crate) non_finite: NonFinite,
    pub(crate) compact_floats: bool,
    pub(crate) human_readable: bool,
    pub(crate) max_depth: usize,
}

impl Default for Config {
    fn default() -> Self {
        Self::new()
    }
}

impl Config {
    pub(crate) const DEFAULTS: Self = Self::new();
    pub(crate) const ARRAYS: Self = Self::new().structs(Structs::Array);

    /// The options that [`to_vec`](crate::to_vec) and [`to_writer`](crate::to_writer) use.
    pub const fn new() -> Self {
        Self {
            containers: Containers::Auto,
            lengths: Lengths::Smallest,
            counts: Lengths::Smallest,
            integers: Integers::Smallest,
            structs: Structs::Map,
            non_finite: NonFinite::Ieee,
            compact_floats: false,
            human_readable: false,
            max_depth: DEFAULT_MAX_DEPTH,
        }
    }

    /// How the ends of arrays and objects are written.
    pub fn containers(mut self, containers: Containers) -> Self {
        self.containers = containers;
        self
    }

    /// How wide the lengths of strings, keys and high-precision numbers are.
    pub fn lengths(mut self, lengths: Lengths) -> Self {
        self.lengths = lengths;
        self
    }

    /// How wide the counts of containers are.
    pub fn counts(mut self, counts: Lengths) -> Self {
        self.counts = counts;
        self
    }

    /// How wide integers are.
    pub fn integers(mut self, integers: Integers) -> Self {
        self.integers = integers;
        self
    }

    /// Whether structs are objects or arrays. Either is read without being told which.
    pub const fn structs(mut self, structs: Structs) -> Self {
        self.structs = structs;
        self
    }

    /// How NaN and the infinities are written.
    pub fn non_finite(mut self, non_finite: NonFinite) -> Self {
        self.non_finite = non_finite;
        self
    }

    /// Writes an f64 as float32 where nothing is lost by it; false unless set.
    pub fn compact_floats(mut self, yes: bool) -> Self {
        self.compact_floats = yes;
        self
    }

    /// What types are told that ask whether the format is human-readable; false unless set. The
    /// keys of maps are told that it is, being text.
    ///
    /// Must be the same on the reading side ([`de::Config`](crate::de::Config)).
    pub fn human_readable(mut self, yes: bool) -> Self {
        self.human_readable = yes;
        self
    }

    /// How many containers may be nested; 128 unless set, as on the reading side.
    pub fn max_depth(mut self, levels: usize) -> Self {
        self.max_depth = levels;
        self
    }

    /// Like [`to_vec`](crate::to_vec).
    ///
    /// # Errors
    ///
    /// As [`to_vec`](crate::to_vec).
    pub fn to_vec<T: ?Sized + Serialize>(&self, value: &T) -> Result<Vec<u8>> {
        let mut bytes = Vec::with_capacity(INITIAL_CAPACITY);
        self.append_to(&mut bytes, value)?;
        Ok(bytes)
    }

    /// Appends the encoded value to a vector, whose memory is used again.
    ///
    /// ```
    /// let mut bytes = Vec::new();
    /// for word in ["a", "b"] {
    ///     bytes.clear();
    ///     ubjson::ser::Config::new().append_to(&mut bytes, word)?;
    /// }
    /// assert_eq!(bytes, b"Si\x01b");
    /// # Ok::<(), ubjson::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`to_vec`](crate::to_vec); the vector then has its old content.
    pub fn append_to<T: ?Sized + Serialize>(&self, bytes: &mut Vec<u8>, value: &T) -> Result<()> {
        match *self {
            Self::DEFAULTS => append_with(Defaults::default(), bytes, value),
            Self::ARRAYS => append_with(Known::<true>, bytes, value),
            config => append_with(config, bytes, value),
        }
    }

    /// Like [`to_writer`](crate::to_writer).
    ///
    /// # Errors
    ///
    /// As [`to_writer`](crate::to_writer).
    #[cfg(feature = "std")]
    pub fn to_writer<W: io::Write, T: ?Sized + Serialize>(&self, writer: W, value: &T) -> Result<()> {
        match *self {
            Self::DEFAULTS => to_writer_with(Defaults::default(), writer, value),
            Self::ARRAYS => to_writer_with(Known::<true>, writer, value),
            config => to_writer_with(config, writer, value),
        }
    }
}
