//! `RawValue` and `RawRef`: a value kept as its bytes.

use alloc::vec::Vec;
use core::fmt;

use serde_core::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde_core::de::{self, Deserialize, Deserializer, EnumAccess, MapAccess, SeqAccess, Visitor};
use serde_core::ser::{Serialize, Serializer};

use crate::de::Deserializer as UbjsonDeserializer;
use crate::doorway::{self, Head};
use crate::error::Result;
use crate::ser::{Config, Integers};
use crate::value::Value;

/// One value as its bytes, owned: to be passed on, kept for later, or looked into by need.
///
/// The bytes are checked when a `RawValue` is made, so they are always one valid value, with its
/// marker: read out of a typed container, which leaves the markers out, it gets its own back. They
/// are written as they are, whatever the writer's options.
///
/// Works wherever serde does not buffer: as a field, an element, the value of a map. Under
/// `#[serde(flatten)]`, in internally tagged and in untagged enums, serde reads into a buffer of
/// its own first: then the value is encoded anew, and the same, but lengths and containers may be
/// written differently. In other formats it is the value itself.
///
/// Unlike `serde_json::value::RawValue` it is no unsized type: [`RawRef`] takes the place of
/// `&RawValue`.
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use ubjson::RawValue;
///
/// #[derive(Deserialize, Serialize)]
/// struct Envelope {
///     to: String,
///     body: RawValue,
/// }
///
/// let bytes = b"{i\x02toSi\x03bobi\x04body[U\x01I\x00\x02NTN]}";
/// let envelope: Envelope = ubjson::from_slice(bytes)?;
/// assert_eq!(envelope.body.as_bytes(), b"[U\x01I\x00\x02NTN]");
/// assert_eq!(envelope.body.decode::<(u8, u8, bool)>()?, (1, 2, true));
/// assert_eq!(ubjson::to_vec(&envelope)?, bytes);
/// # Ok::<(), ubjson::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct RawValue(Vec<u8>);

/// One value as its bytes, borrowed from a slice that is read.
///
/// The elements of typed containers and serde's buffers refuse it, since the value's bytes are not in
/// one piece there; [`RawValue`] is for them, and for readers, which lend nothing.
///
/// ```
/// use ubjson::RawRef;
///
/// let raw: Vec<RawRef<'_>> = ubjson::from_slice(b"[Si\x01a[]T]")?;
/// assert_eq!(raw[0].as_bytes(), b"Si\x01a");
/// assert_eq!(ubjson::to_vec(&raw)?, b"[Si\x01a[]T]");
/// # Ok::<(), ubjson::Error>(())
/// ```
///
/// ```compile_fail
/// let raw: ubjson::RawRef<'_> = ubjson::from_reader(&b"T"[..]).unwrap();
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct RawRef<'a>(&'a [u8]);

impl<'a> RawRef<'a> {
    /// The value that `bytes` are.
    ///
    /// # Errors
    ///
    /// As [`from_slice`](crate::from_slice) into a type that takes everything. No-ops around the
    /// value are left out.
    pub fn new(bytes: &'a [u8]) -> Result<Self> {
        let mut deserializer = UbjsonDeserializer::from_slice(bytes);
        let raw = deserializer.document()?;
        deserializer.end()?;
        Ok(raw)
    }

    /// The bytes of the value.
    #[must_use]
    pub fn as_bytes(self) -> &'a [u8] {
        self.0
    }

    /// Reads the value.
    ///
    /// # Errors
    ///
    /// As [`from_slice`](crate::from_slice); offsets count from the start of the value.
    pub fn decode<T: Deserialize<'a>>(self) -> Result<T> {
        crate::from_slice(self.0)
    }

    /// The same value, owned.
    #[must_use]
    pub fn to_owned(self) -> RawValue {
        RawValue(self.0.into())
    }
}

impl RawValue {
    /// The value that `bytes` are.
    ///
    /// # Errors
    ///
    /// As [`from_slice`](crate::from_slice) into a type that takes everything. No-ops around the
    /// value are left out.
    pub fn from_slice(bytes: &[u8]) -> Result<Self> {
        RawRef::new(bytes).map(RawRef::to_owned)
    }

    /// The value that `bytes` are, without copying them.
    ///
    /// # Errors
    ///
    /// As [`from_slice`](Self::from_slice).
    pub fn from_vec(mut bytes: Vec<u8>) -> Result<Self> {
        let byte_len = RawRef::new(&bytes)?.0.len();
        let leading = bytes.iter().take_while(|byte| **byte == crate::marker::byte::NO_OP);
        let leading = leading.count();
        bytes.drain(..leading);
        bytes.truncate(byte_len);
        Ok(Self(bytes))
    }

    /// Encodes a value with the options of [`to_vec`](crate::to_vec).
    ///
    /// # Errors
    ///
    /// As [`to_vec`](crate::to_vec).
    pub fn encode<T: ?Sized + Serialize>(value: &T) -> Result<Self> {
        crate::to_vec(value).map(Self)
    }

