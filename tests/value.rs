//! `Value`, `Number` and packed arrays in the hand: accessors, conversions, comparison, printing.

use serde::Serialize;
use ubjson::value::{Array, Numbers, PackedArray};
use ubjson::{ErrorKind, Map, Marker, Number, Value, from_slice, ubjson};

fn read(bytes: &[u8]) -> Value {
    from_slice(bytes).expect("a document")
}

#[test]
fn each_kind_of_value_is_told_apart() {
    let cases: [(&[u8], &str); 14] = [
        (b"Z", "null"),
        (b"T", "true"),
        (b"F", "false"),
        (b"i\xff", "int8 -1"),
        (b"U\xff", "uint8 255"),
        (b"I\x01\x00", "int16 256"),
        (b"l\0\0\0\x01", "int32 1"),
        (b"L\xff\xff\xff\xff\xff\xff\xff\xff", "int64 -1"),
        (b"d\x3f\0\0\0", "float32 0.5"),
        (b"D\x3f\xe0\0\0\0\0\0\0", "float64 0.5"),
        (b"Hi\x053.140", "high-precision number 3.140"),
        (b"Cx", "'x'"),
        (b"Si\x02\xc3\xa9", "\"\u{e9}\""),
        (b"[$d#i\x02\x3f\0\0\0\x7f\xc0\0\0", "float32 [0.5,NaN]"),
    ];
    for (bytes, shown) in cases {
        assert_eq!(format!("{:?}", read(bytes)), shown);
    }
    let nested = read(b"{i\x01a[$U#i\x02\x01\x02i\x01b[CxZ]i\x01c{}}");
    assert_eq!(format!("{nested:?}"), r#"{"a":uint8 [1,2],"b":['x',null],"c":{}}"#);
    let pretty = "{\n  \"a\": uint8 [\n    1,\n    2\n  ],\n  \"b\": [\n    'x',\n    null\n  ],\n  \"c\": {}\n}";
    assert_eq!(format!("{nested:#?}"), pretty);
}

#[test]
fn accessors_answer_for_their_kind_alone() {
    let value = ubjson!({"null": null, "bool": true, "int": -3, "float": 2.5, "char": 'c', "text": "t", "list": [1]});
    assert_eq!(value["null"].as_null(), Some(()));
    assert_eq!(value["bool"].as_bool(), Some(true));
    assert_eq!(value["int"].as_i64(), Some(-3));
    assert_eq!(value["int"].as_u64(), None);
    assert_eq!(value["int"].as_f64(), Some(-3.0));
    assert_eq!(value["float"].as_f64(), Some(2.5));
    assert_eq!(value["float"].as_i64(), None);
    assert_eq!(value["char"].as_str(), Some("c"));
    assert_eq!(value["text"].as_str(), Some("t"));
    assert_eq!(value["list"].as_array().map(|array| array.len()), Some(1));
    assert_eq!(value.as_object().map(Map::len), Some(7));
    for (key, is_kind) in [
        ("null", Value::is_null as fn(&Value) -> bool),
        ("bool", Value::is_boolean),
        ("int", Value::is_i64),
        ("float", Value::is_f64),
        ("list", Value::is_array),
    ] {
        let told: Vec<_> = value
            .as_object()
            .expect("an object")
            .iter()
            .filter(|(_, value)| is_kind(value))
            .collect();
        assert_eq!(told.len(), 1, "{key}");
        assert_eq!(told[0].0, key);
    }
    let numbers = value
        .as_object()
        .expect("an object")
        .values()
        .filter(|value| value.is_number());
    assert_eq!(numbers.count(), 2);
    let texts = value
        .as_object()
        .expect("an object")
        .values()
        .filter(|value| value.is_string());
    assert_eq!(texts.count(), 2);
    assert!(value.is_object() && !value.is_array());
    assert!(ubjson!(7).is_u64());
    assert_eq!(Value::default(), Value::Null);
}

#[test]
fn numbers_are_equal_by_what_they_are() {
    let high = |text| Number::from_text(text).expect("a number");
    assert_eq!(Number::from(5_i8), Number::from(5_i64));
    assert_eq!(Number::from(5_u8), high("5"));
    assert_eq!(Number::from(0.5_f32), Number::from(0.5_f64));
    assert_ne!(Number::from(0.1_f32), Number::from(0.1_f64));
    assert_ne!(Number::from(5_i8), Number::from(5.0_f64));
    assert_ne!(high("5.0"), high("5.00"));
    assert_ne!(high("5.0"), Number::from(5.0_f64));
    assert_ne!(high("-0"), Number::from(0_i8));
    assert_ne!(Number::from(f64::NAN), Number::from(f64::NAN));
    assert_eq!(Number::from(u64::MAX), high("18446744073709551615"));
}

#[test]
fn numbers_come_from_rust_in_the_width_of_their_type() {
    let cases = [
        (Number::from(1_i8), Marker::Int8),
        (Number::from(1_u8), Marker::Uint8),
        (Number::from(1_i16), Marker::Int16),
        (Number::from(1_u16), Marker::Int32),
        (Number::from(1_i32), Marker::Int32),
        (Number::from(1_u32), Marker::Int64),
        (Number::from(1_i64), Marker::Int64),
        (Number::from(1_u64), Marker::Int64),
        (Number::from(u64::MAX), Marker::HighPrecision),
        (Number::from(1_i128), Marker::Int64),
        (Number::from(i128::MIN), Marker::HighPrecision),
        (Number::from(1.0_f32), Marker::Float32),
        (Number::from(1.0_f64), Marker::Float64),
    ];
    for (number, marker) in cases {
        assert_eq!(number.marker(), marker, "{number}");
    }
    assert_eq!(Number::from(i128::MIN).as_i128(), Some(i128::MIN));
    assert_eq!(Number::from(u64::MAX).as_u64(), Some(u64::MAX));
    assert_eq!(Number::from(u128::MAX).as_u128(), Some(u128::MAX));
    assert_eq!(Number::from(u128::MAX).as_i128(), None);
}

#[test]
fn texts_become_the_number_that_loses_nothing() {
    let cases = [
        ("0", Marker::Int8),
        ("127", Marker::Int8),
        ("128", Marker::Uint8),
        ("256", Marker::Int16),
        ("32768", Marker::Int32),
        ("2147483648", Marker::Int64),
        ("9223372036854775808", Marker::HighPrecision),
        ("-0", Marker::Float64),
        ("0.1", Marker::Float64),
        ("0.10000000000000001", Marker::Float64),
        ("0.100000000000000012", Marker::HighPrecision),
        ("1e400", Marker::HighPrecision),
        ("1e-400", Marker::HighPrecision),
        ("0e400", Marker::Float64),
    ];
    for (text, marker) in cases {
        let number: Number = text.parse().expect(text);
        assert_eq!(number.marker(), marker, "{text}");
        if marker == Marker::HighPrecision {
            assert_eq!(number.as_text(), Some(text));
        }
    }
    for text in ["", "01", "1.", "NaN", "+1", " 1"] {
        assert_eq!(text.parse::<Number>().expect_err(text).kind(), ErrorKind::Number);
        assert_eq!(Number::from_text(text).expect_err(text).kind(), ErrorKind::Number);
    }
    assert!(
        "12345678901234567890123"
            .parse::<Number>()
            .expect("a number")
            .is_integer()
    );
    assert!(!"1.5".parse::<Number>().expect("a number").is_integer());
    assert_eq!(Number::from_text("1e400").expect("a number").as_f64(), None);
}

#[test]
fn packed_arrays_behave_like_arrays() {
    let packed = read(b"[$I#i\x03\0\x01\0\x02\0\x03");
    let plain = read(b"[i\x01i\x02i\x03]");
    assert!(packed.as_packed().is_some() && plain.as_packed().is_none());
    assert_eq!(packed, plain);
    assert_eq!(plain, packed);
    assert_ne!(packed, read(b"[i\x01i\x02]"));
    assert_ne!(packed, read(b"[i\x01i\x02i\x04]"));
    assert_ne!(packed, read(b"[i\x01i\x02Z]"));
    assert!(packed.is_array());
    assert_eq!(packed[1], 2);
    assert_eq!(packed.get(2), Some(&Value::from(3)));
    assert_eq!(packed.get(3), None);
    assert_eq!(packed[3], Value::Null);
    assert_eq!(packed.pointer("/0"), Some(&Value::from(1)));
    assert_eq!(packed.to_string(), "[1,2,3]");
    let sum: i64 = packed
        .as_array()
        .expect("an array")
        .iter()
        .filter_map(Value::as_i64)
        .sum();
    assert_eq!(sum, 6);
    let reversed: Vec<_> = packed.as_packed().expect("packed").iter().rev().collect();
    assert_eq!(reversed, [Number::from(3), Number::from(2), Number::from(1)]);
    // Looking at it has changed nothing.
    assert_eq!(packed.as_packed().map(PackedArray::marker), Some(Marker::Int16));
}

#[test]
fn a_packed_array_is_ordinary_once_an_element_is_changed() {
    let mut packed = read(b"[$I#i\x02\0\x01\0\x02");
    assert_eq!(packed.get_mut(2), None);
    assert!(packed.as_packed().is_some());
    packed[0] = "one".into();
    assert!(packed.as_packed().is_none());
    assert_eq!(packed, ubjson!(["one", 2]));

    let mut numbers = read(b"[$I#i\x02\0\x01\0\x02");
    assert_eq!(numbers[0], 1);
    match numbers.as_packed_mut().expect("packed").numbers_mut() {
        Numbers::Int16(numbers) => numbers[0] = 7,
        other => panic!("{other:?}"),
    }
    assert_eq!(numbers[0], 7, "what was unpacked is forgotten");
}

#[test]
fn packed_arrays_come_from_vectors() {
    let packed = PackedArray::from(vec![1.5_f32, 2.5]);
    assert_eq!((packed.marker(), packed.len()), (Marker::Float32, 2));
    assert_eq!(packed, PackedArray::from(vec![1.5_f64, 2.5]));
    assert_ne!(PackedArray::from(vec![1_u8]), PackedArray::from(vec![1.0_f64]));
    assert_eq!(
        ubjson::to_vec(&packed).expect("a document"),
        b"[$d#i\x02\x3f\xc0\0\0\x40\x20\0\0"
    );
    assert_eq!(
        ubjson::to_vec(&PackedArray::from(Vec::<i64>::new())).expect("a document"),
        b"[$L#i\0"
    );
    assert!(matches!(packed.into_numbers(), Numbers::Float32(numbers) if numbers == [1.5, 2.5]));
}

#[test]
fn a_million_floats_take_four_bytes_each() {
    let numbers = Numbers::Float32(vec![0.0; 1_000_000]);
    let bytes = ubjson::to_vec(&PackedArray::from(numbers)).expect("a document");
    match read(&bytes) {
        Value::Packed(packed) => match packed.into_numbers() {
            Numbers::Float32(numbers) => assert_eq!((numbers.len(), numbers.capacity()), (1_000_000, 1_000_000)),
            other => panic!("{:?}", PackedArray::from(other).marker()),
        },
        _ => panic!("not packed"),
    }
}

#[test]
fn pointers_follow_rfc_6901() {
    // The document and the pointers of RFC 6901, section 5.
    let value = ubjson!({
        "foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6, " ": 7, "m~n": 8
    });
    assert_eq!(value.pointer(""), Some(&value));
    assert_eq!(value.pointer("/foo"), Some(&ubjson!(["bar", "baz"])));
    assert_eq!(value.pointer("/foo/0"), Some(&"bar".into()));
    for (pointer, number) in [
        ("/", 0),
        ("/a~1b", 1),
        ("/c%d", 2),
        ("/e^f", 3),
        ("/g|h", 4),
        ("/i\\j", 5),
        ("/k\"l", 6),
        ("/ ", 7),
        ("/m~0n", 8),
    ] {
        assert_eq!(value.pointer(pointer), Some(&Value::from(number)), "{pointer}");
    }
    for pointer in [
        "foo", "/foo/", "/foo/00", "/foo/01", "/foo/+1", "/foo/-", "/foo/2", "/none", "/foo/0/0",
    ] {
        assert_eq!(value.pointer(pointer), None, "{pointer}");
    }
    let mut value = value;
    *value.pointer_mut("/foo/1").expect("an element") = 9.into();
    assert_eq!(value["foo"], ubjson!(["bar", 9]));
    assert_eq!(value.pointer_mut("/foo/2"), None);
}

#[test]
fn indexing_is_lenient_for_reading_and_inserts_for_writing() {
    let mut value = Value::Null;
    assert_eq!(value["a"]["b"][3], Value::Null);
    assert!(value.is_null());
    value["a"]["b"] = 1.into();
    let key = String::from("c");
    value[&key] = ubjson!([1, 2]);
    value["c"][1] = "x".into();
    assert_eq!(value, ubjson!({"a": {"b": 1}, "c": [1, "x"]}));
    assert_eq!(value.get(&key).and_then(|c| c.get(0)), Some(&1.into()));
    assert_eq!(value["c"].take(), ubjson!([1, "x"]));
    assert_eq!(value, ubjson!({"a": {"b": 1}, "c": null}));
}

#[test]
#[should_panic(expected = "index 2 of a value with Some(2) elements")]
fn assigning_behind_the_end_panics() {
    ubjson!([1, 2])[2] = 3.into();
}

#[test]
#[should_panic(expected = "key \"a\" of a value that is no object")]
fn assigning_to_a_key_of_an_array_panics() {
    ubjson!([1, 2])["a"] = 3.into();
}

#[test]
fn values_compare_with_rusts_own_types() {
    assert_eq!(ubjson!(true), true);
    assert_eq!(ubjson!("a"), "a");
    assert_eq!(ubjson!("a"), String::from("a"));
    assert_eq!("a", ubjson!("a"));
    assert_eq!(ubjson!('a'), 'a');
    assert_eq!(ubjson!('a'), "a");
    assert_ne!(ubjson!("a"), 'a');
    assert_ne!(ubjson!("a"), ubjson!('a'));
    assert_eq!(ubjson!(7), 7_u64);
    assert_eq!(7_i8, ubjson!(7));
    assert_eq!(ubjson!(0.5_f32), 0.5_f64);
    assert_ne!(ubjson!(1), 1.0);
    assert_ne!(ubjson!("1"), 1);
    assert_eq!(ubjson!(u64::MAX), u64::MAX);
}

#[test]
fn values_come_from_rusts_own_types() {
    assert_eq!(Value::from(()), Value::Null);
    assert_eq!(Value::from(Some(1)), ubjson!(1));
    assert_eq!(Value::from(None::<u8>), Value::Null);
    assert_eq!(Value::from(vec!["a", "b"]), ubjson!(["a", "b"]));
    assert_eq!(Value::from([1, 2]), ubjson!([1, 2]));
    assert_eq!(Value::from(&[1_u8, 2][..]), ubjson!([1, 2]));
    assert_eq!(Value::from('\u{e9}'), Value::String("\u{e9}".into()));
    assert_eq!(Value::from('e'), Value::Char('e'));
    assert_eq!(Value::from(std::borrow::Cow::Borrowed("a")), "a");
    assert_eq!((1..=3).collect::<Value>(), ubjson!([1, 2, 3]));
    assert_eq!([("a", 1)].into_iter().collect::<Value>(), ubjson!({"a": 1}));
    let mut array: Array = [1, 2].into_iter().collect();
    array.extend([3]);
    assert_eq!(Value::from(array.clone()), ubjson!([1, 2, 3]));
    assert_eq!(array.into_iter().filter_map(|value| value.as_i64()).sum::<i64>(), 6);
}

#[test]
fn the_macro_takes_what_json_takes() {
    #[derive(Serialize)]
    struct Point {
        x: u8,
    }
    fn double(value: u8) -> u8 {
        value * 2
    }
    let (key, list) = ("dynamic", vec![1, 2]);
    let value = ubjson!({
        "null": null, "true": true, "negative": -1, "sum": 1 + 2 * 3, "call": double(4), "path": u8::MAX,
        "block": if list.is_empty() { 0 } else { 1 }, "index": [[1, 2], [3]], "element": [10, 20][1],
        "struct": Point { x: 1 }, "reference": &list, "tuple": (1, "a"), "option": None::<u8>,
        "empty": [], "object": {}, "trailing": [1, 2,], "parentheses": (2 + 3), "macro": vec![1; 2],
        key: 1, key.to_uppercase(): 2, (format!("{key}!")): 3, "nested": {"a": {"b": [null, {"c": []}]}},
    });
    let expected = concat!(
        r#"{"null":null,"true":true,"negative":-1,"sum":7,"call":8,"path":255,"block":1,"index":[[1,2],[3]],"#,
        r#""element":20,"struct":{"x":1},"reference":[1,2],"tuple":[1,"a"],"option":null,"empty":[],"object":{},"#,
        r#""trailing":[1,2],"parentheses":5,"macro":[1,1],"dynamic":1,"DYNAMIC":2,"dynamic!":3,"#,
        r#""nested":{"a":{"b":[null,{"c":[]}]}}}"#
    );
    assert_eq!(value.to_string(), expected);
    assert_eq!(ubjson!(null), Value::Null);
    assert_eq!(ubjson!("a".to_owned() + "b"), "ab");
    assert_eq!(ubjson!([null, [], {}]).to_string(), "[null,[],{}]");
    assert_eq!(list, [1, 2], "expressions are borrowed");
}

#[test]
fn printing_is_json() {
    let value = ubjson!({
        "text": "\"\\/\u{8}\u{c}\n\r\t\u{1}\u{1f}\u{7f}\u{e9}\u{1f600}", "char": '"', "nan": f64::NAN,
        "inf": [f32::INFINITY], "f32": 0.1_f32, "f64": 1e300, "whole": 3.0, "tiny": 1e-7, "min": i64::MIN,
    });
    let expected = concat!(
        r#"{"text":"\"\\/\b\f\n\r\t\u0001\u001f"#,
        "\u{7f}\u{e9}\u{1f600}",
        r#"","char":"\"","nan":null,"inf":[null],"f32":0.1,"f64":1e300,"whole":3.0,"tiny":1e-7,"#,
        r#""min":-9223372036854775808}"#
    );
    assert_eq!(value.to_string(), expected);
    let reread: serde_json::Value = serde_json::from_str(&value.to_string()).expect("JSON");
    assert_eq!(reread["text"], "\"\\/\u{8}\u{c}\n\r\t\u{1}\u{1f}\u{7f}\u{e9}\u{1f600}");
    let pretty = ubjson!({"a": [1, {}], "b": []});
    let json: serde_json::Value = serde_json::from_str(&pretty.to_string()).expect("JSON");
    assert_eq!(format!("{pretty:#}"), format!("{json:#}"));
    let packed = read(b"[$U#i\x02\x01\x02");
    assert_eq!(format!("{packed:#}"), "[\n  1,\n  2\n]");
    assert_eq!(format!("{:#}", read(b"[$U#i\0")), "[]");
}

#[test]
fn a_value_and_its_parts_are_send_and_sync() {
    fn check<T: Send + Sync + 'static>() {}
    check::<Value>();
    check::<Map>();
    check::<PackedArray>();
    check::<ubjson::RawValue>();
}

#[test]
fn accessors_of_other_kinds_say_none() {
    let values = [
        Value::Null,
        Value::Bool(false),
        Value::from(0),
        Value::Char('0'),
        Value::from("0"),
        Value::Array(Array::new()),
        Value::from(PackedArray::from(vec![0_u8])),
        Value::Object(Map::new()),
    ];
    type Answer = fn(&mut Value) -> bool;
    // Of the kinds above, in their order.
    let questions: [(&str, Answer, [bool; 8]); 11] = [
        (
            "null",
            |value| value.as_null().is_some(),
            [true, false, false, false, false, false, false, false],
        ),
        (
            "bool",
            |value| value.as_bool().is_some(),
            [false, true, false, false, false, false, false, false],
        ),
        (
            "number",
            |value| value.as_number().is_some(),
            [false, false, true, false, false, false, false, false],
        ),
        (
            "i64",
            |value| value.as_i64().is_some(),
            [false, false, true, false, false, false, false, false],
        ),
        (
            "str",
            |value| value.as_str().is_some(),
            [false, false, false, true, true, false, false, false],
        ),
        (
            "packed",
            |value| value.as_packed().is_some(),
            [false, false, false, false, false, false, true, false],
        ),
        (
            "packed_mut",
            |value| value.as_packed_mut().is_some(),
            [false, false, false, false, false, false, true, false],
        ),
        (
            "array",
            |value| value.as_array().is_some(),
            [false, false, false, false, false, true, true, false],
        ),
        (
            "object",
            |value| value.as_object().is_some(),
            [false, false, false, false, false, false, false, true],
        ),
        (
            "object_mut",
            |value| value.as_object_mut().is_some(),
            [false, false, false, false, false, false, false, true],
        ),
        // Last, as it unpacks.
        (
            "array_mut",
            |value| value.as_array_mut().is_some(),
            [false, false, false, false, false, true, true, false],
        ),
    ];
    for (name, answer, expected) in questions {
        assert_eq!(values.clone().map(|mut value| answer(&mut value)), expected, "{name}");
    }
}

#[test]
fn values_are_reached_by_keys_of_every_type_of_text() {
    let mut value = ubjson!({"a": {"b": 1}});
    let (key, owned) = ("a", "b".to_owned());
    *value.get_mut(key).and_then(|inner| inner.get_mut(&owned)).unwrap() = 2.into();
    *value
        .get_mut(key)
        .and_then(|inner| inner.get_mut(owned.clone()))
        .unwrap() = 3.into();
    assert_eq!(value, ubjson!({"a": {"b": 3}}));
    assert!(value.get_mut("b").is_none());
    assert!(Value::Null.get_mut("b").is_none());
}

#[test]
#[should_panic(expected = "index 0 of a value with Some(1) elements")]
fn assigning_to_a_place_of_an_object_panics() {
    let mut value = ubjson!({"a": 1});
    value[0] = 2.into();
}

#[test]
fn sorting_the_keys_of_what_has_none_changes_nothing() {
    let mut value = Value::from(5);
    value.sort_all_keys();
    assert_eq!(value, 5);
}

#[test]
fn arrays_are_made_of_and_into_vectors() {
    let mut array = Array::new();
    assert!(array.is_empty());
    array.extend(["a", "b"]);
    for element in &mut array {
        *element = format!("{}!", element.as_str().unwrap()).into();
    }
    let texts: Vec<_> = (&array).into_iter().filter_map(Value::as_str).collect();
    assert_eq!(texts, ["a!", "b!"]);
    assert_eq!(format!("{array:?}"), r#"["a!", "b!"]"#);
    assert_eq!(array, Array::from(vec!["a!".into(), "b!".into()]));
    assert_ne!(array, Array::new());
    assert_eq!(Vec::from(array), ["a!", "b!"]);
}

#[test]
fn integers_of_every_width_fit_where_they_fit() {
    let numbers = [
        Number::from(-1_i8),
        Number::from(300_i16),
        Number::from_text("9223372036854775808").unwrap(),
    ];
    assert!(numbers.iter().all(Number::is_integer));
    assert_eq!(numbers.each_ref().map(Number::as_i64), [Some(-1), Some(300), None]);
    assert_eq!(numbers.each_ref().map(Number::as_u64), [None, Some(300), Some(1 << 63)]);
    assert_eq!(
        numbers.each_ref().map(Number::as_i128),
        [Some(-1), Some(300), Some(1 << 63)]
    );
    assert_eq!(
        numbers.each_ref().map(Number::as_u128),
        [None, Some(300), Some(1 << 63)]
    );
    // As JSON has it, minus zero is a float.
    let minus_zero = Number::from_text("-0").unwrap();
    assert!(!minus_zero.is_integer());
    assert_eq!((minus_zero.as_i64(), minus_zero.as_u128()), (None, None));
    assert_eq!(minus_zero.as_f64().map(f64::to_bits), Some(1 << 63));
}

#[test]
fn chars_beyond_ascii_are_chars_to_a_type() {
    assert_eq!(ubjson::from_value::<String>(Value::Char('\u{e9}')).unwrap(), "\u{e9}");
    assert_eq!(ubjson::from_value::<char>(Value::Char('\u{e9}')).unwrap(), '\u{e9}');
    assert_eq!(Value::from(Box::<str>::from("text")), "text");
}

#[test]
#[should_panic(expected = "index 0 of a value with None elements")]
fn assigning_to_a_place_of_a_scalar_panics() {
    let mut value = ubjson!(1);
    value[0] = 2.into();
}

#[test]
fn containers_of_different_kinds_are_not_equal() {
    assert_ne!(ubjson!([]), ubjson!({}));
    assert_ne!(ubjson!({}), Value::from(PackedArray::from(Vec::<u8>::new())));
    assert_eq!(ubjson!([]), Value::from(PackedArray::from(Vec::<u8>::new())));
    assert_eq!(format!("{:?}", PackedArray::from(vec![1_u8, 2])), "Uint8([1, 2])");
}
