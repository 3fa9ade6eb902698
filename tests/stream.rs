//! Documents that follow each other, from every source.
#![cfg(feature = "std")]

mod common;

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::fmt::Debug;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::iter::FusedIterator;
use std::rc::Rc;

use serde::de::{DeserializeOwned, Error as _, IgnoredAny};
use serde::{Deserialize, Deserializer, Serialize};
use ubjson::de::{Config, SliceRead};
use ubjson::{Error, ErrorKind, StreamDeserializer};

use common::doc::Doc;
use common::readers::{Chunked, Failing};
use common::sources::Failure;

/// What a stream gave: each item with `byte_offset` behind it, and `byte_offset` behind the final `None`.
#[derive(Debug, PartialEq)]
struct Run<T> {
    items: Vec<(Result<T, Failure>, u64)>,
    end: u64,
}

impl<T> Run<T> {
    fn of<'de, R: ubjson::de::Read<'de>>(mut stream: StreamDeserializer<'de, R, T>) -> Self
    where
        T: Deserialize<'de>,
    {
        let mut items = Vec::new();
        while let Some(item) = stream.next() {
            items.push((item.map_err(|error| Failure::new(&error)), stream.byte_offset()));
            assert!(items.len() <= 100, "a stream without end");
        }
        Run {
            items,
            end: stream.byte_offset(),
        }
    }
}

/// Reads the same bytes from every source, which must all give the same.
fn run<T: DeserializeOwned + Debug + PartialEq>(bytes: &[u8]) -> Run<T> {
    let config = Config::new();
    let expected = Run::<T>::of(config.deserializer_from_slice(bytes).into_iter());
    for chunk in [1, 2, 7, 4096] {
        let exact = config.deserializer_from_reader(Chunked::new(bytes, chunk));
        assert_eq!(Run::of(exact.into_iter()), expected, "reader of {chunk}");
        let seekable = config.deserializer_from_seekable(Chunked::new(bytes, chunk));
        assert_eq!(Run::of(seekable.into_iter()), expected, "seekable of {chunk}");
    }
    for capacity in [1, 64] {
        let config = config.buffer_capacity(capacity);
        let seekable = config.deserializer_from_seekable(Cursor::new(bytes));
        assert_eq!(Run::of(seekable.into_iter()), expected, "buffer of {capacity}");
    }
    expected
}

#[track_caller]
fn only_error<T: Debug>(run: &Run<T>) -> &Failure {
    match &run.items[..] {
        [(Err(failure), _)] => failure,
        items => panic!("{items:?}"),
    }
}

#[test]
fn documents_come_one_by_one_and_end_cleanly() {
    let run = run::<i32>(b"i\x01I\x01\x00U\xff");
    assert_eq!(run.items, [(Ok(1), 2), (Ok(256), 5), (Ok(255), 7)]);
    assert_eq!(run.end, 7);
}

#[test]
fn nothing_and_no_ops_alone_are_a_clean_end() {
    for bytes in [&b""[..], b"N", b"NNNN"] {
        let run = run::<Doc>(bytes);
        assert_eq!((run.items.len(), run.end), (0, bytes.len() as u64));
    }
}

#[test]
fn no_ops_between_documents_are_skipped() {
    let run = run::<bool>(b"NTNNFNNN");
    assert_eq!(run.items, [(Ok(true), 2), (Ok(false), 5)]);
    assert_eq!(run.end, 8);
}

#[test]
fn the_end_of_the_input_inside_a_document_is_an_error_and_the_last_item() {
    let documents: &[&[u8]] = &[
        b"{i\x01a[TF]i\x01bSi\x03xyz}",
        b"N[$U#i\x03abc",
        b"{#i\x01i\x01aI\x01\x02",
    ];
    let bytes = documents.concat();
    let mut ends = vec![0];
    for document in documents {
        ends.push(ends.last().unwrap() + document.len());
    }
    for cut in 0..=bytes.len() {
        let run = run::<Doc>(&bytes[..cut]);
        let whole = ends.iter().filter(|end| **end <= cut && **end > 0).count();
        let start = ends[whole];
        let is_clean = bytes[start..cut].iter().all(|byte| *byte == b'N');
        assert_eq!(run.items.len(), whole + usize::from(!is_clean), "cut at {cut}");
        for (item, end) in run.items.iter().zip(&ends[1..=whole]) {
            assert!(item.0.is_ok());
            assert_eq!(item.1, *end as u64);
        }
        if is_clean {
            assert_eq!(run.end, cut as u64);
            continue;
        }
        let (item, offset) = run.items.last().unwrap();
        let failure = item.as_ref().unwrap_err();
        assert_eq!((failure.kind, failure.offset), (ErrorKind::Eof, Some(cut as u64)));
        // Where to go on when there is more.
        assert_eq!((*offset, run.end), (start as u64, start as u64), "cut at {cut}");
    }
}

#[test]
fn a_slice_is_resumed_where_the_last_whole_document_ended() {
    let values: Vec<Vec<String>> = vec![vec!["a".into()], vec![], vec!["b".into(), "long enough".repeat(20)]];
    let mut bytes = Vec::new();
    for value in &values {
        bytes.push(b'N');
        ubjson::to_writer(&mut bytes, value).unwrap();
    }
    for piece_len in 1..bytes.len() {
        let mut read: Vec<Vec<String>> = Vec::new();
        let mut received = Vec::new();
        for piece in bytes.chunks(piece_len) {
            received.extend_from_slice(piece);
            let mut stream = ubjson::Deserializer::from_slice(&received).into_iter();
            for item in stream.by_ref() {
                match item {
                    Ok(value) => read.push(value),
                    Err(error) => assert!(error.is_eof(), "{error}"),
                }
            }
            let consumed = usize::try_from(stream.byte_offset()).unwrap();
            received.drain(..consumed);
        }
        assert_eq!(read, values, "pieces of {piece_len}");
        assert_eq!(received, b"");
    }
}

#[derive(Debug, Deserialize, PartialEq, Serialize)]
struct Row {
    id: u8,
    name: String,
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Strict {
    id: u8,
}

#[derive(Debug, Deserialize, PartialEq)]
enum Event {
    Start,
    Move(i32, i32),
    Say { text: String },
    Wrap(Box<Event>),
}

/// A good value of the type, and documents it refuses with what the errors say.
struct Case<T> {
    good: (&'static [u8], T),
    bad: &'static [(&'static [u8], &'static str)],
}

/// Each bad document between good ones is passed over.
#[track_caller]
fn refuses<T: DeserializeOwned + Debug + PartialEq>(case: Case<T>) {
    let (good, value) = case.good;
    for (bad, message) in case.bad {
        let bytes = [good, bad, b"N", good].concat();
        let run = run::<T>(&bytes);
        let [(first, _), (second, behind), (third, _)] = &run.items[..] else {
            panic!("{message}: {:?}", run.items);
        };
        let failure = second.as_ref().expect_err(message);
        assert!(failure.text.contains(message), "{} is not {message}", failure.text);
        assert!(failure.offset.is_some_and(|at| at >= good.len() as u64), "{failure:?}");
        assert_eq!(*behind, (good.len() + bad.len()) as u64, "{message}");
        assert_eq!((first.as_ref(), third.as_ref()), (Ok(&value), Ok(&value)), "{message}");
        assert_eq!(run.end, bytes.len() as u64);
    }
}

#[test]
fn scalars_of_the_wrong_type_are_passed_over() {
    refuses(Case {
        good: (b"i\x05", 5_u8),
        bad: &[
            (b"i\xff", "invalid value: integer `-1`"),
            (b"I\x01\x00", "invalid value: integer `256`"),
            (b"L\x7f\xff\xff\xff\xff\xff\xff\xff", "invalid value"),
            (b"d\x00\x00\x00\x00", "floating point"),
            (b"Z", "unit value"),
            (b"T", "boolean `true`"),
            (b"Cx", "string \"x\""),
            (b"Si\x03abc", "string \"abc\""),
            (b"Hi\x0512345", "integer `12345`"),
            (b"Hi\x06-1e400", "number out of range"),
            (b"[i\x05]", "sequence"),
            (b"[$i#i\x02\x05\x05", "sequence"),
            (b"[[[i\x05]]{i\x01a[i\x05N]}]", "sequence"),
            (b"{i\x01ai\x05}", "map"),
            (b"{#i\x01i\x01ai\x05", "map"),
            (b"{$[#i\x01i\x01aN[]]", "map"),
        ],
    });
}

#[test]
fn elements_of_the_wrong_type_are_passed_over_with_their_array() {
    refuses(Case {
        good: (b"[i\x05i\x06]", vec![5_u8, 6]),
        bad: &[
            (b"[i\x05Si\x01ai\x07]", "string \"a\""),
            (b"[#i\x03i\x05TN[]", "boolean `true`"),
            (b"[$I#i\x03\x00\x01\x01\x00\x00\x02", "integer `256`"),
            (b"[$d#i\x02\x00\x00\x00\x00\x00\x00\x00\x00", "floating point"),
            (b"[$Z#i\x05", "unit value"),
            (b"[$[#i\x02]$Z#i\x03", "sequence"),
            (b"[$S#i\x02i\x01ai\x01b", "string \"a\""),
            (b"[N{i\x01aN[T]}NTN]", "map"),
        ],
    });
    refuses(Case {
        good: (b"[[i\x05i\x06]]", vec![(5_u8, 6_u8)]),
        bad: &[
            (b"[[i\x05]]", "invalid length 1"),
            (b"[[i\x05i\x06i\x07[T]Z]]", "more elements"),
            (b"[$[#i\x02$i#i\x03\x05\x06\x07i\x05i\x06]", "more elements"),
            (b"[[i\x05i\x06][i\x05Z]{}]", "unit value"),
        ],
    });
}

#[test]
fn objects_that_do_not_fit_a_struct_are_passed_over() {
    refuses(Case {
        good: (
            b"{i\x02idi\x05i\x04nameSi\x01a}",
            Row {
                id: 5,
                name: "a".into(),
            },
        ),
        bad: &[
            (b"{}", "missing field `id`"),
            (b"{#i\x00", "missing field `id`"),
            (b"{i\x02idi\x05i\x04moreT}", "missing field `name`"),
            (b"{i\x02idi\x05i\x02id[T]i\x04nameSi\x01a}", "duplicate field `id`"),
            (
                b"{#i\x03i\x02idi\x05i\x02idNi\x06i\x04nameSi\x01a",
                "duplicate field `id`",
            ),
            (b"{$i#i\x03i\x02id\x05i\x02id\x06i\x01x\x07", "duplicate field `id`"),
            (b"{$T#i\x02i\x02idi\x02id", "boolean `true`"),
            (b"{i\x02idI\x01\x00i\x04nameSi\x01a}", "integer `256`"),
            (b"{i\x02id{i\x02idi\x05}i\x04nameSi\x01a}", "map"),
            (b"{Ni\x04nameN[Si\x01a]Ni\x02idi\x05N}", "sequence"),
            (b"[i\x05]", "invalid length 1"),
            (b"[i\x05Si\x01aTFZ]", "more elements"),
        ],
    });
    refuses(Case {
        good: (b"{i\x02idi\x05}", Strict { id: 5 }),
        bad: &[
            (b"{i\x05other[i\x01[TF]]i\x02idi\x05}", "unknown field `other`"),
            (b"{$i#i\x02i\x02id\x05i\x05other\x06", "unknown field `other`"),
            (b"{$Z#i\x02i\x05otheri\x02id", "unknown field `other`"),
        ],
    });
}

#[test]
fn variants_that_do_not_fit_an_enum_are_passed_over() {
    refuses(Case {
        good: (b"{i\x04Move[i\x05i\x06]}", Event::Move(5, 6)),
        bad: &[
            (b"Si\x04Jump", "unknown variant `Jump`"),
            (b"Cx", "unknown variant `x`"),
            (b"Si\x04Move", "unit variant"),
            (b"{i\x05Start[TF]}", "sequence"),
            (b"{i\x04Jump{i\x01a[T]}}", "unknown variant `Jump`"),
            (b"{i\x04Move[i\x05]}", "invalid length 1"),
            (b"{i\x04MoveZi\x03Say{}}", "unit value"),
            (b"{i\x04Move[i\x05i\x06]i\x03Say{i\x01a[]}}", "more than one key"),
            (b"{#i\x02i\x04Move[i\x05i\x06]i\x05StartZ", "more than one key"),
            (b"{i\x03Say{i\x04text[T]i\x01aT}}", "sequence"),
            (b"{i\x04Wrap{i\x04Wrap{i\x04Wrap{i\x04Move[i\x05Z]}}}}", "unit value"),
            (b"{}", "an empty object"),
            (b"{#i\x00", "an empty object"),
            (b"[Si\x05Start]", "sequence"),
            (b"i\x05", "integer `5`"),
        ],
    });
}

#[test]
fn keys_bytes_and_options_that_do_not_fit_are_passed_over() {
    refuses(Case {
        good: (b"{i\x015T}", BTreeMap::from([(5_u8, true)])),
        bad: &[
            (b"{i\x01aT}", "string \"a\""),
            (b"{i\x03256[T[F]]i\x015T}", "integer `256`"),
            (b"{$Z#i\x02i\x015i\x016", "unit value"),
        ],
    });
    refuses(Case {
        good: (b"[$U#i\x02ab", serde_bytes::ByteBuf::from(*b"ab")),
        bad: &[
            (b"[i\x01Si\x03abci\x02]", "invalid type: string"),
            (b"[i\x01I\x01\x00[T]]", "integer `256`"),
            (b"[#i\x03i\x01{i\x01a[]}U\x02", "map"),
            (b"{i\x01ai\x01}", "map"),
            (b"D\x00\x00\x00\x00\x00\x00\x00\x00", "floating point"),
        ],
    });
    refuses(Case {
        good: (b"[NZNi\x05N]", vec![None, Some(5_u8)]),
        bad: &[
            (b"[NZNTN]", "boolean `true`"),
            (b"[$T#i\x03", "boolean `true`"),
            (b"[N{i\x01aT}NZ]", "map"),
        ],
    });
}

/// Reads anything and fails behind it.
#[derive(Debug, PartialEq)]
struct Even(i64);

impl<'de> Deserialize<'de> for Even {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = i64::deserialize(deserializer)?;
        match number % 2 {
            0 => Ok(Even(number)),
            _ => Err(D::Error::custom("an odd number")),
        }
    }
}

/// Never looks at its value.
#[derive(Debug, PartialEq)]
struct Refusal;

impl<'de> Deserialize<'de> for Refusal {
    fn deserialize<D: Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
        Err(D::Error::custom("refused unseen"))
    }
}

/// Takes anything without a look at it.
#[derive(Debug, PartialEq)]
struct Blind;

impl<'de> Deserialize<'de> for Blind {
    fn deserialize<D: Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
        Ok(Blind)
    }
}

