//! serde's attributes and hand-written implementations, both ways. The bytes are written by hand from draft 12.

mod common;

use std::collections::BTreeMap;
use std::fmt;
use std::net::Ipv4Addr;
use std::num::NonZeroU16;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::Duration;

use serde::de::{self, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use ubjson::from_slice;
use ubjson::ser::{Config, Containers, Structs};

use common::model::{Entries, Point, both, plain, reads, refuses, writes};
use common::to_hex;

#[derive(Debug, Deserialize, PartialEq, Serialize)]
struct Unit;

#[derive(Debug, Deserialize, PartialEq, Serialize)]
struct Wrapped<T>(T);

#[derive(Debug, Deserialize, PartialEq, Serialize)]
struct Outer {
    a: u8,
    #[serde(flatten)]
    point: Point,
    #[serde(flatten)]
    rest: BTreeMap<String, Any>,
}

/// Any of the kinds that serde's buffer may hold.
#[derive(Debug, Deserialize, PartialEq, Serialize)]
#[serde(untagged)]
enum Any {
    Null(()),
    Bool(bool),
    Unsigned(u64),
    Signed(i64),
    Float(f64),
    Text(String),
    List(Vec<Any>),
    Map(BTreeMap<String, Any>),
}

#[test]
fn flattened_structs_and_maps_read_and_write() {
    let value = Outer {
        a: 1,
        point: Point { x: 2, y: 3 },
        rest: BTreeMap::from([("k".to_owned(), Any::List(vec![Any::Null(()), Any::Float(0.5)]))]),
    };
    both(
        value,
        b"{i\x01ai\x01i\x01xi\x02i\x01yi\x03i\x01k[ZD\x3f\xe0\0\0\0\0\0\0]}",
    );
}

#[test]
fn flattened_fields_take_every_kind_of_value() {
    let bytes = b"{#i\x0di\x01xi\x01i\x01yi\x02i\x01ai\x03\
        i\x01bZi\x01cTi\x01di\xffi\x01eU\xffi\x01fd\x3f\0\0\0i\x01gCx\
        i\x01hHi\x030.5i\x01iHi\x017i\x01j[$U#i\x02\x01\x02i\x01k{$C#i\x01i\x01nz";
    let list = vec![Any::Unsigned(1), Any::Unsigned(2)];
    let map = BTreeMap::from([("n".to_owned(), Any::Text("z".to_owned()))]);
    let rest = [
        ("b", Any::Null(())),
        ("c", Any::Bool(true)),
        ("d", Any::Signed(-1)),
        ("e", Any::Unsigned(255)),
        ("f", Any::Float(0.5)),
        ("g", Any::Text("x".to_owned())),
        ("h", Any::Float(0.5)),
        ("i", Any::Unsigned(7)),
        ("j", Any::List(list)),
        ("k", Any::Map(map)),
    ];
    let rest = rest.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    reads(
        bytes,
        Outer {
            a: 3,
            point: Point { x: 1, y: 2 },
            rest,
        },
    );
}

#[derive(Debug, Deserialize, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Internal {
    Unit,
    Newtype(Point),
    Map(BTreeMap<String, u8>),
    Struct {
        text: String,
        letter: char,
        float: f64,
        list: Vec<Option<u8>>,
    },
}

#[test]
fn internally_tagged_enums_read_and_write() {
    both(Internal::Unit, b"{i\x04typeSi\x04unit}");
    both(
        Internal::Newtype(Point { x: 1, y: 2 }),
        b"{i\x04typeSi\x07newtypei\x01xi\x01i\x01yi\x02}",
    );
    both(
        Internal::Map(BTreeMap::from([("k".to_owned(), 1)])),
        b"{i\x04typeSi\x03mapi\x01ki\x01}",
    );
    let value = Internal::Struct {
        text: "t".to_owned(),
        letter: 'l',
        float: 0.5,
        list: vec![None, Some(1)],
    };
    let bytes = b"{i\x04typeSi\x06structi\x04textSi\x01ti\x06letterCl\
        i\x05floatD\x3f\xe0\0\0\0\0\0\0i\x04list[Zi\x01]}";
    both(value, bytes);
    let tag_last = b"{i\x01yi\x02i\x01xi\x01i\x04typeSi\x07newtype}";
    reads(tag_last, Internal::Newtype(Point { x: 1, y: 2 }));
}

#[derive(Debug, Deserialize, PartialEq, Serialize)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Unit,
    Newtype(u8),
    Tuple(u8, char),
    Struct { x: u8 },
}

