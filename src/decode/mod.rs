//! The decoder: markers, headers, lengths, scalars and skipping, without serde.
//!
//! Maintainers: the *promised* bytes are a lower bound on what must follow in a valid document
//! behind the token at hand. Each open container contributes: one byte (its closing marker) if it
//! is plain, the smallest encoding of each element left if it is counted. They are added when a
//! container opens and taken off as its elements start. Only sources that read ahead ask for them
//! ([`Read::READS_AHEAD`]); for a slice all of it compiles to nothing. Sums saturate, and a
//! saturated sum stays a lower bound.

mod container;
mod scalar;
mod text;

use alloc::vec::Vec;

pub(crate) use self::container::{Container, Extent};
pub(crate) use self::text::{is_utf8, starts_with_ascii, utf8};
use crate::error::{Error, ErrorCode, Expected, Result};
use crate::marker::{Marker, byte};
use crate::read::{Read, Reference};

/// The limits that decoding holds; see [`Config`](crate::de::Config).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) max_depth: usize,
    pub(crate) max_empty_elements: u64,
    /// Text that is skipped need not be UTF-8.
    pub(crate) lossy_utf8: bool,
}

/// Levels of nesting that are read and written unless an option says otherwise.
pub(crate) const DEFAULT_MAX_DEPTH: usize = 128;

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_depth: DEFAULT_MAX_DEPTH,
            max_empty_elements: 1 << 20,
            lossy_utf8: false,
        }
    }
}

/// Reads UBJSON tokens from a source, within limits.
#[derive(Debug)]
pub(crate) struct Decoder<R> {
    source: R,
    /// The marker of the next value where a typed container left it out.
    elided: Option<Marker>,
    depth_left: usize,
    empty_elements_left: u64,
    promised: u64,
    limits: Limits,
}

impl<R> Decoder<R> {
    pub(crate) fn new(source: R, limits: Limits) -> Self {
        Self {
            source,
            elided: None,
            depth_left: limits.max_depth,
            empty_elements_left: limits.max_empty_elements,
            promised: 0,
            limits,
        }
    }

    pub(crate) fn source(&self) -> &R {
        &self.source
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    #[cfg(any(feature = "std", feature = "bytes"))]
    pub(crate) fn into_source(self) -> R {
        self.source
    }

    /// The same decoder, as far as it has come, over another source.
    #[inline]
    pub(crate) fn with_source<S>(&self, source: S) -> Decoder<S> {
        Decoder {
            source,
            elided: self.elided,
            depth_left: self.depth_left,
            empty_elements_left: self.empty_elements_left,
            promised: self.promised,
            limits: self.limits,
        }
    }

    /// Before each document: budget, depth and promises start anew.
    pub(crate) fn begin_document(&mut self) {
        self.elided = None;
        self.depth_left = self.limits.max_depth;
        self.empty_elements_left = self.limits.max_empty_elements;
        self.promised = 0;
    }

    /// Whether the next value is an element of a typed container, which left its marker out.
    #[inline]
    pub(crate) fn is_elided(&self) -> bool {
        self.elided.is_some()
    }
}

impl<'de, R: Read<'de>> Decoder<R> {
    #[inline]
    pub(crate) fn offset(&self) -> u64 {
        self.source.offset()
    }

    /// Where the decoder stands, for [`offset_at`](Self::offset_at): cheaper than the offset.
    #[inline]
    pub(crate) fn mark(&self) -> u64 {
        self.source.mark()
    }

    pub(crate) fn offset_at(&self, mark: u64) -> u64 {
        self.source.offset_at(mark)
    }

    /// From here on the bytes that are consumed are kept.
    pub(crate) fn begin_recording(&mut self) {
        self.source.begin_recording();
    }

    /// The bytes consumed since [`begin_recording`](Self::begin_recording): part of the input, or
    /// appended to `recorded`.
    pub(crate) fn end_recording(&mut self, recorded: &mut Vec<u8>) -> Option<&'de [u8]> {
        self.source.end_recording(recorded)
    }

    /// Gives back what was read ahead.
    pub(crate) fn finish(&mut self) -> Result<()> {
        self.source.finish()
    }

    #[inline]
    fn promise(&mut self, byte_len: u64) {
        if R::READS_AHEAD {
            self.promised = self.promised.saturating_add(byte_len);
        }
    }

    #[inline]
    fn keep_promise(&mut self, byte_len: u64) {
        if R::READS_AHEAD {
            self.promised = self.promised.saturating_sub(byte_len);
        }
    }

