//! The keys of exact reading that have been seen, by number: one that is expected and comes again is
//! compared with the bytes at hand, and neither decoded nor checked anew.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// How many keys are known at the most; a document may as well have no key twice.
const MAX_KEYS: usize = 4096;

/// The number of no key.
const NONE: usize = usize::MAX;

/// How long a known key may be: the longest whose length the comparison tells at a glance.
const MAX_LEN: usize = 127;

/// How many keys are found without a search, at the most.
const SLOTS: usize = 64;

/// Keys by number. A number stays with its key.
#[derive(Debug, Default)]
pub(super) struct KnownKeys {
    names: Vec<Arc<str>>,
    numbers: BTreeMap<Arc<str>, usize>,
    /// The number of the key that came last, for each of some features of keys; it may be that of
    /// another key with the same.
    last: Vec<usize>,
}

/// A few features of a key, as a number below [`SLOTS`].
#[inline]
fn slot(name: &str) -> usize {
    let (first, last) = match name.as_bytes() {
        [first, .., last] => (*first, *last),
        [only] => (*only, 0),
        [] => (0, 0),
    };
    (usize::from(first) + usize::from(last) * 7 + name.len() * 3) % SLOTS
}

impl KnownKeys {
    #[inline]
    pub(super) fn name(&self, number: usize) -> Option<&str> {
        self.names.get(number).map(|name| &**name)
    }

    /// The number of a key, or one that no key has where it is not to be known.
    pub(super) fn number(&mut self, name: &str) -> usize {
        if name.len() > MAX_LEN {
            return NONE;
        }
        let slot = slot(name);
        if let Some(last) = self.last.get(slot).copied() {
            if self.name(last) == Some(name) {
                return last;
            }
        }
        let number = self.numbers.get(name).copied().unwrap_or_else(|| self.add(name));
        self.last.resize(SLOTS, NONE);
        if let Some(last) = self.last.get_mut(slot) {
            *last = number;
        }
        number
    }

    /// Gives a key its number, as long as there are any.
    fn add(&mut self, name: &str) -> usize {
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
