//! `Packed`: the newtype for where no attribute can stand.

use core::ops::{Deref, DerefMut};

use serde_core::{Deserialize, Deserializer, Serialize, Serializer};

use super::{DeserializePacked, SerializePacked};

/// Numbers that move as one block, where `#[serde(with = "ubjson::packed")]` cannot stand: at the
/// top, as an element, as a map's value.
///
/// ```
/// use ubjson::packed::Packed;
///
/// let rows = vec![Packed(vec![1.5_f32, 2.5]), Packed(vec![])];
/// let bytes = ubjson::to_vec(&rows)?;
/// assert_eq!(bytes, b"[[$d#i\x02\x3f\xc0\0\0\x40\x20\0\0[$d#i\x00]");
/// assert_eq!(ubjson::from_slice::<Vec<Packed<Vec<f32>>>>(&bytes)?, rows);
/// # Ok::<(), ubjson::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Packed<T>(
    /// A vector, a slice, or whatever else [`SerializePacked`] and [`DeserializePacked`] know.
    pub T,
);

impl<T> Packed<T> {
    /// What is in it.
    #[must_use]
    pub fn into_inner(self) -> T {
        self.0
    }
}

impl<T> From<T> for Packed<T> {
    fn from(numbers: T) -> Self {
        Self(numbers)
    }
}

impl<T> Deref for Packed<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Packed<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T: SerializePacked> Serialize for Packed<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize_packed(serializer)
    }
}

impl<'de, T: DeserializePacked<'de>> Deserialize<'de> for Packed<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize_packed(deserializer).map(Self)
    }
}
