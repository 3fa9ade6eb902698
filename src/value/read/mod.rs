//! Reading Rust values out of a `Value`, as out of the document it stands for.

mod door;
mod parts;

use alloc::borrow::Cow;
use core::str::FromStr;

use serde_core::de::{
    self, DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, VariantAccess, Visitor,
};
use serde_core::forward_to_deserialize_any;

use self::door::{Encoded, NumberText, PackedBlocks};
use self::parts::{Elements, Key, Parts};
use super::{Number, Numbers, Value};
use crate::de::{KeyDeserializer, KeyText};
use crate::doorway::{self, Door, Head, Request, native_bytes};
use crate::error::{Error, ErrorCode, Result};
use crate::ser::{Config, Integers};

/// Makes any type that can be read out of a value, as from the document that the value stands for.
///
/// To borrow from the value, or to keep it, use [`Deserialize`](serde_core::Deserialize) with a
/// reference to it.
///
/// ```
/// use serde::Deserialize;
///
/// #[derive(Deserialize, Debug, PartialEq)]
/// struct Point<'a> {
///     name: &'a str,
///     x: f32,
/// }
///
/// let value = ubjson::ubjson!({"name": "a", "x": 0.5});
/// assert_eq!(Point::deserialize(&value)?, Point { name: "a", x: 0.5 });
/// assert_eq!(ubjson::from_value::<Vec<u8>>(vec![1, 2].into())?, [1, 2]);
/// # Ok::<(), ubjson::Error>(())
/// ```
///
/// # Errors
///
/// - [`ErrorKind::Data`](crate::ErrorKind::Data): the value is not what `T` wants.
/// - [`ErrorKind::Number`](crate::ErrorKind::Number): a high-precision number is beyond every type
///   that it is asked for in.
pub fn from_value<T: DeserializeOwned>(value: Value) -> Result<T> {
    T::deserialize(value)
}

/// Reads out of an owned or a borrowed value; made by [`IntoDeserializer`].
#[derive(Debug)]
pub struct ValueDeserializer<'de> {
    value: Cow<'de, Value>,
}

impl<'de> ValueDeserializer<'de> {
    fn new(value: Cow<'de, Value>) -> Self {
        Self { value }
    }

    fn visit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        Parts::from(self.value).visit(visitor)
    }

    /// Visits the value with nothing lost.
    fn visit_exact<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match Parts::from(self.value) {
            Parts::Char(char) => visitor.visit_char(char),
            Parts::Number(number) if number.as_text().is_some() => visitor.visit_enum(Door {
                head: Head::HighPrecision,
                payload: NumberText(number),
            }),
            Parts::Packed(packed) => visitor.visit_enum(Door {
                head: Head::Packed(packed.marker()),
                payload: PackedBlocks::new(packed),
            }),
            other => other.visit(visitor),
        }
    }

    fn visit_raw<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let bytes = Config::new().integers(Integers::Declared).to_vec(&*self.value)?;
        visitor.visit_enum(Door {
            head: Head::Raw,
            payload: Encoded(bytes),
        })
    }

    /// The nearest float of the text of a high-precision number.
    fn float_text<F: FromStr + Into<f64> + Copy>(&self) -> Result<Option<F>> {
        let Some(text) = self.value.as_number().and_then(Number::as_text) else {
            return Ok(None);
        };
        match text.parse::<F>() {
            Ok(value) if value.into().is_finite() => Ok(Some(value)),
            _ => Err(Error::without_offset(ErrorCode::NumberOutOfRange)),
        }
    }
}

