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
