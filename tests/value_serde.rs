//! `Value` among serde's other types and formats: nothing that only this crate can say leaks out as anything else.

mod common;

use std::collections::BTreeMap;
use std::net::Ipv4Addr;

use quickcheck::{Arbitrary, Gen, QuickCheck};
use serde::de::IntoDeserializer;
use serde::de::value::{EnumAccessDeserializer, Error as AnyError, MapDeserializer, U8Deserializer, U32Deserializer};
use serde::{Deserialize, Serialize};
use serde_bytes::{ByteBuf, Bytes};
use ubjson::packed::Packed;
use ubjson::ser::{Config, Containers, Integers, NonFinite, Structs};
use ubjson::value::{Numbers, PackedArray};
use ubjson::{ErrorKind, Map, Marker, Number, RawValue, Value, from_slice, from_value, to_value, to_vec, ubjson};

use common::doc::Doc;
use common::marked::Marked;
use common::to_hex;

fn declared() -> Config {
    Config::new().containers(Containers::Plain).integers(Integers::Declared)
}

/// A value with everything in it that serde has no word for.
const EXOTIC: &[u8] = b"{i\x01h[Hi\x041.50Hi\x0214Hi\x051e999]i\x01p[$I#i\x02\0\x01\xff\xffi\x01cCx\
    i\x01b[$U#i\x02ABi\x01n{i\x01f[$d#i\x01\x3f\0\0\0}}";

#[test]
fn exotic_values_come_out_as_they_went_in_wherever_they_stand() {
    #[derive(Deserialize, Serialize)]
    struct Holder {
        before: u8,
        value: Value,
        list: Vec<Value>,
        map: BTreeMap<String, Value>,
        maybe: Option<Value>,
        tuple: (Value, u8),
    }

    let mut bytes = b"{i\x06beforeU\x07i\x05value".to_vec();
    bytes.extend(EXOTIC);
    bytes.extend(b"i\x04list[");
    bytes.extend(EXOTIC);
    bytes.extend(b"[$l#i\0]i\x03map{i\x01k");
    bytes.extend(EXOTIC);
    bytes.extend(b"}i\x05maybe");
    bytes.extend(EXOTIC);
    bytes.extend(b"i\x05tuple[");
    bytes.extend(EXOTIC);
    bytes.extend(b"U\x01]}");
    let holder: Holder = from_slice(&bytes).expect("a document");
    assert_eq!(to_hex(&declared().to_vec(&holder).expect("a document")), to_hex(&bytes));
    // Through trees, too.
    let tree = to_value(&holder).expect("a value");
    assert_eq!(to_hex(&declared().to_vec(&tree).expect("a document")), to_hex(&bytes));
    let again: Holder = from_value(tree.clone()).expect("a value");
    assert_eq!(to_hex(&declared().to_vec(&again).expect("a document")), to_hex(&bytes));
    let again = Holder::deserialize(&tree).expect("a value");
    assert_eq!(to_hex(&declared().to_vec(&again).expect("a document")), to_hex(&bytes));
}

#[test]
fn an_exotic_element_does_not_upset_the_array_around_it() {
    let numbers = ubjson!([1, 2, 3, 4, 5, 6, 7, 8]);
    let high = Value::from(Number::from_text("1e999").expect("a number"));
    let packed = Value::from(PackedArray::from(vec![1.5_f32]));
    for exotic in [high, packed] {
        for place in 0..=8 {
            let mut value = numbers.clone();
            value.as_array_mut().expect("an array").insert(place, exotic.clone());
            for containers in [Containers::Auto, Containers::Counted, Containers::Plain] {
                let bytes = Config::new().containers(containers).to_vec(&value).expect("a document");
                assert_eq!(
                    from_slice::<Value>(&bytes).expect("a document"),
                    value,
                    "{}",
                    to_hex(&bytes)
                );
            }
        }
    }
}

