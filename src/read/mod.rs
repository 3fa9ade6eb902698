//! Where bytes come from: a slice, a reader, or a reader that can seek, behind one sealed trait.
//!
//! Maintainers: the decoder works on the bytes *at hand*, so slices and buffered bytes share one
//! fast path. Only the methods that take `promised` may do I/O. They are told what the call needs
//! now and how many bytes *must* follow after that in any valid document; a source may ask its
//! reader for both in one call, and it waits only for the first. No source knows UBJSON.

#[cfg(feature = "bytes")]
mod buffer;
#[cfg(feature = "std")]
mod io;
mod partial;
mod slice;

use alloc::vec::Vec;

use crate::error::Result;

#[cfg(feature = "bytes")]
pub use self::buffer::BufferRead;
#[cfg(feature = "std")]
pub(crate) use self::io::DEFAULT_CAPACITY;
#[cfg(feature = "std")]
pub use self::io::{IoRead, Seekable, Unseekable};
pub(crate) use self::partial::PartialRead;
pub use self::slice::SliceRead;

/// The most bytes that a declared length reserves before any of them has arrived.
#[cfg(feature = "std")]
pub(crate) const MAX_STEP: usize = 64 * 1024;

mod private {
    pub trait Sealed {}

    impl Sealed for super::SliceRead<'_> {}

    impl Sealed for super::PartialRead<'_> {}

    #[cfg(feature = "bytes")]
    impl<B> Sealed for super::BufferRead<B> {}

    #[cfg(feature = "std")]
    impl<R, M> Sealed for super::IoRead<R, M> {}
}

/// Bytes taken from a source: borrowed for the input's lifetime, or until the next call.
#[derive(Clone, Copy, Debug)]
pub enum Reference<'de, 's> {
    /// Part of the input.
    Borrowed(&'de [u8]),
    /// Part of the source's buffer.
    Transient(&'s [u8]),
}

impl Reference<'_, '_> {
    /// The bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        match *self {
            Reference::Borrowed(bytes) => bytes,
            Reference::Transient(bytes) => bytes,
        }
    }
}

/// A source of bytes: [`SliceRead`], or [`IoRead`] with [`Unseekable`] or [`Seekable`].
///
/// Sealed: how far a source may read is part of this crate's promise, so it implements them all.
pub trait Read<'de>: private::Sealed {
    /// Whether anyone asks for the promised bytes; where not, nobody counts them.
    #[doc(hidden)]
    const READS_AHEAD: bool;

    /// The bytes at hand that are not yet consumed.
    #[doc(hidden)]
    fn at_hand(&self) -> &[u8];

    /// Consumes the next `N` bytes if so many are at hand.
    #[doc(hidden)]
    fn next_chunk<const N: usize>(&mut self) -> Option<[u8; N]>;

    /// Consumes `byte_len` bytes, which must be at hand.
    #[doc(hidden)]
    fn consume(&mut self, byte_len: usize);

    /// Makes at least `byte_len` bytes at hand; for tokens of a few bytes only.
    #[doc(hidden)]
    fn fill(&mut self, byte_len: usize, promised: u64) -> Result<()>;

    /// Consumes and gives out the next `byte_len` bytes.
    #[doc(hidden)]
    fn take(&mut self, byte_len: usize, promised: u64) -> Result<Reference<'de, '_>>;

    /// Consumes the next `byte_len` bytes and appends them to `destination`.
    #[doc(hidden)]
    fn append_to(&mut self, destination: &mut Vec<u8>, byte_len: usize, promised: u64) -> Result<()>;

    /// Consumes and lends as many of the next elements of `element_len` bytes as are there, up to
    /// `count`; none where nothing can be lent.
    #[doc(hidden)]
    fn lend(&mut self, element_len: usize, count: u64) -> &'de [u8] {
        let _ = (element_len, count);
        &[]
    }

    /// Consumes the next `byte_len` bytes unseen.
    #[doc(hidden)]
    fn skip(&mut self, byte_len: u64, promised: u64) -> Result<()>;

    /// From here on the bytes that are consumed are kept.
    #[doc(hidden)]
    fn begin_recording(&mut self);

    /// The bytes consumed since [`begin_recording`](Self::begin_recording): part of the input, or
    /// appended to `recorded`.
    #[doc(hidden)]
    fn end_recording(&mut self, recorded: &mut Vec<u8>) -> Option<&'de [u8]>;

    /// How many bytes have been consumed.
    #[doc(hidden)]
    fn offset(&self) -> u64;

    /// A measure of the same, which costs nothing to take: of two marks, equal ones are the same
    /// place.
    #[doc(hidden)]
    #[inline]
    fn mark(&self) -> u64 {
        self.offset()
    }

    /// The offset that `mark` stands for.
    #[doc(hidden)]
    #[inline]
    fn offset_at(&self, mark: u64) -> u64 {
        mark
    }

    /// How many bytes are left, where that is known.
    #[doc(hidden)]
    fn remaining(&self) -> Option<usize>;

    /// Gives back what was read ahead.
    #[doc(hidden)]
    fn finish(&mut self) -> Result<()>;
}

