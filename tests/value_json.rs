//! `Value` from and to `serde_json::Value`: numbers to the digit, and what JSON lacks as documented.
#![cfg(feature = "json")]
// The command line turns on `arbitrary_precision`, without which `serde_json` does not keep digits.
#![cfg(feature = "cli")]

use quickcheck::{Gen, QuickCheck};
use serde_json::json;
use ubjson::{Marker, Number, Value, from_slice, ubjson};

fn to_json(value: Value) -> String {
    serde_json::Value::from(value).to_string()
}

#[test]
fn json_becomes_a_value() {
    let json = json!({"null": null, "bool": true, "int": -5, "float": 0.5, "text": "t", "list": [1, [], {}], "map": {"a": "b"}});
    let expected = ubjson!({"null": null, "bool": true, "int": -5, "float": 0.5, "text": "t", "list": [1, [], {}], "map": {"a": "b"}});
    assert_eq!(Value::from(json), expected);
}

#[test]
fn numbers_of_json_take_the_type_that_loses_nothing() {
    for (text, marker) in [
        ("0", Marker::Int8),
        ("200", Marker::Uint8),
        ("-200", Marker::Int16),
        ("9223372036854775807", Marker::Int64),
        ("9223372036854775808", Marker::HighPrecision),
        ("0.25", Marker::Float64),
        ("1e300", Marker::Float64),
        ("3.14159265358979323846", Marker::HighPrecision),
        ("1e+400", Marker::HighPrecision),
    ] {
        let json: serde_json::Value = serde_json::from_str(text).expect("JSON");
        let value = Value::from(json.clone());
        assert_eq!(value.as_number().map(Number::marker), Some(marker), "{text}");
        let back = serde_json::Value::from(value);
        let (found, expected) = (back.as_f64(), json.as_f64());
        assert_eq!(found, expected, "{text}");
        if marker == Marker::HighPrecision {
            assert_eq!(back.to_string(), text);
        }
    }
}

#[test]
fn what_json_lacks_is_as_near_as_it_gets() {
    let value: Value =
        from_slice(b"[d\x7f\xc0\0\0D\xff\xf0\0\0\0\0\0\0CxHi\x041.50[$I#i\x02\0\x01\xff\xff[$d#i\x01\x3d\xcc\xcc\xcd]")
            .expect("a document");
    assert_eq!(to_json(value), r#"[null,null,"x",1.50,[1,-1],[0.1]]"#);
    assert_eq!(
        to_json(ubjson!({"a": {"b": [null, true, 7, "t"]}})),
        r#"{"a":{"b":[null,true,7,"t"]}}"#
    );
    assert_eq!(to_json(ubjson!(0.1_f32)), "0.1");
}

#[test]
fn numbers_survive_the_way_there_and_back() {
    fn property(int: i64, float: f64) -> bool {
        let value = match float.is_finite() {
            true => ubjson!([int, float]),
            false => ubjson!([int]),
        };
        Value::from(serde_json::Value::from(value.clone())) == value
    }
    QuickCheck::new()
        .rng(Gen::new(100))
        .tests(2000)
        .quickcheck(property as fn(_, _) -> _);
}