fn or_zero<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
    Ok(u8::deserialize(deserializer).unwrap_or(0))
}

#[derive(Debug, Deserialize, PartialEq)]
struct Lenient {
    #[serde(deserialize_with = "or_zero")]
    a: u8,
    b: u8,
}

#[test]
fn errors_of_the_types_own_are_passed_over() {
    refuses(Case {
        good: (b"[i\x02i\x04]", vec![Even(2), Even(4)]),
        bad: &[
            (b"[i\x02i\x03i\x04]", "an odd number"),
            (b"[$i#i\x03\x01\x02\x03", "an odd number"),
        ],
    });
    let run = run::<Vec<Refusal>>(b"[[T[F]]Z][][$Z#i\x03[$S#i\x02i\x01ai\x01b[]");
    let outcomes: Vec<_> = run.items.iter().map(|(item, end)| (item.is_ok(), *end)).collect();
    assert_eq!(outcomes, [(false, 9), (true, 11), (false, 17), (false, 29), (true, 31)]);
}

#[test]
fn a_type_that_does_not_look_at_its_documents_gets_each_of_them_once() {
    let run = run::<Blind>(b"[T[F]]NSi\x01aN");
    assert_eq!(run.items, [(Ok(Blind), 6), (Ok(Blind), 11)]);
    assert_eq!(run.end, 12);
}

