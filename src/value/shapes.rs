//! The keys that one document has used so far, so that objects of one shape share them.
//!
//! A tree: each node is a key behind those on the way to it, and an object is a walk from the
//! root. The next key is most often the one that the last object had there, which takes one
//! comparison and no allocation; at its end an object takes the keys of the node it has come to.
//! That keys differ is checked only where a node is made. What is kept is bounded, since a document
//! may as well have no key twice: beyond that, objects get keys of their own.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::map::SharedKeys;
use super::{Map, Value};

/// How many keys behind keys are remembered.
const MAX_NODES: usize = 4096;

/// How many keys an object may have that shares them.
const MAX_KEYS: usize = 512;

/// How many entries are reserved for because the last object had so many.
const MAX_EXPECTED: usize = 64;

/// The place of a node in [`Shapes::nodes`].
pub(super) type NodeIndex = usize;

pub(super) const ROOT: NodeIndex = 0;

#[derive(Default)]
struct Node {
    key: Arc<str>,
    parent: NodeIndex,
    /// How many keys there are up to here.
    depth: usize,
    children: BTreeMap<Arc<str>, NodeIndex>,
    /// The child that the last object went to, if any.
    latest: NodeIndex,
    /// The first key, from the root, of the last object that was or was in the value of this key.
    inner: NodeIndex,
    /// How many keys the last object had that came here first.
    expected: usize,
    /// The number of the key where the deserializer knows it by one.
    number: usize,
    /// All keys up to here, once an object has had them.
    keys: Option<Arc<SharedKeys>>,
}

/// The keys behind keys of one document.
pub(super) struct Shapes {
    /// The root first, once there is an object.
    nodes: Vec<Node>,
}

/// Where a key leads to.
enum Step {
    Node(NodeIndex),
    /// The object had the key before, at this place.
    Repeated(usize),
    /// Nothing more is remembered.
    Full,
}

impl Shapes {
    pub(super) fn new() -> Self {
        Self { nodes: Vec::new() }
    }

    #[inline]
    fn step(&mut self, from: NodeIndex, key: &str) -> Step {
        let latest = self.nodes[from].latest;
        if latest != ROOT && *self.nodes[latest].key == *key {
            return Step::Node(latest);
        }
        self.step_aside(from, key)
    }

    /// The first step of an object in the value of the key `outer`.
    #[inline]
    fn first_step(&mut self, outer: NodeIndex, key: &str) -> Step {
        let inner = self.nodes[outer].inner;
        if inner != ROOT && *self.nodes[inner].key == *key {
            return Step::Node(inner);
        }
        let step = self.step(ROOT, key);
        if let Step::Node(node) = step {
            self.nodes[outer].inner = node;
        }
        step
    }

    #[cold]
    fn step_aside(&mut self, from: NodeIndex, key: &str) -> Step {
        if let Some(child) = self.nodes[from].children.get(key).copied() {
            self.nodes[from].latest = child;
            return Step::Node(child);
        }
        let mut at = from;
        while at != ROOT {
            let node = &self.nodes[at];
            if *node.key == *key {
                return Step::Repeated(node.depth - 1);
            }
            at = node.parent;
        }
        let depth = self.nodes[from].depth + 1;
        if self.nodes.len() == MAX_NODES || depth > MAX_KEYS {
            return Step::Full;
        }
        let key = Arc::<str>::from(key);
        let child = self.nodes.len();
        self.nodes.push(Node {
            key: key.clone(),
            parent: from,
            depth,
            number: usize::MAX,
            ..Node::default()
        });
        self.nodes[from].children.insert(key, child);
        self.nodes[from].latest = child;
        Step::Node(child)
    }

    /// The node that the next key behind `from` most likely leads to, in an object in the value of
    /// the key `outer`; the root if none.
    #[inline]
    fn expected(&self, outer: NodeIndex, from: NodeIndex) -> NodeIndex {
        match from {
            ROOT => self.nodes[outer].inner,
            from => self.nodes[from].latest,
        }
    }

    /// The keys on the way to a node, which is not the root.
    #[inline]
    fn keys(&mut self, node: NodeIndex) -> Arc<SharedKeys> {
        if let Some(keys) = &self.nodes[node].keys {
            return keys.clone();
        }
        self.collect_keys(node)
    }