#[test]
fn adjacently_tagged_enums_read_and_write() {
    both(Adjacent::Unit, b"{i\x01tSi\x04Unit}");
    both(Adjacent::Newtype(1), b"{i\x01tSi\x07Newtypei\x01ci\x01}");
    both(Adjacent::Tuple(1, 'x'), b"{i\x01tSi\x05Tuplei\x01c[i\x01Cx]}");
    both(Adjacent::Struct { x: 1 }, b"{i\x01tSi\x06Structi\x01c{i\x01xi\x01}}");
    reads(
        b"{#i\x02i\x01c[#i\x02U\x01Si\x01xi\x01tSi\x05Tuple",
        Adjacent::Tuple(1, 'x'),
    );
}

#[derive(Debug, Deserialize, PartialEq, Serialize)]
#[serde(untagged)]
enum Untagged {
    Number(i64),
    Pair(u8, Unit),
    Struct { x: u8 },
    Text(String),
    Bytes(#[serde(with = "serde_bytes")] Vec<u8>),
    Nothing,
}

#[test]
fn untagged_enums_read_and_write() {
    both(Untagged::Number(-1), b"i\xff");
    both(Untagged::Pair(1, Unit), b"[i\x01Z]");
    both(Untagged::Struct { x: 1 }, b"{i\x01xi\x01}");
    both(Untagged::Bytes(vec![1, 2, 3]), b"[$U#i\x03\x01\x02\x03");
    both(Untagged::Text("t".to_owned()), b"Si\x01t");
    both(Untagged::Nothing, b"Z");
    reads(b"Hi\x0212", Untagged::Number(12));
    assert!(refuses::<Untagged>(b"T").starts_with("data did not match any variant"));
}

#[derive(Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
struct Strict {
    known: u8,
}

#[test]
fn unknown_fields_are_ignored_unless_denied() {
    reads(b"{i\x05knowni\x01}", Strict { known: 1 });
    reads(b"{i\x01xi\x01i\x05otherZi\x01yi\x02}", Point { x: 1, y: 2 });
    let message = refuses::<Strict>(b"{i\x05knowni\x01i\x05otherZ}");
    assert!(
        message.starts_with("unknown field `other`, expected `known`"),
        "{message}"
    );
}

#[derive(Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
struct Attributes {
    long_name: u8,
    #[serde(rename = "r", alias = "old")]
    renamed: u8,
    #[serde(default)]
    missing: u8,
    #[serde(default = "seven", skip_serializing_if = "is_seven")]
    seven: u8,
    #[serde(skip)]
    skipped: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    option: Option<u8>,
}

fn seven() -> u8 {
    7
}

fn is_seven(number: &u8) -> bool {
    *number == 7
}

#[test]
fn field_attributes_are_respected() {
    let value = Attributes {
        long_name: 1,
        renamed: 2,
        missing: 3,
        seven: 7,
        skipped: 0,
        option: None,
    };
    both(value, b"{i\x08longNamei\x01i\x01ri\x02i\x07missingi\x03}");
    let value = Attributes {
        long_name: 1,
        renamed: 2,
        missing: 3,
        seven: 8,
        skipped: 0,
        option: Some(4),
    };
    both(
        value,
        b"{i\x08longNamei\x01i\x01ri\x02i\x07missingi\x03i\x05seveni\x08i\x06optioni\x04}",
    );
    let value = Attributes {
        long_name: 1,
        renamed: 2,
        missing: 0,
        seven: 7,
        skipped: 0,
        option: None,
    };
    reads(b"{i\x08longNamei\x01i\x03oldi\x02}", value);
}

#[test]
fn skipped_fields_are_not_counted() {
    let value = Attributes {
        long_name: 1,
        renamed: 2,
        missing: 3,
        seven: 7,
        skipped: 0,
        option: None,
    };
    let bytes = Config::new().containers(Containers::Counted).to_vec(&value).unwrap();
    assert_eq!(
        to_hex(&bytes),
        to_hex(b"{#i\x03i\x08longNamei\x01i\x01ri\x02i\x07missingi\x03")
    );
}

#[derive(Debug, Deserialize, PartialEq, Serialize)]
struct Sparse {
    before: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    maybe: Option<u8>,
    after: u8,
}

#[test]
fn fields_left_out_keep_their_places_in_arrays() {
    let value = Sparse {
        before: "b".to_owned(),
        maybe: None,
        after: 1,
    };
    for containers in [Containers::Plain, Containers::Counted, Containers::Auto] {
        let bytes = Config::new()
            .containers(containers)
            .structs(Structs::Array)
            .to_vec(&value)
            .unwrap();
        assert_eq!(from_slice::<Sparse>(&bytes).unwrap(), value, "{containers:?}");
        assert_eq!(
            from_slice::<(String, (), u8)>(&bytes).unwrap(),
            ("b".to_owned(), (), 1),
            "{containers:?}"
        );
    }
}

#[test]
fn fields_left_out_of_a_variant_keep_their_places_in_arrays() {
    #[derive(Debug, Deserialize, PartialEq, Serialize)]
    enum Event {
        Click {
            x: u8,
            #[serde(skip_serializing_if = "Option::is_none")]
            button: Option<u8>,
            y: u8,
        },
    }
    let value = || Event::Click {
        x: 1,
        button: None,
        y: 2,
    };
    both(value(), b"{i\x05Click{i\x01xi\x01i\x01yi\x02}}");
    let documents = [
        (Containers::Plain, &b"{i\x05Click[i\x01Zi\x02]}"[..]),
        (Containers::Counted, b"{#i\x01i\x05Click[#i\x03i\x01Zi\x02"),
    ];
    for (containers, bytes) in documents {
        let config = Config::new().containers(containers).structs(Structs::Array);
        assert_eq!(to_hex(&config.to_vec(&value()).unwrap()), to_hex(bytes));
        reads(bytes, value());
    }
}

#[cfg(feature = "std")]
#[test]
fn fields_left_out_behind_a_full_block_keep_their_places_in_arrays() {
    let value = Sparse {
        before: "b".repeat(100_000),
        maybe: None,
        after: 1,
    };
    for containers in [Containers::Plain, Containers::Counted, Containers::Auto] {
        let config = Config::new().containers(containers).structs(Structs::Array);
        let mut bytes = Vec::new();
        config.to_writer(&mut bytes, &value).unwrap();
        assert_eq!(bytes, config.to_vec(&value).unwrap(), "{containers:?}");
        assert_eq!(from_slice::<Sparse>(&bytes).unwrap(), value, "{containers:?}");
    }
}

#[test]
fn struct_errors_name_the_field() {
    assert!(refuses::<Point>(b"{i\x01xi\x01}").starts_with("missing field `y`"));
    assert!(refuses::<Point>(b"{i\x01xi\x01i\x01xi\x01}").starts_with("duplicate field `x`"));
    assert!(refuses::<Point>(b"T").starts_with("invalid type: boolean `true`, expected struct Point"));
}

/// Written through `collect_str`, in pieces.
#[derive(Debug, PartialEq)]
struct Version(u8, u8);

impl Serialize for Version {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{}.{}", self.0, self.1))
    }
}

