//! Readers and writers that fail at every one of their calls in turn: the error arrives with its kind and place, nothing
//! is read twice, nothing is written twice, and what comes after a failure is either right or refused.
#![cfg(feature = "std")]

mod common;

#[path = "failing_devices/device.rs"]
mod device;

use std::error::Error as _;
use std::io::{self, Cursor, Seek, SeekFrom};

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;
use ubjson::pull::Reader;
use ubjson::{Error, ErrorKind, RawValue, Value, de, from_slice, ser, to_vec};

use common::doc::Doc;
use common::grammar;
use common::vectors::{Expected, decode_vectors};
use device::{Call, Disk, Fault, KINDS, Sink};

/// What follows a document on a device, and is never to be missing there.
const TAIL: &[u8] = b"what is behind";

/// Small documents of all forms, and some whose payloads are longer than the smallest buffers.
fn documents() -> Vec<(String, Vec<u8>)> {
    let mut documents: Vec<_> = decode_vectors()
        .into_iter()
        .filter(|vector| matches!(vector.expected, Expected::Value(_)) && vector.bytes.len() < 200)
        .map(|mut vector| {
            let end = grammar::value(&vector.bytes).expect("a value").end;
            vector.bytes.truncate(end);
            (vector.name, vector.bytes)
        })
        .collect();
    let text = "seven bytes, and more than the smallest buffer holds".repeat(2);
    let rows: Vec<_> = (0..10_u32).map(|number| (number, f64::from(number), &text)).collect();
    documents.push(("rows".to_owned(), to_vec(&rows).expect("bytes")));
    documents.push(("a text".to_owned(), to_vec(&text).expect("bytes")));
    documents.push(("numbers".to_owned(), to_vec(&vec![0.5; 100]).expect("bytes")));
    documents.push(("bytes".to_owned(), to_vec(&ByteBuf::from(vec![7; 300])).expect("bytes")));
    documents
}

/// The fault of every call that a device may be asked for, one kind of error after the other.
fn faults() -> impl Iterator<Item = Fault> {
    (0..)
        .zip(KINDS.into_iter().cycle())
        .map(|(call, kind)| Fault { call, kind })
}

/// The device's own error, unchanged.
#[track_caller]
fn assert_device_error(error: &Error, fault: Fault, context: &str) {
    assert_eq!(error.kind(), ErrorKind::Io, "{context}: {error}");
    assert_eq!(error.io_error_kind(), Some(fault.kind), "{context}: {error}");
    assert!(
        error.to_string().starts_with("the device says so"),
        "{context}: {error}"
    );
}

/// Reads a `T` from a reader that fails at each call in turn, until one read needs fewer calls than that.
fn fail_each_read<T>(name: &str, bytes: &[u8], chunk: usize, capacity: usize)
where
    T: for<'de> Deserialize<'de> + std::fmt::Debug,
{
    let config = de::Config::new().buffer_capacity(capacity);
    for fault in faults() {
        let context = format!("{name}, {chunk} bytes a read, {fault:?}");
        let mut disk = Disk::new(bytes, chunk).failing(fault);
        let mut deserializer = config.deserializer_from_reader(&mut disk);
        let read = T::deserialize(&mut deserializer);
        let consumed = deserializer.byte_offset();
        drop(deserializer);
        if !disk.has_failed() {
            // As text, in which a NaN equals itself.
            let expected = from_slice::<T>(bytes);
            assert_eq!(format!("{:?}", read.ok()), format!("{:?}", expected.ok()), "{context}");
            assert_eq!(disk.position, bytes.len() as u64, "{context}");
            return;
        }
        let error = read.expect_err(&context);
        assert_device_error(&error, fault, &context);
        // The place is where the device failed: behind all that it gave.
        assert_eq!(error.offset(), Some(disk.position), "{context}");
        assert!(consumed <= disk.position, "{context}: {consumed}");
        assert_eq!(
            disk.calls.len(),
            fault.call + 1,
            "{context}: asked again after the failure"
        );
        assert_eq!(io::Error::from(error).kind(), fault.kind, "{context}");
    }
}

#[test]
fn a_read_that_fails_is_reported_with_its_kind_and_place() {
    for (name, bytes) in documents() {
        for (chunk, capacity) in [(1, 1), (7, 64), (4096, 64), (4096, 16 * 1024)] {
            fail_each_read::<Doc>(&name, &bytes, chunk, capacity);
            fail_each_read::<Value>(&name, &bytes, chunk, capacity);
            fail_each_read::<RawValue>(&name, &bytes, chunk, capacity);
        }
    }
}

