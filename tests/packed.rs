//! `ubjson::packed`: what is written under every option, what is read from every form and source, and what it is in other
//! formats.

mod common;

use std::collections::BTreeMap;
use std::fmt::Debug;

use quickcheck::QuickCheck;
use serde::de::DeserializeOwned;
use serde::de::value::{BytesDeserializer, Error as AnyError};
use serde::{Deserialize, Serialize};
use ubjson::packed::{DeserializePacked, Element, Packed, PackedRef, SerializePacked};
use ubjson::ser::{Config, Containers, Integers, Lengths, NonFinite};
use ubjson::{ErrorKind, Marker, from_slice, to_vec};

use common::{cases, grammar, to_hex};

const CONTAINERS: [Containers; 4] = [
    Containers::Auto,
    Containers::Counted,
    Containers::CountedArrays,
    Containers::Plain,
];

fn declared() -> Config {
    Config::new().integers(Integers::Declared)
}

/// Under every container policy, into a vector and into a writer.
fn assert_written<T: SerializePacked>(config: Config, numbers: T, bytes: &[u8]) {
    let numbers = Packed(numbers);
    for containers in CONTAINERS {
        let config = config.containers(containers);
        assert_eq!(
            to_hex(&config.to_vec(&numbers).unwrap()),
            to_hex(bytes),
            "{containers:?}"
        );
        #[cfg(feature = "std")]
        {
            let mut written = Vec::new();
            config.to_writer(&mut written, &numbers).unwrap();
            assert_eq!(to_hex(&written), to_hex(bytes), "{containers:?}, through a writer");
        }
    }
}

#[track_caller]
fn assert_read<T: Element>(bytes: &[u8], numbers: &[T]) {
    let Packed(read) = from_slice::<Packed<Vec<T>>>(bytes).unwrap();
    assert_eq!(read, numbers);
    // The ordinary way.
    assert_eq!(from_slice::<Vec<T>>(bytes).unwrap(), numbers);
}

#[track_caller]
fn assert_refused<T: Element>(bytes: &[u8], kind: ErrorKind, message: &str) {
    let error = from_slice::<Packed<Vec<T>>>(bytes).unwrap_err();
    assert_eq!((error.kind(), error.to_string()), (kind, message.to_owned()));
}

#[test]
fn declared_integers_keep_the_type_of_the_rust_type() {
    assert_written(declared(), vec![1_i8, -1], b"[$i#i\x02\x01\xff");
    assert_written(declared(), vec![1_u8, 255], b"[$U#i\x02\x01\xff");
    assert_written(declared(), vec![1_i16, -2], b"[$I#i\x02\0\x01\xff\xfe");
    assert_written(declared(), vec![1_i32, -2], b"[$l#i\x02\0\0\0\x01\xff\xff\xff\xfe");
    assert_written(
        declared(),
        vec![1_i64, -2],
        b"[$L#i\x02\0\0\0\0\0\0\0\x01\xff\xff\xff\xff\xff\xff\xff\xfe",
    );
}

#[test]
fn empty_arrays_keep_the_type_of_the_rust_type() {
    for config in [declared(), Config::new()] {
        assert_written(config, Vec::<i8>::new(), b"[$i#i\0");
        assert_written(config, Vec::<u8>::new(), b"[$U#i\0");
        assert_written(config, Vec::<i16>::new(), b"[$I#i\0");
        assert_written(config, Vec::<i32>::new(), b"[$l#i\0");
        assert_written(config, Vec::<i64>::new(), b"[$L#i\0");
        assert_written(config, Vec::<f32>::new(), b"[$d#i\0");
        assert_written(config, Vec::<f64>::new(), b"[$D#i\0");
        assert_written(config.compact_floats(true), Vec::<f64>::new(), b"[$D#i\0");
    }
}

#[test]
fn other_integers_take_the_smallest_type_that_holds_all_of_them() {
    let smallest = Config::new();
    assert_written(smallest, vec![-128_i16, 127], b"[$i#i\x02\x80\x7f");
    assert_written(smallest, vec![0_i32, 255], b"[$U#i\x02\0\xff");
    assert_written(smallest, vec![-1_i32, 128], b"[$I#i\x02\xff\xff\0\x80");
    assert_written(smallest, vec![-129_i64], b"[$I#i\x01\xff\x7f");
    assert_written(smallest, vec![256_i16], b"[$I#i\x01\x01\0");
    assert_written(smallest, vec![-32_769_i64], b"[$l#i\x01\xff\xff\x7f\xff");
    assert_written(smallest, vec![65_535_i32], b"[$l#i\x01\0\0\xff\xff");
    assert_written(smallest, vec![1_i64 << 31], b"[$L#i\x01\0\0\0\0\x80\0\0\0");
    assert_written(smallest, vec![i64::MIN], b"[$L#i\x01\x80\0\0\0\0\0\0\0");
    // The smallest types of all keep theirs.
    assert_written(smallest, vec![1_u8], b"[$U#i\x01\x01");
    assert_written(smallest, vec![1_i8], b"[$i#i\x01\x01");
}

