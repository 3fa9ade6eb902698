//! Writing: `Serializer`, its options, and serde's face over the encoder.

mod config;
mod container_writers;
mod door;
mod element;
mod elements;
mod entries;
mod entry;
mod key;
mod scalar_run;

use alloc::vec::Vec;
use core::fmt;
#[cfg(feature = "std")]
use std::io;

use serde_core::Serialize;
use serde_core::ser;

pub use self::config::{Config, Containers, Integers, Lengths, NonFinite, Structs};
pub use self::container_writers::{ArrayWriter, ObjectWriter};
pub use self::elements::Elements;
pub use self::entries::{Entries, Fields};
pub use self::entry::to_vec;
#[cfg(feature = "std")]
pub use self::entry::to_writer;
pub(crate) use self::key::{KeySerializer, KeySink};
use crate::doorway;
use crate::encode::{Encoder, Scalar, as_float32};
use crate::error::{Error, ErrorCode, Result};
use crate::marker::Marker;
#[cfg(feature = "std")]
pub use crate::write::IoWrite;
pub use crate::write::{Defaults, Known, Options, VecWrite, Write};

/// Writes Rust values as UBJSON.
///
/// Any number of values may be written, one behind the other. Each is written out completely when
/// it ends. After an error the document is broken: what of it has been written out already depends
/// on its size, and a serializer whose writer failed writes nothing more.
///
/// ```
/// use serde::Serialize;
///
/// let mut serializer = ubjson::Serializer::new(Vec::new());
/// 5.serialize(&mut serializer)?;
/// "a".serialize(&mut serializer)?;
/// assert_eq!(serializer.into_inner(), b"i\x05Si\x01a");
/// # Ok::<(), ubjson::Error>(())
/// ```
#[derive(Debug)]
pub struct Serializer<W> {
    encoder: Encoder<W>,
}

#[cfg(feature = "std")]
impl<W: io::Write> Serializer<IoWrite<W>> {
    /// Writes to a writer in blocks, so that it needs no `BufWriter`.
    ///
    /// Writers are taken by value; `&mut writer` is one, too.
    pub fn new(writer: W) -> Self {
        Self::with_config(writer, &Config::new())
    }

    /// Writes to a writer with options.
    pub fn with_config(writer: W, config: &Config) -> Self {
        Self::over_writer(writer, *config)
    }
}

#[cfg(feature = "std")]
impl<W: io::Write, O: Options> Serializer<IoWrite<W, O>> {
    fn over_writer(writer: W, options: O) -> Self {
        Self::over(Vec::new(), IoWrite::new(writer, options))
    }

    /// The writer below. It has every value that has been written whole.
    pub fn get_ref(&self) -> &W {
        self.encoder.write_ref().get_ref()
    }

    /// The writer below, without flushing it.
    pub fn into_inner(self) -> W {
        self.encoder.into_parts().1.into_inner()
    }

    /// Flushes the writer below.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`](crate::ErrorKind::Io) if that fails;
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) after a container that was not finished.
    pub fn flush(&mut self) -> Result<()> {
        self.encoder.check_finished()?;
        self.encoder.write_mut().flush()
    }
}

impl Serializer<VecWrite> {
    /// Appends to a vector.
    #[must_use]
    pub fn with_vec(bytes: Vec<u8>, config: &Config) -> Self {
        Self::over_vec(bytes, *config)
    }
}

impl<O: Options> Serializer<VecWrite<O>> {
    fn over_vec(bytes: Vec<u8>, options: O) -> Self {
        Self::over(bytes, VecWrite::new(options))
    }

    /// The vector with what has been written.
    #[must_use]
    pub fn into_vec(self) -> Vec<u8> {
        self.encoder.into_parts().0
    }
}

impl<W: Write> Serializer<W> {
    fn over(block: Vec<u8>, write: W) -> Self {
        Self {
            encoder: Encoder::new(block, write),
        }
    }

    #[inline]
    fn config(&self) -> &Config {
        self.encoder.config()
    }

