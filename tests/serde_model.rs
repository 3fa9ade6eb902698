//! serde's structs, enums, sequences and maps, both ways. The bytes are written by hand from draft 12.

mod common;

use std::collections::BTreeMap;
use std::fmt::Debug;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_bytes::Bytes;
use ubjson::from_slice;
use ubjson::ser::{Config, Containers, Structs};

use common::model::{Entries, Point, both, is_refused, plain, reads, refuses};
use common::to_hex;

#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
struct Unit;

#[derive(Debug, Deserialize, PartialEq, Serialize)]
struct Newtype(u16);

#[derive(Debug, Deserialize, PartialEq, Serialize)]
struct Tuple(u8, bool, Unit);

#[derive(Debug, Deserialize, PartialEq, Serialize)]
struct Nothing {}

#[test]
fn structs_of_every_form() {
    both((), b"Z");
    both(Unit, b"Z");
    both(Newtype(5), b"i\x05");
    both(Tuple(5, true, Unit), b"[i\x05TZ]");
    both(Point { x: 1, y: -2 }, b"{i\x01xi\x01i\x01yi\xfe}");
    both(Nothing {}, b"{}");
    both((1_u8, "a".to_owned(), 'b'), b"[i\x01Si\x01aCb]");
    both([[1_u8; 2]; 2], b"[[i\x01i\x01][i\x01i\x01]]");
}

#[test]
fn structs_read_from_objects_of_every_kind() {
    let forms: [&[u8]; 6] = [
        b"{i\x01yi\x02i\x01xi\x01}",
        b"{#i\x02i\x01xi\x01i\x01yi\x02",
        b"{$i#i\x02i\x01x\x01i\x01y\x02",
        b"{N\x49\0\x01xNU\x01NU\x01yi\x02N}",
        b"{i\x01zTi\x01xi\x01i\x01yi\x02i\x02zz[[]{}]}",
        b"{l\0\0\0\x01xHi\x011L\0\0\0\0\0\0\0\x01yi\x02}",
    ];
    for form in forms {
        reads(form, Point { x: 1, y: 2 });
    }
}

#[test]
fn structs_read_from_arrays_of_every_kind() {
    let forms: [&[u8]; 3] = [b"[i\x01i\x02]", b"[#i\x02i\x01i\x02", b"[$i#i\x02\x01\x02"];
    for form in forms {
        reads(form, Point { x: 1, y: 2 });
        reads(form, (1, 2));
    }
}

#[test]
fn structs_are_written_by_position_on_request() {
    let config = plain().structs(Structs::Array);
    assert_eq!(
        to_hex(&config.to_vec(&Point { x: 1, y: 2 }).unwrap()),
        to_hex(b"[i\x01i\x02]")
    );
    assert_eq!(
        to_hex(&config.to_vec(&Shape::Struct { a: 1 }).unwrap()),
        to_hex(b"{i\x06Struct[i\x01]}")
    );
    assert_eq!(
        to_hex(&config.to_vec(&BTreeMap::from([("x", 1)])).unwrap()),
        to_hex(b"{i\x01xi\x01}")
    );
}

#[test]
fn sequences_of_another_length_are_refused() {
    for short in [&b"[i\x01]"[..], b"[#i\x01i\x01", b"[$i#i\x01\x01"] {
        assert!(
            refuses::<(u8, u8)>(short).contains("invalid length 1, expected"),
            "{short:?}"
        );
        refuses::<[u8; 2]>(short);
        refuses::<Point>(short);
    }
    for long in [
        &b"[i\x01i\x01i\x01]"[..],
        b"[#i\x03i\x01i\x01i\x01",
        b"[$i#i\x03\x01\x01\x01",
    ] {
        refuses::<(u8, u8)>(long);
        refuses::<[u8; 2]>(long);
        refuses::<Point>(long);
    }
}

#[derive(Debug, Deserialize, PartialEq, Serialize)]
enum Shape {
    Unit,
    Newtype(u8),
    Tuple(u8, u8),
    Struct {
        a: u8,
    },
    #[serde(rename = "o")]
    OneLetter,
}

#[test]
fn enums_are_tagged_by_name_from_outside() {
    both(Shape::Unit, b"Si\x04Unit");
    both(Shape::Newtype(1), b"{i\x07Newtypei\x01}");
    both(Shape::Tuple(1, 2), b"{i\x05Tuple[i\x01i\x02]}");
    both(Shape::Struct { a: 1 }, b"{i\x06Struct{i\x01ai\x01}}");
    both(Shape::OneLetter, b"Si\x01o");
    both(vec![Shape::Unit, Shape::Newtype(1)], b"[Si\x04Unit{i\x07Newtypei\x01}]");
    both(Ok::<u8, String>(1), b"{i\x02Oki\x01}");
}

