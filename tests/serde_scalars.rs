//! Numbers, text, bytes and options through serde, both ways. The bytes are written by hand from draft 12.

mod common;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::rc::Rc;

use serde::Deserialize;
use serde_bytes::{ByteArray, ByteBuf, Bytes};
use ubjson::ser::Integers;
use ubjson::{ErrorKind, from_slice};

use common::model::{both, plain, reads, refuses, writes};
use common::to_hex;

#[test]
fn bools_are_a_marker_each() {
    both(true, b"T");
    both(false, b"F");
    refuses::<bool>(b"i\x01");
    refuses::<bool>(b"Z");
}

#[test]
fn signed_integers_take_the_smallest_form_of_their_value() {
    both(0_i8, b"i\0");
    both(i8::MIN, b"i\x80");
    both(i8::MAX, b"i\x7f");
    both(-1_i16, b"i\xff");
    both(200_i16, b"U\xc8");
    both(i16::MIN, b"I\x80\0");
    both(-129_i32, b"I\xff\x7f");
    both(i32::MAX, b"l\x7f\xff\xff\xff");
    both(255_i64, b"U\xff");
    both(256_i64, b"I\x01\0");
    both(i64::from(i32::MIN), b"l\x80\0\0\0");
    both(i64::from(i32::MIN) - 1, b"L\xff\xff\xff\xff\x7f\xff\xff\xff");
    both(i64::MIN, b"L\x80\0\0\0\0\0\0\0");
    both(-5_isize, b"i\xfb");
}

#[test]
fn unsigned_integers_take_the_smallest_form_of_their_value() {
    both(127_u8, b"i\x7f");
    both(128_u8, b"U\x80");
    both(u8::MAX, b"U\xff");
    both(32_767_u16, b"I\x7f\xff");
    both(32_768_u16, b"l\0\0\x80\0");
    both(u16::MAX, b"l\0\0\xff\xff");
    both(u32::MAX, b"L\0\0\0\0\xff\xff\xff\xff");
    both(2_147_483_647_u32, b"l\x7f\xff\xff\xff");
    both(9_223_372_036_854_775_807_u64, b"L\x7f\xff\xff\xff\xff\xff\xff\xff");
    both(9_223_372_036_854_775_808_u64, b"Hi\x139223372036854775808");
    both(u64::MAX, b"Hi\x1418446744073709551615");
    both(3_usize, b"i\x03");
}

#[test]
fn integers_of_128_bits_are_high_precision_only_where_they_must_be() {
    both(1_i128, b"i\x01");
    both(300_u128, b"I\x01\x2c");
    both(i128::from(i64::MIN), b"L\x80\0\0\0\0\0\0\0");
    both(i128::from(i64::MIN) - 1, b"Hi\x14-9223372036854775809");
    both(i128::MIN, b"Hi\x28-170141183460469231731687303715884105728");
    both(i128::MAX, b"Hi\x27170141183460469231731687303715884105727");
    both(u128::from(u64::MAX) + 1, b"Hi\x1418446744073709551616");
    both(u128::MAX, b"Hi\x27340282366920938463463374607431768211455");
}

#[test]
fn declared_integers_take_the_form_of_their_type() {
    let declared = |bytes: ubjson::Result<Vec<u8>>| to_hex(&bytes.unwrap());
    let config = plain().integers(Integers::Declared);
    assert_eq!(declared(config.to_vec(&1_i8)), to_hex(b"i\x01"));
    assert_eq!(declared(config.to_vec(&1_u8)), to_hex(b"U\x01"));
    assert_eq!(declared(config.to_vec(&1_i16)), to_hex(b"I\0\x01"));
    assert_eq!(declared(config.to_vec(&1_u16)), to_hex(b"l\0\0\0\x01"));
    assert_eq!(declared(config.to_vec(&1_i32)), to_hex(b"l\0\0\0\x01"));
    assert_eq!(declared(config.to_vec(&1_u32)), to_hex(b"L\0\0\0\0\0\0\0\x01"));
    assert_eq!(declared(config.to_vec(&1_i64)), to_hex(b"L\0\0\0\0\0\0\0\x01"));
    assert_eq!(declared(config.to_vec(&1_u64)), to_hex(b"L\0\0\0\0\0\0\0\x01"));
    assert_eq!(
        declared(config.to_vec(&u64::MAX)),
        to_hex(b"Hi\x1418446744073709551615")
    );
}

