//! Buffers of the `bytes` crate, however their bytes are divided.
#![cfg(feature = "bytes")]

mod common;

use std::collections::VecDeque;

use bytes::{Buf, BufMut, Bytes, BytesMut};
use serde::{Deserialize, Serialize};
use ubjson::de::Config;
use ubjson::{Deserializer, ErrorKind, RawValue, Value, from_buf, ser, to_buf_mut, to_bytes};

use common::doc::Doc;
use common::grammar;
use common::sources::{Failure, Source};
use common::vectors::{Expected, decode_vectors};

/// Bytes in parts, as a queue of received packets has them; an empty one may be among them.
#[derive(Clone)]
struct Parts(VecDeque<Bytes>);

impl Parts {
    fn new(bytes: &[u8], part_lens: &[usize]) -> Self {
        let mut rest = Bytes::copy_from_slice(bytes);
        let mut parts = VecDeque::new();
        for len in part_lens.iter().cycle() {
            if rest.is_empty() {
                break;
            }
            parts.push_back(rest.split_to(rest.len().min(*len)));
        }
        let mut parts = Parts(parts);
        parts.drop_empty();
        parts
    }

    fn drop_empty(&mut self) {
        while self.0.front().is_some_and(Bytes::is_empty) {
            self.0.pop_front();
        }
    }

    fn left(&self) -> Vec<u8> {
        self.0.iter().flatten().copied().collect()
    }
}

impl Buf for Parts {
    fn remaining(&self) -> usize {
        self.0.iter().map(Bytes::len).sum()
    }

    fn chunk(&self) -> &[u8] {
        self.0.front().map_or(&[], |part| part)
    }

    fn advance(&mut self, mut byte_len: usize) {
        assert!(byte_len <= self.remaining(), "moved beyond the end");
        while byte_len > 0 {
            let part = self.0.front_mut().expect("a part");
            let len = part.len().min(byte_len);
            part.advance(len);
            byte_len -= len;
            self.drop_empty();
        }
    }
}

const PART_LENS: [&[usize]; 6] = [&[1], &[2], &[3], &[7, 0, 1], &[0, 5], &[4096]];

#[test]
fn every_vector_reads_from_any_parts_as_from_one() {
    for vector in decode_vectors().iter().filter(|vector| vector.group != "bomb") {
        let expected = Source::Prefix.read::<Doc>(&vector.bytes);
        for part_lens in PART_LENS {
            let mut buf = Parts::new(&vector.bytes, part_lens);
            let found = from_buf::<_, Doc>(&mut buf).map_err(|error| Failure::new(&error));
            let context = format!("{} in {part_lens:?}", vector.name);
            assert_eq!(found, expected.result, "{context}");
            if let Some(position) = expected.position {
                assert_eq!(
                    buf.left(),
                    vector.bytes[usize::try_from(position).unwrap()..],
                    "{context}"
                );
            }
        }
    }
}

#[test]
fn every_vector_cut_into_two_parts_anywhere_is_read_alike() {
    for vector in decode_vectors() {
        let Expected::Value(expected) = &vector.expected else {
            continue;
        };
        for cut in 0..=vector.bytes.len().min(200) {
            let (head, tail) = vector.bytes.split_at(cut);
            let found: Doc = from_buf(head.chain(tail)).unwrap();
            assert_eq!(&found, expected, "{} cut at {cut}", vector.name);
        }
    }
}

#[test]
fn long_texts_and_arrays_across_parts_are_read_whole() {
    let value = (
        "x".repeat(50_000),
        (0..9_000).map(f64::from).collect::<Vec<_>>(),
        serde_bytes::ByteBuf::from(vec![7; 30_000]),
        vec!["käse".to_owned(); 1_000],
    );
    let encoded = ubjson::to_vec(&value).unwrap();
    for part_lens in [&[1_000][..], &[333, 1], &[20_000], &[100_000, 3]] {
        let mut buf = Parts::new(&encoded, part_lens);
        assert_eq!(
            from_buf::<_, (String, Vec<f64>, serde_bytes::ByteBuf, Vec<String>)>(&mut buf).unwrap(),
            value
        );
        assert!(!buf.has_remaining());
    }
}