#[cfg(test)]
mod tests {
    use super::*;

    const BYTES: &[u8] = b"abcdefghijklmnopqrstuvwxyz";

    /// What the decoder relies on, whatever the source: `source` has the alphabet.
    fn keeps_the_contract<'de, R: Read<'de>>(mut source: R) -> Result<()> {
        source.fill(3, 0)?;
        assert!(source.at_hand().starts_with(b"abc"));
        source.fill(3, 0)?;
        assert_eq!(source.next_chunk(), Some(*b"ab"));
        source.consume(1);
        let mark = source.mark();
        assert_eq!((source.offset(), source.offset_at(mark)), (3, 3));

        source.begin_recording();
        assert_eq!(source.take(4, 0)?.as_bytes(), b"defg");
        let mut destination = b"to ".to_vec();
        source.append_to(&mut destination, 5, 0)?;
        assert_eq!(destination, b"to hijkl");
        source.skip(3, 0)?;
        let mut recorded = b"of ".to_vec();
        match source.end_recording(&mut recorded) {
            Some(bytes) => assert_eq!((bytes, &recorded[..]), (&b"defghijklmno"[..], &b"of "[..])),
            None => assert_eq!(recorded, b"of defghijklmno"),
        }
        assert_eq!((source.offset(), source.offset_at(mark)), (15, 3));

        let lent = source.lend(2, 3);
        assert!(lent.is_empty() || lent == b"pqrstu");
        source.skip(6 - lent.len() as u64, 0)?;
        assert!(source.remaining().is_none_or(|byte_len| byte_len == 5));
        assert_eq!(source.take(5, 0)?.as_bytes(), b"vwxyz");
        source.finish()?;
        assert_eq!((source.offset(), source.next_chunk::<1>()), (26, None));
        Ok(())
    }

    /// Whatever `read` asks for is more than there is.
    fn ends<'de, R: Read<'de>>(mut source: R, read: impl FnOnce(&mut R) -> Result<()>) {
        let error = read(&mut source).expect_err("the end of the input");
        assert_eq!((error.is_eof(), error.offset()), (true, Some(26)));
    }

    fn all_end<'de, R: Read<'de>>(source: impl Fn() -> R) {
        ends(source(), |source| source.fill(27, 0));
        ends(source(), |source| source.take(27, 0).map(drop));
        ends(source(), |source| source.append_to(&mut Vec::new(), 27, 0));
        ends(source(), |source| source.append_to(&mut Vec::new(), 1 << 30, 0));
        ends(source(), |source| source.skip(27, 0));
        ends(source(), |source| source.skip(u64::MAX, u64::MAX));
    }

    #[test]
    fn slices_keep_the_contract() -> Result<()> {
        all_end(|| SliceRead::new(BYTES));
        all_end(|| PartialRead::new(BYTES, 0));
        keeps_the_contract(SliceRead::new(BYTES))?;
        keeps_the_contract(PartialRead::new(BYTES, 0))
    }

    #[test]
    #[cfg(feature = "std")]
    fn readers_keep_the_contract() -> Result<()> {
        all_end(|| IoRead::<_, Unseekable>::new(BYTES, 0));
        all_end(|| IoRead::<_, Seekable>::new(std::io::Cursor::new(BYTES), 0));
        keeps_the_contract(IoRead::<_, Unseekable>::new(BYTES, 0))?;
        keeps_the_contract(IoRead::<_, Seekable>::new(std::io::Cursor::new(BYTES), 0))
    }

    #[test]
    #[cfg(feature = "bytes")]
    fn buffers_keep_the_contract() -> Result<()> {
        use bytes::Buf;

        for cut in 0..=BYTES.len() {
            let (head, tail) = BYTES.split_at(cut);
            all_end(|| BufferRead::new(head.chain(tail)));
            keeps_the_contract(BufferRead::new(head.chain(tail)))?;
        }
        Ok(())
    }
}
