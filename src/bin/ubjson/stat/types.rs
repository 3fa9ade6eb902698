//! Bytes by type.

use std::collections::BTreeMap;
use std::io;

use ubjson::Marker;
use ubjson::pull::Token;

use super::{print_heading, print_row};
use crate::output::Console;

/// What a token is counted as.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    Value(Marker),
    Key,
    End(Marker),
}

impl Kind {
    pub(super) fn of(token: &Token<'_, '_>) -> Self {
        match token {
            Token::Scalar(scalar) => Self::Value(scalar.marker()),
            Token::HighPrecision(..) => Self::Value(Marker::HighPrecision),
            Token::String(_) => Self::Value(Marker::String),
            Token::Array(_) => Self::Value(Marker::Array),
            Token::Object(_) => Self::Value(Marker::Object),
            Token::Key(..) => Self::Key,
            Token::ArrayEnd => Self::End(Marker::Array),
            Token::ObjectEnd => Self::End(Marker::Object),
        }
    }

    /// Whether a value is over behind such a token.
    pub(super) fn ends_value(self) -> bool {
        !matches!(self, Self::Key | Self::Value(Marker::Array | Marker::Object))
    }
}

/// How many values and bytes each type has.
#[derive(Debug, Default)]
pub(super) struct Types {
    rows: BTreeMap<&'static str, Row>,
}

#[derive(Debug, Default)]
struct Row {
    count: u64,
    byte_len: u64,
}

const KEYS: &str = "keys";
const NO_OPS: &str = "no-ops";

impl Types {
    pub(super) fn add(&mut self, kind: Kind, count: u64, byte_len: u64) {
        let (name, count) = match kind {
            Kind::Value(marker) => (marker.name(), count),
            Kind::Key => (KEYS, count),
            Kind::End(marker) => (marker.name(), 0),
        };
        let row = self.rows.entry(name).or_default();
        row.count += count;
        row.byte_len += byte_len;
    }

    pub(super) fn add_no_ops(&mut self, count: u64) {
        if count > 0 {
            let row = self.rows.entry(NO_OPS).or_default();
            row.count += count;
            row.byte_len += count;
        }
    }

    pub(super) fn values(&self) -> u64 {
        let rows = self.rows.iter().filter(|(name, _)| !matches!(**name, KEYS | NO_OPS));
        rows.map(|(_, row)| row.count).sum()
    }

    pub(super) fn print(&self, out: &mut Console, total: u64) -> io::Result<()> {
        print_heading(out, "type, with markers and lengths")?;
        let mut rows: Vec<_> = self.rows.iter().collect();
        rows.sort_by_key(|(_, row)| std::cmp::Reverse(row.byte_len));
        for (name, row) in rows {
            print_row(out, row.byte_len, total, row.count, name)?;
        }
        Ok(())
    }
}