#[test]
fn a_type_may_replace_a_value_it_cannot_read() {
    let run = run::<Lenient>(b"{i\x01a{i\x01xF}i\x01bi\x02}{i\x01a[i\x01i\x02]i\x01bi\x03}");
    let values: Vec<_> = run.items.iter().map(|(item, _)| item.as_ref().unwrap()).collect();
    assert_eq!(values, [&Lenient { a: 0, b: 2 }, &Lenient { a: 0, b: 3 }]);
}

#[test]
fn a_broken_document_ends_the_stream_and_says_where() {
    for (bytes, kind, offset) in [
        (&b"T]T"[..], ErrorKind::Marker, 1),
        (b"T[T}T", ErrorKind::Marker, 3),
        (b"T{Si\x01aT}", ErrorKind::Length, 2),
        (b"TSi\xff", ErrorKind::Length, 2),
        (b"TSi\x01\x80T", ErrorKind::Utf8, 4),
        (b"TC\x80T", ErrorKind::Char, 2),
        (b"THi\x02xxT", ErrorKind::Number, 4),
        (b"T[$N#i\x01T", ErrorKind::ContainerHeader, 3),
        (b"T[$Z#l\x00\x20\x00\x00T", ErrorKind::Budget, 5),
    ] {
        let run = run::<Doc>(bytes);
        assert_eq!(run.items.len(), 2, "{:?}", run.items);
        assert_eq!(run.items[0], (Ok(Doc::Bool(true)), 1));
        let failure = run.items[1].0.as_ref().unwrap_err();
        assert_eq!((failure.kind, failure.offset), (kind, Some(offset)), "{failure:?}");
        assert_eq!((run.items[1].1, run.end), (1, 1));
    }
}

