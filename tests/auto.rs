//! `Containers::Auto`: vectors written by hand from its rules, the rules applied the slow way to arbitrary values, and
//! the bounds on size and memory that it promises.

mod common;

#[path = "auto/rules.rs"]
mod rules;

use std::collections::{BTreeMap, BTreeSet, HashSet, LinkedList, VecDeque};

use quickcheck::{Gen, QuickCheck};
use serde::ser::Error as _;
use serde::{Serialize, Serializer};
use ubjson::ser::{Config, Containers, Integers, Lengths, NonFinite, Structs};
use ubjson::to_vec;

use common::doc::Doc;
use common::{grammar, to_hex};
use rules::{Options, TOP, Tree};

fn assert_written<T: Serialize + ?Sized>(value: &T, bytes: &[u8]) {
    assert_written_with(Config::new(), value, bytes);
}

/// Into a vector, and into a writer.
fn assert_written_with<T: Serialize + ?Sized>(config: Config, value: &T, bytes: &[u8]) {
    assert_eq!(to_hex(&config.to_vec(value).unwrap()), to_hex(bytes));
    #[cfg(feature = "std")]
    {
        let mut written = Vec::new();
        config.to_writer(&mut written, value).unwrap();
        assert_eq!(to_hex(&written), to_hex(bytes), "through a writer");
    }
}

/// A sequence that does not know its length.
struct Unknown<T>(Vec<T>);

impl<T: Serialize> Serialize for Unknown<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().filter(|_| true))
    }
}

#[test]
fn integers_are_typed_where_that_is_not_longer() {
    // Plain 2 + 2n, typed 6 + n.
    assert_written(&[0; 0], b"[]");
    assert_written(&[1], b"[i\x01]");
    assert_written(&[1, 2, 3], b"[i\x01i\x02i\x03]");
    assert_written(&[1, 2, 3, 4], b"[$i#i\x04\x01\x02\x03\x04");
}

#[test]
fn the_type_is_the_smallest_that_all_integers_have() {
    assert_written(&[-128, 127, 0, 1], b"[$i#i\x04\x80\x7f\0\x01");
    assert_written(&[128, 0, 255, 127], b"[$U#i\x04\x80\0\xff\x7f");
    // Plain 2 + 3 + 3 + 3 + 3 + 3 = 17, typed 6 + 10 = 16.
    assert_written(
        &[-129, 300, 256, 999, 1000],
        b"[$I#i\x05\xff\x7f\x01\x2c\x01\0\x03\xe7\x03\xe8",
    );
    // Plain 2 + 4 * 5, typed 6 + 4 * 4.
    assert_written(
        &[70_000; 4],
        b"[$l#i\x04\0\x01\x11\x70\0\x01\x11\x70\0\x01\x11\x70\0\x01\x11\x70",
    );
    assert_written(
        &[1_i64 << 31; 4],
        b"[$L#i\x04\0\0\0\0\x80\0\0\0\0\0\0\0\x80\0\0\0\0\0\0\0\x80\0\0\0\0\0\0\0\x80\0\0\0",
    );
}

#[test]
fn int8_and_uint8_have_int16_in_common() {
    // Plain 2 + 2 * 12 = 26, typed 6 + 2 * 12 = 30: longer, so counted.
    let values = [-1, 200, -1, 200, -1, 200, -1, 200, -1, 200, -1, 200];
    assert_written(
        &values,
        b"[#i\x0ci\xffU\xc8i\xffU\xc8i\xffU\xc8i\xffU\xc8i\xffU\xc8i\xffU\xc8",
    );
    // 300 takes three bytes alone, so five of it pay for the two that take two: plain 2 + 4 + 15 = 21, typed 6 + 14 = 20.
    let values = [-1, 200, 300, 300, 300, 300, 300];
    assert_written(
        &values,
        b"[$I#i\x07\xff\xff\0\xc8\x01\x2c\x01\x2c\x01\x2c\x01\x2c\x01\x2c",
    );
}

