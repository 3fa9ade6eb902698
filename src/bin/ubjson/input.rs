//! Where documents come from: a file or standard input, with a progress bar where one helps.

use std::fs::File;
use std::io::{self, IsTerminal, Read, Seek, SeekFrom, StdinLock};

use indicatif::{ProgressBar, ProgressStyle};
use ubjson::de::{self, IoRead, Seekable};
use ubjson::pull::Reader;

use crate::failure::{Failure, Outcome};

/// Files from this size on get a progress bar.
const LARGE: u64 = 16 << 20;

/// So many of the last bytes that were read are kept, to be shown around a fault: more than the
/// decoder reads ahead.
const RECENT_LEN: usize = 64 * 1024;

/// A file or standard input.
pub(crate) struct Input {
    name: String,
    stream: Stream,
    /// How many bytes have been read.
    position: u64,
    /// The last ones of them.
    recent: Vec<u8>,
    progress: ProgressBar,
}

enum Stream {
    File(File),
    Stdin(StdinLock<'static>),
}

/// The pull reader over an input.
pub(crate) type InputReader<'a> = Reader<IoRead<&'a mut Input, Seekable>>;

impl Input {
    /// Opens a file, or standard input for `-`.
    pub(crate) fn open(path: &str) -> Outcome<Self> {
        let (name, stream, len) = match path {
            "-" => ("standard input".to_owned(), Stream::Stdin(io::stdin().lock()), 0),
            _ => {
                let file = File::open(path).map_err(|error| Failure::io(path, &error))?;
                let len = file.metadata().map_or(0, |metadata| metadata.len());
                (path.to_owned(), Stream::File(file), len)
            }
        };
        Ok(Self {
            name,
            stream,
            position: 0,
            recent: Vec::new(),
            progress: progress(len),
        })
    }

    /// How messages call it.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Whether it can be opened again.
    pub(crate) fn is_file(&self) -> bool {
        matches!(&self.stream, Stream::File(file) if file.metadata().is_ok_and(|metadata| metadata.is_file()))
    }

    pub(crate) fn reader(&mut self, config: de::Config) -> InputReader<'_> {
        config.deserializer_from_seekable(self).into()
    }

    /// All bytes, for those who need them more than once.
    pub(crate) fn read_whole(&mut self) -> Outcome<Vec<u8>> {
        let mut bytes = Vec::new();
        match self.read_to_end(&mut bytes) {
            Ok(_) => Ok(bytes),
            Err(error) => Err(Failure::io(&self.name, &error)),
        }
    }

    /// The bytes around `offset`, as far as they are known, and the offset of the first. Reads on
    /// where that is needed.
    pub(crate) fn window(&mut self, offset: u64, before: u64, after: u64) -> (u64, Vec<u8>) {
        let end = offset.saturating_add(after);
        if let Ok(missing @ 1..) = usize::try_from(end.saturating_sub(self.position)) {
            // What cannot be read cannot be shown.
            let _ = io::copy(&mut self.by_ref().take(missing as u64), &mut io::sink());
        }
        let recent_start = self.position - self.recent.len() as u64;
        let start = offset.saturating_sub(before).max(recent_start);
        let skip = usize::try_from(start - recent_start).unwrap_or(usize::MAX);
        let len = usize::try_from(end.saturating_sub(start)).unwrap_or(usize::MAX);
        (start, self.recent.iter().skip(skip).take(len).copied().collect())
    }

    fn remember(&mut self, bytes: &[u8]) {
        let tail = &bytes[bytes.len().saturating_sub(RECENT_LEN)..];
        self.recent.extend_from_slice(tail);
        if self.recent.len() > 2 * RECENT_LEN {
            let surplus = self.recent.len() - RECENT_LEN;
            self.recent.drain(..surplus);
        }
    }
}

/// A bar for a file of `len` bytes, if it is large and somebody looks at a terminal that nothing
/// else is printed to.
fn progress(len: u64) -> ProgressBar {
    if len < LARGE || !io::stderr().is_terminal() || io::stdout().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(len);
    match ProgressStyle::with_template("{wide_bar} {bytes}/{total_bytes} {eta}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = match &mut self.stream {
            Stream::File(file) => file.read(buffer)?,
            Stream::Stdin(stdin) => stdin.read(buffer)?,
        };
        let read = &buffer[..len];
        self.remember(read);
        self.position += len as u64;
        self.progress.set_position(self.position);
        Ok(len)
    }
}

/// A pipe has no position, and is read without going back.
impl Seek for Input {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match &mut self.stream {
            Stream::File(file) => file.seek(to),
            Stream::Stdin(_) => Err(io::ErrorKind::Unsupported.into()),
        }
    }
}

impl Drop for Input {
    fn drop(&mut self) {
        self.progress.finish_and_clear();
    }
}