#[test]
fn every_integer_form_reads_into_every_integer_type_that_holds_it() {
    let forms: [&[u8]; 6] = [
        b"i\x07",
        b"U\x07",
        b"I\0\x07",
        b"l\0\0\0\x07",
        b"L\0\0\0\0\0\0\0\x07",
        b"Hi\x017",
    ];
    for form in forms {
        reads(form, 7_i8);
        reads(form, 7_i16);
        reads(form, 7_i32);
        reads(form, 7_i64);
        reads(form, 7_i128);
        reads(form, 7_u8);
        reads(form, 7_u16);
        reads(form, 7_u32);
        reads(form, 7_u64);
        reads(form, 7_u128);
    }
}

#[test]
fn integers_out_of_range_are_refused_and_never_truncated() {
    assert!(refuses::<u8>(b"i\xff").starts_with("invalid value: integer `-1`, expected u8"));
    refuses::<u128>(b"i\xff");
    refuses::<i8>(b"U\x80");
    refuses::<u8>(b"I\x01\0");
    refuses::<i16>(b"l\0\0\x80\0");
    refuses::<u32>(b"L\0\0\0\x01\0\0\0\0");
    refuses::<u64>(b"L\x80\0\0\0\0\0\0\0");
}

#[test]
fn high_precision_integers_out_of_range_are_refused_and_never_truncated() {
    let error = |bytes: &[u8]| from_slice::<i64>(bytes).unwrap_err().kind();
    assert!(matches!(
        error(b"Hi\x139223372036854775808"),
        ErrorKind::Data | ErrorKind::Number
    ));
    let error = |bytes: &[u8]| from_slice::<u8>(bytes).unwrap_err().kind();
    assert!(matches!(error(b"Hi\x03256"), ErrorKind::Data | ErrorKind::Number));
    assert!(matches!(error(b"Hi\x02-1"), ErrorKind::Data | ErrorKind::Number));
    assert!(matches!(error(b"Hi\x031.5"), ErrorKind::Data | ErrorKind::Number));
}

#[test]
fn floats_keep_their_width() {
    both(0.5_f32, b"d\x3f\0\0\0");
    both(0.5_f64, b"D\x3f\xe0\0\0\0\0\0\0");
    both(f32::INFINITY, b"d\x7f\x80\0\0");
    both(f64::NEG_INFINITY, b"D\xff\xf0\0\0\0\0\0\0");
    writes(&f32::NAN, b"d\x7f\xc0\0\0");
    writes(&f64::NAN, b"D\x7f\xf8\0\0\0\0\0\0");
}

#[test]
fn floats_read_from_every_number() {
    reads(b"d\x3f\0\0\0", 0.5_f64);
    reads(b"D\x3f\xe0\0\0\0\0\0\0", 0.5_f32);
    reads(b"i\xff", -1.0_f64);
    reads(b"U\xff", 255.0_f32);
    reads(b"L\x7f\xff\xff\xff\xff\xff\xff\xff", 9_223_372_036_854_775_807.0_f64);
    reads(b"Hi\x041e-3", 0.001_f64);
    reads(b"Hi\x041e-3", 0.001_f32);
    reads(b"Hi\x1418446744073709551616", 18_446_744_073_709_551_616.0_f64);
    assert!(from_slice::<f64>(b"Hi\x02-0").unwrap().is_sign_negative());
}

#[test]
fn null_reads_into_floats_as_nan() {
    assert!(from_slice::<f32>(b"Z").unwrap().is_nan());
    assert!(from_slice::<f64>(b"Z").unwrap().is_nan());
    let row: (f64, f32) = from_slice(b"[ZZ]").unwrap();
    assert!(row.0.is_nan() && row.1.is_nan());
    let typed: Vec<f64> = from_slice(b"[$Z#i\x02").unwrap();
    assert!(typed.len() == 2 && typed.iter().all(|value| value.is_nan()));
}

#[test]
fn numbers_do_not_cross_into_other_types() {
    refuses::<i32>(b"d\x3f\x80\0\0");
    refuses::<String>(b"i\x01");
    refuses::<f64>(b"Si\x011");
    refuses::<u8>(b"Si\x011");
    refuses::<char>(b"i\x41");
}