#[test]
fn one_wide_integer_does_not_widen_many_small_ones() {
    // Plain 2 + 2 * 7 + 9, typed 6 + 8 * 8.
    let values = [1, 2, 3, 4, 5, 6, 7, i64::MAX];
    assert_written(
        &values,
        b"[#i\x08i\x01i\x02i\x03i\x04i\x05i\x06i\x07L\x7f\xff\xff\xff\xff\xff\xff\xff",
    );
    // Of unknown length it has nothing to be counted by.
    assert_written(
        &Unknown(values.to_vec()),
        b"[i\x01i\x02i\x03i\x04i\x05i\x06i\x07L\x7f\xff\xff\xff\xff\xff\xff\xff]",
    );
}

#[test]
fn bytes_are_typed_as_serialize_bytes_from_two_on() {
    assert_written(&[0_u8; 0], b"[]");
    assert_written(&[7_u8], b"[i\x07]");
    for bytes in [
        &b"\x07\x08"[..],
        b"\x07\xff\0",
        &[0; 4],
        &[255; 255],
        &[1; 256],
        &[9; 40_000],
    ] {
        assert_written(bytes, &to_vec(serde_bytes::Bytes::new(bytes)).unwrap());
        assert_written(&bytes.to_vec(), &to_vec(serde_bytes::Bytes::new(bytes)).unwrap());
    }
    assert_written(&[7_u8, 8], b"[$U#i\x02\x07\x08");
    assert_written(&[1_u8; 200][..], &[b"[$U#U\xc8", &[1; 200][..]].concat());
}

#[test]
fn bytes_of_unknown_length_are_typed_where_that_is_not_longer_than_counted() {
    // Counted cannot count them: it is the plain form, 2 + 2n, against 6 + n.
    assert_written(&Unknown(vec![7_u8, 8, 9]), b"[i\x07i\x08i\x09]");
    assert_written(&Unknown(vec![7_u8, 8, 9, 10]), b"[$U#i\x04\x07\x08\x09\x0a");
}

#[test]
fn bytes_with_wide_counts_are_typed_from_where_two_bytes_suffice() {
    // Plain 2 + 2n, typed 4 + 5 + n and 4 + 9 + n.
    for (counts, first) in [(Lengths::Int32, 5), (Lengths::Int64, 9)] {
        let config = Config::new().counts(counts);
        let plain = config.containers(Containers::Plain);
        let (short, long) = (vec![1_u8; first - 1], vec![1_u8; first]);
        assert_written_with(config, &short, &plain.to_vec(&short).unwrap());
        assert_written_with(config, &long, &config.to_vec(serde_bytes::Bytes::new(&long)).unwrap());
    }
}

#[test]
fn floats_are_typed_where_that_is_not_longer() {
    // Plain 2 + 9n, typed 6 + 8n.
    assert_written(
        &[0.5; 3],
        b"[D\x3f\xe0\0\0\0\0\0\0D\x3f\xe0\0\0\0\0\0\0D\x3f\xe0\0\0\0\0\0\0]",
    );
    assert_written(
        &[0.5; 4],
        b"[$D#i\x04\x3f\xe0\0\0\0\0\0\0\x3f\xe0\0\0\0\0\0\0\x3f\xe0\0\0\0\0\0\0\x3f\xe0\0\0\0\0\0\0",
    );
    assert_written(
        &[0.5_f32, f32::NAN, f32::INFINITY, -0.0],
        b"[$d#i\x04\x3f\0\0\0\x7f\xc0\0\0\x7f\x80\0\0\x80\0\0\0",
    );
}

