//! Arrays that may turn out to hold one scalar type: `[$type#count` without a second pass.
//!
//! Elements go into the block as they will stand in a typed array, integers in the smallest width
//! so far. A wider integer widens what is there, at most four times. When another type comes, or
//! the typed form would be longer, what is there is written again in the plain form: from the
//! block, never from the user's values. Meanwhile the block is not written out.

use crate::encode::{Encoder, count_len};
use crate::error::Result;
use crate::marker::{Marker, byte};
use crate::ser::Integers;
use crate::write::Write;

/// A scalar that a typed array can hold, as it came from the user.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Scalar {
    /// Written in the smallest width.
    Integer(i64),
    /// A `u8`, among its like always uint8, as `serialize_bytes` has it.
    Byte(u8),
    /// Written in the width of the marker, which holds the value.
    Declared(Marker, i64),
    Float32(f32),
    Float64(f64),
    /// Written as float32 where nothing is lost.
    CompactFloat(f64),
    Char(u8),
}

/// What may still join the array.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Class {
    /// Nothing: no such array is open.
    #[default]
    Closed,
    Integers,
    Bytes,
    CompactFloats,
    /// Scalars whose marker is the array's.
    Same,
}

/// An array whose elements so far have one type.
#[derive(Clone, Copy, Debug)]
pub(super) struct TypedArray {
    class: Class,
    element: Marker,
    /// Where in the block the array starts.
    start: usize,
    /// Where its elements start, behind the header if there is one yet.
    payload_start: usize,
}

/// The smallest marker that holds `value`.
pub(super) fn smallest(value: i64) -> Marker {
    if i8::try_from(value).is_ok() {
        Marker::Int8
    } else if u8::try_from(value).is_ok() {
        Marker::Uint8
    } else if i16::try_from(value).is_ok() {
        Marker::Int16
    } else if i32::try_from(value).is_ok() {
        Marker::Int32
    } else {
        Marker::Int64
    }
}

/// `value` as float32, if that loses nothing.
#[expect(clippy::cast_possible_truncation, reason = "what it loses is looked at")]
pub(crate) fn as_float32(value: f64) -> Option<f32> {
    let narrow = value as f32;
    (f64::from(narrow).to_bits() == value.to_bits()).then_some(narrow)
}

/// The bits of an integer without its sign: those that its width must hold.
macro_rules! magnitude {
    ($value:expr) => {
        $value ^ ($value >> (8 * size_of_val(&$value) - 1))
    };
}

/// The big-endian integer that `payload` is, with the sign that `element` says.
fn integer(element: Marker, payload: &[u8]) -> i64 {
    match (element, payload) {
        (Marker::Uint8, &[byte]) => i64::from(byte),
        (_, &[byte]) => i64::from(i8::from_be_bytes([byte])),
        (_, &[a, b]) => i64::from(i16::from_be_bytes([a, b])),
        (_, &[a, b, c, d]) => i64::from(i32::from_be_bytes([a, b, c, d])),
        _ => payload.first_chunk().map_or(0, |bytes| i64::from_be_bytes(*bytes)),
    }
}

/// The float64 that `payload` is.
fn float(payload: &[u8]) -> f64 {
    match *payload {
        [a, b, c, d] => f64::from(f32::from_be_bytes([a, b, c, d])),
        _ => payload.first_chunk().map_or(0.0, |bytes| f64::from_be_bytes(*bytes)),
    }
}

impl Scalar {
    fn class(self) -> Class {
        match self {
            Self::Integer(_) => Class::Integers,
            Self::Byte(_) => Class::Bytes,
            Self::CompactFloat(_) => Class::CompactFloats,
            Self::Declared(..) | Self::Float32(_) | Self::Float64(_) | Self::Char(_) => Class::Same,
        }
    }

    fn marker(self) -> Marker {
        match self {
            Self::Integer(value) => smallest(value),
            Self::Byte(_) => Marker::Uint8,
            Self::Declared(marker, _) => marker,
            Self::Float32(_) => Marker::Float32,
            Self::Float64(_) => Marker::Float64,
            Self::CompactFloat(value) => as_float32(value).map_or(Marker::Float64, |_| Marker::Float32),
            Self::Char(_) => Marker::Char,
        }
    }
}

impl Default for TypedArray {
    fn default() -> Self {
        Self {
            class: Class::default(),
            element: Marker::Int8,
            start: 0,
            payload_start: 0,
        }
    }
}

impl TypedArray {
    fn element_len(&self) -> usize {
        self.element.payload_len().unwrap_or_default()
    }
}

