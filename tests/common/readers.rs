//! Readers that misbehave in the ways real ones do, and one that does not forgive.

use std::io::{self, Read, Seek, SeekFrom};

/// Gives at most `chunk` bytes a read, and `Interrupted` before each of them.
pub(crate) struct Chunked<'a> {
    bytes: &'a [u8],
    position: u64,
    chunk: usize,
    interrupted: bool,
}

impl<'a> Chunked<'a> {
    pub(crate) fn new(bytes: &'a [u8], chunk: usize) -> Self {
        Chunked {
            bytes,
            position: 0,
            chunk,
            interrupted: false,
        }
    }

    /// How many bytes stand before the next read.
    pub(crate) fn position(&self) -> u64 {
        self.position
    }
}

impl Read for Chunked<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        self.interrupted = !self.interrupted;
        if self.interrupted {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let start = usize::try_from(self.position).map_or(self.bytes.len(), |at| at.min(self.bytes.len()));
        let len = buf.len().min(self.chunk).min(self.bytes.len() - start);
        buf[..len].copy_from_slice(&self.bytes[start..start + len]);
        self.position += len as u64;
        Ok(len)
    }
}

impl Seek for Chunked<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let target = match to {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::Current(distance) => self.position.checked_add_signed(distance),
            SeekFrom::End(distance) => (self.bytes.len() as u64).checked_add_signed(distance),
        };
        self.position = target.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.position)
    }
}

/// Holds one document and nothing else, gives at most `chunk` bytes a read, and panics when asked for more than is left
/// of the document.
pub(crate) struct Exact<'a> {
    rest: &'a [u8],
    chunk: usize,
}

impl<'a> Exact<'a> {
    pub(crate) fn new(document: &'a [u8], chunk: usize) -> Self {
        Exact { rest: document, chunk }
    }

    /// How many bytes of the document have not been read.
    pub(crate) fn left(&self) -> usize {
        self.rest.len()
    }
}

impl Read for Exact<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let (asked, left) = (buf.len(), self.rest.len());
        assert!(
            asked <= left,
            "asked for {asked} bytes with {left} left of the document"
        );
        let len = asked.min(self.chunk);
        let (now, later) = self.rest.split_at(len);
        buf[..len].copy_from_slice(now);
        self.rest = later;
        Ok(len)
    }
}

/// Gives its bytes and then fails.
pub(crate) struct Failing<'a> {
    rest: &'a [u8],
    error: fn() -> io::Error,
}

impl<'a> Failing<'a> {
    pub(crate) fn new(bytes: &'a [u8], error: fn() -> io::Error) -> Self {
        Failing { rest: bytes, error }
    }
}

impl Read for Failing<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty() && !buf.is_empty() {
            Err((self.error)())
        } else {
            self.rest.read(buf)
        }
    }
}

/// Counts the read calls that reach the inner reader (seeks are not counted), and the largest buffer one came with.
pub(crate) struct Counting<R> {
    inner: R,
    pub(crate) calls: u64,
    pub(crate) largest: usize,
}

impl<R> Counting<R> {
    pub(crate) fn new(inner: R) -> Self {
        Counting {
            inner,
            calls: 0,
            largest: 0,
        }
    }
}

impl<R: Seek> Seek for Counting<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.inner.seek(to)
    }
}

impl<R: Read> Read for Counting<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        self.calls += 1;
        self.largest = self.largest.max(buf.len());
        self.inner.read(buf)
    }
}

/// Can tell where it is, but not move.
pub(crate) struct SeekFails<R> {
    inner: R,
    error: fn() -> io::Error,
}

impl<R> SeekFails<R> {
    pub(crate) fn new(inner: R, error: fn() -> io::Error) -> Self {
        SeekFails { inner, error }
    }
}

impl<R: Read> Read for SeekFails<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        self.inner.read(buf)
    }
}

impl<R: Seek> Seek for SeekFails<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        if to == SeekFrom::Current(0) {
            self.inner.seek(to)
        } else {
            Err((self.error)())
        }
    }
}