#[test]
fn compact_floats_share_float32_where_all_of_them_can() {
    let config = Config::new().compact_floats(true);
    assert_written_with(
        config,
        &[0.5, 1.0, 2.0, -0.0],
        b"[$d#i\x04\x3f\0\0\0\x3f\x80\0\0\x40\0\0\0\x80\0\0\0",
    );
    // Alone, two of these take five bytes and two nine: plain 2 + 28, typed 6 + 32.
    assert_written_with(
        config,
        &[0.5, 0.1, 1.0, 0.1],
        b"[#i\x04d\x3f\0\0\0D\x3f\xb9\x99\x99\x99\x99\x99\x9ad\x3f\x80\0\0D\x3f\xb9\x99\x99\x99\x99\x99\x9a",
    );
    // Plain 2 + 5 + 8 * 9 = 79, typed 6 + 9 * 8 = 78.
    let mut values = [0.1; 9];
    values[4] = 0.5;
    let typed: Vec<u8> = values.into_iter().flat_map(f64::to_be_bytes).collect();
    assert_written_with(config, &values, &[b"[$D#i\x09", &typed[..]].concat());
}

#[test]
fn non_finite_floats_that_become_null_are_not_typed() {
    let config = Config::new().non_finite(NonFinite::Null);
    assert_written_with(
        config,
        &[0.5_f32, 0.5, 0.5, 0.5, f32::NAN],
        b"[#i\x05d\x3f\0\0\0d\x3f\0\0\0d\x3f\0\0\0d\x3f\0\0\0Z",
    );
    let error = Config::new()
        .non_finite(NonFinite::Error)
        .to_vec(&[f64::NAN; 4])
        .unwrap_err();
    assert_eq!(error.kind(), ubjson::ErrorKind::Data);
}

#[test]
fn a_sequence_that_may_hold_a_null_or_a_narrower_float_is_written_like_a_tuple() {
    let null = Config::new().non_finite(NonFinite::Null);
    let half = b"\x3f\0\0\0";
    assert_written_with(
        null,
        &vec![0.5_f32; 4],
        &[b"[$d#i\x04", &half[..], half, half, half].concat(),
    );
    assert_written_with(
        null,
        &vec![0.5_f32, 0.5, 0.5, 0.5, f32::NAN],
        b"[#i\x05d\x3f\0\0\0d\x3f\0\0\0d\x3f\0\0\0d\x3f\0\0\0Z",
    );
    let compact = Config::new().compact_floats(true);
    assert_written_with(
        compact,
        &vec![0.5_f64; 4],
        &[b"[$d#i\x04", &half[..], half, half, half].concat(),
    );
}

#[test]
fn chars_are_typed_while_they_are_ascii() {
    assert_written(&['a', 'b', 'c', 'd'], b"[$C#i\x04abcd");
    assert_written(&['a', 'b', 'c', '\u{e4}'], b"[#i\x04CaCbCcSi\x02\xc3\xa4");
}

#[test]
fn what_has_no_payload_or_no_fixed_size_is_not_typed() {
    assert_written(&[true; 4], b"[#i\x04TTTT");
    assert_written(&[(); 3], b"[ZZZ]");
    assert_written(&["a", "b", "c", "d"], b"[#i\x04Si\x01aSi\x01bSi\x01cSi\x01d");
    assert_written(
        &[u64::MAX; 2],
        b"[Hi\x1418446744073709551615Hi\x1418446744073709551615]",
    );
    assert_written(&[Some(1), None, Some(3), Some(4)], b"[#i\x04i\x01Zi\x03i\x04");
}

#[test]
fn options_and_newtypes_of_scalars_are_scalars() {
    #[derive(Serialize)]
    struct Metres(f32);

    assert_written(&[Some(1); 4], b"[$i#i\x04\x01\x01\x01\x01");
    assert_written(
        &[Metres(0.5), Metres(0.5), Metres(0.5), Metres(0.5)],
        b"[$d#i\x04\x3f\0\0\0\x3f\0\0\0\x3f\0\0\0\x3f\0\0\0",
    );
}

#[test]
fn a_row_of_mixed_scalars_falls_back_without_loss() {
    assert_written(&(1_u8, 2_u8, 3_u8, "x", 300), b"[#i\x05i\x01i\x02i\x03Si\x01xI\x01\x2c");
    assert_written(&(1, 0.5_f32), b"[i\x01d\x3f\0\0\0]");
    assert_written(
        &(200_u8, -1_i8, 70_000, 'x', 5),
        b"[#i\x05U\xc8i\xffl\0\x01\x11\x70Cxi\x05",
    );
    assert_written(&(1, 2, 3, 4, vec![5, 6]), b"[#i\x05i\x01i\x02i\x03i\x04[i\x05i\x06]");
}

