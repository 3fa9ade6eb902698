//! Ten thousand records of a web server's log: mostly text.

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use serde::de::IgnoredAny;

#[path = "payload/mod.rs"]
mod payload;

use payload::logs::{self, COUNT, Log, LogRef};

fn encode(criterion: &mut Criterion, logs: &[Log]) {
    let mut group = criterion.benchmark_group("logs/encode");
    group.throughput(Throughput::Elements(COUNT as u64));
    group.bench_function("ubjson", |b| b.iter(|| ubjson::to_vec(black_box(logs))));
    group.bench_function("serde_json", |b| b.iter(|| serde_json::to_vec(black_box(logs))));
    group.bench_function("rmp-serde named", |b| {
        b.iter(|| rmp_serde::to_vec_named(black_box(logs)));
    });
    group.finish();
}

fn decode(criterion: &mut Criterion, logs: &[Log]) {
    let ubjson = ubjson::to_vec(logs).expect("logs have a UBJSON form");
    let json = serde_json::to_vec(logs).expect("logs have a JSON form");
    let messagepack = rmp_serde::to_vec_named(logs).expect("logs have a MessagePack form");
    let decoded: Vec<Log> = ubjson::from_slice(&ubjson).expect("just encoded");
    assert_eq!(decoded, logs);

    let mut group = criterion.benchmark_group("logs/decode");
    group.throughput(Throughput::Elements(COUNT as u64));
    group.bench_function("ubjson", |b| {
        b.iter(|| ubjson::from_slice::<Vec<Log>>(black_box(&ubjson)));
    });
    group.bench_function("serde_json", |b| {
        b.iter(|| serde_json::from_slice::<Vec<Log>>(black_box(&json)));
    });
    group.bench_function("rmp-serde named", |b| {
        b.iter(|| rmp_serde::from_slice::<Vec<Log>>(black_box(&messagepack)));
    });
    group.finish();

    let mut group = criterion.benchmark_group("logs/decode-borrowed");
    group.throughput(Throughput::Elements(COUNT as u64));
    group.bench_function("ubjson", |b| {
        b.iter(|| ubjson::from_slice::<Vec<LogRef<'_>>>(black_box(&ubjson)));
    });
    group.bench_function("serde_json", |b| {
        b.iter(|| serde_json::from_slice::<Vec<LogRef<'_>>>(black_box(&json)));
    });
    group.bench_function("rmp-serde named", |b| {
        b.iter(|| rmp_serde::from_slice::<Vec<LogRef<'_>>>(black_box(&messagepack)));
    });
    group.finish();

    let mut group = criterion.benchmark_group("logs/skip");
    group.throughput(Throughput::Elements(COUNT as u64));
    group.bench_function("ubjson", |b| {
        b.iter(|| ubjson::from_slice::<IgnoredAny>(black_box(&ubjson)));
    });
    group.bench_function("serde_json", |b| {
        b.iter(|| serde_json::from_slice::<IgnoredAny>(black_box(&json)));
    });
    group.finish();
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    let logs = logs::generate(COUNT);
    encode(&mut criterion, &logs);
    decode(&mut criterion, &logs);
    criterion.final_summary();
}