#[test]
fn ascii_chars_are_chars_and_others_strings() {
    both('a', b"Ca");
    both('\0', b"C\0");
    both('\x7f', b"C\x7f");
    both('é', b"Si\x02\xc3\xa9");
    both('🚀', b"Si\x04\xf0\x9f\x9a\x80");
    reads(b"Si\x01a", 'a');
    assert!(refuses::<char>(b"Si\x02ab").contains("expected a character"));
    refuses::<char>(b"Si\0");
}

#[test]
fn strings_read_from_strings_and_chars() {
    both(String::new(), b"Si\0");
    both("a".to_owned(), b"Si\x01a");
    both("smörgås".to_owned(), b"Si\x09sm\xc3\xb6rg\xc3\xa5s");
    both("x".repeat(128), [&b"SU\x80"[..], &[b'x'; 128]].concat());
    both("x".repeat(256), [&b"SI\x01\0"[..], &[b'x'; 256]].concat());
    both(Box::<str>::from("ab"), b"Si\x02ab");
    both(Rc::<str>::from("ab"), b"Si\x02ab");
    reads(b"Ca", "a".to_owned());
    refuses::<String>(b"Z");
    refuses::<String>(b"[$C#i\x02hi");
}

#[test]
fn strings_are_borrowed_from_a_slice() {
    let bytes = b"[Si\x02abCcSi\0]";
    let texts: Vec<&str> = from_slice(bytes).unwrap();
    assert_eq!(texts, ["ab", "c", ""]);
    assert_eq!(texts[0].as_ptr(), bytes[4..].as_ptr());
    assert_eq!(texts[1].as_ptr(), bytes[7..].as_ptr());
}

#[derive(Debug, Deserialize, PartialEq)]
struct Borrowing<'a> {
    text: &'a str,
    #[serde(with = "serde_bytes")]
    bytes: &'a [u8],
    #[serde(borrow)]
    cow: Cow<'a, str>,
    #[serde(borrow)]
    cow_bytes: Cow<'a, [u8]>,
    owned: Cow<'a, str>,
}

#[test]
fn structs_borrow_from_a_slice() {
    let bytes = b"{i\x04textSi\x02ab\
        i\x05bytes[$U#i\x02\x01\xff\
        i\x03cowSi\x02cd\
        i\x09cow_bytes[$U#i\x01\x07\
        i\x05ownedSi\x02ef}";
    let read: Borrowing<'_> = from_slice(bytes).unwrap();
    let range = bytes.as_ptr_range();
    assert_eq!((read.text, read.bytes), ("ab", &[1, 255][..]));
    assert!(range.contains(&read.text.as_ptr()) && range.contains(&read.bytes.as_ptr()));
    assert!(matches!(read.cow, Cow::Borrowed("cd")));
    assert!(matches!(read.cow_bytes, Cow::Borrowed([7])));
    assert!(matches!(read.owned, Cow::Owned(text) if text == "ef"));
}

#[test]
fn bytes_are_a_typed_array_of_uint8() {
    both(ByteBuf::from(vec![]), b"[$U#i\0");
    both(ByteBuf::from(vec![1, 2, 255]), b"[$U#i\x03\x01\x02\xff");
    both(ByteArray::new([1, 2]), b"[$U#i\x02\x01\x02");
    writes(Bytes::new(b"N]"), b"[$U#i\x02N]");
    writes(&ByteBuf::from(vec![7; 200]), [&b"[$U#U\xc8"[..], &[7; 200]].concat());
}

#[test]
fn bytes_read_from_every_list_of_small_integers() {
    let forms: [&[u8]; 8] = [
        b"[$U#i\x03abc",
        b"[$i#i\x03abc",
        b"[$C#i\x03abc",
        b"[iaibic]",
        b"[UaUbI\0c]",
        b"[#i\x03iaNUbl\0\0\0c",
        b"[$I#i\x03\0a\0b\0c",
        b"[$L#i\x03\0\0\0\0\0\0\0a\0\0\0\0\0\0\0b\0\0\0\0\0\0\0c",
    ];
    for form in forms {
        reads(form, ByteBuf::from(b"abc"));
        reads(form, ByteArray::new(*b"abc"));
        reads(form, b"abc".to_vec());
        reads(form, *b"abc");
        reads(form, Box::<[u8]>::from(*b"abc"));
        reads(form, (b'a', b'b', b'c'));
    }
}

