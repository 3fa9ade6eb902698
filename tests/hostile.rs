//! Values that lie about themselves, and readers that break or stand in the way.
#![cfg(feature = "std")]

mod common;

use std::fmt;
use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};
use std::thread;

use serde::de::{EnumAccess, IgnoredAny, MapAccess, VariantAccess, Visitor};
use serde::ser::{
    SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple, SerializeTupleStruct,
    SerializeTupleVariant,
};
use serde::{Deserialize, Serialize, Serializer};
use ubjson::ser::{Config, Containers, Structs};
use ubjson::{Deserializer, ErrorKind, Value, from_reader, from_seekable, from_slice, to_vec, to_writer};

use common::doc::Doc;
use common::grammar;
use common::readers::{Chunked, SeekFails};

/// A `Serialize` that announces a number of elements and delivers another.
#[derive(Clone, Copy, Debug)]
struct Lie {
    form: Form,
    announced: usize,
    delivered: usize,
}

#[derive(Clone, Copy, Debug)]
enum Form {
    Seq,
    Tuple,
    TupleStruct,
    TupleVariant,
    Map,
    MapEntries,
    Struct,
    StructVariant,
}

impl Form {
    const ALL: [Form; 8] = [
        Form::Seq,
        Form::Tuple,
        Form::TupleStruct,
        Form::TupleVariant,
        Form::Map,
        Form::MapEntries,
        Form::Struct,
        Form::StructVariant,
    ];
}

const FIELDS: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

impl Serialize for Lie {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let (announced, fields) = (self.announced, &FIELDS[..self.delivered]);
        match self.form {
            Form::Seq => {
                let mut seq = s.serialize_seq(Some(announced))?;
                fields.iter().try_for_each(|field| seq.serialize_element(field))?;
                seq.end()
            }
            Form::Tuple => {
                let mut tuple = s.serialize_tuple(announced)?;
                fields.iter().try_for_each(|field| tuple.serialize_element(field))?;
                tuple.end()
            }
            Form::TupleStruct => {
                let mut tuple = s.serialize_tuple_struct("Name", announced)?;
                fields.iter().try_for_each(|field| tuple.serialize_field(field))?;
                tuple.end()
            }
            Form::TupleVariant => {
                let mut tuple = s.serialize_tuple_variant("Name", 0, "Variant", announced)?;
                fields.iter().try_for_each(|field| tuple.serialize_field(field))?;
                tuple.end()
            }
            Form::Map => {
                let mut map = s.serialize_map(Some(announced))?;
                for field in fields {
                    map.serialize_key(field)?;
                    map.serialize_value(field)?;
                }
                map.end()
            }
            Form::MapEntries => {
                let mut map = s.serialize_map(Some(announced))?;
                fields.iter().try_for_each(|field| map.serialize_entry(field, field))?;
                map.end()
            }
            Form::Struct => {
                let mut map = s.serialize_struct("Name", announced)?;
                fields.iter().try_for_each(|field| map.serialize_field(field, field))?;
                map.end()
            }
            Form::StructVariant => {
                let mut map = s.serialize_struct_variant("Name", 0, "Variant", announced)?;
                fields.iter().try_for_each(|field| map.serialize_field(field, field))?;
                map.end()
            }
        }
    }
}

/// Every way of writing that could matter to a count.
fn writers() -> impl Iterator<Item = Config> {
    [Containers::Plain, Containers::Counted, Containers::Auto]
        .into_iter()
        .flat_map(|containers| {
            [Structs::Map, Structs::Array].map(|structs| Config::new().containers(containers).structs(structs))
        })
}

fn lies() -> impl Iterator<Item = Lie> {
    let counts = [
        (0, 1),
        (1, 0),
        (3, 2),
        (2, 3),
        (3, 6),
        (6, 0),
        (usize::MAX, 2),
        (300, 3),
    ];
    Form::ALL.into_iter().flat_map(move |form| {
        counts.map(|(announced, delivered)| Lie {
            form,
            announced,
            delivered,
        })
    })
}

#[test]
fn a_count_that_is_not_met_is_an_error() {
    for config in writers() {
        for lie in lies() {
            let error = config
                .to_vec(&lie)
                .map(|bytes| common::to_hex(&bytes))
                .expect_err(&format!("{lie:?}"));
            assert_eq!(error.kind(), ErrorKind::Data, "{lie:?}: {error}");
            let error = config.to_vec(&(1, [lie])).expect_err(&format!("{lie:?}"));
            assert_eq!(error.kind(), ErrorKind::Data, "nested {lie:?}: {error}");
        }
    }
}

#[test]
fn a_count_that_is_met_is_kept() {
    for config in writers() {
        for form in Form::ALL {
            for count in 0..=FIELDS.len() {
                let truth = Lie {
                    form,
                    announced: count,
                    delivered: count,
                };
                let bytes = config.to_vec(&truth).unwrap();
                assert_eq!(grammar::document(&bytes), Ok(()), "{truth:?}");
            }
        }
    }
}

