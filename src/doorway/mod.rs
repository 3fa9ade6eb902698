//! The private doorway between this crate's own types and its own faces to serde.
//!
//! serde's data model has no exact number text, no packed array and no encoded value. `Value`,
//! `RawValue` and `packed` carry them through a newtype struct of a private name, which every
//! format must treat as what is in it:
//!
//! - Reading: [`deserialize_newtype_struct`](serde_core::Deserializer::deserialize_newtype_struct)
//!   with the name [`VALUE`] or [`RAW`]. Ours knows the names. Behind `VALUE` it visits the next
//!   value as `deserialize_any` does, but chars by `visit_char`, and through
//!   [`visit_enum`](serde_core::de::Visitor::visit_enum) what has no visit of its own; behind
//!   `RAW` always through `visit_enum`. Then [`open`] says what comes. Every other deserializer,
//!   and serde's buffers, call `visit_newtype_struct`, where the type reads the ordinary form.
//! - Writing: [`high_precision`], [`raw`], [`packed`] and [`fitted`]. Ours gives the content an
//!   [`Emitter`](emit::Emitter). The content *knocks*: it asks whether the format is
//!   human-readable, and asks again. Only an emitter changes its mind; to everybody else the
//!   content is the ordinary form. Buffers that replay the ordinary form behind one of the names
//!   are understood, too.
//! - Keys: `VALUE` gives an object's keys unread, to be asked for with the name [`KEY`]. A key that
//!   has come before has a number, and one that is [expected](key) by its number is only compared
//!   with the bytes at hand: neither decoded, nor checked, nor looked up.
//!
//! The names cost nothing elsewhere: a derived newtype's name is a constant, so the comparison is
//! made when it is compiled.

mod emit;
mod numeric;
mod vector;

use core::fmt;
use core::marker::PhantomData;

use serde_core::de::value::{BorrowedBytesDeserializer, BytesDeserializer, U64Deserializer};
use serde_core::de::{self, DeserializeSeed, EnumAccess, SeqAccess, VariantAccess, Visitor};
use serde_core::{Deserializer, forward_to_deserialize_any};

pub(crate) use self::emit::{Emit, emitter, fitted, high_precision, packed, raw};
pub(crate) use self::numeric::{Numeric, native_bytes, native_to_wire, numbers};
pub(crate) use self::vector::vectorised;
use crate::marker::Marker;
use crate::read::Reference;

/// All names have this length and this start; the last byte tells them apart.
const PREFIX: &str = "ubjson::doorway ";

/// The name to read the next value exactly.
pub(crate) const VALUE: &str = "ubjson::doorway V";

/// The name to read the next value's bytes.
pub(crate) const RAW: &str = "ubjson::doorway *";

/// The name to read the next key of an object that is read exactly.
pub(crate) const KEY: &str = "ubjson::doorway K";

/// The letter of a name of the doorway.
#[inline]
fn letter(name: &str) -> Option<u8> {
    match name.as_bytes().split_last() {
        Some((letter, prefix)) if prefix == PREFIX.as_bytes() => Some(*letter),
        _ => None,
    }
}

/// What a type asks for when it reads through the doorway.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Request {
    /// The next value, with nothing lost.
    Value,
    /// The bytes of the next value.
    Raw,
    /// The next key.
    Key,
}

/// What `name` asks for, if it is one of the doorway's.
#[inline]
pub(crate) fn request(name: &str) -> Option<Request> {
    match letter(name) {
        Some(b'V') => Some(Request::Value),
        Some(b'*') => Some(Request::Raw),
        Some(b'K') => Some(Request::Key),
        _ => None,
    }
}

/// What comes through the doorway to a visitor's `visit_enum`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Head {
    /// The text of a high-precision number; to be read with [`text`].
    HighPrecision,
    /// The bytes of a value with its marker; to be read with [`bytes()`].
    Raw,
    /// A key; to be read with [`key`].
    Key,
    /// A typed array of numbers; its payload is to be read with [`blocks`].
    Packed(Marker),
}