/// The smallest type, found by comparisons.
fn smallest_type(numbers: &[i64]) -> Marker {
    let all_in = |min: i64, max: i64| numbers.iter().all(|number| (min..=max).contains(number));
    match () {
        () if numbers.is_empty() => Marker::Int64,
        () if all_in(-128, 127) => Marker::Int8,
        () if all_in(0, 255) => Marker::Uint8,
        () if all_in(-32_768, 32_767) => Marker::Int16,
        () if all_in(i32::MIN.into(), i32::MAX.into()) => Marker::Int32,
        () => Marker::Int64,
    }
}

#[test]
fn arbitrary_integers_take_the_smallest_type_and_read_back() {
    fn property(numbers: Vec<i64>, shift: u8) {
        let numbers: Vec<i64> = numbers.iter().map(|number| number >> (shift % 64)).collect();
        let bytes = to_vec(&Packed(&numbers)).unwrap();
        assert_eq!(Marker::from_byte(bytes[2]), Some(smallest_type(&numbers)));
        assert_eq!(grammar::document(&bytes), Ok(()));
        assert_read(&bytes, &numbers);
        if let Ok(narrow) = numbers
            .iter()
            .map(|number| i32::try_from(*number))
            .collect::<Result<Vec<_>, _>>()
        {
            assert!(numbers.is_empty() || to_vec(&Packed(&narrow)).unwrap() == bytes);
        }
        if let Ok(narrow) = numbers
            .iter()
            .map(|number| i16::try_from(*number))
            .collect::<Result<Vec<_>, _>>()
        {
            assert!(numbers.is_empty() || to_vec(&Packed(&narrow)).unwrap() == bytes);
        }
    }
    QuickCheck::new().tests(cases(500)).quickcheck(property as fn(_, _));
}

#[test]
fn floats_keep_their_type() {
    assert_written(Config::new(), vec![0.5_f32, -0.0], b"[$d#i\x02\x3f\0\0\0\x80\0\0\0");
    assert_written(Config::new(), vec![0.5_f64], b"[$D#i\x01\x3f\xe0\0\0\0\0\0\0");
    assert_written(Config::new(), vec![f32::NAN], b"[$d#i\x01\x7f\xc0\0\0");
}

#[test]
fn compact_floats_are_float32_if_that_loses_nothing_in_any_of_them() {
    let compact = Config::new().compact_floats(true);
    assert_written(compact, vec![0.5, f64::INFINITY], b"[$d#i\x02\x3f\0\0\0\x7f\x80\0\0");
    assert_written(
        compact,
        vec![0.5, 0.1],
        b"[$D#i\x02\x3f\xe0\0\0\0\0\0\0\x3f\xb9\x99\x99\x99\x99\x99\x9a",
    );
}

#[test]
fn floats_that_are_not_finite_follow_the_option() {
    let null = Config::new().non_finite(NonFinite::Null).containers(Containers::Plain);
    let numbers = Packed(vec![0.5_f32, f32::NAN]);
    assert_eq!(null.to_vec(&numbers).unwrap(), b"[d\x3f\0\0\0Z]");
    assert_eq!(null.to_vec(&Packed(vec![0.5_f32])).unwrap(), b"[$d#i\x01\x3f\0\0\0");
    assert_eq!(null.to_vec(&Packed(vec![f64::INFINITY])).unwrap(), b"[Z]");
    let error = Config::new().non_finite(NonFinite::Error).to_vec(&numbers).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Data);
}

#[test]
fn counts_follow_their_profile() {
    let lengths = [
        (Lengths::Smallest, &b"i\x01"[..]),
        (Lengths::Uint8First, b"U\x01"),
        (Lengths::Int32, b"l\0\0\0\x01"),
        (Lengths::Int64, b"L\0\0\0\0\0\0\0\x01"),
    ];
    for (profile, count) in lengths {
        let expected = [b"[$d#", count, b"\x3f\0\0\0"].concat();
        assert_written(Config::new().counts(profile), vec![0.5_f32], &expected);
    }
}

