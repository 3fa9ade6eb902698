//! Skipping a value: checked like any other, without recursion and by arithmetic where possible.

use alloc::vec::Vec;

use crate::decode::{Container, Decoder, Extent, is_ascii, utf8};
use crate::error::{Error, ErrorCode, Expected, Result};
use crate::marker::{FIXED_TOKEN_LEN, Marker, byte};
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
        let left = match container.extent {
            Extent::Plain => u64::MAX,
            Extent::Counted(left) => left,
        };
        let at_hand = self.at_hand();
        let mut short = ShortTokens {
            rest: at_hand,
            left,
            inner: PlainLevels::new(is_object, self.depth_left()),
        };
        while short.skip_one() {}
        let ShortTokens { rest, left, inner } = short;
        let byte_len = at_hand.len() - rest.len();
        self.consume_elements(container, left, is_object, byte_len);
        for is_object in inner.outermost_first() {
            let container = self.open_plain();
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

/// A pass over the bytes at hand that knows plain containers, fixed-size scalars and short text.
struct ShortTokens<'a> {
    rest: &'a [u8],
    /// How many elements may still start in the container that the pass began in.
    left: u64,
    inner: PlainLevels,
}

impl ShortTokens<'_> {
    /// Skips an element or an entry, its start if it is a plain container, or the end of such a
    /// one; if what is next is none of these nothing has happened.
    #[inline]
    fn skip_one(&mut self) -> bool {
        if self.left == 0 && self.inner.depth == 0 {
            return false;
        }
        let value = match self.inner.is_object() {
            true => behind_short_key(self.rest),
            false => Some(self.rest),
        };
        if let Some(behind) = value.and_then(behind_short_scalar) {
            self.left -= u64::from(self.inner.depth == 0);
            self.rest = behind;
            return true;
        }
        match value {
            Some([start @ (byte::ARRAY_START | byte::OBJECT_START), rest @ ..])
                if rest
                    .first()
                    .is_some_and(|next| !matches!(*next, byte::TYPE | byte::COUNT)) =>
            {
                let starts_element = u64::from(self.inner.depth == 0);
                let entered = self.inner.enter(*start == byte::OBJECT_START);
                if entered {
                    self.left -= starts_element;
                    self.rest = rest;
                }
                entered
            }
            _ => match self.rest {
                [end, rest @ ..] if self.inner.leave(*end) => {
                    self.rest = rest;
                    true
                }
                _ => false,
            },
        }
    }
}

/// The plain containers entered by a pass: a bit each, set for objects.
struct PlainLevels {
    are_objects: u64,
    depth: u32,
    max_depth: u32,
}

impl PlainLevels {
    fn new(is_object: bool, max_depth: usize) -> Self {
        Self {
            are_objects: u64::from(is_object),
            depth: 0,
            // One bit is that of the container around them.
            max_depth: u32::try_from(max_depth).unwrap_or(u32::MAX).min(u64::BITS - 1),
        }
    }

    #[inline]
    fn is_object(&self) -> bool {
        self.are_objects & 1 == 1
    }

    #[inline]
    fn enter(&mut self, is_object: bool) -> bool {
        let may_enter = self.depth < self.max_depth;
        if may_enter {
            self.are_objects = self.are_objects << 1 | u64::from(is_object);
            self.depth += 1;
        }
        may_enter
    }

    /// Leaves the innermost container if there is one that `end` ends.
    #[inline]
    fn leave(&mut self, end: u8) -> bool {
        let expected = if self.is_object() {
            byte::OBJECT_END
        } else {
            byte::ARRAY_END
        };
        let ends = self.depth > 0 && end == expected;
        if ends {
            self.are_objects >>= 1;
            self.depth -= 1;
        }
        ends
    }

    /// Whether each is an object.
    fn outermost_first(self) -> impl Iterator<Item = bool> {
        (0..self.depth)
            .rev()
            .map(move |level| self.are_objects >> level & 1 == 1)
    }
}

/// What is behind a short key that is wholly in `bytes`, before its value.
#[inline]
fn behind_short_key(bytes: &[u8]) -> Option<&[u8]> {
    match bytes {
        [byte::INT8 | byte::UINT8, byte_len @ 0..=0x7f, text @ ..] => behind_ascii(text, *byte_len),
        _ => None,
    }
}

/// What is behind a scalar of fixed size or a short string that is wholly in `bytes`.
#[inline]
fn behind_short_scalar(bytes: &[u8]) -> Option<&[u8]> {
    let (&marker, rest) = bytes.split_first()?;
    match marker {
        byte::STRING => behind_short_key(rest),
        byte::CHAR => behind_ascii(rest, 1),
        _ => match FIXED_TOKEN_LEN[usize::from(marker)] {
            0 => None,
            byte_len => bytes.get(usize::from(byte_len)..),
        },
    }
}

#[inline]
fn behind_ascii(text: &[u8], byte_len: u8) -> Option<&[u8]> {
    let (text, rest) = text.split_at_checked(usize::from(byte_len))?;
    is_ascii(text).then_some(rest)
}

/// Checks a text that nobody will read.
#[inline]
fn check_text(bytes: &Reference<'_, '_>, offset: u64, lossy: bool) -> Result<()> {
    match utf8(bytes.as_bytes(), offset) {
        Err(error) if !lossy => Err(error),
        _ => Ok(()),
    }
}
