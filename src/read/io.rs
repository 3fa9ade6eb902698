//! The source over `std::io::Read`: one buffered machine with two allowances.
//!
//! [`Unseekable`] may hold only bytes that the document at hand is known to own. [`Seekable`] may
//! hold a whole buffer and gives back what is left over by seeking.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use std::io::{self, ErrorKind, SeekFrom};

use super::{MAX_STEP, Read, Reference};
use crate::error::{Error, ErrorCode, Result};

/// Large enough for the longest token that [`Read::fill`] is asked for.
const MIN_CAPACITY: usize = 32;

/// The buffer of a reader, unless [`Config::buffer_capacity`](crate::de::Config::buffer_capacity)
/// says otherwise: large against the cost of one call, small against a processor's cache.
pub(crate) const DEFAULT_CAPACITY: usize = 16 * 1024;

/// The reader cannot go back: it is asked only for bytes of the document.
#[derive(Clone, Copy, Debug)]
pub enum Unseekable {}

/// The reader can go back: it is asked for whole buffers, and what is left over is given back.
#[derive(Clone, Copy, Debug)]
pub enum Seekable {}

/// How far a reader may be read, and how it goes back; sealed by being private.
pub trait Seekability<R> {
    /// Moves the reader back by so many bytes and says where it stands then, if it can go back.
    const GO_BACK: Option<fn(&mut R, usize) -> io::Result<u64>>;

    /// The reader's position, if it can go back.
    fn position(inner: &mut R) -> Option<u64>;
}

impl<R: io::Read> Seekability<R> for Unseekable {
    const GO_BACK: Option<fn(&mut R, usize) -> io::Result<u64>> = None;

    fn position(_: &mut R) -> Option<u64> {
        None
    }
}

impl<R: io::Read + io::Seek> Seekability<R> for Seekable {
    const GO_BACK: Option<fn(&mut R, usize) -> io::Result<u64>> = Some(go_back);

    fn position(inner: &mut R) -> Option<u64> {
        inner.stream_position().ok()
    }
}

fn go_back<R: io::Seek>(inner: &mut R, byte_len: usize) -> io::Result<u64> {
    let back = i64::try_from(byte_len).map_err(io::Error::other)?;
    inner.seek(SeekFrom::Current(-back))
}

/// Reads from an [`io::Read`], exactly or, where it can seek, ahead.
pub struct IoRead<R, M = Unseekable> {
    inner: R,
    /// Allocated with the first byte that is asked for.
    buffer: Box<[u8]>,
    capacity: usize,
    /// The bytes at hand are `buffer[start..end]`.
    start: usize,
    end: usize,
    /// The offset of `buffer[0]`.
    buffer_offset: u64,
    ahead: ReadAhead,
    has_failed: bool,
    /// A payload longer than the buffer.
    scratch: Vec<u8>,
    recording: Option<Recording>,
    seekability: PhantomData<fn() -> M>,
}

/// The bytes consumed since recording began: those in `bytes`, and those in the buffer from `start`
/// on. They are moved only when the buffer lets go of them.
struct Recording {
    bytes: Vec<u8>,
    start: usize,
}

/// Whether the reader may be asked for more than the document is known to own.
#[derive(Clone, Copy)]
enum ReadAhead {
    /// Not yet asked whether it can seek.
    Unknown,
    /// It cannot go back.
    Never,
    /// It can; `base` is its position at offset 0.
    Seekable { base: u64 },
}

impl<R, M> IoRead<R, M> {
    pub(crate) fn new(inner: R, capacity: usize) -> Self {
        Self {
            inner,
            buffer: Box::default(),
            capacity: capacity.max(MIN_CAPACITY),
            start: 0,
            end: 0,
            buffer_offset: 0,
            ahead: ReadAhead::Unknown,
            has_failed: false,
            scratch: Vec::new(),
            recording: None,
            seekability: PhantomData,
        }
    }

    pub(crate) fn get_ref(&self) -> &R {
        &self.inner
    }

    pub(crate) fn into_inner(self) -> R {
        self.inner
    }