#[test]
fn packed_arrays_count_as_a_level_of_depth() {
    let shallow = Config::new().max_depth(1);
    assert!(shallow.to_vec(&Packed(vec![1_i32])).is_ok());
    assert_eq!(
        shallow.to_vec(&[Packed(vec![1_i32])]).unwrap_err().kind(),
        ErrorKind::Depth
    );
    let config = ubjson::de::Config::new().max_depth(0);
    let error = config.from_slice::<Packed<Vec<i32>>>(b"[$l#i\x00").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Depth);
}

#[test]
fn every_numeric_type_reads_into_every_other_that_holds_the_number() {
    fn from_all<T: Element>(one: T, two: T) {
        for bytes in [
            &b"[$i#i\x02\x01\x02"[..],
            b"[$U#i\x02\x01\x02",
            b"[$I#i\x02\0\x01\0\x02",
            b"[$l#i\x02\0\0\0\x01\0\0\0\x02",
            b"[$L#i\x02\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\x02",
            b"[i\x01U\x02]",
            b"[#U\x02NI\0\x01NNl\0\0\0\x02",
            b"[Hi\x011L\0\0\0\0\0\0\0\x02N]",
        ] {
            assert_read(bytes, &[one, two]);
        }
    }
    from_all(1_i8, 2);
    from_all(1_u8, 2);
    from_all(1_i16, 2);
    from_all(1_i32, 2);
    from_all(1_i64, 2);
    from_all(1_f32, 2.0);
    from_all(1_f64, 2.0);
}

#[test]
fn floats_read_into_the_other_width() {
    assert_read(b"[$d#i\x01\x3f\0\0\0", &[0.5_f64]);
    assert_read(
        b"[$D#i\x02\x3f\xe0\0\0\0\0\0\0\x3f\xb9\x99\x99\x99\x99\x99\x9a",
        &[0.5_f32, 0.1],
    );
    assert_read(b"[d\x3f\0\0\0D\x3f\xe0\0\0\0\0\0\0]", &[0.5_f32, 0.5]);
    // Too large for float32.
    assert_read(b"[$D#i\x01\x7e\x37\xe4\x3c\x88\0\x75\x9c", &[f32::INFINITY]);
    // 2^53 + 1 lies halfway; 2^24 + 1 as well.
    assert_read(b"[$L#i\x01\0\x20\0\0\0\0\0\x01", &[9_007_199_254_740_992.0_f64]);
    assert_read(b"[$l#i\x01\x01\0\0\x01", &[16_777_216.0_f32]);
}

#[test]
fn null_is_nan_among_floats() {
    let Packed(numbers) = from_slice::<Packed<Vec<f32>>>(b"[d\x3f\0\0\0Z]").unwrap();
    assert!(numbers[0] == 0.5 && numbers[1].is_nan());
}

#[test]
fn numbers_out_of_range_are_refused_with_the_offset_of_the_array() {
    let kind = ErrorKind::Data;
    assert_refused::<i8>(
        b"[$I#i\x03\0\x01\x01\0\xff\0",
        kind,
        "invalid value: integer `256`, expected i8 at byte 0",
    );
    assert_refused::<u8>(
        b"[$i#i\x02\x01\xff",
        kind,
        "invalid value: integer `-1`, expected u8 at byte 0",
    );
    assert_refused::<i16>(
        b"[$l#i\x01\0\x01\0\0",
        kind,
        "invalid value: integer `65536`, expected i16 at byte 0",
    );
    assert_refused::<i32>(
        b"[$d#i\x01\x3f\0\0\0",
        kind,
        "invalid type: floating point `0.5`, expected i32 at byte 0",
    );
    assert!(from_slice::<Packed<Vec<i8>>>(b"[I\x01\0]").is_err());
}

#[test]
fn what_is_no_array_of_numbers_is_refused() {
    let kind = ErrorKind::Data;
    assert_refused::<i32>(b"Z", kind, "invalid type: null, expected an array of i32 at byte 0");
    assert_refused::<f64>(
        b"Hi\x011",
        kind,
        "invalid type: high-precision number, expected an array of f64 at byte 0",
    );
    assert_refused::<f32>(b"{}", kind, "invalid type: map, expected an array of f32 at byte 0");
    assert!(from_slice::<Packed<Vec<i32>>>(b"[$T#i\x01").is_err());
    assert!(from_slice::<Packed<Vec<i32>>>(b"[Si\x01a]").is_err());
}

#[test]
fn bytes_read_from_chars_as_a_vector_of_them_does() {
    assert_read(b"[$C#i\x02hi", b"hi");
}

