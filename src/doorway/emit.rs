//! The doorway from the writing side.

use core::cell::Cell;
use core::fmt;

use serde_core::ser::{Serialize, Serializer};

use super::numeric::{Numeric, native_bytes};
use crate::error::{Error, Result};
use crate::marker::{Marker, byte};
use crate::number::{self, ParsedNumber};

/// The names to write through the doorway.
const HIGH_PRECISION: &str = "ubjson::doorway H";
const RAW: &str = super::RAW;

/// The name for a packed array.
const fn packed_name(element: Marker) -> &'static str {
    match element {
        Marker::Int8 => "ubjson::doorway i",
        Marker::Uint8 => "ubjson::doorway U",
        Marker::Int16 => "ubjson::doorway I",
        Marker::Int32 => "ubjson::doorway l",
        Marker::Int64 => "ubjson::doorway L",
        Marker::Float32 => "ubjson::doorway d",
        Marker::Float64 => "ubjson::doorway D",
        // No other marker is a number's.
        _ => "",
    }
}

/// The name for a packed array that may take a smaller type; of the smallest types there is none.
const fn fitted_name(element: Marker) -> &'static str {
    match element {
        Marker::Int16 => "ubjson::doorway 2",
        Marker::Int32 => "ubjson::doorway 4",
        Marker::Int64 => "ubjson::doorway 8",
        Marker::Float64 => "ubjson::doorway f",
        _ => packed_name(element),
    }
}

/// What is written through the doorway.
#[derive(Clone, Copy, Debug)]
enum Content {
    HighPrecision,
    Raw,
    Packed(Marker),
    Fitted(Marker),
}

#[inline]
fn content(name: &str) -> Option<Content> {
    match super::letter(name)? {
        byte::HIGH_PRECISION => Some(Content::HighPrecision),
        b'*' => Some(Content::Raw),
        b'2' => Some(Content::Fitted(Marker::Int16)),
        b'4' => Some(Content::Fitted(Marker::Int32)),
        b'8' => Some(Content::Fitted(Marker::Int64)),
        b'f' => Some(Content::Fitted(Marker::Float64)),
        letter => Marker::from_byte(letter).map(Content::Packed),
    }
}

/// Writes the text of a JSON number as a high-precision number; in other formats as the nearest
/// number, or as text where there is none.
pub(crate) fn high_precision<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_newtype_struct(HIGH_PRECISION, &HighPrecision(text))
}

/// Writes the bytes of one valid value as they are; in other formats as `ordinary`.
pub(crate) fn raw<S: Serializer, T: Serialize>(bytes: &[u8], ordinary: T, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_newtype_struct(RAW, &Raw { bytes, ordinary })
}

/// Writes numbers as a typed array of their own type, whatever the container policy, also if there
/// are none; in other formats as a sequence.
pub(crate) fn packed<S: Serializer, T: Numeric + Serialize>(numbers: &[T], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_newtype_struct(packed_name(T::MARKER), &Packed(numbers))
}

/// Like [`packed`], but of the type that the options for integers and floats say.
pub(crate) fn fitted<S: Serializer, T: Numeric + Serialize>(numbers: &[T], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_newtype_struct(fitted_name(T::MARKER), &Packed(numbers))
}

/// The answers that an [`Emitter`] gives, and no other serializer, to whoever asks repeatedly
/// whether it is human-readable.
const ANSWERS: [bool; 3] = [true, false, true];

/// Whether the serializer is an [`Emitter`], which from then on expects what only it understands.
fn knock<S: Serializer>(serializer: &S) -> bool {
    ANSWERS.iter().all(|answer| serializer.is_human_readable() == *answer)
}

struct HighPrecision<'a>(&'a str);

impl Serialize for HighPrecision<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if knock(&serializer) {
            return serializer.serialize_str(self.0);
        }
        match number::parse(self.0.as_bytes()) {
            Some(ParsedNumber::Unsigned(value)) => serializer.serialize_u64(value),
            Some(ParsedNumber::Signed(value)) => serializer.serialize_i64(value),
            Some(ParsedNumber::Unsigned128(value)) => serializer.serialize_u128(value),
            Some(ParsedNumber::Signed128(value)) => serializer.serialize_i128(value),
            Some(ParsedNumber::Float(value)) => serializer.serialize_f64(value),
            Some(ParsedNumber::OutOfRange) | None => serializer.serialize_str(self.0),
        }
    }
}

struct Raw<'a, T> {
    bytes: &'a [u8],
    ordinary: T,
}

impl<T: Serialize> Serialize for Raw<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match knock(&serializer) {
            true => serializer.serialize_bytes(self.bytes),
            false => self.ordinary.serialize(serializer),
        }
    }
}

struct Packed<'a, T>(&'a [T]);

impl<T: Numeric + Serialize> Serialize for Packed<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match knock(&serializer) {
            true => serializer.serialize_bytes(native_bytes(self.0)),
            false => serializer.collect_seq(self.0),
        }
    }
}

/// A serializer of this crate that can write what serde cannot name.
pub(crate) trait Emit: Serializer<Error = Error> {
    /// A number's text, which is known to be one.
    fn emit_high_precision(self, text: &str) -> Result<Self::Ok>;

