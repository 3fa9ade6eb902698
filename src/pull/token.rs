//! What the pull reader gives out.

use serde_core::ser::{Serialize, Serializer};

use super::Text;
use crate::marker::Marker;

/// One token of a document and the place where it starts.
///
/// The lifetimes are those of the input, where the source is a slice, and of the reader's buffer,
/// which is used again for the next event.
#[derive(Clone, Debug, PartialEq)]
pub struct Event<'de, 's> {
    /// The offset of the token's first byte, from the first byte that the reader read. Where a
    /// typed container leaves an element's marker out, and for the end of a counted container,
    /// the first byte behind what is left out.
    pub offset: u64,
    /// The offset behind the token's last byte; for a string, where its text starts.
    pub end: u64,
    /// What stands there.
    pub token: Token<'de, 's>,
}

/// One token of a document.
#[derive(Clone, Debug, PartialEq)]
pub enum Token<'de, 's> {
    /// A value of fixed size: null, a boolean, a number or a char.
    Scalar(Scalar),
    /// A high-precision number: its length and its text, which is that of a JSON number.
    HighPrecision(Length, Text<'de, 's>),
    /// The start of a string: its length. Its text is next, to be read with
    /// [`text`](super::Reader::text) or [`text_chunk`](super::Reader::text_chunk) or passed over by
    /// whatever else is called.
    String(Length),
    /// A key of an object: its length and its text. Its value is next.
    Key(Length, Text<'de, 's>),
    /// The start of an array.
    Array(Header),
    /// The end of an array; counted ones end without a byte of their own.
    ArrayEnd,
    /// The start of an object.
    Object(Header),
    /// The end of an object; counted ones end without a byte of their own.
    ObjectEnd,
}

/// A length or a count as it stands on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Length {
    /// The integer type that it is written in.
    pub marker: Marker,
    /// The number of bytes, elements or entries.
    pub value: u64,
}

/// What the header of a container says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// The type of all values, which then lack their markers (`$`).
    pub element: Option<Marker>,
    /// The number of elements or entries (`#`); a container without one has a closing marker.
    pub count: Option<Length>,
}

/// A value of fixed size, in its type on the wire.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar {
    /// `Z`
    Null,
    /// `T` or `F`
    Bool(bool),
    /// `i`
    Int8(i8),
    /// `U`
    Uint8(u8),
    /// `I`
    Int16(i16),
    /// `l`
    Int32(i32),
    /// `L`
    Int64(i64),
    /// `d`
    Float32(f32),
    /// `D`
    Float64(f64),
    /// `C`: an ASCII character.
    Char(u8),
}

impl Scalar {
    /// The type on the wire.
    ///
    /// ```
    /// use ubjson::{Marker, pull::Scalar};
    ///
    /// assert_eq!(Scalar::Int16(3).marker(), Marker::Int16);
    /// ```
    #[must_use]
    pub const fn marker(self) -> Marker {
        match self {
            Self::Null => Marker::Null,
            Self::Bool(true) => Marker::True,
            Self::Bool(false) => Marker::False,
            Self::Int8(_) => Marker::Int8,
            Self::Uint8(_) => Marker::Uint8,
            Self::Int16(_) => Marker::Int16,
            Self::Int32(_) => Marker::Int32,
            Self::Int64(_) => Marker::Int64,
            Self::Float32(_) => Marker::Float32,
            Self::Float64(_) => Marker::Float64,
            Self::Char(_) => Marker::Char,
        }
    }

    /// The value of this type whose payload on the wire, big-endian, is given; `None` if the type
    /// has another size, or none that is fixed, or the payload is no value of it.
    ///
    /// ```
    /// use ubjson::{Marker, pull::Scalar};
    ///
    /// assert_eq!(Scalar::from_be_bytes(Marker::Int16, &[1, 0]), Some(Scalar::Int16(256)));
    /// assert_eq!(Scalar::from_be_bytes(Marker::Int16, &[1]), None);
    /// ```
    #[must_use]
    pub fn from_be_bytes(marker: Marker, payload: &[u8]) -> Option<Self> {
        Some(match (marker, payload) {
            (Marker::Null, &[]) => Self::Null,
            (Marker::True, &[]) => Self::Bool(true),
            (Marker::False, &[]) => Self::Bool(false),
            (Marker::Int8, &[a]) => Self::Int8(i8::from_be_bytes([a])),
            (Marker::Uint8, &[a]) => Self::Uint8(a),
            (Marker::Char, &[a]) if a.is_ascii() => Self::Char(a),
            (Marker::Int16, &[a, b]) => Self::Int16(i16::from_be_bytes([a, b])),
            (Marker::Int32, &[a, b, c, d]) => Self::Int32(i32::from_be_bytes([a, b, c, d])),
            (Marker::Float32, &[a, b, c, d]) => Self::Float32(f32::from_be_bytes([a, b, c, d])),
            (Marker::Int64, &[a, b, c, d, e, f, g, h]) => Self::Int64(i64::from_be_bytes([a, b, c, d, e, f, g, h])),
            (Marker::Float64, &[a, b, c, d, e, f, g, h]) => Self::Float64(f64::from_be_bytes([a, b, c, d, e, f, g, h])),
            _ => return None,
        })
    }

    /// The value of an integer of any width.
    #[must_use]
    pub fn as_i64(self) -> Option<i64> {
        Some(match self {
            Self::Int8(value) => i64::from(value),
            Self::Uint8(value) => i64::from(value),
            Self::Int16(value) => i64::from(value),
            Self::Int32(value) => i64::from(value),
            Self::Int64(value) => value,
            _ => return None,
        })
    }

    /// The value of a float of either width.
    #[must_use]
    pub fn as_f64(self) -> Option<f64> {
        match self {
            Self::Float32(value) => Some(f64::from(value)),
            Self::Float64(value) => Some(value),
            _ => None,
        }
    }
}

/// As the Rust value that it is; null as unit.
impl Serialize for Scalar {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(value),
            Self::Int8(value) => serializer.serialize_i8(value),
            Self::Uint8(value) => serializer.serialize_u8(value),
            Self::Int16(value) => serializer.serialize_i16(value),
            Self::Int32(value) => serializer.serialize_i32(value),
            Self::Int64(value) => serializer.serialize_i64(value),
            Self::Float32(value) => serializer.serialize_f32(value),
            Self::Float64(value) => serializer.serialize_f64(value),
            Self::Char(value) => serializer.serialize_char(char::from(value)),
        }
    }
}
