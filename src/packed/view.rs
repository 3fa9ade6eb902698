//! `PackedRef`: the numbers of a typed array, read where they lie. `&[u8]` and `&[i8]` alike.

use alloc::vec::Vec;
use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;
use core::slice::ChunksExact;

use serde_core::de::{self, EnumAccess, IgnoredAny, SeqAccess, Unexpected, Visitor};
use serde_core::{Deserialize, Deserializer};

use super::read::no_array;
use super::{DeserializePacked, Element, element};
use crate::doorway::{self, BlockVisitor, Head};
use crate::marker::Marker;

/// A typed array of numbers that stays in the slice it was read from.
///
/// Each number is read from its big-endian bytes when it is asked for. The array may be of the type
/// `T` or of a smaller one, all of whose numbers `T` has: a writer may have taken the smallest.
///
/// Only a slice can lend it: [`from_reader`](crate::from_reader) refuses it when it is compiled.
///
/// ```compile_fail
/// let numbers: ubjson::packed::PackedRef<i64> = ubjson::from_reader(std::io::empty()).unwrap();
/// ```
///
/// # Examples
///
/// ```
/// use ubjson::packed::PackedRef;
///
/// let numbers: PackedRef<i64> = ubjson::from_slice(b"[$I#i\x03\x01\x00\xff\xff\x00\x07")?;
/// assert_eq!(numbers.get(1), Some(-1));
/// assert_eq!(numbers.iter().rev().collect::<Vec<_>>(), [7, -1, 256]);
/// # Ok::<(), ubjson::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct PackedRef<'de, T> {
    /// The wire's type of the elements.
    element: Marker,
    payload: &'de [u8],
    numbers: PhantomData<T>,
}

impl<'de, T: Element> PackedRef<'de, T> {
    fn new(array: Borrowed<'de>) -> Self {
        Self {
            element: array.element,
            payload: array.payload,
            numbers: PhantomData,
        }
    }

    fn element_len(&self) -> usize {
        self.element.payload_len().unwrap_or_default().max(1)
    }

    /// How many numbers there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.payload.len() / self.element_len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.payload.is_empty()
    }

    /// The number at an index.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<T> {
        let start = index.checked_mul(self.element_len())?;
        let payload = self.payload.get(start..)?.get(..self.element_len())?;
        element::number(self.element, payload)
    }

    /// The numbers one by one.
    pub fn iter(&self) -> Iter<'de, T> {
        Iter {
            element: self.element,
            payloads: self.payload.chunks_exact(self.element_len()),
            numbers: PhantomData,
        }
    }

    /// The numbers in memory, converted as one block.
    #[must_use]
    pub fn to_vec(&self) -> Vec<T> {
        let mut numbers = Vec::with_capacity(self.len());
        // Each of them fits, by the type.
        let _ = element::extend(&mut numbers, self.element, self.payload);
        numbers
    }

    /// The type of the elements on the wire.
    #[must_use]
    pub fn marker(&self) -> Marker {
        self.element
    }

    /// The payload: the elements, big-endian, one behind the other.
    #[must_use]
    pub fn as_bytes(&self) -> &'de [u8] {
        self.payload
    }
}

/// No numbers.
impl<T: Element> Default for PackedRef<'_, T> {
    fn default() -> Self {
        Self::new(Borrowed {
            element: T::MARKER,
            payload: &[],
        })
    }
}

impl<T: Element> PartialEq for PackedRef<'_, T> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().zip(*other).all(|(one, other)| one == other)
    }
}

impl<T: Element> PartialEq<[T]> for PackedRef<'_, T> {
    fn eq(&self, other: &[T]) -> bool {
        self.len() == other.len() && self.iter().zip(other).all(|(one, other)| one == *other)
    }
}

impl<T: Element, const N: usize> PartialEq<[T; N]> for PackedRef<'_, T> {
    fn eq(&self, other: &[T; N]) -> bool {
        *self == other[..]
    }
}

impl<T: Element> PartialEq<Vec<T>> for PackedRef<'_, T> {
    fn eq(&self, other: &Vec<T>) -> bool {
        *self == other[..]
    }
}

impl<T: Element> fmt::Debug for PackedRef<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(*self).finish()
    }
}

impl<'de, T: Element> IntoIterator for PackedRef<'de, T> {
    type Item = T;
    type IntoIter = Iter<'de, T>;

    fn into_iter(self) -> Iter<'de, T> {
        self.iter()
    }
}

impl<'de, T: Element> IntoIterator for &PackedRef<'de, T> {
    type Item = T;
    type IntoIter = Iter<'de, T>;

    fn into_iter(self) -> Iter<'de, T> {
        self.iter()
    }
}

/// The numbers of a [`PackedRef`].
#[derive(Clone, Debug)]
#[must_use]
pub struct Iter<'de, T> {
    element: Marker,
    payloads: ChunksExact<'de, u8>,
    numbers: PhantomData<T>,
}

