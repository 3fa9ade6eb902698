//! Arrays and objects that are written element by element.
#![cfg(feature = "std")]

mod common;

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

use serde::ser::Error as _;
use serde::{Serialize, Serializer as _};
use ubjson::ser::{Config, Lengths};
use ubjson::{Error, ErrorKind, Serializer};

use common::doc::Doc;

/// A writer that others can look into, with the sizes of the pieces that came.
#[derive(Clone, Default)]
struct Shared {
    bytes: Rc<RefCell<Vec<u8>>>,
    pieces: Rc<RefCell<Vec<usize>>>,
    flushes: Rc<RefCell<usize>>,
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.pieces.borrow_mut().push(bytes.len());
        self.bytes.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        *self.flushes.borrow_mut() += 1;
        Ok(())
    }
}

#[track_caller]
fn assert_unfinished(result: Result<(), Error>) {
    let error = result.unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::Data, None));
    assert_eq!(
        error.to_string(),
        "a container was not finished, so the document is broken"
    );
}

#[test]
fn elements_are_written_as_they_are_pushed() {
    let mut serializer = Serializer::new(Vec::new());
    let mut array = serializer.begin_array(None).unwrap();
    array.push(&1).unwrap();
    array.push("a").unwrap();
    array.push(&[8_u8, 9]).unwrap();
    array.push(&Some(true)).unwrap();
    assert_eq!(array.written(), 4);
    array.finish().unwrap();
    assert!(serializer.is_finished());
    let expected = b"[i\x01Si\x01a[$U#i\x02\x08\x09T]";
    assert_eq!(serializer.into_inner(), expected);
}

#[test]
fn a_count_is_written_in_front_and_no_end() {
    let mut serializer = Serializer::new(Vec::new());
    let mut array = serializer.begin_array(Some(2)).unwrap();
    array.push(&true).unwrap();
    array.push(&()).unwrap();
    array.finish().unwrap();
    let mut object = serializer.begin_object(Some(1)).unwrap();
    object.entry("k", &7).unwrap();
    object.finish().unwrap();
    serializer.begin_array(Some(0)).unwrap().finish().unwrap();
    serializer.begin_object(None).unwrap().finish().unwrap();
    assert_eq!(serializer.into_inner(), b"[#i\x02TZ{#i\x01i\x01ki\x07[#i\x00{}");
}

#[test]
fn counts_and_keys_have_the_width_of_the_profile() {
    let config = Config::new().counts(Lengths::Int32).lengths(Lengths::Uint8First);
    let mut serializer = Serializer::with_config(Vec::new(), &config);
    let mut object = serializer.begin_object(Some(1)).unwrap();
    object.begin_array("k", Some(0)).unwrap().finish().unwrap();
    object.finish().unwrap();
    assert_eq!(serializer.into_inner(), b"{#l\x00\x00\x00\x01U\x01k[#l\x00\x00\x00\x00");
}

#[test]
fn containers_nest_in_each_other() {
    let mut serializer = Serializer::new(Vec::new());
    let mut object = serializer.begin_object(None).unwrap();
    object.entry(&1, &'x').unwrap();
    let mut array = object.begin_array(&true, Some(3)).unwrap();
    array.push(&Doc::Null).unwrap();
    array.begin_array(None).unwrap().finish().unwrap();
    let mut inner = array.begin_object(None).unwrap();
    inner.begin_object("deep", None).unwrap().finish().unwrap();
    assert_eq!(inner.written(), 1);
    inner.finish().unwrap();
    array.finish().unwrap();
    object.entry("end", &false).unwrap();
    assert_eq!(object.written(), 3);
    object.finish().unwrap();
    let bytes = serializer.into_inner();
    assert_eq!(bytes, b"{i\x011Cxi\x04true[#i\x03Z[]{i\x04deep{}}i\x03endF}");
    let doc: Doc = ubjson::from_slice(&bytes).unwrap();
    assert!(matches!(doc, Doc::Object(members) if members.len() == 3));
}

#[test]
fn documents_follow_each_other_and_other_values() {
    let mut serializer = Serializer::new(Vec::new());
    5.serialize(&mut serializer).unwrap();
    let mut array = serializer.begin_array(None).unwrap();
    array.push(&1).unwrap();
    array.finish().unwrap();
    "a".serialize(&mut serializer).unwrap();
    assert_eq!(serializer.into_inner(), b"i\x05[i\x01]Si\x01a");
}

