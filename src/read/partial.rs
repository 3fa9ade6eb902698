//! The source over the part of an input that has arrived: says how much more is needed.

use alloc::vec::Vec;

use super::{Read, Reference};
use crate::error::{Error, ErrorCode, Result};

/// Reads from a slice to which more may be appended.
///
/// It asks for the promised bytes, as a reader does, to tell how many are missing at least.
#[derive(Debug)]
pub(crate) struct PartialRead<'de> {
    bytes: &'de [u8],
    position: usize,
    recorded_from: usize,
    shortage: Option<Shortage>,
}

/// What a call lacked that failed for want of bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shortage {
    /// How long the input must be for that call.
    pub(crate) needed_len: u64,
    /// How long the input is at least if it is valid.
    pub(crate) min_len: u64,
}

impl<'de> PartialRead<'de> {
    pub(crate) fn new(bytes: &'de [u8], position: usize) -> Self {
        Self {
            bytes,
            position,
            recorded_from: position,
            shortage: None,
        }
    }

    pub(crate) fn position(&self) -> usize {
        self.position
    }

    pub(crate) fn shortage(&self) -> Option<Shortage> {
        self.shortage
    }

    fn rest(&self) -> &'de [u8] {
        self.bytes.get(self.position..).unwrap_or_default()
    }

    #[cold]
    fn short(&mut self, byte_len: u64, promised: u64) -> Error {
        let needed_len = (self.position as u64).saturating_add(byte_len);
        self.shortage = Some(Shortage {
            needed_len,
            min_len: needed_len.saturating_add(promised),
        });
        Error::new(ErrorCode::Eof, self.bytes.len() as u64)
    }

    fn split(&mut self, byte_len: usize, promised: u64) -> Result<&'de [u8]> {
        match self.rest().get(..byte_len) {
            Some(head) => {
                self.position += byte_len;
                Ok(head)
            }
            None => Err(self.short(byte_len as u64, promised)),
        }
    }
}

impl<'de> Read<'de> for PartialRead<'de> {
    const READS_AHEAD: bool = true;

    #[inline]
    fn at_hand(&self) -> &[u8] {
        self.rest()
    }

    #[inline]
    fn next_chunk<const N: usize>(&mut self) -> Option<[u8; N]> {
        let chunk = *self.rest().first_chunk()?;
        self.position += N;
        Some(chunk)
    }

    #[inline]
    fn consume(&mut self, byte_len: usize) {
        self.position = self.bytes.len().min(self.position.saturating_add(byte_len));
    }

    #[cold]
    fn fill(&mut self, byte_len: usize, promised: u64) -> Result<()> {
        if self.rest().len() < byte_len {
            return Err(self.short(byte_len as u64, promised));
        }
        Ok(())
    }

    fn take(&mut self, byte_len: usize, promised: u64) -> Result<Reference<'de, '_>> {
        self.split(byte_len, promised).map(Reference::Borrowed)
    }

    fn append_to(&mut self, destination: &mut Vec<u8>, byte_len: usize, promised: u64) -> Result<()> {
        destination.extend_from_slice(self.split(byte_len, promised)?);
        Ok(())
    }

    fn skip(&mut self, byte_len: u64, promised: u64) -> Result<()> {
        if byte_len > self.rest().len() as u64 {
            return Err(self.short(byte_len, promised));
        }
        // At most what is there, so it fits.
        self.position += usize::try_from(byte_len).unwrap_or_default();
        Ok(())
    }

    fn begin_recording(&mut self) {
        self.recorded_from = self.position;
    }

    fn end_recording(&mut self, _recorded: &mut Vec<u8>) -> Option<&'de [u8]> {
        self.bytes.get(self.recorded_from..self.position)
    }

    #[inline]
    fn offset(&self) -> u64 {
        self.position as u64
    }

    fn remaining(&self) -> Option<usize> {
        Some(self.rest().len())
    }

    fn finish(&mut self) -> Result<()> {
        Ok(())
    }
}
