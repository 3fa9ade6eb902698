//! Which types are read from packed arrays, and from every other array of numbers.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use serde_core::de::{self, EnumAccess, SeqAccess, Unexpected, Visitor};
use serde_core::{Deserialize, Deserializer};

use super::element::{self, Misfit};
use super::{Element, Packed};
use crate::doorway::{self, BlockVisitor, Head};
use crate::marker::Marker;

/// Numbers that can be read as one block.
///
/// Types of your own implement it by way of a vector, as with
/// [`SerializePacked`](super::SerializePacked).
pub trait DeserializePacked<'de>: Sized {
    /// Reads numbers from an array; in other formats from a sequence.
    ///
    /// # Errors
    ///
    /// As [`deserialize`](super::deserialize).
    fn deserialize_packed<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error>;
}

impl<'de, T: Element> DeserializePacked<'de> for Vec<T> {
    fn deserialize_packed<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(doorway::VALUE, NumbersVisitor(PhantomData))
    }
}

impl<'de, T: Element> DeserializePacked<'de> for Box<[T]> {
    fn deserialize_packed<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize_packed(deserializer).map(Vec::into_boxed_slice)
    }
}

/// An array of another length is an error.
impl<'de, T: Element, const N: usize> DeserializePacked<'de> for [T; N] {
    fn deserialize_packed<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let numbers = Vec::deserialize_packed(deserializer)?;
        numbers
            .try_into()
            .map_err(|numbers: Vec<T>| de::Error::invalid_length(numbers.len(), &ArrayOf(N)))
    }
}

/// Null is `None`.
impl<'de, T: DeserializePacked<'de>> DeserializePacked<'de> for Option<T> {
    fn deserialize_packed<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let packed = Option::<Packed<T>>::deserialize(deserializer)?;
        Ok(packed.map(Packed::into_inner))
    }
}

struct ArrayOf(usize);

impl de::Expected for ArrayOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an array of {} numbers", self.0)
    }
}

/// The error for a high-precision number or null where an array is expected.
#[cold]
pub(super) fn no_array<E: de::Error>(found: Marker, expected: &dyn de::Expected) -> E {
    E::invalid_type(Unexpected::Other(found.name()), expected)
}

struct NumbersVisitor<T>(PhantomData<T>);

impl<'de, T: Element> Visitor<'de> for NumbersVisitor<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an array of {}", T::NAME)
    }

    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<Vec<T>, A::Error> {
        let (head, payload) = doorway::open(access)?;
        let Head::Packed(element) = head else {
            return Err(no_array(Marker::HighPrecision, &self));
        };
        let numbers = doorway::blocks(
            payload,
            NumbersOf {
                element,
                numbers: Ok(Vec::new()),
            },
        )?;
        numbers.map_err(Misfit::into_error::<T, _>)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<T>, D::Error> {
        deserializer.deserialize_seq(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Vec<T>, A::Error> {
        /// A hint reserves no more than this, in bytes.
        const MAX_RESERVED: usize = 64 * 1024;
        let hint = access.size_hint().unwrap_or_default();
        let mut numbers = Vec::with_capacity(hint.min(MAX_RESERVED / size_of::<T>()));
        while let Some(number) = access.next_element()? {
            numbers.push(number);
        }
        Ok(numbers)
    }

    fn visit_unit<E: de::Error>(self) -> Result<Vec<T>, E> {
        Err(no_array(Marker::Null, &self))
    }

    /// Formats that have bytes may give them where bytes are asked for.
    fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<Vec<T>, E> {
        if T::MARKER != Marker::Uint8 {
            return Err(E::invalid_type(Unexpected::Bytes(bytes), &self));
        }
        let mut numbers = Vec::new();
        T::extend_from_wire(&mut numbers, bytes);
        Ok(numbers)
    }
}

/// Takes the payload of a typed array whose elements are of the wire's type `element`.
struct NumbersOf<T> {
    element: Marker,
    numbers: Result<Vec<T>, Misfit>,
}

impl<T: Element> BlockVisitor<'_> for NumbersOf<T> {
    type Value = Result<Vec<T>, Misfit>;

    fn reserve(&mut self, byte_len: usize) {
        if let (Ok(numbers), Some(element_len)) = (&mut self.numbers, self.element.payload_len()) {
            numbers.reserve_exact(byte_len / element_len.max(1));
        }
    }

    fn transient(&mut self, block: &[u8]) {
        if let Ok(numbers) = &mut self.numbers {
            if let Err(misfit) = element::extend(numbers, self.element, block) {
                self.numbers = Err(misfit);
            }
        }
    }

    fn finish(self) -> Self::Value {
        self.numbers
    }
}