/// As above, from a device that can seek: it stands at the place that the deserializer says it stands at.
fn fail_each_seekable_read(name: &str, bytes: &[u8], chunk: usize, capacity: usize) {
    let device = [bytes, TAIL].concat();
    let config = de::Config::new().buffer_capacity(capacity);
    // Call 0 asks for the position; where that fails nothing is read ahead.
    for fault in faults() {
        let context = format!("{name}, {chunk} bytes a read, {capacity} ahead, {fault:?}");
        let mut disk = Disk::new(&device, chunk).failing(fault);
        let mut deserializer = config.deserializer_from_seekable(&mut disk);
        let read = Doc::deserialize(&mut deserializer);
        let failed_reading = deserializer.get_ref().has_failed() && fault.call > 0;
        let finished = deserializer.finish();
        let offset = deserializer.byte_offset();
        let finished_again = deserializer.finish();
        drop(deserializer);
        match (read, finished) {
            (Err(error), Ok(())) => {
                assert!(failed_reading, "{context}: {error}");
                assert_device_error(&error, fault, &context);
                assert_eq!(disk.position, offset, "{context}");
            }
            (Ok(_), Err(error)) => {
                assert!(matches!(disk.calls.last(), Some(Call::Failed(_))), "{context}");
                assert_device_error(&error, fault, &context);
                assert_eq!(error.offset(), Some(bytes.len() as u64), "{context}");
                assert!(
                    finished_again.is_ok(),
                    "{context}: where the device stands is not known"
                );
            }
            (Ok(doc), Ok(())) => {
                assert!(!failed_reading, "{context}");
                assert_eq!(Some(doc), from_slice(bytes).ok(), "{context}");
                assert_eq!(
                    (disk.position, offset),
                    (bytes.len() as u64, bytes.len() as u64),
                    "{context}"
                );
            }
            (Err(error), Err(_)) => panic!("{context}: two errors for one failure: {error}"),
        }
        if !disk.has_failed() {
            return;
        }
    }
}

#[test]
fn a_device_that_can_seek_fails_at_each_call_and_stands_where_it_is_said_to() {
    for (name, bytes) in documents() {
        for (chunk, capacity) in [(1, 1), (7, 64), (4096, 64), (4096, 16 * 1024)] {
            fail_each_seekable_read(&name, &bytes, chunk, capacity);
        }
    }
}

#[test]
fn without_a_position_no_byte_is_read_that_is_not_the_documents() {
    for (name, bytes) in documents() {
        let device = [&bytes, TAIL].concat();
        let fault = Fault {
            call: 0,
            kind: io::ErrorKind::Unsupported,
        };
        let mut disk = Disk::new(&device, 4096).failing(fault);
        let doc: Doc = ubjson::from_seekable(&mut disk).expect(&name);
        assert_eq!(Some(doc), from_slice(&bytes).ok(), "{name}");
        assert_eq!(disk.position, bytes.len() as u64, "{name}");
        let seeks = disk.calls.iter().filter(|call| matches!(call, Call::Seek(_))).count();
        assert_eq!(seeks, 0, "{name}: the device was asked to move");
    }
}

#[test]
fn a_seek_that_lands_elsewhere_is_an_error() {
    for (name, bytes) in documents() {
        let device = [&bytes, TAIL].concat();
        for astray in [-1, 1, 5] {
            let mut disk = Disk::new(&device, 4096);
            disk.astray = astray;
            let error = ubjson::from_seekable::<_, IgnoredAny>(&mut disk).expect_err(&name);
            assert_eq!(error.kind(), ErrorKind::Io, "{name}: {error}");
            assert_eq!(error.offset(), Some(bytes.len() as u64), "{name}");
            let (expected, found) = (bytes.len() as u64, disk.position);
            let places = format!("went to position {found}, expected {expected}");
            assert!(error.to_string().contains(&places), "{name}: {error}");
        }
    }
}

#[test]
fn a_document_that_starts_within_a_device_ends_at_the_right_place() {
    let bytes = b"to be left alone{i\x01aSi\x03abc}and the rest";
    let mut disk = Disk::new(bytes, 4096);
    disk.seek(SeekFrom::Start(16)).unwrap();
    let _: Doc = ubjson::from_seekable(&mut disk).unwrap();
    assert_eq!(disk.position, 16 + 11);
}

