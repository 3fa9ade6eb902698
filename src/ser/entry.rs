//! The functions that write one value.

use alloc::vec::Vec;
#[cfg(feature = "std")]
use std::io;

use serde_core::Serialize;

use super::{Defaults, Options, Serializer};
use crate::error::Result;

/// Enough for a small document without growing.
pub(super) const INITIAL_CAPACITY: usize = 128;

/// Writes a value into a new vector.
///
/// # Examples
///
/// ```
/// #[derive(serde::Serialize)]
/// struct Point {
///     x: i32,
///     y: f64,
/// }
///
/// let bytes = ubjson::to_vec(&Point { x: 7, y: 0.5 })?;
/// assert_eq!(bytes, b"{i\x01xi\x07i\x01yD\x3f\xe0\0\0\0\0\0\0}");
/// # Ok::<(), ubjson::Error>(())
/// ```
///
/// # Errors
///
/// - [`ErrorKind::Data`](crate::ErrorKind::Data): the value's `Serialize` failed, announced
///   another number of elements than it delivered, or has a map key that is no string, number,
///   boolean, char or unit variant.
/// - [`ErrorKind::Depth`](crate::ErrorKind::Depth): more than 128 levels.
pub fn to_vec<T: ?Sized + Serialize>(value: &T) -> Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(INITIAL_CAPACITY);
    append_with(Defaults::default(), &mut bytes, value)?;
    Ok(bytes)
}

/// Writes a value to a writer, in blocks, and flushes it.
///
/// A bare `File` or socket is fine: small pieces are collected, and nothing is left in a buffer
/// when this returns. While an array that may become a typed one is open, up to the whole of that
/// array is held in memory.
///
/// Writers are taken by value; pass `&mut writer` to go on with it.
///
/// # Examples
///
/// ```
/// let mut stream = Vec::new();
/// ubjson::to_writer(&mut stream, "a")?;
/// ubjson::to_writer(&mut stream, &[true, false])?;
/// assert_eq!(stream, b"Si\x01a[TF]");
/// # Ok::<(), ubjson::Error>(())
/// ```
///
/// # Errors
///
/// As [`to_vec`]; and [`ErrorKind::Io`](crate::ErrorKind::Io) if the writer fails. What has
/// been written by then is not taken back.
#[cfg(feature = "std")]
pub fn to_writer<W: io::Write, T: ?Sized + Serialize>(writer: W, value: &T) -> Result<()> {
    to_writer_with(Defaults::default(), writer, value)
}

/// Appends to a vector, which keeps its content if that fails.
pub(super) fn append_with<T: ?Sized + Serialize>(options: impl Options, bytes: &mut Vec<u8>, value: &T) -> Result<()> {
    let old_len = bytes.len();
    let mut serializer = Serializer::over_vec(core::mem::take(bytes), options);
    let written = value.serialize(&mut serializer);
    *bytes = serializer.into_vec();
    if written.is_err() {
        bytes.truncate(old_len);
    }
    written
}

#[cfg(feature = "std")]
pub(super) fn to_writer_with<W: io::Write, T: ?Sized + Serialize>(
    options: impl Options,
    writer: W,
    value: &T,
) -> Result<()> {
    let mut serializer = Serializer::over_writer(writer, options);
    value.serialize(&mut serializer)?;
    serializer.flush()
}
