//! The source over the `bytes` crate's `Buf`, whose bytes may lie in several parts.

use alloc::vec::Vec;
use core::fmt;

use bytes::Buf;

use super::{Read, Reference};
use crate::error::{Error, ErrorCode, Result};

/// Enough for the longest token that [`Read::fill`] is asked for.
const MAX_TOKEN_LEN: usize = 32;

/// Reads from a [`Buf`] part by part. Only a token that lies across the end of a part is joined.
pub struct BufferRead<B> {
    buf: B,
    /// How much of the part at hand is consumed; the buffer itself is moved on at the part's end,
    /// and by [`Read::finish`].
    consumed: usize,
    /// Where the part at hand starts, in bytes from the start.
    part_offset: u64,
    /// A token across parts, of which `joint_len` bytes from `joint_start` on are not consumed.
    joint: [u8; MAX_TOKEN_LEN],
    joint_start: usize,
    joint_len: usize,
    /// A longer payload across parts.
    scratch: Vec<u8>,
    recording: Option<Recording>,
}

/// The bytes consumed since recording began: those in `bytes`, and those of the part at hand from
/// `start` on.
struct Recording {
    bytes: Vec<u8>,
    start: usize,
}

impl<B> BufferRead<B> {
    pub(crate) fn new(buf: B) -> Self {
        Self {
            buf,
            consumed: 0,
            part_offset: 0,
            joint: [0; MAX_TOKEN_LEN],
            joint_start: 0,
            joint_len: 0,
            scratch: Vec::new(),
            recording: None,
        }
    }

    pub(crate) fn get_ref(&self) -> &B {
        &self.buf
    }

    pub(crate) fn into_inner(self) -> B {
        self.buf
    }

    fn joint(&self) -> &[u8] {
        self.joint
            .get(self.joint_start..self.joint_start + self.joint_len)
            .unwrap_or_default()
    }

    fn offset(&self) -> u64 {
        self.part_offset + self.consumed as u64 - self.joint_len as u64
    }
}

impl<B: Buf> BufferRead<B> {
    /// The part at hand, as far as it is not consumed.
    fn part(&self) -> &[u8] {
        self.buf.chunk().get(self.consumed..).unwrap_or_default()
    }

    /// How many bytes are not consumed, the joint aside.
    fn left(&self) -> usize {
        self.buf.remaining() - self.consumed
    }

    #[cold]
    fn eof(&self) -> Error {
        let end = self.offset() + (self.joint_len + self.left()) as u64;
        Error::new(ErrorCode::Eof, end)
    }

    /// Moves the buffer itself on over what is consumed.
    fn settle(&mut self) {
        if let Some(recording) = &mut self.recording {
            let consumed = self.buf.chunk().get(recording.start..self.consumed);
            recording.bytes.extend_from_slice(consumed.unwrap_or_default());
            recording.start = 0;
        }
        self.buf.advance(self.consumed);
        self.part_offset += self.consumed as u64;
        self.consumed = 0;
    }

    /// Consumes the next `byte_len` bytes part by part.
    fn drain(&mut self, byte_len: usize, mut taken: impl FnMut(&[u8])) -> Result<()> {
        if self.joint_len + self.left() < byte_len {
            return Err(self.eof());
        }
        let mut left = byte_len;
        let joint_len = self.joint_len.min(left);
        taken(self.joint().get(..joint_len).unwrap_or_default());
        self.joint_start += joint_len;
        self.joint_len -= joint_len;
        left -= joint_len;
        while left > 0 {
            if self.part().is_empty() {
                self.settle();
            }
            let part = self.part();
            let part_len = part.len().min(left);
            // A buffer that shows nothing of what it says it has breaks its contract.
            if part_len == 0 {
                return Err(self.eof());
            }
            taken(part.get(..part_len).unwrap_or_default());
            self.consumed += part_len;
            left -= part_len;
        }
        Ok(())
    }
}

impl<'de, B: Buf> Read<'de> for BufferRead<B> {
    const READS_AHEAD: bool = false;

    #[inline]
    fn at_hand(&self) -> &[u8] {
        match self.joint_len {
            0 => self.part(),
            _ => self.joint(),
        }
    }

    #[inline]
    fn next_chunk<const N: usize>(&mut self) -> Option<[u8; N]> {
        let chunk = *self.at_hand().first_chunk()?;
        self.consume(N);
        Some(chunk)
    }