#[test]
fn enums_read_from_every_kind_of_container() {
    reads(b"Co", Shape::OneLetter);
    reads(b"[$C#i\x01o", vec![Shape::OneLetter]);
    reads(b"[$S#i\x01i\x04Unit", vec![Shape::Unit]);
    reads(b"{#i\x01i\x07Newtypei\x01", Shape::Newtype(1));
    reads(b"{$U#i\x01i\x07Newtype\x01", Shape::Newtype(1));
    reads(b"{$[#i\x01i\x05Tuple$U#i\x02\x01\x02", Shape::Tuple(1, 2));
    reads(b"{$[#i\x01i\x05Tuplei\x01i\x02]", Shape::Tuple(1, 2));
    reads(b"{${#i\x01i\x06Structi\x01ai\x01}", Shape::Struct { a: 1 });
    reads(b"{Ni\x06Struct[i\x01]N}", Shape::Struct { a: 1 });
    reads(b"{i\x04UnitZ}", Shape::Unit);
    reads(b"[${#i\x01i\x07Newtypei\x01}", vec![Shape::Newtype(1)]);
}

#[test]
fn enums_refuse_what_is_no_single_variant() {
    assert!(refuses::<Shape>(b"Si\x05Other").starts_with("unknown variant `Other`, expected one of"));
    refuses::<Shape>(b"{}");
    refuses::<Shape>(b"{#i\0");
    refuses::<Shape>(b"{i\x07Newtypei\x01i\x01xi\x01}");
    refuses::<Shape>(b"{#i\x02i\x07Newtypei\x01i\x01xi\x01");
    refuses::<Shape>(b"Si\x07Newtype");
    refuses::<Shape>(b"{i\x04Uniti\x01}");
    refuses::<Shape>(b"i\x01");
    refuses::<Shape>(b"[Si\x04Unit]");
}

#[test]
fn sequences_and_maps() {
    both(Vec::<u8>::new(), b"[]");
    both(vec![vec![1_u8], vec![]], b"[[i\x01][]]");
    both(
        BTreeMap::from([("a".to_owned(), 1_u8), (String::new(), 2)]),
        b"{i\0i\x02i\x01ai\x01}",
    );
    both(vec![BTreeMap::from([('k', vec![true])])], b"[{i\x01k[T]}]");
}

#[test]
fn sequences_and_maps_are_counted_on_request() {
    let config = Config::new().containers(Containers::Counted);
    let value = (
        vec![1_u8, 2],
        BTreeMap::from([("a", Point { x: 1, y: 2 })]),
        Shape::Tuple(1, 2),
        Vec::<u8>::new(),
    );
    let bytes = b"[#i\x04\
        [#i\x02i\x01i\x02\
        {#i\x01i\x01a{#i\x02i\x01xi\x01i\x01yi\x02\
        {#i\x01i\x05Tuple[#i\x02i\x01i\x02\
        [#i\0";
    assert_eq!(to_hex(&config.to_vec(&value).unwrap()), to_hex(bytes));
}

/// The key is written as the text, and reads back from it in every kind of object.
#[track_caller]
fn key<K: Serialize + DeserializeOwned + PartialEq + Debug + Clone>(key: K, text: &str) {
    let length = u8::try_from(text.len()).unwrap();
    let entry = [&[b'i', length], text.as_bytes()].concat();
    let map = Entries(vec![(key, 1_u8)]);
    both(Entries(map.0.clone()), [&b"{"[..], &entry, b"i\x01}"].concat());
    reads([&b"{#i\x01"[..], &entry, b"i\x01"].concat(), Entries(map.0.clone()));
    reads([&b"{$U#i\x01"[..], &entry, b"\x01"].concat(), map);
}