#[test]
fn of_a_broken_document_and_a_failed_seek_the_seek_is_reported() {
    let bytes = [b"[i\x05?", TAIL].concat();
    let fault = Fault {
        call: 2,
        kind: io::ErrorKind::ConnectionReset,
    };
    let mut disk = Disk::new(&bytes, 4096).failing(fault);
    let error = ubjson::from_seekable::<_, Doc>(&mut disk).unwrap_err();
    assert_device_error(&error, fault, "seek");
}

#[test]
fn storms_of_interruptions_change_nothing() {
    for (name, bytes) in documents() {
        let expected = from_slice::<Doc>(&bytes).ok();
        let device = [&bytes, TAIL].concat();
        for (chunk, capacity) in [(1, 1), (3, 64), (4096, 16 * 1024)] {
            let config = de::Config::new().buffer_capacity(capacity);
            let mut reader = Disk::new(&device, chunk).interrupted(100);
            assert_eq!(config.from_reader(&mut reader).ok(), expected, "{name}");
            assert_eq!(reader.position, bytes.len() as u64, "{name}");
            let mut seekable = Disk::new(&device, chunk).interrupted(100);
            assert_eq!(config.from_seekable(&mut seekable).ok(), expected, "{name}");
            assert_eq!(seekable.position, bytes.len() as u64, "{name}");
        }
    }
}

#[test]
fn a_stream_gives_what_came_before_a_failure_then_the_failure_then_nothing() {
    let bytes = [&b"i\x01"[..], b"N[#i\x02Si\x03abci\x02", b"i\x03"].concat();
    let ends = [2, 15, 17];
    let all: Vec<Doc> = de::Deserializer::from_slice(&bytes)
        .into_iter()
        .map(Result::unwrap)
        .collect();
    assert_eq!(all.len(), 3);
    for chunk in [1, 5, 4096] {
        for fault in faults() {
            let context = format!("{chunk} bytes a read, {fault:?}");
            let mut stream = de::Config::new()
                .deserializer_from_reader(Disk::new(&bytes, chunk).failing(fault))
                .into_iter::<Doc>();
            let mut items = Vec::new();
            let failure = loop {
                match stream.next() {
                    Some(Ok(doc)) => items.push(doc),
                    Some(Err(error)) => break Some(error),
                    None => break None,
                }
            };
            assert_eq!(items, all[..items.len()], "{context}");
            let Some(error) = failure else {
                assert_eq!(items.len(), 3, "{context}");
                break;
            };
            assert_device_error(&error, fault, &context);
            let end = items.len().checked_sub(1).map_or(0, |last| ends[last]);
            assert_eq!(stream.byte_offset(), end, "{context}");
            assert!(
                stream.next().is_none() && stream.next().is_none(),
                "{context}: more after the failure"
            );
            assert_eq!(stream.byte_offset(), end, "{context}");
            assert_eq!(stream.get_ref().calls.len(), fault.call + 1, "{context}: asked again");
        }
    }
}

#[test]
fn a_pull_reader_gives_nothing_after_a_failure() {
    for (name, bytes) in documents() {
        for fault in faults() {
            let context = format!("{name}, {fault:?}");
            let mut reader = Reader::from_reader(Disk::new(&bytes, 2).failing(fault));
            let failure = loop {
                match reader.next_event() {
                    Ok(Some(_)) => {}
                    Ok(None) => break None,
                    Err(error) => break Some(error),
                }
            };
            let failed = failure.is_some();
            if let Some(error) = failure {
                assert_device_error(&error, fault, &context);
                assert!(matches!(reader.next_event(), Ok(None)), "{context}");
                assert!(matches!(reader.skip_value(), Ok(false)), "{context}");
                assert!(matches!(reader.next_document(), Ok(false)), "{context}");
            }
            let disk = reader.into_deserializer().into_inner().expect("nothing to give back");
            assert_eq!(disk.has_failed(), failed, "{context}");
            if !failed {
                break;
            }
            assert_eq!(disk.calls.len(), fault.call + 1, "{context}: asked again");
        }
    }
}

#[test]
fn elements_end_with_the_failure_and_finishing_tells_it_again() {
    let bytes = to_vec(&["one", "two", "three"]).unwrap();
    for fault in faults() {
        let context = format!("{fault:?}");
        let mut deserializer = de::Deserializer::from_reader(Disk::new(&bytes, 2).failing(fault));
        let mut elements = match deserializer.elements::<String>() {
            Ok(elements) => elements,
            Err(error) => {
                assert_device_error(&error, fault, &context);
                continue;
            }
        };
        let mut read = Vec::new();
        let failure = loop {
            match elements.next() {
                Some(Ok(element)) => read.push(element),
                Some(Err(error)) => break Some(error),
                None => break None,
            }
        };
        assert_eq!(read, ["one", "two", "three"][..read.len()], "{context}");
        let Some(error) = failure else {
            assert_eq!(read.len(), 3);
            elements.finish().unwrap();
            break;
        };
        assert_device_error(&error, fault, &context);
        assert!(elements.next().is_none(), "{context}");
        assert_eq!(elements.finish().unwrap_err().kind(), ErrorKind::Io, "{context}");
    }
}

