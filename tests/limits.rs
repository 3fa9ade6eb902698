//! What keeps a hostile document cheap: depth, the budget of elements without payload, bounded hints.
#![cfg(feature = "std")]

mod common;

use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};
use std::{fmt, io, thread};

use serde::de::{DeserializeOwned, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use ubjson::ser::{Config, Containers};
use ubjson::{ErrorKind, de, from_reader, from_slice, to_vec, to_writer};

use common::doc::Doc;
use common::from_hex;
use common::sources::Source;

/// A way to put one container into another.
#[derive(Clone, Copy, Debug)]
enum Nesting {
    Arrays,
    CountedArrays,
    TypedArrays,
    Objects,
    CountedObjects,
    TypedObjects,
    Mixed,
}

impl Nesting {
    const ALL: [Nesting; 7] = [
        Nesting::Arrays,
        Nesting::CountedArrays,
        Nesting::TypedArrays,
        Nesting::Objects,
        Nesting::CountedObjects,
        Nesting::TypedObjects,
        Nesting::Mixed,
    ];

    /// What stands in front of the inner container, and what behind it; for typed ones without the inner's marker.
    fn around(self, level: usize) -> (&'static [u8], &'static [u8]) {
        match self {
            Nesting::Arrays => (b"[", b"]"),
            Nesting::CountedArrays => (b"[#i\x01", b""),
            Nesting::TypedArrays => (b"$[#i\x01", b""),
            Nesting::Objects => (b"{i\x01k", b"}"),
            Nesting::CountedObjects => (b"{#i\x01i\x01k", b""),
            Nesting::TypedObjects => (b"${#i\x01i\x01k", b""),
            Nesting::Mixed => [Nesting::Arrays, Nesting::CountedObjects][level % 2].around(level),
        }
    }

    /// A document of `depth` containers, the innermost of them empty.
    fn document(self, depth: usize) -> Vec<u8> {
        let levels = (0..depth - 1).map(|level| self.around(level));
        let (opening, innermost): (&[u8], &[u8]) = match self {
            Nesting::Arrays | Nesting::CountedArrays | Nesting::Mixed => (b"", b"[]"),
            Nesting::TypedArrays => (b"[", b"]"),
            Nesting::Objects | Nesting::CountedObjects => (b"", b"{}"),
            Nesting::TypedObjects => (b"{", b"}"),
        };
        let before = levels.clone().flat_map(|(before, _)| before);
        let behind = levels.rev().flat_map(|(_, behind)| behind);
        opening
            .iter()
            .chain(before)
            .chain(innermost)
            .chain(behind)
            .copied()
            .collect()
    }
}

#[track_caller]
fn assert_depth(config: de::Config, bytes: &[u8], allowed: bool) {
    for source in [
        Source::Slice,
        Source::Prefix,
        Source::Reader(1),
        Source::Reader(4096),
        Source::Seekable,
    ] {
        let kinds = [
            source
                .read_with::<Doc>(config, bytes)
                .result
                .err()
                .map(|failure| failure.kind),
            source
                .read_with::<IgnoredAny>(config, bytes)
                .result
                .err()
                .map(|failure| failure.kind),
        ];
        assert_eq!(
            kinds,
            if allowed {
                [None; 2]
            } else {
                [Some(ErrorKind::Depth); 2]
            },
            "{source:?}"
        );
    }
}

#[test]
fn containers_nest_128_levels_and_no_deeper_unless_told() {
    for nesting in Nesting::ALL {
        assert_depth(de::Config::new(), &nesting.document(128), true);
        assert_depth(de::Config::new(), &nesting.document(129), false);
        assert_depth(de::Config::new().max_depth(129), &nesting.document(129), true);
        assert_depth(de::Config::new().max_depth(3), &nesting.document(3), true);
        assert_depth(de::Config::new().max_depth(3), &nesting.document(4), false);
        assert_depth(de::Config::new().max_depth(0), &nesting.document(1), false);
        assert_depth(de::Config::new().max_depth(0), b"i\x01", true);
    }
}

#[test]
fn the_default_options_are_those_that_nobody_has_set() {
    assert_eq!(Config::default(), Config::new());
    let (bytes, deeper) = (Nesting::Mixed.document(128), Nesting::Mixed.document(129));
    assert!(de::Config::default().from_slice::<Doc>(&bytes).is_ok());
    let error = de::Config::default().from_slice::<Doc>(&deeper).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Depth);
}

