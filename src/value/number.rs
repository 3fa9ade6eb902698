//! `Number`: a number with its wire type.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use core::fmt;
use core::str::FromStr;

use serde_core::de::{self, Deserialize, Deserializer, EnumAccess, MapAccess, Visitor};
use serde_core::ser::{Serialize, Serializer};

use super::Value;
use crate::doorway::{self, Head};
use crate::error::{Error, ErrorCode};
use crate::marker::Marker;
use crate::number::{self, ParsedNumber};

/// A number as it stands in a document: an integer or a float of one of the seven widths, or the
/// exact text of a high-precision number.
///
/// Two numbers are equal if they are the same integer or the same float, whatever their widths.
/// Integers are not equal to floats, `NaN` to nothing. A high-precision number is equal to the
/// integer that its text spells, and to no other text.
///
/// ```
/// use ubjson::{Marker, Number};
///
/// let number: Number = ubjson::from_slice(b"I\x00\x07")?;
/// assert_eq!(number.marker(), Marker::Int16);
/// assert_eq!(number, Number::from(7_u8));
///
/// let exact: Number = ubjson::from_slice(b"Hi\x050.100")?;
/// assert_eq!(exact.to_string(), "0.100");
/// assert_eq!(exact.as_f64(), Some(0.1));
/// # Ok::<(), ubjson::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Number(Repr);

#[derive(Clone, Debug)]
pub(super) enum Repr {
    Int8(i8),
    Uint8(u8),
    Int16(i16),
    Int32(i32),
    Int64(i64),
    Float32(f32),
    Float64(f64),
    HighPrecision(Box<str>),
}

impl Number {
    /// A high-precision number of this text.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Number`](crate::ErrorKind::Number) if `text` is not a number as JSON spells it.
    pub fn from_text(text: &str) -> Result<Self, Error> {
        match number::validate(text.as_bytes()) {
            Some(text) => Ok(Self::high_precision(text)),
            None => Err(Error::without_offset(ErrorCode::InvalidNumber)),
        }
    }

    /// A text that is known to be a JSON number's.
    fn high_precision(text: impl Into<Box<str>>) -> Self {
        Self(Repr::HighPrecision(text.into()))
    }

    /// The integer in the smallest type that holds it, int8 before uint8.
    pub(super) fn smallest(value: i64) -> Self {
        Self(if let Ok(value) = i8::try_from(value) {
            Repr::Int8(value)
        } else if let Ok(value) = u8::try_from(value) {
            Repr::Uint8(value)
        } else if let Ok(value) = i16::try_from(value) {
            Repr::Int16(value)
        } else if let Ok(value) = i32::try_from(value) {
            Repr::Int32(value)
        } else {
            Repr::Int64(value)
        })
    }

    pub(super) fn repr(&self) -> &Repr {
        &self.0
    }

    /// The type on the wire.
    #[must_use]
    pub fn marker(&self) -> Marker {
        match self.0 {
            Repr::Int8(_) => Marker::Int8,
            Repr::Uint8(_) => Marker::Uint8,
            Repr::Int16(_) => Marker::Int16,
            Repr::Int32(_) => Marker::Int32,
            Repr::Int64(_) => Marker::Int64,
            Repr::Float32(_) => Marker::Float32,
            Repr::Float64(_) => Marker::Float64,
            Repr::HighPrecision(_) => Marker::HighPrecision,
        }
    }

