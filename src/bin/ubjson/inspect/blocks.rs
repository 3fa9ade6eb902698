//! Lines of blocks.

use std::io::{self, Write};

use ubjson::Marker;
use ubjson::pull::{Event, Header, Length, Scalar, Token};

use super::Printer;
use crate::style::{KEY, LENGTH, MARKER, NOTE, OFFSET, VALUE};

/// How many characters of a text are shown, unless all are.
const MAX_CHARS: usize = 60;

/// By how many columns each level is set in.
const INDENT: usize = 2;

impl Printer {
    pub(super) fn print_token(&mut self, event: &Event<'_, '_>) -> io::Result<()> {
        // An end without a marker of its own.
        if event.end == event.offset && matches!(event.token, Token::ArrayEnd | Token::ObjectEnd) {
            return Ok(());
        }
        self.begin_token(event)?;
        let has_marker = event.end - event.offset >= marked_len(&event.token);
        match &event.token {
            Token::Scalar(scalar) => {
                self.print_marker(scalar.marker(), has_marker)?;
                self.print_scalar(*scalar)
            }
            Token::HighPrecision(length, text) => {
                self.print_marker(Marker::HighPrecision, has_marker)?;
                self.print_length(*length)?;
                let shown = shorten(text, self.max_chars());
                write!(self.out, "{VALUE}[{shown}]{VALUE:#}")
            }
            Token::String(length) => {
                self.print_marker(Marker::String, has_marker)?;
                self.print_length(*length)
            }
            Token::Key(length, text) => {
                self.print_length(*length)?;
                let shown = shorten(text, self.max_chars());
                write!(self.out, "{KEY}[{shown}]{KEY:#}")
            }
            Token::Array(header) => {
                self.print_marker(Marker::Array, has_marker)?;
                self.print_header(*header)
            }
            Token::Object(header) => {
                self.print_marker(Marker::Object, has_marker)?;
                self.print_header(*header)
            }
            Token::ArrayEnd => write!(self.out, "{MARKER}[]]{MARKER:#}"),
            Token::ObjectEnd => write!(self.out, "{MARKER}[}}]{MARKER:#}"),
        }
    }

    /// Begins the token's line, unless it stands behind its key, and shows the no-ops before it.
    fn begin_token(&mut self, event: &Event<'_, '_>) -> io::Result<()> {
        let is_end = matches!(event.token, Token::ArrayEnd | Token::ObjectEnd);
        let no_ops = event.offset - self.end;
        if no_ops > 0 {
            self.begin_line(self.end, 0)?;
            write!(self.out, "{NOTE}[N]{NOTE:#}")?;
            if no_ops > 1 {
                write!(self.out, " {NOTE}{no_ops} times{NOTE:#}")?;
            }
        }
        self.begin_line(event.offset, usize::from(is_end))?;
        self.is_behind_key = matches!(event.token, Token::Key(..));
        Ok(())
    }

    fn begin_line(&mut self, offset: u64, outdent: usize) -> io::Result<()> {
        if self.is_behind_key {
            return write!(self.out, " ");
        }
        if self.is_line_begun {
            writeln!(self.out)?;
        }
        self.is_line_begun = true;
        let indent = INDENT * self.levels.saturating_sub(outdent);
        write!(self.out, "{OFFSET}{offset:8}{OFFSET:#}  {:indent$}", "")
    }

    fn print_marker(&mut self, marker: Marker, is_there: bool) -> io::Result<()> {
        let letter = char::from(marker.to_byte());
        match is_there {
            true => write!(self.out, "{MARKER}[{letter}]{MARKER:#}"),
            false => write!(self.out, "{NOTE}({letter}){NOTE:#}"),
        }
    }

    fn print_length(&mut self, length: Length) -> io::Result<()> {
        self.print_marker(length.marker, true)?;
        write!(self.out, "{LENGTH}[{}]{LENGTH:#}", length.value)
    }

    fn print_header(&mut self, header: Header) -> io::Result<()> {
        if let Some(element) = header.element {
            write!(self.out, "{MARKER}[$]{MARKER:#}")?;
            self.print_marker(element, true)?;
        }
        match header.count {
            Some(count) => {
                write!(self.out, "{MARKER}[#]{MARKER:#}")?;
                self.print_length(count)
            }
            None => Ok(()),
        }
    }

    pub(super) fn print_scalar(&mut self, scalar: Scalar) -> io::Result<()> {
        let shown = match scalar {
            Scalar::Null | Scalar::Bool(_) => return Ok(()),
            Scalar::Float32(value) => format!("{value:?}"),
            Scalar::Float64(value) => format!("{value:?}"),
            Scalar::Char(byte) => char::from(byte).escape_debug().to_string(),
            integer => integer.as_i64().unwrap_or_default().to_string(),
        };
        write!(self.out, "{VALUE}[{shown}]{VALUE:#}")
    }

    pub(super) fn max_chars(&self) -> usize {
        if self.is_full { usize::MAX } else { MAX_CHARS }
    }

    pub(super) fn print_hidden(&mut self, what: &str) -> io::Result<()> {
        write!(self.out, " {NOTE}\u{2026} {what}{NOTE:#}")
    }

    pub(super) fn finish(&mut self) -> io::Result<()> {
        if self.is_line_begun {
            writeln!(self.out)?;
        }
        self.out.flush()
    }
}

/// How many bytes a token has if its marker is there.
fn marked_len(token: &Token<'_, '_>) -> u64 {
    let length = |length: &Length| 1 + length.marker.payload_len().unwrap_or_default() as u64;
    match token {
        Token::Scalar(scalar) => 1 + scalar.marker().payload_len().unwrap_or_default() as u64,
        Token::HighPrecision(len, _) => 1 + length(len) + len.value,
        Token::String(len) => 1 + length(len),
        Token::Array(header) | Token::Object(header) => {
            let element = if header.element.is_some() { 2 } else { 0 };
            let count = header.count.as_ref().map_or(0, |count| 1 + length(count));
            1 + element + count
        }
        Token::Key(..) | Token::ArrayEnd | Token::ObjectEnd => 0,
    }
}

/// So many characters of a text, in one line.
fn shorten(text: &str, max_chars: usize) -> String {
    let shown: String = text.chars().take(max_chars).flat_map(char::escape_debug).collect();
    match text.chars().nth(max_chars) {
        Some(_) => shown + "\u{2026}",
        None => shown,
    }
}