/// A cell of a table: whatever the type of its neighbours.
#[derive(Serialize)]
#[serde(untagged)]
enum Cell {
    Byte(u8),
    Integer(i32),
    Single(f32),
    Double(f64),
    Text(&'static str),
    Shown(#[serde(serialize_with = "shown")] u8),
    Maybe(Option<i32>),
    Tagged(Tag),
}

#[derive(Serialize)]
enum Tag {
    Only(u8),
}

fn shown<S: Serializer>(number: &u8, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("no. {number}"))
}

#[test]
fn a_sequence_of_one_scalar_type_goes_on_with_any_other() {
    type Make = fn() -> Cell;
    let starts: [(Make, &[u8]); 4] = [
        (|| Cell::Byte(7), b"i\x07"),
        (|| Cell::Integer(7), b"i\x07"),
        (|| Cell::Single(0.5), b"d\x3f\0\0\0"),
        (|| Cell::Double(0.5), b"D\x3f\xe0\0\0\0\0\0\0"),
    ];
    let others: [(Make, &[u8]); 7] = [
        (|| Cell::Text("x"), b"Si\x01x"),
        (|| Cell::Shown(5), b"Si\x05no. 5"),
        (|| Cell::Maybe(None), b"Z"),
        (|| Cell::Tagged(Tag::Only(1)), b"{i\x04Onlyi\x01}"),
        (|| Cell::Single(2.0), b"d\x40\0\0\0"),
        (|| Cell::Double(2.0), b"D\x40\0\0\0\0\0\0\0"),
        (|| Cell::Integer(-2), b"i\xfe"),
    ];
    for (start, start_bytes) in &starts {
        for (other, other_bytes) in others.iter().filter(|(_, bytes)| bytes[0] != start_bytes[0]) {
            // Behind the first, behind some, and behind more than are gathered at once.
            for before in [1, 3, 100] {
                let mut cells: Vec<Cell> = (0..before).map(|_| start()).collect();
                cells.extend([other(), start(), start(), start()]);
                let mut bytes = b"[#i".to_vec();
                bytes.push(before + 4);
                bytes.extend(start_bytes.repeat(before.into()));
                bytes.extend_from_slice(other_bytes);
                bytes.extend(start_bytes.repeat(3));
                assert_written(&cells, &bytes);
            }
        }
    }
    let cells: Vec<Cell> = (1..5).map(|number| Cell::Maybe(Some(number))).collect();
    assert_written(&cells, b"[$i#i\x04\x01\x02\x03\x04");
}

#[test]
fn an_element_that_fails_behind_numbers_fails_in_its_own_words() {
    struct Positive(i32);

    impl Serialize for Positive {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            if self.0 <= 0 {
                return Err(S::Error::custom(format!("{} is not positive", self.0)));
            }
            serializer.serialize_i32(self.0)
        }
    }

    /// Says which element it was.
    struct Numbered(usize, Positive);

    impl Serialize for Numbered {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let written = self.1.serialize(serializer);
            written.map_err(|error| S::Error::custom(format!("element {}: {error}", self.0)))
        }
    }

    let elements = |last| [1, 2, 3, last].into_iter().map(Positive).enumerate();
    let numbered = |last| -> Vec<Numbered> { elements(last).map(|(at, element)| Numbered(at, element)).collect() };
    assert_written(&numbered(4), b"[$i#i\x04\x01\x02\x03\x04");
    let error = to_vec(&numbered(-4)).unwrap_err();
    assert_eq!(error.to_string(), "element 3: -4 is not positive");
}

#[test]
fn bytes_among_other_integers_are_integers() {
    assert_written(&(1_u8, 2_u8, 3_u8, 4_i32), b"[$i#i\x04\x01\x02\x03\x04");
    assert_written(&(1_i32, 200_u8, 3_u8, 4_u8), b"[$U#i\x04\x01\xc8\x03\x04");
}

