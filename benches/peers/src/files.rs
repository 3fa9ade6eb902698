//! Reading from and writing to a file, the ways that each crate offers.

use std::fs::{self, File};
use std::hint::black_box;
use std::io::{BufReader, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::cells::{Contender, Wanted, Work};
use crate::format::{Format, Result};
use crate::formats::{Cbor4ii, Ciborium, Counted, Default, Plain, RmpNamed, SerdeJson, Ubjson};
use crate::payloads::Payload;

/// A way to read a payload: its name, the format of the document, and the code, which gets the
/// document's path, and the document itself to show what the file adds.
type Reader<P> = (&'static str, Encode<P>, fn(&Path, &[u8]) -> Result<Owned<P>>);

/// A way to write a payload into a file.
type Writer<P> = (&'static str, fn(&File, &Owned<P>) -> Result<()>);

type Encode<P> = fn(&Owned<P>) -> Result<Vec<u8>>;
type Owned<P> = <P as Payload>::Owned;

/// A file that is removed with its last user.
struct TemporaryFile(PathBuf);

impl TemporaryFile {
    fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("ubjson-peers-{}-{number}", std::process::id());
        Self(std::env::temp_dir().join(name))
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        // A file left in the temporary folder harms nobody.
        let _ = fs::remove_file(&self.0);
    }
}

/// Opens the file and decodes it; the first contender is the baseline.
pub fn readers<P: Payload>(value: &Rc<P::Owned>, wanted: Wanted<'_>) -> Vec<Contender> {
    let all: [Reader<P>; 12] = [
        ("serde_json, bare File", SerdeJson::encode, |path, _| {
            Ok(serde_json::from_reader(File::open(path)?)?)
        }),
        ("serde_json, BufReader", SerdeJson::encode, |path, _| {
            Ok(serde_json::from_reader(BufReader::new(File::open(path)?))?)
        }),
        ("serde_json, fs::read", SerdeJson::encode, |path, _| {
            Ok(serde_json::from_slice(&fs::read(path)?)?)
        }),
        ("ubjson, from_slice, no file", Default::encode, |_, bytes| {
            Ok(ubjson::from_slice(bytes)?)
        }),
        ("ubjson, fs::read + from_slice", Default::encode, |path, _| {
            Ok(ubjson::from_slice(&fs::read(path)?)?)
        }),
        ("ubjson, from_seekable, bare File", Default::encode, |path, _| {
            Ok(ubjson::from_seekable(File::open(path)?)?)
        }),
        ("ubjson, from_reader, bare File", Default::encode, |path, _| {
            Ok(ubjson::from_reader(File::open(path)?)?)
        }),
        (
            "ubjson Counted, from_reader, bare File",
            Ubjson::<Counted>::encode,
            |path, _| Ok(ubjson::from_reader(File::open(path)?)?),
        ),
        (
            "ubjson Plain, from_reader, bare File",
            Ubjson::<Plain>::encode,
            |path, _| Ok(ubjson::from_reader(File::open(path)?)?),
        ),
        ("rmp-serde named, BufReader", RmpNamed::encode, |path, _| {
            Ok(rmp_serde::from_read(BufReader::new(File::open(path)?))?)
        }),
        ("ciborium, BufReader", Ciborium::encode, |path, _| {
            Ok(ciborium::from_reader(BufReader::new(File::open(path)?))?)
        }),
        ("cbor4ii, BufReader", Cbor4ii::encode, |path, _| {
            Ok(cbor4ii::serde::from_reader(BufReader::new(File::open(path)?))?)
        }),
    ];
    let wanted = all.into_iter().filter(|(name, ..)| wanted(name));
    wanted
        .map(|reader| Contender::new(reader.0, || read_work::<P>(value, reader)))
        .collect()
}

fn read_work<P: Payload>(value: &P::Owned, (_, encode, read): Reader<P>) -> Result<(Work, usize)> {
    let bytes = encode(value)?;
    let len = bytes.len();
    let file = TemporaryFile::new();
    fs::write(&file.0, &bytes)?;
    if read(&file.0, &bytes)? != *value {
        return Err("gives back something else".into());
    }
    let work: Work = Box::new(move || {
        let decoded = read(&file.0, black_box(&bytes));
        drop(black_box(decoded.expect("read well when the contender was set up")));
    });
    Ok((work, len))
}

/// Overwrites an open file from its start; the first contender is the baseline.
pub fn writers<P: Payload>(value: &Rc<P::Owned>, wanted: Wanted<'_>) -> Vec<Contender> {
    let all: [Writer<P>; 8] = [
        ("serde_json, bare File", |file, value| {
            Ok(serde_json::to_writer(file, value)?)
        }),
        ("serde_json, BufWriter", |file, value| {
            let mut buffered = BufWriter::new(file);
            serde_json::to_writer(&mut buffered, value)?;
            Ok(buffered.flush()?)
        }),
        ("serde_json, to_vec + write", |mut file, value| {
            Ok(file.write_all(&serde_json::to_vec(value)?)?)
        }),
        ("ubjson, to_writer, bare File", |file, value| {
            Ok(ubjson::to_writer(file, value)?)
        }),
        ("ubjson, to_vec + write", |mut file, value| {
            Ok(file.write_all(&ubjson::to_vec(value)?)?)
        }),
        ("rmp-serde named, BufWriter", |file, value| {
            let mut buffered = BufWriter::new(file);
            rmp_serde::encode::write_named(&mut buffered, value)?;
            Ok(buffered.flush()?)
        }),
        ("ciborium, BufWriter", |file, value| {
            let mut buffered = BufWriter::new(file);
            ciborium::into_writer(value, &mut buffered)?;
            Ok(buffered.flush()?)
        }),
        ("cbor4ii, BufWriter", |file, value| {
            let mut buffered = BufWriter::new(file);
            cbor4ii::serde::to_writer(&mut buffered, value)?;
            Ok(buffered.flush()?)
        }),
    ];
    let wanted = all.into_iter().filter(|(name, _)| wanted(name));
    wanted
        .map(|(name, write)| Contender::new(name, || write_work::<P>(Rc::clone(value), write)))
        .collect()
}

fn write_work<P: Payload>(value: Rc<P::Owned>, write: fn(&File, &P::Owned) -> Result<()>) -> Result<(Work, usize)> {
    let path = TemporaryFile::new();
    let mut file = File::create(&path.0)?;
    write(&file, &value)?;
    let len = usize::try_from(file.stream_position()?)?;
    let work: Work = Box::new(move || {
        // The path is dropped, and the file removed, with this closure.
        let _ = &path;
        let written = file.rewind().map_err(Into::into).and_then(|()| write(&file, &value));
        written.expect("written well when the contender was set up");
    });
    Ok((work, len))
}
