//! From one serde format to another, value by value, without a tree.

mod any;
mod map;
mod number;

use core::fmt;

use serde_core::{Deserializer, Serializer};

use self::any::Whole;
use crate::error::Error;

/// Reads one value of any self-describing format and writes it in another, as it comes.
///
/// Memory does not grow with the input; what is held is one scalar or text at a time, and the
/// stack for nesting. Either side can be a [`&mut Deserializer`](crate::Deserializer) and
/// [`&mut Serializer`](crate::Serializer) of this crate or another format's.
///
/// # Examples
///
/// JSON to UBJSON and back:
///
/// ```
/// let json = r#"{"name":"a","size":[1,2.5,null]}"#;
///
/// let mut bytes = Vec::new();
/// ubjson::transcode(
///     &mut serde_json::Deserializer::from_str(json),
///     &mut ubjson::Serializer::new(&mut bytes),
/// )?;
///
/// let mut text = Vec::new();
/// ubjson::transcode(
///     &mut ubjson::Deserializer::from_slice(&bytes),
///     &mut serde_json::Serializer::new(&mut text),
/// )?;
/// assert_eq!(text, json.as_bytes());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # What is kept
///
/// - High-precision numbers, exactly, from UBJSON to UBJSON (unless the deserializer is
///   [human-readable](crate::de::Config::human_readable)). Other formats get the narrowest number
///   that serde has, the nearest float, or, where no finite float is near, text.
/// - Numbers of JSON, exactly, where `serde_json` is built with `arbitrary_precision`: those that a
///   float64 does not hold become high-precision numbers.
/// - Chars as such, from UBJSON.
/// - The order of keys, and duplicate keys.
/// - Not how wide integers and how long containers were declared: the serializer's options say
///   that. A length is passed on where the source knows it; without one, containers end with their
///   closing marker, unless they turn out to be arrays of one scalar type.
///
/// # Errors
///
/// [`TranscodeError::Read`] or [`TranscodeError::Write`] with the error of the format that failed;
/// what has been written until then stays written.
pub fn transcode<'de, D, S>(deserializer: D, serializer: S) -> Result<S::Ok, TranscodeError<D::Error, S::Error>>
where
    D: Deserializer<'de>,
    S: Serializer,
{
    any::read_into(Whole(serializer), deserializer)
}

/// The side of a [`transcode`] that failed, and its error.
#[derive(Debug)]
pub enum TranscodeError<R, W> {
    /// The deserializer's.
    Read(R),
    /// The serializer's.
    Write(W),
}

impl<R: fmt::Display, W: fmt::Display> fmt::Display for TranscodeError<R, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => error.fmt(f),
            Self::Write(error) => error.fmt(f),
        }
    }
}

impl<R: core::error::Error, W: core::error::Error> core::error::Error for TranscodeError<R, W> {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Read(error) => error.source(),
            Self::Write(error) => error.source(),
        }
    }
}

impl From<TranscodeError<Self, Self>> for Error {
    fn from(error: TranscodeError<Self, Self>) -> Self {
        match error {
            TranscodeError::Read(error) | TranscodeError::Write(error) => error,
        }
    }
}