/// Upper bits of a code, so that no other format's variant index or name is taken for one.
const CODE: u64 = 0x7562_6a73_6f6e_0000;

impl Head {
    #[inline]
    const fn code(self) -> u64 {
        CODE | match self {
            Self::HighPrecision => 0,
            Self::Raw => 1,
            Self::Key => 2,
            Self::Packed(marker) => 0x100 | marker.to_byte() as u64,
        }
    }

    #[inline]
    fn from_code(code: u64) -> Option<Self> {
        match code.checked_sub(CODE)? {
            0 => Some(Self::HighPrecision),
            1 => Some(Self::Raw),
            2 => Some(Self::Key),
            code => {
                let byte = u8::try_from(code.checked_sub(0x100)?).ok()?;
                Marker::from_byte(byte).map(Self::Packed)
            }
        }
    }
}

/// What a visitor expects whose enum turns out to be no doorway.
struct ThisFormat;

impl de::Expected for ThisFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }
}

struct HeadSeed;

impl<'de> DeserializeSeed<'de> for HeadSeed {
    type Value = Head;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Head, D::Error> {
        deserializer.deserialize_u64(self)
    }
}

impl Visitor<'_> for HeadSeed {
    type Value = Head;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value that is no enum")
    }

    #[inline]
    fn visit_u64<E: de::Error>(self, code: u64) -> Result<Head, E> {
        Head::from_code(code).ok_or_else(|| E::invalid_type(de::Unexpected::Enum, &ThisFormat))
    }
}

/// What came to `visit_enum`, and its payload; an error if it is another format's enum.
#[inline]
pub(crate) fn open<'de, A: EnumAccess<'de>>(access: A) -> Result<(Head, A::Variant), A::Error> {
    access.variant_seed(HeadSeed)
}

/// The text of a [`Head::HighPrecision`], given to `visit_str` or `visit_borrowed_str`.
pub(crate) fn text<'de, P: VariantAccess<'de>, V: Visitor<'de>>(payload: P, visitor: V) -> Result<V::Value, P::Error> {
    payload.newtype_variant_seed(Visit(visitor))
}

/// The bytes of a [`Head::Raw`], given to `visit_bytes`, `visit_byte_buf` or
/// `visit_borrowed_bytes`.
pub(crate) fn bytes<'de, P: VariantAccess<'de>, V: Visitor<'de>>(payload: P, visitor: V) -> Result<V::Value, P::Error> {
    payload.newtype_variant_seed(Visit(visitor))
}

/// The key of a [`Head::Key`]: `visit_unit` if it is the one with the number `expected`, else
/// `visit_seq` of its number and its text. A number stays with its key for as long as the
/// deserializer lives.
#[inline]
pub(crate) fn key<'de, P: VariantAccess<'de>, V: Visitor<'de>>(
    payload: P,
    expected: usize,
    visitor: V,
) -> Result<V::Value, P::Error> {
    payload.tuple_variant(expected, visitor)
}

/// A visitor as the seed of whatever comes.
pub(crate) struct Visit<V>(pub(crate) V);

impl<'de, V: Visitor<'de>> DeserializeSeed<'de> for Visit<V> {
    type Value = V::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        deserializer.deserialize_any(self.0)
    }
}

/// Takes the big-endian payload of a typed array of numbers in blocks of whole elements.
pub(crate) trait BlockVisitor<'de>: Sized {
    type Value;

    /// Before the first block: so many bytes may be expected, and are safe to allocate.
    fn reserve(&mut self, byte_len: usize);

    /// A block that is gone afterwards.
    fn transient(&mut self, block: &[u8]);

    /// A block of the input: the whole payload of a slice is one block.
    fn borrowed(&mut self, block: &'de [u8]) {
        self.transient(block);
    }

    /// The payload has ended.
    fn finish(self) -> Self::Value;
}