#[test]
fn bytes_read_from_strings_whatever_they_hold() {
    reads(b"Si\x02hi", ByteBuf::from(b"hi"));
    reads(b"Si\x02\xff\xfe", ByteBuf::from([0xff, 0xfe]));
    let bytes = b"Si\x02\xff\xfe";
    let borrowed: &[u8] = from_slice(bytes).unwrap();
    assert_eq!((borrowed, borrowed.as_ptr()), (&[0xff, 0xfe][..], bytes[3..].as_ptr()));
}

#[test]
fn bytes_are_borrowed_from_typed_arrays() {
    for bytes in [b"[$U#i\x02hi", b"[$i#i\x02hi"] {
        let borrowed: &[u8] = from_slice(bytes).unwrap();
        assert_eq!((borrowed, borrowed.as_ptr()), (&b"hi"[..], bytes[6..].as_ptr()));
    }
    refuses::<&[u8]>(b"[ihii]");
}

#[test]
fn typed_arrays_of_int8_read_into_bytes_as_they_are() {
    reads(b"[$i#i\x02\x7f\xff", ByteBuf::from([0x7f, 0xff]));
    reads(b"[$i#i\x02\x7f\xff", ByteArray::new([0x7f, 0xff]));
    reads(b"[$i#i\x02\x7f\xff", vec![127_i8, -1]);
    refuses::<Vec<u8>>(b"[$i#i\x02\x7f\xff");
}

#[test]
fn bytes_refuse_what_is_no_byte() {
    refuses::<ByteBuf>(b"[i\xff]");
    refuses::<ByteBuf>(b"[$I#i\x01\x01\0");
    refuses::<ByteBuf>(b"[I\x01\0]");
    refuses::<ByteBuf>(b"[Z]");
    refuses::<ByteBuf>(b"i\x01");
    refuses::<ByteArray<3>>(b"[$U#i\x02hi");
}

#[test]
fn vectors_of_bytes_are_plain_sequences() {
    both(vec![1_u8, 200], b"[i\x01U\xc8]");
    both([1_u8, 200], b"[i\x01U\xc8]");
}

#[test]
fn options_are_null_or_the_value() {
    both(None::<u8>, b"Z");
    both(Some(5_u8), b"i\x05");
    both(Some("x".to_owned()), b"Si\x01x");
    both(vec![None, Some(1_u8)], b"[Zi\x01]");
    both(Some(vec![Some(1_u8)]), b"[i\x01]");
    writes(&Some(None::<u8>), b"Z");
    reads(b"Z", None::<Option<u8>>);
    reads(b"[$Z#i\x02", vec![None::<u8>; 2]);
}

#[test]
fn text_that_is_not_utf8_is_refused_or_repaired_whatever_its_length() {
    for byte_len in [3_u16, 127, 128, 1023, 1024, 20_000] {
        let [high, low] = byte_len.to_be_bytes();
        let mut bytes = vec![b'S', b'I', high, low];
        bytes.extend(std::iter::repeat_n(b'x', usize::from(byte_len) - 1));
        bytes.push(0xff);
        let repaired = "x".repeat(usize::from(byte_len) - 1) + "\u{fffd}";
        let lossy = ubjson::de::Config::new().lossy_utf8(true);

        let error = from_slice::<String>(&bytes).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (ErrorKind::Utf8, Some(4)), "{byte_len}");
        assert_eq!(lossy.from_slice::<String>(&bytes).unwrap(), repaired);
        #[cfg(feature = "std")]
        for source in common::sources::Source::ALL {
            let failure = source.read::<String>(&bytes).result.unwrap_err();
            assert_eq!(
                (failure.kind, failure.offset),
                (ErrorKind::Utf8, Some(4)),
                "{byte_len} from {source:?}"
            );
            assert_eq!(
                source.read_with(lossy, &bytes).result,
                Ok(repaired.clone()),
                "{source:?}"
            );
        }
    }
}

#[test]
fn keys_that_are_not_utf8_are_repaired_for_those_who_want_bytes_too() {
    let bytes = b"{i\x02k\xffT}";
    assert_eq!(
        from_slice::<BTreeMap<ByteBuf, bool>>(bytes).unwrap_err().kind(),
        ErrorKind::Utf8
    );
    let lossy = ubjson::de::Config::new().lossy_utf8(true);
    assert_eq!(
        lossy.from_slice::<BTreeMap<ByteBuf, bool>>(bytes).unwrap(),
        BTreeMap::from([(ByteBuf::from("k\u{fffd}"), true)])
    );
}
