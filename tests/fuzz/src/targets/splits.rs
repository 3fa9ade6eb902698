//! However the bytes are cut into pieces, the same documents come out of them.

use bytes::{Buf, BytesMut};
use serde::de::IgnoredAny;
use tokio_util::codec::Decoder;
use ubjson::codec::{DocumentCodec, UbjsonCodec};
use ubjson::{DocumentLen, DocumentScanner, ErrorKind, Value, de, ser};

use super::sources::Exact;
use super::{Failure, configs, shown};

/// Each is cut at every place.
const MAX_LEN: usize = 512;

pub(super) fn agree(bytes: &[u8]) {
    if bytes.len() > MAX_LEN {
        return;
    }
    for config in configs() {
        scanner_agrees(config, bytes);
        streams_agree(config, bytes);
        codecs_agree(config, bytes);
        buffers_agree(config, bytes);
    }
}

/// A scanner that is fed byte by byte, and one that gets the two halves of every cut.
fn scanner_agrees(config: de::Config, bytes: &[u8]) {
    let whole = DocumentScanner::with_config(&config).scan(bytes).map_err(Failure::from);
    let mut fed = DocumentScanner::with_config(&config);
    let mut owed = 0;
    for end in 0..=bytes.len() {
        let piece = fed.scan(&bytes[..end]).map_err(Failure::from);
        let fresh = DocumentScanner::with_config(&config)
            .scan(&bytes[..end])
            .map_err(Failure::from);
        assert_eq!(piece, fresh, "{end} bytes, one after the other");
        match (piece, whole) {
            (Ok(DocumentLen::Complete(byte_len)), _) => {
                assert!(owed <= byte_len as u64, "complete at {byte_len}, {owed} were asked for");
                assert_eq!(whole, Ok(DocumentLen::Complete(byte_len)), "{end} bytes");
                return;
            }
            (Ok(DocumentLen::Incomplete { missing }), _) => {
                assert!(missing > 0);
                owed = owed.max(missing.saturating_add(end as u64));
            }
            (error, _) => {
                assert_eq!(error, whole, "{end} bytes");
                return;
            }
        }
    }
    // Byte by byte is the worst: a header or a length is looked at again with each byte of it that comes.
    assert!(
        fed.examined() <= 6 * bytes.len() as u64 + 64,
        "{} examined",
        fed.examined()
    );
}

/// Documents until the first fault of the bytes or their end, and how far that is.
fn documents<'de, R: de::Read<'de>>(source: de::Deserializer<R>) -> (Vec<Result<String, Failure>>, u64) {
    let mut stream = source.into_iter::<Value>();
    let items = stream
        .by_ref()
        .map(|item| item.map(shown).map_err(Failure::from))
        .collect();
    (items, stream.byte_offset())
}

fn streams_agree(config: de::Config, bytes: &[u8]) {
    let expected = documents(config.deserializer_from_slice(bytes));
    for chunk in [1, 2, 5, usize::MAX] {
        let reader = Exact {
            bytes,
            position: 0,
            chunk,
            end: usize::MAX,
        };
        assert_eq!(
            documents(config.deserializer_from_reader(reader)),
            expected,
            "{chunk} a read"
        );
    }
    let ahead = config.buffer_capacity(33);
    let seekable = ahead.deserializer_from_seekable(std::io::Cursor::new(bytes));
    assert_eq!(documents(seekable), expected, "seekable");
    for part in [1, 2, 7] {
        let parts = Parts { bytes, part };
        assert_eq!(
            documents(config.deserializer_from_buf(parts)),
            expected,
            "parts of {part}"
        );
    }
}

/// A codec's documents, its bytes coming in two pieces.
fn decoded(codec: &mut DocumentCodec, bytes: &[u8], cut: usize) -> Vec<Result<Vec<u8>, Failure>> {
    let mut buffer = BytesMut::new();
    let mut items = Vec::new();
    for (piece, is_last) in [(&bytes[..cut], false), (&bytes[cut..], true)] {
        buffer.extend_from_slice(piece);
        loop {
            let item = match is_last {
                false => codec.decode(&mut buffer),
                true => codec.decode_eof(&mut buffer),
            };
            match item {
                Ok(Some(document)) => items.push(Ok(document.to_vec())),
                Ok(None) => break,
                Err(error) => {
                    items.push(Err(error.into()));
                    return items;
                }
            }
        }
    }
    items
}

fn codecs_agree(config: de::Config, bytes: &[u8]) {
    // Without a limit on the length, which streams do not have.
    let codec = || DocumentCodec::with_config(config, ser::Config::new()).max_frame_len(usize::MAX);
    let whole = decoded(&mut codec(), bytes, 0);
    for cut in 1..=bytes.len() {
        assert_eq!(decoded(&mut codec(), bytes, cut), whole, "cut at {cut}");
    }
    // The same as the stream, whose offsets count from its start.
    let mut stream = config.deserializer_from_slice(bytes).into_iter::<IgnoredAny>();
    for item in &whole {
        let start = stream.byte_offset();
        match (item, stream.next()) {
            (Ok(document), Some(Ok(IgnoredAny))) => {
                let end = usize::try_from(stream.byte_offset()).expect("an offset");
                assert!(bytes[..end].ends_with(document), "the document that ends at {end}");
            }
            (Err(failure), Some(Err(error))) => {
                assert_eq!(failure.kind, error.kind(), "behind {start}");
            }
            (item, other) => panic!("{item:02x?} from the codec, {other:?} from the stream"),
        }
    }
    assert!(stream.next().is_none());
    let mut typed = UbjsonCodec::<Value>::with_config(config, ser::Config::new()).max_frame_len(usize::MAX);
    let mut buffer = BytesMut::from(bytes);
    for item in &whole {
        match (item, typed.decode_eof(&mut buffer)) {
            (Ok(document), Ok(Some(value))) => {
                let expected: Value = config.from_slice(document).expect("a document of the codec");
                assert_eq!(shown(value), shown(expected));
            }
            (Err(failure), Err(error)) => assert_eq!(*failure, Failure::from(error)),
            (item, other) => panic!("{item:02x?} untyped, {other:?} typed"),
        }
    }
}

/// Bytes of which only so many lie in one piece.
struct Parts<'a> {
    bytes: &'a [u8],
    part: usize,
}

impl Buf for Parts<'_> {
    fn remaining(&self) -> usize {
        self.bytes.len()
    }

    fn chunk(&self) -> &[u8] {
        // Parts end at multiples of their length from the end, so that advancing within one keeps its end.
        let len = (self.bytes.len() + self.part - 1) % self.part + 1;
        &self.bytes[..len.min(self.bytes.len())]
    }

    fn advance(&mut self, byte_len: usize) {
        self.bytes = &self.bytes[byte_len..];
    }
}

fn buffers_agree(config: de::Config, bytes: &[u8]) {
    let slice = config
        .from_slice_prefix::<Value>(bytes)
        .map(|(value, rest)| (shown(value), rest.len()))
        .map_err(Failure::from);
    for part in [1, 2, 3, 8, 512] {
        let mut parts = Parts { bytes, part };
        let read = config.from_buf::<_, Value>(&mut parts).map_err(Failure::from);
        match (&read, &slice) {
            (Err(error), Err(expected)) if error.kind == ErrorKind::Eof => assert_eq!(error, expected),
            _ => {}
        }
        let read = read.map(|value| (shown(value), parts.remaining()));
        assert_eq!(read, slice, "parts of {part}");
    }
}
