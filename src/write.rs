//! Where encoded bytes go: a vector, or a writer in blocks, behind one sealed trait.
//!
//! A destination carries the options for what is written to it. Those of the plain functions are
//! a type of their own, so that the compiler sees through them: rows of derived structs take a
//! fifth fewer instructions than with the same options looked up.

use alloc::vec::Vec;
#[cfg(feature = "std")]
use core::fmt;
#[cfg(feature = "std")]
use std::io;

#[cfg(feature = "std")]
use crate::error::Error;
use crate::error::Result;
use crate::ser::Config;

mod private {
    pub trait Sealed {}

    impl<O> Sealed for super::VecWrite<O> {}

    #[cfg(feature = "std")]
    impl<W, O> Sealed for super::IoWrite<W, O> {}

    impl Sealed for super::Config {}

    impl<const STRUCTS_AS_ARRAYS: bool> Sealed for super::Known<STRUCTS_AS_ARRAYS> {}
}

/// The options of a destination: a [`Config`], or [`Defaults`].
///
/// Sealed: there are no others.
pub trait Options: private::Sealed {
    #[doc(hidden)]
    fn config(&self) -> &Config;
}

impl Options for Config {
    #[inline]
    fn config(&self) -> &Config {
        self
    }
}

/// Options known when the code is compiled: the defaults, with structs as objects or as arrays.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Known<const STRUCTS_AS_ARRAYS: bool>;

/// The options of [`to_vec`](crate::to_vec) and [`to_writer`](crate::to_writer).
pub type Defaults = Known<false>;

impl<const STRUCTS_AS_ARRAYS: bool> Options for Known<STRUCTS_AS_ARRAYS> {
    #[inline]
    fn config(&self) -> &Config {
        if STRUCTS_AS_ARRAYS {
            &Config::ARRAYS
        } else {
            &Config::DEFAULTS
        }
    }
}

/// A destination of bytes: [`VecWrite`], or [`IoWrite`] over an `io::Write`.
///
/// Sealed: that whole values arrive, and in blocks, is part of this crate's promise.
pub trait Write: private::Sealed {
    /// Whether blocks are written out; where not, nobody asks how full one is.
    #[doc(hidden)]
    const IN_BLOCKS: bool;

    /// From how many bytes on a block is written out: such that a vector of 64 KiB holds it with the
    /// token that fills it.
    #[doc(hidden)]
    const BLOCK_LEN: usize = 63 * 1024;

    /// The options for what is written.
    #[doc(hidden)]
    fn config(&self) -> &Config;

    /// Writes the block out and empties it.
    #[doc(hidden)]
    fn write_block(&mut self, block: &mut Vec<u8>) -> Result<()>;

    /// Writes a payload that is longer than a block, behind the block.
    #[doc(hidden)]
    fn write_payload(&mut self, block: &mut Vec<u8>, payload: &[u8]) -> Result<()>;
}

/// The block itself is the destination: it grows and is never written out.
#[derive(Debug)]
pub struct VecWrite<O = Config> {
    options: O,
}

impl<O> VecWrite<O> {
    pub(crate) fn new(options: O) -> Self {
        Self { options }
    }
}

impl<O: Options> Write for VecWrite<O> {
    const IN_BLOCKS: bool = false;

    #[inline]
    fn config(&self) -> &Config {
        self.options.config()
    }

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
pub struct IoWrite<W, O = Config> {
    inner: W,
    options: O,
    /// The writer failed: where it stands in the document is not known, so it gets no more.
    failed: bool,
}

#[cfg(feature = "std")]
impl<W, O> IoWrite<W, O> {
    pub(crate) fn new(inner: W, options: O) -> Self {
        Self {
            inner,
            options,
            failed: false,
        }
    }

    pub(crate) fn get_ref(&self) -> &W {
        &self.inner
    }

    pub(crate) fn into_inner(self) -> W {
        self.inner
    }
}

#[cfg(feature = "std")]
impl<W: io::Write, O> IoWrite<W, O> {
    fn write_all(&mut self, bytes: &[u8]) -> Result<()> {
        self.attempt(|inner| inner.write_all(bytes))
    }

    /// Flushes the writer itself.
    pub(crate) fn flush(&mut self) -> Result<()> {
        self.attempt(io::Write::flush)
    }

    fn check_failed(&self) -> Result<()> {
        match self.failed {
            true => Err(Error::io(
                io::Error::other("the writer failed before, so the document is broken"),
                None,
            )),
            false => Ok(()),
        }
    }

    fn attempt(&mut self, write: impl FnOnce(&mut W) -> io::Result<()>) -> Result<()> {
        self.check_failed()?;
        write(&mut self.inner).map_err(|error| {
            self.failed = true;
            Error::io(error, None)
        })
    }
}

#[cfg(feature = "std")]
impl<W: io::Write, O: Options> Write for IoWrite<W, O> {
    const IN_BLOCKS: bool = true;

    #[inline]
    fn config(&self) -> &Config {
        self.options.config()
    }

    #[cold]
    fn write_block(&mut self, block: &mut Vec<u8>) -> Result<()> {
        let written = match block.is_empty() {
            true => self.check_failed(),
            false => self.write_all(block),
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
impl<W, O> fmt::Debug for IoWrite<W, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IoWrite")
            .field("failed", &self.failed)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes `ab` as a block and `cd` as a block with the payload `ef`; gives what is left of the block.
    fn write_all(mut write: impl Write) -> Result<Vec<u8>> {
        let mut block = b"ab".to_vec();
        write.write_block(&mut block)?;
        block.extend_from_slice(b"cd");
        write.write_payload(&mut block, b"ef")?;
        Ok(block)
    }

    #[test]
    fn a_vector_is_its_own_block() -> Result<()> {
        assert_eq!(write_all(VecWrite::new(Config::new()))?, b"abcdef");
        Ok(())
    }

    #[test]
    #[cfg(feature = "std")]
    fn a_writer_gets_blocks_and_payloads_in_their_order() -> Result<()> {
        let mut written = Vec::new();
        let left = write_all(IoWrite::new(&mut written, Config::new()))?;
        assert_eq!((written, left), (b"abcdef".to_vec(), Vec::new()));
        Ok(())
    }
}
