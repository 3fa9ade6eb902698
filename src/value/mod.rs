//! `Value`: any document, without a type for it and without losing anything.
//!
//! [`Value`] keeps what a document says to the letter: the width of each number, the text of
//! high-precision ones, chars, the order of keys, and typed arrays of numbers, which take no more
//! memory than on the wire. Written again, the numbers have the same widths with
//! [`Integers::Declared`](crate::ser::Integers::Declared); lengths and the ends of containers are a
//! matter of the writer's options.
//!
//! # `Value` and `serde_json::Value`
//!
//! | | `ubjson::Value` | `serde_json::Value` |
//! |---|---|---|
//! | numbers | int8 to int64, uint8, float32, float64, exact text | i64, u64, f64 (or exact text, for all) |
//! | `1 == 1.0` | no; but int8 1 equals int64 1, and float32 0.5 float64 0.5 | no |
//! | NaN, infinities | kept; printed as `null` | become null |
//! | one-letter strings | [`Char`](Value::Char), if written as `C`; [`as_str`](Value::as_str) gives its text | a string |
//! | bytes, numeric arrays | [`Packed`](Value::Packed), 1 to 8 bytes an element | 32 bytes an element |
//! | [`as_array`](Value::as_array), `value[0]` | also of packed arrays, unpacked on the first call | arrays |
//! | array variant | [`Array`], a `Vec<Value>` that can be dropped at any depth | `Vec<Value>` |
//! | order of keys | as in the document | sorted, unless a feature says otherwise |
//! | keys of many like objects | one copy | a copy each |
//! | `value["missing"]` | null; inserts null when assigned to | the same |
//! | dropping, cloning, comparing, printing | without recursion | recursive |
//! | `Eq`, `Hash` | no: NaN is not equal to itself | yes |
//!
//! # Examples
//!
//! ```
//! use ubjson::{Value, ubjson};
//!
//! let mut value: Value = ubjson::from_slice(b"{i\x04nameSi\x03boxi\x04size[$U#i\x03\x01\x02\x03}")?;
//! assert_eq!(value["name"], "box");
//! assert_eq!(value["size"][2], 3);
//! value["name"] = "crate".into();
//! value["size"][0] = ubjson!(null);
//! assert_eq!(value.to_string(), r#"{"name":"crate","size":[null,2,3]}"#);
//! # Ok::<(), ubjson::Error>(())
//! ```

mod array;
mod clone;
mod compare;
mod de;
mod drop;
mod fmt;
mod from;
mod index;
#[cfg(feature = "json")]
mod json;
mod macros;
pub mod map;
mod number;
mod packed;
mod read;
mod ser;
mod shapes;
mod write;

use alloc::string::String;

pub use self::array::Array;
pub use self::index::Index;
#[doc(inline)]
pub use self::map::Map;
pub use self::number::Number;
pub use self::packed::{Iter as PackedIter, Numbers, PackedArray};
pub use self::read::{ValueDeserializer, from_value};
pub use self::write::to_value;

/// Any UBJSON value.
///
/// See the [module documentation](self) for how it differs from `serde_json::Value`.
#[derive(Default)]
pub enum Value {
    /// `Z`
    #[default]
    Null,
    /// `T` or `F`
    Bool(bool),
    /// A number of any type.
    Number(Number),
    /// `C`; a char beyond ASCII is written as a string.
    Char(char),
    /// `S`
    String(String),
    /// An array, unless it is a typed one of numbers.
    Array(Array),
    /// A typed array of numbers.
    Packed(PackedArray),
    /// An object.
    Object(Map),
}

const _: () = assert!(size_of::<Value>() <= 32, "the documentation says so");

impl Value {
    /// An element of an array or the value of a key; `None` if there is none or the value is of
    /// another kind.
    ///
    /// ```
    /// let value = ubjson::ubjson!({"a": [1, 2]});
    /// assert_eq!(value.get("a").and_then(|a| a.get(1)), Some(&2.into()));
    /// assert_eq!(value.get(0), None);
    /// ```
    #[must_use]
    pub fn get(&self, index: impl Index) -> Option<&Self> {
        index.get(self)
    }

    /// Like [`get`](Self::get), to be changed. A packed array becomes an ordinary one by that.
    pub fn get_mut(&mut self, index: impl Index) -> Option<&mut Self> {
        index.get_mut(self)
    }

    /// The value at a JSON pointer (RFC 6901); `None` if there is none.
    ///
    /// ```
    /// let value = ubjson::ubjson!({"a/b": [{"c": true}]});
    /// assert_eq!(value.pointer("/a~1b/0/c"), Some(&true.into()));
    /// assert_eq!(value.pointer(""), Some(&value));
    /// ```
    #[must_use]
    pub fn pointer(&self, pointer: &str) -> Option<&Self> {
        index::tokens(pointer)?.try_fold(self, |value, token| value.step(&token))
    }

    /// Like [`pointer`](Self::pointer), to be changed. Packed arrays on the way to an element
    /// become ordinary ones.
    pub fn pointer_mut(&mut self, pointer: &str) -> Option<&mut Self> {
        index::tokens(pointer)?.try_fold(self, |value, token| value.step_mut(&token))
    }

    /// The value, with null left in its place.
    #[must_use]
    pub fn take(&mut self) -> Self {
        core::mem::take(self)
    }

