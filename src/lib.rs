//! UBJSON.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

pub mod de;
mod decode;
mod encode;
mod error;
mod marker;
mod number;
mod read;
pub mod ser;
mod skip;
mod write;

#[doc(inline)]
pub use crate::de::{Deserializer, from_slice, from_slice_prefix};
#[cfg(feature = "std")]
#[doc(inline)]
pub use crate::de::{from_reader, from_seekable};
pub use crate::error::{Error, ErrorKind, Result};
pub use crate::marker::Marker;
#[cfg(feature = "std")]
#[doc(inline)]
pub use crate::ser::to_writer;
#[doc(inline)]
pub use crate::ser::{Serializer, to_vec};
