//! The functions that read one value from a source.

#[cfg(feature = "std")]
use std::io;

use serde_core::de::Deserialize;
#[cfg(feature = "std")]
use serde_core::de::DeserializeOwned;

use super::Config;
use crate::error::Result;

/// Reads one value from a slice that holds nothing else.
///
/// Strings and bytes can be borrowed from the slice. No-ops around the value are skipped.
///
/// # Examples
///
/// ```
/// #[derive(serde::Deserialize, Debug, PartialEq)]
/// struct Point<'a> {
///     name: &'a str,
///     x: i32,
/// }
///
/// let point: Point = ubjson::from_slice(b"{i\x04nameSi\x01ai\x01xi\x07}")?;
/// assert_eq!(point, Point { name: "a", x: 7 });
/// # Ok::<(), ubjson::Error>(())
/// ```
///
/// # Errors
///
/// Every kind but [`ErrorKind::Io`](crate::ErrorKind::Io): the bytes are not UBJSON, are more or
/// less than one value, go beyond a limit, or are not what `T` wants.
pub fn from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<T> {
    Config::new().from_slice(bytes)
}

/// Reads one value from the front of a slice and returns it with the bytes behind it.
///
/// # Examples
///
/// ```
/// let (number, rest): (u8, &[u8]) = ubjson::from_slice_prefix(b"U\xffhello")?;
/// assert_eq!((number, rest), (255, &b"hello"[..]));
/// # Ok::<(), ubjson::Error>(())
/// ```
///
/// # Errors
///
/// As [`from_slice`], but never [`ErrorKind::Trailing`](crate::ErrorKind::Trailing).
pub fn from_slice_prefix<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<(T, &'de [u8])> {
    Config::new().from_slice_prefix(bytes)
}

/// Reads one value from a reader, which then stands right behind the value.
///
/// No byte is ever read that is not the value's, and none is waited for: whatever follows on the
/// stream is still there. A bare `File` or socket is read in few calls all the same where the
/// document has counted containers; see the [crate documentation](crate#which-function). After an
/// error the reader stands somewhere inside the document.
///
/// Readers are taken by value; pass `&mut reader` to go on with it. Interrupted reads are retried.
///
/// # Examples
///
/// ```
/// let mut stream = &b"[i\x01i\x02]GET /"[..];
/// let numbers: Vec<u8> = ubjson::from_reader(&mut stream)?;
/// assert_eq!(numbers, [1, 2]);
/// assert_eq!(stream, b"GET /");
/// # Ok::<(), ubjson::Error>(())
/// ```
///
/// Nothing can be borrowed from a reader, so this does not compile:
///
/// ```compile_fail
/// let text: &str = ubjson::from_reader(&b"Si\x01a"[..]).unwrap();
/// ```
///
/// # Errors
///
/// As [`from_slice`], but never [`ErrorKind::Trailing`](crate::ErrorKind::Trailing); and
/// [`ErrorKind::Io`](crate::ErrorKind::Io) if the reader fails.
#[cfg(feature = "std")]
pub fn from_reader<R: io::Read, T: DeserializeOwned>(reader: R) -> Result<T> {
    Config::new().from_reader(reader)
}

/// Reads one value from a reader that can seek, which then stands right behind the value.
///
/// Reads whole buffers and seeks back over what is left, after an error, too: the reader then
/// stands where decoding stopped. A `File` that is a pipe is read as by [`from_reader`].
///
/// # Examples
///
/// ```
/// use std::io::Cursor;
///
/// let mut file = Cursor::new(b"TF");
/// assert!(ubjson::from_seekable::<_, bool>(&mut file)?);
/// assert_eq!(file.position(), 1);
/// # Ok::<(), ubjson::Error>(())
/// ```
///
/// # Errors
///
/// As [`from_reader`]; and [`ErrorKind::Io`](crate::ErrorKind::Io) if seeking back fails or ends
/// up elsewhere, in place of any other error, since the reader's position is then unknown.
#[cfg(feature = "std")]
pub fn from_seekable<R: io::Read + io::Seek, T: DeserializeOwned>(reader: R) -> Result<T> {
    Config::new().from_seekable(reader)
}
