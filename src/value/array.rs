//! `Array`: a vector of values that is dropped without recursion.

use alloc::vec::{self, Vec};
use core::fmt;
use core::ops::{Deref, DerefMut};
use core::slice;

use super::{Value, drop};

/// The elements of an array: a [`Vec<Value>`](Vec), to which it dereferences.
///
/// A type of its own, because dropping a deeply nested one must not overflow the stack.
///
/// ```
/// use ubjson::value::Array;
///
/// let mut array = Array::from(vec![1.into(), "a".into()]);
/// array.push(true.into());
/// assert_eq!(array.len(), 3);
/// assert_eq!(array[1], "a");
/// ```
#[derive(Clone, Default)]
pub struct Array(Vec<Value>);

impl Array {
    /// No elements.
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// The vector.
    #[must_use]
    pub fn into_vec(mut self) -> Vec<Value> {
        core::mem::take(&mut self.0)
    }
}

impl Drop for Array {
    fn drop(&mut self) {
        drop::nested(&mut self.0);
    }
}

impl Deref for Array {
    type Target = Vec<Value>;

    fn deref(&self) -> &Vec<Value> {
        &self.0
    }
}

impl DerefMut for Array {
    fn deref_mut(&mut self) -> &mut Vec<Value> {
        &mut self.0
    }
}

impl From<Vec<Value>> for Array {
    fn from(elements: Vec<Value>) -> Self {
        Self(elements)
    }
}

impl From<Array> for Vec<Value> {
    fn from(array: Array) -> Self {
        array.into_vec()
    }
}

impl<T: Into<Value>> FromIterator<T> for Array {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        Self(elements.into_iter().map(Into::into).collect())
    }
}

impl<T: Into<Value>> Extend<T> for Array {
    fn extend<I: IntoIterator<Item = T>>(&mut self, elements: I) {
        self.0.extend(elements.into_iter().map(Into::into));
    }
}

impl IntoIterator for Array {
    type Item = Value;
    type IntoIter = vec::IntoIter<Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.into_vec().into_iter()
    }
}

impl<'a> IntoIterator for &'a Array {
    type Item = &'a Value;
    type IntoIter = slice::Iter<'a, Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<'a> IntoIterator for &'a mut Array {
    type Item = &'a mut Value;
    type IntoIter = slice::IterMut<'a, Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter_mut()
    }
}

impl fmt::Debug for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.0).finish()
    }
}