#[derive(Debug, Deserialize, PartialEq, Serialize)]
struct Fields {
    #[serde(with = "ubjson::packed")]
    vector: Vec<f32>,
    #[serde(with = "ubjson::packed")]
    boxed: Box<[i16]>,
    #[serde(with = "ubjson::packed")]
    array: [i64; 3],
    #[serde(with = "ubjson::packed")]
    some: Option<Vec<u8>>,
    #[serde(with = "ubjson::packed")]
    none: Option<Vec<u8>>,
    #[serde(with = "ubjson::packed", default, skip_serializing_if = "Option::is_none")]
    absent: Option<Vec<i32>>,
    map: BTreeMap<String, Packed<Vec<i8>>>,
    rows: Vec<Packed<Vec<i32>>>,
}

fn fields() -> Fields {
    Fields {
        vector: vec![0.5, -2.0],
        boxed: Box::new([1, 300]),
        array: [1, -1, 1 << 40],
        some: Some(vec![1, 2, 255]),
        none: None,
        absent: None,
        map: BTreeMap::from([("a".to_owned(), Packed(vec![-1])), ("b".to_owned(), Packed(vec![]))]),
        rows: vec![Packed(vec![1, 2]), Packed(vec![]), Packed(vec![70_000])],
    }
}

#[test]
fn fields_of_every_kind_are_packed_where_they_stand() {
    let bytes = to_vec(&fields()).unwrap();
    let expected = [
        &b"{i\x06vector[$d#i\x02\x3f\0\0\0\xc0\0\0\0"[..],
        b"i\x05boxed[$I#i\x02\0\x01\x01\x2c",
        b"i\x05array[$L#i\x03\0\0\0\0\0\0\0\x01\xff\xff\xff\xff\xff\xff\xff\xff\0\0\x01\0\0\0\0\0",
        b"i\x04some[$U#i\x03\x01\x02\xff",
        b"i\x04noneZ",
        b"i\x03map{i\x01a[$i#i\x01\xffi\x01b[$i#i\0}",
        b"i\x04rows[[$i#i\x02\x01\x02[$l#i\0[$l#i\x01\0\x01\x11\x70]}",
    ];
    assert_eq!(to_hex(&bytes), to_hex(&expected.concat()));
    assert_eq!(from_slice::<Fields>(&bytes).unwrap(), fields());
}

#[test]
fn arrays_of_another_length_are_refused() {
    #[derive(Debug, Deserialize)]
    struct Three {
        #[serde(with = "ubjson::packed")]
        _three: [i32; 3],
    }
    let error = from_slice::<Three>(b"{i\x06_three[$i#i\x02\x01\x02}").unwrap_err();
    assert!(
        error
            .to_string()
            .contains("invalid length 2, expected an array of 3 numbers"),
        "{error}"
    );
}

#[test]
fn rows_in_a_typed_array_of_arrays_are_read() {
    let rows = from_slice::<Vec<Packed<Vec<i32>>>>(b"[$[#i\x02$i#i\x02\x01\x02i\x03]").unwrap();
    assert_eq!(rows, [Packed(vec![1, 2]), Packed(vec![3])]);
}

