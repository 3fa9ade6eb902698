//! Scalars and the lengths of text; the commonest ones in one step.

use super::Decoder;
use crate::error::{Error, ErrorCode, Expected, Result};
use crate::marker::{INTEGER_FORMS, byte};
use crate::read::{Read, Reference};

impl<'de, R: Read<'de>> Decoder<R> {
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
    ///
    /// Without a branch per width: the widths of real integers are hard to predict.
    #[inline]
    pub(crate) fn next_integer(&mut self) -> Option<i64> {
        if self.elided.is_some() {
            return None;
        }
        let &[marker, a, b, c, d, e, f, g, h] = self.source.at_hand().first_chunk()?;
        let (byte_len, mask) = INTEGER_FORMS[usize::from(marker)];
        if byte_len == 0 {
            return None;
        }
        self.source.consume(1 + usize::from(byte_len));
        let value = i64::from_be_bytes([a, b, c, d, e, f, g, h]) >> (64 - 8 * u32::from(byte_len));
        Some(value & mask)
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
}
