//! `RawValue` and `RawRef`: checked when made, kept to the byte, written to the byte.
#![cfg(feature = "std")]

mod common;

use std::collections::BTreeMap;

use serde::de::IgnoredAny;
use serde::de::value::{BytesDeserializer, Error as AnyError, MapDeserializer, SeqDeserializer};
use serde::{Deserialize, Serialize};
use ubjson::ser::{Config, Containers, Lengths};
use ubjson::{ErrorKind, RawRef, RawValue, Value, from_slice, from_value, to_value, to_vec, ubjson};

use common::sources::Source;
use common::vectors::{Expected, decode_vectors};
use common::{grammar, to_hex};

fn raw(bytes: &[u8]) -> RawValue {
    RawValue::from_slice(bytes).expect("a value")
}

#[test]
fn every_vector_is_kept_to_the_byte_from_every_source() {
    let mut kept = 0;
    for vector in decode_vectors() {
        if let Expected::Error { .. } | Expected::Bomb = vector.expected {
            continue;
        }
        let start = vector.bytes.iter().take_while(|byte| **byte == b'N').count();
        let end = grammar::value(&vector.bytes).expect("a value").end;
        for source in Source::ALL {
            let context = format!("{} from {source:?}", vector.name);
            let read = source.read::<RawValue>(&vector.bytes);
            let raw = read.result.unwrap_or_else(|failure| panic!("{context}: {failure:?}"));
            assert_eq!(to_hex(raw.as_bytes()), to_hex(&vector.bytes[start..end]), "{context}");
            assert!(read.position.is_none_or(|position| position == end as u64), "{context}");
        }
        kept += 1;
    }
    assert!(kept > 400, "{kept}");
}

#[test]
fn every_refused_vector_is_refused_with_the_same_error() {
    for vector in decode_vectors() {
        for source in Source::ALL {
            let expected = source.read::<IgnoredAny>(&vector.bytes);
            let Err(expected) = expected.result else { continue };
            let failure = source.read::<RawValue>(&vector.bytes).result.expect_err(&vector.name);
            assert_eq!(failure, expected, "{} from {source:?}", vector.name);
        }
        let Err(expected) = from_slice::<IgnoredAny>(&vector.bytes) else {
            continue;
        };
        for error in [
            RawValue::from_slice(&vector.bytes).expect_err(&vector.name),
            RawValue::from_vec(vector.bytes.clone()).expect_err(&vector.name),
            RawRef::new(&vector.bytes).expect_err(&vector.name),
        ] {
            assert_eq!(error.to_string(), expected.to_string(), "{}", vector.name);
        }
    }
}

#[derive(Deserialize, Serialize)]
struct Holder {
    first: RawValue,
    list: Vec<RawValue>,
    map: BTreeMap<String, RawValue>,
    maybe: Option<RawValue>,
    last: u8,
}

/// A document with raw values in every place, larger than any buffer, the values with no-ops and odd lengths in them.
fn document() -> (Vec<u8>, Vec<u8>) {
    let mut value = b"[NNI\0\x01{I\0\x01kNi\x05N}[$d#U\x01\x3f\0\0\0SL\0\0\0\0\0\0\x75\x30".to_vec();
    value.extend([b'x'; 30_000]);
    value.push(b']');
    let mut bytes = b"{i\x05first".to_vec();
    bytes.extend(&value);
    bytes.extend(b"i\x04list[Z");
    bytes.extend(&value);
    bytes.extend(b"Cx]i\x03map{i\x01k");
    bytes.extend(&value);
    bytes.extend(b"}i\x05maybe");
    bytes.extend(&value);
    bytes.extend(b"i\x04lastU\x01}");
    (bytes, value)
}

#[test]
fn raw_values_are_kept_and_written_wherever_they_stand() {
    let (bytes, value) = document();
    for source in Source::ALL {
        let holder: Holder = source.read(&bytes).result.expect("a document");
        assert_eq!(holder.first.as_bytes(), value);
        assert_eq!(holder.list[0].as_bytes(), b"Z");
        assert_eq!(holder.list[1].as_bytes(), value);
        assert_eq!(holder.list[2].as_bytes(), b"Cx");
        assert_eq!(holder.map["k"].as_bytes(), value);
        assert_eq!(holder.maybe.as_ref().map(RawValue::as_bytes), Some(&value[..]));
        let config = Config::new()
            .containers(Containers::Plain)
            .integers(ubjson::ser::Integers::Declared);
        assert!(config.to_vec(&holder).expect("a document") == bytes);
        let mut written = Vec::new();
        config.to_writer(&mut written, &holder).expect("a document");
        assert!(written == bytes);
    }
}

