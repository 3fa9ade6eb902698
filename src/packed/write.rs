//! Which types are written as packed arrays.

use alloc::boxed::Box;
use alloc::vec::Vec;

use serde_core::{Serialize, Serializer};

use super::{Element, Packed, PackedRef};
use crate::doorway;

/// Numbers that can be written as one block.
///
/// Types of your own that hold numbers in one piece implement it by way of their slice:
///
/// ```
/// use serde::{Serialize, Serializer};
/// use ubjson::packed::SerializePacked;
///
/// struct Matrix {
///     rows: Vec<[f64; 3]>,
/// }
///
/// impl SerializePacked for Matrix {
///     fn serialize_packed<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
///         self.rows.as_flattened().serialize_packed(serializer)
///     }
/// }
///
/// #[derive(Serialize)]
/// struct Pose {
///     #[serde(with = "ubjson::packed")]
///     rotation: Matrix,
/// }
///
/// let pose = Pose { rotation: Matrix { rows: vec![[1.0, 0.0, 0.0]; 3] } };
/// assert!(ubjson::to_vec(&pose)?.starts_with(b"{i\x08rotation[$D#i\x09"));
/// # Ok::<(), ubjson::Error>(())
/// ```
pub trait SerializePacked {
    /// Writes the numbers as a packed array; in other formats as a sequence.
    ///
    /// # Errors
    ///
    /// As [`serialize`](super::serialize).
    fn serialize_packed<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;
}

impl<T: Element> SerializePacked for [T] {
    fn serialize_packed<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        doorway::fitted(self, serializer)
    }
}

impl<T: Element, const N: usize> SerializePacked for [T; N] {
    fn serialize_packed<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_slice().serialize_packed(serializer)
    }
}

impl<T: Element> SerializePacked for Vec<T> {
    fn serialize_packed<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_slice().serialize_packed(serializer)
    }
}

impl<T: Element> SerializePacked for PackedRef<'_, T> {
    fn serialize_packed<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_vec().serialize_packed(serializer)
    }
}

impl<T: SerializePacked + ?Sized> SerializePacked for &T {
    fn serialize_packed<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        T::serialize_packed(self, serializer)
    }
}

impl<T: SerializePacked + ?Sized> SerializePacked for &mut T {
    fn serialize_packed<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        T::serialize_packed(self, serializer)
    }
}

impl<T: SerializePacked + ?Sized> SerializePacked for Box<T> {
    fn serialize_packed<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        T::serialize_packed(self, serializer)
    }
}

/// `None` is null.
impl<T: SerializePacked> SerializePacked for Option<T> {
    fn serialize_packed<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Some(numbers) => serializer.serialize_some(&Packed(numbers)),
            None => serializer.serialize_none(),
        }
    }
}

impl<T: Element> Serialize for PackedRef<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.serialize_packed(serializer)
    }
}
