//! Arbitrary values of a type that uses serde's whole data model survive writing and reading, through every source and
//! with every combination of the writer's options.
#![cfg(feature = "std")]

mod common;

use std::collections::BTreeMap;
use std::net::Ipv4Addr;

use quickcheck::{Arbitrary, Gen, QuickCheck};
use serde::{Deserialize, Serialize};
use serde_bytes::{ByteArray, ByteBuf};
use ubjson::ser::{Config, Containers, Integers, Lengths, NonFinite, Structs};
use ubjson::{Value, de, from_reader, from_seekable, from_slice, from_value, to_value, to_vec, to_writer};

use common::doc::Doc;
use common::grammar;
use common::readers::Exact;
use common::sources::Source;

/// Makes a struct arbitrary field by field.
macro_rules! arbitrary_struct {
    ($name:ident { $($field:ident),* }) => {
        impl Arbitrary for $name {
            fn arbitrary(g: &mut Gen) -> Self {
                $name { $($field: Arbitrary::arbitrary(g)),* }
            }
        }
    };
}

/// A float that is equal to another when its bits are, so that a NaN is equal to itself.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
struct Exactly<T>(T);

impl PartialEq for Exactly<f32> {
    fn eq(&self, other: &Self) -> bool {
        self.0.to_bits() == other.0.to_bits()
    }
}

impl PartialEq for Exactly<f64> {
    fn eq(&self, other: &Self) -> bool {
        self.0.to_bits() == other.0.to_bits()
    }
}