#[test]
fn collected_strings_are_strings() {
    writes(&Version(1, 22), b"Si\x041.22");
    writes(&Entries(vec![(Version(1, 2), 1)]), b"{i\x031.2i\x01}");
    writes(&[Version(1, 2)], b"[Si\x031.2]");
}

/// A field whose hand-written visitor knows text only.
struct Field(String);

impl<'de> Deserialize<'de> for Field {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct FieldVisitor;

        impl Visitor<'_> for FieldVisitor {
            type Value = Field;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a field")
            }

            fn visit_str<E: de::Error>(self, name: &str) -> Result<Field, E> {
                Ok(Field(name.to_owned()))
            }
        }

        deserializer.deserialize_identifier(FieldVisitor)
    }
}

#[test]
fn identifiers_reach_visitors_that_know_only_text() {
    let entries: Entries<Field, u8> = from_slice(b"{i\x05fieldi\x01}").unwrap();
    assert_eq!(entries.0[0].0.0, "field");
    assert_eq!(from_slice::<Field>(b"Si\x05field").unwrap().0, "field");
    assert_eq!(from_slice::<Field>(b"Cf").unwrap().0, "f");
}

/// Reads the first element or entry, and is content.
#[derive(Debug)]
struct First;

impl<'de> Deserialize<'de> for First {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct FirstVisitor;

        impl<'de> Visitor<'de> for FirstVisitor {
            type Value = First;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a container")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<First, A::Error> {
                seq.next_element::<u8>().map(|_| First)
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<First, A::Error> {
                map.next_entry::<String, u8>().map(|_| First)
            }
        }

        // A plain array is one way or the other the same; a typed one has a loop of its own behind this hint.
        deserializer.deserialize_seq(FirstVisitor)
    }
}

#[test]
fn visitors_that_stop_early_are_refused() {
    for one in [
        &b"[i\x01]"[..],
        b"[#i\x01i\x01",
        b"[$i#i\x01\x01",
        b"{i\0i\x01}",
        b"{#i\x01i\0i\x01",
        b"{$i#i\x01i\0\x01",
    ] {
        from_slice::<First>(one).unwrap();
    }
    let two: [&[u8]; 6] = [
        b"[i\x01i\x02]",
        b"[#i\x02i\x01i\x02",
        b"[$i#i\x02\x01\x02",
        b"{i\0i\x01i\0i\x02}",
        b"{#i\x02i\0i\x01i\0i\x02",
        b"{$i#i\x02i\0\x01i\0\x02",
    ];
    for two in two {
        assert!(
            refuses::<First>(two).starts_with("more elements in the container"),
            "{two:?}"
        );
    }
}

