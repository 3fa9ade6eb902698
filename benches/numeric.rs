//! Long vectors of numbers, against a copy of the same memory.

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use serde::de::DeserializeOwned;
use serde_bytes::ByteBuf;
use ubjson::packed::{Element, Packed, PackedRef};

#[path = "payload/mod.rs"]
mod payload;

use payload::numeric;

fn vector<T>(criterion: &mut Criterion, name: &str, values: &Vec<T>)
where
    T: Element + DeserializeOwned,
{
    let ubjson = ubjson::to_vec(values).expect("numbers have a UBJSON form");
    let json = serde_json::to_vec(values).expect("numbers have a JSON form");
    let decoded: Vec<T> = ubjson::from_slice(&ubjson).expect("just encoded");
    assert_eq!(&decoded, values);
    let packed = Packed(values);
    let packed_bytes = ubjson::to_vec(&packed).expect("numbers have a UBJSON form");
    let throughput = Throughput::Bytes(size_of_val(values.as_slice()) as u64);

    let mut group = criterion.benchmark_group(format!("{name}/encode"));
    group.throughput(throughput.clone());
    group.bench_function("ubjson", |b| b.iter(|| ubjson::to_vec(black_box(values))));
    group.bench_function("packed", |b| b.iter(|| ubjson::to_vec(black_box(&packed))));
    group.bench_function("serde_json", |b| b.iter(|| serde_json::to_vec(black_box(values))));
    group.bench_function("copy", |b| b.iter(|| black_box(values).clone()));
    group.finish();

    let mut group = criterion.benchmark_group(format!("{name}/decode"));
    group.throughput(throughput);
    group.bench_function("ubjson", |b| {
        b.iter(|| ubjson::from_slice::<Vec<T>>(black_box(&ubjson)));
    });
    group.bench_function("packed", |b| {
        b.iter(|| ubjson::from_slice::<Packed<Vec<T>>>(black_box(&packed_bytes)));
    });
    group.bench_function("packed-reader", |b| {
        b.iter(|| ubjson::from_reader::<_, Packed<Vec<T>>>(black_box(&packed_bytes[..])));
    });
    group.bench_function("packed-view", |b| {
        b.iter(|| {
            ubjson::from_slice::<PackedRef<T>>(black_box(&packed_bytes))
                .map(|view| view.iter().filter(|number| *number == values[0]).count())
        });
    });
    group.bench_function("serde_json", |b| {
        b.iter(|| serde_json::from_slice::<Vec<T>>(black_box(&json)));
    });
    group.bench_function("copy", |b| b.iter(|| black_box(values).clone()));
    group.finish();
}

fn bytes(criterion: &mut Criterion) {
    let bytes = ByteBuf::from(numeric::bytes(numeric::BYTES));
    let ubjson = ubjson::to_vec(&bytes).expect("bytes have a UBJSON form");
    let decoded: ByteBuf = ubjson::from_slice(&ubjson).expect("just encoded");
    assert_eq!(decoded, bytes);

    let mut group = criterion.benchmark_group("bytes");
    group.throughput(Throughput::Bytes(bytes.len() as u64));
    group.bench_function("encode", |b| b.iter(|| ubjson::to_vec(black_box(&bytes))));
    group.bench_function("decode", |b| {
        b.iter(|| ubjson::from_slice::<ByteBuf>(black_box(&ubjson)));
    });
    group.bench_function("decode-borrowed", |b| {
        b.iter(|| ubjson::from_slice::<&[u8]>(black_box(&ubjson)).map(<[u8]>::len));
    });
    group.bench_function("copy", |b| b.iter(|| black_box(&bytes).clone()));
    group.finish();
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    vector(&mut criterion, "f64", &numeric::f64s(numeric::COUNT));
    vector(&mut criterion, "f32", &numeric::f32s(numeric::COUNT));
    vector(&mut criterion, "i32", &numeric::i32s(numeric::COUNT));
    bytes(&mut criterion);
    criterion.final_summary();
}
