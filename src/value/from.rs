//! Values from Rust's own types.

use alloc::borrow::{Cow, ToOwned};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::{Array, Map, Number, Numbers, PackedArray, Value};

macro_rules! from_number {
    ($($number:ty)*) => {$(
        impl From<$number> for Value {
            fn from(number: $number) -> Self {
                Self::Number(number.into())
            }
        }
    )*};
}

from_number! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64 Number }

impl From<()> for Value {
    fn from((): ()) -> Self {
        Self::Null
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

/// A string, unless the char is ASCII, as it is written and read.
impl From<char> for Value {
    fn from(char: char) -> Self {
        match char.is_ascii() {
            true => Self::Char(char),
            false => Self::String(char.into()),
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::String(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::String(text)
    }
}

impl From<Box<str>> for Value {
    fn from(text: Box<str>) -> Self {
        Self::String(text.into())
    }
}

impl From<Cow<'_, str>> for Value {
    fn from(text: Cow<'_, str>) -> Self {
        Self::String(text.into_owned())
    }
}

impl From<Array> for Value {
    fn from(array: Array) -> Self {
        Self::Array(array)
    }
}

impl From<PackedArray> for Value {
    fn from(packed: PackedArray) -> Self {
        Self::Packed(packed)
    }
}

impl From<Numbers> for Value {
    fn from(numbers: Numbers) -> Self {
        Self::Packed(numbers.into())
    }
}

impl From<Map> for Value {
    fn from(map: Map) -> Self {
        Self::Object(map)
    }
}

/// An ordinary array; [`PackedArray`] has a conversion of its own.
impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(elements: Vec<T>) -> Self {
        Self::Array(elements.into_iter().collect())
    }
}

impl<T: Clone + Into<Value>> From<&[T]> for Value {
    fn from(elements: &[T]) -> Self {
        Self::Array(elements.iter().cloned().collect())
    }
}

impl<T: Into<Value>, const N: usize> From<[T; N]> for Value {
    fn from(elements: [T; N]) -> Self {
        Self::Array(elements.into_iter().collect())
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map(Into::into).unwrap_or_default()
    }
}

impl<T: Into<Value>> FromIterator<T> for Value {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        Self::Array(elements.into_iter().collect())
    }
}

impl<K: Into<Arc<str>>, V: Into<Value>> FromIterator<(K, V)> for Value {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        Self::Object(entries.into_iter().collect())
    }
}
