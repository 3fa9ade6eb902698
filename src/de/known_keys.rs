//! The keys of exact reading that have been seen, by number: one that is expected and comes again is
//! compared with the bytes at hand, and neither decoded nor checked anew.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// How many keys are known at the most; a document may as well have no key twice.
const MAX_KEYS: usize = 4096;

/// How long a known key may be: the longest whose length the comparison tells at a glance.
const MAX_LEN: usize = 127;

/// Keys by number. A number stays with its key.
#[derive(Debug, Default)]
pub(super) struct KnownKeys {
    names: Vec<Arc<str>>,
    numbers: BTreeMap<Arc<str>, usize>,
}

impl KnownKeys {
    #[inline]
    pub(super) fn name(&self, number: usize) -> Option<&str> {
        self.names.get(number).map(|name| &**name)
    }

    /// The number of a key, or one that no key has where it is not to be known.
    pub(super) fn number(&mut self, name: &str) -> usize {
        const NONE: usize = usize::MAX;
        if name.len() > MAX_LEN {
            return NONE;
        }
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = self.names.len();
        if number == MAX_KEYS {
            return NONE;
        }
        let name = Arc::<str>::from(name);
        self.names.push(name.clone());
        self.numbers.insert(name, number);
        number
    }
}