impl<T: Arbitrary> Arbitrary for Exactly<T> {
    fn arbitrary(g: &mut Gen) -> Self {
        Exactly(T::arbitrary(g))
    }
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct Everything {
    unit: (),
    unit_struct: UnitStruct,
    truth: bool,
    signed: (i8, i16, i32, i64, i128),
    unsigned: (u8, u16, u32, u64, u128),
    single: Exactly<f32>,
    double: Exactly<f64>,
    letter: char,
    text: String,
    bytes: ByteBuf4,
    numbers: Vec<u8>,
    maybe: Option<Box<u32>>,
    newtype: Newtype,
    tuple: TupleStruct,
    variants: Vec<Variant>,
    rows: Vec<Vec<Exactly<f64>>>,
    strings: Vec<String>,
    keys: Keys,
    tagged: Vec<Internal>,
    contents: Vec<Adjacent>,
    guessed: Vec<Untagged>,
    flat: Flat,
    sparse: Vec<Sparse>,
    address: Ipv4Addr,
    tree: Tree,
}

arbitrary_struct!(Everything {
    unit,
    unit_struct,
    truth,
    signed,
    unsigned,
    single,
    double,
    letter,
    text,
    bytes,
    numbers,
    maybe,
    newtype,
    tuple,
    variants,
    rows,
    strings,
    keys,
    tagged,
    contents,
    guessed,
    flat,
    sparse,
    address,
    tree
});

impl Everything {
    /// The same without the variants that serde's derived code cannot read from an array, if that is what they would be.
    fn fit_for(mut self, options: Options) -> Self {
        if options.structs == Structs::Array {
            let readable = |value: &Untagged| !matches!(value, Untagged::Struct { .. });
            self.contents
                .retain(|value| !matches!(value, Adjacent::Unit | Adjacent::Struct { .. }));
            self.guessed.retain(readable);
            self.flat.rest.retain(|_, value| readable(value));
        }
        self
    }
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct UnitStruct;

impl Arbitrary for UnitStruct {
    fn arbitrary(_: &mut Gen) -> Self {
        UnitStruct
    }
}

/// Bytes of every length, and of a fixed one.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct ByteBuf4 {
    any: ByteBuf,
    four: ByteArray<4>,
}

impl Arbitrary for ByteBuf4 {
    fn arbitrary(g: &mut Gen) -> Self {
        ByteBuf4 {
            any: ByteBuf::from(Vec::arbitrary(g)),
            four: ByteArray::new(u32::arbitrary(g).to_be_bytes()),
        }
    }
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct Newtype(i64);

impl Arbitrary for Newtype {
    fn arbitrary(g: &mut Gen) -> Self {
        Newtype(i64::arbitrary(g))
    }
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct TupleStruct(Option<i16>, String, [bool; 3]);

impl Arbitrary for TupleStruct {
    fn arbitrary(g: &mut Gen) -> Self {
        TupleStruct(
            Arbitrary::arbitrary(g),
            Arbitrary::arbitrary(g),
            [(); 3].map(|()| bool::arbitrary(g)),
        )
    }
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
enum Variant {
    Unit,
    Newtype(u64),
    Tuple(char, Exactly<f32>),
    Struct { a: i32, b: Option<String> },
}

impl Arbitrary for Variant {
    fn arbitrary(g: &mut Gen) -> Self {
        match u8::arbitrary(g) % 4 {
            0 => Variant::Unit,
            1 => Variant::Newtype(Arbitrary::arbitrary(g)),
            2 => Variant::Tuple(Arbitrary::arbitrary(g), Arbitrary::arbitrary(g)),
            _ => Variant::Struct {
                a: Arbitrary::arbitrary(g),
                b: Arbitrary::arbitrary(g),
            },
        }
    }
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct Keys {
    texts: BTreeMap<String, u8>,
    signed: BTreeMap<i128, bool>,
    unsigned: BTreeMap<u16, Vec<i8>>,
    truths: BTreeMap<bool, ()>,
    letters: BTreeMap<char, String>,
    names: BTreeMap<Name, Exactly<f64>>,
}

arbitrary_struct!(Keys {
    texts,
    signed,
    unsigned,
    truths,
    letters,
    names
});

#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "snake_case")]
enum Name {
    First,
    X,
    LastOfAll,
}

impl Arbitrary for Name {
    fn arbitrary(g: &mut Gen) -> Self {
        *g.choose(&[Name::First, Name::X, Name::LastOfAll]).unwrap()
    }
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct Pair {
    x: u32,
    y: Exactly<f64>,
}

arbitrary_struct!(Pair { x, y });

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(tag = "kind")]
enum Internal {
    Unit,
    Newtype(Pair),
    Struct { texts: Vec<String>, number: u64 },
}

impl Arbitrary for Internal {
    fn arbitrary(g: &mut Gen) -> Self {
        match u8::arbitrary(g) % 3 {
            0 => Internal::Unit,
            1 => Internal::Newtype(Arbitrary::arbitrary(g)),
            _ => Internal::Struct {
                texts: Arbitrary::arbitrary(g),
                number: Arbitrary::arbitrary(g),
            },
        }
    }
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(tag = "kind", content = "content")]
enum Adjacent {
    Unit,
    Newtype(char),
    Tuple(i64, String),
    Struct { a: Option<bool> },
}

impl Arbitrary for Adjacent {
    fn arbitrary(g: &mut Gen) -> Self {
        match u8::arbitrary(g) % 4 {
            0 => Adjacent::Unit,
            1 => Adjacent::Newtype(Arbitrary::arbitrary(g)),
            2 => Adjacent::Tuple(Arbitrary::arbitrary(g), Arbitrary::arbitrary(g)),
            _ => Adjacent::Struct {
                a: Arbitrary::arbitrary(g),
            },
        }
    }
}

/// Variants that no two forms of writing make alike.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(untagged)]
enum Untagged {
    Nothing,
    Number(i64),
    Text(String),
    Pair(u8, String),
    Struct { a: bool, b: bool },
    Map(BTreeMap<String, u8>),
}

impl Arbitrary for Untagged {
    fn arbitrary(g: &mut Gen) -> Self {
        match u8::arbitrary(g) % 6 {
            0 => Untagged::Nothing,
            1 => Untagged::Number(Arbitrary::arbitrary(g)),
            2 => Untagged::Text(Arbitrary::arbitrary(g)),
            3 => Untagged::Pair(Arbitrary::arbitrary(g), Arbitrary::arbitrary(g)),
            4 => Untagged::Struct {
                a: Arbitrary::arbitrary(g),
                b: Arbitrary::arbitrary(g),
            },
            _ => Untagged::Map(Arbitrary::arbitrary(g)),
        }
    }
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct Flat {
    own: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    maybe: Option<i64>,
    #[serde(flatten)]
    pair: Pair,
    #[serde(flatten)]
    rest: BTreeMap<String, Untagged>,
}

/// The keys of the map are told from the names of the fields by their first letter.
impl Arbitrary for Flat {
    fn arbitrary(g: &mut Gen) -> Self {
        let rest = BTreeMap::<String, Untagged>::arbitrary(g);
        Flat {
            own: Arbitrary::arbitrary(g),
            maybe: Arbitrary::arbitrary(g),
            pair: Arbitrary::arbitrary(g),
            rest: rest
                .into_iter()
                .map(|(key, value)| (format!("_{key}"), value))
                .collect(),
        }
    }
}

/// Fields that are left out of objects and keep their places in arrays.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct Sparse {
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<String>,
    second: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    third: Option<Box<Sparse>>,
}

impl Arbitrary for Sparse {
    fn arbitrary(g: &mut Gen) -> Self {
        let third = bool::arbitrary(g).then(|| Box::new(Sparse::arbitrary(g)));
        Sparse {
            first: Arbitrary::arbitrary(g),
            second: Arbitrary::arbitrary(g),
            third,
        }
    }
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct Tree {
    value: i16,
    children: Vec<Tree>,
}

impl Arbitrary for Tree {
    fn arbitrary(g: &mut Gen) -> Self {
        let mut smaller = Gen::new(g.size() / 2);
        let children = if g.size() < 2 {
            Vec::new()
        } else {
            Arbitrary::arbitrary(&mut smaller)
        };
        Tree {
            value: Arbitrary::arbitrary(g),
            children,
        }
    }
}

/// A combination of the writer's options that lose nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Options {
    containers: Containers,
    lengths: Lengths,
    counts: Lengths,
    integers: Integers,
    structs: Structs,
    compact_floats: bool,
    human_readable: bool,
}

const CONTAINERS: [Containers; 3] = [Containers::Auto, Containers::Counted, Containers::Plain];
const LENGTHS: [Lengths; 4] = [Lengths::Smallest, Lengths::Uint8First, Lengths::Int32, Lengths::Int64];
const INTEGERS: [Integers; 2] = [Integers::Smallest, Integers::Declared];
const STRUCTS: [Structs; 2] = [Structs::Map, Structs::Array];

impl Options {
    const COUNT: usize = 3 * 4 * 4 * 2 * 2 * 2 * 2;

