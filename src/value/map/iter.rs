//! The iterators of a map.

use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use core::iter::FusedIterator;
use core::slice;

use super::Map;
use crate::value::Value;

/// The entries of a [`Map`] in their order.
#[derive(Clone, Debug)]
pub struct Iter<'a> {
    name: slice::Iter<'a, Arc<str>>,
    value: slice::Iter<'a, Value>,
}

/// The entries of a [`Map`] in their order, the values to be changed.
#[derive(Debug)]
pub struct IterMut<'a> {
    name: slice::Iter<'a, Arc<str>>,
    value: slice::IterMut<'a, Value>,
}

/// The entries of a [`Map`] that is taken apart, in their order.
#[derive(Clone, Debug)]
pub struct IntoIter {
    name: vec::IntoIter<Arc<str>>,
    value: vec::IntoIter<Value>,
}

/// The keys of a [`Map`] in their order.
#[derive(Clone, Debug)]
pub struct Keys<'a> {
    name: slice::Iter<'a, Arc<str>>,
}

/// The values of a [`Map`] in the order of their keys.
#[derive(Clone, Debug)]
pub struct Values<'a> {
    value: slice::Iter<'a, Value>,
}

/// The values of a [`Map`] in the order of their keys, to be changed.
#[derive(Debug)]
pub struct ValuesMut<'a> {
    value: slice::IterMut<'a, Value>,
}

macro_rules! iterator {
    ($iterator:ty, $item:ty, $($part:ident)+ => $result:expr) => {
        impl<'a> Iterator for $iterator {
            type Item = $item;

            #[inline]
            fn next(&mut self) -> Option<$item> {
                $(let $part = self.$part.next()?;)+
                Some($result)
            }

            fn size_hint(&self) -> (usize, Option<usize>) {
                ($(self.$part.size_hint(),)+).0
            }
        }

        impl<'a> DoubleEndedIterator for $iterator {
            fn next_back(&mut self) -> Option<Self::Item> {
                $(let $part = self.$part.next_back()?;)+
                Some($result)
            }
        }

        impl<'a> ExactSizeIterator for $iterator {}

        impl<'a> FusedIterator for $iterator {}
    };
}

iterator!(Iter<'a>, (&'a str, &'a Value), name value => (name, value));
iterator!(IterMut<'a>, (&'a str, &'a mut Value), name value => (name, value));
iterator!(Keys<'a>, &'a str, name => name);
iterator!(Values<'a>, &'a Value, value => value);
iterator!(ValuesMut<'a>, &'a mut Value, value => value);

impl Iterator for IntoIter {
    type Item = (Arc<str>, Value);

    fn next(&mut self) -> Option<Self::Item> {
        Some((self.name.next()?, self.value.next()?))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.name.size_hint()
    }
}

impl ExactSizeIterator for IntoIter {}

impl FusedIterator for IntoIter {}

impl Map {
    /// The entries in their order.
    #[must_use]
    pub fn iter(&self) -> Iter<'_> {
        Iter {
            name: self.names().iter(),
            value: self.values_slice().iter(),
        }
    }

    /// The entries in their order, the values to be changed.
    pub fn iter_mut(&mut self) -> IterMut<'_> {
        let (names, values) = self.names_and_values_mut();
        IterMut {
            name: names.iter(),
            value: values.iter_mut(),
        }
    }

    /// The keys in their order.
    #[must_use]
    pub fn keys(&self) -> Keys<'_> {
        Keys {
            name: self.names().iter(),
        }
    }

    /// The values in the order of their keys.
    #[must_use]
    pub fn values(&self) -> Values<'_> {
        Values {
            value: self.values_slice().iter(),
        }
    }

    /// The values in the order of their keys, to be changed.
    pub fn values_mut(&mut self) -> ValuesMut<'_> {
        ValuesMut {
            value: self.names_and_values_mut().1.iter_mut(),
        }
    }
}

impl IntoIterator for Map {
    type Item = (Arc<str>, Value);
    type IntoIter = IntoIter;

    fn into_iter(mut self) -> IntoIter {
        let name: Vec<_> = self.names().to_vec();
        IntoIter {
            name: name.into_iter(),
            value: self.take_slots().into_iter(),
        }
    }
}

impl<'a> IntoIterator for &'a Map {
    type Item = (&'a str, &'a Value);
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

impl<'a> IntoIterator for &'a mut Map {
    type Item = (&'a str, &'a mut Value);
    type IntoIter = IterMut<'a>;

    fn into_iter(self) -> IterMut<'a> {
        self.iter_mut()
    }
}