#[test]
fn a_deserializer_that_failed_inside_a_document_never_reads_on_in_its_middle() {
    let bytes = [&b"i\x01"[..], b"[#i\x02Si\x03abci\x02", b"i\x03"].concat();
    let all: Vec<Doc> = de::Deserializer::from_slice(&bytes)
        .into_iter()
        .map(Result::unwrap)
        .collect();
    for chunk in [1, 2, 5] {
        for call in 0.. {
            let fault = Fault {
                call,
                kind: io::ErrorKind::WouldBlock,
            };
            let mut deserializer = de::Deserializer::from_reader(Disk::new(&bytes, chunk).failing(fault));
            // Goes on after the failure, as one does who takes it for a thing of the moment.
            let read: Vec<Doc> = (0..4)
                .filter_map(|_| Doc::deserialize(&mut deserializer).ok())
                .collect();
            assert!(all.starts_with(&read), "{chunk} bytes a read, {fault:?}: {read:?}");
            if !deserializer.get_ref().has_failed() {
                break;
            }
        }
    }
}

#[test]
fn an_end_of_the_input_is_no_device_error() {
    for (name, bytes) in documents() {
        for cut in 0..bytes.len() {
            let mut disk = Disk::new(&bytes[..cut], 3);
            let error = ubjson::from_reader::<_, Doc>(&mut disk).expect_err(&name);
            assert_eq!(
                (error.kind(), error.io_error_kind()),
                (ErrorKind::Eof, None),
                "{name} cut to {cut}"
            );
            assert_eq!(error.offset(), Some(cut as u64), "{name} cut to {cut}");
            assert!(error.source().is_none());
            // Asked once more at the end, and not again.
            let at_end = disk.calls.iter().filter(|call| matches!(call, Call::Read(_))).count();
            assert!(at_end <= cut + 1, "{name} cut to {cut}: {at_end} reads");
            assert_eq!(io::Error::from(error).kind(), io::ErrorKind::UnexpectedEof);
        }
    }
}

// Writers.

/// Values whose documents are shorter than a block, of several blocks, and with a payload longer than one.
fn values() -> Vec<(&'static str, Value)> {
    let small = from_slice(b"{i\x01aSi\x03abci\x01b[i\x01TD\x3f\xf0\0\0\0\0\0\0Z]}").expect("a value");
    let row = |number: i64| ubjson::ubjson!({ "number": number, "name": "a row of some thirty bytes" });
    let rows: Vec<Value> = (0..2000).map(row).collect();
    let long = Value::from("x".repeat(100_000));
    vec![
        ("small", small),
        ("rows", Value::from(rows.clone())),
        ("long", long.clone()),
        ("both", Value::from(vec![Value::from(rows), long])),
    ]
}

fn configs() -> [ser::Config; 3] {
    let config = ser::Config::new();
    [
        config,
        config.containers(ser::Containers::Counted),
        config.containers(ser::Containers::Plain),
    ]
}

/// Writes to a sink that fails at each call in turn: what it holds then is the document up to there, and no more comes.
fn fail_each_write(name: &str, config: ser::Config, value: &Value, chunk: usize, takes_nothing: bool) {
    let whole = config.to_vec(value).expect(name);
    for fault in faults() {
        let context = format!("{name}, {chunk} bytes a write, {fault:?}");
        let mut sink = Sink {
            chunk,
            fault: Some(fault),
            takes_nothing,
            ..Sink::default()
        };
        let written = config.to_writer(&mut sink, value);
        if !sink.has_failed() {
            written.expect(&context);
            assert_eq!(sink.bytes, whole, "{context}");
            return;
        }
        let error = written.expect_err(&context);
        assert_eq!(error.kind(), ErrorKind::Io, "{context}: {error}");
        let is_flush = sink.calls.len() > 1 && sink.bytes.len() == whole.len();
        let kind = if takes_nothing && !is_flush {
            io::ErrorKind::WriteZero
        } else {
            fault.kind
        };
        assert_eq!(error.io_error_kind(), Some(kind), "{context}: {error}");
        assert_eq!(error.offset(), None, "{context}");
        assert!(whole.starts_with(&sink.bytes), "{context}: {} bytes", sink.bytes.len());
        assert_eq!(
            sink.calls.len(),
            fault.call + 1,
            "{context}: called again after the failure"
        );
    }
}

