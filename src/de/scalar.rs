//! Elements of typed arrays whose type is one scalar: a loop per type, without a marker each.

use core::marker::PhantomData;

use serde_core::de::{self, DeserializeSeed, SeqAccess, Visitor};
use serde_core::forward_to_deserialize_any;

use super::Deserializer;
use crate::error::{Error, ErrorCode, Result};
use crate::read::Read;

/// A number type of the wire, `N` bytes long.
pub(super) trait WireNumber<const N: usize>: Sized {
    fn from_be_bytes(bytes: [u8; N]) -> Self;

    fn visit<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value>;
}

macro_rules! wire_number {
    ($($number:ty, $len:literal, $visit:ident;)*) => {$(
        impl WireNumber<$len> for $number {
            #[inline]
            fn from_be_bytes(bytes: [u8; $len]) -> Self {
                <$number>::from_be_bytes(bytes)
            }

            #[inline]
            fn visit<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
                visitor.$visit(self)
            }
        }
    )*};
}

wire_number! {
    i8, 1, visit_i8; u8, 1, visit_u8; i16, 2, visit_i16; i32, 4, visit_i32; i64, 8, visit_i64;
    f32, 4, visit_f32; f64, 8, visit_f64;
}

/// Access to the elements of a typed array of `T`.
pub(super) struct ScalarAccess<'a, R, T, const N: usize> {
    de: &'a mut Deserializer<R>,
    left: u64,
    size_hint: Option<usize>,
    number: PhantomData<T>,
}

impl<'de, R: Read<'de>> Deserializer<R> {
    /// Visits the `count` elements of an open typed array of `T`.
    pub(super) fn visit_scalars<T: WireNumber<N>, const N: usize, V: Visitor<'de>>(
        &mut self,
        count: u64,
        size_hint: Option<usize>,
        visitor: V,
    ) -> Result<V::Value> {
        let mut access = ScalarAccess {
            de: self,
            left: count,
            size_hint,
            number: PhantomData::<T>,
        };
        let value = visitor.visit_seq(&mut access)?;
        match access.left {
            0 => Ok(value),
            _ => Err(Error::new(ErrorCode::UnreadElements, self.decoder.offset())),
        }
    }
}

impl<'de, R: Read<'de>, T: WireNumber<N>, const N: usize> SeqAccess<'de> for ScalarAccess<'_, R, T, N> {
    type Error = Error;

    #[inline]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let Some(left) = self.left.checked_sub(1) else {
            return Ok(None);
        };
        self.left = left;
        let payload = self.de.decoder.element_payload()?;
        let element = ScalarDeserializer {
            number: T::from_be_bytes(payload),
            human_readable: self.de.human_readable,
        };
        match seed.deserialize(element) {
            Ok(value) => Ok(Some(value)),
            Err(error) => Err(error.or_offset(self.de.decoder.offset().saturating_sub(N as u64))),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        self.size_hint
    }
}

/// One number that has been read.
struct ScalarDeserializer<T, const N: usize> {
    number: T,
    human_readable: bool,
}

impl<'de, T: WireNumber<N>, const N: usize> de::Deserializer<'de> for ScalarDeserializer<T, N> {
    type Error = Error;

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.number.visit(visitor)
    }

    #[inline]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self)
    }

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _name: &'static str, visitor: V) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    #[inline]
    fn is_human_readable(&self) -> bool {
        self.human_readable
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}