#[test]
fn exotic_values_fall_back_where_serde_buffers() {
    #[derive(Debug, Deserialize, PartialEq, Serialize)]
    struct Flat {
        a: u8,
        #[serde(flatten)]
        rest: Map,
    }
    #[derive(Debug, Deserialize, PartialEq, Serialize)]
    #[serde(untagged)]
    enum Untagged {
        Number(i8),
        Any(Value),
    }
    #[derive(Debug, Deserialize, PartialEq, Serialize)]
    #[serde(tag = "t")]
    enum Tagged {
        A { value: Value },
    }

    let rest = b"i\x01hHi\x031.5i\x01p[$I#i\x02\0\x01\xff\xffi\x01cCx";
    let flat: Flat = from_slice(&[b"{i\x01ai\x05", &rest[..], b"}"].concat()).expect("a document");
    let expected = ubjson!({"h": 1.5, "p": [1, -1], "c": "x"});
    assert_eq!((flat.a, Value::from(flat.rest)), (5, expected.clone()));

    let untagged: Untagged = from_slice(&[b"{", &rest[..], b"}"].concat()).expect("a document");
    assert_eq!(untagged, Untagged::Any(expected.clone()));
    let tagged: Tagged = from_slice(&[b"{i\x01tSi\x01Ai\x05value{", &rest[..], b"}}"].concat()).expect("a document");
    assert_eq!(tagged, Tagged::A { value: expected });

    // Writing goes straight through.
    let exotic: Value = from_slice(EXOTIC).expect("a document");
    let rest = Map::from([("v", exotic.clone())]);
    let written = declared().to_vec(&Flat { a: 5, rest }).expect("a document");
    assert_eq!(
        to_hex(&written),
        to_hex(&[b"{i\x01aU\x05i\x01v", EXOTIC, b"}"].concat())
    );
    let written = declared().to_vec(&Untagged::Any(exotic.clone())).expect("a document");
    assert_eq!(to_hex(&written), to_hex(EXOTIC));
    let written = declared().to_vec(&Tagged::A { value: exotic }).expect("a document");
    assert_eq!(
        to_hex(&written),
        to_hex(&[b"{i\x01tSi\x01Ai\x05value", EXOTIC, b"}"].concat())
    );
}

/// serde replays what it has buffered: a newtype struct of the doorway's name around the ordinary form.
#[test]
fn what_a_buffer_replays_is_the_ordinary_form() {
    #[derive(Serialize)]
    #[serde(tag = "t", content = "c")]
    enum Adjacent {
        A(Value),
    }
    #[derive(Serialize)]
    #[serde(tag = "t")]
    enum Internal {
        A(Content),
    }
    #[derive(Serialize)]
    enum Content {
        Struct { h: Number, p: PackedArray },
    }

    let number = Number::from_text("2.50").expect("a number");
    let adjacent = Adjacent::A(Value::from(number.clone()));
    assert_eq!(
        to_hex(&declared().to_vec(&adjacent).expect("a document")),
        to_hex(b"{i\x01tSi\x01Ai\x01cHi\x042.50}")
    );
    // The struct variant inside an internally tagged one goes through serde's own buffer of values to write.
    let internal = Internal::A(Content::Struct {
        h: number,
        p: PackedArray::from(vec![7_i16]),
    });
    let written = declared().to_vec(&internal).expect("a document");
    let value: Value = from_slice(&written).expect("a document");
    assert_eq!(value, ubjson!({"t": "A", "Struct": {"h": 2.5, "p": [7]}}));
    assert_eq!(to_value(&internal).expect("a value"), value);
}