#[test]
fn a_vector_is_written_like_a_writer() {
    let mut serializer = Serializer::with_vec(b"in front ".to_vec(), &Config::new());
    let mut array = serializer.begin_array(None).unwrap();
    array.push(&1).unwrap();
    array.finish().unwrap();
    assert_eq!(serializer.into_vec(), b"in front [i\x01]");
}

#[test]
fn what_is_pushed_reads_back_element_by_element() {
    let values: Vec<(u32, String)> = (0..5_000).map(|id| (id, "x".repeat(id as usize % 50))).collect();
    for count in [None, Some(values.len())] {
        let writer = Shared::default();
        let mut serializer = Serializer::new(writer.clone());
        let mut array = serializer.begin_array(count).unwrap();
        for value in &values {
            array.push(value).unwrap();
        }
        array.finish().unwrap();
        let bytes = writer.bytes.take();
        let mut de = ubjson::Deserializer::from_slice(&bytes);
        let elements = de.elements::<(u32, String)>().unwrap();
        assert_eq!(elements.remaining(), count.map(|count| count as u64));
        assert_eq!(elements.collect::<ubjson::Result<Vec<_>>>().unwrap(), values);
        de.end().unwrap();
        // In blocks, not element by element.
        assert!(writer.pieces.borrow().len() <= bytes.len() / (16 * 1024) + 1);
    }
}

#[test]
fn flush_passes_on_what_is_there() {
    let writer = Shared::default();
    let mut serializer = Serializer::new(writer.clone());
    let mut array = serializer.begin_array(None).unwrap();
    array.push(&1).unwrap();
    assert!(writer.bytes.borrow().is_empty());
    array.flush().unwrap();
    assert_eq!(
        (&writer.bytes.borrow()[..], *writer.flushes.borrow()),
        (&b"[i\x01"[..], 1)
    );
    let mut object = array.begin_object(None).unwrap();
    object.entry("a", &2).unwrap();
    object.flush().unwrap();
    assert_eq!(&writer.bytes.borrow()[..], b"[i\x01{i\x01ai\x02");
    object.finish().unwrap();
    array.finish().unwrap();
    assert_eq!(&writer.bytes.borrow()[..], b"[i\x01{i\x01ai\x02}]");
}

#[test]
fn an_element_too_many_is_refused_and_not_written() {
    let mut serializer = Serializer::new(Vec::new());
    let mut array = serializer.begin_array(Some(1)).unwrap();
    array.push(&1).unwrap();
    for error in [
        array.push(&2).unwrap_err(),
        array.begin_array(None).map(drop).unwrap_err(),
        array.begin_object(None).map(drop).unwrap_err(),
    ] {
        assert_eq!(error.kind(), ErrorKind::Data);
        assert_eq!(error.to_string(), "a container announced 1 elements and got 2");
    }
    array.finish().unwrap();
    let mut object = serializer.begin_object(Some(0)).unwrap();
    assert_eq!(object.entry("k", &1).unwrap_err().kind(), ErrorKind::Data);
    assert_eq!(
        object.begin_array("k", None).map(drop).unwrap_err().kind(),
        ErrorKind::Data
    );
    object.finish().unwrap();
    assert!(serializer.is_finished());
    assert_eq!(serializer.into_inner(), b"[#i\x01i\x01{#i\x00");
}

#[test]
fn an_element_too_few_is_an_error_and_breaks_the_document() {
    let mut serializer = Serializer::new(Vec::new());
    let mut array = serializer.begin_array(Some(2)).unwrap();
    array.push(&1).unwrap();
    let error = array.finish().unwrap_err();
    assert_eq!(error.to_string(), "a container announced 2 elements and got 1");
    assert!(!serializer.is_finished());
    assert_unfinished(5.serialize(&mut serializer));
    // Nothing of the broken document was full enough to be written out.
    assert_eq!(serializer.into_inner(), b"");
}

