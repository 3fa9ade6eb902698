//! Making a `Value` of what can be written, as if it were written and read.

use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt;

use serde_core::ser::{self, Serialize, Serializer};

use super::shapes::{ObjectBuilder, ROOT, Shapes, Slot};
use super::{Map, Number, Numbers, PackedArray, Value};
use crate::decode::DEFAULT_MAX_DEPTH;
use crate::doorway::{self, Emit, numbers};
use crate::error::{Error, ErrorCode, Result};
use crate::marker::Marker;
use crate::ser::{KeySerializer, KeySink};

/// The value that a document of `value` would be read as.
///
/// Numbers keep the widths of their Rust types, as [`Integers::Declared`](crate::ser::Integers)
/// writes them; sequences become ordinary arrays, bytes and [`packed`](crate::packed) ones packed
/// arrays.
///
/// ```
/// #[derive(serde::Serialize)]
/// struct Point {
///     name: &'static str,
///     x: f32,
/// }
///
/// let value = ubjson::to_value(&Point { name: "a", x: 0.5 })?;
/// assert_eq!(value, ubjson::ubjson!({"name": "a", "x": 0.5}));
/// # Ok::<(), ubjson::Error>(())
/// ```
///
/// # Errors
///
/// As [`to_vec`](crate::to_vec).
pub fn to_value<T: ?Sized + Serialize>(value: &T) -> Result<Value> {
    value.serialize(ValueSerializer {
        shapes: &mut Shapes::new(),
        depth_left: DEFAULT_MAX_DEPTH,
    })
}

/// Makes one value.
struct ValueSerializer<'s> {
    shapes: &'s mut Shapes,
    depth_left: usize,
}

impl<'s> ValueSerializer<'s> {
    /// One level deeper.
    fn enter(self) -> Result<Self> {
        match self.depth_left.checked_sub(1) {
            Some(depth_left) => Ok(Self {
                shapes: self.shapes,
                depth_left,
            }),
            None => Err(Error::without_offset(ErrorCode::DepthLimit(DEFAULT_MAX_DEPTH))),
        }
    }

    fn again(&mut self) -> ValueSerializer<'_> {
        ValueSerializer {
            shapes: self.shapes,
            depth_left: self.depth_left,
        }
    }

    fn array(self, declared: Option<usize>, variant: Option<&'static str>) -> Result<ArraySerializer<'s>> {
        Ok(ArraySerializer {
            ser: self.enter()?,
            declared,
            elements: Vec::with_capacity(declared.unwrap_or_default().min(MAX_RESERVED)),
            variant,
        })
    }

    fn object(self, declared: Option<usize>, variant: Option<&'static str>) -> Result<ObjectSerializer<'s>> {
        let ser = self.enter()?;
        let entries = declared.unwrap_or_default().min(MAX_RESERVED);
        Ok(ObjectSerializer {
            object: ObjectBuilder::new(ser.shapes, ROOT, entries),
            ser,
            declared,
            written: 0,
            slot: None,
            variant,
        })
    }
}

/// What a declared length reserves at the most.
const MAX_RESERVED: usize = 1 << 16;

/// The object around the content of an enum's variant, if there is one.
fn in_variant(variant: Option<&'static str>, content: Value) -> Value {
    match variant {
        Some(variant) => Map::from([(variant, content)]).into(),
        None => content,
    }
}

/// A container must deliver what it announced.
fn check_count(declared: Option<usize>, written: usize) -> Result<()> {
    match declared {
        Some(declared) if declared != written => {
            Err(Error::without_offset(ErrorCode::CountMismatch { declared, written }))
        }
        _ => Ok(()),
    }
}

impl Emit for ValueSerializer<'_> {
    fn emit_high_precision(self, text: &str) -> Result<Value> {
        Number::from_text(text).map(Value::Number)
    }

    fn emit_raw(self, bytes: &[u8]) -> Result<Value> {
        crate::from_slice(bytes)
    }

    fn emit_packed(self, element: Marker, native: &[u8]) -> Result<Value> {
        Ok(Value::from(match element {
            Marker::Int8 => Numbers::Int8(numbers(native).collect()),
            Marker::Int16 => Numbers::Int16(numbers(native).collect()),
            Marker::Int32 => Numbers::Int32(numbers(native).collect()),
            Marker::Int64 => Numbers::Int64(numbers(native).collect()),
            Marker::Float32 => Numbers::Float32(numbers(native).collect()),
            Marker::Float64 => Numbers::Float64(numbers(native).collect()),
            _ => Numbers::Uint8(native.to_vec()),
        }))
    }
}

macro_rules! serialize_scalar {
    ($($method:ident, $scalar:ty;)*) => {$(
        fn $method(self, value: $scalar) -> Result<Value> {
            Ok(value.into())
        }
    )*};
}

impl<'s> Serializer for ValueSerializer<'s> {
    type Ok = Value;
    type Error = Error;
    type SerializeSeq = ArraySerializer<'s>;
    type SerializeTuple = ArraySerializer<'s>;
    type SerializeTupleStruct = ArraySerializer<'s>;
    type SerializeTupleVariant = ArraySerializer<'s>;
    type SerializeMap = ObjectSerializer<'s>;
    type SerializeStruct = ObjectSerializer<'s>;
    type SerializeStructVariant = ObjectSerializer<'s>;

