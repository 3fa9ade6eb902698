//! UBJSON documents as frames of `tokio_util::codec`, without a length in front of each.
//!
//! [`UbjsonCodec`] turns a connection into a stream of values and a sink for values;
//! [`DocumentCodec`] gives out the bytes of each document, for those who borrow from them, or who
//! want to go on behind a document that is not what they expect.
//!
//! - **Linear**: a document that arrives in many pieces is scanned once, not once for each piece.
//!   See [`DocumentScanner`].
//! - **Bounded**: a document longer than the limit ([`max_frame_len`](UbjsonCodec::max_frame_len),
//!   8 MiB unless set) is refused as soon as it is known to be longer, which is before its bytes have
//!   been collected. A declared length reserves at most 64 KiB.
//! - **Keep-alive**: no-ops between documents are passed over, and [`KeepAlive`] sends one.
//! - **Cancellation-safe**: all state is in the codec and the buffer of
//!   [`Framed`](tokio_util::codec::Framed), so a read that is cancelled, as by `tokio::select!`, loses
//!   nothing.
//!
//! As any codec's, an error ends the stream of `Framed`. Where documents of the wrong type are to be
//! passed over instead, use [`DocumentCodec`] and decode its items.
//!
//! # Examples
//!
//! ```
//! use futures_util::SinkExt;
//! use tokio_stream::StreamExt;
//! use tokio_util::codec::Framed;
//! use ubjson::codec::{KeepAlive, UbjsonCodec};
//!
//! # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
//! let (left, right) = tokio::io::duplex(64);
//! let mut client = Framed::new(left, UbjsonCodec::<String>::new());
//! let mut server = Framed::new(right, UbjsonCodec::<(String, i32)>::new());
//!
//! client.send(KeepAlive).await?;
//! client.send(("add", 3)).await?;
//! let request = server.next().await.transpose()?;
//! assert_eq!(request, Some(("add".to_owned(), 3)));
//!
//! server.send("done").await?;
//! assert_eq!(client.next().await.transpose()?.as_deref(), Some("done"));
//! # Ok::<(), ubjson::Error>(())
//! # })?;
//! # Ok::<(), ubjson::Error>(())
//! ```

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use bytes::{Buf, Bytes, BytesMut};
use serde_core::Serialize;
use serde_core::de::DeserializeOwned;
use tokio_util::codec::{Decoder, Encoder};

use crate::document_len::{DocumentLen, DocumentScanner};
use crate::error::{Error, ErrorCode, Result};
use crate::marker::byte;
use crate::read::MAX_STEP;
use crate::{de, ser};

/// The longest document unless a codec is told otherwise: 8 MiB, as tokio's own codecs have it.
const DEFAULT_MAX_FRAME_LEN: usize = 8 * 1024 * 1024;

/// Documents of type `T` in, any values out; see the [module](self).
///
/// The encoder takes everything that can be serialized, also references, and [`KeepAlive`].
pub struct UbjsonCodec<T> {
    documents: DocumentCodec,
    de_config: de::Config,
    items: PhantomData<fn() -> T>,
}

impl<T> UbjsonCodec<T> {
    /// With the options of [`from_slice`](crate::from_slice) and [`to_vec`](crate::to_vec).
    #[must_use]
    pub fn new() -> Self {
        Self::with_config(de::Config::new(), ser::Config::new())
    }

    /// With options for reading and for writing.
    #[must_use]
    pub fn with_config(de_config: de::Config, ser_config: ser::Config) -> Self {
        Self {
            documents: DocumentCodec::with_config(de_config, ser_config),
            de_config,
            items: PhantomData,
        }
    }

    /// The longest document in bytes that is read or written; 8 MiB unless set.
    #[must_use]
    pub fn max_frame_len(mut self, byte_len: usize) -> Self {
        self.documents.max_frame_len = byte_len;
        self
    }
}

impl<T> Default for UbjsonCodec<T> {
    fn default() -> Self {
        Self::new()
    }
}

