//! Arrays that may turn out to hold one scalar type: `[$type#count` without a second pass.
//!
//! Elements go into the block as they will stand in a typed array, integers in the smallest width
//! so far. A wider integer widens what is there, at most four times. When another type comes, or
//! the typed form would be longer, what is there is written again in the plain form: from the
//! block, never from the user's values. Meanwhile the block is not written out.

use crate::encode::Encoder;
use crate::error::Result;
use crate::marker::{Marker, byte};
use crate::ser::Lengths;
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Integers,
    Bytes,
    CompactFloats,
    /// Scalars whose marker is the array's.
    Same,
}

/// An array whose elements so far have one type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TypedArray {
    class: Class,
    element: Marker,
    /// Where in the block the array starts.
    start: usize,
    /// Where its elements start, behind the header if there is one yet.
    payload_start: usize,
    count: usize,
}

/// The smallest marker that holds `value`.
fn smallest(value: i64) -> Marker {
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

/// The big-endian integer that `payload` is, with the sign that `element` says.
fn integer(element: Marker, payload: &[u8]) -> i64 {
    match (element, payload) {
        (Marker::Uint8, &[byte]) => i64::from(byte),
        (_, &[byte]) => i64::from(byte.cast_signed()),
        (_, &[a, b]) => i64::from(i16::from_be_bytes([a, b])),
        (_, &[a, b, c, d]) => i64::from(i32::from_be_bytes([a, b, c, d])),
        (_, &[a, b, c, d, e, f, g, h]) => i64::from_be_bytes([a, b, c, d, e, f, g, h]),
        _ => 0,
    }
}

/// The float64 that `payload` is.
fn float(payload: &[u8]) -> f64 {
    match *payload {
        [a, b, c, d] => f64::from(f32::from_be_bytes([a, b, c, d])),
        [a, b, c, d, e, f, g, h] => f64::from_be_bytes([a, b, c, d, e, f, g, h]),
        _ => 0.0,
    }
}

/// How many bytes a count takes with its marker.
fn count_len(count: usize, profile: Lengths) -> usize {
    match profile {
        Lengths::Int32 => 5,
        Lengths::Int64 => 9,
        Lengths::Smallest | Lengths::Uint8First => match count {
            0..=0xff => 2,
            0x100..=0x7fff => 3,
            0x8000..=0x7fff_ffff => 5,
            _ => 9,
        },
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
            Scalar::Byte(_) => count >= count_len(count, self.counts),
            // The header costs two bytes and a count more than brackets, and saves a byte an element.
            _ => count >= 2 + count_len(count, self.counts),
        })
    }

    /// Starts an array that may become a typed one, with its first element.
    pub(crate) fn begin_typed(&mut self, declared: Option<usize>, first: Scalar) -> Result<TypedArray> {
        /// What a declared length reserves at the most; behind it the block grows as elements come.
        const MAX_RESERVED: usize = 1 << 16;
        let mut array = TypedArray {
            class: first.class(),
            element: first.marker(),
            start: self.block.len(),
            payload_start: self.block.len(),
            count: 0,
        };
        if let Some(count) = declared {
            self.typed_header(array.element, count)?;
            array.payload_start = self.block.len();
            self.block.reserve(array.element_len() * count.min(MAX_RESERVED));
        }
        self.push_typed(&mut array, first);
        Ok(array)
    }

    fn typed_header(&mut self, element: Marker, count: usize) -> Result<()> {
        let header = [byte::ARRAY_START, byte::TYPE, element.to_byte(), byte::COUNT];
        self.block.extend_from_slice(&header);
        self.length(count, self.counts)
    }

    /// Adds an element if the array can hold it; else the array is to be
    /// [opened](Self::untype) in another form.
    #[inline]
    pub(crate) fn push_typed(&mut self, array: &mut TypedArray, scalar: Scalar) -> bool {
        match (array.class, scalar) {
            (Class::Bytes, Scalar::Byte(value)) => self.block.push(value),
            (Class::Integers, Scalar::Byte(value)) => self.push_integer(array, i64::from(value)),
            (Class::Integers, Scalar::Integer(value)) => self.push_integer(array, value),
            (Class::Bytes, Scalar::Integer(value)) => {
                array.class = Class::Integers;
                self.push_integer(array, value);
            }
            (Class::CompactFloats, Scalar::CompactFloat(value)) => self.push_compact_float(array, value),
            (Class::Same, Scalar::Float64(value)) if array.element == Marker::Float64 => {
                self.block.extend_from_slice(&value.to_be_bytes());
            }
            (Class::Same, Scalar::Float32(value)) if array.element == Marker::Float32 => {
                self.block.extend_from_slice(&value.to_be_bytes());
            }
            (Class::Same, Scalar::Declared(marker, value)) if array.element == marker => {
                self.put_integer(marker, value);
            }
            (Class::Same, Scalar::Char(value)) if array.element == Marker::Char => self.block.push(value),
            _ => return false,
        }
        array.count += 1;
        true
    }

    #[inline]
    fn push_integer(&mut self, array: &mut TypedArray, value: i64) {
        let fits = match array.element {
            Marker::Int8 => i8::try_from(value).is_ok(),
            Marker::Uint8 => u8::try_from(value).is_ok(),
            Marker::Int16 => i16::try_from(value).is_ok(),
            Marker::Int32 => i32::try_from(value).is_ok(),
            _ => true,
        };
        if !fits {
            self.widen_integers(array, value);
        }
        self.put_integer(array.element, value);
    }

    /// The payload of `value` in a width that holds it.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the caller chose a width that fits")]
    fn put_integer(&mut self, element: Marker, value: i64) {
        match element {
            Marker::Int8 | Marker::Uint8 => self.block.push(value as u8),
            Marker::Int16 => self.block.extend_from_slice(&(value as i16).to_be_bytes()),
            Marker::Int32 => self.block.extend_from_slice(&(value as i32).to_be_bytes()),
            _ => self.block.extend_from_slice(&value.to_be_bytes()),
        }
    }

    #[inline]
    fn push_compact_float(&mut self, array: &mut TypedArray, value: f64) {
        if array.element == Marker::Float64 {
            self.block.extend_from_slice(&value.to_be_bytes());
            return;
        }
        match as_float32(value) {
            Some(narrow) => self.block.extend_from_slice(&narrow.to_be_bytes()),
            None => {
                self.rewrite_payload(array, Marker::Float64, |encoder, payload| {
                    encoder.block.extend_from_slice(&float(payload).to_be_bytes());
                });
                self.block.extend_from_slice(&value.to_be_bytes());
            }
        }
    }

    /// Gives the array the smallest type that holds its elements and `value`.
    #[cold]
    fn widen_integers(&mut self, array: &mut TypedArray, value: i64) {
        let payload = self.block.get(array.payload_start..).unwrap_or_default();
        let element = match (array.element, smallest(value)) {
            // Bytes below 128 are the same in both.
            (Marker::Int8, Marker::Uint8) | (Marker::Uint8, Marker::Int8) => match payload.is_ascii() {
                true => smallest(value),
                false => Marker::Int16,
            },
            (_, wider) => wider,
        };
        let old = array.element;
        self.rewrite_payload(array, element, |encoder, payload| {
            encoder.put_integer(element, integer(old, payload));
        });
    }

    /// Writes the elements again behind themselves, as `element`, and closes the gap.
    fn rewrite_payload(&mut self, array: &mut TypedArray, element: Marker, put: impl Fn(&mut Self, &[u8])) {
        let end = self.block.len();
        if array.element.payload_len() != element.payload_len() {
            self.for_each_element(array, end, put);
            self.block.drain(array.payload_start..end);
        }
        array.element = element;
        if array.payload_start > array.start {
            // The header's third byte is the type.
            if let Some(marker) = self.block.get_mut(array.start + 2) {
                *marker = element.to_byte();
            }
        }
    }

    /// Calls `put` with each element's payload, which lies in the block before `end`.
    fn for_each_element(&mut self, array: &TypedArray, end: usize, put: impl Fn(&mut Self, &[u8])) {
        let element_len = array.element_len();
        let mut copy = [0; 8];
        for at in (array.payload_start..end).step_by(element_len.max(1)) {
            let payload = self.block.get(at..at + element_len).unwrap_or_default();
            let Some(copy) = copy.get_mut(..payload.len()) else {
                return;
            };
            copy.copy_from_slice(payload);
            put(self, copy);
        }
    }

    /// Writes what is there again as an array that is open for any element, counted if a count is
    /// given.
    #[cold]
    pub(crate) fn untype(&mut self, array: TypedArray, count: Option<usize>) -> Result<()> {
        let end = self.block.len();
        self.array_header(count)?;
        self.for_each_element(&array, end, |encoder, payload| encoder.put_element(&array, payload));
        self.block.drain(array.start..end);
        self.settle()
    }

    /// An element with its marker, as it stands outside of typed arrays.
    fn put_element(&mut self, array: &TypedArray, payload: &[u8]) {
        let marker = match (array.class, array.element) {
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
    /// and it is to be [opened](Self::untype) and closed.
    pub(crate) fn end_typed(&mut self, array: &mut TypedArray) -> Result<bool> {
        let payload = self.block.get(array.payload_start..).unwrap_or_default();
        if array.class == Class::Integers && array.element == Marker::Uint8 && payload.is_ascii() {
            self.rewrite_payload(array, Marker::Int8, |_, _| {});
        }
        if !self.is_typed_shorter(array) {
            return Ok(false);
        }
        if array.payload_start == array.start {
            self.insert_header(array)?;
        }
        self.leave();
        self.settle()?;
        Ok(true)
    }

    fn is_typed_shorter(&self, array: &TypedArray) -> bool {
        let overhead = 2 + count_len(array.count, self.counts);
        let payload = self.block.get(array.payload_start..).unwrap_or_default();
        // What the plain form takes beyond the payload: a marker an element, and less for
        // elements that are smaller alone than here.
        let mut saved = array.count;
        match (array.class, array.element) {
            // As `serialize_bytes`, where that costs at most two bytes.
            (Class::Bytes, _) => return array.count + 2 >= overhead,
            (Class::Integers, Marker::Int16 | Marker::Int32 | Marker::Int64) => {
                for element in payload.chunks_exact(array.element_len()) {
                    let alone = smallest(integer(array.element, element)).payload_len();
                    saved = saved.saturating_sub(element.len() - alone.unwrap_or_default());
                }
            }
            (Class::CompactFloats, Marker::Float64) => {
                for element in payload.chunks_exact(array.element_len()) {
                    if as_float32(float(element)).is_some() {
                        saved = saved.saturating_sub(4);
                    }
                }
            }
            _ => {}
        }
        saved >= overhead
    }

    /// Puts the header before the elements of an array whose length was not known.
    fn insert_header(&mut self, array: &TypedArray) -> Result<()> {
        let end = self.block.len();
        self.typed_header(array.element, array.count)?;
        let array_bytes = self.block.get_mut(array.start..).unwrap_or_default();
        array_bytes.rotate_left(end - array.start);
        Ok(())
    }
}
