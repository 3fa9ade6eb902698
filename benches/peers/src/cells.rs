//! Which cells there are, and how each is turned into work that can be measured.

use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::rc::Rc;

use crate::format::{Format, FormatVisitor, Result};
use crate::formats::{COPYING, each_format};
use crate::payload::rows::{MEDIUM, SMALL, TINY};
use crate::payloads::{ByteString, Logs, Numbers, Payload, Rows, Strings, Tree};
use crate::{files, values};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    Encode,
    EncodeReused,
    Decode,
    DecodeBorrowed,
    Skip,
    RoundTrip,
    DecodeValue,
    ReadFile,
    WriteFile,
}

impl Operation {
    /// As the command line and the tables call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Encode => "encode",
            Self::EncodeReused => "encode-reused",
            Self::Decode => "decode",
            Self::DecodeBorrowed => "decode-borrowed",
            Self::Skip => "skip",
            Self::RoundTrip => "round-trip",
            Self::DecodeValue => "decode-value",
            Self::ReadFile => "read-file",
            Self::WriteFile => "write-file",
        }
    }

    /// Whether its contenders are ways to use a file rather than formats.
    pub fn uses_file(self) -> bool {
        matches!(self, Self::ReadFile | Self::WriteFile)
    }
}

/// One run of an operation.
pub type Work = Box<dyn FnMut()>;

pub struct Contender {
    pub name: &'static str,
    /// What there is to run and the document's length, or why there is nothing to run.
    pub work: Result<(Work, usize)>,
}

impl Contender {
    /// Sets a contender up; a peer's panic while it is checked counts as its failure.
    pub fn new(name: &'static str, set_up: impl FnOnce() -> Result<(Work, usize)>) -> Self {
        let hook = take_hook();
        set_hook(Box::new(|_| {}));
        let outcome = catch_unwind(AssertUnwindSafe(set_up));
        set_hook(hook);
        let work = outcome.unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<&str>().copied();
            let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
            Err(format!("panics: {}", text.unwrap_or("no message")).into())
        });
        Self { name, work }
    }
}

pub struct Cell {
    pub payload: &'static str,
    pub operation: Operation,
    build: fn(Operation, Wanted<'_>) -> Vec<Contender>,
}

/// Says by their names which contenders to set up.
pub type Wanted<'a> = &'a dyn Fn(&str) -> bool;

impl Cell {
    pub fn name(&self) -> String {
        format!("{}/{}", self.payload, self.operation.name())
    }

    pub fn contenders(&self, wanted: Wanted<'_>) -> Vec<Contender> {
        (self.build)(self.operation, wanted)
    }
}

/// All cells, payload by payload.
pub fn catalogue() -> Vec<Cell> {
    use Operation::{Decode, DecodeBorrowed, DecodeValue, Encode, EncodeReused, ReadFile, RoundTrip, Skip, WriteFile};
    const TEXT: &[Operation] = &[Encode, EncodeReused, Decode, DecodeBorrowed, Skip];
    const NUMERIC: &[Operation] = &[Encode, EncodeReused, Decode];
    let mut cells = Vec::new();
    add::<Rows<TINY>>(&mut cells, "rows-tiny", &[Encode, Decode, RoundTrip]);
    add::<Rows<SMALL>>(&mut cells, "rows-small", &[Encode, Decode, RoundTrip]);
    add::<Rows<MEDIUM>>(&mut cells, "rows-medium", TEXT);
    add::<Rows<MEDIUM>>(
        &mut cells,
        "rows-medium",
        &[RoundTrip, DecodeValue, ReadFile, WriteFile],
    );
    add::<Logs>(&mut cells, "logs", TEXT);
    add::<Strings>(&mut cells, "strings", TEXT);
    add::<Tree>(&mut cells, "tree", &[Encode, EncodeReused, Decode, Skip, DecodeValue]);
    add::<Numbers<f64>>(&mut cells, "f64", NUMERIC);
    add::<Numbers<f32>>(&mut cells, "f32", NUMERIC);
    add::<Numbers<i32>>(&mut cells, "i32", NUMERIC);
    // No borrowing: JSON has no bytes to borrow, so there is nothing to compare with.
    add::<ByteString>(&mut cells, "bytes", &[Encode, EncodeReused, Decode, Skip]);
    cells
}

fn add<P: Payload>(cells: &mut Vec<Cell>, payload: &'static str, operations: &[Operation]) {
    for &operation in operations {
        cells.push(Cell {
            payload,
            operation,
            build: contenders::<P>,
        });
    }
}

fn contenders<P: Payload>(operation: Operation, wanted: Wanted<'_>) -> Vec<Contender> {
    let value = Rc::new(P::generate());
    match operation {
        Operation::DecodeValue => return values::contenders(&*value, wanted),
        Operation::ReadFile => return files::readers::<P>(&value, wanted),
        Operation::WriteFile => return files::writers::<P>(&value, wanted),
        _ => {}
    }
    let mut collector = Collector::<P> {
        operation,
        wanted,
        value,
        contenders: Vec::new(),
    };
    each_format(&mut collector);
    collector.contenders.extend(P::variants(operation, wanted));
    collector.add_copying();
    collector.contenders
}

/// One format as a contender of a cell.
pub fn contender<F: Format + 'static, P: Payload>(operation: Operation) -> Contender {
    let value = Rc::new(P::generate());
    Contender::new(F::NAME, move || set_up::<F, P>(operation, value))
}