#[test]
fn other_formats_see_ordinary_values() {
    let value: Value = from_slice(EXOTIC).expect("a document");
    let json = serde_json::to_string(&value).expect("JSON");
    let expected = r#"{"h":[1.5,14,"1e999"],"p":[1,-1],"c":"x","b":[65,66],"n":{"f":[0.5]}}"#;
    assert_eq!(json, expected);
    let back: Value = serde_json::from_str(&json).expect("JSON");
    let ordinary = ubjson!({"h": [1.5, 14, "1e999"], "p": [1, -1], "c": "x", "b": [65, 66], "n": {"f": [0.5]}});
    assert_eq!(back, ordinary);

    let message = rmp_serde::to_vec(&value).expect("MessagePack");
    let back: Value = rmp_serde::from_slice(&message).expect("MessagePack");
    assert_eq!(back, ordinary);
    let bytes = rmp_serde::to_vec(Bytes::new(b"AB")).expect("MessagePack");
    let back: Value = rmp_serde::from_slice(&bytes).expect("MessagePack");
    assert_eq!(back.as_packed().map(PackedArray::marker), Some(Marker::Uint8));

    let keys = rmp_serde::to_vec(&BTreeMap::from([(1_u8, "a"), (200, "b")])).expect("MessagePack");
    let back: Value = rmp_serde::from_slice(&keys).expect("MessagePack");
    assert_eq!(back, ubjson!({"1": "a", "200": "b"}));

    // serde's own deserializers give a newtype's content without saying that it is one.
    let plain = serde::de::value::U16Deserializer::<serde::de::value::Error>::new(7);
    assert_eq!(Value::deserialize(plain).expect("a value"), 7);
    let text = serde::de::value::StrDeserializer::<serde::de::value::Error>::new("a");
    assert_eq!(Value::deserialize(text).expect("a value"), "a");
}

#[test]
fn numbers_and_maps_and_packed_arrays_stand_alone() {
    let number: Number = from_slice(b"Hi\x011").expect("a number");
    assert_eq!((number.marker(), number.as_i64()), (Marker::HighPrecision, Some(1)));
    assert_eq!(to_vec(&number).expect("a document"), b"Hi\x011");
    for bytes in [&b"Si\x011"[..], b"[$U#i\x01\x01", b"T", b"{}"] {
        assert_eq!(
            from_slice::<Number>(bytes).expect_err("no number").kind(),
            ErrorKind::Data
        );
    }
    let map: Map = from_slice(b"{i\x01ai\x01}").expect("an object");
    assert_eq!(map, Map::from([("a", 1)]));
    assert_eq!(from_slice::<Map>(b"[]").expect_err("no object").kind(), ErrorKind::Data);
    let packed: PackedArray = from_slice(b"[$d#i\x01\x3f\0\0\0").expect("an array");
    assert!(matches!(packed.numbers(), Numbers::Float32(numbers) if *numbers == [0.5]));
    assert_eq!(
        from_slice::<PackedArray>(b"[i\x01]").expect_err("not typed").kind(),
        ErrorKind::Data
    );
    assert_eq!(from_value::<Number>(ubjson!(5)).expect("a number"), Number::from(5));
}

#[test]
fn bytes_and_strings_are_read_out_of_values_in_every_form() {
    let bytes = |value: Value| from_value::<ByteBuf>(value).expect("bytes").into_vec();
    assert_eq!(bytes(PackedArray::from(vec![1_u8, 255]).into()), [1, 255]);
    assert_eq!(bytes(PackedArray::from(vec![1_i8, -1]).into()), [1, 255]);
    assert_eq!(bytes(PackedArray::from(vec![1_i32, 255]).into()), [1, 255]);
    assert_eq!(bytes(ubjson!([1, 255])), [1, 255]);
    assert_eq!(bytes(ubjson!(['a', 'b'])), b"ab");
    assert_eq!(bytes(ubjson!("ab")), b"ab");
    for refused in [
        ubjson!([256]),
        ubjson!([-1]),
        ubjson!([null]),
        PackedArray::from(vec![300_i16]).into(),
    ] {
        assert_eq!(
            from_value::<ByteBuf>(refused).expect_err("no bytes").kind(),
            ErrorKind::Data
        );
    }
    let value = ubjson!({"text": "ab", "char": 'c'});
    let borrowed: BTreeMap<&str, &str> = Deserialize::deserialize(&value).expect("texts");
    assert_eq!(borrowed, BTreeMap::from([("text", "ab"), ("char", "c")]));
    let packed = Value::from(PackedArray::from(vec![1_u8, 2]));
    assert_eq!(<&[u8]>::deserialize(&packed).expect("bytes"), [1, 2]);
    assert_eq!(
        to_value(Bytes::new(b"AB"))
            .expect("a value")
            .as_packed()
            .map(PackedArray::len),
        Some(2)
    );
}

