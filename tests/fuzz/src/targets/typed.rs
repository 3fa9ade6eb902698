//! Types of every kind: what they write they read again, and any bytes read into them alike from every source.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

use arbitrary::{Arbitrary, Unstructured};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;
use ubjson::ser::{Config, Containers, Integers, Lengths, Structs};
use ubjson::{RawValue, Value, de, packed};

use super::sources::agree_as;
use super::{configs, shown};

/// The options that must not change what is read.
#[derive(Arbitrary, Clone, Copy, Debug)]
struct Options {
    containers: u8,
    lengths: u8,
    counts: u8,
    declared: bool,
    arrays: bool,
    compact_floats: bool,
    human_readable: bool,
}

impl Options {
    fn config(self) -> Config {
        let lengths = |choice: u8| match choice % 4 {
            0 => Lengths::Smallest,
            1 => Lengths::Uint8First,
            2 => Lengths::Int32,
            _ => Lengths::Int64,
        };
        let containers = match self.containers % 4 {
            0 => Containers::Auto,
            1 => Containers::Counted,
            2 => Containers::CountedArrays,
            _ => Containers::Plain,
        };
        Config::new()
            .containers(containers)
            .lengths(lengths(self.lengths))
            .counts(lengths(self.counts))
            .integers(if self.declared {
                Integers::Declared
            } else {
                Integers::Smallest
            })
            .structs(if self.arrays { Structs::Array } else { Structs::Map })
            .compact_floats(self.compact_floats)
            .human_readable(self.human_readable)
    }
}

#[derive(Arbitrary, Clone, Debug, Deserialize, Serialize)]
struct Scalars {
    a: i8,
    b: u8,
    c: i16,
    d: u16,
    e: i32,
    f: u32,
    g: i64,
    h: u64,
    i: i128,
    j: u128,
    k: f32,
    l: f64,
    m: bool,
    n: char,
    o: (),
    p: Unit,
    q: Option<f64>,
    r: Option<char>,
}

#[derive(Arbitrary, Clone, Debug, Deserialize, Serialize)]
struct Unit;

#[derive(Arbitrary, Clone, Debug, Deserialize, Serialize)]
struct Newtype(Vec<i16>);

#[derive(Arbitrary, Clone, Debug, Deserialize, Serialize)]
struct Pair(u8, String);

#[derive(Arbitrary, Clone, Debug, Deserialize, Serialize)]
enum Choice {
    Nothing,
    #[serde(rename = "")]
    Empty,
    One(Box<Choice>),
    Many(Vec<Choice>),
    Pair(i32, Option<Box<Choice>>),
    Struct {
        text: String,
        inner: Option<Box<Choice>>,
    },
    Scalars(Box<Scalars>),
}

#[derive(Arbitrary, Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
enum Key {
    Low,
    Middle,
    High,
}

#[derive(Arbitrary, Clone, Debug, Deserialize, Serialize)]
struct Collections {
    signed: Vec<i64>,
    bytes: Vec<u8>,
    small: Vec<i8>,
    floats: Vec<f32>,
    doubles: Vec<f64>,
    flags: Vec<bool>,
    chars: Vec<char>,
    texts: Vec<String>,
    units: Vec<()>,
    rows: Vec<Vec<u16>>,
    optional: Vec<Option<u32>>,
    wide: Vec<u128>,
    by_text: BTreeMap<String, Choice>,
    by_number: BTreeMap<i64, u8>,
    by_char: BTreeMap<char, ()>,
    by_flag: BTreeMap<bool, f32>,
    by_key: BTreeMap<Key, Vec<Key>>,
    set: BTreeSet<u16>,
    fixed: [i32; 5],
    tuple: (u8, String, Option<bool>),
    newtype: Newtype,
    pair: Pair,
    empty: [u8; 0],
}

#[derive(Arbitrary, Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
struct Record {
    scalars: Scalars,
    collections: Collections,
    choice: Choice,
    more: Option<Box<Record>>,
    #[serde(with = "serde_bytes")]
    blob: Vec<u8>,
    #[serde(with = "packed")]
    samples: Vec<f32>,
    #[serde(with = "packed")]
    counts: Vec<i64>,
}

/// What serde buffers before it reads: attributes that only work with fields by name.
#[derive(Arbitrary, Clone, Debug, Deserialize, Serialize)]
struct Buffered {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    first: Option<i32>,
    #[serde(flatten)]
    inner: Inner,
    #[serde(flatten)]
    tagged: Tagged,
    adjacent: Adjacent,
    untagged: Vec<Untagged>,
}

#[derive(Arbitrary, Clone, Debug, Deserialize, Serialize)]
struct Inner {
    wide: u64,
    text: String,
    list: Vec<i32>,
}

