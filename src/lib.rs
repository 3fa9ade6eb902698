//! Universal Binary JSON (UBJSON, draft 12) through serde: the speed and size of a binary cache
//! format with the safety of JSON.
//!
//! Self-describing, readable from every language, and never a risk to load, whoever wrote the
//! bytes. [`from_reader`] takes no byte from a reader that is not the document's own, and does not
//! pay for it with a call for every few bytes.
//!
//! ```
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Debug, PartialEq, Serialize, Deserialize)]
//! struct Sample<'a> {
//!     station: &'a str,
//!     pm25: Vec<f32>,
//! }
//!
//! let sample = Sample { station: "Kathmandu", pm25: vec![61.5, 58.0] };
//! let bytes = ubjson::to_vec(&sample)?;
//! assert_eq!(ubjson::from_slice::<Sample>(&bytes)?, sample);
//! # Ok::<(), ubjson::Error>(())
//! ```
//!
//! # Which function
//!
//! | the data | function | where it stops |
//! |---|---|---|
//! | bytes in memory | [`from_slice`]: the fastest, and it lends `&str` and `&[u8]` | must be one document |
//! | the same, more behind | [`from_slice_prefix`] | returns what is behind |
//! | a file | [`from_seekable`]: whole buffers, then seeks back | behind the document |
//! | a socket, a pipe, any other reader | [`from_reader`], without a `BufReader` | behind the document |
//! | many documents | [`Deserializer::into_iter`](StreamDeserializer) | behind each |
//! | one huge array | [`Deserializer::elements`] | behind each element |
//! | no type for it | [`Value`], or [`pull`] for no tree at all | |
//!
//! Writing: [`to_vec`] is the fastest; [`to_writer`] writes blocks, so it needs no `BufWriter`, and
//! leaves nothing in a buffer. Options are in [`de::Config`] and [`ser::Config`]. Long numeric
//! arrays move as blocks with [`packed`].
//!
//! While a document is read, a lower bound on what must still come is known: a closing marker for
//! each plain container, the smallest encoding of each element left of a counted one, the rest of
//! the token at hand. Those bytes are the document's own, so a reader is asked for them in one call.
//! Counted containers therefore make [`from_reader`] on a bare socket or file fast; the writer
//! counts where it costs next to nothing ([`ser::Containers::Auto`]). Counted `read` calls, with one
//! call for each marker, length and payload on the left (`cargo test --test read_calls -- --nocapture`):
//!
//! | document | plain containers | as written by default | counted containers |
//! |---|---|---|---|
//! | `CouchDB4k` (3 KB) | 653 → 298 | 482 → 99 | 687 → 102 |
//! | `TwitterTimeline` (1.8 KB) | 361 → 133 | 365 → 43 | 377 → 43 |
//! | 1,000 nested rows (108 KB) | 56,002 → 17,969 | 56,004 → 606 | 62,004 → 541 |
//!
//! # From Rust to UBJSON
//!
//! | serde's data model | bytes, unless [`ser::Config`] says otherwise |
//! |---|---|
//! | bool | `T`, `F` |
//! | integers | the smallest of `i`, `U`, `I`, `l`, `L` that holds the value; beyond 64 bits signed `H` |
//! | f32, f64 | `d`, `D`; NaN and infinities as their bits |
//! | char | `C` if ASCII, else `S` |
//! | str | `S` |
//! | bytes | `[$U#` |
//! | `None`, unit, unit struct | `Z` |
//! | `Some`, newtype struct | as what is inside |
//! | unit variant | `S`, its name |
//! | other variants | `{` its name, its content `}` |
//! | seq, tuple, tuple struct | `[`, and `[$`type`#` where all elements are one kind of number or ASCII chars |
//! | map, struct | `{`; keys that are integers, floats, bools, chars or unit variants as text |
//!
//! # From UBJSON to Rust
//!
//! | bytes | reads into |
//! |---|---|
//! | `Z` | `Option`, unit, and f32 and f64 as NaN |
//! | `T`, `F` | bool |
//! | `i` `U` `I` `l` `L` | every number type that holds the value |
//! | `d`, `D` | f32, f64 |
//! | `H` | every integer that holds the value exactly; f32 and f64 to the nearest; never an infinity |
//! | `C` | char, strings, unit variants |
//! | `S` | strings (borrowed from a slice), char, unit variants, bytes |
//! | `[` of any form | seq, tuple, struct by position; bytes if all elements are integers from 0 to 255 |
//! | `[$U#`, `[$i#` | also `&[u8]`, borrowed, the bits as they are |
//! | `{` of any form | map, struct, enum |
//! | `N` | nothing: skipped wherever a value or a key may start |
//!
//! # Choices
//!
//! - A repeated key is an error in a struct, and in a [`Value`] or a map the last one holds.
//! - Strings and keys must be UTF-8, `C` below 128, `H` the text of a JSON number; draft 12 leaves no
//!   other reading. [`de::Config::lossy_utf8`] helps with files that got text wrong.
//! - Draft 12 wants NaN and infinities as null. The two most used writers write their bits, typed
//!   arrays have no other way, and what is written should read back: see [`ser::NonFinite`].
//! - [`is_human_readable`](serde_core::Serializer::is_human_readable) is false on every path but one: the keys of
//!   maps are text, so what can be text or bytes (an IP address, a UUID) is text there.
//!
//! # Limits
//!
//! 128 levels of nesting, 1,048,576 elements without payload a document, no others; a declared
//! length never decides an allocation. [`de::Config`] has the options.
//!
//! # Features
//!
//! - `std` (default): readers, writers. Without it slices and [`to_vec`] remain, with `alloc`.
//! - `bytes`: buffers of the bytes crate.
//! - `codec`: a codec for tokio's framed streams.
//! - `json`: conversion to and from `serde_json::Value`.
//! - `cli`: the command `ubjson`.
#![no_std]
#![forbid(unsafe_code)]
#![warn(clippy::pedantic)]
#![allow(
    clippy::match_bool,
    reason = "two outcomes side by side read better than if and else"
)]
#![allow(
    clippy::match_same_arms,
    reason = "a table of markers stays a table where two rows agree"
)]
#![allow(
    clippy::many_single_char_names,
    reason = "the bytes of a payload have no better names"
)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[cfg(feature = "bytes")]
mod buffers;
#[cfg(feature = "codec")]
pub mod codec;
pub mod de;
mod decode;
mod document_len;
mod doorway;
mod encode;
mod error;
mod marker;
mod number;
pub mod packed;
pub mod pull;
mod raw;
mod read;
pub mod ser;
mod skip;
mod text;
mod transcode;
pub mod value;
mod write;

#[cfg(feature = "bytes")]
#[doc(inline)]
pub use crate::buffers::{from_buf, to_buf_mut, to_bytes};
#[doc(inline)]
pub use crate::de::{Deserializer, StreamDeserializer, from_slice, from_slice_prefix};
#[cfg(feature = "std")]
#[doc(inline)]
pub use crate::de::{from_reader, from_seekable};
pub use crate::document_len::{DocumentLen, DocumentScanner, document_len};
pub use crate::error::{Error, ErrorKind, Result};
pub use crate::marker::Marker;
pub use crate::raw::{RawRef, RawValue};
#[cfg(feature = "std")]
#[doc(inline)]
pub use crate::ser::to_writer;
#[doc(inline)]
pub use crate::ser::{Serializer, to_vec};
pub use crate::transcode::{TranscodeError, transcode};
#[doc(inline)]
pub use crate::value::{Map, Number, Value, from_value, to_value};

/// The examples in the README compile and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