    #[inline]
    fn consume(&mut self, byte_len: usize) {
        if self.joint_len == 0 {
            self.consumed += byte_len;
        } else {
            self.joint_start += byte_len;
            self.joint_len = self.joint_len.saturating_sub(byte_len);
        }
    }

    #[cold]
    fn fill(&mut self, byte_len: usize, _promised: u64) -> Result<()> {
        if self.joint_len == 0 {
            self.settle();
        }
        if self.at_hand().len() >= byte_len {
            return Ok(());
        }
        // From the joint and the parts into the joint.
        let mut joined = [0; MAX_TOKEN_LEN];
        let mut end = 0;
        self.drain(byte_len, |bytes| {
            if let Some(free) = joined.get_mut(end..end + bytes.len()) {
                free.copy_from_slice(bytes);
            }
            end += bytes.len();
        })?;
        self.joint = joined;
        self.joint_start = 0;
        self.joint_len = byte_len;
        Ok(())
    }

    fn take(&mut self, byte_len: usize, promised: u64) -> Result<Reference<'de, '_>> {
        if self.joint_len == 0 && self.part().len() >= byte_len {
            let start = self.consumed;
            self.consumed += byte_len;
            let taken = self.buf.chunk().get(start..self.consumed);
            return Ok(Reference::Transient(taken.unwrap_or_default()));
        }
        let mut scratch = core::mem::take(&mut self.scratch);
        scratch.clear();
        let taken = self.append_to(&mut scratch, byte_len, promised);
        self.scratch = scratch;
        taken.map(|()| Reference::Transient(&self.scratch))
    }

    fn append_to(&mut self, destination: &mut Vec<u8>, byte_len: usize, _promised: u64) -> Result<()> {
        destination.reserve(byte_len.min(self.left()));
        self.drain(byte_len, |bytes| destination.extend_from_slice(bytes))
    }

    fn skip(&mut self, byte_len: u64, _promised: u64) -> Result<()> {
        // More than a `usize` is more than any buffer has.
        self.drain(usize::try_from(byte_len).unwrap_or(usize::MAX), |_| {})
    }

    fn begin_recording(&mut self) {
        self.recording = Some(Recording {
            bytes: self.joint().to_vec(),
            start: self.consumed,
        });
    }

    fn end_recording(&mut self, recorded: &mut Vec<u8>) -> Option<&'de [u8]> {
        self.settle();
        if let Some(recording) = self.recording.take() {
            let byte_len = recording.bytes.len() - self.joint_len;
            recorded.extend_from_slice(recording.bytes.get(..byte_len).unwrap_or_default());
        }
        None
    }

    #[inline]
    fn offset(&self) -> u64 {
        BufferRead::offset(self)
    }

    #[inline]
    fn remaining(&self) -> Option<usize> {
        Some(self.joint_len + self.left())
    }

    /// Moves the buffer behind what is consumed.
    fn finish(&mut self) -> Result<()> {
        self.settle();
        Ok(())
    }
}

impl<B> fmt::Debug for BufferRead<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BufferRead")
            .field("offset", &self.offset())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_joined_and_not_consumed_is_still_at_hand() -> Result<()> {
        let mut source = BufferRead::new((&b"ab"[..]).chain(&b"cdefg"[..]));
        source.fill(3, 0)?;
        assert_eq!(source.at_hand(), b"abc");
        source.consume(1);
        source.begin_recording();
        source.consume(1);
        source.fill(4, 0)?;
        assert_eq!(source.at_hand(), b"cdef");
        source.consume(2);
        let mut recorded = Vec::new();
        assert_eq!(source.end_recording(&mut recorded), None);
        assert_eq!((&recorded[..], source.offset()), (&b"bcd"[..], 4));
        assert_eq!(source.remaining(), Some(3));
        assert_eq!(source.take(3, 0)?.as_bytes(), b"efg");
        assert!(
            source
                .take(1, 0)
                .is_err_and(|error| error.is_eof() && error.offset() == Some(7))
        );
        Ok(())
    }

    #[test]
    fn a_peek_at_the_next_part_takes_nothing() -> Result<()> {
        let mut parts = (&b"a"[..]).chain(&b"b"[..]);
        let mut source = BufferRead::new(&mut parts);
        source.consume(1);
        source.fill(1, 0)?;
        assert_eq!(source.at_hand(), b"b");
        source.finish()?;
        assert_eq!(parts.remaining(), 1);
        Ok(())
    }
}