    /// An integer of at most 64 bits, signed, of the Rust type that `declared` stands for.
    #[inline]
    fn integer(&mut self, declared: Marker, value: i64) -> Result<()> {
        match self.config().integers {
            Integers::Smallest => self.encoder.integer(value),
            Integers::Declared => self.encoder.declared_integer(declared, value),
        }
    }

    /// The same as an element of an array that may be typed.
    #[inline]
    fn integer_scalar(&self, declared: Marker, value: i64) -> Scalar {
        match (self.config().integers, declared, u8::try_from(value)) {
            (_, Marker::Uint8, Ok(byte)) => Scalar::Byte(byte),
            (Integers::Declared, ..) => Scalar::Declared(declared, value),
            (Integers::Smallest, ..) => Scalar::Integer(value),
        }
    }

    /// A float as an element, unless it is written as something else.
    #[inline]
    fn float32_scalar(&self, value: f32) -> Option<Scalar> {
        (self.config().non_finite == NonFinite::Ieee || value.is_finite()).then_some(Scalar::Float32(value))
    }

    #[inline]
    fn float64_scalar(&self, value: f64) -> Option<Scalar> {
        let scalar = match self.config().compact_floats {
            true => Scalar::CompactFloat(value),
            false => Scalar::Float64(value),
        };
        (self.config().non_finite == NonFinite::Ieee || value.is_finite()).then_some(scalar)
    }

    /// What `NonFinite::{Null, Error}` make of a NaN or an infinity.
    #[cold]
    fn non_finite(&mut self) -> Result<()> {
        match self.config().non_finite {
            NonFinite::Error => Err(Error::without_offset(ErrorCode::NonFinite)),
            NonFinite::Null | NonFinite::Ieee => self.encoder.null(),
        }
    }

    /// An integer that may be beyond 64 bits.
    #[inline]
    fn wide_integer(&mut self, value: impl itoa::Integer + TryInto<i64> + Copy) -> Result<()> {
        match value.try_into() {
            Ok(value) => self.integer(Marker::Int64, value),
            Err(_) => self.high_precision_integer(value),
        }
    }

    #[cold]
    fn high_precision_integer(&mut self, value: impl itoa::Integer) -> Result<()> {
        self.encoder.high_precision(itoa::Buffer::new().format(value))
    }

    /// Starts the object around the content of an enum's variant.
    fn open_variant(&mut self, variant: &'static str) -> Result<()> {
        self.encoder.enter()?;
        let counted = self.config().containers == Containers::Counted;
        self.encoder.object_header(counted.then_some(1))?;
        self.encoder.text(variant)
    }

    fn close_variant(&mut self) -> Result<()> {
        self.encoder
            .close_object(self.config().containers == Containers::Counted)
    }
}

