//! Going on behind a data error: what is left of the value at fault is skipped while the error
//! unwinds, so that any source can be read on behind it.
//!
//! Maintainers: after an error of the type ([`Error::is_recoverable`]) the decoder stands behind a
//! token. Where `recovers` is set, whatever gives such an error to code that is not ours has first
//! consumed what it was called for: `deserialize_*` its value, the access to a container the
//! element or entry, and whoever opened a container all of it. All that is kept for it while things
//! go well is where the value at hand started.
//!
//! An error of the bytes ends that: the first one is remembered as the [`Fault`], since types may
//! wrap it in an error of their own or ignore it, and the next document cannot be found then.

use serde_core::de;

use super::Deserializer;
use crate::decode::Decoder;
use crate::error::{Error, ErrorKind, Result};
use crate::read::Read;

/// An error of the bytes that has been given to code that is not ours.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fault {
    kind: ErrorKind,
    offset: u64,
}

impl Fault {
    fn is(self, error: &Error) -> bool {
        error.kind() == self.kind && error.offset() == Some(self.offset)
    }
}

impl<'de, R: Read<'de>> Deserializer<R> {
    /// Reads the next value through its type, which may fail before it has touched the value;
    /// `is_element` says whether a typed container left out the value's marker.
    #[inline]
    pub(super) fn value<T>(&mut self, is_element: bool, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let start = self.decoder.mark();
        match read(self) {
            Ok(value) => Ok(value),
            Err(error) => Err(self.value_failed(error, start, is_element)),
        }
    }

    #[cold]
    #[inline(never)]
    pub(super) fn value_failed(&mut self, error: Error, start: u64, is_element: bool) -> Error {
        let is_untouched = self.is_untouched(start, is_element);
        let error = self.failed(error, start);
        match is_untouched {
            true => self.skipping(error, Decoder::skip_value),
            false => error,
        }
    }

    fn is_untouched(&self, start: u64, is_element: bool) -> bool {
        match is_element {
            true => self.decoder.is_elided(),
            false => self.decoder.mark() == start,
        }
    }

    /// The one place where serde's errors get their offset: the start of the value at fault, given as
    /// a mark.
    #[cold]
    #[inline(never)]
    pub(super) fn failed(&mut self, error: Error, start: u64) -> Error {
        let offset = self.decoder.offset_at(start);
        self.noted(error.or_offset(offset))
    }

    /// Remembers an error of the bytes before a type may hide it.
    #[cold]
    #[inline(never)]
    pub(super) fn noted(&mut self, error: Error) -> Error {
        if !error.is_recoverable() && self.fault.is_none() {
            self.fault = Some(Fault {
                kind: error.kind(),
                offset: error.offset().unwrap_or_else(|| self.decoder.offset()),
            });
        }
        error
    }

    /// Passes on an error behind what `skip` skips, or the error of the bytes that comes of that.
    #[cold]
    pub(super) fn skipping(&mut self, error: Error, skip: impl FnOnce(&mut Decoder<R>) -> Result<()>) -> Error {
        if !self.recovers || self.fault.is_some() || !error.is_recoverable() {
            return error;
        }
        match skip(&mut self.decoder) {
            Ok(()) => error,
            Err(error) => self.noted(error),
        }
    }

    /// Reads through a type such that it can be gone on behind an error of the type, and behind no
    /// other: an error of the bytes that the type has hidden comes to light.
    pub(crate) fn recovering<T>(&mut self, is_element: bool, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.recovers = true;
        self.fault = None;
        let start = self.decoder.mark();
        let read = match read(self) {
            // A type that has not looked at its value must not be given the same one for ever.
            Ok(value) if self.is_untouched(start, is_element) => self.decoder.skip_value().map(|()| value),
            Ok(value) => Ok(value),
            Err(error) => Err(self.value_failed(error, start, is_element)),
        };
        self.recovers = false;
        match (read, self.fault) {
            (read, None) => read,
            (Err(error), Some(fault)) if fault.is(&error) => Err(error),
            (Err(error), Some(fault)) if error.is_recoverable() => Err(error.retelling(fault.kind, fault.offset)),
            // Hidden, and what came of it is not worth telling.
            (_, Some(_)) => Err(self.fault_again()),
        }
    }

    /// The error of the bytes once more, which was given out or hidden before.
    pub(super) fn fault_again(&self) -> Error {
        let error: Error = de::Error::custom("the document is broken, as an error that was given before says");
        match self.fault {
            Some(fault) => error.retelling(fault.kind, fault.offset),
            None => error,
        }
    }
}