#[test]
fn other_formats_have_a_sequence() {
    #[derive(Debug, Deserialize, PartialEq, Serialize)]
    struct Row {
        #[serde(with = "ubjson::packed")]
        numbers: Vec<i32>,
    }
    let row = Row { numbers: vec![1, -2] };
    let json = serde_json::to_string(&row).unwrap();
    assert_eq!(json, r#"{"numbers":[1,-2]}"#);
    assert_eq!(serde_json::from_str::<Row>(&json).unwrap(), row);
    let message_pack = rmp_serde::to_vec(&row).unwrap();
    assert_eq!(message_pack, rmp_serde::to_vec(&[[1, -2]]).unwrap());
    assert_eq!(rmp_serde::from_slice::<Row>(&message_pack).unwrap(), row);
    assert_eq!(
        serde_json::to_string(&fields())
            .unwrap()
            .parse::<serde_json::Value>()
            .unwrap()["some"][2],
        255
    );
    assert_eq!(
        serde_json::from_str::<Fields>(&serde_json::to_string(&fields()).unwrap()).unwrap(),
        fields()
    );
    assert!(serde_json::from_str::<Row>(r#"{"numbers":[1,3000000000]}"#).is_err());
}

#[test]
fn buffers_of_serde_keep_the_numbers() {
    #[derive(Debug, Deserialize, PartialEq, Serialize)]
    #[serde(untagged)]
    enum Untagged {
        Flag(bool),
        Numbers(Packed<Vec<i32>>),
    }
    #[derive(Debug, Deserialize, PartialEq, Serialize)]
    #[serde(tag = "kind")]
    enum Tagged {
        Row {
            #[serde(with = "ubjson::packed")]
            numbers: Vec<f64>,
        },
    }
    #[derive(Debug, Deserialize, PartialEq, Serialize)]
    struct Flat {
        #[serde(flatten)]
        fields: Fields,
    }
    fn assert_back<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
        for config in [Config::new(), declared()] {
            assert_eq!(&from_slice::<T>(&config.to_vec(value).unwrap()).unwrap(), value);
        }
    }
    assert_back(&Untagged::Numbers(Packed(vec![1, 2, 70_000])));
    assert_back(&Tagged::Row {
        numbers: vec![0.5, 1.0],
    });
    assert_back(&Flat { fields: fields() });
    // Flattened, a field is written like any other.
    assert_eq!(to_vec(&Flat { fields: fields() }).unwrap(), to_vec(&fields()).unwrap());
}

#[test]
fn values_in_memory_take_them() {
    let value = ubjson::to_value(&fields()).unwrap();
    assert_eq!(ubjson::from_value::<Fields>(value.clone()).unwrap(), fields());
    assert_eq!(from_slice::<ubjson::Value>(&to_vec(&fields()).unwrap()).unwrap(), value);
}

#[test]
fn types_of_ones_own_are_packed_by_way_of_a_slice() {
    #[derive(Debug, PartialEq)]
    struct Matrix(Vec<[f32; 2]>);

    impl SerializePacked for Matrix {
        fn serialize_packed<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            self.0.as_flattened().serialize_packed(serializer)
        }
    }

    impl<'de> DeserializePacked<'de> for Matrix {
        fn deserialize_packed<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let numbers = Vec::deserialize_packed(deserializer)?;
            Ok(Matrix(numbers.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect()))
        }
    }

    let matrix = Packed(Matrix(vec![[0.5, 0.5], [0.5, 0.5]]));
    let bytes = to_vec(&matrix).unwrap();
    assert_eq!(bytes, [&b"[$d#i\x04"[..], &b"\x3f\0\0\0".repeat(4)].concat());
    assert_eq!(from_slice::<Packed<Matrix>>(&bytes).unwrap(), matrix);
}

#[test]
fn packed_numbers_are_a_plain_value_around_what_is_in_them() {
    let mut numbers = Packed::from(vec![1_i16, 2]);
    numbers.push(3);
    assert_eq!(numbers.len(), 3);
    assert_eq!(numbers.into_inner(), [1, 2, 3]);
    let mut array = [256_i16, 0];
    assert_written(declared(), &mut array[..], b"[$I#i\x02\x01\0\0\0");
}

#[test]
fn bytes_of_other_formats_are_numbers_of_one_byte() {
    let bytes = || BytesDeserializer::<AnyError>::new(&[1, 0xff]);
    let Packed(numbers) = Packed::<Vec<u8>>::deserialize(bytes()).unwrap();
    assert_eq!(numbers, [1, 0xff]);
    let refused = Packed::<Vec<i16>>::deserialize(bytes()).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "invalid type: byte array, expected an array of i16"
    );
    // Borrowed from where they lie.
    let packed = rmp_serde::to_vec(serde_bytes::Bytes::new(&[1, 0xff])).unwrap();
    let view: PackedRef<'_, u8> = rmp_serde::from_slice(&packed).unwrap();
    assert_eq!(view.as_bytes(), [1, 0xff]);
}

mod borrowed {
    use super::*;

    #[test]
    fn a_view_gives_the_numbers_of_every_type_that_fits_into_its_own() {
        fn assert_numbers<T: Element>(bytes: &[u8], numbers: &[T]) {
            let view: PackedRef<'_, T> = from_slice(bytes).unwrap();
            assert_eq!(view, *numbers);
            assert_eq!(view, numbers.to_vec());
            assert_eq!(view.iter().collect::<Vec<_>>(), numbers);
            assert_eq!((&view).into_iter().rev().collect::<Vec<_>>(), {
                let mut reversed = numbers.to_vec();
                reversed.reverse();
                reversed
            });
            assert_eq!(view.iter().fold(0, |count, _| count + 1), numbers.len());
            for (index, number) in numbers.iter().enumerate() {
                assert_eq!(view.get(index), Some(*number));
                assert_eq!(view.iter().nth(index), Some(*number));
            }
            assert_eq!((view.get(numbers.len()), view.get(usize::MAX)), (None, None));
        }
        assert_numbers(b"[$i#i\x02\xff\x02", &[-1_i64, 2]);
        assert_numbers(b"[$U#i\x02\xff\x02", &[255_i16, 2]);
        assert_numbers(b"[$I#i\x02\xff\xff\x01\0", &[-1_i32, 256]);
        assert_numbers(b"[$l#i\x01\xff\xff\xff\xff", &[-1_i64]);
        assert_numbers(b"[$L#i\x01\0\0\0\x01\0\0\0\0", &[1_i64 << 32]);
        assert_numbers(b"[$i#i\x02\xff\x02", &[-1_f32, 2.0]);
        assert_numbers(b"[$l#i\x01\0\x01\0\0", &[65536_f64]);
        assert_numbers(b"[$d#i\x01\x3f\0\0\0", &[0.5_f64]);
        assert_numbers(b"[$D#i\x01\x3f\xe0\0\0\0\0\0\0", &[0.5_f64]);
    }