#[test]
fn a_short_document_that_fails_leaves_nothing_behind() {
    for config in writers() {
        for lie in lies() {
            let mut sink = Vec::new();
            config.to_writer(&mut sink, &lie).unwrap_err();
            assert_eq!(sink, b"", "{lie:?}");
            let mut vector = b"before".to_vec();
            config.append_to(&mut vector, &lie).unwrap_err();
            assert_eq!(vector, b"before", "{lie:?}");
        }
    }
}

#[test]
fn a_seek_back_that_fails_is_an_error() {
    let refused = || io::ErrorKind::PermissionDenied.into();
    let error = from_seekable::<_, bool>(SeekFails::new(Cursor::new(b"TF"), refused)).unwrap_err();
    assert_eq!(error.io_error_kind(), Some(io::ErrorKind::PermissionDenied));
    let error = from_seekable::<_, Vec<bool>>(SeekFails::new(Cursor::new(b"[x rest"), refused)).unwrap_err();
    assert_eq!(error.io_error_kind(), Some(io::ErrorKind::PermissionDenied));
}

#[test]
fn a_reader_that_was_not_read_ahead_need_not_seek() {
    let refused = || io::ErrorKind::PermissionDenied.into();
    assert!(from_seekable::<_, bool>(SeekFails::new(Cursor::new(b"T"), refused)).unwrap());
}

#[test]
fn a_seekable_reader_stands_where_decoding_stopped() {
    for document in [
        &b"[i\x01i\x02x    "[..],
        b"{i\x01a]      ",
        b"[Si\x03a\xff\xff]   ",
        b"[C\xff]    ",
    ] {
        let mut deserializer = ubjson::Deserializer::from_seekable(Cursor::new(document));
        Doc::deserialize(&mut deserializer).unwrap_err();
        let stopped = deserializer.byte_offset();
        assert!(
            (1..document.len() as u64 - 3).contains(&stopped),
            "{document:?}: {stopped}"
        );
        deserializer.finish().unwrap();
        assert_eq!(deserializer.get_ref().position(), stopped, "{document:?}");

        let mut reader = Cursor::new(document);
        from_seekable::<_, Doc>(&mut reader).unwrap_err();
        assert_eq!(reader.position(), stopped, "{document:?}");
    }
}

#[test]
fn a_seekable_reader_need_not_start_at_its_beginning() {
    let mut reader = Cursor::new(b"headTFend");
    reader.set_position(4);
    assert!(from_seekable::<_, bool>(&mut reader).unwrap());
    assert!(!from_seekable::<_, bool>(&mut reader).unwrap());
    assert_eq!(reader.position(), 6);
}

#[cfg(unix)]
#[test]
fn a_file_that_is_a_pipe_is_read_exactly() {
    use std::fs::File;
    use std::os::fd::OwnedFd;

    let (reader, mut writer) = io::pipe().unwrap();
    let mut file = File::from(OwnedFd::from(reader));
    let long = "x".repeat(50_000);
    let rows = vec![(1, long.clone()), (2, "short".to_owned())];
    let (sent_long, sent_rows) = (long.clone(), rows.clone());
    let sender = thread::spawn(move || {
        to_writer(&mut writer, &sent_rows).unwrap();
        to_writer(&mut writer, &sent_long).unwrap();
        writer.write_all(b"a line of text\n").unwrap();
    });
    assert_eq!(from_seekable::<_, Vec<(u8, String)>>(&mut file).unwrap(), rows);
    assert_eq!(from_seekable::<_, String>(&mut file).unwrap(), long);
    let mut text = String::new();
    file.read_to_string(&mut text).unwrap();
    assert_eq!(text, "a line of text\n");
    sender.join().unwrap();
}

#[cfg(unix)]
#[test]
fn a_reader_waits_only_for_the_bytes_it_needs() {
    use std::fs::File;
    use std::os::fd::OwnedFd;

    // The peer sends the broken start of a large document and keeps the line open.
    let (reader, mut writer) = io::pipe().unwrap();
    writer.write_all(b"[#I\x7f\xffi\x01x").unwrap();
    let mut file = File::from(OwnedFd::from(reader));
    let error = from_reader::<_, Doc>(&mut file).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::Marker, Some(7)));
    drop(writer);
}

#[test]
fn a_seekable_reader_is_not_moved_by_a_relative_seek_to_nowhere() {
    struct Positions(Cursor<&'static [u8]>, Vec<SeekFrom>);

    impl Read for Positions {
        fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
            self.0.read(buf)
        }
    }

    impl Seek for Positions {
        fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
            self.1.push(to);
            self.0.seek(to)
        }
    }

    let mut reader = Positions(Cursor::new(b"TFFF"), Vec::new());
    assert!(from_seekable::<_, bool>(&mut reader).unwrap());
    assert_eq!(reader.1.last(), Some(&SeekFrom::Current(-3)));
    assert_eq!(reader.0.position(), 1);
}

/// What a type does with what comes through the doorway that the crate's own types use.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Asks {
    Nothing,
    Unit,
    Newtype,
    Tuple,
    Struct,
}

