//! Types that fail everywhere: whatever goes wrong with a well-formed document, the next one follows.
//!
//! A type that is read through any of serde's methods, chosen at random, fails at one point of its own, some of which
//! are behind a key, in front of a value, or before anything has been read. Errors that come to it are passed on, told in
//! other words, or ignored. After each such document the stream must stand exactly behind it, and have read no byte further.
#![cfg(feature = "std")]

mod common;

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Read};

use serde::Deserializer;
use serde::de::{
    Deserialize, DeserializeOwned, EnumAccess, Error as _, IgnoredAny, MapAccess, SeqAccess, VariantAccess, Visitor,
};
use ubjson::packed::Packed;
use ubjson::{Error, ErrorKind, Map, Number, RawValue, Value, de};

use common::doc::Doc;
use common::grammar;
use common::readers::Chunked;
use common::sources::kind_name;
use common::vectors::{DecodeVector, Expected, decode_vectors};

/// What the type does, from a seed: choices, and the point at which it fails.
#[derive(Clone, Copy)]
struct Plan {
    state: u64,
    points_left: u32,
}

thread_local! {
    static PLAN: Cell<Plan> = const { Cell::new(Plan { state: 1, points_left: 0 }) };
}

impl Plan {
    fn start(seed: u64) {
        let mut plan = Plan {
            state: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1,
            points_left: 0,
        };
        plan.points_left = plan.choose(24) + 1;
        PLAN.set(plan);
    }

    /// A number below `limit`.
    fn choose(&mut self, limit: u32) -> u32 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        u32::try_from((self.state >> 33) % u64::from(limit)).expect("a remainder of an u32")
    }
}

fn choose(limit: u32) -> u32 {
    let mut plan = PLAN.get();
    let choice = plan.choose(limit);
    PLAN.set(plan);
    choice
}

/// A point at which the type may fail.
fn point<E: serde::de::Error>() -> Result<(), E> {
    let mut plan = PLAN.get();
    plan.points_left = plan.points_left.saturating_sub(1);
    PLAN.set(plan);
    match plan.points_left {
        0 => Err(E::custom("the type does not want this")),
        _ => Ok(()),
    }
}

#[derive(Debug)]
struct Picky;

impl<'de> Deserialize<'de> for Picky {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        point()?;
        let read = match choose(26) {
            0..=4 => deserializer.deserialize_any(PickyVisitor),
            5..=7 => deserializer.deserialize_option(PickyVisitor),
            8 => deserializer.deserialize_newtype_struct("Newtype", PickyVisitor),
            9 => deserializer.deserialize_seq(PickyVisitor),
            10 => deserializer.deserialize_tuple(2, PickyVisitor),
            11 => deserializer.deserialize_map(PickyVisitor),
            12 => deserializer.deserialize_struct("Struct", &["a", "b"], PickyVisitor),
            13..=15 => deserializer.deserialize_enum("Enum", &["a", "b"], PickyVisitor),
            16 => deserializer.deserialize_bytes(PickyVisitor),
            17 => deserializer.deserialize_byte_buf(PickyVisitor),
            18 => deserializer.deserialize_str(PickyVisitor),
            19 => deserializer.deserialize_string(PickyVisitor),
            20 => deserializer.deserialize_u8(PickyVisitor),
            21 => deserializer.deserialize_f64(PickyVisitor),
            22 => deserializer.deserialize_char(PickyVisitor),
            23 => deserializer.deserialize_bool(PickyVisitor),
            24 => deserializer.deserialize_unit_struct("Unit", PickyVisitor),
            _ => deserializer.deserialize_ignored_any(PickyVisitor),
        };
        match (read, choose(6)) {
            (Ok(()), _) => {}
            (Err(_), 0) => {}
            (Err(error), 1) => return Err(D::Error::custom(format!("in other words: {error}"))),
            (Err(error), _) => return Err(error),
        }
        point()?;
        Ok(Picky)
    }
}

/// A key or a variant's name.
struct PickyName;