    #[test]
    fn views_are_equal_when_their_numbers_are() {
        let narrow: PackedRef<'_, i64> = from_slice(b"[$i#i\x02\xff\x02").unwrap();
        let wide: PackedRef<'_, i64> = from_slice(b"[$I#i\x02\xff\xff\0\x02").unwrap();
        let other: PackedRef<'_, i64> = from_slice(b"[$i#i\x02\xff\x03").unwrap();
        assert_eq!(narrow, wide);
        assert_ne!(narrow, other);
        assert_ne!(narrow, PackedRef::default());
    }

    #[test]
    fn what_is_no_array_of_numbers_is_no_view() {
        let refused = |bytes| from_slice::<PackedRef<'_, u8>>(bytes).unwrap_err().to_string();
        let expected = "expected a typed array of u8 in a slice to borrow from at byte 0";
        assert_eq!(refused(b"Z"), format!("invalid type: null, {expected}"));
        assert_eq!(
            refused(b"Hi\x011"),
            format!("invalid type: high-precision number, {expected}")
        );
        assert_eq!(refused(b"[i\x01]"), format!("invalid type: sequence, {expected}"));
        let json = serde_json::from_str::<PackedRef<'_, u8>>("[1]").unwrap_err();
        assert!(
            json.to_string()
                .starts_with("invalid type: sequence, expected a typed array of u8"),
            "{json}"
        );
    }

    #[cfg(feature = "std")]
    #[test]
    fn a_reader_has_nothing_to_borrow_a_view_from() {
        let mut de = ubjson::Deserializer::from_reader(&b"[$U#i\x02\x01\x02"[..]);
        let error = PackedRef::<'_, u8>::deserialize(&mut de).unwrap_err();
        assert_eq!(
            error.to_string(),
            "invalid type: sequence, expected a typed array of u8 in a slice to borrow from at byte 0"
        );
    }

