//! Skipping a value: checked like any other, without recursion and by arithmetic where possible.

use alloc::vec::Vec;

use crate::decode::{Container, Decoder, Extent, utf8};
use crate::error::{Error, ErrorCode, Expected, Result};
use crate::marker::{Marker, byte};
use crate::number;
use crate::read::Read;

/// A container whose elements are being skipped.
#[derive(Clone, Copy)]
enum Open {
    Array(Container),
    Object(Container),
}

impl<'de, R: Read<'de>> Decoder<R> {
    /// Consumes the next value, with all that is in it.
    pub(crate) fn skip_value(&mut self) -> Result<()> {
        let marker = self.marker()?;
        let Some(outermost) = self.skip_or_open(marker)? else {
            return Ok(());
        };
        let mut outer = Vec::new();
        let mut open = outermost;
        loop {
            let value_follows = match &mut open {
                Open::Array(array) => self.next_element(array)?,
                Open::Object(object) => self.skip_key(object)?,
            };
            if !value_follows {
                self.leave();
                match outer.pop() {
                    Some(container) => open = container,
                    None => return Ok(()),
                }
                continue;
            }
            let marker = self.marker()?;
            if let Some(inner) = self.skip_or_open(marker)? {
                outer.push(open);
                open = inner;
            }
        }
    }

    /// Skips a scalar whose marker was consumed, or enters a container.
    #[inline]
    fn skip_or_open(&mut self, marker: u8) -> Result<Option<Open>> {
        match marker {
            byte::NULL | byte::TRUE | byte::FALSE => {}
            byte::INT8 | byte::UINT8 => drop(self.payload::<1>()?),
            byte::INT16 => drop(self.payload::<2>()?),
            byte::INT32 | byte::FLOAT32 => drop(self.payload::<4>()?),
            byte::INT64 | byte::FLOAT64 => drop(self.payload::<8>()?),
            byte::CHAR => drop(self.char()?),
            byte::STRING => self.skip_string()?,
            byte::HIGH_PRECISION => self.skip_number()?,
            byte::ARRAY_START => {
                let mut array = self.open_array()?;
                self.skip_fixed_elements(&mut array)?;
                return Ok(Some(Open::Array(array)));
            }
            byte::OBJECT_START => return self.open_object().map(|object| Some(Open::Object(object))),
            found => return Err(self.unexpected_marker(found, Expected::Value)),
        }
        Ok(None)
    }

    /// Skips the elements of a typed array whose size follows from their number.
    fn skip_fixed_elements(&mut self, array: &mut Container) -> Result<()> {
        let (Some(element), Extent::Counted(count)) = (array.element, array.extent) else {
            return Ok(());
        };
        let Some(element_len) = element.payload_len() else {
            return Ok(());
        };
        // A char may be invalid, so each is looked at.
        if element != Marker::Char {
            let byte_len = count.saturating_mul(element_len as u64);
            array.extent = Extent::Counted(0);
            self.skip_bytes(byte_len)?;
        }
        Ok(())
    }

    fn skip_key(&mut self, object: &mut Container) -> Result<bool> {
        let Some(byte_len) = self.next_key_len(object)? else {
            return Ok(false);
        };
        let offset = self.offset();
        utf8(self.key(byte_len, object)?.as_bytes(), offset)?;
        self.begin_value(object);
        Ok(true)
    }

    fn skip_string(&mut self) -> Result<()> {
        let byte_len = self.byte_length(Expected::StringLength, 0)?;
        let offset = self.offset();
        utf8(self.take(byte_len, 0)?.as_bytes(), offset)?;
        Ok(())
    }

    fn skip_number(&mut self) -> Result<()> {
        let (text, offset) = self.number_text()?;
        match number::validate(text.as_bytes()) {
            Some(_) => Ok(()),
            None => Err(Error::new(ErrorCode::InvalidNumber, offset)),
        }
    }
}