#[test]
fn elements_of_typed_containers_get_their_marker_back() {
    let cases: [(&[u8], &[&[u8]]); 6] = [
        (b"[$i#i\x02\x01\xff", &[b"i\x01", b"i\xff"]),
        (b"[$S#i\x02i\x01ai\0", &[b"Si\x01a", b"Si\0"]),
        (b"[$[#i\x02i\x01]$U#i\x02\x01\x02", &[b"[i\x01]", b"[$U#i\x02\x01\x02"]),
        (b"[${#i\x01i\x01ai\x01}", &[b"{i\x01ai\x01}"]),
        (b"[$Z#i\x02", &[b"Z", b"Z"]),
        (b"[$C#i\x01x", &[b"Cx"]),
    ];
    for (bytes, expected) in cases {
        for source in Source::ALL {
            let elements: Vec<RawValue> = source.read(bytes).result.expect("a document");
            let elements: Vec<_> = elements.iter().map(|raw| to_hex(raw.as_bytes())).collect();
            let expected: Vec<_> = expected.iter().map(|bytes| to_hex(bytes)).collect();
            assert_eq!(elements, expected, "{source:?}");
        }
    }
    let map: BTreeMap<String, RawValue> = from_slice(b"{$I#i\x01i\x01a\0\x05").expect("a document");
    assert_eq!(map["a"].as_bytes(), b"I\0\x05");
}

#[test]
fn raw_values_stop_an_array_from_becoming_a_typed_one() {
    #[derive(Serialize)]
    #[serde(untagged)]
    enum Element {
        Number(u8),
        Raw(RawValue),
    }
    let mut elements: Vec<_> = (0..10).map(Element::Number).collect();
    elements.push(Element::Raw(raw(b"l\0\0\0\x07")));
    elements.push(Element::Number(3));
    let bytes = to_vec(&elements).expect("a document");
    let read: Vec<u8> = from_slice(&bytes).expect("a document");
    assert_eq!(read, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 7, 3]);
    let raws: Vec<RawValue> = from_slice(&bytes).expect("a document");
    assert_eq!(raws[10].as_bytes(), b"l\0\0\0\x07");
    assert_eq!(
        to_vec(&vec![raw(b"U\x01"), raw(b"U\x02")]).expect("a document"),
        b"[U\x01U\x02]"
    );
}

#[test]
fn slices_lend_their_bytes() {
    #[derive(Deserialize, Serialize)]
    struct Borrower<'a> {
        #[serde(borrow)]
        body: RawRef<'a>,
        #[serde(borrow)]
        rest: Vec<RawRef<'a>>,
    }
    let bytes = b"{i\x04body[$U#i\x02\x01\x02i\x04rest[TNF]}".to_vec();
    let borrower: Borrower<'_> = from_slice(&bytes).expect("a document");
    assert_eq!(borrower.body.as_bytes(), b"[$U#i\x02\x01\x02");
    assert!(bytes.as_ptr_range().contains(&borrower.body.as_bytes().as_ptr()));
    assert_eq!(borrower.body.decode::<&[u8]>().expect("bytes"), [1, 2]);
    assert_eq!(borrower.rest[1].to_owned(), raw(b"F"));
    assert_eq!(
        Config::new()
            .containers(Containers::Plain)
            .to_vec(&borrower)
            .expect("a document"),
        b"{i\x04body[$U#i\x02\x01\x02i\x04rest[TF]}"
    );
    // The elements of a typed array are not whole values.
    let error = from_slice::<Vec<RawRef<'_>>>(b"[$S#i\x01i\x01a").expect_err("no marker");
    assert_eq!(error.kind(), ErrorKind::Data);
}

#[test]
fn raw_values_are_checked_when_they_are_made() {
    assert_eq!(raw(b"NNi\x05NN").as_bytes(), b"i\x05");
    assert_eq!(
        RawValue::from_vec(b"NNi\x05NN".to_vec()).expect("a value"),
        raw(b"i\x05")
    );
    assert_eq!(raw(b"i\x05").into_bytes(), b"i\x05");
    for (bytes, kind) in [
        (&b""[..], ErrorKind::Eof),
        (b"N", ErrorKind::Eof),
        (b"i", ErrorKind::Eof),
        (b"i\x05i\x05", ErrorKind::Trailing),
        (b"Si\x01\xff", ErrorKind::Utf8),
        (b"[i\x01", ErrorKind::Eof),
        (b"Hi\x01x", ErrorKind::Number),
    ] {
        assert_eq!(RawValue::from_slice(bytes).expect_err("no value").kind(), kind);
        assert_eq!(RawValue::from_vec(bytes.to_vec()).expect_err("no value").kind(), kind);
    }
    let encoded = RawValue::encode(&(1, "a")).expect("a value");
    assert_eq!(encoded.as_bytes(), b"[i\x01Si\x01a]");
    assert_eq!(encoded.decode::<(u8, &str)>().expect("a pair"), (1, "a"));
    assert_eq!(format!("{:?}", raw(b"Cx")), "RawValue { byte_len: 2, value: 'x' }");
    assert_eq!(
        format!("{:?}", raw(b"Cx").as_ref()),
        "RawRef { byte_len: 2, value: 'x' }"
    );
}

