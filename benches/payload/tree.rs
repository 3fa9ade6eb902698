//! A generic tree, as a program sees a document whose type it does not know.

use std::fmt;

use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::random::Random;

/// Branches of the root; each has a few hundred nodes at most.
pub const BRANCHES: usize = 200;

/// Whatever a self-describing format can hold, read through `deserialize_any`.
#[derive(Debug, Clone, PartialEq)]
pub enum Tree {
    Null,
    Bool(bool),
    Integer(i64),
    Float(f64),
    Text(String),
    List(Vec<Tree>),
    /// In the document's order; the keys differ.
    Map(Vec<(String, Tree)>),
}

impl Serialize for Tree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            // Not `serialize_unit`: in one CBOR crate that is an empty array.
            Self::Null => serializer.serialize_none(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Integer(value) => serializer.serialize_i64(*value),
            Self::Float(value) => serializer.serialize_f64(*value),
            Self::Text(value) => serializer.serialize_str(value),
            Self::List(values) => serializer.collect_seq(values),
            Self::Map(entries) => serializer.collect_map(entries.iter().map(|(key, value)| (key, value))),
        }
    }
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TreeVisitor)
    }
}

/// No document, however it was damaged, makes a reader reserve more elements than this at once.
const HINT_LIMIT: usize = 4_096;

struct TreeVisitor;

impl<'de> Visitor<'de> for TreeVisitor {
    type Value = Tree;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("any value of JSON's kinds")
    }

    fn visit_unit<E>(self) -> Result<Tree, E> {
        Ok(Tree::Null)
    }

    fn visit_none<E>(self) -> Result<Tree, E> {
        Ok(Tree::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Tree, E> {
        Ok(Tree::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Tree, E> {
        Ok(Tree::Integer(value))
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Tree, E> {
        i64::try_from(value).map(Tree::Integer).map_err(E::custom)
    }

    fn visit_f64<E>(self, value: f64) -> Result<Tree, E> {
        Ok(Tree::Float(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Tree, E> {
        Ok(Tree::Text(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Tree, E> {
        Ok(Tree::Text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Tree, A::Error> {
        let mut values = Vec::with_capacity(access.size_hint().unwrap_or(0).min(HINT_LIMIT));
        while let Some(value) = access.next_element()? {
            values.push(value);
        }
        Ok(Tree::List(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Tree, A::Error> {
        let mut entries = Vec::with_capacity(access.size_hint().unwrap_or(0).min(HINT_LIMIT));
        while let Some(entry) = access.next_entry()? {
            entries.push(entry);
        }
        Ok(Tree::Map(entries))
    }
}

const KEYS: [&str; 16] = [
    "id", "name", "kind", "owner", "created", "updated", "labels", "children", "position", "comment", "weight",
    "visible", "size", "link", "language", "parent",
];
const WORDS: [&str; 8] = [
    "draft",
    "review",
    "a longer comment about nothing much",
    "published",
    "Zürich",
    "en",
    "main",
    "https://example.org/item/42",
];

fn leaf(random: &mut Random) -> Tree {
    match random.below(10) {
        0 => Tree::Null,
        1 => Tree::Bool(random.one_in(2)),
        2..=4 => Tree::Integer(i64::from(random.below(100_000)) - 1_000),
        5 => Tree::Float(random.cents(1_000)),
        _ => Tree::Text(random.pick(&WORDS).to_owned()),
    }
}

fn node(depth: u32, random: &mut Random) -> Tree {
    if depth == 0 || random.one_in(2) {
        return leaf(random);
    }
    let len = 1 + random.below(6);
    if random.one_in(3) {
        Tree::List((0..len).map(|_| node(depth - 1, random)).collect())
    } else {
        let first = random.below(KEYS.len() as u32);
        let key = |index: u32| KEYS[((first + index) as usize) % KEYS.len()].to_owned();
        Tree::Map((0..len).map(|index| (key(index), node(depth - 1, random))).collect())
    }
}

pub fn generate(branches: usize) -> Tree {
    let mut random = Random::new(0x0008);
    let branch = |index: usize| {
        let mut random = Random::new(random.next());
        (format!("branch-{index:03}"), node(7, &mut random))
    };
    Tree::Map((0..branches).map(branch).collect())
}
