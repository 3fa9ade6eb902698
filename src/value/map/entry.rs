//! One key's place in a map.

use alloc::sync::Arc;

use super::Map;
use crate::value::Value;

/// The place of a key in a [`Map`]; see [`Map::entry`].
#[derive(Debug)]
pub enum Entry<'a> {
    /// The key is there.
    Occupied(OccupiedEntry<'a>),
    /// It is not.
    Vacant(VacantEntry<'a>),
}

/// A key that is in the map, with its value.
#[derive(Debug)]
pub struct OccupiedEntry<'a> {
    slot: &'a mut Value,
}

/// A key that is not in the map.
#[derive(Debug)]
pub struct VacantEntry<'a> {
    map: &'a mut Map,
    key: Arc<str>,
}

impl<'a> Entry<'a> {
    /// The value of the key, which is inserted if there is none.
    pub fn or_insert(self, value: impl Into<Value>) -> &'a mut Value {
        self.or_insert_with(|| value.into())
    }

    /// The value of the key, which is made and inserted if there is none.
    pub fn or_insert_with(self, value: impl FnOnce() -> Value) -> &'a mut Value {
        match self {
            Self::Occupied(entry) => entry.into_mut(),
            Self::Vacant(entry) => entry.insert(value()),
        }
    }

    /// Changes the value if there is one.
    #[must_use]
    pub fn and_modify(mut self, change: impl FnOnce(&mut Value)) -> Self {
        if let Self::Occupied(entry) = &mut self {
            change(entry.slot);
        }
        self
    }
}

impl<'a> OccupiedEntry<'a> {
    pub(super) fn new(slot: &'a mut Value) -> Self {
        Self { slot }
    }

    /// The value.
    #[must_use]
    pub fn get(&self) -> &Value {
        self.slot
    }

    /// The value, to be changed.
    pub fn get_mut(&mut self) -> &mut Value {
        self.slot
    }

    /// The value, for as long as the map is borrowed.
    #[must_use]
    pub fn into_mut(self) -> &'a mut Value {
        self.slot
    }

    /// Sets the value and returns the one it had.
    pub fn insert(&mut self, value: impl Into<Value>) -> Value {
        core::mem::replace(self.slot, value.into())
    }
}

impl<'a> VacantEntry<'a> {
    pub(super) fn new(map: &'a mut Map, key: Arc<str>) -> Self {
        Self { map, key }
    }

    /// The key.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Inserts the key with this value.
    pub fn insert(self, value: impl Into<Value>) -> &'a mut Value {
        self.map.push(self.key, value.into())
    }
}
