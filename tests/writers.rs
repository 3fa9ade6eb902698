//! Writing to sinks: whole blocks and a flush, short and interrupted writes, and errors that are reported once.
#![cfg(feature = "std")]

use std::io::{self, Write};

use serde::ser::{SerializeMap, SerializeSeq, SerializeStruct};
use serde::{Serialize, Serializer as _};
use ubjson::{ErrorKind, to_vec, to_writer};

/// A sink that keeps account of its calls, and fails or dawdles as it is told.
#[derive(Default)]
struct Sink {
    bytes: Vec<u8>,
    calls: Vec<Call>,
    /// At most so many bytes a call, if not 0.
    chunk: usize,
    interrupt: bool,
    /// Fails when it holds so many bytes.
    capacity: Option<usize>,
    refuse_flush: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Call {
    Write(usize),
    Flush,
    Interrupted,
    Failed,
}

impl Sink {
    fn writes(&self) -> usize {
        self.calls.iter().filter(|call| matches!(call, Call::Write(_))).count()
    }
}

impl Write for Sink {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        if self.interrupt && self.calls.last() != Some(&Call::Interrupted) {
            self.calls.push(Call::Interrupted);
            return Err(io::ErrorKind::Interrupted.into());
        }
        let room = self.capacity.map_or(usize::MAX, |capacity| capacity - self.bytes.len());
        if room == 0 {
            self.calls.push(Call::Failed);
            return Err(io::ErrorKind::StorageFull.into());
        }
        let len = buf
            .len()
            .min(room)
            .min(if self.chunk == 0 { usize::MAX } else { self.chunk });
        self.bytes.extend_from_slice(&buf[..len]);
        self.calls.push(Call::Write(len));
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.refuse_flush {
            self.calls.push(Call::Failed);
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        self.calls.push(Call::Flush);
        Ok(())
    }
}

/// Large enough for many blocks, made of small pieces and one piece that is larger than a block.
fn large() -> (Vec<(u32, f64, String)>, String) {
    let rows = (0..20_000_u32)
        .map(|number| (number, f64::from(number), format!("row {number}")))
        .collect();
    (rows, "x".repeat(300_000))
}

#[test]
fn writers_get_whole_blocks_and_a_flush() {
    let mut sink = Sink::default();
    to_writer(&mut sink, &large()).unwrap();
    assert_eq!(sink.bytes, to_vec(&large()).unwrap());
    assert!(
        sink.writes() <= sink.bytes.len() / 4096,
        "{} writes of {} bytes",
        sink.writes(),
        sink.bytes.len()
    );
    assert_eq!(sink.calls.last(), Some(&Call::Flush));
}

#[test]
fn small_documents_are_one_write_and_a_flush() {
    let mut sink = Sink::default();
    to_writer(&mut sink, &("a", 1, [true; 20])).unwrap();
    assert_eq!(sink.calls, [Call::Write(sink.bytes.len()), Call::Flush]);
}

#[test]
fn short_and_interrupted_writes_are_continued() {
    for (chunk, interrupt) in [(1, false), (3, true), (0, true), (4095, false)] {
        let mut sink = Sink {
            chunk,
            interrupt,
            ..Sink::default()
        };
        to_writer(&mut sink, &large()).unwrap();
        assert_eq!(
            sink.bytes,
            to_vec(&large()).unwrap(),
            "{chunk} bytes a write, interrupted: {interrupt}"
        );
    }
}

#[test]
fn an_error_of_the_sink_is_reported_once_and_ends_the_writing() {
    let whole = to_vec(&large()).unwrap();
    for capacity in [0, 1, 10_000, 500_000, whole.len() - 1] {
        let mut sink = Sink {
            capacity: Some(capacity),
            ..Sink::default()
        };
        let error = to_writer(&mut sink, &large()).unwrap_err();
        assert_eq!(
            (error.kind(), error.io_error_kind()),
            (ErrorKind::Io, Some(io::ErrorKind::StorageFull))
        );
        assert_eq!(sink.bytes, whole[..capacity]);
        let failures = sink.calls.iter().filter(|call| **call == Call::Failed).count();
        assert_eq!(
            (failures, sink.calls.last()),
            (1, Some(&Call::Failed)),
            "{capacity} bytes"
        );
    }
}

#[test]
fn an_error_of_the_flush_is_reported() {
    let mut sink = Sink {
        refuse_flush: true,
        ..Sink::default()
    };
    let error = to_writer(&mut sink, &1).unwrap_err();
    assert_eq!(error.io_error_kind(), Some(io::ErrorKind::BrokenPipe));
}

#[test]
fn a_sink_that_takes_nothing_is_an_error() {
    let error = to_writer(&mut [0; 3][..], &"hello").unwrap_err();
    assert_eq!(
        (error.kind(), error.io_error_kind()),
        (ErrorKind::Io, Some(io::ErrorKind::WriteZero))
    );
}

#[test]
fn documents_follow_one_another_in_a_sink() {
    let mut sink = Sink::default();
    to_writer(&mut sink, &1).unwrap();
    sink.write_all(b"text").unwrap();
    to_writer(&mut sink, &true).unwrap();
    assert_eq!(sink.bytes, b"i\x01textT");
}

#[test]
fn a_serializer_leaves_nothing_in_its_buffer_after_a_value() {
    let mut sink = Sink::default();
    let mut serializer = ubjson::Serializer::new(&mut sink);
    7.serialize(&mut serializer).unwrap();
    [true].serialize(&mut serializer).unwrap();
    drop(serializer);
    assert_eq!(sink.bytes, b"i\x07[T]");
}

#[test]
fn a_serializer_whose_sink_failed_does_not_try_it_again() {
    let mut sink = Sink {
        capacity: Some(2),
        ..Sink::default()
    };
    let mut serializer = ubjson::Serializer::new(&mut sink);
    1.serialize(&mut serializer).unwrap();
    assert_eq!(
        2.serialize(&mut serializer).unwrap_err().io_error_kind(),
        Some(io::ErrorKind::StorageFull)
    );
    assert!(3.serialize(&mut serializer).unwrap_err().is_io());
    assert!(serializer.flush().unwrap_err().is_io());
    drop(serializer);
    assert_eq!(
        (sink.bytes.as_slice(), sink.calls),
        (&b"i\x01"[..], vec![Call::Write(2), Call::Failed])
    );
}

#[test]
fn debug_output_of_a_serializer_says_whether_its_sink_failed() {
    let mut serializer = ubjson::Serializer::new(Sink {
        capacity: Some(1),
        ..Sink::default()
    });
    true.serialize(&mut serializer).unwrap();
    assert!(format!("{serializer:?}").contains("IoWrite { failed: false, .. }"));
    true.serialize(&mut serializer).unwrap_err();
    assert!(format!("{serializer:?}").contains("IoWrite { failed: true, .. }"));
}

#[test]
fn debug_output_of_an_open_container_says_how_far_it_is() {
    let mut serializer = ubjson::Serializer::new(Vec::new());
    let mut seq = serializer.serialize_seq(Some(2)).unwrap();
    seq.serialize_element(&1).unwrap();
    assert_eq!(format!("{seq:?}"), "Elements { declared: Some(2), written: 1, .. }");
    seq.serialize_element(&1).unwrap();
    seq.end().unwrap();
    let mut map = serializer.serialize_map(None).unwrap();
    map.serialize_entry("key", &1).unwrap();
    assert_eq!(format!("{map:?}"), "Entries { declared: None, written: 1, .. }");
    map.end().unwrap();
    let mut fields = serializer.serialize_struct("Pair", 2).unwrap();
    fields.serialize_field("a", &1).unwrap();
    assert_eq!(format!("{fields:?}"), "Fields { declared: 2, written: 1, .. }");
}
