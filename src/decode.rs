//! The decoder: markers, headers, lengths, scalars and skipping, without serde.
//!
//! Maintainers: the *promised* bytes are a lower bound on what must follow in a valid document
//! behind the token at hand. Each open container contributes: one byte (its closing marker) if it
//! is plain, the smallest encoding of each element left if it is counted. They are added when a
//! container opens and taken off as its elements start. Only sources that read ahead ask for them
//! ([`Read::READS_AHEAD`]); for a slice all of it compiles to nothing. Sums saturate, and a
//! saturated sum stays a lower bound.

use alloc::vec::Vec;

use ascii::AsciiStr;

use crate::error::{Error, ErrorCode, Expected, Result};
use crate::marker::{Marker, byte};
use crate::read::{Read, Reference};

/// The limits that decoding holds; see [`Config`](crate::de::Config).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) max_depth: usize,
    pub(crate) max_empty_elements: u64,
}

/// Levels of nesting that are read and written unless an option says otherwise.
pub(crate) const DEFAULT_MAX_DEPTH: usize = 128;

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_depth: DEFAULT_MAX_DEPTH,
            max_empty_elements: 1 << 20,
        }
    }
}

/// How many elements of a counted container may be allocated for before any has arrived.
pub(crate) const MAX_UNSEEN: u64 = 4096;

/// How a container says where it ends.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Extent {
    /// At its closing marker.
    Plain,
    /// Behind so many elements.
    Counted(u64),
}

/// An open array or object: what its header said and how far it has been read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Container {
    pub(crate) extent: Extent,
    /// The type of all elements, where the header gives one.
    pub(crate) element: Option<Marker>,
    /// The width of the count, where the header gives one.
    pub(crate) count_marker: Option<Marker>,
}

impl Container {
    const PLAIN: Self = Self {
        extent: Extent::Plain,
        element: None,
        count_marker: None,
    };

    /// The fewest bytes that one element's value takes.
    const fn min_element_len(self) -> u64 {
        match self.element {
            Some(marker) => marker.min_payload_len(),
            None => 1,
        }
    }
}