#[test]
fn raw_values_are_kept_across_parts() {
    for vector in decode_vectors() {
        let Expected::Value(_) = &vector.expected else { continue };
        let end = grammar::value(&vector.bytes).unwrap().end;
        let start = vector.bytes.iter().take_while(|byte| **byte == b'N').count();
        for part_lens in PART_LENS {
            let raw: RawValue = from_buf(Parts::new(&vector.bytes, part_lens)).unwrap();
            assert_eq!(
                raw.as_bytes(),
                &vector.bytes[start..end],
                "{} in {part_lens:?}",
                vector.name
            );
        }
    }
    // Inside of others, with and without their own marker.
    let bytes = b"[$[#i\x02$i#i\x03\x01\x02\x03TF]";
    for part_lens in PART_LENS {
        let raw: Vec<RawValue> = from_buf(Parts::new(bytes, part_lens)).unwrap();
        let raw: Vec<_> = raw.iter().map(RawValue::as_bytes).collect();
        assert_eq!(raw, [&b"[$i#i\x03\x01\x02\x03"[..], b"[TF]"], "{part_lens:?}");
    }
}

#[test]
fn values_are_read_exactly_from_parts() {
    let bytes = b"{i\x01a[$I#i\x03\x00\x01\x00\x02\x00\x03i\x01bHi\x05123.4}";
    let expected: Value = ubjson::from_slice(bytes).unwrap();
    for part_lens in PART_LENS {
        assert_eq!(from_buf::<_, Value>(Parts::new(bytes, part_lens)).unwrap(), expected);
    }
}

#[test]
fn what_follows_the_document_stays_in_the_buffer() {
    for part_lens in PART_LENS {
        let mut buf = Parts::new(b"[TF]NSi\x02hiGET /", part_lens);
        assert_eq!(from_buf::<_, Vec<bool>>(&mut buf).unwrap(), [true, false]);
        assert_eq!(from_buf::<_, String>(&mut buf).unwrap(), "hi");
        assert_eq!(buf.left(), b"GET /");
    }
}

#[test]
fn a_stream_over_parts_goes_on_behind_what_does_not_fit() {
    for part_lens in PART_LENS {
        let buf = Parts::new(b"i\x01N[T[F]]i\x02NN{i\x01aSi\x02hi}I\x01\x00i\x03rest", part_lens);
        let mut stream = Deserializer::from_buf(buf).into_iter::<u8>();
        let mut read = Vec::new();
        for _ in 0..6 {
            read.push(stream.next().unwrap().ok());
        }
        assert_eq!(read, [Some(1), None, Some(2), None, None, Some(3)]);
        let buf = stream.into_deserializer().into_inner().unwrap();
        assert_eq!(buf.left(), b"rest", "{part_lens:?}");
    }
}

#[test]
fn elements_come_from_parts_one_by_one() {
    for part_lens in PART_LENS {
        let mut de = Deserializer::from_buf(Parts::new(
            b"{i\x01a[$I#i\x03\x00\x01\x00\x02\x00\x03i\x01bT}T",
            part_lens,
        ));
        let mut elements = de.elements_at::<u16>(&["a"]).unwrap();
        assert_eq!(elements.next().transpose().unwrap(), Some(1));
        elements.finish().unwrap();
        assert_eq!(de.byte_offset(), 21);
        assert!(bool::deserialize(&mut de).unwrap());
        assert!(!de.into_inner().unwrap().has_remaining());
    }
}

#[test]
fn limits_are_those_of_the_options() {
    let config = Config::new().max_depth(1);
    assert_eq!(
        config.from_buf::<_, Doc>(&b"[[]]"[..]).unwrap_err().kind(),
        ErrorKind::Depth
    );
}

#[derive(Debug, Deserialize, PartialEq, Serialize)]
struct Message {
    id: u32,
    text: String,
}

fn message() -> Message {
    Message {
        id: 70_000,
        text: "x".repeat(40_000),
    }
}

