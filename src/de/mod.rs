//! Reading: `Deserializer`, its options, and serde's face over the decoder.

mod config;
mod container;
mod door;
mod elements;
mod entry;
mod exact_object;
mod key;
mod known_keys;
mod recover;
mod scalar;
mod stream;
mod text;
mod variant;

#[cfg(feature = "std")]
use std::io;

use serde_core::de::{self, Visitor};

pub use self::config::Config;
use self::container::{ArrayAccess, ObjectAccess};
pub use self::elements::Elements;
#[cfg(feature = "std")]
pub use self::entry::{from_reader, from_seekable};
pub use self::entry::{from_slice, from_slice_prefix};
pub(crate) use self::key::{KeyDeserializer, Text as KeyText};
use self::known_keys::KnownKeys;
use self::recover::Fault;
use self::scalar::Sign;
pub use self::stream::StreamDeserializer;
use crate::decode::{Container, Decoder, Extent};
use crate::doorway::{self, Request};
use crate::error::{Error, ErrorCode, Expected, Result};
use crate::marker::{Marker, byte};
#[cfg(feature = "bytes")]
pub use crate::read::BufferRead;
#[cfg(feature = "std")]
pub use crate::read::{IoRead, Seekable, Unseekable};
pub use crate::read::{Read, SliceRead};

/// Reads Rust values from UBJSON.
///
/// Made by [`from_slice`](Self::from_slice), [`from_reader`](Self::from_reader) or
/// [`from_seekable`](Self::from_seekable), or with options by [`Config`]. After an error it is
/// spent: where the next document starts is not known.
///
/// ```
/// use serde::Deserialize;
///
/// let mut deserializer = ubjson::Deserializer::from_slice(b"i\x05T");
/// let number = u8::deserialize(&mut deserializer)?;
/// assert_eq!((number, deserializer.byte_offset()), (5, 2));
/// let flag = bool::deserialize(&mut deserializer)?;
/// deserializer.end()?;
/// assert!(flag);
/// # Ok::<(), ubjson::Error>(())
/// ```
#[derive(Debug)]
pub struct Deserializer<R> {
    pub(crate) decoder: Decoder<R>,
    human_readable: bool,
    pub(crate) lossy_utf8: bool,
    /// Whether a value is consumed whole when its type refuses it.
    recovers: bool,
    fault: Option<Fault>,
    known_keys: KnownKeys,
}

impl<'de> Deserializer<SliceRead<'de>> {
    /// Reads from a slice, which strings and bytes may be borrowed from.
    #[must_use]
    pub fn from_slice(bytes: &'de [u8]) -> Self {
        Config::new().deserializer_from_slice(bytes)
    }

    /// The bytes behind what has been read.
    #[must_use]
    pub fn rest(&self) -> &'de [u8] {
        self.decoder.source().rest()
    }
}

#[cfg(feature = "std")]
impl<R: io::Read> Deserializer<IoRead<R>> {
    /// Reads from a reader and takes no byte that is not the document's.
    ///
    /// Readers are taken by value; `&mut reader` is one, too.
    pub fn from_reader(reader: R) -> Self {
        Config::new().deserializer_from_reader(reader)
    }
}

#[cfg(feature = "std")]
impl<R: io::Read + io::Seek> Deserializer<IoRead<R, Seekable>> {
    /// Reads ahead in whole buffers; [`finish`](Self::finish) seeks back to the document's end.
    ///
    /// A reader that cannot tell its position (a `File` that is a pipe) is read as
    /// [`from_reader`](Deserializer::from_reader) does. Dropping the deserializer never seeks.
    pub fn from_seekable(reader: R) -> Self {
        Config::new().deserializer_from_seekable(reader)
    }
}

#[cfg(feature = "std")]
impl<R, M> Deserializer<IoRead<R, M>>
where
    IoRead<R, M>: for<'de> Read<'de>,
{
    /// The reader below. A seekable one may stand behind the last document by what was read ahead.
    pub fn get_ref(&self) -> &R {
        self.decoder.source().get_ref()
    }

    /// Gives back what was read ahead and returns the reader.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`](crate::ErrorKind::Io) if a seekable reader fails to seek back.
    pub fn into_inner(mut self) -> Result<R> {
        self.finish()?;
        Ok(self.decoder.into_source().into_inner())
    }
}