/// Gives the payload of a [`Head::Packed`] to `visitor`.
pub(crate) fn blocks<'de, P, B>(payload: P, visitor: B) -> Result<B::Value, P::Error>
where
    P: VariantAccess<'de>,
    B: BlockVisitor<'de>,
{
    payload.tuple_variant(0, BlocksVisitor(visitor))
}

struct BlocksVisitor<B>(B);

impl<'de, B: BlockVisitor<'de>> Visitor<'de> for BlocksVisitor<B> {
    type Value = B::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the payload of a typed array")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut access: A) -> Result<B::Value, A::Error> {
        self.0.reserve(access.size_hint().unwrap_or_default());
        while access.next_element_seed(BlockSeed(&mut self.0))?.is_some() {}
        Ok(self.0.finish())
    }
}

struct BlockSeed<'a, B>(&'a mut B);

impl<'de, B: BlockVisitor<'de>> DeserializeSeed<'de> for BlockSeed<'_, B> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_bytes(self)
    }
}

impl<'de, B: BlockVisitor<'de>> Visitor<'de> for BlockSeed<'_, B> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a block of a typed array")
    }

    fn visit_bytes<E>(self, block: &[u8]) -> Result<(), E> {
        self.0.transient(block);
        Ok(())
    }

    fn visit_borrowed_bytes<E>(self, block: &'de [u8]) -> Result<(), E> {
        self.0.borrowed(block);
        Ok(())
    }
}

/// The doorway from the reading side: what is given to `visit_enum`.
pub(crate) struct Door<P> {
    pub(crate) head: Head,
    pub(crate) payload: P,
}

/// What is behind a door.
pub(crate) trait Payload<'de> {
    type Error: de::Error;

    /// Visits the text of a number, or the bytes of a value.
    fn visit_whole<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error>;

    /// Visits the blocks of a typed array, or a key of which the one with the number `expected` is
    /// expected.
    fn visit_parts<V: Visitor<'de>>(self, expected: usize, visitor: V) -> Result<V::Value, Self::Error>;
}

impl<'de, P: Payload<'de>> EnumAccess<'de> for Door<P> {
    type Error = P::Error;
    type Variant = DoorPayload<P>;

    #[inline]
    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, DoorPayload<P>), P::Error> {
        let head = seed.deserialize(U64Deserializer::new(self.head.code()))?;
        Ok((head, DoorPayload(self.payload)))
    }
}

pub(crate) struct DoorPayload<P>(P);

impl<'de, P: Payload<'de>> VariantAccess<'de> for DoorPayload<P> {
    type Error = P::Error;

    fn unit_variant(self) -> Result<(), P::Error> {
        Err(de::Error::invalid_type(de::Unexpected::UnitVariant, &ThisFormat))
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, P::Error> {
        seed.deserialize(Whole(self.0, PhantomData))
    }

    #[inline]
    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, P::Error> {
        self.0.visit_parts(len, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _fields: &'static [&'static str],
        _visitor: V,
    ) -> Result<V::Value, P::Error> {
        Err(de::Error::invalid_type(de::Unexpected::StructVariant, &ThisFormat))
    }
}

struct Whole<'de, P>(P, PhantomData<&'de ()>);

impl<'de, P: Payload<'de>> Deserializer<'de> for Whole<'de, P> {
    type Error = P::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, P::Error> {
        self.0.visit_whole(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// Gives one block to a seed.
pub(crate) fn give_block<'de, S: DeserializeSeed<'de>, E: de::Error>(
    block: &Reference<'de, '_>,
    seed: S,
) -> Result<S::Value, E> {
    match *block {
        Reference::Borrowed(bytes) => seed.deserialize(BorrowedBytesDeserializer::new(bytes)),
        Reference::Transient(bytes) => seed.deserialize(BytesDeserializer::new(bytes)),
    }
}