    fn buffered(&self) -> &[u8] {
        self.buffer.get(self.start..self.end).unwrap_or_default()
    }

    /// Consumes all that is buffered.
    fn drain(&mut self) -> &[u8] {
        let start = core::mem::replace(&mut self.start, self.end);
        self.buffer.get(start..self.end).unwrap_or_default()
    }

    fn offset(&self) -> u64 {
        self.buffer_offset + self.start as u64
    }

    /// The reader failed: what was buffered is consumed, so that whoever goes on comes here again
    /// and is refused, instead of reading on in the middle of a document.
    #[cold]
    fn io_error(&mut self, error: io::Error) -> Error {
        self.start = self.end;
        self.has_failed = true;
        Error::io(error, Some(self.offset()))
    }

    fn check_failed(&self) -> Result<()> {
        match self.has_failed {
            true => Err(Error::io(
                io::Error::other("the reader failed before, inside a document"),
                Some(self.offset()),
            )),
            false => Ok(()),
        }
    }

    /// The input ended early: what there was of it is consumed, whatever the buffer's size.
    #[cold]
    fn eof(&mut self) -> Error {
        self.start = self.end;
        Error::new(ErrorCode::Eof, self.offset())
    }

    /// Puts what has been consumed of the buffer into the recording, if there is one.
    fn record_consumed(&mut self) {
        if let Some(recording) = &mut self.recording {
            let consumed = self.buffer.get(recording.start..self.start).unwrap_or_default();
            recording.bytes.extend_from_slice(consumed);
            recording.start = self.start;
        }
    }

    /// Moves the bytes at hand to the front, so that the buffer has all its room behind them.
    fn compact(&mut self) {
        self.record_consumed();
        if let Some(recording) = &mut self.recording {
            recording.start = 0;
        }
        self.buffer.copy_within(self.start..self.end, 0);
        self.buffer_offset += self.start as u64;
        self.end -= self.start;
        self.start = 0;
    }
}

impl<R: io::Read, M: Seekability<R>> IoRead<R, M> {
    /// Before the first read: allocates the buffer and finds out whether the reader can go back.
    #[cold]
    fn begin(&mut self) {
        self.buffer = vec![0; self.capacity].into_boxed_slice();
        self.ahead = match M::position(&mut self.inner) {
            Some(base) => ReadAhead::Seekable { base },
            None => ReadAhead::Never,
        };
    }

    /// One successful `read` of at most `byte_len` bytes into the buffer's free end.
    fn read_some(&mut self, byte_len: usize) -> Result<()> {
        self.check_failed()?;
        let end = self.buffer.len().min(self.end.saturating_add(byte_len));
        let free = self.buffer.get_mut(self.end..end).unwrap_or_default();
        loop {
            return match self.inner.read(free) {
                Ok(0) => Err(self.eof()),
                // A reader that claims more than it was given room for breaks its contract.
                Ok(read) => {
                    self.end += read.min(free.len());
                    Ok(())
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => Err(self.io_error(error)),
            };
        }
    }

    /// How many bytes a call may ask for that needs `needed`.
    fn allowance(&self, needed: usize, promised: u64) -> usize {
        match self.ahead {
            ReadAhead::Seekable { .. } => usize::MAX,
            ReadAhead::Unknown | ReadAhead::Never => {
                needed.saturating_add(usize::try_from(promised).unwrap_or(usize::MAX))
            }
        }
    }
}

impl<'de, R: io::Read, M: Seekability<R>> Read<'de> for IoRead<R, M> {
    const READS_AHEAD: bool = true;

    #[inline]
    fn at_hand(&self) -> &[u8] {
        self.buffered()
    }

    #[inline]
    fn next_chunk<const N: usize>(&mut self) -> Option<[u8; N]> {
        let chunk = *self.buffered().first_chunk()?;
        self.start += N;
        Some(chunk)
    }

    #[inline]
    fn consume(&mut self, byte_len: usize) {
        self.start = self.end.min(self.start.saturating_add(byte_len));
    }

