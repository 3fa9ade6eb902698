//! A generic tree: every value says what it is, and is asked for it.

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use serde::de::IgnoredAny;

#[path = "payload/mod.rs"]
mod payload;

use payload::tree::{self, BRANCHES, Tree};

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    let tree = tree::generate(BRANCHES);
    let ubjson = ubjson::to_vec(&tree).expect("a tree has a UBJSON form");
    let json = serde_json::to_vec(&tree).expect("a tree has a JSON form");
    let decoded: Tree = ubjson::from_slice(&ubjson).expect("just encoded");
    assert_eq!(decoded, tree);

    let mut group = criterion.benchmark_group("tree/encode");
    group.throughput(Throughput::Bytes(json.len() as u64));
    group.bench_function("ubjson", |b| b.iter(|| ubjson::to_vec(black_box(&tree))));
    group.bench_function("serde_json", |b| b.iter(|| serde_json::to_vec(black_box(&tree))));
    group.finish();

    let mut group = criterion.benchmark_group("tree/decode");
    group.throughput(Throughput::Bytes(json.len() as u64));
    group.bench_function("ubjson", |b| b.iter(|| ubjson::from_slice::<Tree>(black_box(&ubjson))));
    group.bench_function("serde_json", |b| {
        b.iter(|| serde_json::from_slice::<Tree>(black_box(&json)));
    });
    group.finish();

    let mut group = criterion.benchmark_group("tree/skip");
    group.throughput(Throughput::Bytes(json.len() as u64));
    group.bench_function("ubjson", |b| {
        b.iter(|| ubjson::from_slice::<IgnoredAny>(black_box(&ubjson)));
    });
    group.bench_function("serde_json", |b| {
        b.iter(|| serde_json::from_slice::<IgnoredAny>(black_box(&json)));
    });
    group.finish();
    criterion.final_summary();
}
