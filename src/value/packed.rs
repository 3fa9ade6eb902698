//! `PackedArray`: an array of numbers of one type, as compact in memory as on the wire.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;

use once_cell::race::OnceBox;
use serde_core::de::VariantAccess;
use serde_core::ser::{Serialize, Serializer};

use super::{Array, Number, Value};
use crate::doorway::{self, BlockVisitor, Numeric};
use crate::marker::Marker;

/// The numbers of a [`PackedArray`].
#[derive(Clone, Debug)]
pub enum Numbers {
    /// `[$i#`
    Int8(Vec<i8>),
    /// `[$U#`
    Uint8(Vec<u8>),
    /// `[$I#`
    Int16(Vec<i16>),
    /// `[$l#`
    Int32(Vec<i32>),
    /// `[$L#`
    Int64(Vec<i64>),
    /// `[$d#`
    Float32(Vec<f32>),
    /// `[$D#`
    Float64(Vec<f64>),
}

/// Does the same with the vector, whatever its type.
macro_rules! each {
    ($numbers:expr, $vector:ident => $result:expr) => {
        match $numbers {
            Numbers::Int8($vector) => $result,
            Numbers::Uint8($vector) => $result,
            Numbers::Int16($vector) => $result,
            Numbers::Int32($vector) => $result,
            Numbers::Int64($vector) => $result,
            Numbers::Float32($vector) => $result,
            Numbers::Float64($vector) => $result,
        }
    };
}

pub(super) use each;

impl Numbers {
    fn empty(element: Marker) -> Option<Self> {
        Some(match element {
            Marker::Int8 => Self::Int8(Vec::new()),
            Marker::Uint8 => Self::Uint8(Vec::new()),
            Marker::Int16 => Self::Int16(Vec::new()),
            Marker::Int32 => Self::Int32(Vec::new()),
            Marker::Int64 => Self::Int64(Vec::new()),
            Marker::Float32 => Self::Float32(Vec::new()),
            Marker::Float64 => Self::Float64(Vec::new()),
            _ => return None,
        })
    }
}

macro_rules! from_vec {
    ($($number:ty, $variant:ident;)*) => {$(
        impl From<Vec<$number>> for Numbers {
            fn from(numbers: Vec<$number>) -> Self {
                Self::$variant(numbers)
            }
        }
    )*};
}

from_vec! { i8, Int8; u8, Uint8; i16, Int16; i32, Int32; i64, Int64; f32, Float32; f64, Float64; }

/// An array of numbers of one type: what `[$type#count` is on the wire, and no larger in memory.
///
/// It is an array like any other: equal to the same numbers in an [`Array`], JSON when printed,
/// read by every type that reads sequences. It is written as a typed array of its own element
/// type, whatever the options for containers and integers, also when it is empty.
///
/// A reference to an element has to point to a [`Value`]. Where one is asked for
/// ([`Value::get`], `value[3]`, [`Value::pointer`], [`Value::as_array`]), the elements are unpacked
/// beside the numbers, once, at 32 bytes each. [`get`](Self::get), [`iter`](Self::iter) and
/// [`numbers`](Self::numbers) go without.
///
/// ```
/// use ubjson::Value;
/// use ubjson::value::Numbers;
///
/// let value: Value = ubjson::from_slice(b"[$d#i\x02\x3f\0\0\0\x40\0\0\0")?;
/// let Value::Packed(packed) = &value else { panic!() };
/// assert!(matches!(packed.numbers(), Numbers::Float32(numbers) if *numbers == [0.5, 2.0]));
/// assert_eq!(packed.get(1), Some(2.0_f32.into()));
/// assert_eq!(value, ubjson::ubjson!([0.5, 2.0]));
/// # Ok::<(), ubjson::Error>(())
/// ```
pub struct PackedArray(Box<Packed>);

struct Packed {
    numbers: Numbers,
    unpacked: OnceBox<Array>,
}

impl PackedArray {
    /// The numbers in a vector of their type.
    #[must_use]
    pub fn numbers(&self) -> &Numbers {
        &self.0.numbers
    }

    /// The numbers in a vector of their type, to be changed.
    pub fn numbers_mut(&mut self) -> &mut Numbers {
        self.0.unpacked = OnceBox::new();
        &mut self.0.numbers
    }

    /// The numbers in a vector of their type.
    #[must_use]
    pub fn into_numbers(self) -> Numbers {
        self.0.numbers
    }