    /// The next `N` bytes; `more` of this token and its siblings are owed behind them.
    #[inline]
    fn chunk<const N: usize>(&mut self, more: u64) -> Result<[u8; N]> {
        match self.source.next_chunk() {
            Some(chunk) => Ok(chunk),
            None => self.chunk_slow(more),
        }
    }

    #[cold]
    #[inline(never)]
    fn chunk_slow<const N: usize>(&mut self, more: u64) -> Result<[u8; N]> {
        self.source.fill(N, self.promised.saturating_add(more))?;
        self.source
            .next_chunk()
            .ok_or_else(|| Error::new(ErrorCode::Eof, self.offset()))
    }

    /// The next byte, not consumed; `closing` is 1 where the byte itself is among the promised
    /// ones: it may be a closing marker, or it starts an entry that is still counted.
    #[inline]
    fn peek_byte(&mut self, closing: u64) -> Result<u8> {
        match self.source.at_hand().first() {
            Some(&byte) => Ok(byte),
            None => self.peek_byte_slow(closing),
        }
    }

    #[cold]
    #[inline(never)]
    fn peek_byte_slow(&mut self, closing: u64) -> Result<u8> {
        self.source.fill(1, self.promised.saturating_sub(closing))?;
        let first = self.source.at_hand().first().copied();
        first.ok_or_else(|| Error::new(ErrorCode::Eof, self.offset()))
    }

    /// The next byte behind any no-ops, not consumed.
    #[inline]
    fn peek_behind_no_ops(&mut self, closing: u64) -> Result<u8> {
        let byte = self.peek_byte(closing)?;
        if byte == byte::NO_OP {
            return self.skip_no_ops(closing);
        }
        Ok(byte)
    }

    #[cold]
    #[inline(never)]
    fn skip_no_ops(&mut self, closing: u64) -> Result<u8> {
        loop {
            self.skip_no_ops_at_hand();
            let byte = self.peek_byte(closing)?;
            if byte != byte::NO_OP {
                return Ok(byte);
            }
        }
    }

    /// Consumes the no-ops at hand, which must be ones here.
    #[inline]
    pub(crate) fn skip_no_ops_at_hand(&mut self) {
        let at_hand = self.source.at_hand();
        let no_ops = at_hand.iter().take_while(|byte| **byte == byte::NO_OP).count();
        self.source.consume(no_ops);
    }