    #[cold]
    fn collect_keys(&mut self, node: NodeIndex) -> Arc<SharedKeys> {
        let mut names = Vec::with_capacity(self.nodes[node].depth);
        let mut at = node;
        while at != ROOT {
            names.push(self.nodes[at].key.clone());
            at = self.nodes[at].parent;
        }
        names.reverse();
        let keys = Arc::new(SharedKeys::new(names));
        self.nodes[node].keys = Some(keys.clone());
        keys
    }
}

/// An object whose entries come one by one.
pub(super) struct ObjectBuilder {
    /// The key that the object is, or is in, the value of.
    outer: NodeIndex,
    node: NodeIndex,
    /// The first key's node, where the number of entries is remembered.
    first: NodeIndex,
    values: Vec<Value>,
    /// The object itself, once it has keys that are not remembered, and the last such key.
    own: Option<Box<(Map, Arc<str>)>>,
}

/// Where the value of a key goes.
#[derive(Clone, Copy)]
pub(super) enum Slot {
    Next,
    Repeated(usize),
    Own,
}

impl ObjectBuilder {
    /// An object of at least `entries` entries.
    #[inline]
    pub(super) fn new(shapes: &mut Shapes, outer: NodeIndex, entries: usize) -> Self {
        if shapes.nodes.is_empty() {
            shapes.nodes.push(Node::default());
        }
        Self {
            outer,
            node: ROOT,
            first: ROOT,
            values: Vec::with_capacity(entries),
            own: None,
        }
    }

    #[inline]
    pub(super) fn key(&mut self, shapes: &mut Shapes, key: &str) -> Slot {
        if let Some(own) = &mut self.own {
            own.1 = key.into();
            return Slot::Own;
        }
        let step = match self.node {
            ROOT => shapes.first_step(self.outer, key),
            node => shapes.step(node, key),
        };
        match step {
            Step::Node(node) => self.go_to(shapes, node),
            Step::Repeated(place) => Slot::Repeated(place),
            Step::Full => {
                self.own = Some(Box::new((self.finish_shared(shapes), key.into())));
                Slot::Own
            }
        }
    }

    #[inline]
    fn go_to(&mut self, shapes: &Shapes, node: NodeIndex) -> Slot {
        if self.node == ROOT {
            self.first = node;
            self.values.reserve_exact(shapes.nodes[node].expected);
        }
        self.node = node;
        Slot::Next
    }

    /// The number of the key that is expected next, if it has one.
    #[inline]
    pub(super) fn expected_number(&self, shapes: &Shapes) -> usize {
        match (&self.own, shapes.expected(self.outer, self.node)) {
            (Some(_), _) | (None, ROOT) => usize::MAX,
            (None, node) => shapes.nodes[node].number,
        }
    }

    /// The next key is the expected one.
    #[inline]
    pub(super) fn expected_key(&mut self, shapes: &Shapes) -> Slot {
        self.go_to(shapes, shapes.expected(self.outer, self.node))
    }

    /// The next key, and the number it has.
    pub(super) fn numbered_key(&mut self, shapes: &mut Shapes, number: usize, key: &str) -> Slot {
        let slot = self.key(shapes, key);
        if let Slot::Next = slot {
            shapes.nodes[self.node].number = number;
        }
        slot
    }

    /// The key that the next value is the value of, where objects in it are remembered.
    #[inline]
    pub(super) fn inner(&self) -> NodeIndex {
        self.node
    }

    #[inline]
    pub(super) fn value(&mut self, slot: Slot, value: Value) {
        match slot {
            Slot::Next => self.values.push(value),
            Slot::Repeated(place) => {
                if let Some(old) = self.values.get_mut(place) {
                    *old = value;
                }
            }
            Slot::Own => self.insert_own(value),
        }
    }

    #[cold]
    fn insert_own(&mut self, value: Value) {
        if let Some(own) = &mut self.own {
            let (map, key) = &mut **own;
            map.insert(key.clone(), value);
        }
    }

    #[inline]
    pub(super) fn finish(mut self, shapes: &mut Shapes) -> Map {
        match self.own.take() {
            Some(own) => own.0,
            None => self.finish_shared(shapes),
        }
    }

    #[inline]
    fn finish_shared(&mut self, shapes: &mut Shapes) -> Map {
        let values = core::mem::take(&mut self.values);
        if self.node == ROOT {
            return Map::new();
        }
        shapes.nodes[self.first].expected = values.len().min(MAX_EXPECTED);
        Map::from_parts(shapes.keys(self.node), values)
    }
}