#[test]
fn depth_is_given_back_behind_each_container() {
    for nesting in Nesting::ALL {
        let siblings = [b"[".to_vec(), nesting.document(127).repeat(30), b"]".to_vec()].concat();
        assert_depth(de::Config::new(), &siblings, true);
    }
}

#[test]
fn depth_is_given_back_behind_skipped_and_refused_containers() {
    #[derive(Deserialize)]
    struct Known {
        known: u8,
    }
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Either {
        Numbers(Vec<u8>),
        Anything(#[allow(dead_code, reason = "only that it was read matters")] IgnoredAny),
    }
    for nesting in Nesting::ALL {
        let field = [b"i\x05other".to_vec(), nesting.document(126)].concat();
        let row = [b"{".to_vec(), field.repeat(20), b"i\x05knowni\x07}".to_vec()].concat();
        let rows = [b"[".to_vec(), row.repeat(20), b"]".to_vec()].concat();
        let known: Vec<Known> = from_slice(&rows).unwrap();
        assert!(known.len() == 20 && known.iter().all(|row| row.known == 7));
        let known: Vec<Known> = from_reader(&rows[..]).unwrap();
        assert!(known.len() == 20 && known.iter().all(|row| row.known == 7));

        let siblings = [b"[".to_vec(), nesting.document(127).repeat(20), b"[i\x01]]".to_vec()].concat();
        let either: Vec<Either> = from_slice(&siblings).unwrap();
        assert!(matches!(&either[0], Either::Anything(_)));
        assert!(matches!(&either[20], Either::Numbers(numbers) if *numbers == [1]));
    }
}

#[test]
fn skipping_and_refusing_take_no_stack() {
    let deep = 200_000;
    let run = move || {
        let unlimited = de::Config::new().max_depth(usize::MAX);
        for nesting in Nesting::ALL {
            let document = nesting.document(deep);
            unlimited.from_slice::<IgnoredAny>(&document).unwrap();
            let error = from_slice::<Doc>(&document).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Depth);
        }
        let document = Nesting::Arrays.document(deep);
        unlimited.from_reader::<_, IgnoredAny>(&document[..]).unwrap();
    };
    thread::Builder::new()
        .stack_size(1024 * 1024)
        .spawn(run)
        .unwrap()
        .join()
        .unwrap();
}

/// A value that nests without a level of its own in the document beyond the one named.
#[derive(Debug, Deserialize, PartialEq, Serialize)]
enum Chain {
    End,
    Newtype(Box<Chain>),
    Tuple(Box<Chain>, u8),
    Struct { next: Box<Chain> },
    Seq(Vec<Chain>),
    Map(BTreeMap<String, Chain>),
}

/// Puts a chain behind one more link.
type Link = fn(Chain) -> Chain;

impl Chain {
    /// Every kind of link, and how many levels it is.
    fn links() -> [(Link, usize); 5] {
        [
            (|next| Chain::Newtype(Box::new(next)), 1),
            (|next| Chain::Tuple(Box::new(next), 0), 2),
            (|next| Chain::Struct { next: Box::new(next) }, 2),
            (|next| Chain::Seq(vec![next]), 2),
            (|next| Chain::Map(BTreeMap::from([("k".to_owned(), next)])), 2),
        ]
    }
}

#[test]
fn writing_stops_at_the_depth_where_reading_does() {
    let containers = [Containers::Plain, Containers::Counted, Containers::Auto];
    for config in containers.map(|containers| Config::new().containers(containers)) {
        for (link, levels) in Chain::links() {
            let chain = |length: usize| (0..length).fold(Chain::End, |chain, _| link(chain));
            let longest = chain(12 / levels);
            let bytes = config.max_depth(12).to_vec(&longest).unwrap();
            assert_eq!(
                de::Config::new().max_depth(12).from_slice::<Chain>(&bytes).unwrap(),
                longest
            );
            let too_long = chain(12 / levels + 1);
            let error = config.max_depth(12).to_vec(&too_long).unwrap_err();
            assert_eq!((error.kind(), error.offset()), (ErrorKind::Depth, None));
            let bytes = config.to_vec(&too_long).unwrap();
            let error = de::Config::new().max_depth(12).from_slice::<Chain>(&bytes).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Depth);
        }
    }
}