#[test]
fn what_a_type_does_not_want_is_refused() {
    #[derive(Debug, Deserialize)]
    #[allow(dead_code, reason = "it is never made")]
    struct Pair {
        a: u8,
        b: u8,
    }
    #[derive(Debug, Deserialize, PartialEq)]
    enum Choice {
        Unit,
        Newtype(u8),
        Tuple(u8, u8),
        Struct { a: u8 },
    }

    assert_eq!(from_value::<Choice>(ubjson!("Unit")).expect("a variant"), Choice::Unit);
    assert_eq!(
        from_value::<Choice>(ubjson!({"Unit": null})).expect("a variant"),
        Choice::Unit
    );
    assert_eq!(
        from_value::<Choice>(ubjson!({"Newtype": 1})).expect("a variant"),
        Choice::Newtype(1)
    );
    assert_eq!(
        from_value::<Choice>(ubjson!({"Tuple": [1, 2]})).expect("a variant"),
        Choice::Tuple(1, 2)
    );
    assert_eq!(
        from_value::<Choice>(ubjson!({"Struct": {"a": 1}})).expect("a variant"),
        Choice::Struct { a: 1 }
    );
    for (value, message) in [
        (ubjson!({}), "an empty object, expected an enum's variant as its key"),
        (
            ubjson!({"Unit": null, "b": 1}),
            "more than one key, expected an enum's variant alone",
        ),
        (ubjson!(1), "invalid type: integer `1`, expected enum Choice"),
        (
            ubjson!({"Tuple": [1]}),
            "invalid length 1, expected tuple variant Choice::Tuple with 2 elements",
        ),
        (
            ubjson!({"Tuple": [1, 2, 3]}),
            "more elements in the container than the type takes",
        ),
        (
            ubjson!("Newtype"),
            "invalid type: unit variant, expected newtype variant",
        ),
    ] {
        assert_eq!(from_value::<Choice>(value).expect_err(message).to_string(), message);
    }
    let error = from_value::<Pair>(ubjson!({"a": 1})).expect_err("a field is missing");
    assert_eq!(
        (error.kind(), error.to_string().as_str()),
        (ErrorKind::Data, "missing field `b`")
    );
    assert_eq!(
        from_value::<Pair>(ubjson!([1, 2]))
            .map(|pair| (pair.a, pair.b))
            .expect("by position"),
        (1, 2)
    );
    let error = from_value::<u8>(ubjson!(300)).expect_err("too large");
    assert_eq!(error.to_string(), "invalid value: integer `300`, expected u8");
    let beyond = Value::from(Number::from_text("1e999").expect("a number"));
    assert_eq!(
        from_value::<f64>(beyond).expect_err("too large").kind(),
        ErrorKind::Number
    );
    assert!(from_value::<f32>(Value::Null).expect("null is NaN").is_nan());
    assert_eq!(from_value::<Option<u8>>(Value::Null).expect("nothing"), None);
}

#[test]
fn to_value_refuses_what_cannot_be_written() {
    struct Liar;
    impl Serialize for Liar {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            use serde::ser::SerializeSeq;
            let mut seq = serializer.serialize_seq(Some(2))?;
            seq.serialize_element(&1)?;
            seq.end()
        }
    }
    #[derive(Serialize)]
    struct Nested(Option<Box<Nested>>);

    assert_eq!(
        to_value(&Liar).expect_err("a lie").to_string(),
        to_vec(&Liar).expect_err("a lie").to_string()
    );
    let keys = BTreeMap::from([(vec![1], 2)]);
    assert_eq!(to_value(&keys).expect_err("no key").to_string(), "key must be a string");
    let mut nested = vec![Value::Null];
    for _ in 0..128 {
        nested = vec![Value::from(nested)];
    }
    assert_eq!(to_value(&nested).expect_err("too deep").kind(), ErrorKind::Depth);
    assert!(to_value(&nested[0]).is_ok());
    assert_eq!(to_value(&Nested(None)).expect("a value"), Value::Null);
    let keys = BTreeMap::from([(1.5_f64.to_bits(), true)]);
    assert_eq!(
        to_value(&keys).expect("a value").to_string(),
        r#"{"4609434218613702656":true}"#
    );
}

