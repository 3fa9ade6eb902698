//! Cloning without recursion.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::slice;

use super::map::SharedKeys;
use super::{Map, Value};

/// A container that is being copied.
struct Copying<'a> {
    /// The keys of an object; an array has none.
    keys: Option<Arc<SharedKeys>>,
    rest: slice::Iter<'a, Value>,
    copied: Vec<Value>,
}

impl<'a> Copying<'a> {
    fn new(keys: Option<&Arc<SharedKeys>>, values: &'a [Value]) -> Self {
        Self {
            keys: keys.cloned(),
            rest: values.iter(),
            copied: Vec::with_capacity(values.len()),
        }
    }

    fn finish(self) -> Value {
        match self.keys {
            Some(keys) => Value::Object(Map::from_parts(keys, self.copied)),
            None => Value::Array(self.copied.into()),
        }
    }
}

/// The copy of a value that has nothing in it; or the start of a copy.
fn copy_or_open(value: &Value) -> Result<Value, Copying<'_>> {
    Ok(match value {
        Value::Null => Value::Null,
        Value::Bool(value) => Value::Bool(*value),
        Value::Number(number) => Value::Number(number.clone()),
        Value::Char(char) => Value::Char(*char),
        Value::String(text) => Value::String(text.clone()),
        Value::Packed(packed) => Value::Packed(packed.clone()),
        Value::Array(array) => return Err(Copying::new(None, array)),
        Value::Object(map) => match map.shared_keys() {
            Some(keys) => return Err(Copying::new(Some(keys), map.values_slice())),
            None => Value::Object(Map::new()),
        },
    })
}

impl Clone for Value {
    fn clone(&self) -> Self {
        let mut copying = match copy_or_open(self) {
            Ok(copy) => return copy,
            Err(outermost) => outermost,
        };
        let mut outer: Vec<Copying<'_>> = Vec::new();
        loop {
            let Some(value) = copying.rest.next() else {
                let copy = copying.finish();
                match outer.pop() {
                    Some(container) => copying = container,
                    None => return copy,
                }
                copying.copied.push(copy);
                continue;
            };
            match copy_or_open(value) {
                Ok(copy) => copying.copied.push(copy),
                Err(inner) => outer.push(core::mem::replace(&mut copying, inner)),
            }
        }
    }
}
