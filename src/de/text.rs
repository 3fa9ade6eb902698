//! Strings, chars, high-precision numbers and bytes, given to serde's visitors.

use alloc::string::String;
use alloc::vec::Vec;
use core::str::FromStr;

use serde_core::de::{self, Unexpected, Visitor};

use super::Deserializer;
use crate::decode::{Container, Extent, utf8};
use crate::error::{Error, ErrorCode, Expected, Result};
use crate::marker::{Marker, byte};
use crate::number::{self, ParsedNumber};
use crate::read::{Read, Reference};
use crate::skip::Open;
use crate::text::repaired;

/// From this length on an owned string from a reader is read into its own allocation at once.
const OWNED_STRING_LEN: usize = 1024;

impl<'de, R: Read<'de>> Deserializer<R> {
    /// Visits the string whose marker was consumed, borrowed where the source lends.
    pub(super) fn visit_string<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        let byte_len = self.decoder.byte_length(Expected::StringLength, 0)?;
        self.visit_string_payload(byte_len, visitor)
    }

    /// Visits what may be a string, behind the fast path for short ones.
    #[inline(never)]
    pub(super) fn visit_other_string<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        match self.decoder.marker()? {
            byte::STRING => self.visit_string(visitor),
            marker => self.visit_any(marker, visitor),
        }
    }

    /// The same for a visitor that wants to own.
    #[inline(never)]
    pub(super) fn visit_other_owned_string<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        match self.decoder.marker()? {
            byte::STRING => self.visit_owned_string(visitor),
            marker => self.visit_any(marker, visitor),
        }
    }

    // Not through `Text`: that takes 6% more instructions for rows.
    #[inline]
    pub(super) fn visit_string_payload<V: Visitor<'de>>(&mut self, byte_len: usize, visitor: V) -> Result<V::Value> {
        let start = self.decoder.mark();
        let lossy = self.lossy_utf8;
        match self.decoder.take(byte_len, 0)? {
            Reference::Borrowed(bytes) => match utf8(bytes) {
                Some(text) => visitor.visit_borrowed_str(text),
                None if self.lossy_utf8 => visitor.visit_string(repaired(bytes)),
                None => Err(self.invalid_utf8(start)),
            },
            Reference::Transient(bytes) => match utf8(bytes) {
                Some(text) => visitor.visit_str(text),
                None if lossy => visitor.visit_string(repaired(bytes)),
                None => Err(self.invalid_utf8(start)),
            },
        }
    }

    #[cold]
    #[inline(never)]
    fn invalid_utf8(&self, start: u64) -> Error {
        Error::new(ErrorCode::InvalidUtf8, self.decoder.offset_at(start))
    }

    /// Like [`visit_string`](Self::visit_string) for a visitor that wants to own: a long string
    /// from a reader goes straight to its destination.
    fn visit_owned_string<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        let byte_len = self.decoder.byte_length(Expected::StringLength, 0)?;
        if R::READS_AHEAD && byte_len >= OWNED_STRING_LEN {
            let offset = self.decoder.offset();
            let mut payload = Vec::new();
            self.decoder.append_to(&mut payload, byte_len)?;
            return match String::from_utf8(payload) {
                Ok(text) => visitor.visit_string(text),
                Err(error) if self.lossy_utf8 => visitor.visit_string(repaired(error.as_bytes())),
                Err(_) => Err(Error::new(ErrorCode::InvalidUtf8, offset)),
            };
        }
        self.visit_string_payload(byte_len, visitor)
    }

    /// Visits a char as the string of one character that it is in JSON.
    pub(super) fn visit_char<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        self.decoder.peek_char()?;
        self.visit_string_payload(1, visitor)
    }

    /// Visits the high-precision number whose marker was consumed as the narrowest Rust number.
    pub(super) fn visit_number<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        let (text, offset) = self.decoder.number_text()?;
        match number::parse(text.as_bytes()) {
            Some(ParsedNumber::Unsigned(value)) => visitor.visit_u64(value),
            Some(ParsedNumber::Signed(value)) => visitor.visit_i64(value),
            Some(ParsedNumber::Unsigned128(value)) => visitor.visit_u128(value),
            Some(ParsedNumber::Signed128(value)) => visitor.visit_i128(value),
            Some(ParsedNumber::Float(value)) => visitor.visit_f64(value),
            Some(ParsedNumber::OutOfRange) => Err(Error::new(ErrorCode::NumberOutOfRange, offset)),
            None => Err(Error::new(ErrorCode::InvalidNumber, offset)),
        }
    }

    /// The high-precision number whose marker was consumed as the float nearest to it.
    pub(super) fn float_text<F: FromStr + Into<f64> + Copy>(&mut self) -> Result<F> {
        let (text, offset) = self.decoder.number_text()?;
        let text = number::validate(text.as_bytes());
        let text = text.ok_or_else(|| Error::new(ErrorCode::InvalidNumber, offset))?;
        match text.parse::<F>() {
            Ok(value) if value.into().is_finite() => Ok(value),
            _ => Err(Error::new(ErrorCode::NumberOutOfRange, offset)),
        }
    }

    /// Visits bytes: of a byte-sized typed array or a string as they are, of other arrays of
    /// integers collected.
    pub(super) fn visit_bytes<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        let byte_len = match self.decoder.marker()? {
            byte::STRING => self.decoder.byte_length(Expected::StringLength, 0)?,
            byte::ARRAY_START => {
                let array = self.decoder.open_array()?;
                match self.payload_len_of_bytes(array)? {
                    Some(byte_len) => {
                        self.decoder.leave();
                        byte_len
                    }
                    None => return self.visit_collected_bytes(array, visitor),
                }
            }
            marker => return self.visit_any(marker, visitor),
        };
        match self.decoder.take(byte_len, 0)? {
            Reference::Borrowed(bytes) => visitor.visit_borrowed_bytes(bytes),
            Reference::Transient(bytes) => visitor.visit_bytes(bytes),
        }
    }

    /// Like [`visit_bytes`](Self::visit_bytes) for a visitor that wants to own: bytes from a reader
    /// go straight to their destination.
    pub(super) fn visit_byte_buf<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        if !R::READS_AHEAD || self.decoder.peek_marker()? != byte::ARRAY_START {
            return self.visit_bytes(visitor);
        }
        self.decoder.consume_marker();
        let array = self.decoder.open_array()?;
        match self.payload_len_of_bytes(array)? {
            Some(byte_len) => {
                self.decoder.leave();
                let mut payload = Vec::new();
                self.decoder.append_to(&mut payload, byte_len)?;
                visitor.visit_byte_buf(payload)
            }
            None => self.visit_collected_bytes(array, visitor),
        }
    }

    /// The number of bytes that a typed array of one-byte elements has; `None` for other arrays.
    fn payload_len_of_bytes(&mut self, array: Container) -> Result<Option<usize>> {
        match (array.element, array.extent) {
            (Some(Marker::Uint8 | Marker::Int8), Extent::Counted(count)) => {
                let width = array.count_marker.and_then(Marker::payload_len).unwrap_or_default();
                let count_start = self.decoder.offset().saturating_sub(1 + width as u64);
                let byte_len = usize::try_from(count);
                let byte_len = byte_len.map_err(|_| Error::new(ErrorCode::LengthOverflow(count), count_start))?;
                self.decoder.begin_payload(count);
                Ok(Some(byte_len))
            }
            _ => Ok(None),
        }
    }

    /// Collects the integers of an open array, each of which must be a byte, and leaves it.
    fn visit_collected_bytes<V: Visitor<'de>>(&mut self, mut array: Container, visitor: V) -> Result<V::Value> {
        let collected = match self.collect_bytes(&mut array) {
            Ok(bytes) => Ok(bytes),
            Err(error) => Err(self.skipping(error, |decoder| decoder.skip_rest(Open::Array(array)))),
        };
        self.decoder.leave();
        visitor.visit_byte_buf(collected?)
    }

    fn collect_bytes(&mut self, array: &mut Container) -> Result<Vec<u8>> {
        let mut bytes = Vec::with_capacity(self.decoder.size_hint(array).unwrap_or_default().min(4096));
        while self.decoder.next_element(array)? {
            let value = self.located(|de| {
                let marker = de.decoder.marker()?;
                de.byte_value(marker)
            })?;
            bytes.push(value);
        }
        Ok(bytes)
    }

    fn byte_value(&mut self, marker: u8) -> Result<u8> {
        let value = match (marker, self.decoder.integer_payload(marker)?) {
            (_, Some(value)) => value,
            (byte::CHAR, None) => i64::from(self.decoder.char()?),
            (marker, None) => {
                return Err(match Marker::from_byte(marker) {
                    Some(found) => {
                        let error = de::Error::invalid_type(found.unexpected(), &"an integer from 0 to 255");
                        self.skipping(error, |decoder| decoder.skip_payload(marker))
                    }
                    None => self.decoder.unexpected_marker(marker, Expected::Value),
                });
            }
        };
        u8::try_from(value)
            .map_err(|_| de::Error::invalid_value(Unexpected::Signed(value), &"an integer from 0 to 255"))
    }
}