    /// The n-th of all combinations.
    fn nth(mut number: usize) -> Self {
        let mut next = |choices: usize| {
            let choice = number % choices;
            number /= choices;
            choice
        };
        Options {
            containers: CONTAINERS[next(3)],
            lengths: LENGTHS[next(4)],
            counts: LENGTHS[next(4)],
            integers: INTEGERS[next(2)],
            structs: STRUCTS[next(2)],
            compact_floats: next(2) == 1,
            human_readable: next(2) == 1,
        }
    }

    fn writer(self) -> Config {
        Config::new()
            .containers(self.containers)
            .lengths(self.lengths)
            .counts(self.counts)
            .integers(self.integers)
            .structs(self.structs)
            .non_finite(NonFinite::Ieee)
            .compact_floats(self.compact_floats)
            .human_readable(self.human_readable)
    }

    fn reader(self) -> de::Config {
        de::Config::new().human_readable(self.human_readable)
    }
}

impl Arbitrary for Options {
    fn arbitrary(g: &mut Gen) -> Self {
        Options::nth(usize::arbitrary(g) % Options::COUNT)
    }
}

fn check<A: quickcheck::Testable>(tests: u64, size: usize, property: A) {
    QuickCheck::new().rng(Gen::new(size)).tests(tests).quickcheck(property);
}

#[test]
fn values_survive_a_vector() {
    fn property(value: Everything) -> bool {
        from_slice::<Everything>(&to_vec(&value).unwrap()).unwrap() == value
    }
    check(300, 12, property as fn(_) -> _);
}

#[test]
fn values_survive_a_writer_and_an_exact_reader() {
    fn property(value: Everything, chunk: u8) -> bool {
        let mut bytes = Vec::new();
        to_writer(&mut bytes, &value).unwrap();
        let mut reader = Exact::new(&bytes, usize::from(chunk) + 1);
        let read: Everything = from_reader(&mut reader).unwrap();
        read == value && reader.left() == 0 && bytes == to_vec(&value).unwrap()
    }
    check(200, 12, property as fn(_, _) -> _);
}

#[test]
fn values_survive_one_after_another_in_a_seekable_reader() {
    fn property(values: Vec<Everything>) -> bool {
        let mut file = std::io::Cursor::new(Vec::new());
        for value in &values {
            to_writer(&mut file, value).unwrap();
        }
        file.set_position(0);
        values
            .iter()
            .all(|value| from_seekable::<_, Everything>(&mut file).unwrap() == *value)
            && file.position() == file.get_ref().len() as u64
    }
    check(30, 8, property as fn(_) -> _);
}

#[test]
fn all_sources_agree_whatever_the_options() {
    fn property(value: Everything, options: Options) -> bool {
        let value = value.fit_for(options);
        let bytes = options.writer().to_vec(&value).unwrap();
        let mut written = Vec::new();
        options.writer().to_writer(&mut written, &value).unwrap();
        assert_eq!(written, bytes);
        let untyped: Doc = from_slice(&bytes).unwrap();
        Source::ALL.into_iter().all(|source| {
            let end = source.read_with::<Everything>(options.reader(), &bytes);
            assert_eq!(end.result.as_ref(), Ok(&value), "{source:?}");
            assert!(
                end.position.is_none_or(|position| position == bytes.len() as u64),
                "{source:?}"
            );
            source.read::<Doc>(&bytes).result == Ok(untyped.clone())
        })
    }
    check(100, 10, property as fn(_, _) -> _);
}

#[test]
fn every_combination_of_options_reads_back() {
    let combinations: Vec<_> = (0..Options::COUNT).map(Options::nth).collect();
    assert!(
        combinations
            .iter()
            .enumerate()
            .all(|(at, options)| !combinations[..at].contains(options))
    );
    let mut g = Gen::new(8);
    for value in (0..4).map(|_| Everything::arbitrary(&mut g)) {
        for options in &combinations {
            let value = value.clone().fit_for(*options);
            let bytes = options.writer().to_vec(&value).unwrap();
            assert_eq!(grammar::document(&bytes), Ok(()), "{options:?}");
            let read = options.reader().from_slice::<Everything>(&bytes).unwrap();
            assert_eq!(read, value, "{options:?}");
        }
    }
}

#[test]
fn values_survive_a_tree_and_its_tree_is_that_of_the_bytes() {
    fn property(value: Everything) -> bool {
        let tree = to_value(&value).unwrap();
        let read: Value = from_slice(&to_vec(&value).unwrap()).unwrap();
        let has_nan = format!("{tree:?}").contains("NaN");
        assert!(tree == read || has_nan, "{tree}\n{read}");
        assert_eq!(Everything::deserialize(&read).unwrap(), value);
        assert_eq!(Everything::deserialize(&tree).unwrap(), value);
        from_value::<Everything>(tree).unwrap() == value && from_value::<Everything>(read).unwrap() == value
    }
    check(300, 12, property as fn(_) -> _);
}

#[test]
fn writing_what_was_read_gives_the_same_bytes() {
    fn property(value: Everything, options: Options) -> bool {
        let value = value.fit_for(options);
        let bytes = options.writer().to_vec(&value).unwrap();
        let read: Everything = options.reader().from_slice(&bytes).unwrap();
        options.writer().to_vec(&read).unwrap() == bytes
    }
    check(100, 10, property as fn(_, _) -> _);
}