#[test]
fn a_document_too_deep_ends_the_stream() {
    let run = run::<Doc>(&[&b"T"[..], &[b'['; 129], &[b']'; 129], b"T"].concat());
    assert_eq!(run.items.len(), 2);
    assert_eq!(run.items[1].0.as_ref().unwrap_err().kind, ErrorKind::Depth);
}

#[test]
fn a_document_of_the_wrong_type_that_is_broken_further_on_gives_only_that_error() {
    assert_eq!(only_error(&run::<u8>(b"[T]")).kind, ErrorKind::Data);
    let broken = run::<u8>(b"[T?]i\x01");
    let failure = only_error(&broken);
    assert_eq!((failure.kind, failure.offset), (ErrorKind::Marker, Some(2)));
    let cut = run::<Vec<u8>>(b"[i\x01T[F]");
    let failure = only_error(&cut);
    assert_eq!((failure.kind, failure.offset), (ErrorKind::Eof, Some(7)));
    assert_eq!(cut.end, 0);
}

/// Tells every error in its own words.
#[derive(Debug, PartialEq)]
struct Wrapping(String);

impl<'de> Deserialize<'de> for Wrapping {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match String::deserialize(deserializer) {
            Ok(text) => Ok(Wrapping(text)),
            Err(error) => Err(D::Error::custom(format!("bad name ({error})"))),
        }
    }
}

