//! Keys of maps: strings, and what has one text form.

use core::fmt;

use serde_core::Serialize;
use serde_core::ser::{self, Impossible};

use crate::encode::Encoder;
use crate::error::{Error, ErrorCode, Result};
use crate::write::Write;

/// Where the text of a key goes.
pub(crate) trait KeySink {
    type Ok;

    fn text(self, text: &str) -> Result<Self::Ok>;
}

impl<W: Write> KeySink for &mut Encoder<W> {
    type Ok = ();

    #[inline]
    fn text(self, text: &str) -> Result<()> {
        Encoder::text(self, text)
    }
}

/// Writes a map's key: a string, number, boolean, char or unit variant, as text.
pub(crate) struct KeySerializer<K> {
    sink: K,
}

impl<K: KeySink> KeySerializer<K> {
    pub(crate) fn new(sink: K) -> Self {
        Self { sink }
    }

    fn integer(self, value: impl itoa::Integer) -> Result<K::Ok> {
        self.sink.text(itoa::Buffer::new().format(value))
    }

    /// The shortest text that reads back as the same float, as JSON spells numbers.
    fn float(self, value: impl fmt::Debug, is_finite: bool) -> Result<K::Ok> {
        if !is_finite {
            return Err(Error::without_offset(ErrorCode::NonFinite));
        }
        self.sink.text(&alloc::format!("{value:?}"))
    }
}

fn not_a_string<T>() -> Result<T> {
    Err(Error::without_offset(ErrorCode::KeyNotString))
}

macro_rules! serialize_integer_key {
    ($($method:ident, $integer:ty;)*) => {$(
        fn $method(self, value: $integer) -> Result<K::Ok> {
            self.integer(value)
        }
    )*};
}

impl<K: KeySink> ser::Serializer for KeySerializer<K> {
    type Ok = K::Ok;
    type Error = Error;
    type SerializeSeq = Impossible<K::Ok, Error>;
    type SerializeTuple = Impossible<K::Ok, Error>;
    type SerializeTupleStruct = Impossible<K::Ok, Error>;
    type SerializeTupleVariant = Impossible<K::Ok, Error>;
    type SerializeMap = Impossible<K::Ok, Error>;
    type SerializeStruct = Impossible<K::Ok, Error>;
    type SerializeStructVariant = Impossible<K::Ok, Error>;

    serialize_integer_key! {
        serialize_i8, i8; serialize_i16, i16; serialize_i32, i32; serialize_i64, i64; serialize_i128, i128;
        serialize_u8, u8; serialize_u16, u16; serialize_u32, u32; serialize_u64, u64; serialize_u128, u128;
    }

    fn serialize_bool(self, value: bool) -> Result<K::Ok> {
        self.sink.text(if value { "true" } else { "false" })
    }

    fn serialize_f32(self, value: f32) -> Result<K::Ok> {
        self.float(value, value.is_finite())
    }

    fn serialize_f64(self, value: f64) -> Result<K::Ok> {
        self.float(value, value.is_finite())
    }

    fn serialize_char(self, value: char) -> Result<K::Ok> {
        self.sink.text(value.encode_utf8(&mut [0; 4]))
    }

    #[inline]
    fn serialize_str(self, value: &str) -> Result<K::Ok> {
        self.sink.text(value)
    }

    fn serialize_bytes(self, _value: &[u8]) -> Result<K::Ok> {
        not_a_string()
    }

    fn serialize_none(self) -> Result<K::Ok> {
        not_a_string()
    }

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<K::Ok> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<K::Ok> {
        not_a_string()
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<K::Ok> {
        not_a_string()
    }

    fn serialize_unit_variant(self, _name: &'static str, _index: u32, variant: &'static str) -> Result<K::Ok> {
        self.sink.text(variant)
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(self, _name: &'static str, value: &T) -> Result<K::Ok> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _value: &T,
    ) -> Result<K::Ok> {
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

    fn collect_str<T: ?Sized + fmt::Display>(self, value: &T) -> Result<K::Ok> {
        self.sink.text(&alloc::string::ToString::to_string(value))
    }

    /// Whatever the format is, a key is text.
    fn is_human_readable(&self) -> bool {
        true
    }
}