#[test]
fn writing_nests_128_levels_and_no_deeper_unless_told() {
    let nested = |depth: usize| (1..depth).fold(Doc::Array(Vec::new()), |inner, _| Doc::Array(vec![inner]));
    let object = |depth: usize| {
        let wrap = |inner| Doc::Object(BTreeMap::from([("k".to_owned(), inner)]));
        (1..depth).fold(Doc::Object(BTreeMap::new()), |inner, _| wrap(inner))
    };
    assert_eq!(from_slice::<Doc>(&to_vec(&nested(128)).unwrap()).unwrap(), nested(128));
    assert_eq!(from_slice::<Doc>(&to_vec(&object(128)).unwrap()).unwrap(), object(128));
    assert_eq!(to_vec(&nested(129)).unwrap_err().kind(), ErrorKind::Depth);
    assert_eq!(to_vec(&object(129)).unwrap_err().kind(), ErrorKind::Depth);
    assert_eq!(
        to_writer(io::sink(), &nested(129)).unwrap_err().kind(),
        ErrorKind::Depth
    );
    Config::new().max_depth(129).to_vec(&nested(129)).unwrap();
    Config::new().max_depth(0).to_vec(&1).unwrap();
    assert_eq!(
        Config::new().max_depth(0).to_vec(&nested(1)).unwrap_err().kind(),
        ErrorKind::Depth
    );
}

/// `[$Z#l` and a count.
fn nulls(count: u32) -> Vec<u8> {
    [b"[$Z#l", &count.to_be_bytes()[..]].concat()
}

#[track_caller]
fn assert_budget(config: de::Config, bytes: &[u8], allowed: bool) {
    for source in [Source::Slice, Source::Reader(7), Source::Seekable] {
        let kinds = [
            source
                .read_with::<Doc>(config, bytes)
                .result
                .err()
                .map(|failure| failure.kind),
            source
                .read_with::<IgnoredAny>(config, bytes)
                .result
                .err()
                .map(|failure| failure.kind),
        ];
        assert_eq!(
            kinds,
            if allowed {
                [None; 2]
            } else {
                [Some(ErrorKind::Budget); 2]
            },
            "{source:?}"
        );
    }
}

#[test]
fn a_document_may_have_a_mebi_of_elements_without_payload() {
    assert_eq!(from_slice::<Vec<()>>(&nulls(1_048_576)).unwrap().len(), 1_048_576);
    assert_eq!(
        from_slice::<Vec<()>>(&nulls(1_048_577)).unwrap_err().kind(),
        ErrorKind::Budget
    );
    assert_budget(de::Config::new(), &nulls(1_048_577), false);
}

#[test]
fn the_budget_is_one_for_the_whole_document() {
    let config = de::Config::new().max_empty_elements(10);
    assert_budget(config, &nulls(10), true);
    assert_budget(config, &nulls(11), false);
    assert_budget(config, b"[[$Z#i\x05[$T#i\x03[$F#i\x02[$Z#i\x00]", true);
    assert_budget(config, b"[[$Z#i\x05[$T#i\x03[$F#i\x03]", false);
    assert_budget(config, b"[$[#i\x02$Z#i\x05$Z#i\x05", true);
    assert_budget(config, b"[$[#i\x02$Z#i\x05$Z#i\x06", false);
    assert_budget(config, b"{i\x01a[$Z#i\x05i\x01b[$Z#i\x06}", false);
}

#[test]
fn elements_with_bytes_of_their_own_cost_no_budget() {
    let config = de::Config::new().max_empty_elements(0);
    assert_budget(config, b"[$Z#i\x00", true);
    assert_budget(config, b"[$Z#i\x01", false);
    assert_budget(config, b"{$Z#i\x02i\x01ai\x01b", true);
    assert_budget(config, b"[ZTF]", true);
    assert_budget(config, b"[#i\x03ZTF", true);
    assert_budget(config, b"[$[#i\x02]]", true);
}

/// Notes what a visitor is told to expect, whatever comes of it.
struct HintVisitor<'a>(&'a Cell<Option<usize>>);

impl<'de> Visitor<'de> for HintVisitor<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a container")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<(), A::Error> {
        self.0.set(seq.size_hint());
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<(), A::Error> {
        self.0.set(map.size_hint());
        Ok(())
    }
}

