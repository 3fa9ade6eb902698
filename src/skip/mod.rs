//! Skipping a value: checked like any other, without recursion and by arithmetic where possible.

mod short_tokens;

use alloc::vec::Vec;

use self::short_tokens::ShortTokens;
use crate::decode::{Container, Decoder, Extent, is_utf8};
use crate::error::{Error, ErrorCode, Expected, Result};
use crate::marker::{Marker, byte};
use crate::number;
use crate::read::{Read, Reference};

/// A container whose elements are being skipped.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Open {
    Array(Container),
    Object(Container),
}

impl<'de, R: Read<'de>> Decoder<R> {
    /// Consumes the next value, with all that is in it.
    pub(crate) fn skip_value(&mut self) -> Result<()> {
        let marker = self.marker()?;
        self.skip_payload(marker)
    }

    /// Consumes the value whose marker was consumed.
    pub(crate) fn skip_payload(&mut self, marker: u8) -> Result<()> {
        if let Some(open) = self.skip_or_open(marker)? {
            self.skip_elements(open)?;
            self.leave();
        }
        Ok(())
    }

    /// Consumes what is left of a container that has been read up to the end of an element, its
    /// end included, without leaving it.
    pub(crate) fn skip_rest(&mut self, mut open: Open) -> Result<()> {
        if let Open::Array(array) = &mut open {
            self.skip_fixed_elements(array)?;
        }
        self.skip_elements(open)
    }

    fn skip_elements(&mut self, mut open: Open) -> Result<()> {
        let mut outer = Vec::new();
        loop {
            self.skip_short_tokens(&mut open, &mut outer);
            if self.next_value(&mut open)? {
                let marker = self.marker()?;
                if let Some(inner) = self.skip_or_open(marker)? {
                    outer.push(open);
                    open = inner;
                }
                continue;
            }
            match outer.pop() {
                Some(container) => open = container,
                None => return Ok(()),
            }
            self.leave();
        }
    }

    /// Moves to the next value in a container; false at its end, which is consumed.
    #[inline]
    pub(crate) fn next_value(&mut self, open: &mut Open) -> Result<bool> {
        match open {
            Open::Array(array) => self.next_element(array),
            Open::Object(object) => self.skip_key(object),
        }
    }

    /// Consumes the next value like [`skip_value`](Self::skip_value) and gives out its bytes, with
    /// the marker that a typed container left out; they may be put into `scratch`.
    pub(crate) fn raw_value<'s>(&mut self, scratch: &'s mut Vec<u8>) -> Result<Reference<'de, 's>> {
        let marker = self.peek_marker()?;
        scratch.clear();
        if self.is_elided() {
            scratch.push(marker);
        }
        self.begin_recording();
        let skipped = self.skip_value();
        let recorded = self.end_recording(scratch);
        skipped?;
        match recorded {
            Some(bytes) if scratch.is_empty() => Ok(Reference::Borrowed(bytes)),
            Some(bytes) => {
                scratch.extend_from_slice(bytes);
                Ok(Reference::Transient(scratch))
            }
            None => Ok(Reference::Transient(scratch)),
        }
    }

    /// Skips elements or entries for as long as they are short and wholly at hand: most of most
    /// documents, in one pass over the bytes. What comes then is left to the general way; plain
    /// containers that are open by then are put into `outer`.
    #[inline]
    fn skip_short_tokens(&mut self, open: &mut Open, outer: &mut Vec<Open>) {
        let (container, is_object) = match open {
            Open::Array(array) => (array, false),
            Open::Object(object) => (object, true),
        };
        if container.element.is_some() {
            return;
        }
        let at_hand = self.at_hand();
        let checks_text = !self.limits().lossy_utf8;
        let mut short = ShortTokens::new(at_hand, container.extent, is_object, self.depth_left(), checks_text);
        short.skip();
        let byte_len = at_hand.len() - short.rest().len();
        let mut levels = short.outermost_first();
        let outermost = levels.next().map_or(container.extent, |(_, extent)| extent);
        self.consume_elements(container, outermost, is_object, byte_len);
        for (is_object, extent) in levels {
            let container = self.reopen(extent, is_object);
            let inner = match is_object {
                true => Open::Object(container),
                false => Open::Array(container),
            };
            outer.push(core::mem::replace(open, inner));
        }
    }

    /// Skips a scalar whose marker was consumed, or enters a container.
    #[inline]
    pub(crate) fn skip_or_open(&mut self, marker: u8) -> Result<Option<Open>> {
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

    /// Skips the next key of an object; false at the object's end, which is consumed.
    pub(crate) fn skip_key(&mut self, object: &mut Container) -> Result<bool> {
        let Some(byte_len) = self.next_key_len(object)? else {
            return Ok(false);
        };
        self.skip_key_text(byte_len, object)?;
        self.begin_value(object);
        Ok(true)
    }

    /// Skips the key whose length has been read.
    pub(crate) fn skip_key_text(&mut self, byte_len: usize, object: &Container) -> Result<()> {
        let offset = self.offset();
        let lossy = self.limits().lossy_utf8;
        check_text(&self.key(byte_len, object)?, offset, lossy)
    }

    fn skip_string(&mut self) -> Result<()> {
        let byte_len = self.byte_length(Expected::StringLength, 0)?;
        let offset = self.offset();
        let lossy = self.limits().lossy_utf8;
        check_text(&self.take(byte_len, 0)?, offset, lossy)
    }

    fn skip_number(&mut self) -> Result<()> {
        let (text, offset) = self.number_text()?;
        match number::validate(text.as_bytes()) {
            Some(_) => Ok(()),
            None => Err(Error::new(ErrorCode::InvalidNumber, offset)),
        }
    }
}

/// Checks a text that nobody will read, unless it may be anything.
#[inline]
pub(crate) fn check_text(bytes: &Reference<'_, '_>, offset: u64, may_be_anything: bool) -> Result<()> {
    match may_be_anything || is_utf8(bytes.as_bytes()) {
        true => Ok(()),
        false => Err(Error::new(ErrorCode::InvalidUtf8, offset)),
    }
}