/// A type that uses the names of the doorway, and its content as no type of the crate does.
struct Intruder<const NAME: usize, const ASKS: usize>;

/// Those for a value, for a value's bytes, and for a key.
const DOORWAY: [&str; 3] = ["ubjson::doorway V", "ubjson::doorway *", "ubjson::doorway K"];

const ASKS: [Asks; 5] = [Asks::Nothing, Asks::Unit, Asks::Newtype, Asks::Tuple, Asks::Struct];

impl<'de, const NAME: usize, const ASKED: usize> Deserialize<'de> for Intruder<NAME, ASKED> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(DOORWAY[NAME], Intruder)
    }
}

impl<'de, const NAME: usize, const ASKED: usize> Visitor<'de> for Intruder<NAME, ASKED> {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("what is behind the door")
    }

    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<Self, A::Error> {
        let (IgnoredAny, content) = access.variant()?;
        match ASKS[ASKED] {
            Asks::Nothing => Ok(()),
            Asks::Unit => content.unit_variant(),
            Asks::Newtype => content.newtype_variant::<IgnoredAny>().map(drop),
            // Of keys the one with the highest number is expected, which none has.
            Asks::Tuple => content.tuple_variant(usize::MAX, IgnoredAny).map(drop),
            Asks::Struct => content.struct_variant(&[], IgnoredAny).map(drop),
        }
        .map(|()| self)
    }

    fn visit_newtype_struct<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<Self, D::Error> {
        IgnoredAny::deserialize(deserializer).map(|_| self)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self, A::Error> {
        if map.next_key::<Intruder<2, ASKED>>()?.is_some() {
            map.next_value::<Self>()?;
        }
        // The ordinary way to read a key works as well.
        while map.next_entry::<Name, Self>()?.is_some() {}
        Ok(self)
    }
}

#[derive(Deserialize)]
struct Name(IgnoredAny);

fn intrude<const NAME: usize, const ASKED: usize>() {
    let documents: [&[u8]; 5] = [
        b"[$U#i\x02\x01\x02",
        b"Hi\x0212",
        b"{i\x01kHi\x0212}",
        b"{#i\x02i\x01aHi\x011i\x01b[$I#i\x01\0\x01",
        b"{${#i\x01i\x01k}",
    ];
    for document in documents {
        let context = format!("{} asked for {:?} of {document:?}", DOORWAY[NAME], ASKS[ASKED]);
        let bytes = [document, &b"T"[..]].concat();
        for chunk in [1, 100] {
            let reader = Chunked::new(&bytes, chunk);
            let mut stream = Deserializer::from_reader(reader).into_iter::<Intruder<NAME, ASKED>>();
            if let Err(error) = stream.next().expect("a document") {
                assert_eq!(error.kind(), ErrorKind::Data, "{context}");
            }
            assert_eq!(stream.byte_offset(), document.len() as u64, "{context}");
            assert!(bool::deserialize(&mut stream.into_deserializer()).expect(&context));
        }
        let value: Value = from_slice(document).expect(&context);
        if let Err(error) = Intruder::<NAME, ASKED>::deserialize(&value) {
            assert_eq!(error.kind(), ErrorKind::Data, "{context}");
        }
    }
}

#[test]
fn a_type_that_comes_through_the_doorway_gets_no_further_than_its_document() {
    intrude::<0, 0>();
    intrude::<0, 1>();
    intrude::<0, 2>();
    intrude::<0, 3>();
    intrude::<0, 4>();
    intrude::<1, 0>();
    intrude::<1, 1>();
    intrude::<1, 2>();
    intrude::<1, 3>();
    intrude::<1, 4>();
    intrude::<2, 2>();
}

#[test]
fn what_is_written_under_a_name_of_the_doorway_is_what_it_is() {
    struct Named<T>(&'static str, T);

    impl<T: Serialize> Serialize for Named<T> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_newtype_struct(self.0, &self.1)
        }
    }

    #[derive(Serialize)]
    struct Newtype(u8);

    #[derive(Serialize)]
    enum Choice {
        Newtype(u8),
    }

    fn check<T: Serialize>(content: &T) {
        for letter in ["H", "*", "V", "K", "i", "L", "d", "2", "f", "?"] {
            let name: &'static str = Box::leak(format!("ubjson::doorway {letter}").into_boxed_str());
            assert_eq!(
                to_vec(&Named(name, content)).unwrap(),
                to_vec(content).unwrap(),
                "{name}"
            );
            let elements = (Named(name, content), content);
            assert_eq!(
                to_vec(&elements).unwrap(),
                to_vec(&(content, content)).unwrap(),
                "{name}"
            );
            assert_eq!(
                ubjson::to_value(&elements).unwrap(),
                ubjson::to_value(&(content, content)).unwrap(),
                "{name}"
            );
        }
    }

    check(&"1.5");
    check(&serde_bytes::Bytes::new(b"\x01\x02"));
    check(&Some(5));
    check(&None::<u8>);
    check(&Newtype(5));
    check(&Choice::Newtype(5));
    check(&[1, 2, 3]);
    check(&format_args!("{}", 1.5));
}