#[test]
fn declared_integers_keep_the_width_of_their_type() {
    let config = Config::new().integers(Integers::Declared);
    assert_written_with(config, &[1_i8; 4], b"[$i#i\x04\x01\x01\x01\x01");
    assert_written_with(config, &[1_u8; 4], b"[$U#i\x04\x01\x01\x01\x01");
    assert_written_with(config, &[1_i16; 4], b"[$I#i\x04\0\x01\0\x01\0\x01\0\x01");
    assert_written_with(
        config,
        &[1_u16; 4],
        b"[$l#i\x04\0\0\0\x01\0\0\0\x01\0\0\0\x01\0\0\0\x01",
    );
    assert_written_with(
        config,
        &[1_i32; 4],
        b"[$l#i\x04\0\0\0\x01\0\0\0\x01\0\0\0\x01\0\0\0\x01",
    );
    let eight = b"\0\0\0\0\0\0\0\x01".repeat(4);
    let long = [b"[$L#i\x04", &eight[..]].concat();
    assert_written_with(config, &[1_u32; 4], &long);
    assert_written_with(config, &[1_i64; 4], &long);
    assert_written_with(config, &[1_u64; 4], &long);
    assert_written_with(config, &(1_i8, 1_i16, 1_i8, 1_i8), b"[#i\x04i\x01I\0\x01i\x01i\x01");
    // One of them beyond 64 bits signed.
    assert_written_with(
        config,
        &[1, u64::MAX],
        b"[L\0\0\0\0\0\0\0\x01Hi\x1418446744073709551615]",
    );
}

#[test]
fn bytes_are_typed_from_two_on_with_declared_integers_too() {
    let config = Config::new().integers(Integers::Declared);
    assert_written_with(config, &[7_u8, 8], b"[$U#i\x02\x07\x08");
}

#[test]
fn arrays_are_counted_from_four_elements_to_255() {
    let text = b"Si\x01x";
    let plain = |count| [b"[", &text.repeat(count)[..], b"]"].concat();
    assert_written(&["x"; 3], &plain(3));
    assert_written(&["x"; 4], &[b"[#i\x04", &text.repeat(4)[..]].concat());
    assert_written(&vec!["x"; 255], &[b"[#U\xff", &text.repeat(255)[..]].concat());
    assert_written(&vec!["x"; 256], &plain(256));
    assert_written(&Unknown(vec!["x"; 4]), &plain(4));
}

#[test]
fn arrays_of_containers_are_counted_however_long() {
    assert_written(&[[0; 0]; 3], b"[[][][]]");
    assert_written(&vec![[0; 0]; 256], &[b"[#I\x01\0", &b"[]".repeat(256)[..]].concat());
}

#[test]
fn counts_that_are_always_wide_are_left_out() {
    // They would cost four and eight bytes more than a closing marker.
    for counts in [Lengths::Int32, Lengths::Int64] {
        let config = Config::new().counts(counts);
        let text = b"Si\x01x";
        assert_written_with(config, &["x"; 4], &[b"[", &text.repeat(4)[..], b"]"].concat());
        let map: BTreeMap<_, _> = (0..16).map(|key| (key, ())).collect();
        let plain = config.containers(Containers::Plain);
        assert_written_with(config, &map, &plain.to_vec(&map).unwrap());
    }
}

#[test]
fn objects_are_counted_from_16_entries_to_255() {
    let map = |count: u16| {
        (0..count)
            .map(|key| (format!("{key:03}"), ()))
            .collect::<BTreeMap<_, _>>()
    };
    let entries = |count: u16| {
        (0..count)
            .flat_map(|key| format!("i\u{3}{key:03}Z").into_bytes())
            .collect::<Vec<_>>()
    };
    assert_written(&map(0), b"{}");
    assert_written(&map(15), &[b"{", &entries(15)[..], b"}"].concat());
    assert_written(&map(16), &[b"{#i\x10", &entries(16)[..]].concat());
    assert_written(&map(255), &[b"{#U\xff", &entries(255)[..]].concat());
    assert_written(&map(256), &[b"{", &entries(256)[..], b"}"].concat());
}