    /// The text of a high-precision number; `None` for the other types.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match &self.0 {
            Repr::HighPrecision(text) => Some(text),
            _ => None,
        }
    }

    /// Whether it is an integer, in whatever form; [`as_i128`](Self::as_i128) may still be `None`.
    #[must_use]
    pub fn is_integer(&self) -> bool {
        match &self.0 {
            Repr::Float32(_) | Repr::Float64(_) => false,
            Repr::HighPrecision(text) => number::is_integer(text.as_bytes()),
            _ => true,
        }
    }

    /// The integer, if it is one and fits.
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        match &self.0 {
            Repr::Int8(value) => Some(i64::from(*value)),
            Repr::Uint8(value) => Some(i64::from(*value)),
            Repr::Int16(value) => Some(i64::from(*value)),
            Repr::Int32(value) => Some(i64::from(*value)),
            Repr::Int64(value) => Some(*value),
            Repr::Float32(_) | Repr::Float64(_) => None,
            Repr::HighPrecision(text) => integer_text(text),
        }
    }

    /// The integer, if it is one and fits.
    #[must_use]
    pub fn as_u64(&self) -> Option<u64> {
        match &self.0 {
            Repr::HighPrecision(text) => integer_text(text),
            _ => u64::try_from(self.as_i64()?).ok(),
        }
    }

    /// The integer, if it is one and fits.
    #[must_use]
    pub fn as_i128(&self) -> Option<i128> {
        match &self.0 {
            Repr::HighPrecision(text) => integer_text(text),
            _ => self.as_i64().map(i128::from),
        }
    }

    /// The integer, if it is one and fits.
    #[must_use]
    pub fn as_u128(&self) -> Option<u128> {
        match &self.0 {
            Repr::HighPrecision(text) => integer_text(text),
            _ => u128::try_from(self.as_i64()?).ok(),
        }
    }

    /// The nearest float. `None` only for a high-precision number that is beyond every finite one.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "the nearest float is asked for")]
    pub fn as_f64(&self) -> Option<f64> {
        match &self.0 {
            Repr::Float32(value) => Some(f64::from(*value)),
            Repr::Float64(value) => Some(*value),
            Repr::HighPrecision(text) => text.parse().ok().filter(|value: &f64| value.is_finite()),
            _ => self.as_i64().map(|value| value as f64),
        }
    }

    /// Whether it is a float, of either width.
    #[must_use]
    pub fn is_float(&self) -> bool {
        matches!(self.0, Repr::Float32(_) | Repr::Float64(_))
    }

    /// Whether JSON can express it: all but `NaN` and the infinities.
    pub(super) fn is_finite(&self) -> bool {
        match self.0 {
            Repr::Float32(value) => value.is_finite(),
            Repr::Float64(value) => value.is_finite(),
            _ => true,
        }
    }
}

/// The integer that a JSON number's text spells; `-0` is none, as everywhere in this crate.
fn integer_text<T: FromStr>(text: &str) -> Option<T> {
    if text == "-0" {
        return None;
    }
    text.parse().ok()
}

/// Whether `text`, which is a JSON number's, spells the integer `value`.
fn spells(text: &str, value: i64) -> bool {
    itoa::Buffer::new().format(value) == text
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Repr::HighPrecision(a), Repr::HighPrecision(b)) => a == b,
            (Repr::HighPrecision(text), _) => other.as_i64().is_some_and(|value| spells(text, value)),
            (_, Repr::HighPrecision(text)) => self.as_i64().is_some_and(|value| spells(text, value)),
            _ if self.is_float() != other.is_float() => false,
            _ if self.is_float() => self.as_f64() == other.as_f64(),
            _ => self.as_i64() == other.as_i64(),
        }
    }
}

/// As JSON: `null` for what JSON cannot express.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::HighPrecision(text) => f.write_str(text),
            _ if !self.is_finite() => f.write_str("null"),
            // Debug spells floats with a point or an exponent, as JSON has them.
            Repr::Float32(value) => write!(f, "{value:?}"),
            Repr::Float64(value) => write!(f, "{value:?}"),
            _ => write!(f, "{}", self.as_i64().unwrap_or_default()),
        }
    }
}

macro_rules! from_number {
    ($($number:ty, $repr:ident;)*) => {$(
        impl From<$number> for Number {
            fn from(value: $number) -> Self {
                Self(Repr::$repr(value.into()))
            }
        }
    )*};
}

from_number! {
    i8, Int8; u8, Uint8; i16, Int16; u16, Int32; i32, Int32; u32, Int64; i64, Int64;
    f32, Float32; f64, Float64;
}

