//! `stat`: where the bytes of a file are, and what other options would make of them.

mod keys;
mod types;

use std::io::{self, Write};

use clap::Args;
use ubjson::de::{self, Read};
use ubjson::pull::{Reader, Token};
use ubjson::ser::{self, Containers};
use ubjson::{Serializer, TranscodeError};

use self::keys::Keys;
use self::types::{Kind, Types};
use crate::arguments::Reading;
use crate::counts::Counts;
use crate::failure::{Failure, Outcome};
use crate::input::Input;
use crate::output::{Console, console, counted, printing};
use crate::path::require_documents;
use crate::style::HEADING;
use crate::walk::{Target, Walk};

/// Show where the bytes of a file are: by type, by key, and under other writing options
///
/// The file is read once for each option; standard input is held in memory for that.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(flatten)]
    reading: Reading,
    /// How many keys to show, those with the most bytes first
    #[arg(long, default_value_t = 20, value_name = "COUNT")]
    top: usize,
}

/// What is read more than once.
enum Source {
    File(String),
    Bytes(Vec<u8>),
}

/// What one reading found.
#[derive(Default)]
struct Totals {
    documents: u64,
    byte_len: u64,
    max_depth: usize,
    types: Types,
    keys: Keys,
    counts: Counts,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let path = &arguments.reading.input;
    let config = arguments.reading.config();
    let mut input = Input::open(path)?;
    let name = input.name().to_owned();
    let source = match input.is_file() {
        true => Source::File(path.clone()),
        false => Source::Bytes(input.read_whole()?),
    };
    let totals = match &source {
        Source::File(_) => Totals::of(input.reader(config)),
        Source::Bytes(bytes) => Totals::of(config.deserializer_from_slice(bytes).into()),
    }
    .map_err(|error| Failure::reading(&name, &error))?;
    require_documents(totals.documents, &name)?;
    let mut out = console();
    totals.print(&mut out, &name, arguments.top).map_err(printing)?;
    let counts = totals.counts.finish();
    print_options(&mut out, &source, config, &counts, totals.byte_len)?;
    out.flush().map_err(printing)
}

impl Totals {
    fn of<'de, R: Read<'de>>(mut reader: Reader<R>) -> ubjson::Result<Self> {
        let mut totals = Self::default();
        while reader.next_document()? {
            totals.documents += 1;
            while totals.read_token(&mut reader)? {
                totals.max_depth = totals.max_depth.max(reader.depth());
            }
        }
        totals.types.add_no_ops(reader.byte_offset() - totals.byte_len);
        totals.byte_len = reader.byte_offset();
        Ok(totals)
    }

    /// Counts the next token and what comes with it; false behind the document.
    fn read_token<'de, R: Read<'de>>(&mut self, reader: &mut Reader<R>) -> ubjson::Result<bool> {
        let Some(event) = reader.next_event()? else {
            return Ok(false);
        };
        let start = event.offset;
        self.types.add_no_ops(start - self.byte_len);
        self.counts.follow(&event.token);
        self.keys.follow(&event.token, start);
        let kind = Kind::of(&event.token);
        let element = match event.token {
            Token::Array(header) => header.element,
            _ => None,
        };
        while reader.text_chunk()?.is_some() {}
        let end = reader.byte_offset();
        self.types.add(kind, 1, end - start);
        if kind.ends_value() {
            self.keys.end_value(end);
        }
        if let Some((element, element_len @ 1..)) = element.and_then(|element| Some((element, element.payload_len()?)))
        {
            while let Some(chunk) = reader.packed_chunk()? {
                let byte_len = chunk.as_bytes().len();
                let count = byte_len / element_len;
                self.types.add(Kind::Value(element), count as u64, byte_len as u64);
                self.keys.add_elements(count as u64, byte_len as u64);
                self.counts.add_elements(count);
            }
        }
        self.byte_len = reader.byte_offset();
        Ok(true)
    }

    fn print(&self, out: &mut Console, name: &str, top: usize) -> io::Result<()> {
        writeln!(
            out,
            "{name}: {}, {}, {}, {}",
            counted(self.byte_len, "byte"),
            counted(self.documents, "document"),
            counted(self.types.values(), "value"),
            counted(self.max_depth as u64, "level"),
        )?;
        self.types.print(out, self.byte_len)?;
        self.keys.print(out, self.byte_len, top)
    }
}

fn print_heading(out: &mut Console, name: &str) -> io::Result<()> {
    writeln!(
        out,
        "\n{HEADING}{:>12}{:>8}{:>12}  {name}{HEADING:#}",
        "bytes", "share", "count"
    )
}

fn print_row(out: &mut Console, byte_len: u64, total: u64, count: u64, name: &str) -> io::Result<()> {
    let share = share(byte_len, total);
    writeln!(out, "{byte_len:>12}{share:>8}{count:>12}  {name}")
}

/// What a part of a file takes of the whole.
fn share(byte_len: u64, of: u64) -> String {
    let of = u128::from(of.max(1));
    let per_mille = (1000 * u128::from(byte_len) + of / 2) / of;
    format!("{}.{}%", per_mille / 10, per_mille % 10)
}

/// The options whose sizes are shown.
fn options() -> [(&'static str, ser::Config); 4] {
    let containers = |containers| ser::Config::new().containers(containers).max_depth(usize::MAX);
    [
        ("--containers auto (the default)", containers(Containers::Auto)),
        (
            "the same with --compact-floats",
            containers(Containers::Auto).compact_floats(true),
        ),
        ("--containers counted", containers(Containers::Counted)),
        ("--containers plain", containers(Containers::Plain)),
    ]
}

fn print_options(out: &mut Console, source: &Source, config: de::Config, counts: &[usize], byte_len: u64) -> Outcome {
    writeln!(out, "\n{HEADING}{:>12}{:>8}  written with{HEADING:#}", "bytes", "saves").map_err(printing)?;
    for (name, writing) in options() {
        let written = match source {
            Source::File(path) => written_len(Input::open(path)?.reader(config), counts, &writing),
            Source::Bytes(bytes) => written_len(config.deserializer_from_slice(bytes).into(), counts, &writing),
        }?;
        let saved = match written <= byte_len {
            true => share(byte_len - written, byte_len),
            false => format!("-{}", share(written - byte_len, byte_len)),
        };
        writeln!(out, "{written:>12}{saved:>8}  {name}").map_err(printing)?;
    }
    Ok(())
}

/// How many bytes the documents take when they are written with other options.
fn written_len<'de, R: Read<'de>>(reader: Reader<R>, counts: &[usize], config: &ser::Config) -> Outcome<u64> {
    let walk = Walk::new(reader, Target::Ubjson).with_counts(counts.to_vec());
    let mut sink = ByteCount(0);
    let mut serializer = Serializer::with_config(&mut sink, config);
    while walk.next_document().map_err(|error| Failure::Data(error.to_string()))? {
        walk.serialize_next(&mut serializer).map_err(|error| match error {
            TranscodeError::Read(error) | TranscodeError::Write(error) => Failure::Data(error.to_string()),
        })?;
    }
    Ok(sink.0)
}

/// Counts what is written.
struct ByteCount(u64);

impl Write for ByteCount {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