#[test]
fn a_write_that_fails_is_reported_and_nothing_follows_it() {
    for (name, value) in values() {
        for config in configs() {
            // Few enough calls that each can fail in turn.
            for chunk in if name == "small" { [1, 3] } else { [0, 5000] } {
                fail_each_write(name, config, &value, chunk, false);
                fail_each_write(name, config, &value, chunk, true);
            }
        }
    }
}

#[test]
fn interrupted_writes_are_repeated_and_written_once() {
    for (name, value) in values() {
        for config in configs() {
            let mut sink = Sink {
                chunk: 999,
                interruptions: 50,
                ..Sink::default()
            };
            config.to_writer(&mut sink, &value).expect(name);
            assert_eq!(sink.bytes, config.to_vec(&value).expect(name), "{name}");
        }
    }
}

#[test]
fn a_serializer_refuses_everything_after_a_failure() {
    for (name, value) in values() {
        for fault in faults().take(6) {
            let context = format!("{name}, {fault:?}");
            let sink = Sink {
                fault: Some(fault),
                ..Sink::default()
            };
            let mut serializer = ubjson::Serializer::new(sink);
            let mut failed = value.serialize(&mut serializer).is_err();
            for _ in 0..3 {
                let again = 5.serialize(&mut serializer).is_err();
                assert!(again || !failed, "{context}: written behind the failure");
                failed = again;
            }
            failed |= serializer.flush().is_err();
            let sink = serializer.into_inner();
            assert_eq!(sink.has_failed(), failed, "{context}");
            let whole = [to_vec(&value).unwrap(), b"i\x05".repeat(3)].concat();
            assert!(whole.starts_with(&sink.bytes), "{context}");
            assert!(!failed || sink.calls.len() == fault.call + 1, "{context}: called again");
        }
    }
}

#[test]
fn an_array_writer_that_failed_writes_nothing_more() {
    let texts: Vec<String> = (0..3000).map(|number| format!("text number {number}")).collect();
    let write = |sink: &mut Sink| -> ubjson::Result<()> {
        let mut serializer = ubjson::Serializer::new(sink);
        let mut failure = Ok(());
        let mut array = serializer.begin_array(None)?;
        for text in &texts {
            match array.push(text) {
                Ok(()) => assert!(failure.is_ok(), "an element behind the failure"),
                Err(error) => failure = failure.and(Err(error)),
            }
        }
        failure.and(array.finish())
    };
    let mut whole = Sink::default();
    write(&mut whole).unwrap();
    assert_eq!(Some(texts.clone()), from_slice(&whole.bytes).ok());
    for fault in faults().take(whole.calls.len()) {
        let mut sink = Sink {
            fault: Some(fault),
            ..Sink::default()
        };
        let error = write(&mut sink).expect_err("a failure");
        assert_device_error(&error, fault, "array");
        assert!(whole.bytes.starts_with(&sink.bytes), "{fault:?}");
        assert_eq!(sink.calls.len(), fault.call + 1, "{fault:?}: called again");
    }
}

#[test]
fn transcoding_says_which_of_the_two_devices_failed() {
    let bytes = to_vec(&values().pop().expect("a value").1).unwrap();
    for fault in faults() {
        let mut source = de::Deserializer::from_reader(Disk::new(&bytes, 4096).failing(fault));
        let mut target = ubjson::Serializer::new(Sink::default());
        match ubjson::transcode(&mut source, &mut target) {
            Err(ubjson::TranscodeError::Read(error)) => assert_device_error(&error, fault, "reader"),
            done => {
                done.expect("no other failure");
                assert!(fault.call > 10 && !source.get_ref().has_failed());
                break;
            }
        }
    }
    for fault in faults() {
        let mut source = de::Deserializer::from_seekable(Cursor::new(&bytes));
        let sink = Sink {
            chunk: 10_000,
            fault: Some(fault),
            ..Sink::default()
        };
        let mut target = ubjson::Serializer::new(sink);
        match ubjson::transcode(&mut source, &mut target) {
            Err(ubjson::TranscodeError::Write(error)) => assert_device_error(&error, fault, "writer"),
            done => {
                done.expect("no other failure");
                assert!(fault.call > 10 && !target.get_ref().has_failed());
                break;
            }
        }
    }
}
