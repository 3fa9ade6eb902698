//! Many records as one array and as documents in a row, from memory, from a file and from a pipe.
//!
//! `UBJSON_BENCH_RECORDS` sets their number: 4,700 take 1 MB and 290,000 take 62 MB.

use std::fs::{self, File};
use std::hint::black_box;
use std::io::{BufReader, Read, Write};
use std::process::{Child, Command, Stdio};

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput};
use ubjson::{Deserializer, Serializer};

#[path = "../examples/air_quality/records.rs"]
mod records;

use records::{Measurement, Records, SEED};

/// The same records in each form, as files.
struct Files {
    folder: tempfile::TempDir,
}

impl Files {
    fn new(count: u64) -> Self {
        let files = Files {
            folder: tempfile::tempdir().expect("a folder for the files"),
        };
        let create = |name| File::create(files.folder.path().join(name)).expect("a file");
        let mut serializer = Serializer::new(create("array"));
        let mut array = serializer.begin_array(usize::try_from(count).ok()).expect("an array");
        let mut plain_serializer = Serializer::new(create("plain array"));
        let mut plain = plain_serializer.begin_array(None).expect("an array");
        let mut documents = create("documents");
        for record in Records::new(count, SEED) {
            array.push(&record).expect("a record");
            plain.push(&record).expect("a record");
            let document = ubjson::to_vec(&record).expect("a record");
            documents.write_all(&document).expect("a record");
        }
        array.finish().expect("the end of the array");
        plain.finish().expect("the end of the array");
        let records: Vec<_> = Records::new(count, SEED).collect();
        serde_json::to_writer(create("json"), &records).expect("the records as JSON");
        files
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.folder.path().join(name)).expect("a file that was written")
    }

    fn open(&self, name: &str) -> File {
        File::open(self.folder.path().join(name)).expect("a file that was written")
    }

    /// The file through a pipe, from a process that must be waited for.
    fn pipe(&self, name: &str) -> (Child, impl Read + use<>) {
        let mut child = Command::new("cat")
            .arg(self.folder.path().join(name))
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program cat");
        let output = child.stdout.take().expect("its output");
        (child, output)
    }
}

/// Small enough for the slow ones.
fn group<'c>(criterion: &'c mut Criterion, name: &str, count: u64) -> BenchmarkGroup<'c, WallTime> {
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Elements(count)).sample_size(10);
    group
}

type Rows = Vec<Measurement>;

fn one_array(criterion: &mut Criterion, files: &Files, name: &str, count: u64) {
    let mut group = group(criterion, &format!("stream/{name}"), count);
    let bytes = files.read(name);
    group.bench_function("slice", |b| b.iter(|| ubjson::from_slice::<Rows>(black_box(&bytes))));
    group.bench_function("file, slice", |b| {
        b.iter(|| ubjson::from_slice::<Rows>(&files.read(name)))
    });
    group.bench_function("file, seekable", |b| {
        b.iter(|| ubjson::from_seekable::<_, Rows>(files.open(name)));
    });
    group.bench_function("file, exact", |b| {
        b.iter(|| ubjson::from_reader::<_, Rows>(files.open(name)))
    });
    group.bench_function("file, BufReader + exact", |b| {
        b.iter(|| ubjson::from_reader::<_, Rows>(BufReader::new(files.open(name))));
    });
    group.bench_function("file, seekable, elements", |b| {
        b.iter(|| {
            let mut deserializer = Deserializer::from_seekable(files.open(name));
            let elements = deserializer.elements::<Measurement>().expect("an array");
            elements.map(black_box).filter(Result::is_ok).count()
        });
    });
    group.bench_function("pipe, exact", |b| {
        b.iter(|| {
            let (mut child, pipe) = files.pipe(name);
            let rows = ubjson::from_reader::<_, Rows>(pipe);
            child.wait().map(|_| rows)
        });
    });
    group.bench_function("pipe, BufReader + exact", |b| {
        b.iter(|| {
            let (mut child, pipe) = files.pipe(name);
            let rows = ubjson::from_reader::<_, Rows>(BufReader::new(pipe));
            child.wait().map(|_| rows)
        });
    });
    group.finish();
}

fn documents(criterion: &mut Criterion, files: &Files, count: u64) {
    const NAME: &str = "documents";

    fn read_all<'de, R: ubjson::de::Read<'de>>(deserializer: Deserializer<R>) -> usize {
        let stream = deserializer.into_iter::<Measurement>();
        stream.map(black_box).filter(Result::is_ok).count()
    }

    let mut group = group(criterion, "stream/documents", count);
    let bytes = files.read(NAME);
    assert_eq!(read_all(Deserializer::from_slice(&bytes)) as u64, count);
    group.bench_function("slice", |b| {
        b.iter(|| read_all(Deserializer::from_slice(black_box(&bytes))))
    });
    group.bench_function("file, slice", |b| {
        b.iter(|| read_all(Deserializer::from_slice(&files.read(NAME))));
    });
    group.bench_function("file, seekable", |b| {
        b.iter(|| read_all(Deserializer::from_seekable(files.open(NAME))));
    });
    group.bench_function("file, exact", |b| {
        b.iter(|| read_all(Deserializer::from_reader(files.open(NAME))))
    });
    group.bench_function("file, BufReader + exact", |b| {
        b.iter(|| read_all(Deserializer::from_reader(BufReader::new(files.open(NAME)))));
    });
    group.bench_function("pipe, exact", |b| {
        b.iter(|| {
            let (mut child, pipe) = files.pipe(NAME);
            let read = read_all(Deserializer::from_reader(pipe));
            child.wait().map(|_| read)
        });
    });
    group.bench_function("scan", |b| b.iter(|| scan_all(black_box(&bytes))));
    group.finish();
}

/// The lengths of all documents, as a codec finds them.
fn scan_all(bytes: &[u8]) -> usize {
    let mut scanner = ubjson::DocumentScanner::new();
    let mut rest = bytes;
    let mut count = 0;
    while let Ok(ubjson::DocumentLen::Complete(byte_len)) = scanner.scan(rest) {
        scanner.reset();
        rest = &rest[byte_len..];
        count += 1;
    }
    count
}

fn peers(criterion: &mut Criterion, files: &Files, count: u64) {
    let mut group = group(criterion, "stream/serde_json", count);
    let bytes = files.read("json");
    group.bench_function("slice", |b| {
        b.iter(|| serde_json::from_slice::<Rows>(black_box(&bytes)))
    });
    group.bench_function("file, BufReader", |b| {
        b.iter(|| serde_json::from_reader::<_, Rows>(BufReader::new(files.open("json"))));
    });
    group.bench_function("file", |b| {
        b.iter(|| serde_json::from_reader::<_, Rows>(files.open("json")))
    });
    group.finish();
}

fn main() {
    let count =
        std::env::var("UBJSON_BENCH_RECORDS").map_or(4_700, |count| count.parse().expect("a number of records"));
    let files = Files::new(count);
    let mut criterion = Criterion::default().configure_from_args();
    one_array(&mut criterion, &files, "array", count);
    one_array(&mut criterion, &files, "plain array", count);
    documents(&mut criterion, &files, count);
    peers(&mut criterion, &files, count);
    criterion.final_summary();
}