impl<'de, R: Read<'de>> Deserializer<R> {
    pub(crate) fn new(source: R, config: &Config) -> Self {
        Self {
            decoder: Decoder::new(source, config.limits),
            human_readable: config.human_readable,
            lossy_utf8: config.lossy_utf8,
            recovers: false,
            fault: None,
            known_keys: KnownKeys::default(),
        }
    }

    /// Checks that nothing but no-ops follows.
    ///
    /// A reader is read to its end for that, so this is not for streams that go on.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Trailing`](crate::ErrorKind::Trailing) with the offset of the first byte that
    /// is no no-op; [`ErrorKind::Io`](crate::ErrorKind::Io).
    pub fn end(&mut self) -> Result<()> {
        match self.decoder.peek_document()? {
            None => Ok(()),
            Some(byte) => Err(Error::new(ErrorCode::TrailingBytes(byte), self.byte_offset())),
        }
    }

    /// Gives back what was read ahead: a seekable reader then stands where
    /// [`byte_offset`](Self::byte_offset) says. Does nothing for other sources.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`](crate::ErrorKind::Io) if seeking fails or ends up elsewhere.
    pub fn finish(&mut self) -> Result<()> {
        self.decoder.finish()
    }

    /// How many bytes have been consumed since this deserializer was made.
    #[must_use]
    pub fn byte_offset(&self) -> u64 {
        self.decoder.offset()
    }