impl<'a, W: Write> ser::Serializer for &'a mut Serializer<W> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Elements<'a, W>;
    type SerializeTuple = Elements<'a, W>;
    type SerializeTupleStruct = Elements<'a, W>;
    type SerializeTupleVariant = Elements<'a, W>;
    type SerializeMap = Entries<'a, W>;
    type SerializeStruct = Fields<'a, W>;
    type SerializeStructVariant = Fields<'a, W>;

    #[inline]
    fn serialize_bool(self, value: bool) -> Result<()> {
        self.encoder.bool(value)
    }

    #[inline]
    fn serialize_i8(self, value: i8) -> Result<()> {
        self.encoder.int8(value)
    }

    #[inline]
    fn serialize_i16(self, value: i16) -> Result<()> {
        self.integer(Marker::Int16, i64::from(value))
    }

    #[inline]
    fn serialize_i32(self, value: i32) -> Result<()> {
        self.integer(Marker::Int32, i64::from(value))
    }

    #[inline]
    fn serialize_i64(self, value: i64) -> Result<()> {
        self.integer(Marker::Int64, value)
    }

    fn serialize_i128(self, value: i128) -> Result<()> {
        self.wide_integer(value)
    }

    #[inline]
    fn serialize_u8(self, value: u8) -> Result<()> {
        self.integer(Marker::Uint8, i64::from(value))
    }

    #[inline]
    fn serialize_u16(self, value: u16) -> Result<()> {
        self.integer(Marker::Int32, i64::from(value))
    }

    #[inline]
    fn serialize_u32(self, value: u32) -> Result<()> {
        self.integer(Marker::Int64, i64::from(value))
    }

    #[inline]
    fn serialize_u64(self, value: u64) -> Result<()> {
        self.wide_integer(value)
    }

    fn serialize_u128(self, value: u128) -> Result<()> {
        self.wide_integer(value)
    }

    #[inline]
    fn serialize_f32(self, value: f32) -> Result<()> {
        if self.config().non_finite != NonFinite::Ieee && !value.is_finite() {
            return self.non_finite();
        }
        self.encoder.float32(value)
    }

    #[inline]
    fn serialize_f64(self, value: f64) -> Result<()> {
        if self.config().non_finite != NonFinite::Ieee && !value.is_finite() {
            return self.non_finite();
        }
        match as_float32(value) {
            Some(narrow) if self.config().compact_floats => self.encoder.float32(narrow),
            _ => self.encoder.float64(value),
        }
    }

    fn serialize_char(self, value: char) -> Result<()> {
        match u8::try_from(value) {
            Ok(byte) if byte.is_ascii() => self.encoder.char(byte),
            _ => self.encoder.string(value.encode_utf8(&mut [0; 4])),
        }
    }

    #[inline]
    fn serialize_str(self, value: &str) -> Result<()> {
        self.encoder.string(value)
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<()> {
        self.encoder.bytes(value)
    }

    #[inline]
    fn serialize_none(self) -> Result<()> {
        self.encoder.null()
    }

    #[inline]
    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<()> {
        value.serialize(self)
    }

    #[inline]
    fn serialize_unit(self) -> Result<()> {
        self.encoder.null()
    }

    #[inline]
    fn serialize_unit_struct(self, _name: &'static str) -> Result<()> {
        self.encoder.null()
    }

    #[inline]
    fn serialize_unit_variant(self, _name: &'static str, _index: u32, variant: &'static str) -> Result<()> {
        self.encoder.string(variant)
    }

    #[inline]
    fn serialize_newtype_struct<T: ?Sized + Serialize>(self, name: &'static str, value: &T) -> Result<()> {
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
    ) -> Result<()> {
        self.open_variant(variant)?;
        let written = value.serialize(&mut *self);
        if written.is_err() {
            self.encoder.abandon();
            return written;
        }
        self.close_variant()
    }

    #[inline]
    fn serialize_seq(self, len: Option<usize>) -> Result<Elements<'a, W>> {
        Elements::new(self, len)
    }

    #[inline]
    fn serialize_tuple(self, len: usize) -> Result<Elements<'a, W>> {
        Elements::new(self, Some(len))
    }

    #[inline]
    fn serialize_tuple_struct(self, _name: &'static str, len: usize) -> Result<Elements<'a, W>> {
        Elements::new(self, Some(len))
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Elements<'a, W>> {
        self.open_variant(variant)?;
        Elements::new(self, Some(len)).map(Elements::in_variant)
    }

    #[inline]
    fn serialize_map(self, len: Option<usize>) -> Result<Entries<'a, W>> {
        Entries::new(self, len)
    }

    #[inline]
    fn serialize_struct(self, _name: &'static str, len: usize) -> Result<Fields<'a, W>> {
        Fields::new(self, len)
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Fields<'a, W>> {
        self.open_variant(variant)?;
        Fields::new(self, len).map(Fields::in_variant)
    }

    #[inline]
    fn collect_seq<I: IntoIterator<Item: Serialize>>(self, iter: I) -> Result<()> {
        let iter = iter.into_iter();
        let len = match iter.size_hint() {
            (at_least, Some(at_most)) if at_least == at_most => Some(at_most),
            _ => None,
        };
        let mut elements = Elements::new(self, len)?;
        elements.extend(iter)?;
        elements.end()
    }

    fn collect_str<T: ?Sized + fmt::Display>(self, value: &T) -> Result<()> {
        self.encoder.string(&alloc::string::ToString::to_string(value))
    }

    #[inline]
    fn is_human_readable(&self) -> bool {
        self.config().human_readable
    }
}