/// # Errors
///
/// As [`document_len`](crate::document_len()) and [`from_slice`](crate::from_slice), offsets counted from
/// the start of the document; [`ErrorKind::Budget`](crate::ErrorKind::Budget) for a document longer
/// than the limit; [`ErrorKind::Eof`](crate::ErrorKind::Eof) if the input ends inside a document.
/// A document that is not what `T` wants has been consumed, other bad ones have not.
impl<T: DeserializeOwned> Decoder for UbjsonCodec<T> {
    type Item = T;
    type Error = Error;

    fn decode(&mut self, source: &mut BytesMut) -> Result<Option<T>> {
        match self.documents.next_document(source)? {
            Some(document) => self.de_config.from_slice(&document).map(Some),
            None => Ok(None),
        }
    }

    fn decode_eof(&mut self, source: &mut BytesMut) -> Result<Option<T>> {
        match self.documents.last_document(source)? {
            Some(document) => self.de_config.from_slice(&document).map(Some),
            None => Ok(None),
        }
    }
}

/// # Errors
///
/// As [`to_vec`](crate::to_vec); [`ErrorKind::Budget`](crate::ErrorKind::Budget) for a document longer
/// than the limit. Nothing has been written then.
impl<T, U: Serialize> Encoder<U> for UbjsonCodec<T> {
    type Error = Error;

    fn encode(&mut self, item: U, destination: &mut BytesMut) -> Result<()> {
        self.documents.encode_value(&item, destination)
    }
}

impl<T> Encoder<KeepAlive> for UbjsonCodec<T> {
    type Error = Error;

    fn encode(&mut self, item: KeepAlive, destination: &mut BytesMut) -> Result<()> {
        self.documents.encode(item, destination)
    }
}

impl<T> fmt::Debug for UbjsonCodec<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UbjsonCodec")
            .field("documents", &self.documents)
            .finish_non_exhaustive()
    }
}

/// The bytes of one document in, any values out; see the [module](self).
///
/// Documents are checked: [`from_slice`](crate::from_slice) reads them with no other errors than of
/// kind [`Data`](crate::ErrorKind::Data), and of kind [`Number`](crate::ErrorKind::Number) for a
/// number that is out of range. They share the memory they were received in.
#[derive(Debug)]
pub struct DocumentCodec {
    scanner: DocumentScanner,
    ser_config: ser::Config,
    max_frame_len: usize,
    /// The document that is being encoded.
    encoded: Vec<u8>,
}

/// An item that is sent as a no-op, which the receiver passes over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeepAlive;

impl DocumentCodec {
    /// With the limits of [`from_slice`](crate::from_slice) and the options of
    /// [`to_vec`](crate::to_vec).
    #[must_use]
    pub fn new() -> Self {
        Self::with_config(de::Config::new(), ser::Config::new())
    }

    /// With limits for reading and options for writing.
    #[must_use]
    pub fn with_config(de_config: de::Config, ser_config: ser::Config) -> Self {
        Self {
            scanner: DocumentScanner::with_config(&de_config),
            ser_config,
            max_frame_len: DEFAULT_MAX_FRAME_LEN,
            encoded: Vec::new(),
        }
    }

    /// The longest document in bytes that is read or written; 8 MiB unless set.
    #[must_use]
    pub fn max_frame_len(mut self, byte_len: usize) -> Self {
        self.max_frame_len = byte_len;
        self
    }

    /// Takes the next document off the front, if all of it is there.
    fn next_document(&mut self, source: &mut BytesMut) -> Result<Option<BytesMut>> {
        if self.scanner.is_at_start() {
            let no_ops = source.iter().take_while(|byte| **byte == byte::NO_OP).count();
            source.advance(no_ops);
        }
        if source.is_empty() {
            return Ok(None);
        }
        match self.scanner.scan(source)? {
            DocumentLen::Complete(byte_len) => {
                self.check_len(byte_len as u64)?;
                self.scanner.reset();
                Ok(Some(source.split_to(byte_len)))
            }
            DocumentLen::Incomplete { missing } => {
                self.check_len(missing.saturating_add(source.len() as u64))?;
                // More than fits is more than `MAX_STEP`.
                source.reserve(usize::try_from(missing).unwrap_or(MAX_STEP).min(MAX_STEP));
                Ok(None)
            }
        }
    }