#[derive(Clone, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
enum Name {
    First,
    #[serde(rename = "the second")]
    Second,
    Full(u8),
    Pair(u8, u8),
    Named {
        x: u8,
    },
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct Wrapped<T>(T);

#[test]
fn map_keys_of_every_kind_are_strings_that_read_back() {
    key("text".to_owned(), "text");
    key(i8::MIN, "-128");
    key(i16::MIN, "-32768");
    key(i32::MIN, "-2147483648");
    key(i64::MIN, "-9223372036854775808");
    key(i128::MIN, "-170141183460469231731687303715884105728");
    key(u8::MAX, "255");
    key(u16::MAX, "65535");
    key(u32::MAX, "4294967295");
    key(u64::MAX, "18446744073709551615");
    key(u128::MAX, "340282366920938463463374607431768211455");
    key(true, "true");
    key(false, "false");
    key('x', "x");
    key('é', "é");
    key(Name::First, "First");
    key(Name::Second, "the second");
    key(Wrapped(5_u8), "5");
    key(Wrapped("a".to_owned()), "a");
    key(Some(5_u8), "5");
}

#[test]
fn float_map_keys_are_the_text_of_a_json_number() {
    for float in [1.5_f64, -0.25, 1.0, -0.0, 1e300, 5e-324, f64::MAX] {
        let map = Entries(vec![(float, 1_u8)]);
        let bytes = plain().to_vec(&map).unwrap();
        let entries: Entries<String, u8> = from_slice(&bytes).unwrap();
        let text = &entries.0[0].0;
        assert_eq!(
            serde_json::from_str::<f64>(text).unwrap().to_bits(),
            float.to_bits(),
            "{text}"
        );
        reads(bytes, map);
        // The text that serde_json writes may have another form, and reads as well.
        let json = serde_json::to_string(&float).unwrap();
        let length = u8::try_from(json.len()).unwrap();
        reads(
            [&[b'{', b'i', length], json.as_bytes(), b"i\x01}"].concat(),
            Entries(vec![(float, 1_u8)]),
        );
    }
    key(1.5_f32, "1.5");
    reads(b"{i\x011i\x01}", Entries(vec![(1.0_f64, 1_u8)]));
    is_refused(&Entries(vec![(f64::NAN, 1)]));
    is_refused(&Entries(vec![(f32::INFINITY, 1)]));
}

#[test]
fn map_keys_that_are_no_strings_are_refused() {
    #[derive(Serialize)]
    struct Struct {
        x: u8,
    }
    #[derive(Serialize)]
    struct Pair(u8, u8);
    let refused = "key must be a string";
    assert_eq!(is_refused(&Entries(vec![(Struct { x: 1 }, 1)])), refused);
    assert_eq!(is_refused(&Entries(vec![(Unit, 1)])), refused);
    assert_eq!(is_refused(&Entries(vec![((), 1)])), refused);
    assert_eq!(is_refused(&Entries(vec![(None::<u8>, 1)])), refused);
    assert_eq!(is_refused(&Entries(vec![(vec![1], 1)])), refused);
    assert_eq!(is_refused(&Entries(vec![((1, 2), 1)])), refused);
    assert_eq!(is_refused(&Entries(vec![(Pair(1, 2), 1)])), refused);
    assert_eq!(is_refused(&Entries(vec![(Entries(vec![(1, 1)]), 1)])), refused);
    assert_eq!(is_refused(&Entries(vec![(Bytes::new(b"x"), 1)])), refused);
    assert_eq!(is_refused(&Entries(vec![(Name::Full(1), 1)])), refused);
    assert_eq!(is_refused(&Entries(vec![(Name::Pair(1, 2), 1)])), refused);
    assert_eq!(is_refused(&Entries(vec![(Name::Named { x: 1 }, 1)])), refused);
}

#[test]
fn map_keys_that_are_not_what_the_type_wants_are_refused() {
    for text in ["", "x", "-", "01", "1.5", "+1", " 1", "1 ", "256", "-1"] {
        let object = [
            &b"{i"[..],
            &[u8::try_from(text.len()).unwrap()],
            text.as_bytes(),
            b"i\x01}",
        ]
        .concat();
        assert!(
            serde_json::from_str::<BTreeMap<u8, u8>>(&format!("{{\"{text}\":1}}")).is_err(),
            "{text}"
        );
        refuses::<BTreeMap<u8, u8>>(&object);
    }
    refuses::<BTreeMap<bool, u8>>(b"{i\x04Truei\x01}");
    refuses::<BTreeMap<char, u8>>(b"{i\x02xyi\x01}");
    refuses::<BTreeMap<Name, u8>>(b"{i\x05Otheri\x01}");
}

#[test]
fn numeric_map_keys_keep_their_text_without_a_type() {
    reads(
        b"{i\x011i\x02i\x04truei\x03}",
        BTreeMap::from([("1".to_owned(), 2_u8), ("true".to_owned(), 3)]),
    );
}