/// A wide integer is an int64 where it fits, and else a high-precision number.
macro_rules! from_wide_integer {
    ($($integer:ty)*) => {$(
        impl From<$integer> for Number {
            fn from(value: $integer) -> Self {
                match i64::try_from(value) {
                    Ok(value) => Self(Repr::Int64(value)),
                    Err(_) => Self::high_precision(value.to_string()),
                }
            }
        }
    )*};
}

from_wide_integer! { u64 i128 u128 isize usize }

/// Reads a number as JSON spells it: integers into the smallest type, decimals into float64, what
/// would lose digits by that (more than 17 of them, or beyond the range) as a high-precision
/// number.
impl FromStr for Number {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let parsed = number::parse(text.as_bytes()).ok_or_else(|| Error::without_offset(ErrorCode::InvalidNumber))?;
        Ok(match parsed {
            ParsedNumber::Signed(value) => Self::smallest(value),
            ParsedNumber::Unsigned(value) => match i64::try_from(value) {
                Ok(value) => Self::smallest(value),
                Err(_) => Self::high_precision(text),
            },
            ParsedNumber::Float(value) if is_float_text(text, value) => Self(Repr::Float64(value)),
            _ => Self::high_precision(text),
        })
    }
}

/// Whether `text` may be what a float64 was printed as, with however many digits.
fn is_float_text(text: &str, value: f64) -> bool {
    let mantissa = text.split(['e', 'E']).next().unwrap_or_default();
    let digits = || mantissa.bytes().filter(u8::is_ascii_digit);
    let leading_zeros = digits().take_while(|digit| *digit == b'0').count();
    let trailing_zeros = mantissa
        .bytes()
        .rev()
        .filter(u8::is_ascii_digit)
        .take_while(|digit| *digit == b'0');
    let significant = digits().count().saturating_sub(leading_zeros + trailing_zeros.count());
    significant <= 17 && (value != 0.0 || significant == 0)
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Repr::Int8(value) => serializer.serialize_i8(*value),
            Repr::Uint8(value) => serializer.serialize_u8(*value),
            Repr::Int16(value) => serializer.serialize_i16(*value),
            Repr::Int32(value) => serializer.serialize_i32(*value),
            Repr::Int64(value) => serializer.serialize_i64(*value),
            Repr::Float32(value) => serializer.serialize_f32(*value),
            Repr::Float64(value) => serializer.serialize_f64(*value),
            Repr::HighPrecision(text) => doorway::high_precision(text, serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(doorway::VALUE, NumberVisitor { is_foreign: false })
    }
}

struct NumberVisitor {
    /// Reads from another format, or from a buffer.
    is_foreign: bool,
}

macro_rules! visit_number {
    ($($method:ident, $number:ty;)*) => {$(
        fn $method<E>(self, value: $number) -> Result<Number, E> {
            Ok(value.into())
        }
    )*};
}

impl<'de> Visitor<'de> for NumberVisitor {
    type Value = Number;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number")
    }

    visit_number! {
        visit_i8, i8; visit_i16, i16; visit_i32, i32; visit_i64, i64; visit_i128, i128;
        visit_u8, u8; visit_u16, u16; visit_u32, u32; visit_u64, u64; visit_u128, u128;
        visit_f32, f32; visit_f64, f64;
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Number, D::Error> {
        deserializer.deserialize_any(Self { is_foreign: true })
    }

    fn visit_map<A: MapAccess<'de>>(self, access: A) -> Result<Number, A::Error> {
        let number = match self.is_foreign {
            true => Value::number_of_map(access)?,
            false => None,
        };
        number.ok_or_else(|| de::Error::invalid_type(de::Unexpected::Map, &self))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<Number, A::Error> {
        match doorway::open(access)? {
            (Head::HighPrecision, payload) => doorway::text(payload, TextVisitor),
            _ => Err(de::Error::invalid_type(de::Unexpected::Seq, &self)),
        }
    }
}

/// Takes a text that has been checked to be a number's.
pub(super) struct TextVisitor;

impl Visitor<'_> for TextVisitor {
    type Value = Number;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the text of a number")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Number, E> {
        Ok(Number::high_precision(text))
    }

    fn visit_string<E: de::Error>(self, text: String) -> Result<Number, E> {
        Ok(Number::high_precision(text))
    }
}