impl<T: Element> Iterator for Iter<'_, T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        element::number(self.element, self.payloads.next()?)
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<T> {
        element::number(self.element, self.payloads.nth(n)?)
    }

    /// With the type looked at once.
    fn fold<B, F: FnMut(B, T) -> B>(self, init: B, each: F) -> B {
        let element = self.element;
        if element == T::MARKER {
            return self.payloads.map(T::from_wire).fold(init, each);
        }
        self.payloads
            .filter_map(|payload| element::number(element, payload))
            .fold(init, each)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.payloads.size_hint()
    }
}

impl<T: Element> DoubleEndedIterator for Iter<'_, T> {
    #[inline]
    fn next_back(&mut self) -> Option<T> {
        element::number(self.element, self.payloads.next_back()?)
    }
}

impl<T: Element> ExactSizeIterator for Iter<'_, T> {}

impl<T: Element> FusedIterator for Iter<'_, T> {}

impl<'de: 'a, 'a, T: Element> Deserialize<'de> for PackedRef<'a, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::deserialize_packed(deserializer)
    }
}

impl<'de: 'a, 'a, T: Element> DeserializePacked<'de> for PackedRef<'a, T> {
    fn deserialize_packed<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let array = borrow(deserializer, T::NAME)?;
        if array.payload.is_empty() || T::holds(array.element) {
            return Ok(Self::new(array));
        }
        Err(array.unfit(T::NAME))
    }
}

/// From `[$U#`; from `[$i#` as long as no element is negative.
impl<'de: 'a, 'a> DeserializePacked<'de> for &'a [u8] {
    fn deserialize_packed<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let array = borrow(deserializer, "u8")?;
        match array.element {
            _ if array.payload.is_empty() => Ok(&[]),
            Marker::Uint8 => Ok(array.payload),
            Marker::Int8 if array.payload.is_ascii() => Ok(array.payload),
            _ => Err(array.unfit("u8")),
        }
    }
}

/// From `[$i#`; from `[$U#` as long as no element is above 127.
impl<'de: 'a, 'a> DeserializePacked<'de> for &'a [i8] {
    fn deserialize_packed<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let array = borrow(deserializer, "i8")?;
        match array.element {
            _ if array.payload.is_empty() => Ok(&[]),
            Marker::Int8 => Ok(bytemuck::cast_slice(array.payload)),
            Marker::Uint8 if array.payload.is_ascii() => Ok(bytemuck::cast_slice(array.payload)),
            _ => Err(array.unfit("i8")),
        }
    }
}

/// The payload of a typed array, in the input.
#[derive(Clone, Copy)]
struct Borrowed<'de> {
    element: Marker,
    payload: &'de [u8],
}

impl Borrowed<'_> {
    #[cold]
    fn unfit<E: de::Error>(&self, expected: &'static str) -> E {
        E::custom(format_args!(
            "the array's elements are {}, expected {expected} or what it holds",
            self.element.name()
        ))
    }
}

fn borrow<'de, D: Deserializer<'de>>(deserializer: D, name: &'static str) -> Result<Borrowed<'de>, D::Error> {
    deserializer.deserialize_newtype_struct(doorway::VALUE, BorrowedVisitor { name })
}

struct BorrowedVisitor {
    /// The type of the numbers.
    name: &'static str,
}

impl<'de> Visitor<'de> for BorrowedVisitor {
    type Value = Borrowed<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a typed array of {} in a slice to borrow from", self.name)
    }

    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<Borrowed<'de>, A::Error> {
        let (head, payload) = doorway::open(access)?;
        let Head::Packed(element) = head else {
            return Err(no_array(Marker::HighPrecision, &self));
        };
        let block = doorway::blocks(payload, OneBlock(Some(&[])))?;
        let payload = block.ok_or_else(|| de::Error::invalid_type(Unexpected::Seq, &self))?;
        Ok(Borrowed { element, payload })
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Borrowed<'de>, D::Error> {
        deserializer.deserialize_bytes(self)
    }

    fn visit_borrowed_bytes<E>(self, payload: &'de [u8]) -> Result<Borrowed<'de>, E> {
        let element = Marker::Uint8;
        Ok(Borrowed { element, payload })
    }

    fn visit_unit<E: de::Error>(self) -> Result<Borrowed<'de>, E> {
        Err(no_array(Marker::Null, &self))
    }

    /// An array without a type holds numbers only if it is empty.
    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Borrowed<'de>, A::Error> {
        if access.next_element::<IgnoredAny>()?.is_some() {
            return Err(de::Error::invalid_type(Unexpected::Seq, &self));
        }
        self.visit_borrowed_bytes(&[])
    }
}

/// The one block that a slice gives; `None` if anything else came.
struct OneBlock<'de>(Option<&'de [u8]>);

impl<'de> BlockVisitor<'de> for OneBlock<'de> {
    type Value = Option<&'de [u8]>;

    fn reserve(&mut self, _byte_len: usize) {}

    fn transient(&mut self, _block: &[u8]) {
        self.0 = None;
    }

    fn borrowed(&mut self, block: &'de [u8]) {
        self.0 = Some(block);
    }

    fn finish(self) -> Self::Value {
        self.0
    }
}