    serialize_scalar! {
        serialize_bool, bool; serialize_char, char; serialize_str, &str; serialize_f32, f32; serialize_f64, f64;
        serialize_i8, i8; serialize_i16, i16; serialize_i32, i32; serialize_i64, i64; serialize_i128, i128;
        serialize_u8, u8; serialize_u16, u16; serialize_u32, u32; serialize_u64, u64; serialize_u128, u128;
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<Value> {
        Ok(PackedArray::from(value.to_vec()).into())
    }

    fn serialize_none(self) -> Result<Value> {
        Ok(Value::Null)
    }

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<Value> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<Value> {
        Ok(Value::Null)
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<Value> {
        Ok(Value::Null)
    }

    fn serialize_unit_variant(self, _name: &'static str, _index: u32, variant: &'static str) -> Result<Value> {
        Ok(variant.into())
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(self, name: &'static str, value: &T) -> Result<Value> {
        match doorway::emitter(name, self) {
            Ok(emitter) => value.serialize(emitter),
            Err(ser) => value.serialize(ser),
        }
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Value> {
        let content = value.serialize(self.enter()?)?;
        Ok(in_variant(Some(variant), content))
    }

    fn serialize_seq(self, len: Option<usize>) -> Result<ArraySerializer<'s>> {
        self.array(len, None)
    }

    fn serialize_tuple(self, len: usize) -> Result<ArraySerializer<'s>> {
        self.array(Some(len), None)
    }

    fn serialize_tuple_struct(self, _name: &'static str, len: usize) -> Result<ArraySerializer<'s>> {
        self.array(Some(len), None)
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<ArraySerializer<'s>> {
        self.enter()?.array(Some(len), Some(variant))
    }

    fn serialize_map(self, len: Option<usize>) -> Result<ObjectSerializer<'s>> {
        self.object(len, None)
    }

    fn serialize_struct(self, _name: &'static str, len: usize) -> Result<ObjectSerializer<'s>> {
        self.object(Some(len), None)
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<ObjectSerializer<'s>> {
        self.enter()?.object(Some(len), Some(variant))
    }

    fn collect_str<T: ?Sized + fmt::Display>(self, value: &T) -> Result<Value> {
        Ok(Value::String(value.to_string()))
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

/// Makes an array.
struct ArraySerializer<'s> {
    ser: ValueSerializer<'s>,
    declared: Option<usize>,
    elements: Vec<Value>,
    variant: Option<&'static str>,
}

macro_rules! serialize_elements {
    ($($serialize:ident, $method:ident;)*) => {$(
        impl ser::$serialize for ArraySerializer<'_> {
            type Ok = Value;
            type Error = Error;

            fn $method<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
                self.elements.push(value.serialize(self.ser.again())?);
                Ok(())
            }

            fn end(self) -> Result<Value> {
                check_count(self.declared, self.elements.len())?;
                Ok(in_variant(self.variant, self.elements.into()))
            }
        }
    )*};
}

serialize_elements! {
    SerializeSeq, serialize_element;
    SerializeTuple, serialize_element;
    SerializeTupleStruct, serialize_field;
    SerializeTupleVariant, serialize_field;
}

/// Makes an object.
struct ObjectSerializer<'s> {
    ser: ValueSerializer<'s>,
    declared: Option<usize>,
    written: usize,
    object: ObjectBuilder,
    /// Where the value of the last key goes.
    slot: Option<Slot>,
    variant: Option<&'static str>,
}

/// Puts the text of a key into an object.
struct ObjectKey<'a> {
    object: &'a mut ObjectBuilder,
    shapes: &'a mut Shapes,
}

impl KeySink for ObjectKey<'_> {
    type Ok = Slot;

    fn text(self, text: &str) -> Result<Slot> {
        Ok(self.object.key(self.shapes, text))
    }
}

impl ObjectSerializer<'_> {
    fn field<T: ?Sized + Serialize>(&mut self, name: &'static str, value: &T) -> Result<()> {
        let slot = self.object.key(self.ser.shapes, name);
        let value = value.serialize(self.ser.again())?;
        self.object.value(slot, value);
        self.written += 1;
        Ok(())
    }

    fn end(self) -> Result<Value> {
        check_count(self.declared, self.written)?;
        Ok(in_variant(self.variant, self.object.finish(self.ser.shapes).into()))
    }
}

impl ser::SerializeMap for ObjectSerializer<'_> {
    type Ok = Value;
    type Error = Error;

    fn serialize_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Result<()> {
        if self.slot.is_some() {
            return Err(Error::without_offset(ErrorCode::KeyWithoutValue));
        }
        let sink = ObjectKey {
            object: &mut self.object,
            shapes: self.ser.shapes,
        };
        self.slot = Some(key.serialize(KeySerializer::new(sink))?);
        Ok(())
    }

    fn serialize_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        let Some(slot) = self.slot.take() else {
            return Err(Error::without_offset(ErrorCode::ValueWithoutKey));
        };
        let value = value.serialize(self.ser.again())?;
        self.object.value(slot, value);
        self.written += 1;
        Ok(())
    }

    fn end(self) -> Result<Value> {
        if self.slot.is_some() {
            return Err(Error::without_offset(ErrorCode::KeyWithoutValue));
        }
        ObjectSerializer::end(self)
    }
}

impl ser::SerializeStruct for ObjectSerializer<'_> {
    type Ok = Value;
    type Error = Error;

    fn serialize_field<T: ?Sized + Serialize>(&mut self, name: &'static str, value: &T) -> Result<()> {
        self.field(name, value)
    }

    fn end(self) -> Result<Value> {
        ObjectSerializer::end(self)
    }
}

impl ser::SerializeStructVariant for ObjectSerializer<'_> {
    type Ok = Value;
    type Error = Error;

    fn serialize_field<T: ?Sized + Serialize>(&mut self, name: &'static str, value: &T) -> Result<()> {
        self.field(name, value)
    }

    fn end(self) -> Result<Value> {
        ObjectSerializer::end(self)
    }
}