    /// Whether it is null.
    #[must_use]
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// Whether it is true or false.
    #[must_use]
    pub fn is_boolean(&self) -> bool {
        matches!(self, Self::Bool(_))
    }

    /// Whether it is a number.
    #[must_use]
    pub fn is_number(&self) -> bool {
        matches!(self, Self::Number(_))
    }

    /// Whether it is an integer that [`as_i64`](Self::as_i64) gives.
    #[must_use]
    pub fn is_i64(&self) -> bool {
        self.as_i64().is_some()
    }

    /// Whether it is an integer that [`as_u64`](Self::as_u64) gives.
    #[must_use]
    pub fn is_u64(&self) -> bool {
        self.as_u64().is_some()
    }

    /// Whether it is a float, of either width.
    #[must_use]
    pub fn is_f64(&self) -> bool {
        self.as_number().is_some_and(Number::is_float)
    }

    /// Whether it is text: a string or a char.
    #[must_use]
    pub fn is_string(&self) -> bool {
        matches!(self, Self::String(_) | Self::Char(_))
    }

    /// Whether it is an array, packed or not.
    #[must_use]
    pub fn is_array(&self) -> bool {
        matches!(self, Self::Array(_) | Self::Packed(_))
    }

    /// Whether it is an object.
    #[must_use]
    pub fn is_object(&self) -> bool {
        matches!(self, Self::Object(_))
    }

    /// `()` if it is null.
    #[must_use]
    pub fn as_null(&self) -> Option<()> {
        self.is_null().then_some(())
    }

    /// The truth value, if it is one.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The number, if it is one.
    #[must_use]
    pub fn as_number(&self) -> Option<&Number> {
        match self {
            Self::Number(number) => Some(number),
            _ => None,
        }
    }

    /// The integer, if it is one and fits.
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        self.as_number()?.as_i64()
    }

    /// The integer, if it is one and fits.
    #[must_use]
    pub fn as_u64(&self) -> Option<u64> {
        self.as_number()?.as_u64()
    }

    /// The number as the nearest float, if it is one and any is near.
    #[must_use]
    pub fn as_f64(&self) -> Option<f64> {
        self.as_number()?.as_f64()
    }

    /// The text of a string or of a char.
    ///
    /// ```
    /// let value: ubjson::Value = ubjson::from_slice(b"Cx")?;
    /// assert_eq!(value.as_str(), Some("x"));
    /// # Ok::<(), ubjson::Error>(())
    /// ```
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            Self::Char(char) => ascii_text(*char),
            _ => None,
        }
    }

    /// The elements of an array. Those of a packed array are unpacked beside it by the first call;
    /// [`as_packed`](Self::as_packed) avoids that.
    #[must_use]
    pub fn as_array(&self) -> Option<&Array> {
        match self {
            Self::Array(array) => Some(array),
            Self::Packed(packed) => Some(packed.unpacked()),
            _ => None,
        }
    }

    /// The elements of an array, to be changed. A packed array becomes an ordinary one by that.
    pub fn as_array_mut(&mut self) -> Option<&mut Array> {
        if let Self::Packed(packed) = self {
            *self = Self::Array(packed.to_array());
        }
        match self {
            Self::Array(array) => Some(array),
            _ => None,
        }
    }

    /// The packed array, if it is one.
    #[must_use]
    pub fn as_packed(&self) -> Option<&PackedArray> {
        match self {
            Self::Packed(packed) => Some(packed),
            _ => None,
        }
    }

    /// The packed array, if it is one, to be changed.
    pub fn as_packed_mut(&mut self) -> Option<&mut PackedArray> {
        match self {
            Self::Packed(packed) => Some(packed),
            _ => None,
        }
    }

    /// The entries of an object.
    #[must_use]
    pub fn as_object(&self) -> Option<&Map> {
        match self {
            Self::Object(map) => Some(map),
            _ => None,
        }
    }

    /// The entries of an object, to be changed.
    pub fn as_object_mut(&mut self) -> Option<&mut Map> {
        match self {
            Self::Object(map) => Some(map),
            _ => None,
        }
    }

    /// How many elements or entries there are; `None` for what has none.
    fn contents_len(&self) -> Option<usize> {
        match self {
            Self::Array(array) => Some(array.len()),
            Self::Packed(packed) => Some(packed.len()),
            Self::Object(map) => Some(map.len()),
            _ => None,
        }
    }

    /// Sorts the keys of all objects in the value, bytewise.
    pub fn sort_all_keys(&mut self) {
        let mut pending = alloc::vec![self];
        while let Some(value) = pending.pop() {
            match value {
                Self::Array(array) => pending.extend(array.iter_mut().filter(|inner| inner.is_container())),
                Self::Object(map) => {
                    map.sort_keys();
                    pending.extend(map.values_mut().filter(|inner| inner.is_container()));
                }
                _ => {}
            }
        }
    }

    /// Whether other values may be in it.
    fn is_container(&self) -> bool {
        matches!(self, Self::Array(_) | Self::Object(_))
    }
}

/// A char as a string; `None` beyond ASCII, where no document has one.
fn ascii_text(char: char) -> Option<&'static str> {
    const ASCII: &[u8; 128] = &{
        let mut bytes = [0; 128];
        let mut byte: u8 = 0;
        while byte < 128 {
            bytes[byte as usize] = byte;
            byte += 1;
        }
        bytes
    };
    let at = usize::try_from(u32::from(char)).ok()?;
    core::str::from_utf8(ASCII.get(at..=at)?).ok()
}