/// How many elements the visitor is told to expect, from a slice and from a reader.
fn hints(document: &[u8]) -> (Option<usize>, Option<usize>) {
    let (slice, reader) = (Cell::new(None), Cell::new(None));
    // The visitor reads no element, so the results are errors of no interest.
    let _ = ubjson::Deserializer::from_slice(document).deserialize_any(HintVisitor(&slice));
    let _ = ubjson::Deserializer::from_reader(document).deserialize_any(HintVisitor(&reader));
    (slice.get(), reader.get())
}

#[test]
fn honest_counts_are_exact_hints() {
    let documents: [&[u8]; 6] = [
        b"[#i\x03ZZZ",
        b"[$U#i\x03abc",
        b"[$d#i\x03aaaabbbbcccc",
        b"{#i\x03i\0Zi\0Zi\0Z",
        b"{$i#i\x03i\0ai\0bi\0c",
        b"[$Z#i\x03",
    ];
    for document in documents {
        assert_eq!(hints(document), (Some(3), Some(3)), "{document:?}");
    }
}

#[test]
fn lying_counts_are_no_large_hints() {
    let documents: [&[u8]; 5] = [
        b"[#L\x7f\xff\xff\xff\xff\xff\xff\xffZZZ",
        b"[$U#L\x7f\xff\xff\xff\xff\xff\xff\xffabc",
        b"[$D#l\x7f\xff\xff\xff\0\0\0\0\0\0\0\0",
        b"{#L\x7f\xff\xff\xff\xff\xff\xff\xffi\x01aZ",
        b"{$Z#L\x7f\xff\xff\xff\xff\xff\xff\xffi\x01a",
    ];
    for document in documents {
        let (slice, reader) = hints(document);
        assert!(
            slice.is_none_or(|hint| hint <= document.len()),
            "{document:?}: {slice:?}"
        );
        assert!(reader.is_none_or(|hint| hint <= 65_536), "{document:?}: {reader:?}");
    }
}

#[test]
fn plain_containers_give_no_hint() {
    assert_eq!(hints(b"[ZZ]"), (None, None));
    assert_eq!(hints(b"{i\0Z}"), (None, None));
}

#[test]
fn short_documents_do_not_hide_huge_counts() {
    fn error<T: DeserializeOwned>(hex: &str) -> ErrorKind {
        let bytes = from_hex(hex);
        let slice = from_slice::<T>(&bytes).map(drop).unwrap_err().kind();
        let reader = from_reader::<_, T>(&bytes[..]).map(drop).unwrap_err().kind();
        assert_eq!(slice, reader, "{hex}");
        slice
    }
    let max = "4c7fffffffffffffff";
    assert_eq!(error::<String>(&format!("53{max}")), ErrorKind::Eof);
    assert_eq!(error::<f64>(&format!("48{max}")), ErrorKind::Eof);
    assert_eq!(error::<HashMap<String, u8>>(&format!("7b{max}")), ErrorKind::Eof);
    assert_eq!(error::<HashMap<String, u8>>(&format!("7b23{max}")), ErrorKind::Eof);
    assert_eq!(error::<Vec<f64>>(&format!("5b244423{max}")), ErrorKind::Eof);
    assert_eq!(error::<serde_bytes::ByteBuf>(&format!("5b245523{max}")), ErrorKind::Eof);
    assert_eq!(error::<Vec<Vec<u8>>>(&format!("5b245b23{max}")), ErrorKind::Eof);
    assert_eq!(error::<Vec<String>>(&format!("5b245323{max}")), ErrorKind::Eof);
}

/// Longer than a machine of 32 bits can address.
#[cfg(target_pointer_width = "32")]
#[test]
fn lengths_beyond_the_machine_are_refused_at_their_markers() {
    for (bytes, offset) in [
        (&b"SL\0\0\0\x01\0\0\0\0"[..], 1),
        (b"HL\0\0\0\x01\0\0\0\0", 1),
        (b"{L\0\0\0\x01\0\0\0\0", 1),
        (b"{#i\x01L\0\0\0\x01\0\0\0\0", 4),
    ] {
        let error = ubjson::from_slice::<Doc>(bytes).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (ErrorKind::Length, Some(offset)));
    }
    let error = ubjson::from_slice::<serde_bytes::ByteBuf>(b"[$U#L\0\0\0\x01\0\0\0\0").unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::Length, Some(4)));
}
