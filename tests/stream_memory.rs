//! Memory does not grow with the number of documents, nor with the size of the array they are in.
#![cfg(feature = "std")]

use std::io::{self, Read};

use peak_alloc::PeakAlloc;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use ubjson::{Deserializer, Serializer};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

const COUNT: u32 = 60_000;

/// A buffer of 16 KiB to read, a block of 64 KiB that has grown by doubling to write, and then some.
const LIMIT: usize = 192 * 1024;

#[derive(Deserialize, Serialize)]
struct Record {
    id: u32,
    station: String,
    values: Vec<f64>,
}

fn record() -> Record {
    Record {
        id: 1_000_000,
        station: "a station with a name".to_owned(),
        values: vec![0.1, 0.2, 0.3],
    }
}

/// The same bytes again and again, between a head and a tail; nothing of it is kept.
struct Repeated {
    parts: [(Vec<u8>, u32); 3],
    part: usize,
    position: usize,
}

impl Repeated {
    fn new(head: &[u8], record: &[u8], tail: &[u8]) -> Self {
        Repeated {
            parts: [(head.to_vec(), 1), (record.to_vec(), COUNT), (tail.to_vec(), 1)],
            part: 0,
            position: 0,
        }
    }

    fn byte_len(&self) -> u64 {
        self.parts
            .iter()
            .map(|(bytes, count)| bytes.len() as u64 * u64::from(*count))
            .sum()
    }
}

impl Read for Repeated {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let Some((bytes, count)) = self.parts.get_mut(self.part) else {
            return Ok(0);
        };
        let len = bytes[self.position..].as_ref().read(buf)?;
        self.position += len;
        if self.position == bytes.len() {
            self.position = 0;
            *count -= 1;
            self.part += usize::from(*count == 0);
        }
        if len == 0 && !buf.is_empty() {
            return self.read(buf);
        }
        Ok(len)
    }
}

/// How much more memory was in use at the peak of `work` than before it.
fn peak(work: impl FnOnce()) -> usize {
    ALLOCATOR.reset_peak_usage();
    let before = ALLOCATOR.current_usage();
    work();
    ALLOCATOR.peak_usage().saturating_sub(before)
}

fn count_elements(input: Repeated, path: &[&str], take: usize) {
    let len = input.byte_len();
    let mut de = Deserializer::from_reader(input);
    let mut elements = de.elements_at::<Record>(path).unwrap();
    let read = elements.by_ref().take(take).filter(Result::is_ok).count();
    assert_eq!(read, take.min(COUNT as usize));
    elements.finish().unwrap();
    assert_eq!(de.byte_offset(), len);
}

// One test, since others would allocate at the same time.
#[test]
fn memory_is_constant_over_many_documents_and_elements() {
    let encoded = ubjson::to_vec(&record()).unwrap();
    assert!(encoded.len() * COUNT as usize > 4_000_000);
    let plain = || Repeated::new(b"[", &encoded, b"]");
    let counted = || {
        Repeated::new(
            &[&b"{i\x04rows[#l"[..], &COUNT.to_be_bytes()].concat(),
            &encoded,
            b"i\x03endT}",
        )
    };
    let documents = || Repeated::new(b"N", &encoded, b"N");

    let works: [(&str, &mut dyn FnMut()); 7] = [
        ("elements", &mut || count_elements(plain(), &[], usize::MAX)),
        ("elements under a key", &mut || {
            count_elements(counted(), &["rows"], usize::MAX)
        }),
        ("a few elements", &mut || count_elements(counted(), &["rows"], 3)),
        ("documents", &mut || {
            let stream = Deserializer::from_reader(documents()).into_iter::<Record>();
            assert_eq!(stream.filter(Result::is_ok).count(), COUNT as usize);
        }),
        ("documents of the wrong type", &mut || {
            let stream = Deserializer::from_reader(documents()).into_iter::<Vec<u8>>();
            assert_eq!(stream.filter(Result::is_err).count(), COUNT as usize);
        }),
        ("skipping", &mut || {
            let IgnoredAny = ubjson::from_reader(counted()).unwrap();
        }),
        ("writing", &mut || {
            let mut serializer = Serializer::new(io::sink());
            let mut array = serializer.begin_array(Some(COUNT as usize)).unwrap();
            for _ in 0..COUNT {
                array.push(&record()).unwrap();
            }
            array.finish().unwrap();
        }),
    ];
    for (name, work) in works {
        let peak = peak(work);
        assert!(peak < LIMIT, "{name} took {peak} bytes");
    }
}