/// The fewest bytes of a key: a length marker and a one-byte length.
const MIN_KEY_LEN: u64 = 2;

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
        let length = self.length(expected, more)?;
        usize::try_from(length).map_err(|_| Error::new(ErrorCode::LengthOverflow(length), self.offset()))
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

    /// Consumes the marker and the length of the string that is next, in one step, and gives the
    /// length. If a string is not what is next, or that cannot be told from the bytes at hand,
    /// nothing has happened.
    #[inline]
    pub(crate) fn next_string_len(&mut self) -> Option<usize> {
        match self.source.at_hand() {
            &[byte::STRING, byte::INT8 | byte::UINT8, byte_len @ 0..=0x7f, ..] if self.elided.is_none() => {
                self.source.consume(3);
                Some(usize::from(byte_len))
            }
            _ => None,
        }
    }

    /// Consumes the integer that is next, of at most 64 bits, in one step. If that is not what is
    /// next, or that cannot be told from the bytes at hand, nothing has happened.
    #[inline]
    pub(crate) fn next_integer(&mut self) -> Option<i64> {
        if self.elided.is_some() {
            return None;
        }
        match *self.source.at_hand() {
            [byte::INT8, a, ..] => {
                self.source.consume(2);
                Some(i8::from_be_bytes([a]).into())
            }
            [byte::UINT8, a, ..] => {
                self.source.consume(2);
                Some(a.into())
            }
            [byte::INT16, a, b, ..] => {
                self.source.consume(3);
                Some(i16::from_be_bytes([a, b]).into())
            }
            [byte::INT32, a, b, c, d, ..] => {
                self.source.consume(5);
                Some(i32::from_be_bytes([a, b, c, d]).into())
            }
            [byte::INT64, a, b, c, d, e, f, g, h, ..] => {
                self.source.consume(9);
                Some(i64::from_be_bytes([a, b, c, d, e, f, g, h]))
            }
            _ => None,
        }
    }

    /// The integer of at most 64 bits behind its marker; `None` if `marker` is that of no such one.
    pub(crate) fn integer_payload(&mut self, marker: u8) -> Result<Option<i64>> {
        Ok(Some(match marker {
            byte::INT8 => i8::from_be_bytes(self.payload()?).into(),
            byte::UINT8 => u8::from_be_bytes(self.payload()?).into(),
            byte::INT16 => i16::from_be_bytes(self.payload()?).into(),
            byte::INT32 => i32::from_be_bytes(self.payload()?).into(),
            byte::INT64 => i64::from_be_bytes(self.payload()?),
            _ => return Ok(None),
        }))
    }

    /// Like [`next_integer`](Self::next_integer) for a float64.
    #[inline]
    pub(crate) fn next_float64(&mut self) -> Option<f64> {
        match *self.source.at_hand() {
            [byte::FLOAT64, a, b, c, d, e, f, g, h, ..] if self.elided.is_none() => {
                self.source.consume(9);
                Some(f64::from_be_bytes([a, b, c, d, e, f, g, h]))
            }
            _ => None,
        }
    }

    /// The text of a high-precision number behind its marker, and the text's offset; not checked
    /// to be a number.
    pub(crate) fn number_text(&mut self) -> Result<(Reference<'de, '_>, u64)> {
        let byte_len = self.byte_length(Expected::NumberLength, 1)?;
        if byte_len == 0 {
            return Err(Error::new(ErrorCode::InvalidNumber, self.offset()));
        }
        let offset = self.offset();
        Ok((self.take(byte_len, 0)?, offset))
    }

    /// A char behind its marker: its byte, 0 to 127.
    #[inline]
    pub(crate) fn char(&mut self) -> Result<u8> {
        let byte = self.peek_char()?;
        self.source.consume(1);
        Ok(byte)
    }

    /// Like [`char`](Self::char), not consumed.
    #[inline]
    pub(crate) fn peek_char(&mut self) -> Result<u8> {
        let byte = self.peek_byte(0)?;
        if byte.is_ascii() {
            return Ok(byte);
        }
        Err(Error::new(ErrorCode::InvalidChar(byte), self.offset()))
    }

    /// One level deeper, until [`leave`](Self::leave).
    #[inline]
    fn enter(&mut self) -> Result<()> {
        match self.depth_left.checked_sub(1) {
            Some(left) => {
                self.depth_left = left;
                Ok(())
            }
            None => Err(self.depth_limit()),
        }
    }

    #[cold]
    #[inline(never)]
    fn depth_limit(&self) -> Error {
        Error::new(
            ErrorCode::DepthLimit(self.limits.max_depth),
            self.offset().saturating_sub(1),
        )
    }

    /// Back to the level outside of a container, whether it was read to its end or not.
    #[inline]
    pub(crate) fn leave(&mut self) {
        self.depth_left += 1;
    }

    /// Enters an array whose `[` has been consumed (or left out by its typed container).
    #[inline]
    pub(crate) fn open_array(&mut self) -> Result<Container> {
        self.open(0, Expected::Count)
    }

    /// Enters an object whose `{` has been consumed (or left out by its typed container).
    #[inline]
    pub(crate) fn open_object(&mut self) -> Result<Container> {
        self.open(MIN_KEY_LEN, Expected::Count)
    }

    #[inline]
    fn open(&mut self, key_len: u64, expected: Expected) -> Result<Container> {
        self.enter()?;
        let byte = self.peek_byte(0)?;
        if byte != byte::COUNT && byte != byte::TYPE {
            self.promise(1);
            return Ok(Container::PLAIN);
        }
        self.source.consume(1);
        self.open_counted(byte, key_len, expected)
    }

    #[inline(never)]
    fn open_counted(&mut self, header: u8, key_len: u64, expected: Expected) -> Result<Container> {
        let element = match header {
            byte::TYPE => Some(self.element_type()?),
            _ => None,
        };
        let count_offset = self.offset();
        let count_marker = self.length_marker(0)?;
        let count = self.length_behind(count_marker, expected, 0)?;
        let container = Container {
            extent: Extent::Counted(count),
            element,
            count_marker: Marker::from_byte(count_marker),
        };
        let min_len = container.min_element_len() + key_len;
        if min_len == 0 {
            self.spend_empty_elements(count, count_offset)?;
        }
        self.promise(min_len.saturating_mul(count));
        Ok(container)
    }

    /// The type behind `$`, and the `#` that must follow.
    fn element_type(&mut self) -> Result<Marker> {
        // `#`, a length marker and a byte are owed behind the type.
        let [found] = self.chunk(3)?;
        let Some(element) = Marker::from_byte(found) else {
            return Err(Error::new(
                ErrorCode::TypeNotAllowed(found),
                self.offset().saturating_sub(1),
            ));
        };
        let [found] = self.chunk(2)?;
        if found != byte::COUNT {
            return Err(Error::new(
                ErrorCode::TypeWithoutCount(found),
                self.offset().saturating_sub(1),
            ));
        }
        Ok(element)
    }

    fn spend_empty_elements(&mut self, count: u64, offset: u64) -> Result<()> {
        let budget = self.empty_elements_left;
        let Some(left) = budget.checked_sub(count) else {
            return Err(Error::new(ErrorCode::BudgetExceeded { count, budget }, offset));
        };
        self.empty_elements_left = left;
        Ok(())
    }

    /// Moves to the next element of an array; false at its end, which is consumed.
    #[inline]
    pub(crate) fn next_element(&mut self, array: &mut Container) -> Result<bool> {
        match &mut array.extent {
            Extent::Plain => {
                if self.peek_behind_no_ops(1)? != byte::ARRAY_END {
                    return Ok(true);
                }
                self.close_plain(array);
                Ok(false)
            }
            Extent::Counted(0) => Ok(false),
            Extent::Counted(left) => {
                *left -= 1;
                self.keep_promise(array.min_element_len());
                self.elided = array.element;
                Ok(true)
            }
        }
    }

    /// Skips the no-ops before the next key of an object or before its end.
    pub(crate) fn skip_to_key(&mut self, object: &Container) -> Result<()> {
        if !matches!(object.extent, Extent::Counted(0)) {
            self.peek_behind_no_ops(1)?;
        }
        Ok(())
    }

    /// Moves to the next entry of an object and gives the byte length of its key, which is then
    /// to be taken with [`key`](Self::key); `None` at the object's end, which is consumed.
    #[inline]
    pub(crate) fn next_key_len(&mut self, object: &mut Container) -> Result<Option<usize>> {
        match &mut object.extent {
            Extent::Plain => {
                if self.peek_behind_no_ops(1)? == byte::OBJECT_END {
                    self.close_plain(object);
                    return Ok(None);
                }
                self.byte_length(Expected::KeyOrEnd, 1).map(Some)
            }
            Extent::Counted(0) => Ok(None),
            Extent::Counted(left) => {
                *left -= 1;
                let value_len = object.min_element_len();
                self.peek_behind_no_ops(1)?;
                self.keep_promise(MIN_KEY_LEN + value_len);
                self.byte_length(Expected::KeyLength, value_len).map(Some)
            }
        }
    }

    /// The bytes at hand.
    #[inline]
    pub(crate) fn source_at_hand(&self) -> &[u8] {
        self.source.at_hand()
    }

    /// How many levels may still be entered.
    pub(crate) fn depth_left(&self) -> usize {
        self.depth_left
    }

    /// Enters a plain container whose marker was consumed, and which is within the limit.
    pub(crate) fn open_plain(&mut self) -> Container {
        self.depth_left = self.depth_left.saturating_sub(1);
        self.promise(1);
        Container::PLAIN
    }

    /// Consumes `byte_len` bytes at hand, behind which `left` elements or entries of `container`
    /// without a type are left.
    #[inline]
    pub(crate) fn consume_elements(&mut self, container: &mut Container, left: u64, is_object: bool, byte_len: usize) {
        if let Extent::Counted(before) = &mut container.extent {
            let consumed = *before - left;
            *before = left;
            let key_len = if is_object { MIN_KEY_LEN } else { 0 };
            self.keep_promise(consumed.saturating_mul(1 + key_len));
        }
        self.source.consume(byte_len);
    }

    /// Ends a plain object if its closing marker is at hand; else nothing has happened.
    #[inline]
    pub(crate) fn ends_here(&mut self, object: &mut Container) -> bool {
        let ends = matches!(object.extent, Extent::Plain) && self.source.at_hand().first() == Some(&byte::OBJECT_END);
        if ends {
            self.close_plain(object);
        }
        ends
    }

    /// The bytes of the key whose length [`next_key_len`](Self::next_key_len) gave.
    #[inline]
    pub(crate) fn key(&mut self, byte_len: usize, object: &Container) -> Result<Reference<'de, '_>> {
        self.take(byte_len, object.min_element_len())
    }

    /// The value of the key that was taken is next.
    #[inline]
    pub(crate) fn begin_value(&mut self, object: &Container) {
        self.elided = object.element;
    }

    /// Consumes the closing marker of a plain container, which then has no more elements.
    #[inline]
    fn close_plain(&mut self, container: &mut Container) {
        container.extent = Extent::Counted(0);
        self.source.consume(1);
        self.keep_promise(1);
    }

    /// Moves to the next entry of an object if its key is `name`, in one step. If not, or if that
    /// cannot be told from the bytes at hand, nothing has happened.
    #[inline]
    pub(crate) fn next_key_is(&mut self, object: &mut Container, name: &str) -> bool {
        let &[byte::INT8 | byte::UINT8, byte_len @ 0..=0x7f, ref text @ ..] = self.source.at_hand() else {
            return false;
        };
        if usize::from(byte_len) != name.len() {
            return false;
        }
        if !text.get(..name.len()).is_some_and(|key| is_same(key, name.as_bytes())) {
            return false;
        }
        match &mut object.extent {
            Extent::Plain => {}
            Extent::Counted(0) => return false,
            Extent::Counted(left) => {
                *left -= 1;
                self.keep_promise(MIN_KEY_LEN + object.min_element_len());
            }
        }
        self.source.consume(2 + name.len());
        true
    }

    /// How many elements of an array are left, as far as it is safe to allocate for them.
    #[inline]
    pub(crate) fn size_hint(&self, array: &Container) -> Option<usize> {
        self.bounded_count(array, array.min_element_len())
    }

    /// The same for the entries of an object.
    #[inline]
    pub(crate) fn entries_hint(&self, object: &Container) -> Option<usize> {
        self.bounded_count(object, MIN_KEY_LEN + object.min_element_len())
    }

    fn bounded_count(&self, container: &Container, min_len: u64) -> Option<usize> {
        let Extent::Counted(left) = container.extent else {
            return None;
        };
        let bound = match (self.source.remaining(), min_len) {
            // The budget bounds elements without payload.
            (_, 0) => left,
            (Some(remaining), _) => remaining as u64 / min_len,
            (None, _) => MAX_UNSEEN,
        };
        usize::try_from(left.min(bound)).ok()
    }
}