    /// The bytes of a value, which are known to be one.
    fn emit_raw(self, bytes: &[u8]) -> Result<Self::Ok>;

    /// A typed array of the numbers whose bytes in memory are given.
    fn emit_packed(self, element: Marker, native: &[u8]) -> Result<Self::Ok>;

    /// The same of the type that the options for integers and floats say.
    fn emit_fitted(self, element: Marker, native: &[u8]) -> Result<Self::Ok> {
        self.emit_packed(element, native)
    }
}

/// A serializer for what comes through the doorway: either the content itself, which knocks, or
/// the ordinary form of it, which a buffer of serde's replays.
pub(crate) struct Emitter<S> {
    inner: S,
    content: Content,
    times_asked: Cell<usize>,
}

/// An emitter for the newtype struct of this name, if the name is the doorway's; else the
/// serializer itself.
#[inline]
pub(crate) fn emitter<S: Emit>(name: &str, inner: S) -> Result<Emitter<S>, S> {
    match content(name) {
        Some(content) => Ok(Emitter {
            inner,
            content,
            times_asked: Cell::new(0),
        }),
        None => Err(inner),
    }
}

impl<S> Emitter<S> {
    fn knocked(&self) -> bool {
        self.times_asked.get() >= ANSWERS.len()
    }
}

macro_rules! serialize_ordinary {
    ($($method:ident($($argument:ident: $argument_type:ty),*) -> $ok:ident;)*) => {$(
        fn $method(self, $($argument: $argument_type),*) -> Result<Self::$ok> {
            self.inner.$method($($argument),*)
        }
    )*};
}

impl<S: Emit> Serializer for Emitter<S> {
    type Ok = S::Ok;
    type Error = Error;
    type SerializeSeq = S::SerializeSeq;
    type SerializeTuple = S::SerializeTuple;
    type SerializeTupleStruct = S::SerializeTupleStruct;
    type SerializeTupleVariant = S::SerializeTupleVariant;
    type SerializeMap = S::SerializeMap;
    type SerializeStruct = S::SerializeStruct;
    type SerializeStructVariant = S::SerializeStructVariant;

    serialize_ordinary! {
        serialize_bool(value: bool) -> Ok;
        serialize_i8(value: i8) -> Ok;
        serialize_i16(value: i16) -> Ok;
        serialize_i32(value: i32) -> Ok;
        serialize_i64(value: i64) -> Ok;
        serialize_i128(value: i128) -> Ok;
        serialize_u8(value: u8) -> Ok;
        serialize_u16(value: u16) -> Ok;
        serialize_u32(value: u32) -> Ok;
        serialize_u64(value: u64) -> Ok;
        serialize_u128(value: u128) -> Ok;
        serialize_f32(value: f32) -> Ok;
        serialize_f64(value: f64) -> Ok;
        serialize_char(value: char) -> Ok;
        serialize_none() -> Ok;
        serialize_unit() -> Ok;
        serialize_unit_struct(name: &'static str) -> Ok;
        serialize_unit_variant(name: &'static str, index: u32, variant: &'static str) -> Ok;
        serialize_seq(len: Option<usize>) -> SerializeSeq;
        serialize_tuple(len: usize) -> SerializeTuple;
        serialize_tuple_struct(name: &'static str, len: usize) -> SerializeTupleStruct;
        serialize_tuple_variant(name: &'static str, index: u32, variant: &'static str, len: usize) -> SerializeTupleVariant;
        serialize_map(len: Option<usize>) -> SerializeMap;
        serialize_struct(name: &'static str, len: usize) -> SerializeStruct;
        serialize_struct_variant(name: &'static str, index: u32, variant: &'static str, len: usize) -> SerializeStructVariant;
    }

    fn serialize_str(self, value: &str) -> Result<S::Ok> {
        match self.content {
            Content::HighPrecision if self.knocked() => self.inner.emit_high_precision(value),
            _ => self.inner.serialize_str(value),
        }
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<S::Ok> {
        match self.content {
            Content::Raw if self.knocked() => self.inner.emit_raw(value),
            Content::Packed(element) if self.knocked() => self.inner.emit_packed(element, value),
            Content::Fitted(element) if self.knocked() => self.inner.emit_fitted(element, value),
            _ => self.inner.serialize_bytes(value),
        }
    }

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<S::Ok> {
        self.inner.serialize_some(value)
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(self, name: &'static str, value: &T) -> Result<S::Ok> {
        self.inner.serialize_newtype_struct(name, value)
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<S::Ok> {
        self.inner.serialize_newtype_variant(name, index, variant, value)
    }

    fn collect_str<T: ?Sized + fmt::Display>(self, value: &T) -> Result<S::Ok> {
        self.inner.collect_str(value)
    }

    fn is_human_readable(&self) -> bool {
        let times_asked = self.times_asked.get();
        self.times_asked.set(times_asked.saturating_add(1));
        match ANSWERS.get(times_asked) {
            Some(answer) => *answer,
            None => self.inner.is_human_readable(),
        }
    }
}