    #[derive(Debug, Deserialize, PartialEq)]
    struct Borrowed<'a> {
        #[serde(borrow, with = "ubjson::packed")]
        bytes: &'a [u8],
        #[serde(borrow, with = "ubjson::packed")]
        signed: &'a [i8],
        #[serde(borrow)]
        floats: PackedRef<'a, f32>,
        #[serde(borrow, with = "ubjson::packed")]
        maybe: Option<PackedRef<'a, i64>>,
    }

    #[test]
    fn fields_lie_in_the_input() {
        let bytes = b"{i\x05bytes[$U#i\x02\x01\xffi\x06signed[$i#i\x02\x01\xffi\x06floats[$d#i\x01\x3f\0\0\0i\x05maybe[$I#i\x01\x01\0}";
        let read: Borrowed = from_slice(bytes).unwrap();
        assert_eq!(read.bytes, [1, 255]);
        assert_eq!(read.signed, [1, -1]);
        assert_eq!(read.floats, [0.5]);
        assert_eq!(read.maybe.unwrap(), [256]);
        let input = bytes.as_ptr_range();
        assert!(input.contains(&read.bytes.as_ptr()));
        assert!(input.contains(&read.signed.as_ptr().cast()));
        assert!(input.contains(&read.floats.as_bytes().as_ptr()));
    }

    fn bytes_of(document: &[u8]) -> Result<Packed<&[u8]>, ubjson::Error> {
        from_slice(document)
    }

    fn signed_of(document: &[u8]) -> Result<Packed<&[i8]>, ubjson::Error> {
        from_slice(document)
    }

    #[test]
    fn bytes_of_either_sign_are_lent_while_their_values_are_the_same() {
        assert_eq!(bytes_of(b"[$i#i\x02\0\x7f").unwrap().0, [0, 127]);
        assert_eq!(signed_of(b"[$U#i\x02\0\x7f").unwrap().0, [0, 127]);
        assert_eq!(bytes_of(b"[$i#i\x01\x80").unwrap_err().kind(), ErrorKind::Data);
        assert_eq!(signed_of(b"[$U#i\x01\x80").unwrap_err().kind(), ErrorKind::Data);
        assert_eq!(bytes_of(b"[$I#i\x01\0\x01").unwrap_err().kind(), ErrorKind::Data);
    }

    #[test]
    fn empty_arrays_of_every_form_are_lent() {
        for document in [&b"[]"[..], b"[#i\0", b"[$D#i\0", b"[$U#U\0"] {
            assert!(bytes_of(document).unwrap().is_empty());
            assert!(signed_of(document).unwrap().is_empty());
            assert!(from_slice::<PackedRef<i8>>(document).unwrap().is_empty());
        }
    }

    #[test]
    fn elements_with_a_marker_each_cannot_be_lent() {
        let error = from_slice::<PackedRef<u8>>(b"[U\x01]").unwrap_err();
        assert_eq!(
            error.to_string(),
            "invalid type: sequence, expected a typed array of u8 in a slice to borrow from at byte 0"
        );
        assert!(bytes_of(b"[U\x01U\x02]").is_err());
    }

    #[test]
    fn views_take_the_smaller_types_that_theirs_holds() {
        fn assert_lent<T: Element>(elements: &str) {
            for element in "iUIlLdD".chars() {
                let document = [b"[$", &[element as u8][..], b"#i\x01\0\0\0\0\0\0\0\0"].concat();
                let byte_len = Marker::from_byte(element as u8).and_then(Marker::payload_len).unwrap();
                let read = from_slice::<PackedRef<T>>(&document[..6 + byte_len]);
                assert_eq!(read.is_ok(), elements.contains(element), "{element}");
            }
        }
        assert_lent::<i8>("i");
        assert_lent::<u8>("U");
        assert_lent::<i16>("iUI");
        assert_lent::<i32>("iUIl");
        assert_lent::<i64>("iUIlL");
        assert_lent::<f32>("iUId");
        assert_lent::<f64>("iUIldD");
        let error = from_slice::<PackedRef<i16>>(b"[$l#i\x01\0\0\0\x01").unwrap_err();
        assert_eq!(
            error.to_string(),
            "the array's elements are int32, expected i16 or what it holds at byte 0"
        );
    }

    #[test]
    fn views_index_and_iterate() {
        let numbers: PackedRef<i32> = from_slice(b"[$I#i\x03\x01\0\xff\xff\0\x07").unwrap();
        assert_eq!((numbers.len(), numbers.marker()), (3, Marker::Int16));
        assert_eq!(numbers.get(0), Some(256));
        assert_eq!(numbers.get(2), Some(7));
        assert_eq!(numbers.get(3), None);
        assert_eq!(numbers.get(usize::MAX), None);
        assert_eq!(numbers.to_vec(), [256, -1, 7]);
        assert_eq!(numbers.iter().len(), 3);
        assert_eq!(numbers.iter().rev().collect::<Vec<_>>(), [7, -1, 256]);
        assert_eq!(numbers.iter().nth(1), Some(-1));
        assert_eq!(numbers.into_iter().sum::<i32>(), 262);
        assert_eq!(format!("{numbers:?}"), "[256, -1, 7]");
        let own: PackedRef<i16> = from_slice(b"[$I#i\x02\x01\0\xff\xff").unwrap();
        assert_eq!(own.iter().map(i32::from).sum::<i32>(), 255);
        assert_eq!(PackedRef::<f64>::default(), []);
    }

    #[test]
    fn views_are_written_as_packed_arrays() {
        let numbers: PackedRef<i32> = from_slice(b"[$I#i\x02\x01\0\xff\xff").unwrap();
        assert_eq!(to_vec(&numbers).unwrap(), b"[$I#i\x02\x01\0\xff\xff");
        assert_eq!(
            declared().to_vec(&numbers).unwrap(),
            b"[$l#i\x02\0\0\x01\0\xff\xff\xff\xff"
        );
        assert_eq!(serde_json::to_string(&numbers).unwrap(), "[256,-1]");
    }

    #[test]
    fn cut_off_arrays_end_in_an_end_of_input_error() {
        for document in [
            &b"[$l#i\x02\0\0\0\x01\0\0\0"[..],
            b"[$l#i\x02",
            b"[$D#L\x7f\xff\xff\xff\xff\xff\xff\xff",
        ] {
            let error = from_slice::<PackedRef<i64>>(document).unwrap_err();
            assert!(error.is_eof() || error.kind() == ErrorKind::Length, "{error}");
        }
    }
}

