//! `Map`: the entries of an object in their order.

mod entry;
mod iter;
mod keys;

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::ops::{Index, IndexMut};

pub use self::entry::{Entry, OccupiedEntry, VacantEntry};
pub use self::iter::{IntoIter, Iter, IterMut, Keys, Values, ValuesMut};
pub(super) use self::keys::Keys as SharedKeys;
use super::{Value, drop};

/// The entries of an object, in the order in which they were inserted or read.
///
/// Keys are different. Inserting one that is there replaces its value and keeps its place, and so
/// does a key that a document repeats. Two maps are equal if they have the same entries, whatever
/// the order.
///
/// Objects of one document that have the same keys in the same order share them in memory. A map
/// whose keys change no longer shares them.
///
/// ```
/// use ubjson::Map;
///
/// let mut map = Map::new();
/// map.insert("b", 1);
/// map.insert("a", 2);
/// map.insert("b", 3);
/// let entries: Vec<_> = map.iter().map(|(key, value)| format!("{key}={value}")).collect();
/// assert_eq!(entries, ["b=3", "a=2"]);
/// assert_eq!(map["a"], 2);
/// ```
#[derive(Clone, Default)]
pub struct Map {
    keys: Option<Arc<SharedKeys>>,
    /// A value for each key, and nulls behind them as room to grow.
    slots: Box<[Value]>,
}

impl Map {
    /// No entries.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// No entries, and room for `capacity`.
    #[must_use]
    pub fn with_capacity(capacity: usize) -> Self {
        let mut map = Self::new();
        map.reserve(capacity);
        map
    }

    /// Makes room for `additional` entries.
    pub fn reserve(&mut self, additional: usize) {
        let len = self.len();
        if self.slots.len() - len < additional {
            let mut slots = core::mem::take(&mut self.slots).into_vec();
            slots.reserve(additional.saturating_sub(slots.len() - len));
            slots.resize(slots.capacity(), Value::Null);
            self.slots = slots.into_boxed_slice();
        }
    }

    /// Values with their keys, of which there must be as many.
    #[inline]
    pub(super) fn from_parts(keys: Arc<SharedKeys>, values: Vec<Value>) -> Self {
        Self {
            keys: Some(keys),
            slots: values.into_boxed_slice(),
        }
    }

    pub(super) fn shared_keys(&self) -> Option<&Arc<SharedKeys>> {
        self.keys.as_ref()
    }

    pub(super) fn slots_mut(&mut self) -> &mut [Value] {
        &mut self.slots
    }

    fn names(&self) -> &[Arc<str>] {
        self.keys.as_ref().map(|keys| keys.names()).unwrap_or_default()
    }

    pub(super) fn values_slice(&self) -> &[Value] {
        self.slots.get(..self.len()).unwrap_or_default()
    }

    fn names_and_values_mut(&mut self) -> (&[Arc<str>], &mut [Value]) {
        let names = self.keys.as_ref().map(|keys| keys.names()).unwrap_or_default();
        (names, self.slots.get_mut(..names.len()).unwrap_or_default())
    }

    /// Takes the map apart: its values without the room behind them.
    fn take_slots(&mut self) -> Vec<Value> {
        let len = self.len();
        let mut values = core::mem::take(&mut self.slots).into_vec();
        values.truncate(len);
        values
    }

    fn keys_mut(&mut self) -> &mut SharedKeys {
        Arc::make_mut(self.keys.get_or_insert_default())
    }

    fn position(&self, key: &str) -> Option<usize> {
        self.keys.as_ref()?.position(key)
    }

    /// How many entries there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.names().len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether there is an entry with this key.
    #[must_use]
    pub fn contains_key(&self, key: &str) -> bool {
        self.position(key).is_some()
    }