    /// The bytes of the value.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The bytes of the value.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    /// The same value, borrowed.
    #[must_use]
    pub fn as_ref(&self) -> RawRef<'_> {
        RawRef(&self.0)
    }

    /// Reads the value.
    ///
    /// # Errors
    ///
    /// As [`from_slice`](crate::from_slice); offsets count from the start of the value.
    pub fn decode<'a, T: Deserialize<'a>>(&'a self) -> Result<T> {
        self.as_ref().decode()
    }
}

/// The bytes are not shown, but how many there are, and the value.
fn debug(name: &str, bytes: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut shown = f.debug_struct(name);
    shown.field("byte_len", &bytes.len());
    if let Ok(value) = crate::from_slice::<Value>(bytes) {
        shown.field("value", &value);
    }
    shown.finish()
}

impl fmt::Debug for RawValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug("RawValue", &self.0, f)
    }
}

impl fmt::Debug for RawRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug("RawRef", self.0, f)
    }
}

/// What the bytes say, for other formats; decoded only there.
struct Decoded<'a>(&'a [u8]);

impl Serialize for Decoded<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value: Value = crate::from_slice(self.0).map_err(serde_core::ser::Error::custom)?;
        value.serialize(serializer)
    }
}

impl Serialize for RawRef<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        doorway::raw(self.0, Decoded(self.0), serializer)
    }
}

impl Serialize for RawValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_ref().serialize(serializer)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for RawRef<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(doorway::RAW, RefVisitor)
    }
}

struct RefVisitor;

impl<'de> Visitor<'de> for RefVisitor {
    type Value = RawRef<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value whose bytes can be borrowed")
    }

    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<RawRef<'de>, A::Error> {
        match doorway::open(access)? {
            (Head::Raw, payload) => doorway::bytes(payload, BorrowedBytes),
            _ => Err(de::Error::invalid_type(de::Unexpected::Enum, &self)),
        }
    }
}

/// Takes bytes that come through the doorway, and no others.
struct BorrowedBytes;

impl<'de> Visitor<'de> for BorrowedBytes {
    type Value = RawRef<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        RefVisitor.expecting(f)
    }

    fn visit_borrowed_bytes<E>(self, bytes: &'de [u8]) -> Result<RawRef<'de>, E> {
        Ok(RawRef(bytes))
    }
}

/// The same for bytes that are to be owned.
struct OwnedBytes;

impl Visitor<'_> for OwnedBytes {
    type Value = RawValue;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        RawVisitor.expecting(f)
    }

    fn visit_bytes<E>(self, bytes: &[u8]) -> Result<RawValue, E> {
        Ok(RawValue(bytes.into()))
    }

    fn visit_byte_buf<E>(self, bytes: Vec<u8>) -> Result<RawValue, E> {
        Ok(RawValue(bytes))
    }
}

impl<'de> Deserialize<'de> for RawValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(doorway::RAW, RawVisitor)
    }
}

/// Takes the bytes through the doorway; from elsewhere a value, which is encoded.
struct RawVisitor;

/// A value that was read from another format or from a buffer of serde's.
fn encode<E: de::Error>(value: &Value) -> Result<RawValue, E> {
    let bytes = Config::new().integers(Integers::Declared).to_vec(value);
    bytes.map(RawValue).map_err(E::custom)
}

macro_rules! visit_scalar {
    ($($method:ident, $scalar:ty;)*) => {$(
        fn $method<E: de::Error>(self, value: $scalar) -> Result<RawValue, E> {
            encode(&value.into())
        }
    )*};
}

impl<'de> Visitor<'de> for RawVisitor {
    type Value = RawValue;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<RawValue, A::Error> {
        match doorway::open(access)? {
            (Head::Raw, payload) => doorway::bytes(payload, OwnedBytes),
            _ => Err(de::Error::invalid_type(de::Unexpected::Enum, &self)),
        }
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<RawValue, D::Error> {
        encode(&Value::deserialize(deserializer)?)
    }

    visit_scalar! {
        visit_bool, bool; visit_char, char; visit_str, &str; visit_f32, f32; visit_f64, f64;
        visit_i8, i8; visit_i16, i16; visit_i32, i32; visit_i64, i64; visit_i128, i128;
        visit_u8, u8; visit_u16, u16; visit_u32, u32; visit_u64, u64; visit_u128, u128;
    }

    fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<RawValue, E> {
        encode(&Value::Packed(bytes.to_vec().into()))
    }

    fn visit_unit<E: de::Error>(self) -> Result<RawValue, E> {
        encode(&Value::Null)
    }

    fn visit_none<E: de::Error>(self) -> Result<RawValue, E> {
        self.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<RawValue, D::Error> {
        RawValue::deserialize(deserializer)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, access: A) -> Result<RawValue, A::Error> {
        encode(&Value::deserialize(SeqAccessDeserializer::new(access))?)
    }

    fn visit_map<A: MapAccess<'de>>(self, access: A) -> Result<RawValue, A::Error> {
        encode(&Value::deserialize(MapAccessDeserializer::new(access))?)
    }
}
