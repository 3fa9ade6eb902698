//! Rows of nested records: the derived types that most programs store.

use std::fs::{self, File};
use std::hint::black_box;
use std::io::{Cursor, Seek};

use criterion::{Criterion, Throughput};
use serde::de::IgnoredAny;

#[path = "payload/mod.rs"]
mod payload;

use payload::rows::{self, MEDIUM, Row, RowRef, SMALL, TINY};

fn encode(criterion: &mut Criterion) {
    for (size, count) in [("tiny", TINY), ("small", SMALL), ("medium", MEDIUM)] {
        let rows = rows::generate(count);
        let mut group = criterion.benchmark_group(format!("rows/{size}/encode"));
        group.throughput(Throughput::Elements(count as u64));
        group.bench_function("ubjson", |b| b.iter(|| ubjson::to_vec(black_box(&rows))));
        group.bench_function("serde_json", |b| b.iter(|| serde_json::to_vec(black_box(&rows))));
        group.bench_function("rmp-serde named", |b| {
            b.iter(|| rmp_serde::to_vec_named(black_box(&rows)));
        });
        group.finish();
    }
}

fn encode_reused(criterion: &mut Criterion) {
    let rows = rows::generate(MEDIUM);
    let config = ubjson::ser::Config::new();
    let mut buffer = Vec::new();
    let mut group = criterion.benchmark_group("rows/medium/encode-reused");
    group.throughput(Throughput::Elements(MEDIUM as u64));
    group.bench_function("ubjson", |b| {
        b.iter(|| {
            buffer.clear();
            config.append_to(&mut buffer, black_box(&rows))
        });
    });
    group.bench_function("serde_json", |b| {
        b.iter(|| {
            buffer.clear();
            serde_json::to_writer(&mut buffer, black_box(&rows))
        });
    });
    group.bench_function("rmp-serde named", |b| {
        b.iter(|| {
            buffer.clear();
            rmp_serde::encode::write_named(&mut buffer, black_box(&rows))
        });
    });
    group.finish();
}

/// The same rows in the three formats.
struct Documents {
    ubjson: Vec<u8>,
    json: Vec<u8>,
    messagepack: Vec<u8>,
}

impl Documents {
    fn new() -> Self {
        let rows = rows::generate(MEDIUM);
        let documents = Self {
            ubjson: ubjson::to_vec(&rows).expect("rows have a UBJSON form"),
            json: serde_json::to_vec(&rows).expect("rows have a JSON form"),
            messagepack: rmp_serde::to_vec_named(&rows).expect("rows have a MessagePack form"),
        };
        let decoded: Vec<Row> = ubjson::from_slice(&documents.ubjson).expect("just encoded");
        assert_eq!(decoded, rows);
        documents
    }
}

fn decode(criterion: &mut Criterion) {
    let documents = Documents::new();
    let mut group = criterion.benchmark_group("rows/medium/decode");
    group.throughput(Throughput::Elements(MEDIUM as u64));
    group.bench_function("ubjson", |b| {
        b.iter(|| ubjson::from_slice::<Vec<Row>>(black_box(&documents.ubjson)));
    });
    group.bench_function("serde_json", |b| {
        b.iter(|| serde_json::from_slice::<Vec<Row>>(black_box(&documents.json)));
    });
    group.bench_function("rmp-serde named", |b| {
        b.iter(|| rmp_serde::from_slice::<Vec<Row>>(black_box(&documents.messagepack)));
    });
    group.finish();
}

fn decode_borrowed(criterion: &mut Criterion) {
    let documents = Documents::new();
    let mut group = criterion.benchmark_group("rows/medium/decode-borrowed");
    group.throughput(Throughput::Elements(MEDIUM as u64));
    group.bench_function("ubjson", |b| {
        b.iter(|| ubjson::from_slice::<Vec<RowRef<'_>>>(black_box(&documents.ubjson)));
    });
    group.bench_function("serde_json", |b| {
        b.iter(|| serde_json::from_slice::<Vec<RowRef<'_>>>(black_box(&documents.json)));
    });
    group.bench_function("rmp-serde named", |b| {
        b.iter(|| rmp_serde::from_slice::<Vec<RowRef<'_>>>(black_box(&documents.messagepack)));
    });
    group.finish();
}

fn skip(criterion: &mut Criterion) {
    let documents = Documents::new();
    let mut group = criterion.benchmark_group("rows/medium/skip");
    group.throughput(Throughput::Elements(MEDIUM as u64));
    group.bench_function("ubjson", |b| {
        b.iter(|| ubjson::from_slice::<IgnoredAny>(black_box(&documents.ubjson)));
    });
    group.bench_function("serde_json", |b| {
        b.iter(|| serde_json::from_slice::<IgnoredAny>(black_box(&documents.json)));
    });
    group.bench_function("rmp-serde named", |b| {
        b.iter(|| rmp_serde::from_slice::<IgnoredAny>(black_box(&documents.messagepack)));
    });
    group.finish();
}

/// The three ways to read, against the slice; every one starts at the file's first byte.
fn readers(criterion: &mut Criterion) {
    let documents = Documents::new();
    let path = std::env::temp_dir().join(format!("ubjson-bench-rows-{}", std::process::id()));
    fs::write(&path, &documents.ubjson).expect("the temporary folder takes a file");
    let mut file = File::open(&path).expect("just written");
    let mut group = criterion.benchmark_group("rows/medium/readers");
    group.throughput(Throughput::Elements(MEDIUM as u64));
    group.bench_function("slice", |b| {
        b.iter(|| ubjson::from_slice::<Vec<Row>>(black_box(&documents.ubjson)));
    });
    group.bench_function("reader, Cursor", |b| {
        b.iter(|| ubjson::from_reader::<_, Vec<Row>>(Cursor::new(black_box(&documents.ubjson))));
    });
    group.bench_function("reader, bare File", |b| {
        b.iter(|| {
            file.rewind().expect("a regular file");
            ubjson::from_reader::<_, Vec<Row>>(&file)
        });
    });
    group.bench_function("seekable, bare File", |b| {
        b.iter(|| {
            file.rewind().expect("a regular file");
            ubjson::from_seekable::<_, Vec<Row>>(&file)
        });
    });
    group.finish();
    fs::remove_file(&path).expect("just written");
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    encode(&mut criterion);
    encode_reused(&mut criterion);
    decode(&mut criterion);
    decode_borrowed(&mut criterion);
    skip(&mut criterion);
    readers(&mut criterion);
    criterion.final_summary();
}
