//! Strings, one in three not ASCII: checking that they are UTF-8 is most of the work.

use std::hint::black_box;

use criterion::{Criterion, Throughput};

#[path = "payload/mod.rs"]
mod payload;

use payload::strings::{self, COUNT};

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    let strings = strings::generate(COUNT);
    let ubjson = ubjson::to_vec(&strings).expect("strings have a UBJSON form");
    let json = serde_json::to_vec(&strings).expect("strings have a JSON form");
    let decoded: Vec<String> = ubjson::from_slice(&ubjson).expect("just encoded");
    assert_eq!(decoded, strings);
    let text_len = strings.iter().map(|text| text.len() as u64).sum();

    let mut group = criterion.benchmark_group("strings/encode");
    group.throughput(Throughput::Bytes(text_len));
    group.bench_function("ubjson", |b| b.iter(|| ubjson::to_vec(black_box(&strings))));
    group.bench_function("serde_json", |b| b.iter(|| serde_json::to_vec(black_box(&strings))));
    group.finish();

    let mut group = criterion.benchmark_group("strings/decode");
    group.throughput(Throughput::Bytes(text_len));
    group.bench_function("ubjson", |b| {
        b.iter(|| ubjson::from_slice::<Vec<String>>(black_box(&ubjson)));
    });
    group.bench_function("serde_json", |b| {
        b.iter(|| serde_json::from_slice::<Vec<String>>(black_box(&json)));
    });
    group.finish();

    let mut group = criterion.benchmark_group("strings/decode-borrowed");
    group.throughput(Throughput::Bytes(text_len));
    group.bench_function("ubjson", |b| {
        b.iter(|| ubjson::from_slice::<Vec<&str>>(black_box(&ubjson)));
    });
    group.bench_function("serde_json", |b| {
        b.iter(|| serde_json::from_slice::<Vec<&str>>(black_box(&json)));
    });
    group.finish();
    criterion.final_summary();
}
