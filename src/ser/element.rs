//! One element of an array: a scalar may join a typed array, anything else goes on as usual.

use core::fmt;

use serde_core::Serialize;
use serde_core::ser::{self, Serializer as _};

use super::elements::Elements;
use super::entries::{Entries, Fields};
use super::{NonFinite, Serializer};
use crate::doorway;
use crate::encode::Scalar;
use crate::error::{Error, Result};
use crate::marker::Marker;
use crate::write::Write;

/// Writes one element of an array.
pub(super) struct Element<'e, 'a, W> {
    elements: &'e mut Elements<'a, W>,
}

impl<'e, 'a, W: Write> Element<'e, 'a, W> {
    #[inline]
    pub(super) fn new(elements: &'e mut Elements<'a, W>) -> Self {
        Self { elements }
    }

    /// The serializer for an element that no typed array holds.
    #[inline]
    pub(super) fn untyped(self, is_container: bool) -> Result<&'e mut Serializer<W>> {
        self.elements.begin_element(is_container)?;
        Ok(self.elements.ser)
    }

    #[inline]
    fn integer(self, declared: Marker, value: i64) -> Result<()> {
        if self.elements.ser.encoder.push_integer(value) {
            return Ok(());
        }
        self.other_integer(declared, value)
    }

    #[inline(never)]
    fn other_integer(self, declared: Marker, value: i64) -> Result<()> {
        let scalar = self.elements.ser.integer_scalar(declared, value);
        if self.elements.push_scalar(scalar)? {
            return Ok(());
        }
        self.elements.ser.integer(declared, value)
    }

    #[inline(never)]
    fn other_float32(self, value: f32) -> Result<()> {
        match self.elements.ser.float32_scalar(value) {
            Some(scalar) if self.elements.push_scalar(scalar)? => Ok(()),
            _ => self.untyped(false)?.serialize_f32(value),
        }
    }

    #[inline(never)]
    fn other_float64(self, value: f64) -> Result<()> {
        match self.elements.ser.float64_scalar(value) {
            Some(scalar) if self.elements.push_scalar(scalar)? => Ok(()),
            _ => self.untyped(false)?.serialize_f64(value),
        }
    }

    /// An integer that may be beyond 64 bits.
    #[inline]
    fn wide_integer(self, value: impl itoa::Integer + TryInto<i64> + Copy) -> Result<()> {
        match value.try_into() {
            Ok(value) => self.integer(Marker::Int64, value),
            Err(_) => self.untyped(false)?.wide_integer(value),
        }
    }
}