    /// Skips no-ops; `None` at the end of the input.
    pub(crate) fn peek_document(&mut self) -> Result<Option<u8>> {
        if self.source.remaining() == Some(0) {
            return Ok(None);
        }
        match self.peek_behind_no_ops(0) {
            Ok(byte) => Ok(Some(byte)),
            Err(error) if error.is_eof() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The marker byte of the next value, unchecked and not consumed.
    #[inline]
    pub(crate) fn peek_marker(&mut self) -> Result<u8> {
        match self.elided {
            Some(marker) => Ok(marker.to_byte()),
            None => self.peek_behind_no_ops(0),
        }
    }

    /// Consumes the marker that [`peek_marker`](Self::peek_marker) gave.
    #[inline]
    pub(crate) fn consume_marker(&mut self) {
        match self.elided {
            Some(_) => self.elided = None,
            None => self.source.consume(1),
        }
    }

    /// The marker byte of the next value, consumed but unchecked.
    #[inline]
    pub(crate) fn marker(&mut self) -> Result<u8> {
        if let Some(marker) = self.elided {
            self.elided = None;
            return Ok(marker.to_byte());
        }
        match self.source.next_chunk() {
            Some([byte]) if byte != byte::NO_OP => Ok(byte),
            // Nothing at hand, or a no-op that is consumed by now.
            _ => self.marker_slow(),
        }
    }

    #[cold]
    #[inline(never)]
    fn marker_slow(&mut self) -> Result<u8> {
        let byte = self.peek_marker()?;
        self.consume_marker();
        Ok(byte)
    }

    /// The error for a consumed byte that starts no value.
    #[cold]
    #[inline(never)]
    pub(crate) fn unexpected_marker(&self, found: u8, expected: Expected) -> Error {
        Error::new(
            ErrorCode::UnexpectedMarker { found, expected },
            self.offset().saturating_sub(1),
        )
    }

    /// A fixed-size payload.
    #[inline]
    pub(crate) fn payload<const N: usize>(&mut self) -> Result<[u8; N]> {
        self.chunk(0)
    }

    /// A length or a count, with its marker; `more` bytes are owed behind it.
    #[inline]
    pub(crate) fn length(&mut self, expected: Expected, more: u64) -> Result<u64> {
        // Nearly every length is one byte below 128, whichever of its two markers it has.
        if let &[byte::INT8 | byte::UINT8, length @ 0..=0x7f, ..] = self.source.at_hand() {
            self.source.consume(2);
            return Ok(u64::from(length));
        }
        let marker = self.length_marker(more)?;
        self.length_behind(marker, expected, more)
    }

    /// The first byte of a length, consumed but unchecked.
    #[inline]
    pub(crate) fn length_marker(&mut self, more: u64) -> Result<u8> {
        let [marker] = self.chunk(more + 1)?;
        Ok(marker)
    }

    /// The length behind its marker.
    #[inline(never)]
    pub(crate) fn length_behind(&mut self, marker: u8, expected: Expected, more: u64) -> Result<u64> {
        let (length, byte_len) = match marker {
            byte::INT8 => (i64::from(i8::from_be_bytes(self.chunk(more)?)), 1),
            byte::UINT8 => (i64::from(u8::from_be_bytes(self.chunk(more)?)), 1),
            byte::INT16 => (i64::from(i16::from_be_bytes(self.chunk(more)?)), 2),
            byte::INT32 => (i64::from(i32::from_be_bytes(self.chunk(more)?)), 4),
            byte::INT64 => (i64::from_be_bytes(self.chunk(more)?), 8),
            found => {
                let offset = self.offset().saturating_sub(1);
                return Err(Error::new(
                    ErrorCode::UnexpectedLengthMarker { found, expected },
                    offset,
                ));
            }
        };
        u64::try_from(length).map_err(|_| self.negative_length(length, byte_len))
    }

    /// Reported at the length's marker.
    #[cold]
    #[inline(never)]
    fn negative_length(&self, length: i64, byte_len: u64) -> Error {
        let offset = self.offset().saturating_sub(byte_len + 1);
        Error::new(ErrorCode::NegativeLength(length), offset)
    }

    /// A length that this machine can address.
    #[inline]
    pub(crate) fn byte_length(&mut self, expected: Expected, more: u64) -> Result<usize> {
        let start = self.mark();
        let length = self.length(expected, more)?;
        usize::try_from(length).map_err(|_| Error::new(ErrorCode::LengthOverflow(length), self.offset_at(start)))
    }

    /// The bytes at hand, not consumed.
    pub(crate) fn at_hand(&self) -> &[u8] {
        self.source.at_hand()
    }

    /// Makes at least `byte_len` bytes at hand, a few only; `more` are owed behind them.
    pub(crate) fn fill(&mut self, byte_len: usize, more: u64) -> Result<()> {
        self.source.fill(byte_len, self.promised.saturating_add(more))
    }

    /// The next `byte_len` bytes; `more` are owed behind them.
    #[inline]
    pub(crate) fn take(&mut self, byte_len: usize, more: u64) -> Result<Reference<'de, '_>> {
        self.source.take(byte_len, self.promised.saturating_add(more))
    }

    /// Appends the next `byte_len` bytes to `destination`.
    pub(crate) fn append_to(&mut self, destination: &mut Vec<u8>, byte_len: usize) -> Result<()> {
        self.source.append_to(destination, byte_len, self.promised)
    }

    /// The next `byte_len` bytes, which were promised as elements, are taken as one payload.
    #[inline]
    pub(crate) fn begin_payload(&mut self, byte_len: u64) {
        self.keep_promise(byte_len);
    }

    /// `byte_len` bytes of elements are owed again.
    pub(crate) fn owe_elements(&mut self, byte_len: u64) {
        self.promise(byte_len);
    }

    /// As many of the next elements of a typed array of scalars as the source lends; the others are
    /// read [one by one](Self::element_payload).
    pub(crate) fn lend_elements(&mut self, element_len: usize, count: u64) -> &'de [u8] {
        self.source.lend(element_len, count)
    }

    /// The payload of the next element of a typed array of scalars.
    #[inline]
    pub(crate) fn element_payload<const N: usize>(&mut self) -> Result<[u8; N]> {
        self.keep_promise(N as u64);
        self.chunk(0)
    }

    /// Consumes the next `byte_len` bytes, which were promised as elements, unseen.
    pub(crate) fn skip_bytes(&mut self, byte_len: u64) -> Result<()> {
        self.keep_promise(byte_len);
        self.source.skip(byte_len, self.promised)
    }
}
