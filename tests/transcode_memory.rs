//! Transcoding holds no more of a large file than of a small one. Alone in its test crate: the measure is the process's.
#![cfg(feature = "std")]

use std::fs::File;
use std::io::{BufReader, BufWriter, Seek, Write};

use peak_alloc::PeakAlloc;
use ubjson::{Deserializer, Serializer, transcode};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Records of sensors as JSON, about `byte_len` bytes of them, all in one array.
fn write_records(file: &File, byte_len: usize) {
    let mut json = BufWriter::new(file);
    let mut written = 0;
    json.write_all(b"{\"records\":[").unwrap();
    for number in 0_u64.. {
        let separator = if number == 0 { "" } else { "," };
        let record = format!(
            "{separator}{{\"id\":{number},\"station\":\"station {}\",\"pm25\":{}.{},\"valid\":{},\"hours\":[1,2,3,4,{number}]}}",
            number % 100,
            number % 300,
            number % 10,
            number % 7 != 0,
        );
        json.write_all(record.as_bytes()).unwrap();
        written += record.len();
        if written >= byte_len {
            break;
        }
    }
    json.write_all(b"]}").unwrap();
    json.flush().unwrap();
}

#[test]
fn memory_does_not_grow_with_the_file() {
    const FILE_LEN: usize = 8 << 20;
    let mut json = tempfile::tempfile().unwrap();
    write_records(&json, FILE_LEN);
    json.rewind().unwrap();
    let mut binary = tempfile::tempfile().unwrap();

    ALLOCATOR.reset_peak_usage();
    let before = ALLOCATOR.current_usage();
    let mut source = serde_json::Deserializer::from_reader(BufReader::new(&json));
    transcode(&mut source, &mut Serializer::new(&binary)).unwrap();
    binary.rewind().unwrap();
    let mut back = CountingSink::default();
    let mut target = serde_json::Serializer::new(BufWriter::new(&mut back));
    transcode(&mut Deserializer::from_seekable(&binary), &mut target).unwrap();
    target.into_inner().flush().unwrap();
    let peak = ALLOCATOR.peak_usage() - before;

    assert_eq!(
        back.0,
        json.metadata().unwrap().len(),
        "JSON of the same length comes back"
    );
    assert!(binary.metadata().unwrap().len() > FILE_LEN as u64 / 2);
    assert!(peak < 200_000, "{peak} bytes at the peak");
}

/// Counts what is written.
#[derive(Default)]
struct CountingSink(u64);

impl Write for CountingSink {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