#[test]
fn a_struct_as_an_array_is_plain() {
    #[derive(Serialize)]
    struct Row(f64, f64);
    #[derive(Serialize)]
    struct Named {
        a: u8,
        b: u8,
        c: u8,
        d: u8,
    }

    let config = Config::new().structs(Structs::Array);
    let named = Named { a: 1, b: 2, c: 3, d: 4 };
    assert_written_with(config, &named, b"[i\x01i\x02i\x03i\x04]");
    assert_written(&Row(0.5, 0.5), b"[D\x3f\xe0\0\0\0\0\0\0D\x3f\xe0\0\0\0\0\0\0]");
}

#[test]
fn every_kind_of_sequence_is_typed() {
    let typed = b"[$i#i\x04\x01\x02\x03\x04";
    assert_written(&vec![1, 2, 3, 4], typed);
    assert_written(&(1, 2, 3, 4), typed);
    assert_written(&BTreeSet::from([4, 2, 3, 1]), typed);
    assert_written(&VecDeque::from([1, 2, 3, 4]), typed);
    assert_written(&LinkedList::from([1, 2, 3, 4]), typed);
    assert_written(&Unknown(vec![1, 2, 3, 4]), typed);
    assert_written(&HashSet::from([5]), b"[i\x05]");
}

#[test]
fn typed_arrays_nest_in_everything() {
    #[derive(Serialize)]
    enum Shape {
        Line(i32, i32, i32, i32),
        Empty,
    }

    let typed = b"[$i#i\x04\x01\x02\x03\x04";
    assert_written(&vec![[1, 2, 3, 4]; 2], &[b"[", &typed[..], typed, b"]"].concat());
    assert_written(
        &BTreeMap::from([("a", [1, 2, 3, 4])]),
        &[b"{i\x01a", &typed[..], b"}"].concat(),
    );
    assert_written(&Shape::Line(1, 2, 3, 4), &[b"{i\x04Line", &typed[..], b"}"].concat());
    assert_written(&[Shape::Empty, Shape::Empty], b"[Si\x05EmptySi\x05Empty]");
}

fn check<A: quickcheck::Testable>(tests: u64, property: A) {
    QuickCheck::new().rng(Gen::new(TOP)).tests(tests).quickcheck(property);
}

#[test]
fn arbitrary_values_are_written_as_the_rules_say() {
    fn property(value: Tree) {
        for options in Options::all() {
            let written = options.config(Containers::Auto).to_vec(&value).unwrap();
            assert_eq!(to_hex(&written), to_hex(&options.encode(&value)), "{options:?}");
        }
    }
    check(300, property as fn(_));
}

#[test]
fn auto_is_never_longer_than_counted_nor_two_bytes_a_container_longer_than_plain() {
    fn property(value: Tree) {
        for options in Options::all() {
            let [auto, counted, plain] = [Containers::Auto, Containers::Counted, Containers::Plain]
                .map(|containers| options.config(containers).to_vec(&value).unwrap().len());
            assert!(auto <= counted, "{auto} bytes, counted {counted}, {options:?}");
            let bound = plain + 2 * value.containers();
            assert!(auto <= bound, "{auto} bytes, plain {plain}, bound {bound}, {options:?}");
        }
    }
    check(300, property as fn(_));
}

#[test]
fn arbitrary_values_read_the_same_whatever_the_containers() {
    fn property(value: Tree) {
        for options in Options::all() {
            let [auto, counted, plain] = [Containers::Auto, Containers::Counted, Containers::Plain].map(|containers| {
                let written = options.config(containers).to_vec(&value).unwrap();
                assert_eq!(grammar::document(&written), Ok(()));
                ubjson::from_slice::<Doc>(&written).unwrap()
            });
            assert!(auto == plain && counted == plain, "{options:?}");
        }
    }
    check(100, property as fn(_));
}