#[test]
fn options_hold_for_packed_arrays_where_they_can() {
    let packed = PackedArray::from(vec![0.5_f32, f32::NAN]);
    let null = Config::new().containers(Containers::Plain).non_finite(NonFinite::Null);
    assert_eq!(
        to_hex(&null.to_vec(&packed).expect("a document")),
        to_hex(b"[d\x3f\0\0\0Z]")
    );
    let refused = Config::new()
        .non_finite(NonFinite::Error)
        .to_vec(&packed)
        .expect_err("a NaN");
    assert_eq!(refused.kind(), ErrorKind::Data);
    let finite = PackedArray::from(vec![0.5_f32]);
    assert_eq!(
        to_hex(&null.to_vec(&finite).expect("a document")),
        to_hex(b"[$d#i\x01\x3f\0\0\0")
    );
    let arrays = Config::new()
        .structs(Structs::Array)
        .to_vec(&ubjson!({"a": 1}))
        .expect("a document");
    assert_eq!(
        from_slice::<Value>(&arrays).expect("a document"),
        ubjson!({"a": 1}),
        "maps are no structs"
    );
    let depth = Config::new()
        .max_depth(1)
        .to_vec(&vec![finite])
        .expect_err("two levels");
    assert_eq!(depth.kind(), ErrorKind::Depth);
}

/// An arbitrary value of every kind, `NaN` aside.
#[derive(Clone, Debug)]
struct AnyValue(Value);

impl Arbitrary for AnyValue {
    fn arbitrary(g: &mut Gen) -> Self {
        let mut smaller = Gen::new(g.size() / 2);
        let kinds = if g.size() < 2 { 8 } else { 12 };
        AnyValue(match u8::arbitrary(g) % kinds {
            0 => Value::Null,
            1 => bool::arbitrary(g).into(),
            2 => i64::arbitrary(g).into(),
            3 => i16::arbitrary(g).into(),
            4 => Some(f64::arbitrary(g)).filter(|value| !value.is_nan()).into(),
            5 => char::arbitrary(g).into(),
            6 => Number::from(u128::arbitrary(g)).into(),
            7 => String::arbitrary(g).into(),
            8 => PackedArray::from(Vec::<i32>::arbitrary(g)).into(),
            9 => PackedArray::from(Vec::<u8>::arbitrary(g)).into(),
            10 => Vec::<AnyValue>::arbitrary(&mut smaller)
                .into_iter()
                .map(|value| value.0)
                .collect(),
            _ => {
                let entries = Vec::<(String, AnyValue)>::arbitrary(&mut smaller);
                entries.into_iter().map(|(key, value)| (key, value.0)).collect()
            }
        })
    }
}

#[test]
fn any_value_survives_bytes_and_conversion() {
    fn property(value: AnyValue) -> bool {
        let value = value.0;
        let bytes = declared().to_vec(&value).expect("a document");
        let read: Value = from_slice(&bytes).expect("a document");
        assert_eq!(read, value);
        assert_eq!(format!("{read:?}"), format!("{value:?}"), "down to the widths");
        assert_eq!(
            format!("{:?}", to_value(&value).expect("a value")),
            format!("{value:?}")
        );
        assert_eq!(
            format!("{:?}", from_value::<Value>(value.clone()).expect("a value")),
            format!("{value:?}")
        );
        assert_eq!(Doc::deserialize(&value).ok(), from_slice::<Doc>(&bytes).ok());
        // The default options choose other widths and forms, for equal values and stable bytes.
        let compact = to_vec(&value).expect("a document");
        let reread: Value = from_slice(&compact).expect("a document");
        assert_eq!(reread, value);
        to_vec(&reread).expect("a document") == compact
    }
    QuickCheck::new()
        .rng(Gen::new(40))
        .tests(2000)
        .quickcheck(property as fn(_) -> _);
}