/// The UTF-8 text that `bytes` are, or the error for text that starts at `offset`.
#[inline]
pub(crate) fn utf8(bytes: &[u8], offset: u64) -> Result<&str> {
    match AsciiStr::from_ascii(bytes) {
        Ok(text) => Ok(text.as_str()),
        Err(_) => non_ascii_utf8(bytes, offset),
    }
}

/// Whether `text` is ASCII.
#[inline]
pub(crate) fn is_ascii(text: &[u8]) -> bool {
    const NON_ASCII: u64 = 0x8080_8080_8080_8080;
    match words(text) {
        Some((head, tail)) => (head | tail) & NON_ASCII == 0,
        None => text.is_ascii(),
    }
}

/// Whether two texts of the same length are the same.
#[inline]
fn is_same(text: &[u8], other: &[u8]) -> bool {
    match (words(text), words(other)) {
        (Some(text), Some(other)) => text == other,
        _ => text == other,
    }
}

/// The bytes of a text of at most 16 as two words, which may overlap: cheaper to look at than by a
/// call for any length.
#[inline]
fn words(text: &[u8]) -> Option<(u64, u64)> {
    match text.len() {
        8..=16 => Some((
            u64::from_ne_bytes(*text.first_chunk()?),
            u64::from_ne_bytes(*text.last_chunk()?),
        )),
        4..=7 => Some((
            u32::from_ne_bytes(*text.first_chunk()?).into(),
            u32::from_ne_bytes(*text.last_chunk()?).into(),
        )),
        2..=3 => Some((
            u16::from_ne_bytes(*text.first_chunk()?).into(),
            u16::from_ne_bytes(*text.last_chunk()?).into(),
        )),
        1 => Some((u64::from(*text.first()?), 0)),
        0 => Some((0, 0)),
        _ => None,
    }
}

#[inline(never)]
fn non_ascii_utf8(bytes: &[u8], offset: u64) -> Result<&str> {
    simdutf8::basic::from_utf8(bytes).map_err(|_| Error::new(ErrorCode::InvalidUtf8, offset))
}