#[test]
fn a_container_that_is_dropped_is_reported_by_whatever_comes_next() {
    let writer = Shared::default();
    let mut serializer = Serializer::new(writer.clone());
    let mut array = serializer.begin_array(None).unwrap();
    array.push(&1).unwrap();
    drop(array);
    assert!(!serializer.is_finished());
    assert_unfinished(true.serialize(&mut serializer));
    assert_unfinished("x".repeat(100_000).serialize(&mut serializer));
    assert_unfinished([[1]].serialize(&mut serializer));
    assert_unfinished(serializer.serialize_bytes(b"bytes"));
    assert_unfinished(serializer.flush());
    assert_unfinished(serializer.begin_array(None).map(drop));
    assert_unfinished(serializer.begin_object(None).map(drop));
    assert!(writer.bytes.borrow().is_empty(), "a document that was never finished");

    let mut serializer = Serializer::with_vec(Vec::new(), &Config::new());
    drop(serializer.begin_object(None).unwrap());
    assert!(!serializer.is_finished());
    assert_unfinished(serializer.begin_object(None).map(drop));
}

#[test]
fn a_container_that_is_dropped_inside_another_is_reported_there() {
    let mut serializer = Serializer::new(Vec::new());
    let mut object = serializer.begin_object(None).unwrap();
    drop(object.begin_array("rows", None).unwrap());
    assert_unfinished(object.entry("more", &1));
    assert_unfinished(object.begin_object("more", None).map(drop));
    assert_unfinished(object.flush());
    assert_unfinished(object.finish());
    let mut array = Serializer::new(Vec::new());
    let mut array = array.begin_array(None).unwrap();
    drop(array.begin_object(None).unwrap());
    assert_unfinished(array.push(&1));
    assert_unfinished(array.begin_array(None).map(drop));
    assert_unfinished(array.finish());
}

/// Fails behind its first element.
struct Broken;

impl Serialize for Broken {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut seq = serializer.serialize_seq(None)?;
        serde::ser::SerializeSeq::serialize_element(&mut seq, &1)?;
        Err(S::Error::custom("cannot go on"))
    }
}

#[test]
fn an_element_that_fails_breaks_the_document() {
    let mut serializer = Serializer::new(Vec::new());
    let mut array = serializer.begin_array(None).unwrap();
    array.push(&1).unwrap();
    assert_eq!(array.push(&Broken).unwrap_err().to_string(), "cannot go on");
    assert_unfinished(array.push(&2));
    assert_unfinished(array.finish());

    let mut serializer = Serializer::new(Vec::new());
    let mut object = serializer.begin_object(None).unwrap();
    assert_eq!(object.entry(&[1], &1).unwrap_err().to_string(), "key must be a string");
    assert_unfinished(object.finish());
}

#[test]
fn levels_of_nesting_are_limited_and_given_back() {
    let config = Config::new().max_depth(2);
    let mut serializer = Serializer::with_config(Vec::new(), &config);
    for _ in 0..3 {
        let mut outer = serializer.begin_array(None).unwrap();
        for _ in 0..3 {
            let mut inner = outer.begin_array(None).unwrap();
            inner.push(&1).unwrap();
            inner.finish().unwrap();
        }
        outer.finish().unwrap();
    }
    let mut outer = serializer.begin_array(None).unwrap();
    let mut inner = outer.begin_object(None).unwrap();
    assert_eq!(
        inner.begin_array("k", None).map(drop).unwrap_err().kind(),
        ErrorKind::Depth
    );
    assert_unfinished(inner.finish());
}

/// Takes so many bytes and then nothing more.
struct Full(usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let len = bytes.len().min(self.0);
        self.0 -= len;
        match len {
            0 => Err(io::ErrorKind::StorageFull.into()),
            _ => Ok(len),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_writer_that_fails_is_an_error_at_the_latest_at_the_end() {
    // 30 strings of 2,999 bytes each, and the brackets.
    for room in [0, 1, 100, 40_000, 89_971] {
        let mut serializer = Serializer::new(Full(room));
        let mut array = serializer.begin_array(None).unwrap();
        let mut pushed = Ok(());
        for _ in 0..30 {
            pushed = pushed.and_then(|()| array.push(&"x".repeat(2_995)));
        }
        let error = pushed.and_then(|()| array.finish()).unwrap_err();
        assert_eq!(error.io_error_kind(), Some(io::ErrorKind::StorageFull), "{room}");
    }
}

#[test]
fn debug_output_says_how_far_a_container_is() {
    let mut serializer = Serializer::new(Vec::new());
    let mut array = serializer.begin_array(Some(3)).unwrap();
    array.push(&1).unwrap();
    let output = format!("{array:?}");
    assert!(output.contains("declared: Some(3), written: 1"), "{output}");
}
