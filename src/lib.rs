//! UBJSON.
#![no_std]
#![forbid(unsafe_code)]

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