#[test]
fn where_serde_buffers_the_value_is_encoded_anew() {
    #[derive(Deserialize, Serialize)]
    struct Flat {
        a: u8,
        #[serde(flatten)]
        rest: BTreeMap<String, RawValue>,
    }
    let bytes = b"{i\x01aU\x01i\x01bSI\0\x01xi\x01c[I\0\x02NT]}";
    let flat: Flat = from_slice(bytes).expect("a document");
    assert_eq!(flat.a, 1);
    assert_eq!(flat.rest["b"].decode::<&str>().expect("a text"), "x");
    assert_eq!(flat.rest["c"].decode::<(i16, bool)>().expect("a pair"), (2, true));
    assert_eq!(
        flat.rest["c"].as_bytes(),
        b"[I\0\x02T]",
        "the widths of numbers are kept"
    );
    // Written from a flattened map, a raw value is verbatim.
    let rest = BTreeMap::from([("b".to_owned(), raw(b"SI\0\x01x"))]);
    let written = Config::new()
        .lengths(Lengths::Smallest)
        .to_vec(&Flat { a: 1, rest })
        .expect("a document");
    assert_eq!(written, b"{i\x01ai\x01i\x01bSI\0\x01x}");
}

#[test]
fn other_formats_and_trees_see_the_value() {
    let holder = BTreeMap::from([("k", raw(b"[I\0\x02Hi\x031.5Cx]"))]);
    let json = serde_json::to_string(&holder).expect("JSON");
    assert_eq!(json, r#"{"k":[2,1.5,"x"]}"#);
    let back: BTreeMap<String, RawValue> = serde_json::from_str(&json).expect("JSON");
    assert_eq!(back["k"].decode::<(u8, f32, char)>().expect("a tuple"), (2, 1.5, 'x'));
    let value = to_value(&holder).expect("a value");
    assert_eq!(format!("{value:?}"), r#"{"k":[int16 2,high-precision number 1.5,'x']}"#);
    let back: BTreeMap<String, RawValue> = from_value(value).expect("a value");
    assert_eq!(
        back["k"].decode::<Value>().expect("a value"),
        holder["k"].decode::<Value>().expect("a value")
    );
    let from_scalar = serde::de::value::U8Deserializer::<serde::de::value::Error>::new(5);
    assert_eq!(
        RawValue::deserialize(from_scalar).expect("a value").as_bytes(),
        b"U\x05"
    );
    assert_eq!(raw(b"Z").decode::<Value>().expect("a value"), ubjson!(null));
}

#[test]
fn values_of_other_formats_are_encoded() {
    for (json, bytes) in [
        ("null", &b"Z"[..]),
        ("[]", b"[]"),
        (r#"[true,null,"x",[false]]"#, b"[#i\x04TZSi\x01x[F]"),
        (r#"{"b":"","a":{"c":null}}"#, b"{i\x01bSi\0i\x01a{i\x01cZ}}"),
    ] {
        let raw: RawValue = serde_json::from_str(json).unwrap();
        assert_eq!(to_hex(raw.as_bytes()), to_hex(bytes), "{json}");
    }
    let bytes = BytesDeserializer::<AnyError>::new(&[1, 0xff]);
    assert_eq!(RawValue::deserialize(bytes).unwrap().as_bytes(), b"[$U#i\x02\x01\xff");
    let elements = SeqDeserializer::<_, AnyError>::new([true, false].into_iter());
    assert_eq!(RawValue::deserialize(elements).unwrap().as_bytes(), b"[TF]");
    let entries = MapDeserializer::<_, AnyError>::new([("k", "v")].into_iter());
    assert_eq!(RawValue::deserialize(entries).unwrap().as_bytes(), b"{i\x01kSi\x01v}");
    let packed = rmp_serde::to_vec(serde_bytes::Bytes::new(&[1, 0xff])).unwrap();
    let raw: RawValue = rmp_serde::from_slice(&packed).unwrap();
    assert_eq!(raw.as_bytes(), b"[$U#i\x02\x01\xff");
}