#[test]
fn ignored_values_may_be_anything() {
    let values: [&[u8]; 12] = [
        b"Z",
        b"T",
        b"U\x01",
        b"L\0\0\0\0\0\0\0\x01",
        b"D\0\0\0\0\0\0\0\0",
        b"Hi\x051e999",
        b"Cx",
        b"Si\x02xy",
        b"[[{}]{i\x01xi\x01}]",
        b"[$D#i\x01\0\0\0\0\0\0\0\0",
        b"{$[#i\x01i\x01x]",
        b"[${#i\x02}#i\0",
    ];
    for value in values {
        let bytes = [b"{i\x05other", value, b"i\x01xi\x01i\x01yi\x02}"].concat();
        reads(&bytes, Point { x: 1, y: 2 });
        from_slice::<IgnoredAny>(value).unwrap();
    }
}

#[test]
fn types_of_the_standard_library_read_back() {
    both(Duration::new(5, 6), b"{i\x04secsi\x05i\x05nanosi\x06}");
    both(PathBuf::from("a/b"), b"Si\x03a/b");
    both(NonZeroU16::new(300).unwrap(), b"I\x01\x2c");
    both(1_u8..5, b"{i\x05starti\x01i\x03endi\x05}");
    both(Box::new(Some(Rc::new(1_u8))), b"i\x01");
    refuses::<NonZeroU16>(b"i\0");
}

#[derive(Debug, Deserialize, PartialEq, Serialize)]
struct Everywhere {
    field: Ipv4Addr,
    seq: Vec<Ipv4Addr>,
    map: BTreeMap<String, Ipv4Addr>,
    variant: Result<Ipv4Addr, ()>,
    option: Option<Wrapped<Ipv4Addr>>,
    tuple: (Ipv4Addr, Ipv4Addr),
}

#[test]
fn the_format_is_not_human_readable_on_any_path() {
    let address = Ipv4Addr::new(1, 2, 3, 4);
    let value = Everywhere {
        field: address,
        seq: vec![address],
        map: BTreeMap::from([("k".to_owned(), address)]),
        variant: Ok(address),
        option: Some(Wrapped(address)),
        tuple: (address, address),
    };
    let compact = "[i\x01i\x02i\x03i\x04]";
    let document = |a: &str| {
        format!(
            "{{i\x05field{a}i\x03seq[{a}]i\x03map{{i\x01k{a}}}i\x07variant{{i\x02Ok{a}}}i\x06option{a}i\x05tuple[{a}{a}]}}"
        )
    };
    writes(&value, document(compact));
    assert_eq!(from_slice::<Everywhere>(document(compact).as_bytes()).unwrap(), value);

    let readable = document("Si\x071.2.3.4");
    assert_eq!(
        to_hex(&plain().human_readable(true).to_vec(&value).unwrap()),
        to_hex(readable.as_bytes())
    );
    let config = ubjson::de::Config::new().human_readable(true);
    assert_eq!(config.from_slice::<Everywhere>(readable.as_bytes()).unwrap(), value);
    refuses::<Everywhere>(&readable);
}

#[test]
fn keys_are_human_readable_on_both_sides_as_they_are_text() {
    let map = BTreeMap::from([(Ipv4Addr::new(1, 2, 3, 4), 5_u8)]);
    both(map.clone(), b"{i\x071.2.3.4i\x05}");
    both(
        Entries(vec![(Some(Wrapped(Ipv4Addr::LOCALHOST)), map.clone())]),
        b"{i\x09127.0.0.1{i\x071.2.3.4i\x05}}",
    );
    let value = ubjson::to_value(&map).unwrap();
    assert_eq!(value["1.2.3.4"], 5);
    assert_eq!(ubjson::from_value::<BTreeMap<Ipv4Addr, u8>>(value).unwrap(), map);
}

#[test]
fn numbers_of_a_typed_array_say_whether_the_format_is_human_readable() {
    /// What its deserializer says.
    #[derive(Debug, PartialEq)]
    struct Readable(bool);

    impl<'de> Deserialize<'de> for Readable {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let readable = deserializer.is_human_readable();
            u8::deserialize(deserializer).map(|_| Readable(readable))
        }
    }

    for yes in [false, true] {
        let config = ubjson::de::Config::new().human_readable(yes);
        for array in [&b"[$U#i\x02\x07\x08"[..], b"[#i\x02i\x07i\x08"] {
            assert_eq!(
                config.from_slice::<Vec<Readable>>(array).unwrap(),
                [Readable(yes), Readable(yes)]
            );
        }
    }
}