/// serde_json is built with `arbitrary_precision` where the feature `json` is on, and shows numbers as maps then.
#[test]
fn numbers_of_json_are_numbers() {
    let value: Value = serde_json::from_str(r#"{"a": 0.5, "b": [1e2, -7], "c": 1234567890123456789}"#).expect("JSON");
    assert_eq!(
        value,
        ubjson!({"a": 0.5, "b": [100.0, -7], "c": 1234567890123456789_i64})
    );
    assert_eq!(serde_json::from_str::<Number>("0.5").expect("JSON"), Number::from(0.5));
    assert!(serde_json::from_str::<Number>("{}").is_err());
    // The same as an object of a document is an object.
    let bytes = b"{i\x1c$serde_json::private::NumberSi\x015}";
    assert!(from_slice::<Value>(bytes).expect("a document").is_object());
    assert!(from_slice::<Number>(bytes).is_err());
}

#[test]
fn options_of_other_formats_are_the_value_or_null() {
    let five = || IntoDeserializer::<AnyError>::into_deserializer(5_u8);
    assert_eq!(Value::deserialize(Marked::There(five())).unwrap(), 5_u8);
    let nothing = || Marked::<U8Deserializer<AnyError>>::NotThere;
    assert!(Value::deserialize(nothing()).unwrap().is_null());
    let raw = RawValue::deserialize(Marked::There(five())).unwrap();
    assert_eq!(raw.as_bytes(), b"U\x05");
    assert_eq!(RawValue::deserialize(nothing()).unwrap().as_bytes(), b"Z");
}

#[test]
fn enums_of_other_formats_are_no_values() {
    fn refused<T: for<'de> Deserialize<'de>>() -> [String; 2] {
        let name = IntoDeserializer::<AnyError>::into_deserializer("Variant");
        let index = U32Deserializer::<AnyError>::new(1);
        [
            T::deserialize(EnumAccessDeserializer::new(name)).map(drop).unwrap_err(),
            T::deserialize(EnumAccessDeserializer::new(index))
                .map(drop)
                .unwrap_err(),
        ]
        .map(|error| error.to_string())
    }
    let messages = [
        "invalid type: string \"Variant\", expected a value that is no enum",
        "invalid type: enum, expected a value",
    ];
    assert_eq!(refused::<Value>(), messages);
    assert_eq!(refused::<Map>(), messages);
    assert_eq!(refused::<Number>(), messages);
    assert_eq!(refused::<PackedArray>(), messages);
    assert_eq!(refused::<RawValue>(), messages);
    assert_eq!(refused::<Packed<Vec<i16>>>(), messages);
}

#[test]
fn keys_of_other_formats_become_the_text_that_they_are_written_as() {
    fn read<'de, K: IntoDeserializer<'de, AnyError>>(key: K) -> Result<Value, AnyError> {
        Value::deserialize(MapDeserializer::new([(key, true)].into_iter()))
    }
    for (read, key) in [
        (read("key"), "key"),
        (read(true), "true"),
        (read(false), "false"),
        (read(i64::MIN), "-9223372036854775808"),
        (read(u64::MAX), "18446744073709551615"),
        (read('k'), "k"),
    ] {
        assert_eq!(read.unwrap(), ubjson!({key: true}));
    }
    let refused = read(0.5).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "invalid type: floating point `0.5`, expected a string as the key of a map"
    );
}

#[test]
fn bytes_that_a_buffer_of_serdes_kept_are_a_packed_array() {
    #[derive(Deserialize, Serialize)]
    struct Message {
        #[serde(flatten)]
        rest: BTreeMap<String, Value>,
    }
    let packed = rmp_serde::to_vec_named(&BTreeMap::from([("body", Bytes::new(&[1, 2]))])).unwrap();
    let message: Message = rmp_serde::from_slice(&packed).unwrap();
    let body = message.rest["body"].as_packed().map(PackedArray::numbers);
    assert!(
        matches!(body, Some(Numbers::Uint8(bytes)) if bytes == &[1, 2]),
        "{body:?}"
    );
}