#[test]
fn an_error_of_the_bytes_keeps_its_kind_and_place_in_other_words() {
    let cut = run::<Vec<Wrapping>>(b"[Si\x01aSi\x04bcd");
    let failure = only_error(&cut);
    assert_eq!((failure.kind, failure.offset), (ErrorKind::Eof, Some(11)));
    assert!(
        failure.text.starts_with("bad name (unexpected end of input"),
        "{}",
        failure.text
    );

    let broken = run::<Vec<Wrapping>>(b"[Si\x01\x80]Si\x01a");
    let failure = only_error(&broken);
    assert_eq!((failure.kind, failure.offset), (ErrorKind::Utf8, Some(4)));

    let ignored = run::<Lenient>(b"{i\x01a?i\x01bi\x02}");
    let failure = only_error(&ignored);
    assert_eq!((failure.kind, failure.offset), (ErrorKind::Marker, Some(4)));
    assert!(failure.text.contains("document is broken"), "{}", failure.text);
}

#[test]
fn each_document_has_the_whole_budget_and_depth() {
    let config = Config::new().max_empty_elements(3).max_depth(2);
    let bytes = b"[$Z#i\x03[[]][$Z#i\x03[[]][$Z#i\x04";
    let mut stream = config.deserializer_from_slice(bytes).into_iter::<IgnoredAny>();
    for _ in 0..4 {
        stream.next().unwrap().unwrap();
    }
    assert_eq!(stream.next().unwrap().unwrap_err().kind(), ErrorKind::Budget);
}

