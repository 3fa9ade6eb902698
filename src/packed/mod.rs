//! Numeric arrays at the speed of a block copy, and borrowed views of them.
//!
//! A `Vec<f64>` is already written as a typed array, `[$D#` and a count, where that is not longer;
//! but serde hands it over one number at a time. What is marked with `#[serde(with =
//! "ubjson::packed")]`, or is a [`Packed`], moves as one block, its bytes swapped on the way:
//!
//! ```
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Serialize, Deserialize)]
//! struct Recording {
//!     rate: u32,
//!     #[serde(with = "ubjson::packed")]
//!     samples: Vec<f32>,
//! }
//!
//! let recording = Recording { rate: 44_100, samples: vec![0.0, 0.5] };
//! let bytes = ubjson::to_vec(&recording)?;
//! assert_eq!(bytes, b"{i\x04ratel\x00\x00\xac\x44i\x07samples[$d#i\x02\0\0\0\0\x3f\0\0\0}");
//! assert_eq!(ubjson::from_slice::<Recording>(&bytes)?.samples, [0.0, 0.5]);
//! # Ok::<(), ubjson::Error>(())
//! ```
//!
//! Vectors, boxed slices, arrays, slices and options of them will do, of `i8`, `u8`, `i16`, `i32`,
//! `i64`, `f32` and `f64`. In other formats they are the sequences that they are without it.
//!
//! # What is written
//!
//! Always a typed array (Draft 12, Container Types › Optimized Format › Type), whatever the
//! [container policy](crate::ser::Containers), and however short. Its type:
//!
//! | numbers | type |
//! |---|---|
//! | integers, [`Integers::Smallest`](crate::ser::Integers::Smallest) | the smallest that holds all of them; of `u8` always `U`, of none that of the Rust type |
//! | integers, [`Integers::Declared`](crate::ser::Integers::Declared) | that of the Rust type: `i`, `U`, `I`, `l`, `L` |
//! | `f32` | `d` |
//! | `f64` | `D`; `d` with [`compact_floats`](crate::ser::Config::compact_floats) if that loses nothing in any of them |
//!
//! NaN and the infinities have no other place than their bits in a typed array: with
//! [`NonFinite::Null`](crate::ser::NonFinite::Null) an array that holds one is an ordinary array,
//! and with [`NonFinite::Error`](crate::ser::NonFinite::Error) it is refused.
//!
//! # What is read
//!
//! Every array of numbers, typed, counted or plain. Integers must fit the type that is asked for,
//! which may also be a float; a float32 is read as the `f64` it is, a float64 as the nearest `f32`;
//! floats are never read as integers. Memory grows with what arrives, as everywhere.
//!
//! # Without copying
//!
//! From a slice, [`PackedRef`] is a view of the payload that reads each number where it lies, and
//! `&[u8]` and `&[i8]` are borrowed:
//!
//! ```
//! use serde::Deserialize;
//! use ubjson::packed::PackedRef;
//!
//! #[derive(Deserialize)]
//! struct Recording<'a> {
//!     #[serde(borrow)]
//!     samples: PackedRef<'a, f32>,
//!     #[serde(borrow, with = "ubjson::packed")]
//!     levels: &'a [i8],
//! }
//!
//! let bytes = b"{i\x07samples[$d#i\x02\0\0\0\0\x3f\0\0\0i\x06levels[$i#i\x02\xff\x01}";
//! let recording: Recording = ubjson::from_slice(bytes)?;
//! assert_eq!(recording.samples.get(1), Some(0.5));
//! assert_eq!(recording.samples.iter().sum::<f32>(), 0.5);
//! assert_eq!(recording.levels, [-1, 1]);
//! # Ok::<(), ubjson::Error>(())
//! ```

mod element;
mod newtype;
mod read;
mod view;
mod write;

use serde_core::{Deserializer, Serializer};

pub use self::element::Element;
pub use self::newtype::Packed;
pub use self::read::DeserializePacked;
pub use self::view::{Iter, PackedRef};
pub use self::write::SerializePacked;

/// Writes numbers as one block; for `#[serde(with = "ubjson::packed")]`.
///
/// # Errors
///
/// Those of the serializer. Of this crate's:
///
/// - [`ErrorKind::Data`](crate::ErrorKind::Data): a float that is not finite, with
///   [`NonFinite::Error`](crate::ser::NonFinite::Error).
/// - [`ErrorKind::Depth`](crate::ErrorKind::Depth), [`ErrorKind::Length`](crate::ErrorKind::Length)
///   and [`ErrorKind::Io`](crate::ErrorKind::Io), as for every array.
pub fn serialize<T, S>(numbers: &T, serializer: S) -> Result<S::Ok, S::Error>
where
    T: SerializePacked + ?Sized,
    S: Serializer,
{
    numbers.serialize_packed(serializer)
}

/// Reads numbers as one block; for `#[serde(with = "ubjson::packed")]`.
///
/// # Errors
///
/// Those of the deserializer. Of this crate's:
///
/// - [`ErrorKind::Data`](crate::ErrorKind::Data): what comes is no array of numbers, or one of them
///   does not fit the type.
/// - What is wrong with the document, as for every array.
pub fn deserialize<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: DeserializePacked<'de>,
    D: Deserializer<'de>,
{
    T::deserialize_packed(deserializer)
}
