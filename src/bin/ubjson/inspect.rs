//! `inspect`: a file in the block notation of the specification, with offsets.

mod blocks;

use std::io::Write;

use clap::Args;
use ubjson::Marker;
use ubjson::pull::{Header, Scalar, Token};

use crate::arguments::Depth;
use crate::failure::{Failure, Outcome};
use crate::input::{Input, InputReader};
use crate::output::{Console, console, counted, printing};
use crate::path::{Pointer, require_documents};
use crate::style::VALUE;

/// Show the bytes of a file in the block notation of the specification, with offsets
///
/// A line starts with the offset of its first byte; `[S][i][3][abc]` is a marker, the type and value of
/// a length, and a text. What a container's type leaves out is in parentheses. Long texts and
/// typed arrays are cut short; texts that are not UTF-8 are shown with U+FFFD.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// The UBJSON file; `-` is standard input
    #[arg(default_value = "-", value_name = "FILE")]
    input: String,
    /// Show only the value at this JSON pointer
    #[arg(long)]
    path: Option<Pointer>,
    /// Show only so many levels of containers
    #[arg(long, value_name = "LEVELS")]
    depth: Option<usize>,
    /// Show long texts and typed arrays whole
    #[arg(long)]
    full: bool,
    #[command(flatten)]
    max_depth: Depth,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let mut input = Input::open(&arguments.input)?;
    let name = input.name().to_owned();
    let config = ubjson::de::Config::new()
        .max_depth(arguments.max_depth.levels())
        .lossy_utf8(true);
    let mut reader = input.reader(config);
    let mut printer = Printer {
        out: console(),
        is_full: arguments.full,
        depth: arguments.depth.unwrap_or(usize::MAX),
        levels: 0,
        end: 0,
        is_line_begun: false,
        is_behind_key: false,
    };
    let found = print_documents(&mut printer, &mut reader, arguments.path.as_ref(), &name);
    // What is before a fault is shown, too.
    printer.finish().map_err(printing)?;
    match (found?, &arguments.path) {
        (0, Some(path)) => Err(path.missing(&name)),
        _ => Ok(()),
    }
}

/// Prints the value at the path of each document, and says how many there were.
fn print_documents(
    printer: &mut Printer,
    reader: &mut InputReader<'_>,
    path: Option<&Pointer>,
    name: &str,
) -> Outcome<u64> {
    let reading = |error| Failure::reading(name, &error);
    let (mut documents, mut found) = (0, 0);
    while reader.next_document().map_err(reading)? {
        documents += 1;
        if let Some(path) = path {
            if !path.find(reader).map_err(reading)? {
                continue;
            }
            printer.end = reader.byte_offset();
        }
        found += u64::from(printer.print_value(reader, name)?);
    }
    require_documents(documents, name)?;
    Ok(found)
}

/// How many elements of a typed array are shown, unless all are.
const MAX_ELEMENTS: usize = 8;

struct Printer {
    out: Console,
    is_full: bool,
    depth: usize,
    /// How many containers are open.
    levels: usize,
    /// The end of what has been printed.
    end: u64,
    is_line_begun: bool,
    /// The line holds a key, whose value is next.
    is_behind_key: bool,
}

impl Printer {
    /// Prints the next value whole; false if there is none.
    fn print_value(&mut self, reader: &mut InputReader<'_>, name: &str) -> Outcome<bool> {
        let reading = |error| Failure::reading(name, &error);
        loop {
            let Some(event) = reader.next_event().map_err(reading)? else {
                return Ok(false);
            };
            // The end of the container that a path leads into.
            if self.levels == 0 && matches!(event.token, Token::ArrayEnd | Token::ObjectEnd) {
                return Ok(false);
            }
            let token = Shape::of(&event.token);
            self.print_token(&event).map_err(printing)?;
            match token {
                Shape::Text => self.print_text(reader, name)?,
                Shape::Container(header) => self.enter(header, reader, name)?,
                Shape::End => self.levels -= 1,
                Shape::Key | Shape::Scalar => {}
            }
            self.end = reader.byte_offset();
            if self.levels == 0 {
                return Ok(true);
            }
        }
    }

    /// Prints the text of a string whose length has been printed.
    fn print_text(&mut self, reader: &mut InputReader<'_>, name: &str) -> Outcome {
        write!(self.out, "{VALUE}[").map_err(printing)?;
        let mut left = self.max_chars();
        let mut is_cut = false;
        while let Some(chunk) = reader.text_chunk().map_err(|error| Failure::reading(name, &error))? {
            let shown: String = chunk.chars().take(left).flat_map(char::escape_debug).collect();
            let char_count = chunk.chars().count();
            is_cut |= char_count > left;
            left = left.saturating_sub(char_count);
            write!(self.out, "{shown}").map_err(printing)?;
        }
        let cut = if is_cut { "\u{2026}" } else { "" };
        write!(self.out, "{cut}]{VALUE:#}").map_err(printing)
    }

    /// Goes into a container, or passes over what is not to be shown of it.
    fn enter(&mut self, header: Header, reader: &mut InputReader<'_>, name: &str) -> Outcome {
        let element_len = header.element.and_then(Marker::payload_len);
        // Elements that are all that the header says are not worth a line each.
        let is_hidden = self.levels >= self.depth || (element_len == Some(0) && !self.is_full);
        if is_hidden {
            let start = reader.byte_offset();
            reader.skip_rest().map_err(|error| Failure::reading(name, &error))?;
            return match reader.byte_offset() - start {
                0 => Ok(()),
                byte_len => self.print_hidden(&counted(byte_len, "byte")).map_err(printing),
            };
        }
        self.levels += 1;
        match (header.element, element_len) {
            (Some(element), Some(1..)) => self.print_packed(element, reader, name),
            _ => Ok(()),
        }
    }

    /// Prints the elements of a typed array of scalars behind its header.
    fn print_packed(&mut self, element: Marker, reader: &mut InputReader<'_>, name: &str) -> Outcome {
        let element_len = element.payload_len().unwrap_or(1);
        let max_shown = if self.is_full { usize::MAX } else { MAX_ELEMENTS };
        let (mut shown, mut hidden) = (0, 0);
        while let Some(chunk) = reader.packed_chunk().map_err(|error| Failure::reading(name, &error))? {
            let payloads = chunk.as_bytes().chunks_exact(element_len);
            let scalars = payloads.filter_map(|payload| Scalar::from_be_bytes(element, payload));
            for scalar in scalars {
                if shown == max_shown {
                    hidden += 1;
                    continue;
                }
                shown += 1;
                self.print_scalar(scalar).map_err(printing)?;
            }
        }
        match hidden {
            0 => Ok(()),
            _ => self
                .print_hidden(&format!(
                    "{hidden} more, {}",
                    counted(hidden * element_len as u64, "byte")
                ))
                .map_err(printing),
        }
    }
}

/// What a token is, without its text.
#[derive(Clone, Copy)]
enum Shape {
    Scalar,
    Text,
    Key,
    Container(Header),
    End,
}

impl Shape {
    fn of(token: &Token<'_, '_>) -> Self {
        match token {
            Token::Scalar(_) | Token::HighPrecision(..) => Self::Scalar,
            Token::String(_) => Self::Text,
            Token::Key(..) => Self::Key,
            Token::Array(header) | Token::Object(header) => Self::Container(*header),
            Token::ArrayEnd | Token::ObjectEnd => Self::End,
        }
    }
}