#[test]
fn a_reader_that_fails_ends_the_stream() {
    fn refused() -> io::Error {
        io::ErrorKind::ConnectionReset.into()
    }
    for (bytes, whole) in [(&b""[..], 0), (b"T", 1), (b"T[", 1), (b"T[T]", 2), (b"T[T]N", 2)] {
        let reader = Failing::new(bytes, refused);
        let mut stream = ubjson::Deserializer::from_reader(reader).into_iter::<Doc>();
        for _ in 0..whole {
            stream.next().unwrap().unwrap();
        }
        let error = stream.next().unwrap().unwrap_err();
        assert_eq!(error.io_error_kind(), Some(io::ErrorKind::ConnectionReset));
        assert!(stream.next().is_none());
    }
}

/// Has what has been written to it so far.
#[derive(Clone, Default)]
struct Growing {
    bytes: Rc<RefCell<VecDeque<u8>>>,
}

impl Read for Growing {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        self.bytes.borrow_mut().read(buf)
    }
}

#[test]
fn an_input_that_grows_can_be_followed() {
    let log = Growing::default();
    let mut stream = ubjson::Deserializer::from_reader(log.clone()).into_iter::<u8>();
    for (more, expected) in [
        (&b"i\x01N"[..], Some(1)),
        (b"NNi\x02", Some(2)),
        (b"N", None),
        (b"i\x03", Some(3)),
    ] {
        log.bytes.borrow_mut().extend(more);
        assert_eq!(stream.next().transpose().unwrap(), expected);
        assert!(stream.next().is_none());
    }
    assert_eq!(stream.byte_offset(), 10);
}

#[test]
fn a_stream_goes_on_when_its_file_has_grown() {
    let mut file = tempfile::tempfile().unwrap();
    let mut writer = file.try_clone().unwrap();
    let mut stream = ubjson::Deserializer::from_seekable(&mut file).into_iter::<Row>();
    assert!(stream.next().is_none());
    for id in 0..3 {
        let row = Row {
            id,
            name: "x".repeat(9),
        };
        let mut encoded = ubjson::to_vec(&row).unwrap();
        encoded.push(b'N');
        // The two handles share their position, which is the end while the stream waits.
        io::Write::write_all(&mut writer, &encoded).unwrap();
        writer.seek(SeekFrom::End(-(encoded.len() as i64))).unwrap();
        assert_eq!(stream.next().transpose().unwrap(), Some(row));
        assert!(stream.next().is_none());
    }
}

#[test]
fn a_seekable_reader_is_given_back_at_any_boundary() {
    let documents: &[&[u8]] = &[b"i\x01", b"NSi\x01a", b"[TT[Z]]", b"i\x04"];
    let head = b"not ours";
    let bytes = [&head[..], &documents.concat(), b"the rest"].concat();
    for count in 0..=documents.len() {
        for capacity in [1, 40, 4096] {
            let mut file = Cursor::new(&bytes);
            file.set_position(head.len() as u64);
            let config = Config::new().buffer_capacity(capacity);
            let mut stream = config.deserializer_from_seekable(&mut file).into_iter::<u8>();
            // The second and the third are not what the type wants.
            assert_eq!(stream.by_ref().take(count).count(), count);
            stream.finish().unwrap();
            let end = (head.len() + documents[..count].concat().len()) as u64;
            assert_eq!(stream.get_ref().position(), end);
            assert_eq!(stream.byte_offset(), end - head.len() as u64);
            // It can be read on, and given back again.
            let rest = stream.by_ref().take(documents.len() - count).count();
            assert_eq!(rest, documents.len() - count);
            let file = stream.into_inner().unwrap();
            assert_eq!(file.position(), (bytes.len() - b"the rest".len()) as u64);
        }
    }
}

