//! Buffers of the `bytes` crate: `Buf`, `BufMut` and `Bytes`.

use bytes::{Buf, BufMut, Bytes};
use serde_core::Serialize;
use serde_core::de::DeserializeOwned;

use crate::de::{self, BufferRead, Deserializer};
use crate::error::Result;
use crate::ser;

/// Writes a value into new [`Bytes`].
///
/// # Examples
///
/// ```
/// let bytes = ubjson::to_bytes("a")?;
/// assert_eq!(bytes, &b"Si\x01a"[..]);
/// # Ok::<(), ubjson::Error>(())
/// ```
///
/// # Errors
///
/// As [`to_vec`](crate::to_vec).
pub fn to_bytes<T: ?Sized + Serialize>(value: &T) -> Result<Bytes> {
    crate::to_vec(value).map(Bytes::from)
}

/// Writes a value behind what a [`BufMut`] holds.
///
/// # Examples
///
/// ```
/// use bytes::BytesMut;
///
/// let mut message = BytesMut::from("length and type: ");
/// ubjson::to_buf_mut(&mut message, &7)?;
/// assert_eq!(message, "length and type: i\x07");
/// # Ok::<(), ubjson::Error>(())
/// ```
///
/// # Errors
///
/// As [`to_writer`](crate::to_writer). A buffer that cannot grow and is full gives
/// [`ErrorKind::Io`](crate::ErrorKind::Io) with
/// [`WriteZero`](std::io::ErrorKind::WriteZero); it never panics. What has been written by then is
/// not taken back.
pub fn to_buf_mut<B: ?Sized + BufMut, T: ?Sized + Serialize>(buf: &mut B, value: &T) -> Result<()> {
    crate::to_writer(buf.writer(), value)
}

/// Reads one value from a [`Buf`], which then stands right behind the value.
///
/// The bytes may lie in any number of parts, as in a `Chain` or a queue of `Bytes`. They are read
/// where they are: only a string, a number or a key that lies across two parts is joined.
/// After an error the buffer stands where decoding stopped.
///
/// Buffers are taken by value; pass `&mut buf` to go on with it.
///
/// # Sharing memory
///
/// Nothing can be borrowed from a `Buf`, whose parts come and go. From [`Bytes`], whose memory is one
/// piece, values can be borrowed by [`from_slice`](crate::from_slice), and what has been borrowed can
/// be turned into `Bytes` that share the memory and live on:
///
/// ```
/// use bytes::Bytes;
///
/// #[derive(serde::Deserialize)]
/// struct Message<'a> {
///     topic: &'a str,
///     #[serde(with = "serde_bytes")]
///     body: &'a [u8],
/// }
///
/// let received = Bytes::from_static(b"{i\x05topicSi\x01ai\x04body[$U#i\x04\x01\x02\x03\x04}");
/// let message: Message<'_> = ubjson::from_slice(&received)?;
/// // No byte is copied.
/// let body: Bytes = received.slice_ref(message.body);
/// assert_eq!((message.topic, &body[..]), ("a", &[1, 2, 3, 4][..]));
/// # Ok::<(), ubjson::Error>(())
/// ```
///
/// # Examples
///
/// ```
/// use bytes::Buf;
///
/// // An array that arrived in two pieces, and what follows it.
/// let mut received = (&b"[i\x01S"[..]).chain(&b"i\x02hi]GET /"[..]);
/// let pair: (u8, String) = ubjson::from_buf(&mut received)?;
/// assert_eq!(pair, (1, "hi".to_owned()));
/// assert_eq!(received.remaining(), 5);
/// # Ok::<(), ubjson::Error>(())
/// ```
///
/// # Errors
///
/// As [`from_slice`](crate::from_slice), but never
/// [`ErrorKind::Trailing`](crate::ErrorKind::Trailing).
pub fn from_buf<B: Buf, T: DeserializeOwned>(buf: B) -> Result<T> {
    de::Config::new().from_buf(buf)
}

impl ser::Config {
    /// Like [`to_bytes`].
    ///
    /// # Errors
    ///
    /// As [`to_bytes`].
    pub fn to_bytes<T: ?Sized + Serialize>(&self, value: &T) -> Result<Bytes> {
        self.to_vec(value).map(Bytes::from)
    }

    /// Like [`to_buf_mut`].
    ///
    /// # Errors
    ///
    /// As [`to_buf_mut`].
    pub fn to_buf_mut<B: ?Sized + BufMut, T: ?Sized + Serialize>(&self, buf: &mut B, value: &T) -> Result<()> {
        self.to_writer(buf.writer(), value)
    }
}

impl de::Config {
    /// Like [`from_buf`].
    ///
    /// # Errors
    ///
    /// As [`from_buf`].
    pub fn from_buf<B: Buf, T: DeserializeOwned>(&self, buf: B) -> Result<T> {
        let mut deserializer = self.deserializer_from_buf(buf);
        let value = deserializer.document();
        deserializer.finish()?;
        value
    }

    /// A [`Deserializer`] over a [`Buf`].
    #[must_use]
    pub fn deserializer_from_buf<B: Buf>(&self, buf: B) -> Deserializer<BufferRead<B>> {
        Deserializer::new(BufferRead::new(buf), self)
    }
}

impl<B: Buf> Deserializer<BufferRead<B>> {
    /// Reads from a [`Buf`], part by part.
    ///
    /// The buffer is moved on at the end of each part; [`finish`](Self::finish) moves it right
    /// behind what was read.
    #[must_use]
    pub fn from_buf(buf: B) -> Self {
        de::Config::new().deserializer_from_buf(buf)
    }

    /// The buffer below, which may not have been moved on over all that was read.
    #[must_use]
    pub fn get_ref(&self) -> &B {
        self.decoder.source().get_ref()
    }

    /// Moves the buffer behind what was read and returns it.
    ///
    /// # Errors
    ///
    /// None; the same method of other sources has some.
    pub fn into_inner(mut self) -> Result<B> {
        self.finish()?;
        Ok(self.decoder.into_source().into_inner())
    }
}
