//! Dropping without recursion: a value nested a million levels deep must not overflow the stack.

use alloc::vec::Vec;

use super::Value;

/// The values inside a container.
fn contents(value: &mut Value) -> &mut [Value] {
    match value {
        Value::Array(array) => array,
        Value::Object(map) => map.slots_mut(),
        _ => &mut [],
    }
}

/// Whether a container holds containers that hold something: dropping it would go two levels down.
fn is_deep(value: &mut Value) -> bool {
    contents(value)
        .iter_mut()
        .any(|inner| matches!(inner, Value::Array(_) | Value::Object(_)) && !contents(inner).is_empty())
}

/// Empties all that is nested in `values`, which are about to be dropped.
///
/// Each container is taken out of the one around it and looked through in turn, until none that
/// is left has more than one level below it. Flat ones stay where they are.
pub(super) fn nested(values: &mut [Value]) {
    let mut pending = Vec::new();
    take_deep(values, &mut pending);
    while let Some(mut value) = pending.pop() {
        take_deep(contents(&mut value), &mut pending);
    }
}

#[inline]
fn take_deep(values: &mut [Value], pending: &mut Vec<Value>) {
    for value in values {
        if matches!(value, Value::Array(_) | Value::Object(_)) && is_deep(value) {
            pending.push(core::mem::take(value));
        }
    }
}
