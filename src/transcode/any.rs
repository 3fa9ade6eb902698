//! Whatever a format visits, written to wherever a value is due.
//!
//! Maintainers: a failure has to cross the other format's code to get out, so its error is put
//! aside and a placeholder of the other side's type travels in its place. Each border then knows
//! the true one: behind the source, a writer's error that was put aside; behind the target, a
//! reader's.

use alloc::string::String;
use core::cell::{Cell, RefCell};
use core::fmt;

use serde_core::de::{self, DeserializeSeed, EnumAccess, MapAccess, SeqAccess, Visitor};
use serde_core::ser::{self, Serialize, SerializeMap, SerializeSeq};
use serde_core::{Deserializer, Serializer};

use super::TranscodeError;
use super::map::Map;
use crate::doorway::{self, BlockVisitor, Head};
use crate::marker::Marker;

/// A place where one value is due.
pub(super) trait Sink {
    type Ok;
    type Error: ser::Error;

    fn put<T: ?Sized + Serialize>(self, value: &T) -> Result<Self::Ok, Self::Error>;

    /// As [`put`](Self::put), for text that the source owns.
    fn put_str(self, text: &str) -> Result<Self::Ok, Self::Error>
    where
        Self: Sized,
    {
        self.put(text)
    }

    /// As [`put`](Self::put), for text that the source gives away.
    fn put_string(self, text: String) -> Result<Self::Ok, Self::Error>
    where
        Self: Sized,
    {
        self.put_str(&text)
    }
}

/// The place of a whole document.
pub(super) struct Whole<S>(pub(super) S);

impl<S: Serializer> Sink for Whole<S> {
    type Ok = S::Ok;
    type Error = S::Error;

    fn put<T: ?Sized + Serialize>(self, value: &T) -> Result<S::Ok, S::Error> {
        value.serialize(self.0)
    }
}

/// The place of the next element.
struct Element<'s, S>(&'s mut S);

impl<S: SerializeSeq> Sink for Element<'_, S> {
    type Ok = ();
    type Error = S::Error;

    fn put<T: ?Sized + Serialize>(self, value: &T) -> Result<(), S::Error> {
        self.0.serialize_element(value)
    }
}

/// The place of the next key.
pub(super) struct Key<'s, S>(pub(super) &'s mut S);

impl<S: SerializeMap> Sink for Key<'_, S> {
    type Ok = ();
    type Error = S::Error;

    fn put<T: ?Sized + Serialize>(self, value: &T) -> Result<(), S::Error> {
        self.0.serialize_key(value)
    }
}

/// The place of the value of the last key.
pub(super) struct Value<'s, S>(pub(super) &'s mut S);

impl<S: SerializeMap> Sink for Value<'_, S> {
    type Ok = ();
    type Error = S::Error;

    fn put<T: ?Sized + Serialize>(self, value: &T) -> Result<(), S::Error> {
        self.0.serialize_value(value)
    }
}

/// The result of a step in which the source called the target: of two errors, the true one.
pub(super) fn settle<T, R, W>(result: Result<T, R>, write_error: Option<W>) -> Result<T, TranscodeError<R, W>> {
    match (result, write_error) {
        (Ok(value), _) => Ok(value),
        (Err(_), Some(error)) => Err(TranscodeError::Write(error)),
        (Err(error), None) => Err(TranscodeError::Read(error)),
    }
}

/// Reads the next value into a sink.
pub(super) fn read_into<'de, D, K>(sink: K, deserializer: D) -> Result<K::Ok, TranscodeError<D::Error, K::Error>>
where
    D: Deserializer<'de>,
    K: Sink,
{
    let mut write_error = None;
    let read = Any::new(sink, &mut write_error).deserialize(deserializer);
    settle(read, write_error)
}

/// Stands for an error that was put aside.
const PUT_ASIDE: &str = "the other format failed";

/// Takes any value and puts it into a sink.
pub(super) struct Any<'w, K: Sink> {
    sink: K,
    /// Where the target's error is put aside.
    write_error: &'w mut Option<K::Error>,
}

impl<'w, K: Sink> Any<'w, K> {
    pub(super) fn new(sink: K, write_error: &'w mut Option<K::Error>) -> Self {
        Self { sink, write_error }
    }

