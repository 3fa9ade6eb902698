//! The private doorway from the reader's side: values exactly, and values as their bytes.

use alloc::vec::Vec;

use serde_core::de::{DeserializeSeed, SeqAccess, Visitor};

use super::Deserializer;
use crate::decode::{Container, Extent};
use crate::doorway::{Door, Head, Payload, give_block};
use crate::error::{Error, ErrorCode, Result};
use crate::marker::{Marker, byte};
use crate::number;
use crate::read::{Read, Reference};

impl<'de, R: Read<'de>> Deserializer<R> {
    /// Visits the next value with nothing lost.
    pub(super) fn visit_exact<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        self.located(|de| match de.decoder.marker()? {
            byte::STRING => de.visit_string(visitor),
            byte::OBJECT_START => de.visit_exact_object(visitor),
            byte::ARRAY_START => de.visit_exact_array(visitor),
            byte::FLOAT32 => visitor.visit_f32(f32::from_be_bytes(de.decoder.payload()?)),
            byte::FLOAT64 => visitor.visit_f64(f64::from_be_bytes(de.decoder.payload()?)),
            byte::TRUE => visitor.visit_bool(true),
            byte::FALSE => visitor.visit_bool(false),
            byte::NULL => visitor.visit_unit(),
            byte::CHAR => visitor.visit_char(char::from(de.decoder.char()?)),
            byte::HIGH_PRECISION => de.visit_exact_number(visitor),
            marker => de.visit_integer(marker, visitor),
        })
    }

    fn visit_exact_number<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        let start = self.decoder.offset();
        let visited = visitor.visit_enum(Door {
            head: Head::HighPrecision,
            payload: NumberText(self),
        });
        let error = match visited {
            // The visitor has not looked at the text.
            Err(error) if self.decoder.offset() == start => error,
            Ok(_) if self.decoder.offset() == start => Error::new(ErrorCode::UnreadElements, start),
            visited => return visited,
        };
        Err(self.skipping(error, |decoder| decoder.skip_payload(byte::HIGH_PRECISION)))
    }

    fn visit_exact_array<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        let array = self.decoder.open_array()?;
        let visited = match (array.element, array.extent) {
            (
                Some(
                    element @ (Marker::Int8
                    | Marker::Uint8
                    | Marker::Int16
                    | Marker::Int32
                    | Marker::Int64
                    | Marker::Float32
                    | Marker::Float64),
                ),
                Extent::Counted(count),
            ) => self.visit_packed(element, count, array, visitor),
            _ => self.visit_elements(array, visitor),
        };
        self.decoder.leave();
        visited
    }

    fn visit_packed<V: Visitor<'de>>(
        &mut self,
        element: Marker,
        count: u64,
        array: Container,
        visitor: V,
    ) -> Result<V::Value> {
        let element_len = element.payload_len().unwrap_or_default();
        // More than fits has not arrived either, and ends as an end of the input.
        let mut left = count.saturating_mul(element_len as u64);
        let visited = visitor.visit_enum(Door {
            head: Head::Packed(element),
            payload: Blocks {
                hint: self.decoder.size_hint(&array).unwrap_or_default() * element_len,
                de: self,
                left: &mut left,
            },
        });
        let error = match visited {
            Ok(value) if left == 0 => return Ok(value),
            Ok(_) => Error::new(ErrorCode::UnreadElements, self.decoder.offset()),
            Err(error) => error,
        };
        Err(self.skipping(error, |decoder| decoder.skip_bytes(left)))
    }

    /// Visits the bytes of the next value.
    pub(super) fn visit_raw<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        visitor.visit_enum(Door {
            head: Head::Raw,
            payload: RawValue(self),
        })
    }
}

/// The text of a high-precision number whose marker was consumed.
struct NumberText<'a, R>(&'a mut Deserializer<R>);

impl<'de, R: Read<'de>> Payload<'de> for NumberText<'_, R> {
    type Error = Error;

    fn visit_whole<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let (text, offset) = self.0.decoder.number_text()?;
        let invalid = || Error::new(ErrorCode::InvalidNumber, offset);
        match text {
            Reference::Borrowed(text) => visitor.visit_borrowed_str(number::validate(text).ok_or_else(invalid)?),
            Reference::Transient(text) => visitor.visit_str(number::validate(text).ok_or_else(invalid)?),
        }
    }

    fn visit_parts<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value> {
        self.visit_whole(visitor)
    }
}

/// A value that was not yet begun.
struct RawValue<'a, R>(&'a mut Deserializer<R>);

impl<'de, R: Read<'de>> Payload<'de> for RawValue<'_, R> {
    type Error = Error;

    fn visit_whole<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let mut bytes = Vec::new();
        if let Reference::Borrowed(bytes) = self.0.decoder.raw_value(&mut bytes)? {
            return visitor.visit_borrowed_bytes(bytes);
        }
        visitor.visit_byte_buf(bytes)
    }

    fn visit_parts<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value> {
        self.visit_whole(visitor)
    }
}

/// The payload of a typed array of numbers.
struct Blocks<'a, R> {
    de: &'a mut Deserializer<R>,
    hint: usize,
    /// How many bytes are left; kept outside, so that it is known afterwards.
    left: &'a mut u64,
}

impl<'de, R: Read<'de>> Payload<'de> for Blocks<'_, R> {
    type Error = Error;

    fn visit_whole<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_seq(self)
    }

    fn visit_parts<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value> {
        visitor.visit_seq(self)
    }
}

impl<'de, R: Read<'de>> SeqAccess<'de> for Blocks<'_, R> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        /// A multiple of every element's size, and what a reader is asked for at once.
        const BLOCK_LEN: usize = 16 * 1024;
        if *self.left == 0 {
            return Ok(None);
        }
        let left = usize::try_from(*self.left).unwrap_or(usize::MAX);
        let byte_len = match R::READS_AHEAD {
            true => left.min(BLOCK_LEN),
            false => left,
        };
        *self.left -= byte_len as u64;
        self.de.decoder.begin_payload(byte_len as u64);
        let block = self.de.decoder.take(byte_len, 0)?;
        give_block(&block, seed).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.hint)
    }
}
