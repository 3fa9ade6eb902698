//! Documents that follow each other: `StreamDeserializer`.

use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;

use serde_core::de::Deserialize;

use super::Deserializer;
use crate::error::Result;
#[cfg(feature = "std")]
use crate::read::IoRead;
use crate::read::{Read, SliceRead};

/// Reads documents that follow each other, one an item; made by
/// [`Deserializer::into_iter`].
///
/// No-ops between documents are skipped. The iterator gives
///
/// - `None` where the input ends between documents. A reader is asked again when `next` is called
///   again, so a file that grows can be followed; a slice has nothing more.
/// - an error of kind [`Eof`](crate::ErrorKind::Eof) where the input ends inside a document;
/// - an error of kind [`Data`](crate::ErrorKind::Data), or [`Number`](crate::ErrorKind::Number) for
///   a number that is out of range, where a document is not what `T` wants. The document has
///   been passed over as a whole then, and the next one follows. If the rest of it is broken, that
///   error is given instead, so each document gives one item.
/// - any other error where the bytes are no UBJSON, go beyond a limit, or cannot be read. Nothing
///   but `None` follows such an error, nor one of kind `Eof`: where the next document starts is
///   not known.
///
/// # Examples
///
/// ```
/// use ubjson::{Deserializer, ErrorKind};
///
/// let log = b"i\x01NNi\x02Si\x04oopsi\x03[i";
/// let mut stream = Deserializer::from_slice(log).into_iter::<i32>();
/// assert_eq!(stream.next().transpose()?, Some(1));
/// assert_eq!(stream.next().transpose()?, Some(2));
/// assert_eq!(stream.next().map(|item| item.unwrap_err().kind()), Some(ErrorKind::Data));
/// assert_eq!(stream.next().transpose()?, Some(3));
///
/// // The last document has not arrived whole. Go on with it when more bytes have.
/// assert!(stream.next().is_some_and(|item| item.is_err_and(|error| error.is_eof())));
/// assert!(stream.next().is_none());
/// assert_eq!(log[stream.byte_offset() as usize..], *b"[i");
/// # Ok::<(), ubjson::Error>(())
/// ```
#[must_use = "documents are read as the iterator is advanced"]
pub struct StreamDeserializer<'de, R, T> {
    de: Deserializer<R>,
    /// Behind the last document that was read to its end.
    offset: u64,
    has_failed: bool,
    input: PhantomData<&'de ()>,
    items: PhantomData<fn() -> T>,
}

impl<'de, R: Read<'de>> Deserializer<R> {
    /// Reads document after document into values of one type.
    ///
    /// ```
    /// let words = ubjson::Deserializer::from_slice(b"Si\x01aSi\x01b").into_iter::<&str>();
    /// assert_eq!(words.collect::<ubjson::Result<Vec<_>>>()?, ["a", "b"]);
    /// # Ok::<(), ubjson::Error>(())
    /// ```
    #[expect(
        clippy::should_implement_trait,
        reason = "IntoIterator could not name the type of the items"
    )]
    pub fn into_iter<T: Deserialize<'de>>(self) -> StreamDeserializer<'de, R, T> {
        StreamDeserializer {
            offset: self.byte_offset(),
            de: self,
            has_failed: false,
            input: PhantomData,
            items: PhantomData,
        }
    }
}

impl<'de, R: Read<'de>, T> StreamDeserializer<'de, R, T> {
    /// The end of the last document that was read or passed over, in bytes from where the
    /// deserializer was made: where the next one starts, or a broken one did.
    #[must_use]
    pub fn byte_offset(&self) -> u64 {
        self.offset
    }

    /// Gives back what was read ahead, so that a seekable reader stands at
    /// [`byte_offset`](Self::byte_offset), or where the last document turned out to be broken.
    /// Does nothing for other sources.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`](crate::ErrorKind::Io) if seeking fails or ends up elsewhere.
    pub fn finish(&mut self) -> Result<()> {
        self.de.finish()
    }

    /// The deserializer below, to go on with documents of another type.
    #[must_use]
    pub fn into_deserializer(self) -> Deserializer<R> {
        self.de
    }
}

#[cfg(feature = "std")]
impl<R, M, T> StreamDeserializer<'_, IoRead<R, M>, T>
where
    IoRead<R, M>: for<'de> Read<'de>,
{
    /// The reader below. A seekable one may stand behind the last document by what was read ahead.
    pub fn get_ref(&self) -> &R {
        self.de.get_ref()
    }

    /// Gives back what was read ahead and returns the reader, as [`finish`](Self::finish) leaves
    /// it.
    ///
    /// # Errors
    ///
    /// As [`finish`](Self::finish).
    pub fn into_inner(self) -> Result<R> {
        self.de.into_inner()
    }
}

impl<'de, R: Read<'de>, T: Deserialize<'de>> Iterator for StreamDeserializer<'de, R, T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        if self.has_failed {
            return None;
        }
        self.de.decoder.begin_document();
        let document = match self.de.decoder.peek_document() {
            Ok(Some(_)) => self.de.recovering(false, |de| T::deserialize(de)),
            Ok(None) => {
                self.offset = self.de.byte_offset();
                return None;
            }
            Err(error) => Err(error),
        };
        match &document {
            Err(error) if !error.is_recoverable() => self.has_failed = true,
            _ => self.offset = self.de.byte_offset(),
        }
        Some(document)
    }
}

/// A reader may have more later; a slice may not.
impl<'de, T: Deserialize<'de>> FusedIterator for StreamDeserializer<'de, SliceRead<'de>, T> {}

impl<R: fmt::Debug, T> fmt::Debug for StreamDeserializer<'_, R, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StreamDeserializer")
            .field("deserializer", &self.de)
            .field("offset", &self.offset)
            .field("has_failed", &self.has_failed)
            .finish_non_exhaustive()
    }
}