#[test]
fn bytes_and_buffers_get_what_vectors_get() {
    let expected = ubjson::to_vec(&message()).unwrap();
    assert_eq!(to_bytes(&message()).unwrap(), expected);

    let mut buf = BytesMut::from(&b"in front"[..]);
    to_buf_mut(&mut buf, &message()).unwrap();
    assert_eq!(buf, [b"in front", &expected[..]].concat());

    let mut vec = vec![1, 2];
    to_buf_mut(&mut vec, &message()).unwrap();
    assert_eq!(vec, [&[1, 2], &expected[..]].concat());

    let plain = ser::Config::new().containers(ser::Containers::Plain);
    assert_eq!(plain.to_bytes(&[1_u8, 2]).unwrap(), &b"[i\x01i\x02]"[..]);
    let mut buf = BytesMut::new();
    plain.to_buf_mut(&mut buf, &[1_u8, 2]).unwrap();
    assert_eq!(buf, &b"[i\x01i\x02]"[..]);
    let object: &mut dyn BufMut = &mut buf;
    to_buf_mut(object, &true).unwrap();
    assert_eq!(buf, &b"[i\x01i\x02]T"[..]);
}

#[test]
fn a_buffer_that_is_full_is_an_error_and_no_panic() {
    let encoded = ubjson::to_vec(&message()).unwrap();
    for room in [0, 1, 16_384, 16_385, encoded.len() - 1] {
        let mut memory = vec![0; room];
        let error = to_buf_mut(&mut &mut memory[..], &message()).unwrap_err();
        assert_eq!(error.io_error_kind(), Some(std::io::ErrorKind::WriteZero), "{room}");
    }
    let mut memory = vec![0; encoded.len()];
    to_buf_mut(&mut &mut memory[..], &message()).unwrap();
    assert_eq!(memory, encoded);
}

#[test]
fn a_slice_borrowed_from_bytes_becomes_bytes_of_the_same_memory() {
    #[derive(Deserialize)]
    struct Borrowed<'a> {
        name: &'a str,
        #[serde(with = "serde_bytes")]
        body: &'a [u8],
    }
    let received = Bytes::from(b"{i\x04nameSi\x04annai\x04body[$U#i\x05\x01\x02\x03\x04\x05}".to_vec());
    let message: Borrowed<'_> = ubjson::from_slice(&received).unwrap();
    let (name, body) = (
        received.slice_ref(message.name.as_bytes()),
        received.slice_ref(message.body),
    );
    assert_eq!((&name[..], &body[..]), (&b"anna"[..], &[1, 2, 3, 4, 5][..]));
    let memory = received.as_ptr_range();
    drop(received);
    // Where they were received, and still alive.
    assert!(memory.contains(&name.as_ptr()) && memory.contains(&body.as_ptr()));
    assert_eq!(body, &[1, 2, 3, 4, 5][..]);
}

#[test]
fn an_end_of_input_is_told_with_its_place_from_any_parts() {
    let bytes = b"{i\x01a[$I#i\x03\x00\x01\x00\x02\x00\x03i\x01bSi\x02hi}";
    for part_lens in PART_LENS {
        for cut in 0..bytes.len() {
            let error = from_buf::<_, Doc>(Parts::new(&bytes[..cut], part_lens)).unwrap_err();
            assert_eq!(
                (error.kind(), error.offset()),
                (ErrorKind::Eof, Some(cut as u64)),
                "{part_lens:?}"
            );
        }
    }
}

#[test]
fn the_buffer_can_be_looked_at_while_it_is_read() {
    let mut de = Deserializer::from_buf(&b"Ti\x05"[..]);
    assert_eq!(*de.get_ref(), b"Ti\x05");
    assert!(bool::deserialize(&mut de).unwrap());
    let output = format!("{de:?}");
    assert!(output.contains("BufferRead { offset: 1, .. }"), "{output}");
}

/// Says that it has bytes, and shows none.
struct ShowsNothing;

impl Buf for ShowsNothing {
    fn remaining(&self) -> usize {
        10
    }

    fn chunk(&self) -> &[u8] {
        &[]
    }

    fn advance(&mut self, byte_len: usize) {
        assert_eq!(byte_len, 0, "moved over what was never shown");
    }
}

#[test]
fn a_buffer_that_shows_nothing_of_what_it_has_is_an_end_of_the_input() {
    assert!(from_buf::<_, Doc>(ShowsNothing).unwrap_err().is_eof());
    let rest = (&b"Si\x05ab"[..]).chain(ShowsNothing);
    assert!(from_buf::<_, String>(rest).unwrap_err().is_eof());
}