#[test]
fn a_stream_over_a_reader_takes_nothing_of_what_follows() {
    let bytes = [&b"i\x01[#i\x02[T]{i\x01aZ}T"[..], b"GET / HTTP/1.1\r\n"].concat();
    for chunk in [1, 3, 4096] {
        let mut reader = Chunked::new(&bytes, chunk);
        let mut stream = ubjson::Deserializer::from_reader(&mut reader).into_iter::<Doc>();
        assert_eq!(stream.by_ref().take(3).filter(Result::is_ok).count(), 3);
        drop(stream);
        assert_eq!(reader.position(), 2 + 13 + 1);
    }
}

#[test]
fn documents_of_different_types_can_be_mixed() {
    let bytes = b"Si\x04pairi\x02[i\x01i\x02][i\x03i\x04]Si\x03end";
    let mut headings = ubjson::Deserializer::from_slice(bytes).into_iter::<&str>();
    assert_eq!(headings.next().transpose().unwrap(), Some("pair"));
    let mut counts = headings.into_deserializer().into_iter::<usize>();
    let count = counts.next().unwrap().unwrap();
    let mut pairs = counts.into_deserializer().into_iter::<(u8, u8)>();
    let read: Vec<_> = pairs.by_ref().take(count).collect::<Result<_, Error>>().unwrap();
    assert_eq!(read, [(1, 2), (3, 4)]);
    assert_eq!(pairs.byte_offset(), 7 + 2 + 6 + 6);
    let mut headings = pairs.into_deserializer().into_iter::<&str>();
    assert_eq!(headings.next().transpose().unwrap(), Some("end"));
}

#[test]
fn only_a_stream_over_a_slice_is_fused() {
    fn is_fused<I: FusedIterator>() {}
    is_fused::<StreamDeserializer<'static, SliceRead<'static>, &'static str>>();
    let mut stream = ubjson::Deserializer::from_slice(b"T").into_iter::<bool>();
    assert!(stream.next().is_some());
    assert!(stream.next().is_none() && stream.next().is_none());
}

#[test]
fn streams_can_be_sent_to_other_threads() {
    fn is_send_and_sync<T: Send + Sync>() {}
    is_send_and_sync::<StreamDeserializer<'static, SliceRead<'static>, *const u8>>();
}

#[test]
fn an_error_is_the_same_behind_an_io_error() {
    let error = ubjson::from_slice::<Doc>(b"[T?]").unwrap_err();
    let expected = Failure::new(&error);
    let there: io::Error = error.into();
    assert_eq!(there.kind(), io::ErrorKind::InvalidData);
    let back: Error = there.into();
    assert_eq!(Failure::new(&back), expected);

    let refused: Error = io::Error::from(io::ErrorKind::ConnectionRefused).into();
    assert_eq!(refused.io_error_kind(), Some(io::ErrorKind::ConnectionRefused));
    assert_eq!(refused.offset(), None);
}

#[test]
fn debug_output_says_where_a_stream_stands() {
    let mut stream = Config::new().deserializer_from_slice(b"NTF?").into_iter::<bool>();
    stream.next();
    let output = format!("{stream:?}");
    assert!(
        output.contains("offset: 2") && output.contains("has_failed: false"),
        "{output}"
    );
    assert!(stream.by_ref().any(|item| item.is_err()));
    let output = format!("{stream:?}");
    assert!(
        output.contains("offset: 3") && output.contains("has_failed: true"),
        "{output}"
    );
}
