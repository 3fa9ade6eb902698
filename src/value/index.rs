//! Ways into a value: by place, by key, by JSON pointer.

use alloc::borrow::Cow;
use alloc::string::String;
use core::ops;

use super::Value;

mod private {
    pub trait Sealed {}

    impl Sealed for usize {}
    impl Sealed for str {}
    impl Sealed for alloc::string::String {}
    impl<T: ?Sized + Sealed> Sealed for &T {}
}

/// What a [`Value`] can be indexed by: a place in an array, or a key of an object.
pub trait Index: private::Sealed {
    #[doc(hidden)]
    fn get<'v>(&self, value: &'v Value) -> Option<&'v Value>;

    #[doc(hidden)]
    fn get_mut<'v>(&self, value: &'v mut Value) -> Option<&'v mut Value>;

    /// For assignment: makes room where that is possible.
    #[doc(hidden)]
    fn get_or_insert<'v>(&self, value: &'v mut Value) -> &'v mut Value;
}

impl Index for usize {
    fn get<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        value.as_array()?.get(*self)
    }

    fn get_mut<'v>(&self, value: &'v mut Value) -> Option<&'v mut Value> {
        // A packed array stays one if there is no such element.
        if *self >= value.contents_len()? {
            return None;
        }
        value.as_array_mut()?.get_mut(*self)
    }

    #[expect(clippy::panic, reason = "as everywhere where an index is out of bounds")]
    fn get_or_insert<'v>(&self, value: &'v mut Value) -> &'v mut Value {
        let len = value.contents_len();
        match value.as_array_mut().and_then(|array| array.get_mut(*self)) {
            Some(element) => element,
            None => panic!("index {self} of a value with {len:?} elements"),
        }
    }
}

impl Index for str {
    fn get<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        value.as_object()?.get(self)
    }

    fn get_mut<'v>(&self, value: &'v mut Value) -> Option<&'v mut Value> {
        value.as_object_mut()?.get_mut(self)
    }

    #[expect(clippy::panic, reason = "as serde_json has it: only null becomes an object")]
    fn get_or_insert<'v>(&self, value: &'v mut Value) -> &'v mut Value {
        if value.is_null() {
            *value = Value::Object(super::Map::new());
        }
        match value {
            Value::Object(map) => &mut map[self],
            _ => panic!("key {self:?} of a value that is no object"),
        }
    }
}

impl Index for String {
    fn get<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        Index::get(self.as_str(), value)
    }

    fn get_mut<'v>(&self, value: &'v mut Value) -> Option<&'v mut Value> {
        self.as_str().get_mut(value)
    }

    fn get_or_insert<'v>(&self, value: &'v mut Value) -> &'v mut Value {
        self.as_str().get_or_insert(value)
    }
}

impl<T: ?Sized + Index> Index for &T {
    fn get<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        Index::get(*self, value)
    }

    fn get_mut<'v>(&self, value: &'v mut Value) -> Option<&'v mut Value> {
        (**self).get_mut(value)
    }

    fn get_or_insert<'v>(&self, value: &'v mut Value) -> &'v mut Value {
        (**self).get_or_insert(value)
    }
}

/// `value["key"]`, `value[0]`: null where there is none. Elements of a packed array are unpacked
/// beside it by the first such access.
impl<I: Index> ops::Index<I> for Value {
    type Output = Value;

    fn index(&self, index: I) -> &Value {
        index.get(self).unwrap_or(&Value::Null)
    }
}

/// `value["key"] = ...` inserts a key that is not there, into null as well.
///
/// # Panics
///
/// If `value` is neither null nor an object, and for a place that the array does not have.
impl<I: Index> ops::IndexMut<I> for Value {
    fn index_mut(&mut self, index: I) -> &mut Value {
        index.get_or_insert(self)
    }
}

/// The tokens of a JSON pointer; `None` if it is none.
pub(super) fn tokens(pointer: &str) -> Option<impl Iterator<Item = Cow<'_, str>>> {
    // The empty pointer has no token; others start with a slash, before which nothing is.
    if !pointer.is_empty() && !pointer.starts_with('/') {
        return None;
    }
    Some(pointer.split('/').skip(1).map(|token| match token.contains('~') {
        true => Cow::Owned(token.replace("~1", "/").replace("~0", "~")),
        false => Cow::Borrowed(token),
    }))
}

/// A place in an array as RFC 6901 spells it: no sign, no leading zeros.
fn place(token: &str) -> Option<usize> {
    let is_plain = token == "0" || !token.starts_with(['0', '+']);
    token.parse().ok().filter(|_| is_plain)
}

impl Value {
    pub(super) fn step(&self, token: &str) -> Option<&Value> {
        match self {
            Value::Object(map) => map.get(token),
            _ => self.get(place(token)?),
        }
    }

    pub(super) fn step_mut(&mut self, token: &str) -> Option<&mut Value> {
        match self {
            Value::Object(map) => map.get_mut(token),
            _ => self.get_mut(place(token)?),
        }
    }
}
