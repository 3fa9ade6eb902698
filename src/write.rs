//! Where encoded bytes go: a vector, or a writer in blocks, behind one sealed trait.

use alloc::vec::Vec;
use core::fmt;
#[cfg(feature = "std")]
use std::io;

#[cfg(feature = "std")]
use crate::error::Error;
use crate::error::Result;

mod private {
    pub trait Sealed {}

    impl Sealed for super::VecWrite {}

    #[cfg(feature = "std")]
    impl<W> Sealed for super::IoWrite<W> {}
}

/// A destination of bytes: [`VecWrite`], or [`IoWrite`] over an `io::Write`.
///
/// Sealed: that whole values arrive, and in blocks, is part of this crate's promise.
pub trait Write: private::Sealed {
    /// From how many bytes on the block is written out.
    #[doc(hidden)]
    const BLOCK_LEN: usize;

    /// Writes the block out and empties it.
    #[doc(hidden)]
    fn write_block(&mut self, block: &mut Vec<u8>) -> Result<()>;

    /// Writes a payload that is longer than a block, behind the block.
    #[doc(hidden)]
    fn write_payload(&mut self, block: &mut Vec<u8>, payload: &[u8]) -> Result<()>;
}

/// The block itself is the destination: it grows and is never written out.
#[derive(Debug, Default)]
pub struct VecWrite {
    _private: (),
}

impl VecWrite {
    pub(crate) fn new() -> Self {
        Self { _private: () }
    }
}

impl Write for VecWrite {
    const BLOCK_LEN: usize = usize::MAX;

    #[inline]
    fn write_block(&mut self, _: &mut Vec<u8>) -> Result<()> {
        Ok(())
    }

    #[inline]
    fn write_payload(&mut self, block: &mut Vec<u8>, payload: &[u8]) -> Result<()> {
        block.extend_from_slice(payload);
        Ok(())
    }
}

/// Writes blocks to an `io::Write`.
#[cfg(feature = "std")]
pub struct IoWrite<W> {
    inner: W,
    /// The writer failed: where it stands in the document is not known, so it gets no more.
    failed: bool,
}

#[cfg(feature = "std")]
impl<W> IoWrite<W> {
    pub(crate) fn new(inner: W) -> Self {
        Self { inner, failed: false }
    }

    pub(crate) fn get_ref(&self) -> &W {
        &self.inner
    }

    pub(crate) fn into_inner(self) -> W {
        self.inner
    }
}

#[cfg(feature = "std")]
impl<W: io::Write> IoWrite<W> {
    fn write_all(&mut self, bytes: &[u8]) -> Result<()> {
        self.attempt(|inner| inner.write_all(bytes))
    }

    /// Flushes the writer itself.
    pub(crate) fn flush(&mut self) -> Result<()> {
        self.attempt(io::Write::flush)
    }

    fn attempt(&mut self, write: impl FnOnce(&mut W) -> io::Result<()>) -> Result<()> {
        if self.failed {
            let refused = io::Error::other("the writer failed before, so the document is broken");
            return Err(Error::io(refused, None));
        }
        write(&mut self.inner).map_err(|error| {
            self.failed = true;
            Error::io(error, None)
        })
    }
}

#[cfg(feature = "std")]
impl<W: io::Write> Write for IoWrite<W> {
    const BLOCK_LEN: usize = 16 * 1024;

    #[cold]
    fn write_block(&mut self, block: &mut Vec<u8>) -> Result<()> {
        let written = if block.is_empty() {
            Ok(())
        } else {
            self.write_all(block)
        };
        block.clear();
        written
    }

    fn write_payload(&mut self, block: &mut Vec<u8>, payload: &[u8]) -> Result<()> {
        self.write_block(block)?;
        self.write_all(payload)
    }
}

#[cfg(feature = "std")]
impl<W> fmt::Debug for IoWrite<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IoWrite")
            .field("failed", &self.failed)
            .finish_non_exhaustive()
    }
}