    /// Reads one value as a document of its own.
    pub(crate) fn document<T: de::Deserialize<'de>>(&mut self) -> Result<T> {
        self.decoder.begin_document();
        // Some types raise errors after their value has been read.
        self.located(|de| T::deserialize(de))
    }

    /// Reads with the start of the value as the offset of errors that have none.
    #[inline]
    fn located<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let start = self.decoder.mark();
        match read(self) {
            Ok(value) => Ok(value),
            Err(error) => Err(self.failed(error, start)),
        }
    }

    /// Visits whatever is next, behind the fast path for integers.
    #[inline(never)]
    fn visit_other_integer<V: Visitor<'de>>(&mut self, sign: Sign, visitor: V) -> Result<V::Value> {
        let marker = self.decoder.marker()?;
        match self.decoder.integer_payload(marker)? {
            Some(value) => sign.visit(value, visitor),
            None => self.visit_any(marker, visitor),
        }
    }

    /// Visits the value behind `marker` as what it is.
    fn visit_any<V: Visitor<'de>>(&mut self, marker: u8, visitor: V) -> Result<V::Value> {
        match marker {
            byte::NULL => visitor.visit_unit(),
            byte::TRUE => visitor.visit_bool(true),
            byte::FALSE => visitor.visit_bool(false),
            byte::FLOAT32 => visitor.visit_f32(f32::from_be_bytes(self.decoder.payload()?)),
            byte::FLOAT64 => visitor.visit_f64(f64::from_be_bytes(self.decoder.payload()?)),
            byte::HIGH_PRECISION => self.visit_number(visitor),
            byte::CHAR => self.visit_char(visitor),
            byte::STRING => self.visit_string(visitor),
            byte::ARRAY_START => self.visit_array(visitor),
            byte::OBJECT_START => self.visit_object(visitor, &[]),
            marker => self.visit_integer(marker, visitor),
        }
    }

    #[inline(never)]
    fn visit_other_float64<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        match self.decoder.marker()? {
            byte::NULL => visitor.visit_f64(f64::NAN),
            byte::HIGH_PRECISION => visitor.visit_f64(self.float_text()?),
            marker => self.visit_any(marker, visitor),
        }
    }

    /// Visits an integer by its width; any other marker is an error by now.
    #[inline]
    fn visit_integer<V: Visitor<'de>>(&mut self, marker: u8, visitor: V) -> Result<V::Value> {
        match marker {
            byte::INT8 => visitor.visit_i8(i8::from_be_bytes(self.decoder.payload()?)),
            byte::UINT8 => visitor.visit_u8(u8::from_be_bytes(self.decoder.payload()?)),
            byte::INT16 => visitor.visit_i16(i16::from_be_bytes(self.decoder.payload()?)),
            byte::INT32 => visitor.visit_i32(i32::from_be_bytes(self.decoder.payload()?)),
            byte::INT64 => visitor.visit_i64(i64::from_be_bytes(self.decoder.payload()?)),
            found => Err(self.decoder.unexpected_marker(found, Expected::Value)),
        }
    }

    /// Enters the array whose marker was consumed, and leaves it whatever the visitor says.
    fn visit_array<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        let array = self.decoder.open_array()?;
        let visited = self.visit_elements(array, visitor);
        self.decoder.leave();
        visited
    }

    fn visit_elements<V: Visitor<'de>>(&mut self, array: Container, visitor: V) -> Result<V::Value> {
        let mut access = ArrayAccess::new(self, array);
        let visited = visitor.visit_seq(&mut access);
        access.end(visited)
    }

    /// A sequence that wants elements of one type.
    #[inline]
    fn visit_seq<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        let array = self.decoder.open_array()?;
        let visited = match array.element {
            None => self.visit_elements(array, visitor),
            Some(element) => self.visit_typed_elements(array, element, visitor),
        };
        self.decoder.leave();
        visited
    }

    /// Typed arrays of scalars get a loop of their own.
    #[inline(never)]
    fn visit_typed_elements<V: Visitor<'de>>(
        &mut self,
        array: Container,
        element: Marker,
        visitor: V,
    ) -> Result<V::Value> {
        let hint = self.decoder.size_hint(&array);
        match (element, array.extent) {
            (Marker::Int8, Extent::Counted(count)) => self.visit_scalars::<i8, 1, _>(count, hint, visitor),
            (Marker::Uint8, Extent::Counted(count)) => self.visit_scalars::<u8, 1, _>(count, hint, visitor),
            (Marker::Int16, Extent::Counted(count)) => self.visit_scalars::<i16, 2, _>(count, hint, visitor),
            (Marker::Int32, Extent::Counted(count)) => self.visit_scalars::<i32, 4, _>(count, hint, visitor),
            (Marker::Int64, Extent::Counted(count)) => self.visit_scalars::<i64, 8, _>(count, hint, visitor),
            (Marker::Float32, Extent::Counted(count)) => self.visit_scalars::<f32, 4, _>(count, hint, visitor),
            (Marker::Float64, Extent::Counted(count)) => self.visit_scalars::<f64, 8, _>(count, hint, visitor),
            _ => self.visit_elements(array, visitor),
        }
    }

    /// Enters the object whose marker was consumed, and leaves it whatever the visitor says.
    fn visit_object<V: Visitor<'de>>(&mut self, visitor: V, fields: &'static [&'static str]) -> Result<V::Value> {
        let object = self.decoder.open_object()?;
        let visited = self.visit_entries(object, visitor, fields);
        self.decoder.leave();
        visited
    }

    fn visit_entries<V: Visitor<'de>>(
        &mut self,
        object: Container,
        visitor: V,
        fields: &'static [&'static str],
    ) -> Result<V::Value> {
        let mut access = ObjectAccess::new(self, object, fields);
        let visited = visitor.visit_map(&mut access);
        access.end(visited)
    }
}

macro_rules! deserialize_integer {
    ($($method:ident $sign:ident;)*) => {$(
        #[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            self.located(|de| match de.decoder.next_integer() {
                Some(value) => Sign::$sign.visit(value, visitor),
                None => de.visit_other_integer(Sign::$sign, visitor),
            })
        }
    )*};
}

