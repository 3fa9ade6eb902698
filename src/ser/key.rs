//! Keys of maps: strings, and what has one text form.

use core::fmt;

use serde_core::Serialize;
use serde_core::ser::{self, Impossible};

use crate::encode::Encoder;
use crate::error::{Error, ErrorCode, Result};
use crate::write::Write;

/// Writes a map's key: a string, number, boolean, char or unit variant, as text.
pub(super) struct KeySerializer<'a, W> {
    encoder: &'a mut Encoder<W>,
}

impl<'a, W: Write> KeySerializer<'a, W> {
    pub(super) fn new(encoder: &'a mut Encoder<W>) -> Self {
        Self { encoder }
    }

    fn integer(self, value: impl itoa::Integer) -> Result<()> {
        self.encoder.text(itoa::Buffer::new().format(value))
    }

    /// The shortest text that reads back as the same float, as JSON spells numbers.
    fn float(self, value: impl fmt::Debug, is_finite: bool) -> Result<()> {
        if !is_finite {
            return Err(Error::without_offset(ErrorCode::NonFinite));
        }
        self.encoder.text(&alloc::format!("{value:?}"))
    }
}

fn not_a_string<T>() -> Result<T> {
    Err(Error::without_offset(ErrorCode::KeyNotString))
}

macro_rules! serialize_integer_key {
    ($($method:ident, $integer:ty;)*) => {$(
        fn $method(self, value: $integer) -> Result<()> {
            self.integer(value)
        }
    )*};
}

impl<W: Write> ser::Serializer for KeySerializer<'_, W> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Impossible<(), Error>;
    type SerializeTuple = Impossible<(), Error>;
    type SerializeTupleStruct = Impossible<(), Error>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = Impossible<(), Error>;
    type SerializeStruct = Impossible<(), Error>;
    type SerializeStructVariant = Impossible<(), Error>;

    serialize_integer_key! {
        serialize_i8, i8; serialize_i16, i16; serialize_i32, i32; serialize_i64, i64; serialize_i128, i128;
        serialize_u8, u8; serialize_u16, u16; serialize_u32, u32; serialize_u64, u64; serialize_u128, u128;
    }

    fn serialize_bool(self, value: bool) -> Result<()> {
        self.encoder.text(if value { "true" } else { "false" })
    }

    fn serialize_f32(self, value: f32) -> Result<()> {
        self.float(value, value.is_finite())
    }

    fn serialize_f64(self, value: f64) -> Result<()> {
        self.float(value, value.is_finite())
    }

    fn serialize_char(self, value: char) -> Result<()> {
        self.encoder.text(value.encode_utf8(&mut [0; 4]))
    }

    #[inline]
    fn serialize_str(self, value: &str) -> Result<()> {
        self.encoder.text(value)
    }

    fn serialize_bytes(self, _value: &[u8]) -> Result<()> {
        not_a_string()
    }

    fn serialize_none(self) -> Result<()> {
        not_a_string()
    }

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<()> {
        not_a_string()
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<()> {
        not_a_string()
    }

    fn serialize_unit_variant(self, _name: &'static str, _index: u32, variant: &'static str) -> Result<()> {
        self.encoder.text(variant)
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(self, _name: &'static str, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _value: &T,
    ) -> Result<()> {
        not_a_string()
    }

    fn serialize_seq(self, _len: Option<usize>) -> Result<Self::SerializeSeq> {
        not_a_string()
    }

    fn serialize_tuple(self, _len: usize) -> Result<Self::SerializeTuple> {
        not_a_string()
    }

    fn serialize_tuple_struct(self, _name: &'static str, _len: usize) -> Result<Self::SerializeTupleStruct> {
        not_a_string()
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _len: usize,
    ) -> Result<Self::SerializeTupleVariant> {
        not_a_string()
    }

    fn serialize_map(self, _len: Option<usize>) -> Result<Self::SerializeMap> {
        not_a_string()
    }

    fn serialize_struct(self, _name: &'static str, _len: usize) -> Result<Self::SerializeStruct> {
        not_a_string()
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _len: usize,
    ) -> Result<Self::SerializeStructVariant> {
        not_a_string()
    }

    fn collect_str<T: ?Sized + fmt::Display>(self, value: &T) -> Result<()> {
        self.encoder.text(&alloc::string::ToString::to_string(value))
    }
}