impl<W: Write> Encoder<W> {
    /// Whether an array of `declared` elements that starts with `first` could be written typed.
    #[inline]
    pub(crate) fn may_be_typed(&self, declared: Option<usize>, first: Scalar) -> bool {
        declared.is_none_or(|count| match first {
            Scalar::Byte(_) => count >= count_len(count, self.config().counts),
            // The header costs two bytes and a count more than brackets, and saves a byte an element.
            _ => count >= 2 + count_len(count, self.config().counts),
        })
    }

    /// Starts an array that may become a typed one, with its first element.
    pub(crate) fn begin_typed(&mut self, declared: Option<usize>, first: Scalar) -> Result<()> {
        /// What a declared length reserves at the most; behind it the block grows as elements come.
        const MAX_RESERVED: usize = 1 << 16;
        let start = self.block.len();
        let element = first.marker();
        if let Some(count) = declared {
            self.typed_header(element, count)?;
        }
        self.typed = TypedArray {
            class: first.class(),
            element,
            start,
            payload_start: self.block.len(),
        };
        let count = declared.unwrap_or_default().min(MAX_RESERVED);
        self.block.reserve(self.typed.element_len() * count);
        self.push_typed(first);
        Ok(())
    }

    fn typed_header(&mut self, element: Marker, count: usize) -> Result<()> {
        let header = [byte::ARRAY_START, byte::TYPE, element.to_byte(), byte::COUNT];
        self.block.extend_from_slice(&header);
        self.length(count, self.config().counts)
    }

    /// Adds a byte to an array of bytes, if that is what is open: the fast path of
    /// [`push_typed`](Self::push_typed), as are the next two.
    #[inline]
    pub(crate) fn push_byte(&mut self, value: u8) -> bool {
        let fits = self.typed.class == Class::Bytes;
        if fits {
            self.block.push(value);
        }
        fits
    }

    #[inline]
    pub(crate) fn push_float<const N: usize>(&mut self, marker: Marker, payload: [u8; N]) -> bool {
        let fits = self.typed.class == Class::Same && self.typed.element == marker;
        if fits {
            self.block.extend_from_slice(&payload);
        }
        fits
    }

    #[inline]
    pub(crate) fn push_integer(&mut self, value: i64) -> bool {
        let fits = self.typed.class == Class::Integers && self.holds(value);
        if fits {
            self.put_integer(self.typed.element, value);
        }
        fits
    }

    /// Whether the open array is one of floats or bytes with this marker.
    #[inline]
    pub(crate) fn is_typed_as(&self, element: Marker) -> bool {
        matches!(self.typed.class, Class::Same | Class::Bytes) && self.typed.element == element
    }

    /// Whether the open array is one of integers in the smallest common width.
    #[inline]
    pub(crate) fn is_typed_as_integers(&self) -> bool {
        self.typed.class == Class::Integers
    }

    /// Adds elements of the open array's type.
    #[inline]
    pub(crate) fn extend_typed<const N: usize>(&mut self, payloads: &[[u8; N]]) {
        self.block.extend_from_slice(payloads.as_flattened());
    }

