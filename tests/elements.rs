//! The elements of one array, one by one.
#![cfg(feature = "std")]

mod common;

use std::io::Cursor;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use ubjson::de::{Config, Read};
use ubjson::ser::{self, Containers};
use ubjson::{Deserializer, ErrorKind};

use common::doc::Doc;
use common::grammar;
use common::readers::{Chunked, Exact};
use common::sources::Failure;
use common::vectors::{Expected, decode_vectors};

/// What came of reading an array by its elements and finishing the document.
#[derive(Debug, PartialEq)]
struct Run<T> {
    opened: Result<(), Failure>,
    items: Vec<Result<T, Failure>>,
    finished: Result<(), Failure>,
    /// Where the deserializer stands in the end, unless the document was broken.
    offset: u64,
}

fn run_from<'de, R: Read<'de>, T: Deserialize<'de>>(mut de: Deserializer<R>, path: &[&str], count: usize) -> Run<T> {
    let failure = |error: ubjson::Error| Failure::new(&error);
    let mut run = Run {
        opened: Ok(()),
        items: Vec::new(),
        finished: Ok(()),
        offset: 0,
    };
    match de.elements_at::<T>(path) {
        Ok(mut elements) => {
            run.items
                .extend(elements.by_ref().take(count).map(|item| item.map_err(failure)));
            run.finished = elements.finish().map_err(failure);
        }
        Err(error) => run.opened = Err(failure(error)),
    }
    let is_broken = |outcome: &Result<(), Failure>| outcome.as_ref().is_err_and(|error| error.kind != ErrorKind::Data);
    if !is_broken(&run.opened) && !is_broken(&run.finished) {
        run.offset = de.byte_offset();
    }
    run
}

/// Takes `count` elements of the array under `path` from every source, which must all give the same.
fn take<T: DeserializeOwned + PartialEq + std::fmt::Debug>(bytes: &[u8], path: &[&str], count: usize) -> Run<T> {
    let config = Config::new();
    let expected = run_from(config.deserializer_from_slice(bytes), path, count);
    for chunk in [1, 3, 4096] {
        let exact = config.deserializer_from_reader(Chunked::new(bytes, chunk));
        assert_eq!(run_from(exact, path, count), expected, "reader of {chunk}");
        let seekable = config.deserializer_from_seekable(Chunked::new(bytes, chunk));
        assert_eq!(run_from(seekable, path, count), expected, "seekable of {chunk}");
    }
    let seekable = config.buffer_capacity(1).deserializer_from_seekable(Cursor::new(bytes));
    assert_eq!(run_from(seekable, path, count), expected, "small buffer");
    expected
}

fn all<T: DeserializeOwned + PartialEq + std::fmt::Debug>(bytes: &[u8], path: &[&str]) -> Run<T> {
    take(bytes, path, usize::MAX)
}

impl<T> Run<T> {
    #[track_caller]
    fn values(self) -> Vec<T> {
        assert_eq!((self.opened, self.finished), (Ok(()), Ok(())));
        let values: Result<_, _> = self.items.into_iter().collect();
        values.unwrap_or_else(|failure| panic!("{failure:?}"))
    }
}