    /// The value of a key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.slots.get(self.position(key)?)
    }

    /// The value of a key, to be changed.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Value> {
        let place = self.position(key)?;
        self.slots.get_mut(place)
    }

    /// The entry at a place in the order.
    #[must_use]
    pub fn get_index(&self, place: usize) -> Option<(&str, &Value)> {
        Some((self.names().get(place)?, self.slots.get(place)?))
    }

    /// Sets the value of a key and returns the one it had. A new key goes to the end.
    pub fn insert(&mut self, key: impl Into<Arc<str>>, value: impl Into<Value>) -> Option<Value> {
        let key = key.into();
        if let Some(old) = self.get_mut(&key) {
            return Some(core::mem::replace(old, value.into()));
        }
        self.push(key, value.into());
        None
    }

    /// Adds an entry whose key is not there.
    fn push(&mut self, key: Arc<str>, value: Value) -> &mut Value {
        let place = self.len();
        if place == self.slots.len() {
            self.reserve(place.max(4));
        }
        self.keys_mut().push(key);
        let slot = &mut self.slots[place];
        *slot = value;
        slot
    }

    /// The place of a key in the map, to look at or to fill.
    pub fn entry(&mut self, key: impl Into<Arc<str>>) -> Entry<'_> {
        let key = key.into();
        match self.position(&key) {
            Some(place) if place < self.slots.len() => Entry::Occupied(OccupiedEntry::new(&mut self.slots[place])),
            _ => Entry::Vacant(VacantEntry::new(self, key)),
        }
    }

    /// Removes an entry and returns its value; the entries behind it move up.
    ///
    /// Takes time in proportion to the number of entries; [`retain`](Self::retain) removes many
    /// at once.
    pub fn remove(&mut self, key: &str) -> Option<Value> {
        self.remove_entry(key).map(|(_, value)| value)
    }

    /// Like [`remove`](Self::remove), with the key.
    pub fn remove_entry(&mut self, key: &str) -> Option<(Arc<str>, Value)> {
        let place = self.position(key)?;
        let len = self.len();
        let moved_up = self.slots.get_mut(place..len)?;
        moved_up.rotate_left(1);
        let value = core::mem::take(moved_up.last_mut()?);
        let key = self.names().get(place).cloned()?;
        self.keys_mut().retain(|at| at != place);
        Some((key, value))
    }

    /// Keeps only the entries that `keep` says yes to.
    pub fn retain(&mut self, mut keep: impl FnMut(&str, &mut Value) -> bool) {
        let mut kept = Vec::with_capacity(self.len());
        for (key, value) in self.iter_mut() {
            kept.push(keep(key, value));
        }
        let mut values = self.take_slots();
        let mut verdicts = kept.iter();
        values.retain(|_| verdicts.next().copied().unwrap_or_default());
        self.slots = values.into_boxed_slice();
        self.keys_mut()
            .retain(|place| kept.get(place).copied().unwrap_or_default());
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        *self = Self::new();
    }

    /// Sorts the entries by their keys, bytewise; not those of maps inside.
    pub fn sort_keys(&mut self) {
        if self.names().is_sorted() {
            return;
        }
        let mut order: Vec<usize> = (0..self.len()).collect();
        let names = self.names();
        order.sort_unstable_by_key(|place| names.get(*place));
        let slots = &mut self.slots;
        let taken = order
            .iter()
            .map(|place| slots.get_mut(*place).map(core::mem::take).unwrap_or_default());
        self.slots = taken.collect();
        self.keys_mut().reorder(&order);
    }
}

impl Drop for Map {
    fn drop(&mut self) {
        drop::nested(&mut self.slots);
    }
}

impl fmt::Debug for Map {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

impl Index<&str> for Map {
    type Output = Value;

    /// The value of a key, or null if there is none.
    fn index(&self, key: &str) -> &Value {
        self.get(key).unwrap_or(&Value::Null)
    }
}

impl IndexMut<&str> for Map {
    /// The value of a key, which is inserted as null if there is none.
    fn index_mut(&mut self, key: &str) -> &mut Value {
        match self.position(key) {
            Some(place) => &mut self.slots[place],
            None => self.push(key.into(), Value::Null),
        }
    }
}

impl<K: Into<Arc<str>>, V: Into<Value>> FromIterator<(K, V)> for Map {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = Self::new();
        map.extend(entries);
        map
    }
}

impl<K: Into<Arc<str>>, V: Into<Value>> Extend<(K, V)> for Map {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        for (key, value) in entries {
            self.insert(key, value);
        }
    }
}

impl<K: Into<Arc<str>>, V: Into<Value>, const N: usize> From<[(K, V); N]> for Map {
    fn from(entries: [(K, V); N]) -> Self {
        entries.into_iter().collect()
    }
}
