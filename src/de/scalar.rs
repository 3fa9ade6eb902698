//! Elements of typed arrays whose type is one scalar: a loop per type, without a marker each.

use core::cell::Cell;
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

    /// Visits the number where an unsigned integer is asked for.
    fn visit_unsigned<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value>;
}

macro_rules! wire_number {
    ($($number:ty, $len:literal, $visit:ident, $visit_unsigned:expr;)*) => {$(
        impl WireNumber<$len> for $number {
            #[inline]
            fn from_be_bytes(bytes: [u8; $len]) -> Self {
                <$number>::from_be_bytes(bytes)
            }

            #[inline]
            fn visit<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
                visitor.$visit(self)
            }

            #[inline]
            fn visit_unsigned<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
                $visit_unsigned(self, visitor)
            }
        }
    )*};
}

wire_number! {
    i8, 1, visit_i8, unsigned_integer;
    u8, 1, visit_u8, unsigned_integer;
    i16, 2, visit_i16, unsigned_integer;
    i32, 4, visit_i32, unsigned_integer;
    i64, 8, visit_i64, unsigned_integer;
    f32, 4, visit_f32, Self::visit;
    f64, 8, visit_f64, Self::visit;
}

/// What an integer is visited as: `i64`, or `u64` where an unsigned one is asked for and it is
/// one, for visitors that know no other.
#[derive(Clone, Copy)]
pub(super) enum Sign {
    Signed,
    Unsigned,
}

impl Sign {
    #[inline]
    pub(super) fn visit<'de, V: Visitor<'de>>(self, value: i64, visitor: V) -> Result<V::Value> {
        match (self, u64::try_from(value)) {
            (Self::Unsigned, Ok(value)) => visitor.visit_u64(value),
            _ => visitor.visit_i64(value),
        }
    }
}

#[inline]
fn unsigned_integer<'de, V: Visitor<'de>>(value: impl Into<i64>, visitor: V) -> Result<V::Value> {
    Sign::Unsigned.visit(value.into(), visitor)
}

macro_rules! deserialize_unsigned {
    ($($method:ident)*) => {$(
        #[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            self.number.visit_unsigned(visitor)
        }
    )*};
}

/// Access to the elements of a typed array of `T`.
pub(super) struct ScalarAccess<'a, 'de, R, T, const N: usize> {
    de: &'a mut Deserializer<R>,
    /// The next elements, where the source lends them: a loop over them touches nothing else.
    lent: &'de [u8],
    left: u64,
    /// Where to say, in the end, how far it went. The access itself is the visitor's alone, so that
    /// a loop over it works in registers.
    unread: &'a Cell<Unread>,
    size_hint: Option<usize>,
    number: PhantomData<T>,
}

/// What a visitor left of an array.
#[derive(Clone, Copy)]
struct Unread {
    elements: u64,
    lent_bytes: u64,
}

impl<R, T, const N: usize> Drop for ScalarAccess<'_, '_, R, T, N> {
    #[inline]
    fn drop(&mut self) {
        self.unread.set(Unread {
            elements: self.left,
            lent_bytes: self.lent.len() as u64,
        });
    }
}

impl<'de, R: Read<'de>> Deserializer<R> {
    /// Visits the `count` elements of an open typed array of `T`.
    pub(super) fn visit_scalars<T: WireNumber<N>, const N: usize, V: Visitor<'de>>(
        &mut self,
        count: u64,
        size_hint: Option<usize>,
        visitor: V,
    ) -> Result<V::Value> {
        let lent = self.decoder.lend_elements(N, count);
        let unread = Cell::new(Unread {
            elements: count,
            lent_bytes: lent.len() as u64,
        });
        let visited = visitor.visit_seq(ScalarAccess {
            de: self,
            lent,
            left: count,
            unread: &unread,
            size_hint,
            number: PhantomData::<T>,
        });
        let Unread { elements, lent_bytes } = unread.get();
        let error = match visited {
            Ok(value) if elements == 0 => return Ok(value),
            Ok(_) => Error::new(
                ErrorCode::UnreadElements,
                self.decoder.offset().saturating_sub(lent_bytes),
            ),
            Err(error) => error,
        };
        let byte_len = elements.saturating_mul(N as u64).saturating_sub(lent_bytes);
        Err(self.skipping(error, |decoder| decoder.skip_bytes(byte_len)))
    }
}

impl<'de, R: Read<'de>, T, const N: usize> ScalarAccess<'_, 'de, R, T, N> {
    #[inline]
    fn next_payload(&mut self) -> Result<[u8; N]> {
        match self.de.decoder.element_payload() {
            Ok(payload) => Ok(payload),
            Err(error) => Err(self.de.noted(error)),
        }
    }
}

impl<'de, R: Read<'de>, T: WireNumber<N>, const N: usize> SeqAccess<'de> for ScalarAccess<'_, 'de, R, T, N> {
    type Error = Error;

    #[inline]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let Some(left) = self.left.checked_sub(1) else {
            return Ok(None);
        };
        self.left = left;
        let payload = match self.lent.split_first_chunk() {
            Some((payload, rest)) => {
                self.lent = rest;
                *payload
            }
            None => self.next_payload()?,
        };
        let element = ScalarDeserializer {
            number: T::from_be_bytes(payload),
            human_readable: self.de.human_readable,
        };
        match seed.deserialize(element) {
            Ok(value) => Ok(Some(value)),
            Err(error) => {
                let not_visited = self.lent.len() + N;
                Err(error.or_offset(self.de.decoder.offset().saturating_sub(not_visited as u64)))
            }
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

    deserialize_unsigned! { deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128 }

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
        bool i8 i16 i32 i64 i128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}
