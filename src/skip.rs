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
        let at_hand = self.at_hand();
        let mut short = ShortTokens {
            rest: at_hand,
            left: Left::of(container.extent),
            levels: Levels::new(is_object, self.depth_left()),
        };
        while short.skip_one() {}
        let ShortTokens { rest, left, levels } = short;
        let byte_len = at_hand.len() - rest.len();
        let mut inner = levels.outermost_first(left);
        let outermost = inner.next().map_or(left, |(_, left)| left);
        self.consume_elements(container, outermost.extent(), is_object, byte_len);
        for (is_object, left) in inner {
            let container = self.reopen(left.extent(), is_object);
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

/// A pass over the bytes at hand that knows containers without a type, fixed-size scalars and short
/// text.
struct ShortTokens<'a> {
    rest: &'a [u8],
    /// What may still start in the innermost container.
    left: Left,
    levels: Levels,
}

/// How many elements are left in a container, or that its closing marker ends it.
#[derive(Clone, Copy, Debug, Default)]
struct Left(u64);

impl Left {
    /// From here on: more than any count, whatever is taken off.
    const PLAIN: u64 = 1 << 63;

    fn of(extent: Extent) -> Self {
        match extent {
            Extent::Plain => Self(u64::MAX),
            Extent::Counted(left) => Self(left),
        }
    }

    fn extent(self) -> Extent {
        match self.is_plain() {
            true => Extent::Plain,
            false => Extent::Counted(self.0),
        }
    }

    #[inline]
    fn is_plain(self) -> bool {
        self.0 >= Self::PLAIN
    }
}

impl ShortTokens<'_> {
    /// Skips an element or an entry, its start if it is a container, or the end of such a one; if
    /// what is next is none of these nothing has happened.
    #[inline]
    fn skip_one(&mut self) -> bool {
        if self.left.0 == 0 {
            return self.leave();
        }
        let value = match self.levels.is_object() {
            true => behind_short_key(self.rest),
            false => Some(self.rest),
        };
        if let Some(behind) = value.and_then(behind_short_scalar) {
            self.left.0 -= 1;
            self.rest = behind;
            return true;
        }
        match value {
            Some([start @ (byte::ARRAY_START | byte::OBJECT_START), rest @ ..]) => {
                self.enter(*start == byte::OBJECT_START, rest)
            }
            _ => self.close_plain(),
        }
    }

    /// Enters the container whose header starts `rest`, if it has no type and a short count or none.
    #[inline]
    fn enter(&mut self, is_object: bool, rest: &'_ [u8]) -> bool {
        let (left, header_len) = match rest {
            [byte::COUNT, byte::INT8 | byte::UINT8, count @ 0..=0x7f, ..] => (Left(u64::from(*count)), 3),
            [] | [byte::COUNT | byte::TYPE, ..] => return false,
            _ => (Left::of(Extent::Plain), 0),
        };
        let around = Left(self.left.0 - 1);
        if !self.levels.enter(is_object, around) {
            return false;
        }
        let behind = self.rest.len() - rest.len() + header_len;
        self.rest = self.rest.get(behind..).unwrap_or_default();
        self.left = left;
        true
    }

    /// Skips the closing marker of the innermost container, if it is plain and that is next.
    #[inline]
    fn close_plain(&mut self) -> bool {
        let end = match self.levels.is_object() {
            true => byte::OBJECT_END,
            false => byte::ARRAY_END,
        };
        match self.rest {
            [found, rest @ ..] if *found == end && self.left.is_plain() => {
                let is_inside = self.leave();
                if is_inside {
                    self.rest = rest;
                }
                is_inside
            }
            _ => false,
        }
    }

    /// Goes on in the container around the innermost one, if the pass has entered that.
    #[inline]
    fn leave(&mut self) -> bool {
        match self.levels.leave() {
            Some(around) => {
                self.left = around;
                true
            }
            None => false,
        }
    }
}

/// The containers entered by a pass.
struct Levels {
    /// A bit each, set for objects; the lowest is that of the innermost.
    are_objects: u64,
    /// What is left in those around the innermost.
    around: [Left; MAX_LEVELS],
    depth: usize,
    max_depth: usize,
}

/// So deep goes a pass at most.
const MAX_LEVELS: usize = 32;

impl Levels {
    fn new(is_object: bool, max_depth: usize) -> Self {
        Self {
            are_objects: u64::from(is_object),
            around: [Left::default(); MAX_LEVELS],
            depth: 0,
            max_depth: max_depth.min(MAX_LEVELS),
        }
    }

    #[inline]
    fn is_object(&self) -> bool {
        self.are_objects & 1 == 1
    }

    #[inline]
    fn enter(&mut self, is_object: bool, around: Left) -> bool {
        match self.around.get_mut(self.depth) {
            Some(place) if self.depth < self.max_depth => *place = around,
            _ => return false,
        }
        self.are_objects = self.are_objects << 1 | u64::from(is_object);
        self.depth += 1;
        true
    }

    /// What is left in the container around the one that is left.
    #[inline]
    fn leave(&mut self) -> Option<Left> {
        self.depth = self.depth.checked_sub(1)?;
        self.are_objects >>= 1;
        self.around.get(self.depth).copied()
    }

    /// Whether each container is an object, and what is left in it, the one around the pass first.
    fn outermost_first(self, innermost: Left) -> impl Iterator<Item = (bool, Left)> {
        let lefts = self.around.into_iter().take(self.depth).chain([innermost]);
        let objects = (0..=self.depth)
            .rev()
            .map(move |level| self.are_objects >> level & 1 == 1);
        objects.zip(lefts)
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