    fn failed<E: de::Error>(write_error: &mut Option<K::Error>, error: K::Error) -> E {
        *write_error = Some(error);
        E::custom(PUT_ASIDE)
    }

    fn put<T: ?Sized + Serialize, E: de::Error>(self, value: &T) -> Result<K::Ok, E> {
        let put = self.sink.put(value);
        put.map_err(|error| Self::failed(self.write_error, error))
    }

    /// Puts what goes on reading from the source while it is written.
    fn put_source<T: Source>(self, source: &T) -> Result<K::Ok, T::ReadError> {
        let put = self.sink.put(source);
        put.map_err(|error| match source.take_read_error() {
            Some(error) => error,
            None => Self::failed(self.write_error, error),
        })
    }
}

impl<'de, K: Sink> DeserializeSeed<'de> for Any<'_, K> {
    type Value = K::Ok;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<K::Ok, D::Error> {
        // Some text formats take the name of a newtype for a part of the text.
        if deserializer.is_human_readable() {
            return deserializer.deserialize_any(self);
        }
        deserializer.deserialize_newtype_struct(doorway::VALUE, self)
    }
}

macro_rules! visit_copy {
    ($($method:ident, $scalar:ty;)*) => {$(
        fn $method<E: de::Error>(self, value: $scalar) -> Result<K::Ok, E> {
            self.put(&value)
        }
    )*};
}

impl<'de, K: Sink> Visitor<'de> for Any<'_, K> {
    type Value = K::Ok;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    visit_copy! {
        visit_bool, bool; visit_char, char; visit_f32, f32; visit_f64, f64;
        visit_i8, i8; visit_i16, i16; visit_i32, i32; visit_i64, i64; visit_i128, i128;
        visit_u8, u8; visit_u16, u16; visit_u32, u32; visit_u64, u64; visit_u128, u128;
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<K::Ok, E> {
        let put = self.sink.put_str(text);
        put.map_err(|error| Self::failed(self.write_error, error))
    }

    fn visit_string<E: de::Error>(self, text: String) -> Result<K::Ok, E> {
        let put = self.sink.put_string(text);
        put.map_err(|error| Self::failed(self.write_error, error))
    }

    fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<K::Ok, E> {
        self.put(&Bytes(bytes))
    }

    fn visit_unit<E: de::Error>(self) -> Result<K::Ok, E> {
        self.put(&())
    }

    fn visit_none<E: de::Error>(self) -> Result<K::Ok, E> {
        self.put(&None::<()>)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<K::Ok, D::Error> {
        self.deserialize(deserializer)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<K::Ok, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, access: A) -> Result<K::Ok, A::Error> {
        let len = access.size_hint();
        self.put_source(&Once::new(Seq { access, len }))
    }

    fn visit_map<A: MapAccess<'de>>(self, access: A) -> Result<K::Ok, A::Error> {
        let len = access.size_hint();
        self.put_source(&Once::new(Map { access, len }))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<K::Ok, A::Error> {
        let (head, payload) = doorway::open(access)?;
        match head {
            Head::HighPrecision => doorway::text(payload, NumberText(self)),
            Head::Packed(element) => self.put_source(&Once::new(Packed { payload, element })),
            // Nobody asked for it.
            Head::Raw | Head::Key => Err(de::Error::invalid_type(de::Unexpected::Enum, &self)),
        }
    }
}

struct Bytes<'a>(&'a [u8]);

impl Serialize for Bytes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0)
    }
}

/// Takes the text of a high-precision number.
struct NumberText<'w, K: Sink>(Any<'w, K>);

impl<K: Sink> Visitor<'_> for NumberText<'_, K> {
    type Value = K::Ok;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the text of a number")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<K::Ok, E> {
        self.0.put(&HighPrecision(text))
    }
}

pub(super) struct HighPrecision<'a>(pub(super) &'a str);

impl Serialize for HighPrecision<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        doorway::high_precision(self.0, serializer)
    }
}

/// What reads from the source while it is serialized.
pub(super) trait Source: Serialize {
    type ReadError: de::Error;

    /// The reader's error that was put aside, if that is why serializing failed.
    fn take_read_error(&self) -> Option<Self::ReadError>;
}

/// A container of the source that can be written once.
pub(super) struct Once<'de, C: Container<'de>> {
    container: Cell<Option<C>>,
    read_error: RefCell<Option<C::ReadError>>,
}