impl<'e, W: Write> ser::Serializer for Element<'e, '_, W> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Elements<'e, W>;
    type SerializeTuple = Elements<'e, W>;
    type SerializeTupleStruct = Elements<'e, W>;
    type SerializeTupleVariant = Elements<'e, W>;
    type SerializeMap = Entries<'e, W>;
    type SerializeStruct = Fields<'e, W>;
    type SerializeStructVariant = Fields<'e, W>;

    #[inline]
    fn serialize_bool(self, value: bool) -> Result<()> {
        self.untyped(false)?.serialize_bool(value)
    }

    #[inline]
    fn serialize_i8(self, value: i8) -> Result<()> {
        self.integer(Marker::Int8, i64::from(value))
    }

    #[inline]
    fn serialize_i16(self, value: i16) -> Result<()> {
        self.integer(Marker::Int16, i64::from(value))
    }

    #[inline]
    fn serialize_i32(self, value: i32) -> Result<()> {
        self.integer(Marker::Int32, i64::from(value))
    }

    #[inline]
    fn serialize_i64(self, value: i64) -> Result<()> {
        self.integer(Marker::Int64, value)
    }

    fn serialize_i128(self, value: i128) -> Result<()> {
        self.wide_integer(value)
    }

    #[inline]
    fn serialize_u8(self, value: u8) -> Result<()> {
        if self.elements.ser.encoder.push_byte(value) {
            return Ok(());
        }
        self.other_integer(Marker::Uint8, i64::from(value))
    }

    #[inline]
    fn serialize_u16(self, value: u16) -> Result<()> {
        self.integer(Marker::Int32, i64::from(value))
    }

    #[inline]
    fn serialize_u32(self, value: u32) -> Result<()> {
        self.integer(Marker::Int64, i64::from(value))
    }

    #[inline]
    fn serialize_u64(self, value: u64) -> Result<()> {
        self.wide_integer(value)
    }

    fn serialize_u128(self, value: u128) -> Result<()> {
        self.wide_integer(value)
    }

    #[inline]
    fn serialize_f32(self, value: f32) -> Result<()> {
        let ser = &mut *self.elements.ser;
        if ser.config().non_finite == NonFinite::Ieee && ser.encoder.push_float(Marker::Float32, value.to_be_bytes()) {
            return Ok(());
        }
        self.other_float32(value)
    }

    #[inline]
    fn serialize_f64(self, value: f64) -> Result<()> {
        let ser = &mut *self.elements.ser;
        if ser.config().non_finite == NonFinite::Ieee && ser.encoder.push_float(Marker::Float64, value.to_be_bytes()) {
            return Ok(());
        }
        self.other_float64(value)
    }

    fn serialize_char(self, value: char) -> Result<()> {
        match u8::try_from(value) {
            Ok(byte) if byte.is_ascii() && self.elements.push_scalar(Scalar::Char(byte))? => Ok(()),
            _ => self.untyped(false)?.serialize_char(value),
        }
    }

    #[inline]
    fn serialize_str(self, value: &str) -> Result<()> {
        self.untyped(false)?.serialize_str(value)
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<()> {
        self.untyped(true)?.serialize_bytes(value)
    }

    fn serialize_none(self) -> Result<()> {
        self.untyped(false)?.serialize_none()
    }

    #[inline]
    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<()> {
        self.untyped(false)?.serialize_unit()
    }

    fn serialize_unit_struct(self, name: &'static str) -> Result<()> {
        self.untyped(false)?.serialize_unit_struct(name)
    }

    fn serialize_unit_variant(self, name: &'static str, index: u32, variant: &'static str) -> Result<()> {
        self.untyped(false)?.serialize_unit_variant(name, index, variant)
    }

    #[inline]
    fn serialize_newtype_struct<T: ?Sized + Serialize>(self, name: &'static str, value: &T) -> Result<()> {
        match doorway::emitter(name, self) {
            Ok(emitter) => value.serialize(emitter),
            Err(element) => value.serialize(element),
        }
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<()> {
        self.untyped(true)?
            .serialize_newtype_variant(name, index, variant, value)
    }

    #[inline]
    fn serialize_seq(self, len: Option<usize>) -> Result<Elements<'e, W>> {
        self.untyped(true)?.serialize_seq(len)
    }

    #[inline]
    fn serialize_tuple(self, len: usize) -> Result<Elements<'e, W>> {
        self.untyped(true)?.serialize_tuple(len)
    }

    fn serialize_tuple_struct(self, name: &'static str, len: usize) -> Result<Elements<'e, W>> {
        self.untyped(true)?.serialize_tuple_struct(name, len)
    }

    fn serialize_tuple_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Elements<'e, W>> {
        self.untyped(true)?.serialize_tuple_variant(name, index, variant, len)
    }

    fn serialize_map(self, len: Option<usize>) -> Result<Entries<'e, W>> {
        self.untyped(true)?.serialize_map(len)
    }

    #[inline]
    fn serialize_struct(self, name: &'static str, len: usize) -> Result<Fields<'e, W>> {
        self.untyped(true)?.serialize_struct(name, len)
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Fields<'e, W>> {
        self.untyped(true)?.serialize_struct_variant(name, index, variant, len)
    }

    #[inline]
    fn collect_seq<I: IntoIterator<Item: Serialize>>(self, iter: I) -> Result<()> {
        self.untyped(true)?.collect_seq(iter)
    }

    fn collect_str<T: ?Sized + fmt::Display>(self, value: &T) -> Result<()> {
        self.untyped(false)?.collect_str(value)
    }

    #[inline]
    fn is_human_readable(&self) -> bool {
        self.elements.ser.is_human_readable()
    }
}