    /// Likewise, where no more is to come.
    fn last_document(&mut self, source: &mut BytesMut) -> Result<Option<BytesMut>> {
        match self.next_document(source)? {
            None if !source.is_empty() => Err(Error::new(ErrorCode::Eof, source.len() as u64)),
            document => Ok(document),
        }
    }

    fn check_len(&self, byte_len: u64) -> Result<()> {
        let limit = self.max_frame_len;
        match byte_len > limit as u64 {
            true => Err(Error::without_offset(ErrorCode::DocumentTooLong { limit })),
            false => Ok(()),
        }
    }

    fn encode_value<T: Serialize>(&mut self, value: &T, destination: &mut BytesMut) -> Result<()> {
        self.encoded.clear();
        self.encoded.shrink_to(MAX_STEP);
        self.ser_config.append_to(&mut self.encoded, value)?;
        self.check_len(self.encoded.len() as u64)?;
        destination.extend_from_slice(&self.encoded);
        Ok(())
    }
}

impl Default for DocumentCodec {
    fn default() -> Self {
        Self::new()
    }
}

/// # Errors
///
/// As [`document_len`](crate::document_len()); [`ErrorKind::Budget`](crate::ErrorKind::Budget) for a
/// document longer than the limit; [`ErrorKind::Eof`](crate::ErrorKind::Eof) if the input ends inside
/// a document. The bytes stay where they are.
impl Decoder for DocumentCodec {
    type Item = Bytes;
    type Error = Error;

    fn decode(&mut self, source: &mut BytesMut) -> Result<Option<Bytes>> {
        let document = self.next_document(source)?;
        Ok(document.map(BytesMut::freeze))
    }

    fn decode_eof(&mut self, source: &mut BytesMut) -> Result<Option<Bytes>> {
        let document = self.last_document(source)?;
        Ok(document.map(BytesMut::freeze))
    }
}

/// # Errors
///
/// As [`to_vec`](crate::to_vec); [`ErrorKind::Budget`](crate::ErrorKind::Budget) for a document longer
/// than the limit. Nothing has been written then.
impl<U: Serialize> Encoder<U> for DocumentCodec {
    type Error = Error;

    fn encode(&mut self, item: U, destination: &mut BytesMut) -> Result<()> {
        self.encode_value(&item, destination)
    }
}

impl Encoder<KeepAlive> for DocumentCodec {
    type Error = Error;

    fn encode(&mut self, _: KeepAlive, destination: &mut BytesMut) -> Result<()> {
        destination.extend_from_slice(&[byte::NO_OP]);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Decodes a document that arrives in pieces; how many bytes the scanner has looked at.
    fn examined(document: &[u8], piece_len: usize) -> Result<u64> {
        let mut codec = DocumentCodec::new().max_frame_len(document.len());
        let mut buffer = BytesMut::new();
        let mut decoded = None;
        for piece in document.chunks(piece_len) {
            assert_eq!(decoded, None);
            buffer.extend_from_slice(piece);
            decoded = codec.decode(&mut buffer)?;
        }
        assert_eq!(decoded.as_deref(), Some(document));
        Ok(codec.scanner.examined())
    }

    #[test]
    fn ten_megabytes_in_pieces_of_a_kilobyte_are_scanned_once() -> Result<()> {
        let rows: Vec<_> = (0..240_000_u32)
            .map(|id| (id, "a name of some length", [0.5, 1.5]))
            .collect();
        let document = crate::to_vec(&rows)?;
        let len = document.len() as u64;
        assert!(len > 10_000_000, "{len}");
        assert_eq!(examined(&document, document.len())?, len);
        let found = examined(&document, 1024)?;
        // Of each piece at most one token is looked at twice, of which no part is longer than 25.
        assert!((len..=len + len / 1024 * 25).contains(&found), "{found} of {len}");
        Ok(())
    }
}