impl<'de, R: Read<'de>> de::Deserializer<'de> for &mut Deserializer<R> {
    type Error = Error;

    deserialize_integer! {
        deserialize_i8 Signed; deserialize_i16 Signed; deserialize_i32 Signed; deserialize_i64 Signed;
        deserialize_i128 Signed;
        deserialize_u16 Unsigned; deserialize_u32 Unsigned; deserialize_u64 Unsigned; deserialize_u128 Unsigned;
    }

    /// The chars of a typed array are bytes to whoever wants bytes.
    #[inline]
    fn deserialize_u8<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.located(|de| match de.decoder.next_integer() {
            Some(value) => Sign::Unsigned.visit(value, visitor),
            None if de.decoder.is_elided() && de.decoder.peek_marker()? == byte::CHAR => {
                de.decoder.consume_marker();
                visitor.visit_u8(de.decoder.char()?)
            }
            None => de.visit_other_integer(Sign::Unsigned, visitor),
        })
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.located(|de| {
            let marker = de.decoder.marker()?;
            de.visit_any(marker, visitor)
        })
    }

    #[inline]
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.located(|de| match de.decoder.marker()? {
            byte::TRUE => visitor.visit_bool(true),
            byte::FALSE => visitor.visit_bool(false),
            marker => de.visit_any(marker, visitor),
        })
    }

    #[inline]
    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.located(|de| match de.decoder.marker()? {
            byte::FLOAT32 => visitor.visit_f32(f32::from_be_bytes(de.decoder.payload()?)),
            byte::FLOAT64 => visitor.visit_f64(f64::from_be_bytes(de.decoder.payload()?)),
            byte::NULL => visitor.visit_f32(f32::NAN),
            byte::HIGH_PRECISION => visitor.visit_f32(de.float_text()?),
            marker => de.visit_any(marker, visitor),
        })
    }

    #[inline]
    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.located(|de| match de.decoder.next_float64() {
            Some(value) => visitor.visit_f64(value),
            None => de.visit_other_float64(visitor),
        })
    }

    #[inline]
    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.located(|de| match de.decoder.marker()? {
            byte::CHAR => visitor.visit_char(char::from(de.decoder.char()?)),
            marker => de.visit_any(marker, visitor),
        })
    }

    #[inline]
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.located(|de| match de.decoder.next_string_len() {
            Some(byte_len) => de.visit_string_payload(byte_len, visitor),
            None => de.visit_other_string(visitor),
        })
    }

    #[inline]
    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.located(|de| match de.decoder.next_string_len() {
            Some(byte_len) => de.visit_string_payload(byte_len, visitor),
            None => de.visit_other_owned_string(visitor),
        })
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.located(|de| de.visit_bytes(visitor))
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.located(|de| de.visit_byte_buf(visitor))
    }

    #[inline]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.located(|de| {
            if de.decoder.peek_marker()? == byte::NULL {
                de.decoder.consume_marker();
                return visitor.visit_none();
            }
            // Behind any no-ops, as the value's start.
            let is_element = de.decoder.is_elided();
            de.value(is_element, |de| visitor.visit_some(de))
        })
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_any(visitor)
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _name: &'static str, visitor: V) -> Result<V::Value> {
        self.deserialize_any(visitor)
    }

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value> {
        match doorway::request(name) {
            Some(Request::Value) => self.visit_exact(visitor),
            Some(Request::Raw) => self.visit_raw(visitor),
            Some(Request::Key) | None => visitor.visit_newtype_struct(self),
        }
    }

    #[inline]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.located(|de| match de.decoder.marker()? {
            byte::ARRAY_START => de.visit_seq(visitor),
            marker => de.visit_any(marker, visitor),
        })
    }

    #[inline]
    fn deserialize_tuple<V: Visitor<'de>>(self, _len: usize, visitor: V) -> Result<V::Value> {
        self.located(|de| match de.decoder.marker()? {
            byte::ARRAY_START => de.visit_array(visitor),
            marker => de.visit_any(marker, visitor),
        })
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_tuple(len, visitor)
    }

    #[inline]
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.located(|de| match de.decoder.marker()? {
            byte::OBJECT_START => de.visit_object(visitor, &[]),
            marker => de.visit_any(marker, visitor),
        })
    }

    #[inline]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.located(|de| match de.decoder.marker()? {
            byte::OBJECT_START => de.visit_object(visitor, fields),
            byte::ARRAY_START => de.visit_array(visitor),
            marker => de.visit_any(marker, visitor),
        })
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.located(|de| match de.decoder.marker()? {
            marker @ (byte::STRING | byte::CHAR) => de.visit_unit_variant(marker, visitor),
            byte::OBJECT_START => {
                let object = de.decoder.open_object()?;
                let visited = de.visit_variant(object, visitor);
                de.decoder.leave();
                visited
            }
            marker => de.visit_any(marker, visitor),
        })
    }

    #[inline]
    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.located(|de| {
            de.decoder.skip_value()?;
            visitor.visit_unit()
        })
    }

    #[inline]
    fn is_human_readable(&self) -> bool {
        self.human_readable
    }
}
