//! The keys of objects, apart from their values, so that objects of one shape share them.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// From so many keys on they are found by an index.
const MIN_INDEXED: usize = 16;

/// Different keys in their order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Keys {
    names: Vec<Arc<str>>,
    /// The position of each key; empty while there are few.
    index: BTreeMap<Arc<str>, usize>,
}

impl Keys {
    /// Keys that are known to differ.
    pub(crate) fn new(names: Vec<Arc<str>>) -> Self {
        let mut keys = Self {
            names,
            index: BTreeMap::new(),
        };
        keys.rebuild_index();
        keys
    }

    #[inline]
    pub(crate) fn names(&self) -> &[Arc<str>] {
        &self.names
    }

    pub(crate) fn position(&self, key: &str) -> Option<usize> {
        if self.names.len() < MIN_INDEXED {
            return self.names.iter().position(|name| **name == *key);
        }
        self.index.get(key).copied()
    }

    /// Adds a key that is not there.
    pub(super) fn push(&mut self, key: Arc<str>) {
        self.names.push(key);
        let len = self.names.len();
        if len == MIN_INDEXED {
            self.rebuild_index();
        } else if let (true, Some(key)) = (len > MIN_INDEXED, self.names.last()) {
            self.index.insert(key.clone(), len - 1);
        }
    }

    /// Keeps the keys whose places `keep` says yes to.
    pub(super) fn retain(&mut self, mut keep: impl FnMut(usize) -> bool) {
        let mut position = 0;
        self.names.retain(|_| {
            position += 1;
            keep(position - 1)
        });
        self.rebuild_index();
    }

    /// Puts the keys into the order of `permutation`, which names each place once.
    pub(super) fn reorder(&mut self, permutation: &[usize]) {
        let names = permutation.iter().filter_map(|place| self.names.get(*place).cloned());
        *self = Self::new(names.collect());
    }

    fn rebuild_index(&mut self) {
        self.index.clear();
        if self.names.len() >= MIN_INDEXED {
            let places = self.names.iter().enumerate();
            self.index = places.map(|(place, name)| (name.clone(), place)).collect();
        }
    }
}