    #[cold]
    fn fill(&mut self, byte_len: usize, promised: u64) -> Result<()> {
        if let ReadAhead::Unknown = self.ahead {
            self.begin();
        }
        self.compact();
        while self.end < byte_len {
            let needed = byte_len - self.end;
            self.read_some(self.allowance(needed, promised))?;
        }
        Ok(())
    }

    #[inline]
    fn take(&mut self, byte_len: usize, promised: u64) -> Result<Reference<'de, '_>> {
        if self.end - self.start < byte_len {
            if byte_len > self.capacity {
                let mut scratch = core::mem::take(&mut self.scratch);
                scratch.clear();
                let read = self.append_to(&mut scratch, byte_len, promised);
                self.scratch = scratch;
                return read.map(|()| Reference::Transient(&self.scratch));
            }
            self.fill(byte_len, promised)?;
        }
        let start = self.start;
        self.start += byte_len;
        Ok(Reference::Transient(
            self.buffer.get(start..self.start).unwrap_or_default(),
        ))
    }

    fn append_to(&mut self, destination: &mut Vec<u8>, byte_len: usize, promised: u64) -> Result<()> {
        if byte_len <= self.capacity {
            let taken = self.take(byte_len, promised)?;
            destination.extend_from_slice(taken.as_bytes());
            return Ok(());
        }
        self.check_failed()?;
        let buffered = self.drain();
        let rest = byte_len - buffered.len();
        destination.reserve(buffered.len() + rest.min(MAX_STEP));
        destination.extend_from_slice(buffered);
        self.record_consumed();
        // Straight to the destination, which grows with what arrives.
        let limit = rest as u64;
        let before = destination.len();
        let result = io::Read::read_to_end(&mut io::Read::take(&mut self.inner, limit), destination);
        self.buffer_offset += (destination.len() - before) as u64;
        if let Some(recording) = &mut self.recording {
            let arrived = destination.get(before..).unwrap_or_default();
            recording.bytes.extend_from_slice(arrived);
        }
        match result {
            Ok(read) if read == rest => Ok(()),
            Ok(_) => Err(self.eof()),
            Err(error) => Err(self.io_error(error)),
        }
    }

    fn skip(&mut self, byte_len: u64, promised: u64) -> Result<()> {
        let mut left = byte_len;
        loop {
            let at_hand = (self.end - self.start) as u64;
            if left <= at_hand {
                // At most what is buffered, so it fits.
                self.start += usize::try_from(left).unwrap_or_default();
                return Ok(());
            }
            left -= at_hand;
            self.start = self.end;
            // One byte is needed; the others of this payload are promised like all that follow.
            self.fill(1, promised.saturating_add(left - 1))?;
        }
    }

    fn begin_recording(&mut self) {
        self.recording = Some(Recording {
            bytes: Vec::new(),
            start: self.start,
        });
    }

    fn end_recording(&mut self, recorded: &mut Vec<u8>) -> Option<&'de [u8]> {
        self.record_consumed();
        if let Some(recording) = self.recording.take() {
            recorded.extend_from_slice(&recording.bytes);
        }
        None
    }

    #[inline]
    fn offset(&self) -> u64 {
        IoRead::offset(self)
    }

    #[inline]
    fn remaining(&self) -> Option<usize> {
        None
    }

    fn finish(&mut self) -> Result<()> {
        let (ReadAhead::Seekable { base }, Some(go_back)) = (self.ahead, M::GO_BACK) else {
            return Ok(());
        };
        let left = self.end - self.start;
        if left == 0 {
            return Ok(());
        }
        let offset = self.offset();
        // Not asked again: what the position is after a failure, nobody knows.
        self.end = self.start;
        let expected = base.saturating_add(offset);
        match go_back(&mut self.inner, left) {
            Ok(found) if found == expected => Ok(()),
            Ok(found) => Err(Error::new(ErrorCode::SeekElsewhere { expected, found }, offset)),
            Err(error) => Err(Error::io(error, Some(offset))),
        }
    }
}

impl<R, M> fmt::Debug for IoRead<R, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IoRead")
            .field("offset", &self.offset())
            .field("buffered", &(self.end - self.start))
            .field("capacity", &self.capacity)
            .finish_non_exhaustive()
    }
}