impl<'de> Deserialize<'de> for PickyName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        point()?;
        match choose(8) {
            0 => deserializer.deserialize_u64(PickyVisitor),
            1 => deserializer.deserialize_bool(PickyVisitor),
            2 => deserializer.deserialize_option(PickyVisitor),
            3 => deserializer.deserialize_enum("Enum", &["a", "b"], PickyVisitor),
            4 => deserializer.deserialize_bytes(PickyVisitor),
            _ => deserializer.deserialize_identifier(PickyVisitor),
        }?;
        Ok(PickyName)
    }
}

struct PickyVisitor;

macro_rules! visit_scalars {
    ($($visit:ident: $value:ty;)*) => {$(
        fn $visit<E: serde::de::Error>(self, _: $value) -> Result<(), E> {
            point()
        }
    )*};
}

impl<'de> Visitor<'de> for PickyVisitor {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("what it wants")
    }

    visit_scalars! {
        visit_bool: bool; visit_i64: i64; visit_u64: u64; visit_i128: i128; visit_u128: u128; visit_f64: f64;
        visit_str: &str; visit_bytes: &[u8];
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<(), E> {
        point()
    }

    fn visit_none<E: serde::de::Error>(self) -> Result<(), E> {
        point()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        point()?;
        Picky::deserialize(deserializer).map(drop)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        point()?;
        Picky::deserialize(deserializer).map(drop)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        point()?;
        while choose(8) > 0 {
            match seq.next_element::<Picky>() {
                Ok(Some(Picky)) => point()?,
                Ok(None) => return point(),
                // Goes on with the next one.
                Err(_) if choose(6) == 0 => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        point()?;
        while choose(8) > 0 {
            match map.next_key::<PickyName>()? {
                Some(PickyName) => point()?,
                None => return point(),
            }
            match map.next_value::<Picky>() {
                Ok(Picky) => point()?,
                Err(_) if choose(6) == 0 => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<(), A::Error> {
        point()?;
        let (PickyName, content) = access.variant()?;
        point()?;
        match choose(4) {
            0 => content.unit_variant(),
            1 => content.newtype_variant::<Picky>().map(drop),
            2 => content.tuple_variant(2, PickyVisitor),
            _ => content.struct_variant(&["a"], PickyVisitor),
        }
    }
}

/// Documents in a row; panics when a read goes beyond the one it starts in.
struct ExactDocuments<'a> {
    bytes: &'a [u8],
    ends: Vec<usize>,
    position: usize,
    chunk: usize,
}

impl Read for ExactDocuments<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let end = self.ends.iter().copied().find(|end| *end > self.position);
        let left = end.unwrap_or(self.bytes.len() + 1) - self.position;
        assert!(buf.len() <= left, "asked for {} bytes with {left} left", buf.len());
        let len = buf.len().min(self.chunk).min(self.bytes.len() - self.position);
        buf[..len].copy_from_slice(&self.bytes[self.position..][..len]);
        self.position += len;
        Ok(len)
    }
}

const SENTINEL: &[u8] = b"{i\x04ends[i\x07F]}";

fn sentinel() -> Doc {
    ubjson::from_slice(SENTINEL).expect("a document")
}

/// Reads a document that the type does not like, and the sentinel behind it.
fn check<'de, T, R>(source: de::Deserializer<R>, end: usize, context: &str) -> Option<ErrorKind>
where
    T: Deserialize<'de>,
    R: de::Read<'de>,
{
    let mut stream = source.into_iter::<T>();
    let read = stream.next().unwrap_or_else(|| panic!("{context}: nothing read"));
    let read = read.map(drop);
    let kind = read.as_ref().err().map(Error::kind);
    if let Err(error) = &read {
        assert!(
            matches!(error.kind(), ErrorKind::Data | ErrorKind::Number),
            "{context}: {error}"
        );
        assert!(
            error.offset().is_some_and(|offset| offset <= end as u64),
            "{context}: {error}"
        );
    }
    assert_eq!(stream.byte_offset(), end as u64, "{context}: {read:?}");
    let mut stream = stream.into_deserializer().into_iter::<Doc>();
    match stream.next() {
        Some(Ok(doc)) => assert_eq!(doc, sentinel(), "{context}"),
        other => panic!("{context}: {other:?} after {read:?}"),
    }
    assert!(stream.next().is_none(), "{context}");
    kind
}

/// Every vector that is a document, cut behind it.
fn documents() -> Vec<(String, Vec<u8>)> {
    let is_document = |vector: &DecodeVector| matches!(vector.expected, Expected::Value(_) | Expected::OutOfRange);
    let mut documents: Vec<_> = decode_vectors()
        .into_iter()
        .filter(is_document)
        .map(|mut vector| {
            let end = grammar::value(&vector.bytes).expect("a value").end;
            vector.bytes.truncate(end);
            (vector.name, vector.bytes)
        })
        .collect();
    let more: [(&str, &[u8]); 8] = [
        (
            "variants",
            b"[{i\x01a[i\x01i\x02]}{i\x01b{i\x01aT}}Si\x01aCbN{i\x01aZ}{i\x01aZi\x01bZ}{}{#i\x00]",
        ),
        ("typed objects", b"[${#i\x02i\x01aTi\x01bF}#i\x01i\x01aZ"),
        ("typed arrays", b"[$[#i\x02$i#i\x02\x01\x02#i\x01Si\x01a"),
        (
            "typed nulls",
            b"{i\x01a[$Z#i\x04i\x01b[$T#U\x03i\x01c{$F#i\x02i\x01xi\x01y}",
        ),
        (
            "bytes",
            b"[[$U#i\x03abc[$C#i\x02xy[i\x01U\xffI\x00\x05][i\x01Si\x01a{i\x01aT}]]",
        ),
        (
            "numbers",
            b"[Hi\x05123.5Hi\x061e9999[$H#i\x02i\x011i\x069e9999{i\x01aHi\x041e10}]",
        ),
        ("no-ops", b"{Ni\x01aN[NNTN{NN}N]Ni\x01bN[#i\x02NTNF}"),
        ("options", b"{i\x01aNZi\x01bN[NZNi\x05N{Ni\x01bN[NT]}]}"),
    ];
    documents.extend(more.map(|(name, bytes)| (name.to_owned(), bytes.to_owned())));
    for (name, bytes) in &documents {
        let end = grammar::value(bytes).map(|extent| extent.end);
        assert_eq!(end, Ok(bytes.len()), "{name}");
    }
    documents
}

fn check_sources<T: DeserializeOwned>(name: &str, document: &[u8], seed: u64) -> Option<ErrorKind> {
    let end = document.len();
    let bytes = [document, SENTINEL].concat();
    let config = de::Config::new();
    Plan::start(seed);
    let context = format!("{name}, seed {seed}, slice");
    let kind = check::<T, _>(config.deserializer_from_slice(&bytes), end, &context);
    for chunk in [1, 3, 4096] {
        let reader = ExactDocuments {
            bytes: &bytes,
            ends: vec![end, bytes.len()],
            position: 0,
            chunk,
        };
        Plan::start(seed);
        let context = format!("{name}, seed {seed}, reader of {chunk}");
        assert_eq!(
            check::<T, _>(config.deserializer_from_reader(reader), end, &context),
            kind,
            "{context}"
        );
    }
    for capacity in [1, 4096] {
        let source = config
            .buffer_capacity(capacity)
            .deserializer_from_seekable(io::Cursor::new(&bytes));
        Plan::start(seed);
        let context = format!("{name}, seed {seed}, seekable of {capacity}");
        assert_eq!(check::<T, _>(source, end, &context), kind, "{context}");
    }
    kind
}

#[test]
fn whatever_a_type_refuses_the_next_document_follows() {
    let mut refused = 0;
    let mut accepted = 0;
    for (name, document) in documents() {
        for seed in 0..60 {
            match check_sources::<Picky>(&name, &document, seed) {
                Some(_) => refused += 1,
                None => accepted += 1,
            }
        }
    }
    // Else the plans would be too mild, or too strict.
    assert!(
        refused > 10_000 && accepted > 1_000,
        "{refused} refused, {accepted} accepted"
    );
}

#[derive(serde::Deserialize)]
#[expect(dead_code, reason = "read and not looked at")]
enum External {
    #[serde(rename = "a")]
    A { x: Number },
    #[serde(rename = "b")]
    B(Packed<Vec<i16>>),
}

#[derive(serde::Deserialize)]
#[serde(untagged)]
#[expect(dead_code, reason = "read and not looked at")]
enum Untagged {
    Number(Number),
    Numbers(Packed<Vec<f32>>),
    Object { a: RawValue },
}

#[derive(serde::Deserialize)]
#[expect(dead_code, reason = "read and not looked at")]
struct Flat {
    a: Option<Packed<Vec<u8>>>,
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

macro_rules! counts_of_refusals {
    ($($wanted:ty),* $(,)?) => {
        [$((stringify!($wanted), refusals::<$wanted>())),*]
    };
}

/// How many of the documents a type refuses.
fn refusals<T: DeserializeOwned>() -> usize {
    let refuses = |(name, document): &(String, Vec<u8>)| {
        let context = format!("{name} as {}", std::any::type_name::<T>());
        check_sources::<T>(&context, document, 0).is_some()
    };
    documents().iter().filter(|document| refuses(document)).count()
}

#[test]
fn whatever_does_not_fit_a_type_of_this_crate_or_serdes_the_next_document_follows() {
    let all = documents().len();
    for (name, refused) in counts_of_refusals![
        Number,
        Map,
        Vec<Value>,
        Vec<Number>,
        Vec<RawValue>,
        BTreeMap<String, Number>,
        (Value, RawValue),
        (Number, Value),
        Packed<Vec<u8>>,
        Packed<Vec<i64>>,
        Packed<[f64; 2]>,
        Vec<Packed<Vec<i16>>>,
        Option<Packed<Vec<f32>>>,
        External,
        Vec<External>,
        Untagged,
        Flat,
        serde_bytes::ByteBuf,
        Vec<serde_bytes::ByteBuf>,
        (IgnoredAny, u8),
        Vec<(i8, i8)>,
        BTreeMap<u8, Vec<f64>>,
        Vec<BTreeMap<char, bool>>,
        Vec<String>,
        Vec<Option<u64>>,
        i128,
        [f32; 3],
        char,
        f64,
    ] {
        assert!((1..=all).contains(&refused), "{name} refuses {refused} of {all}");
    }
    for (name, refused) in counts_of_refusals![Value, RawValue, IgnoredAny] {
        assert_eq!(refused, 0, "{name}");
    }
}

/// Reads a broken document: the error of the bytes comes out, and nothing behind it.
fn check_broken<'de, R: de::Read<'de>>(source: de::Deserializer<R>, kind: &str, offset: Option<u64>, context: &str) {
    let mut stream = source.into_iter::<Picky>();
    let error = match stream.next() {
        Some(Err(error)) => error,
        other => panic!("{context}: {other:?}"),
    };
    assert_eq!(kind_name(error.kind()), kind, "{context}: {error}");
    assert!(
        offset.is_none() || error.offset() == offset,
        "{context}: {error}, not at {offset:?}"
    );
    assert!(stream.next().is_none(), "{context}");
    assert_eq!(stream.byte_offset(), 0, "{context}");
}

#[test]
fn whatever_a_type_makes_of_a_broken_document_its_fault_is_told() {
    let config = de::Config::new();
    let mut broken = 0;
    for vector in decode_vectors() {
        let Expected::Error { kind, offset } = &vector.expected else {
            continue;
        };
        // Not a fault of the document; no document; no fault to a type that wants bytes.
        if kind == "trailing" || vector.bytes.iter().all(|byte| *byte == b'N') || kind == "utf8" {
            continue;
        }
        broken += 1;
        for seed in 0..40 {
            let context = format!("{}, seed {seed}", vector.name);
            Plan::start(seed);
            check_broken(config.deserializer_from_slice(&vector.bytes), kind, *offset, &context);
            Plan::start(seed);
            let reader = Chunked::new(&vector.bytes, 3);
            check_broken(config.deserializer_from_reader(reader), kind, *offset, &context);
            Plan::start(seed);
            let reader = io::Cursor::new(&vector.bytes);
            check_broken(config.deserializer_from_seekable(reader), kind, *offset, &context);
        }
    }
    assert!(broken > 500, "{broken}");
}