/// A container of the source.
pub(super) trait Container<'de> {
    type ReadError: de::Error;

    fn write<S: Serializer>(self, serializer: S) -> Result<S::Ok, TranscodeError<Self::ReadError, S::Error>>;
}

impl<'de, C: Container<'de>> Once<'de, C> {
    fn new(container: C) -> Self {
        Self {
            container: Cell::new(Some(container)),
            read_error: RefCell::new(None),
        }
    }
}

impl<'de, C: Container<'de>> Source for Once<'de, C> {
    type ReadError = C::ReadError;

    fn take_read_error(&self) -> Option<C::ReadError> {
        self.read_error.take()
    }
}

impl<'de, C: Container<'de>> Serialize for Once<'de, C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Some(container) = self.container.take() else {
            return Err(ser::Error::custom(
                "a value that is read as it is written can be written once",
            ));
        };
        container.write(serializer).map_err(|error| match error {
            TranscodeError::Write(error) => error,
            TranscodeError::Read(error) => {
                self.read_error.replace(Some(error));
                ser::Error::custom(PUT_ASIDE)
            }
        })
    }
}

struct Seq<A> {
    access: A,
    len: Option<usize>,
}

impl<'de, A: SeqAccess<'de>> Container<'de> for Seq<A> {
    type ReadError = A::Error;

    fn write<S: Serializer>(mut self, serializer: S) -> Result<S::Ok, TranscodeError<A::Error, S::Error>> {
        let mut seq = serializer.serialize_seq(self.len).map_err(TranscodeError::Write)?;
        loop {
            let mut write_error = None;
            let element = self
                .access
                .next_element_seed(Any::new(Element(&mut seq), &mut write_error));
            if settle(element, write_error)?.is_none() {
                return seq.end().map_err(TranscodeError::Write);
            }
        }
    }
}

/// A typed array of numbers.
struct Packed<P> {
    payload: P,
    element: Marker,
}

impl<'de, P: de::VariantAccess<'de>> Container<'de> for Packed<P> {
    type ReadError = P::Error;

    fn write<S: Serializer>(self, serializer: S) -> Result<S::Ok, TranscodeError<P::Error, S::Error>> {
        let seq = serializer.serialize_seq(None).map_err(TranscodeError::Write)?;
        let blocks = Blocks {
            seq,
            element: self.element,
            write_error: None,
        };
        let (seq, write_error) = doorway::blocks(self.payload, blocks).map_err(TranscodeError::Read)?;
        match write_error {
            Some(error) => Err(TranscodeError::Write(error)),
            None => seq.end().map_err(TranscodeError::Write),
        }
    }
}

/// Writes the elements of a typed array.
struct Blocks<S: SerializeSeq> {
    seq: S,
    element: Marker,
    write_error: Option<S::Error>,
}

impl<S: SerializeSeq> Blocks<S> {
    fn write(&mut self, block: &[u8]) -> Result<(), S::Error> {
        match self.element {
            Marker::Int8 => self.write_as(block, i8::from_be_bytes),
            Marker::Uint8 => self.write_as(block, u8::from_be_bytes),
            Marker::Int16 => self.write_as(block, i16::from_be_bytes),
            Marker::Int32 => self.write_as(block, i32::from_be_bytes),
            Marker::Int64 => self.write_as(block, i64::from_be_bytes),
            Marker::Float32 => self.write_as(block, f32::from_be_bytes),
            _ => self.write_as(block, f64::from_be_bytes),
        }
    }

    fn write_as<T: Serialize, const N: usize>(
        &mut self,
        block: &[u8],
        number: impl Fn([u8; N]) -> T,
    ) -> Result<(), S::Error> {
        let mut rest = block;
        while let Some((payload, behind)) = rest.split_first_chunk() {
            self.seq.serialize_element(&number(*payload))?;
            rest = behind;
        }
        Ok(())
    }
}

impl<S: SerializeSeq> BlockVisitor<'_> for Blocks<S> {
    type Value = (S, Option<S::Error>);

    fn reserve(&mut self, _: usize) {}

    fn transient(&mut self, block: &[u8]) {
        if self.write_error.is_none() {
            self.write_error = self.write(block).err();
        }
    }

    fn finish(self) -> Self::Value {
        (self.seq, self.write_error)
    }
}
