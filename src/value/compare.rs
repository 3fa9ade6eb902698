//! Comparing, without recursion: with other values, and with Rust's own types.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::{Array, Map, Number, PackedArray, Value};

type Pairs<'a> = Vec<(&'a Value, &'a Value)>;

/// By what the values mean: numbers by value, objects whatever the order of their keys, packed
/// arrays like ordinary ones. A char is no string.
impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        let mut pending = Pairs::new();
        let mut equal = eq_or_defer(self, other, &mut pending);
        while let (true, Some((a, b))) = (equal, pending.pop()) {
            equal = eq_contents(a, b, &mut pending);
        }
        equal
    }
}

/// Whether two values are equal as far as that can be told without looking into containers, which
/// go to `pending`.
fn eq_or_defer<'a>(a: &'a Value, b: &'a Value, pending: &mut Pairs<'a>) -> bool {
    match (a, b) {
        (Value::Null, Value::Null) => true,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Number(a), Value::Number(b)) => a == b,
        (Value::Char(a), Value::Char(b)) => a == b,
        (Value::String(a), Value::String(b)) => a == b,
        (Value::Packed(a), Value::Packed(b)) => a == b,
        (Value::Packed(packed), Value::Array(array)) | (Value::Array(array), Value::Packed(packed)) => {
            eq_packed(packed, array)
        }
        (Value::Array(_), Value::Array(_)) | (Value::Object(_), Value::Object(_)) => {
            pending.push((a, b));
            true
        }
        _ => false,
    }
}

fn eq_contents<'a>(a: &'a Value, b: &'a Value, pending: &mut Pairs<'a>) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| eq_or_defer(a, b, pending))
        }
        (Value::Object(a), Value::Object(b)) => eq_entries(a, b, pending),
        _ => false,
    }
}

fn eq_entries<'a>(a: &'a Map, b: &'a Map, pending: &mut Pairs<'a>) -> bool {
    let same_keys = match (a.shared_keys(), b.shared_keys()) {
        (Some(a), Some(b)) => Arc::ptr_eq(a, b),
        _ => false,
    };
    if same_keys {
        return a.values().zip(b.values()).all(|(a, b)| eq_or_defer(a, b, pending));
    }
    a.len() == b.len()
        && a.iter()
            .all(|(key, a)| b.get(key).is_some_and(|b| eq_or_defer(a, b, pending)))
}

fn eq_packed(packed: &PackedArray, array: &Array) -> bool {
    packed.len() == array.len()
        && packed
            .iter()
            .zip(array.iter())
            .all(|(number, value)| value.as_number() == Some(&number))
}

impl PartialEq for Array {
    fn eq(&self, other: &Self) -> bool {
        self[..] == other[..]
    }
}

impl PartialEq for Map {
    fn eq(&self, other: &Self) -> bool {
        let mut pending = Pairs::new();
        eq_entries(self, other, &mut pending) && pending.into_iter().all(|(a, b)| a == b)
    }
}

macro_rules! eq_scalar {
    ($($scalar:ty, |$value:ident, $other:ident| $equal:expr;)*) => {$(
        impl PartialEq<$scalar> for Value {
            fn eq(&self, $other: &$scalar) -> bool {
                let $value = self;
                $equal
            }
        }

        impl PartialEq<Value> for $scalar {
            fn eq(&self, other: &Value) -> bool {
                other == self
            }
        }
    )*};
}

eq_scalar! {
    bool, |value, other| value.as_bool() == Some(*other);
    str, |value, other| value.as_str() == Some(other);
    &str, |value, other| value.as_str() == Some(*other);
    String, |value, other| value.as_str() == Some(other.as_str());
    char, |value, other| matches!(value, Value::Char(char) if char == other);
    i8, |value, other| eq_number(value, *other);
    i16, |value, other| eq_number(value, *other);
    i32, |value, other| eq_number(value, *other);
    i64, |value, other| eq_number(value, *other);
    i128, |value, other| eq_number(value, *other);
    isize, |value, other| eq_number(value, *other);
    u8, |value, other| eq_number(value, *other);
    u16, |value, other| eq_number(value, *other);
    u32, |value, other| eq_number(value, *other);
    u64, |value, other| eq_number(value, *other);
    u128, |value, other| eq_number(value, *other);
    usize, |value, other| eq_number(value, *other);
    f32, |value, other| eq_number(value, *other);
    f64, |value, other| eq_number(value, *other);
}

fn eq_number(value: &Value, other: impl Into<Number>) -> bool {
    value.as_number() == Some(&other.into())
}