#[test]
fn floats_are_read_out_of_null_and_texts_as_from_bytes() {
    let high = |text: &str| Value::from(Number::from_text(text).unwrap());
    assert!(from_value::<f64>(Value::Null).unwrap().is_nan());
    assert!(from_value::<f32>(Value::Null).unwrap().is_nan());
    // The neighbours of a tenth in both widths.
    assert_eq!(
        from_value::<f64>(high("0.1000")).unwrap().to_bits(),
        0x3fb9_9999_9999_999a
    );
    assert_eq!(from_value::<f32>(high("0.1000")).unwrap().to_bits(), 0x3dcc_cccd);
    for text in ["1e400", "-1e400"] {
        assert_eq!(from_value::<f64>(high(text)).unwrap_err().kind(), ErrorKind::Number);
    }
    assert_eq!(from_value::<f32>(high("1e39")).unwrap_err().kind(), ErrorKind::Number);
}

#[test]
fn a_value_lends_its_bytes_and_names() {
    let text = Value::from("ab");
    assert_eq!(<&Bytes>::deserialize(&text).unwrap(), &Bytes::new(b"ab")[..]);
    let packed = Value::from(PackedArray::from(vec![-1_i8, 1]));
    assert_eq!(<&Bytes>::deserialize(&packed).unwrap(), &Bytes::new(&[0xff, 1])[..]);
    let wide = Value::from(PackedArray::from(vec![255_i16, 1]));
    assert_eq!(ByteBuf::deserialize(&wide).unwrap(), [255, 1]);
    let refused = ByteBuf::deserialize(&Value::Bool(true)).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Data);

    #[derive(Debug, Deserialize, PartialEq)]
    enum Letter {
        #[serde(rename = "x")]
        X,
    }
    assert_eq!(from_value::<Letter>(Value::Char('x')).unwrap(), Letter::X);
    serde::de::IgnoredAny::deserialize(&text).unwrap();
}

#[test]
fn entries_that_a_type_leaves_are_an_error_of_a_value_too() {
    /// Takes the first entry of a map.
    #[derive(Debug)]
    struct First;

    impl<'de> Deserialize<'de> for First {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_map(First)
        }
    }

    impl<'de> serde::de::Visitor<'de> for First {
        type Value = Self;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("a map")
        }

        fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Self, A::Error> {
            map.next_entry::<String, u8>().map(|_| First)
        }
    }

    from_value::<First>(ubjson!({"a": 1})).unwrap();
    let value = ubjson!({"a": 1, "b": 2});
    let error = from_value::<First>(value.clone()).unwrap_err();
    // As from bytes, where it has an offset.
    let from_bytes = from_slice::<First>(&to_vec(&value).unwrap()).unwrap_err();
    assert!(
        from_bytes.to_string().starts_with(&error.to_string()),
        "{error}, {from_bytes}"
    );
}

#[test]
fn text_that_is_collected_is_a_string_of_a_value() {
    assert_eq!(to_value(&format_args!("{}-{}", 1, 2)).unwrap(), "1-2");
}

#[test]
fn other_formats_see_exact_numbers_of_every_size() {
    for text in ["-5", "5", "-9223372036854775809", "18446744073709551616", "0.5"] {
        let number: Value =
            from_slice(format!("Hi{}{text}", char::from(u8::try_from(text.len()).unwrap())).as_bytes()).unwrap();
        assert_eq!(serde_json::to_string(&number).unwrap(), text);
    }
}

#[test]
fn a_value_as_a_deserializer_is_not_human_readable() {
    let address = ubjson!([127, 0, 0, 1]);
    assert_eq!(Ipv4Addr::deserialize(&address).unwrap(), Ipv4Addr::LOCALHOST);
    assert_eq!(Ipv4Addr::deserialize(address).unwrap(), Ipv4Addr::LOCALHOST);
    let refused = PackedArray::deserialize(ubjson!({"k": 1})).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "invalid type: map, expected a typed array of numbers"
    );
}