#[track_caller]
fn opened<T: std::fmt::Debug>(run: &Run<T>) -> &Failure {
    run.opened.as_ref().expect_err("an array")
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct Row {
    id: u32,
    name: String,
    parts: Vec<u8>,
}

fn rows() -> Vec<Row> {
    let row = |id| Row {
        id,
        name: format!("row {id}"),
        parts: vec![7; usize::try_from(id % 4).unwrap()],
    };
    (0..20).map(row).collect()
}

#[test]
fn arrays_of_every_form_give_their_elements() {
    for containers in [Containers::Auto, Containers::Counted, Containers::Plain] {
        let config = ser::Config::new().containers(containers);
        let bytes = config.to_vec(&rows()).unwrap();
        let run = all::<Row>(&bytes, &[]);
        assert_eq!(run.offset, bytes.len() as u64);
        assert_eq!(run.values(), rows());
    }
    for bytes in [
        &b"[i\x01i\x02i\x03]"[..],
        b"[#i\x03i\x01Ni\x02i\x03",
        b"[$i#i\x03\x01\x02\x03",
        b"N[NU\x01Ni\x02I\x00\x03N]",
    ] {
        assert_eq!(all::<u8>(bytes, &[]).values(), [1, 2, 3]);
    }
    for bytes in [&b"[]"[..], b"[#i\x00", b"[$S#i\x00", b"[N]"] {
        assert!(all::<Doc>(bytes, &[]).values().is_empty());
    }
    assert_eq!(
        all::<(bool, bool)>(b"[$[#i\x02TF]$T#i\x02", &[]).values(),
        [(true, false), (true, true)]
    );
    assert_eq!(all::<bool>(b"[$T#i\x04", &[]).values(), [true; 4]);
}

#[test]
fn elements_are_those_that_reading_the_whole_array_gives() {
    let mut arrays = 0;
    for vector in decode_vectors() {
        let Expected::Value(Doc::Array(expected)) = &vector.expected else {
            continue;
        };
        arrays += 1;
        let end = grammar::value(&vector.bytes).expect("a value").end;
        let run = all::<Doc>(&vector.bytes, &[]);
        assert_eq!(run.offset, end as u64, "{}", vector.name);
        assert_eq!(&run.values(), expected, "{}", vector.name);
        // No byte beyond, whatever is taken.
        for count in 0..=expected.len().min(5) {
            let document = &vector.bytes[..end];
            let run = run_from::<_, Doc>(Deserializer::from_reader(Exact::new(document, 4096)), &[], count);
            assert_eq!((run.finished, run.offset), (Ok(()), end as u64), "{}", vector.name);
        }
    }
    assert!(arrays > 100, "{arrays}");
}

#[test]
fn an_array_under_a_path_gives_its_elements() {
    let bytes = b"{i\x01aTi\x04data{i\x00[]i\x04rows[i\x01i\x02]i\x01z[[]]}i\x04restSi\x01xN}i\x09";
    let run = all::<u8>(bytes, &["data", "rows"]);
    assert_eq!(run.offset, bytes.len() as u64 - 2);
    assert_eq!(run.values(), [1, 2]);
    assert!(all::<u8>(bytes, &["data", ""]).values().is_empty());
    // In typed and counted objects.
    let bytes = b"{${#i\x02i\x01a#i\x00i\x01b$[#i\x02i\x01cT]i\x01d$i#i\x02\x01\x02";
    assert_eq!(all::<u8>(bytes, &["b", "d"]).values(), [1, 2]);
    assert_eq!(all::<bool>(bytes, &["b", "c"]).values(), [true]);
}

#[test]
fn of_equal_keys_the_first_counts() {
    let run = all::<u8>(b"{i\x01a[i\x01]i\x01a[i\x02]i\x01aT}", &["a"]);
    assert_eq!(run.offset, 20);
    assert_eq!(run.values(), [1]);
}

#[test]
fn what_is_not_taken_is_passed_over_by_finish() {
    let bytes = b"{i\x01xTi\x01a[i\x01i\x02[T]{i\x01bF}N]i\x01ySi\x02hi}";
    for count in 0..=4 {
        let run = take::<Doc>(bytes, &["a"], count);
        assert_eq!(run.items.len(), count);
        assert_eq!((run.finished, run.offset), (Ok(()), bytes.len() as u64));
    }
}

#[test]
fn stopping_early_leaves_the_reader_behind_the_last_element() {
    let bytes = b"[i\x01[TF]Si\x01ai\x04]rest";
    for (count, position) in [(0, 1), (1, 3), (2, 7), (3, 11), (4, 13)] {
        let mut file = Cursor::new(bytes);
        let mut de = Deserializer::from_seekable(&mut file);
        let mut elements = de.elements::<Doc>().unwrap();
        assert_eq!(elements.by_ref().take(count).filter(Result::is_ok).count(), count);
        assert_eq!(elements.byte_offset(), position);
        drop(elements);
        de.finish().unwrap();
        assert_eq!(file.position(), position);
    }
}

#[test]
fn arrays_of_several_documents_follow_each_other() {
    let mut de = Deserializer::from_slice(b"[i\x01i\x02]N{i\x01a[$U#i\x03\x01\x02\x03i\x01bZ}[Si\x01x]");
    let mut first = de.elements::<u8>().unwrap();
    assert_eq!(first.next().transpose().unwrap(), Some(1));
    first.finish().unwrap();
    let second = de.elements_at::<u32>(&["a"]).unwrap();
    // Not at all.
    second.finish().unwrap();
    let third: Vec<&str> = de.elements().unwrap().collect::<ubjson::Result<_>>().unwrap();
    assert_eq!(third, ["x"]);
    de.end().unwrap();
}

#[test]
fn elements_that_do_not_fit_are_passed_over_one_by_one() {
    let bytes = b"[i\x01T[i\x02[Z]]i\x03Si\x01a{i\x01ai\x01}Hi\x061e9999i\x04N]";
    let run = all::<u8>(bytes, &[]);
    assert_eq!((run.finished, run.offset), (Ok(()), bytes.len() as u64));
    let outcomes: Vec<_> = run
        .items
        .iter()
        .map(|item| item.as_ref().map_err(|error| (error.kind, error.offset)))
        .collect();
    let data = |offset| Err((ErrorKind::Data, Some(offset)));
    let expected = [
        Ok(&1),
        data(3),
        data(4),
        Ok(&3),
        data(13),
        data(17),
        Err((ErrorKind::Number, Some(27))),
        Ok(&4),
    ];
    assert_eq!(outcomes, expected);

    let typed = all::<bool>(b"[$Z#i\x03", &[]);
    assert!(typed.items.len() == 3 && typed.items.iter().all(Result::is_err));
    let rows = all::<(u8, u8)>(b"[$[#i\x03i\x01i\x02]i\x01][[T]]i\x05N]", &[]);
    let outcomes: Vec<_> = rows.items.iter().map(Result::is_ok).collect();
    assert_eq!(outcomes, [true, false, false]);
}

#[test]
fn a_document_that_is_no_such_array_is_passed_over_as_a_whole() {
    for (bytes, path, message, offset) in [
        (
            &b"NSi\x01aT"[..],
            &[][..],
            "invalid type: string, expected an array at byte 1",
            5,
        ),
        (
            b"{i\x01a[T]}T",
            &[],
            "invalid type: map, expected an array at byte 0",
            8,
        ),
        (
            b"[[T][F]]T",
            &["a"],
            "invalid type: sequence, expected an object at byte 0",
            8,
        ),
        (
            b"{i\x01aNTi\x01b[T]}T",
            &["a"],
            "invalid type: boolean `true`, expected an array at byte 5",
            13,
        ),
        (
            b"{i\x01a[T]i\x01b[T]}T",
            &["a", "b"],
            "invalid type: sequence, expected an object at byte 4",
            14,
        ),
        (
            b"{i\x01a{i\x01bT}i\x01c[T]}T",
            &["a", "x"],
            "no key `x` in the object at byte 4",
            17,
        ),
        (b"{#i\x01i\x01aTT", &["x"], "no key `x` in the object at byte 0", 8),
        (
            b"{$Z#i\x02i\x01ai\x01bT",
            &["b"],
            "invalid type: unit value, expected an array",
            12,
        ),
    ] {
        let run = all::<bool>(bytes, path);
        let failure = opened(&run);
        assert_eq!(failure.kind, ErrorKind::Data);
        assert!(failure.text.starts_with(message), "{}", failure.text);
        assert_eq!(run.offset, offset, "{message}");

        let mut de = Deserializer::from_slice(bytes);
        assert!(de.elements_at::<bool>(path).is_err());
        assert!(bool::deserialize(&mut de).unwrap(), "the next document");
    }
}

#[test]
fn a_broken_document_is_an_error_wherever_it_breaks() {
    for (bytes, kind, offset) in [
        (&b"?"[..], ErrorKind::Marker, 0),
        (b"", ErrorKind::Eof, 0),
        (b"{i\x01b[?]", ErrorKind::Marker, 5),
    ] {
        let run = all::<bool>(bytes, &["a"]);
        assert_eq!((opened(&run).kind, opened(&run).offset), (kind, Some(offset)));
    }
    // Inside an element, after which nothing comes.
    let run = all::<Vec<bool>>(b"{i\x01a[[T][T?][F]]}", &["a"]);
    assert_eq!(run.items[0], Ok(vec![true]));
    let failure = run.items[1].as_ref().unwrap_err();
    assert_eq!((failure.kind, failure.offset), (ErrorKind::Marker, Some(10)));
    assert_eq!(run.items.len(), 2);
    let again = run.finished.unwrap_err();
    assert_eq!((again.kind, again.offset), (ErrorKind::Marker, Some(10)));
    // Where an element should start.
    let run = all::<bool>(b"[T}", &[]);
    assert_eq!(run.items.len(), 2);
    assert_eq!(run.items[1].as_ref().unwrap_err().offset, Some(2));
    // Behind the elements.
    let run = all::<bool>(b"{i\x01a[T]i\x01bT?", &["a"]);
    assert_eq!(run.items, [Ok(true)]);
    assert_eq!(run.finished.unwrap_err().offset, Some(11));
    let run = take::<bool>(b"[TTT?", &[], 1);
    assert_eq!(run.items, [Ok(true)]);
    assert_eq!(run.finished.unwrap_err().offset, Some(4));
}

#[test]
fn every_cut_gives_the_whole_elements_and_an_error() {
    let bytes = b"{i\x01xTi\x01a[#i\x03[i\x01]Si\x02hi{i\x01bF}i\x01yI\x01\x02}";
    let ends = [16, 21, 27];
    for cut in 0..bytes.len() {
        let run = all::<Doc>(&bytes[..cut], &["a"]);
        let whole = ends.iter().filter(|end| **end <= cut).count();
        assert_eq!(
            run.items.iter().filter(|item| item.is_ok()).count(),
            whole,
            "cut at {cut}"
        );
        let failure = match (&run.opened, run.items.last(), &run.finished) {
            (Err(failure), ..) | (_, Some(Err(failure)), _) | (.., Err(failure)) => failure,
            _ => panic!("cut at {cut}: no error"),
        };
        assert_eq!(
            (failure.kind, failure.offset),
            (ErrorKind::Eof, Some(cut as u64)),
            "cut at {cut}"
        );
        assert!(run.finished.is_err() || run.opened.is_err());
    }
}

#[test]
fn the_number_of_elements_left_is_told_where_it_is_known() {
    let mut de = Deserializer::from_slice(b"[#i\x03TFT[TF]");
    let mut counted = de.elements::<bool>().unwrap();
    for left in (0..3).rev() {
        assert_eq!(counted.size_hint(), (0, Some(left + 1)));
        assert!(counted.next().is_some());
        assert_eq!(counted.remaining(), Some(left as u64));
    }
    assert!(counted.next().is_none());
    assert_eq!(counted.size_hint(), (0, Some(0)));
    let mut plain = de.elements::<bool>().unwrap();
    assert_eq!((plain.remaining(), plain.size_hint()), (None, (0, None)));
    assert_eq!(plain.by_ref().count(), 2);
    assert_eq!((plain.next().is_none(), plain.size_hint()), (true, (0, Some(0))));
}

#[test]
fn elements_without_payload_are_within_the_budget() {
    let config = Config::new().max_empty_elements(10);
    let mut de = config.deserializer_from_slice(b"[$T#i\x0a[$T#i\x0b");
    assert_eq!(de.elements::<bool>().unwrap().count(), 10);
    assert_eq!(de.elements::<bool>().unwrap_err().kind(), ErrorKind::Budget);
}

#[test]
fn elements_hold_the_limit_of_depth() {
    let config = Config::new().max_depth(3);
    let count_good = |bytes: &[u8], path: &[&str]| {
        let mut de = config.deserializer_from_slice(bytes);
        let elements = de.elements_at::<Doc>(path).unwrap();
        elements.filter(Result::is_ok).count()
    };
    assert_eq!(count_good(b"[[[]][[]]]", &[]), 2);
    assert_eq!(count_good(b"[[[[]]]]", &[]), 0);
    assert_eq!(count_good(b"{i\x01a[[][]]}", &["a"]), 2);
    assert_eq!(count_good(b"{i\x01a[[[]]]}", &["a"]), 0);
    // What follows the array stands in the object alone, whether the array was read to its end or not.
    for count in 0..=3 {
        let mut de = config.deserializer_from_slice(b"{i\x01a[TF]i\x01b[[]]}");
        let mut elements = de.elements_at::<bool>(&["a"]).unwrap();
        assert_eq!(elements.by_ref().take(count).count(), count.min(2));
        elements.finish().unwrap();
    }
    // Depth is given back between documents.
    let bytes = b"{i\x01a[[]]}".repeat(5);
    let mut de = config.deserializer_from_slice(&bytes);
    for _ in 0..5 {
        de.elements_at::<Doc>(&["a"]).unwrap().finish().unwrap();
    }
}

#[test]
fn text_that_is_not_utf8_in_front_of_the_array_is_an_error_unless_it_is_lossy() {
    let bytes = b"{i\x01\x80Ti\x01a[T]}";
    let run = all::<bool>(bytes, &["a"]);
    assert_eq!((opened(&run).kind, opened(&run).offset), (ErrorKind::Utf8, Some(3)));
    let config = Config::new().lossy_utf8(true);
    let mut de = config.deserializer_from_slice(bytes);
    assert_eq!(de.elements_at::<bool>(&["a"]).unwrap().count(), 1);
}

#[test]
fn debug_output_says_where_the_elements_stand() {
    let mut de = Deserializer::from_slice(b"[#i\x03TTT");
    let mut elements = de.elements::<bool>().unwrap();
    elements.next();
    let output = format!("{elements:?}");
    assert!(
        output.contains("offset: 5") && output.contains("Counted(2)"),
        "{output}"
    );
}