#[derive(Arbitrary, Clone, Debug, Deserialize, Serialize)]
#[serde(tag = "kind")]
enum Tagged {
    Plain,
    Full { x: f64, y: Option<bool> },
}

#[derive(Arbitrary, Clone, Debug, Deserialize, Serialize)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Nothing,
    One(String),
    Two(i8, u64),
}

#[derive(Arbitrary, Clone, Debug, Deserialize, Serialize)]
#[serde(untagged)]
enum Untagged {
    Flag(bool),
    Number(i64),
    Text(String),
    List(Vec<i16>),
    Fields { only: u8 },
}

pub(super) fn round_trip(bytes: &[u8]) {
    let mut unstructured = Unstructured::new(bytes);
    let Ok(options) = Options::arbitrary(&mut unstructured) else {
        return;
    };
    let as_buffered = bool::arbitrary(&mut unstructured);
    if let Ok(true) = as_buffered {
        if let Ok(value) = Buffered::arbitrary(&mut unstructured) {
            let arrays = false;
            check(Options { arrays, ..options }, &value);
        }
    } else if let Ok(value) = Record::arbitrary(&mut unstructured) {
        check(options, &value);
        // Not a map of one entry, nor a sequence.
        check(options, &value.choice);
    }
}

/// Depth is another test's.
const MAX_DEPTH: usize = 10_000;

fn check<T: Serialize + DeserializeOwned + Debug>(options: Options, value: &T) {
    let writing = options.config().max_depth(MAX_DEPTH);
    let reading = de::Config::new()
        .human_readable(options.human_readable)
        .max_depth(MAX_DEPTH);
    let written = writing
        .to_vec(value)
        .unwrap_or_else(|error| panic!("{error}: {value:?}"));
    let expected = shown(value);
    let read: T = reading
        .from_slice(&written)
        .unwrap_or_else(|error| panic!("{error}: {value:?} as {written:02x?}"));
    assert_eq!(shown(&read), expected, "{options:?}");
    assert_eq!(writing.to_vec(&read).ok().as_ref(), Some(&written), "{options:?}");
    let mut sink = Vec::new();
    writing.to_writer(&mut sink, value).expect("a vector takes everything");
    assert_eq!(sink, written, "to a writer, {options:?}");
    let from_reader: T = reading.from_reader(&written[..]).expect("what a slice reads as");
    assert_eq!(shown(from_reader), expected, "from a reader, {options:?}");
    // By way of a tree.
    let tree: Value = reading.from_slice(&written).expect("any document");
    let again = writing.to_vec(&tree).expect("any tree");
    let from_tree: T = reading
        .from_slice(&again)
        .unwrap_or_else(|error| panic!("{error}: {value:?} as {again:02x?}"));
    assert_eq!(shown(from_tree), expected, "by way of a tree, {options:?}");
}

pub(super) fn decode(bytes: &[u8]) {
    for config in configs() {
        agree_as::<Scalars>(config, bytes);
        agree_as::<Collections>(config, bytes);
        agree_as::<Record>(config, bytes);
        agree_as::<Buffered>(config, bytes);
        agree_as::<Choice>(config, bytes);
        agree_as::<Vec<Option<Untagged>>>(config, bytes);
        agree_as::<BTreeMap<Key, RawValue>>(config, bytes);
        agree_as::<BTreeMap<i64, Cow<'static, str>>>(config, bytes);
        agree_as::<Vec<ByteBuf>>(config, bytes);
        agree_as::<f64>(config, bytes);
        agree_as::<u128>(config, bytes);
        agree_as::<String>(config, bytes);
        agree_as::<char>(config, bytes);
        agree_as::<(Value, Option<Vec<u8>>)>(config, bytes);
        packed_agrees::<u8>(config, bytes);
        packed_agrees::<i16>(config, bytes);
        packed_agrees::<i64>(config, bytes);
        packed_agrees::<f32>(config, bytes);
        packed_agrees::<f64>(config, bytes);
    }
}

/// Numbers that are read as a block are the same as read one by one.
fn packed_agrees<T>(config: de::Config, bytes: &[u8])
where
    T: packed::Element + DeserializeOwned + Debug,
    packed::Packed<Vec<T>>: DeserializeOwned,
{
    agree_as::<packed::Packed<Vec<T>>>(config, bytes);
    let packed = config.from_slice::<packed::Packed<Vec<T>>>(bytes);
    let plain = config.from_slice::<Vec<T>>(bytes);
    match (packed, plain) {
        (Ok(packed), Ok(plain)) => assert_eq!(shown(packed.into_inner()), shown(plain)),
        (Err(_), Err(_)) => {}
        (packed, plain) => panic!("{packed:?} as a block, {plain:?} one by one"),
    }
}
