//! Devices that fail at a call of choice, and keep account of what they were asked for.

use std::io::{self, Read, Seek, SeekFrom, Write};

/// What a device does wrong, and at which of its calls.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fault {
    /// Counted from 0 over reads and seeks, or over writes and flushes.
    pub(crate) call: usize,
    pub(crate) kind: io::ErrorKind,
}

/// The kinds of error that no reader or writer may take for something else.
pub(crate) const KINDS: [io::ErrorKind; 8] = [
    io::ErrorKind::WouldBlock,
    io::ErrorKind::TimedOut,
    io::ErrorKind::ConnectionReset,
    io::ErrorKind::BrokenPipe,
    io::ErrorKind::PermissionDenied,
    io::ErrorKind::UnexpectedEof,
    io::ErrorKind::StorageFull,
    io::ErrorKind::Other,
];

/// A call to a device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Call {
    Read(usize),
    Seek(SeekFrom),
    Write(usize),
    Flush,
    Failed(io::ErrorKind),
}

/// Bytes that are read and sought in, with one failing call.
pub(crate) struct Disk<'a> {
    bytes: &'a [u8],
    pub(crate) position: u64,
    /// The most bytes a read gives.
    chunk: usize,
    fault: Option<Fault>,
    /// How many calls are interrupted before each that is not.
    interruptions: usize,
    interrupted: usize,
    pub(crate) calls: Vec<Call>,
    /// Added to the position where a seek over some bytes ends.
    pub(crate) astray: i64,
}

impl<'a> Disk<'a> {
    pub(crate) fn new(bytes: &'a [u8], chunk: usize) -> Self {
        Disk {
            bytes,
            position: 0,
            chunk,
            fault: None,
            interruptions: 0,
            interrupted: 0,
            calls: Vec::new(),
            astray: 0,
        }
    }

    pub(crate) fn failing(mut self, fault: Fault) -> Self {
        self.fault = Some(fault);
        self
    }

    pub(crate) fn interrupted(mut self, times: usize) -> Self {
        self.interruptions = times;
        self
    }

    /// Whether the failing call has come.
    pub(crate) fn has_failed(&self) -> bool {
        self.calls.iter().any(|call| matches!(call, Call::Failed(_)))
    }

    fn call(&mut self, call: Call) -> io::Result<()> {
        match self.fault {
            Some(fault) if fault.call == self.calls.len() => {
                self.calls.push(Call::Failed(fault.kind));
                Err(io::Error::new(fault.kind, "the device says so"))
            }
            _ => {
                self.calls.push(call);
                Ok(())
            }
        }
    }
}

impl Read for Disk<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if self.interrupted < self.interruptions {
            self.interrupted += 1;
            return Err(io::ErrorKind::Interrupted.into());
        }
        self.interrupted = 0;
        self.call(Call::Read(buf.len()))?;
        let start = usize::try_from(self.position).map_or(self.bytes.len(), |at| at.min(self.bytes.len()));
        let len = buf.len().min(self.chunk).min(self.bytes.len() - start);
        buf[..len].copy_from_slice(&self.bytes[start..start + len]);
        self.position += len as u64;
        Ok(len)
    }
}

impl Seek for Disk<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.call(Call::Seek(to))?;
        let target = match to {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::Current(0) => Some(self.position),
            SeekFrom::Current(distance) => self.position.checked_add_signed(distance + self.astray),
            SeekFrom::End(distance) => (self.bytes.len() as u64).checked_add_signed(distance),
        };
        self.position = target.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.position)
    }
}

/// A sink that fails at one call, and takes what it takes in pieces.
#[derive(Default)]
pub(crate) struct Sink {
    pub(crate) bytes: Vec<u8>,
    pub(crate) calls: Vec<Call>,
    /// The most bytes a write takes; no limit if 0.
    pub(crate) chunk: usize,
    pub(crate) fault: Option<Fault>,
    /// The failing write takes nothing and says so, instead of an error.
    pub(crate) takes_nothing: bool,
    /// How many writes are interrupted before each that is not.
    pub(crate) interruptions: usize,
    pub(crate) interrupted: usize,
}

impl Sink {
    /// The number of the failing call and whether it has come.
    pub(crate) fn has_failed(&self) -> bool {
        self.calls.iter().any(|call| matches!(call, Call::Failed(_)))
    }

    fn fails(&mut self) -> Option<io::ErrorKind> {
        let fault = self.fault.filter(|fault| fault.call == self.calls.len())?;
        self.calls.push(Call::Failed(fault.kind));
        Some(fault.kind)
    }
}

impl Write for Sink {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        if self.interrupted < self.interruptions {
            self.interrupted += 1;
            return Err(io::ErrorKind::Interrupted.into());
        }
        self.interrupted = 0;
        match self.fails() {
            Some(_) if self.takes_nothing => return Ok(0),
            Some(kind) => return Err(io::Error::new(kind, "the device says so")),
            None => {}
        }
        let len = buf.len().min(if self.chunk == 0 { usize::MAX } else { self.chunk });
        self.bytes.extend_from_slice(&buf[..len]);
        self.calls.push(Call::Write(len));
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        if let Some(kind) = self.fails() {
            return Err(io::Error::new(kind, "the device says so"));
        }
        self.calls.push(Call::Flush);
        Ok(())
    }
}