impl<'de> Deserializer<'de> for ValueDeserializer<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.visit(visitor)
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.value.is_null() {
            return visitor.visit_f32(f32::NAN);
        }
        match self.float_text()? {
            Some(value) => visitor.visit_f32(value),
            None => self.visit(visitor),
        }
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.value.is_null() {
            return visitor.visit_f64(f64::NAN);
        }
        match self.float_text()? {
            Some(value) => visitor.visit_f64(value),
            None => self.visit(visitor),
        }
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match &*self.value {
            Value::Char(char) => visitor.visit_char(*char),
            _ => self.visit(visitor),
        }
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match Parts::from(self.value) {
            Parts::Text(Cow::Borrowed(text)) => visitor.visit_borrowed_bytes(text.as_bytes()),
            Parts::Text(Cow::Owned(text)) => visitor.visit_byte_buf(text.into_bytes()),
            Parts::Array(elements) => visitor.visit_byte_buf(elements.bytes()?),
            Parts::Packed(Cow::Borrowed(packed)) => match packed.numbers() {
                Numbers::Uint8(bytes) => visitor.visit_borrowed_bytes(bytes),
                Numbers::Int8(numbers) => visitor.visit_borrowed_bytes(native_bytes(numbers)),
                _ => visitor.visit_byte_buf(Elements::packed(Cow::Borrowed(packed)).bytes()?),
            },
            Parts::Packed(Cow::Owned(packed)) => match packed.into_numbers() {
                Numbers::Uint8(bytes) => visitor.visit_byte_buf(bytes),
                Numbers::Int8(numbers) => visitor.visit_bytes(native_bytes(&numbers)),
                numbers => visitor.visit_byte_buf(Elements::packed(Cow::Owned(numbers.into())).bytes()?),
            },
            other => other.visit(visitor),
        }
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.value.is_null() {
            true => visitor.visit_none(),
            false => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value> {
        match doorway::request(name) {
            Some(Request::Value) => self.visit_exact(visitor),
            Some(Request::Raw) => self.visit_raw(visitor),
            Some(Request::Key) | None => visitor.visit_newtype_struct(self),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        match Parts::from(self.value) {
            Parts::Text(Cow::Borrowed(name)) => visitor.visit_enum(unit_variant(KeyText::Borrowed(name))),
            Parts::Text(Cow::Owned(name)) => visitor.visit_enum(unit_variant(KeyText::Transient(&name))),
            Parts::Char(char) => visitor.visit_enum(unit_variant(KeyText::Transient(char.encode_utf8(&mut [0; 4])))),
            Parts::Object(mut members) => match (members.next(), members.next()) {
                (Some((name, value)), None) => visitor.visit_enum(Variant { name, value }),
                (None, _) => Err(Error::without_offset(ErrorCode::VariantWithoutKey)),
                (Some(_), Some(_)) => Err(Error::without_offset(ErrorCode::VariantWithManyKeys)),
            },
            other => other.visit(visitor),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }

    fn is_human_readable(&self) -> bool {
        false
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 str string unit unit_struct seq tuple tuple_struct map struct
        identifier
    }
}

fn unit_variant<'de, 's>(name: KeyText<'de, 's>) -> KeyDeserializer<'de, 's> {
    KeyDeserializer::new(name)
}

/// An enum's variant with content.
struct Variant<'de> {
    name: Key<'de>,
    value: Cow<'de, Value>,
}

impl<'de> EnumAccess<'de> for Variant<'de> {
    type Error = Error;
    type Variant = ValueDeserializer<'de>;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, ValueDeserializer<'de>)> {
        let name = self.name.read(seed)?;
        Ok((name, ValueDeserializer::new(self.value)))
    }
}

impl<'de> VariantAccess<'de> for ValueDeserializer<'de> {
    type Error = Error;

    fn unit_variant(self) -> Result<()> {
        de::Deserialize::deserialize(self)
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        self.deserialize_tuple(len, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(self, fields: &'static [&'static str], visitor: V) -> Result<V::Value> {
        self.deserialize_struct("", fields, visitor)
    }
}

impl<'de> IntoDeserializer<'de, Error> for Value {
    type Deserializer = ValueDeserializer<'de>;

    fn into_deserializer(self) -> ValueDeserializer<'de> {
        ValueDeserializer::new(Cow::Owned(self))
    }
}

impl<'de> IntoDeserializer<'de, Error> for &'de Value {
    type Deserializer = ValueDeserializer<'de>;

    fn into_deserializer(self) -> ValueDeserializer<'de> {
        ValueDeserializer::new(Cow::Borrowed(self))
    }
}

macro_rules! deserializer {
    ($value:ty: $($method:ident($($argument:ident: $argument_type:ty),*))*) => {
        impl<'de> Deserializer<'de> for $value {
            type Error = Error;

            $(fn $method<V: Visitor<'de>>(self, $($argument: $argument_type,)* visitor: V) -> Result<V::Value> {
                self.into_deserializer().$method($($argument,)* visitor)
            })*

            fn is_human_readable(&self) -> bool {
                false
            }
        }
    };
    ($value:ty) => {
        deserializer! {
            $value:
            deserialize_any() deserialize_bool()
            deserialize_i8() deserialize_i16() deserialize_i32() deserialize_i64() deserialize_i128()
            deserialize_u8() deserialize_u16() deserialize_u32() deserialize_u64() deserialize_u128()
            deserialize_f32() deserialize_f64() deserialize_char() deserialize_str() deserialize_string()
            deserialize_bytes() deserialize_byte_buf() deserialize_option() deserialize_unit()
            deserialize_unit_struct(name: &'static str) deserialize_newtype_struct(name: &'static str)
            deserialize_seq() deserialize_tuple(len: usize)
            deserialize_tuple_struct(name: &'static str, len: usize) deserialize_map()
            deserialize_struct(name: &'static str, fields: &'static [&'static str])
            deserialize_enum(name: &'static str, variants: &'static [&'static str])
            deserialize_identifier() deserialize_ignored_any()
        }
    };
}

deserializer! { Value }
deserializer! { &'de Value }