    /// Adds integers to the open array of integers.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the width was made to hold them"
    )]
    pub(crate) fn extend_typed_integers(&mut self, values: &[i64]) {
        // The widest of them, up to its bits and the sign.
        let (bits, signs) = values.iter().fold((0, 0), |(bits, signs), &value| {
            (bits | magnitude!(value), signs | value)
        });
        let least = if signs < 0 { !bits } else { 0 };
        for extreme in [bits, least] {
            if !self.holds(extreme) {
                self.widen_integers(extreme);
            }
        }
        let element = self.typed.element;
        self.block.reserve(values.len() * self.typed.element_len());
        match element {
            Marker::Int8 | Marker::Uint8 => self.put_integers(values, |value| (value as u8).to_be_bytes()),
            Marker::Int16 => self.put_integers(values, |value| (value as i16).to_be_bytes()),
            Marker::Int32 => self.put_integers(values, |value| (value as i32).to_be_bytes()),
            _ => self.put_integers(values, i64::to_be_bytes),
        }
    }

    #[inline]
    fn put_integers<const N: usize>(&mut self, values: &[i64], payload: impl Fn(i64) -> [u8; N]) {
        let start = self.block.len();
        self.block.resize(start + N * values.len(), 0);
        let places = self.block.get_mut(start..).unwrap_or_default();
        for (place, value) in places.chunks_exact_mut(N).zip(values) {
            place.copy_from_slice(&payload(*value));
        }
    }

    /// Whether the width so far of the open array of integers holds `value`.
    #[inline]
    fn holds(&self, value: i64) -> bool {
        match self.typed.element {
            Marker::Int8 => i8::try_from(value).is_ok(),
            Marker::Uint8 => u8::try_from(value).is_ok(),
            Marker::Int16 => i16::try_from(value).is_ok(),
            Marker::Int32 => i32::try_from(value).is_ok(),
            _ => true,
        }
    }

    /// Adds an element if the array can hold it; else the array is to be
    /// [untyped](Self::untype).
    #[inline(never)]
    pub(crate) fn push_typed(&mut self, scalar: Scalar) -> bool {
        match (self.typed.class, scalar) {
            (Class::Bytes, Scalar::Byte(value)) => return self.push_byte(value),
            (Class::Integers, Scalar::Byte(value)) => self.push_any_integer(i64::from(value)),
            (Class::Integers, Scalar::Integer(value)) => self.push_any_integer(value),
            (Class::Bytes, Scalar::Integer(value)) => {
                self.typed.class = Class::Integers;
                self.push_any_integer(value);
            }
            (Class::CompactFloats, Scalar::CompactFloat(value)) => self.push_compact_float(value),
            (Class::Same, Scalar::Float64(value)) => return self.push_float(Marker::Float64, value.to_be_bytes()),
            (Class::Same, Scalar::Float32(value)) => return self.push_float(Marker::Float32, value.to_be_bytes()),
            (Class::Same, Scalar::Declared(marker, value)) if self.typed.element == marker => {
                self.put_integer(marker, value);
            }
            (Class::Same, Scalar::Char(value)) if self.typed.element == Marker::Char => self.block.push(value),
            _ => return false,
        }
        true
    }

    fn push_any_integer(&mut self, value: i64) {
        if !self.holds(value) {
            self.widen_integers(value);
        }
        self.put_integer(self.typed.element, value);
    }

    /// The payload of `value` in a width that holds it.
    #[inline]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the caller chose a width that fits"
    )]
    fn put_integer(&mut self, element: Marker, value: i64) {
        match element {
            Marker::Int8 | Marker::Uint8 => self.block.push(value as u8),
            Marker::Int16 => self.block.extend_from_slice(&(value as i16).to_be_bytes()),
            Marker::Int32 => self.block.extend_from_slice(&(value as i32).to_be_bytes()),
            _ => self.block.extend_from_slice(&value.to_be_bytes()),
        }
    }

    #[inline]
    fn push_compact_float(&mut self, value: f64) {
        match (self.typed.element, as_float32(value)) {
            (Marker::Float32, Some(narrow)) => self.block.extend_from_slice(&narrow.to_be_bytes()),
            (Marker::Float32, None) => {
                self.rewrite_payload(Marker::Float64, |encoder, payload| {
                    encoder.block.extend_from_slice(&float(payload).to_be_bytes());
                });
                self.block.extend_from_slice(&value.to_be_bytes());
            }
            _ => self.block.extend_from_slice(&value.to_be_bytes()),
        }
    }

    fn typed_count(&self) -> usize {
        self.typed_payload().len() / self.typed.element_len().max(1)
    }

    fn typed_payload(&self) -> &[u8] {
        self.block.get(self.typed.payload_start..).unwrap_or_default()
    }

    /// Gives the array the smallest type that holds its elements and `value`.
    #[cold]
    fn widen_integers(&mut self, value: i64) {
        let old = self.typed.element;
        let element = match (old, smallest(value)) {
            // Bytes below 128 are the same in both.
            (Marker::Int8, Marker::Uint8) | (Marker::Uint8, Marker::Int8) => match self.typed_payload().is_ascii() {
                true => smallest(value),
                false => Marker::Int16,
            },
            (_, wider) => wider,
        };
        self.rewrite_payload(element, |encoder, payload| {
            encoder.put_integer(element, integer(old, payload));
        });
    }

    /// Writes the elements again behind themselves, as `element`, and closes the gap.
    fn rewrite_payload(&mut self, element: Marker, put: impl Fn(&mut Self, &[u8])) {
        let array = self.typed;
        if array.element.payload_len() != element.payload_len() {
            let end = self.block.len();
            self.for_each_element(end, put);
            self.block.drain(array.payload_start..end);
        }
        self.typed.element = element;
        if array.payload_start > array.start {
            // The header's third byte is the type.
            if let Some(marker) = self.block.get_mut(array.start + 2) {
                *marker = element.to_byte();
            }
        }
    }

    /// Calls `put` with each element's payload, which lies in the block before `end`.
    fn for_each_element(&mut self, end: usize, put: impl Fn(&mut Self, &[u8])) {
        let element_len = self.typed.element_len();
        for at in (self.typed.payload_start..end).step_by(element_len.max(1)) {
            let mut copy = [0; 8];
            let payload = self.block.get(at..at + element_len).unwrap_or_default();
            if let Some(copy) = copy.get_mut(..payload.len()) {
                copy.copy_from_slice(payload);
                put(self, copy);
            }
        }
    }

    /// Writes what is there again as an array that is open for any element, counted if a count is
    /// given.
    #[cold]
    pub(crate) fn untype(&mut self, count: Option<usize>) -> Result<()> {
        let end = self.block.len();
        self.array_header(count)?;
        self.for_each_element(end, Self::put_element);
        self.block.drain(self.typed.start..end);
        self.typed.class = Class::Closed;
        self.settle()
    }

    /// An element with its marker, as it stands outside of typed arrays.
    fn put_element(&mut self, payload: &[u8]) {
        let marker = match (self.typed.class, self.typed.element) {
            (Class::Bytes, element) if self.config().integers == Integers::Declared => element,
            (Class::Integers | Class::Bytes, element) => {
                let value = integer(element, payload);
                let marker = smallest(value);
                self.block.push(marker.to_byte());
                return self.put_integer(marker, value);
            }
            (Class::CompactFloats, Marker::Float64) => {
                if let Some(narrow) = as_float32(float(payload)) {
                    self.block.push(byte::FLOAT32);
                    return self.block.extend_from_slice(&narrow.to_be_bytes());
                }
                Marker::Float64
            }
            (_, element) => element,
        };
        self.block.push(marker.to_byte());
        self.block.extend_from_slice(payload);
    }

    /// Ends the array in the typed form if that is not longer than the plain one; else `false`,
    /// and it is to be [untyped](Self::untype) and closed.
    pub(crate) fn end_typed(&mut self) -> Result<bool> {
        let uint8_integers = self.typed.class == Class::Integers && self.typed.element == Marker::Uint8;
        if uint8_integers && self.typed_payload().is_ascii() {
            self.rewrite_payload(Marker::Int8, |_, _| {});
        }
        if !self.is_typed_short() {
            return Ok(false);
        }
        if self.typed.payload_start == self.typed.start {
            self.insert_typed_header()?;
        }
        self.typed.class = Class::Closed;
        self.leave();
        self.settle()?;
        Ok(true)
    }

    /// Whether the typed form is not longer than the plain one.
    fn is_typed_short(&self) -> bool {
        let array = self.typed;
        let count = self.typed_count();
        let overhead = 2 + count_len(count, self.config().counts);
        // The plain form has a marker an element more, and less for elements that are smaller
        // alone than in the width common to all.
        let saved = count;
        let lost: usize = match (array.class, array.element) {
            // As `serialize_bytes`, where that costs at most two bytes and no more than a count.
            (Class::Bytes, _) if array.payload_start > array.start => return saved + 2 >= overhead,
            (Class::Integers, Marker::Int16) => self.lost(|payload| {
                let value = i16::from_be_bytes(payload);
                u32::from(magnitude!(value) < 0x80 || value & !0xff == 0)
            }),
            (Class::Integers, Marker::Int32) => self.lost(|payload| {
                let value = i32::from_be_bytes(payload);
                let bits = magnitude!(value);
                2 * u32::from(bits < 0x8000) + u32::from(bits < 0x80 || value & !0xff == 0)
            }),
            (Class::Integers, Marker::Int64) => self.lost(|payload| {
                let value = i64::from_be_bytes(payload);
                let bits = magnitude!(value);
                4 * u32::from(bits < 0x8000_0000)
                    + 2 * u32::from(bits < 0x8000)
                    + u32::from(bits < 0x80 || value & !0xff == 0)
            }),
            (Class::CompactFloats, Marker::Float64) => {
                self.lost(|payload| 4 * u32::from(as_float32(f64::from_be_bytes(payload)).is_some()))
            }
            _ => 0,
        };
        saved >= overhead.saturating_add(lost)
    }

    /// The sum of what each element's payload would save if it stood alone.
    fn lost<const N: usize>(&self, saving: impl Fn([u8; N]) -> u32) -> usize {
        // Few enough for a narrow sum, which vectorises better.
        const ELEMENTS: usize = 1 << 12;
        let mut sum = 0;
        for payloads in self.typed_payload().chunks(N * ELEMENTS) {
            let mut part = 0;
            for payload in payloads.chunks_exact(N) {
                let mut element = [0; N];
                element.copy_from_slice(payload);
                part += saving(element);
            }
            sum += part as usize;
        }
        sum
    }

    /// Puts the header before the elements of an array whose length was not known.
    fn insert_typed_header(&mut self) -> Result<()> {
        let TypedArray { element, start, .. } = self.typed;
        let count = self.typed_count();
        let end = self.block.len();
        self.typed_header(element, count)?;
        let array = self.block.get_mut(start..).unwrap_or_default();
        array.rotate_left(end - start);
        Ok(())
    }
}