    /// The element type on the wire.
    #[must_use]
    pub fn marker(&self) -> Marker {
        match self.numbers() {
            Numbers::Int8(_) => Marker::Int8,
            Numbers::Uint8(_) => Marker::Uint8,
            Numbers::Int16(_) => Marker::Int16,
            Numbers::Int32(_) => Marker::Int32,
            Numbers::Int64(_) => Marker::Int64,
            Numbers::Float32(_) => Marker::Float32,
            Numbers::Float64(_) => Marker::Float64,
        }
    }

    /// How many numbers there are.
    #[must_use]
    pub fn len(&self) -> usize {
        each!(self.numbers(), numbers => numbers.len())
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number at `index`.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<Number> {
        each!(self.numbers(), numbers => numbers.get(index).map(|number| Number::from(*number)))
    }

    /// The numbers one by one.
    #[must_use]
    pub fn iter(&self) -> Iter<'_> {
        Iter {
            packed: self,
            range: 0..self.len(),
        }
    }

    /// The elements as values, beside the numbers from now on.
    pub(super) fn unpacked(&self) -> &Array {
        self.0.unpacked.get_or_init(|| Box::new(self.to_array()))
    }

    /// The elements as values.
    #[must_use]
    pub fn to_array(&self) -> Array {
        self.iter().map(Value::Number).collect()
    }
}

impl<T> From<Vec<T>> for PackedArray
where
    Numbers: From<Vec<T>>,
{
    fn from(numbers: Vec<T>) -> Self {
        Numbers::from(numbers).into()
    }
}

impl From<Numbers> for PackedArray {
    fn from(numbers: Numbers) -> Self {
        Self(Box::new(Packed {
            numbers,
            unpacked: OnceBox::new(),
        }))
    }
}

impl Clone for PackedArray {
    fn clone(&self) -> Self {
        self.numbers().clone().into()
    }
}

/// As numbers: the element types may differ.
impl PartialEq for PackedArray {
    fn eq(&self, other: &Self) -> bool {
        match (self.numbers(), other.numbers()) {
            (Numbers::Int8(a), Numbers::Int8(b)) => a == b,
            (Numbers::Uint8(a), Numbers::Uint8(b)) => a == b,
            (Numbers::Int16(a), Numbers::Int16(b)) => a == b,
            (Numbers::Int32(a), Numbers::Int32(b)) => a == b,
            (Numbers::Int64(a), Numbers::Int64(b)) => a == b,
            (Numbers::Float32(a), Numbers::Float32(b)) => a == b,
            (Numbers::Float64(a), Numbers::Float64(b)) => a == b,
            _ => self.len() == other.len() && self.iter().eq(other),
        }
    }
}

impl fmt::Debug for PackedArray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.numbers().fmt(f)
    }
}

/// The numbers of a [`PackedArray`] one by one.
#[derive(Clone, Debug)]
pub struct Iter<'a> {
    packed: &'a PackedArray,
    range: core::ops::Range<usize>,
}

impl Iterator for Iter<'_> {
    type Item = Number;

    fn next(&mut self) -> Option<Number> {
        self.packed.get(self.range.next()?)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.range.size_hint()
    }
}

impl DoubleEndedIterator for Iter<'_> {
    fn next_back(&mut self) -> Option<Number> {
        self.packed.get(self.range.next_back()?)
    }
}

impl ExactSizeIterator for Iter<'_> {}

impl core::iter::FusedIterator for Iter<'_> {}

impl<'a> IntoIterator for &'a PackedArray {
    type Item = Number;
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

impl Serialize for PackedArray {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        each!(self.numbers(), numbers => doorway::packed(numbers, serializer))
    }
}

/// The payload of a typed array of `element`; `None` if that is no number type.
pub(super) fn read_payload<'de, P: VariantAccess<'de>>(
    element: Marker,
    payload: P,
) -> Result<Option<PackedArray>, P::Error> {
    let Some(mut numbers) = Numbers::empty(element) else {
        return Ok(None);
    };
    each!(&mut numbers, numbers => doorway::blocks(payload, Fill(numbers)))?;
    Ok(Some(numbers.into()))
}

/// Fills a vector with the numbers of blocks.
struct Fill<'a, T>(&'a mut Vec<T>);

impl<T: Numeric> BlockVisitor<'_> for Fill<'_, T> {
    type Value = ();

    fn reserve(&mut self, byte_len: usize) {
        self.0.reserve_exact(byte_len / size_of::<T>());
    }

    fn transient(&mut self, block: &[u8]) {
        T::extend_from_wire(self.0, block);
    }

    fn finish(self) {}
}