#[cfg(feature = "std")]
mod sources {
    use super::*;
    use common::readers::Exact;
    use common::sources::Source;

    /// Longer than every buffer, and no multiple of one; for Miri, of which that takes hours, than that of a reader.
    const COUNT: i32 = if cfg!(miri) { 1_101 } else { 50_001 };

    fn agree<T: Element>(numbers: &[T]) {
        let long = |config: Config| (config.to_vec(&Packed(numbers)).unwrap(), numbers);
        let short = |config: Config| (config.to_vec(&Packed(&numbers[..3])).unwrap(), &numbers[..3]);
        for (bytes, numbers) in [long(declared()), long(Config::new()), short(declared())] {
            for source in Source::ALL {
                // A byte a read is slow.
                if bytes.len() > 100_000 && source == Source::Reader(1) {
                    continue;
                }
                let outcome = source.read::<Packed<Vec<T>>>(&bytes);
                let Packed(read) = outcome.result.unwrap();
                assert!(read == numbers, "{source:?}");
                assert!(
                    outcome.position.is_none_or(|position| position == bytes.len() as u64),
                    "{source:?}"
                );
            }
        }
    }

    #[test]
    fn all_sources_agree_on_every_type() {
        agree(&(0..COUNT).map(|number| number as i8).collect::<Vec<_>>());
        agree(&(0..COUNT).map(|number| number as u8).collect::<Vec<_>>());
        agree(&(0..COUNT).map(|number| number as i16).collect::<Vec<_>>());
        agree(&(0..COUNT).map(|number| number * 40_000).collect::<Vec<_>>());
        agree(&(0..COUNT).map(|number| i64::from(number) << 40).collect::<Vec<_>>());
        agree(&(0..COUNT).map(|number| number as f32 / 8.0).collect::<Vec<_>>());
        agree(&(0..COUNT).map(|number| f64::from(number) / 10.0).collect::<Vec<_>>());
    }

    #[test]
    fn exact_readers_are_never_asked_for_more_than_the_document() {
        let numbers: Vec<f64> = (0..COUNT).map(f64::from).collect();
        let bytes = to_vec(&(Packed(&numbers), "behind", Packed(&numbers))).unwrap();
        for chunk in [5, 4096, usize::MAX] {
            let mut reader = Exact::new(&bytes, chunk);
            let (one, text, other): (Packed<Vec<f64>>, String, Packed<Vec<f64>>) =
                ubjson::from_reader(&mut reader).unwrap();
            assert_eq!(
                (one.0, &text[..], other.0),
                (numbers.clone(), "behind", numbers.clone())
            );
            assert_eq!(reader.left(), 0);
        }
    }

    #[test]
    fn cut_off_payloads_end_in_an_end_of_input_error_at_the_end() {
        let bytes = declared().to_vec(&Packed((0..COUNT).collect::<Vec<_>>())).unwrap();
        for cut in [7, 8, 11, bytes.len() / 2, bytes.len() - 1] {
            for source in Source::ALL.into_iter().filter(|source| *source != Source::Reader(1)) {
                let failure = source.read::<Packed<Vec<i32>>>(&bytes[..cut]).result.unwrap_err();
                assert_eq!(
                    (failure.kind, failure.offset),
                    (ErrorKind::Eof, Some(cut as u64)),
                    "{source:?}"
                );
            }
        }
    }

    #[test]
    fn a_misfit_in_a_long_payload_leaves_the_reader_behind_the_array() {
        let mut numbers = vec![1_i32; COUNT as usize];
        numbers[COUNT as usize / 2] = 70_000;
        let bytes = [declared().to_vec(&Packed(&numbers)).unwrap(), b"T".to_vec()].concat();
        let mut deserializer = ubjson::Deserializer::from_reader(&bytes[..]);
        let error = Packed::<Vec<i16>>::deserialize(&mut deserializer).unwrap_err();
        assert_eq!(
            error.to_string(),
            "invalid value: integer `70000`, expected i16 at byte 0"
        );
        assert!(bool::deserialize(&mut deserializer).unwrap());
    }

    #[test]
    #[cfg_attr(miri, ignore = "eight megabytes take it minutes")]
    fn a_writer_gets_long_payloads_in_blocks() {
        struct Largest(usize);

        impl std::io::Write for Largest {
            fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
                self.0 = self.0.max(bytes.len());
                Ok(bytes.len())
            }

            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }

        let mut writer = Largest(0);
        ubjson::to_writer(&mut writer, &Packed(vec![0.5; 1_000_000])).unwrap();
        assert!((8 * 1024..128 * 1024).contains(&writer.0), "{} bytes at once", writer.0);
    }
}