struct Collector<'a, P: Payload> {
    operation: Operation,
    wanted: Wanted<'a>,
    value: Rc<P::Owned>,
    contenders: Vec<Contender>,
}

impl<P: Payload> Collector<'_, P> {
    /// What the same result costs without any format.
    fn add_copying(&mut self) {
        let comparable = match self.operation {
            Operation::Decode => true,
            Operation::Encode => P::IS_BLOCK,
            _ => false,
        };
        if comparable && (self.wanted)(COPYING) {
            let value = Rc::clone(&self.value);
            self.contenders.push(Contender::new(COPYING, move || {
                let work: Work = Box::new(move || drop(black_box(P::Owned::clone(&value))));
                Ok((work, 0))
            }));
        }
    }
}

impl<P: Payload> FormatVisitor for Collector<'_, P> {
    fn visit<F: Format + 'static>(&mut self) {
        if !(self.wanted)(F::NAME) {
            return;
        }
        let value = Rc::clone(&self.value);
        let operation = self.operation;
        self.contenders
            .push(Contender::new(F::NAME, move || set_up::<F, P>(operation, value)));
    }
}

const CHECKED: &str = "the same work went well when the contender was set up";

fn set_up<F: Format, P: Payload>(operation: Operation, value: Rc<P::Owned>) -> Result<(Work, usize)> {
    let bytes = F::encode(&*value)?;
    let len = bytes.len();
    same(F::read_back::<P::Owned>(&bytes)? == *value)?;
    let mut scratch = Vec::new();
    let work: Work = match operation {
        Operation::Encode => Box::new(move || encode::<F, P>(&value)),
        Operation::EncodeReused => {
            let mut buffer = Vec::new();
            F::encode_into(&*value, &mut buffer)?;
            same(F::read_back::<P::Owned>(&buffer)? == *value)?;
            Box::new(move || encode_reused::<F, P>(&value, &mut buffer))
        }
        Operation::Decode => {
            same(F::decode::<P::Owned>(&bytes, &mut scratch)? == *value)?;
            Box::new(move || decode::<F, P>(&bytes, &mut scratch))
        }
        Operation::DecodeBorrowed => {
            check_borrowed::<F, P>(&value, &bytes, &mut scratch)?;
            Box::new(move || decode_borrowed::<F, P>(&bytes, &mut scratch))
        }
        Operation::Skip => {
            F::skip(&bytes, &mut scratch)?;
            Box::new(move || skip::<F>(&bytes, &mut scratch))
        }
        Operation::RoundTrip => {
            same(F::decode::<P::Owned>(&bytes, &mut scratch)? == *value)?;
            Box::new(move || round_trip::<F, P>(&value, &mut scratch))
        }
        Operation::DecodeValue | Operation::ReadFile | Operation::WriteFile => {
            return Err("has contenders of its own".into());
        }
    };
    Ok((work, len))
}

fn check_borrowed<F: Format, P: Payload>(value: &P::Owned, bytes: &[u8], scratch: &mut Vec<u8>) -> Result<()> {
    same(F::decode_borrowed::<P::Borrowed<'_>>(bytes, scratch)? == P::borrow(value))
}

fn same(equal: bool) -> Result<()> {
    if equal {
        Ok(())
    } else {
        Err("gives back something else".into())
    }
}

// Each of the following is one function of its own in the program, so that the compiler
// optimises every contender under the same conditions and a profile shows it by name.

#[inline(never)]
fn encode<F: Format, P: Payload>(value: &P::Owned) {
    black_box(F::encode(black_box(value)).expect(CHECKED));
}

#[inline(never)]
fn encode_reused<F: Format, P: Payload>(value: &P::Owned, buffer: &mut Vec<u8>) {
    buffer.clear();
    F::encode_into(black_box(value), buffer).expect(CHECKED);
    black_box(buffer);
}

#[inline(never)]
fn decode<F: Format, P: Payload>(bytes: &[u8], scratch: &mut Vec<u8>) {
    black_box(F::decode::<P::Owned>(black_box(bytes), scratch).expect(CHECKED));
}

#[inline(never)]
fn decode_borrowed<F: Format, P: Payload>(bytes: &[u8], scratch: &mut Vec<u8>) {
    black_box(F::decode_borrowed::<P::Borrowed<'_>>(black_box(bytes), scratch).expect(CHECKED));
}

#[inline(never)]
fn skip<F: Format>(bytes: &[u8], scratch: &mut Vec<u8>) {
    F::skip(black_box(bytes), scratch).expect(CHECKED);
}

#[inline(never)]
fn round_trip<F: Format, P: Payload>(value: &P::Owned, scratch: &mut Vec<u8>) {
    let bytes = F::encode(black_box(value)).expect(CHECKED);
    black_box(F::decode::<P::Owned>(&bytes, scratch).expect(CHECKED));
}
