//! The source over a slice: everything is at hand, and borrowed.

use alloc::vec::Vec;
use core::fmt;

use super::{Read, Reference};
use crate::error::{Error, ErrorCode, Result};

/// Reads from a byte slice, lending strings and bytes for the slice's lifetime.
pub struct SliceRead<'de> {
    rest: &'de [u8],
    /// What was not yet consumed when recording began.
    recorded_from: &'de [u8],
    byte_len: usize,
}

impl<'de> SliceRead<'de> {
    pub(crate) fn new(bytes: &'de [u8]) -> Self {
        Self {
            rest: bytes,
            recorded_from: bytes,
            byte_len: bytes.len(),
        }
    }

    /// What is not yet consumed.
    pub(crate) fn rest(&self) -> &'de [u8] {
        self.rest
    }

    #[cold]
    fn eof(&self) -> Error {
        Error::new(ErrorCode::Eof, self.byte_len as u64)
    }

    #[inline]
    fn split(&mut self, byte_len: usize) -> Result<&'de [u8]> {
        let Some((head, rest)) = self.rest.split_at_checked(byte_len) else {
            return Err(self.eof());
        };
        self.rest = rest;
        Ok(head)
    }
}

impl<'de> Read<'de> for SliceRead<'de> {
    const READS_AHEAD: bool = false;

    #[inline]
    fn at_hand(&self) -> &[u8] {
        self.rest
    }

    #[inline]
    fn next_chunk<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (head, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        Some(*head)
    }

    #[inline]
    fn consume(&mut self, byte_len: usize) {
        // So many are there; a branch that is always taken costs less than to choose between two values.
        if let Some(rest) = self.rest.get(byte_len..) {
            self.rest = rest;
        }
    }

    #[cold]
    fn fill(&mut self, byte_len: usize, _promised: u64) -> Result<()> {
        if self.rest.len() < byte_len {
            return Err(self.eof());
        }
        Ok(())
    }

    #[inline]
    fn take(&mut self, byte_len: usize, _promised: u64) -> Result<Reference<'de, '_>> {
        self.split(byte_len).map(Reference::Borrowed)
    }

    #[inline]
    fn append_to(&mut self, destination: &mut Vec<u8>, byte_len: usize, _promised: u64) -> Result<()> {
        destination.extend_from_slice(self.split(byte_len)?);
        Ok(())
    }

    fn lend(&mut self, element_len: usize, count: u64) -> &'de [u8] {
        let there = self.rest.len() / element_len.max(1);
        let count = usize::try_from(count).unwrap_or(usize::MAX).min(there);
        self.split(count * element_len).unwrap_or_default()
    }

    #[inline]
    fn skip(&mut self, byte_len: u64, _promised: u64) -> Result<()> {
        // More than a `usize` is more than any slice has.
        self.split(usize::try_from(byte_len).unwrap_or(usize::MAX))?;
        Ok(())
    }

    fn begin_recording(&mut self) {
        self.recorded_from = self.rest;
    }

    fn end_recording(&mut self, _recorded: &mut Vec<u8>) -> Option<&'de [u8]> {
        let byte_len = self.recorded_from.len() - self.rest.len();
        self.recorded_from.get(..byte_len)
    }

    #[inline]
    fn offset(&self) -> u64 {
        (self.byte_len - self.rest.len()) as u64
    }

    #[inline]
    fn mark(&self) -> u64 {
        self.rest.len() as u64
    }

    fn offset_at(&self, mark: u64) -> u64 {
        self.byte_len as u64 - mark
    }

    #[inline]
    fn remaining(&self) -> Option<usize> {
        Some(self.rest.len())
    }

    #[inline]
    fn finish(&mut self) -> Result<()> {
        Ok(())
    }
}

impl fmt::Debug for SliceRead<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SliceRead")
            .field("offset", &self.offset())
            .field("byte_len", &self.byte_len)
            .finish()
    }
}
