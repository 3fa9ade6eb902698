//! Bytes as people look at them.

use std::fmt;

use crate::style::{ERROR, OFFSET};

const ROW_LEN: usize = 16;

/// Rows of sixteen bytes, the one at fault marked.
pub(crate) struct Dump<'a> {
    /// The bytes, and the offset of the first.
    pub(crate) start: u64,
    pub(crate) bytes: &'a [u8],
    pub(crate) fault: u64,
}

impl fmt::Display for Dump<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (row, bytes) in (self.start..).step_by(ROW_LEN).zip(self.bytes.chunks(ROW_LEN)) {
            write!(f, "  {OFFSET}{row:8}{OFFSET:#} ")?;
            for column in 0..ROW_LEN {
                match bytes.get(column) {
                    Some(byte) if row + column as u64 == self.fault => write!(f, " {ERROR}{byte:02x}{ERROR:#}")?,
                    Some(byte) => write!(f, " {byte:02x}")?,
                    None => write!(f, "   ")?,
                }
            }
            let text: String = bytes.iter().map(|byte| shown(*byte)).collect();
            writeln!(f, "  {text}")?;
            if let Some(column) = self.fault.checked_sub(row).filter(|column| *column < ROW_LEN as u64) {
                let indent = " ".repeat(12 + 3 * usize::try_from(column).unwrap_or_default());
                writeln!(f, "{indent}{ERROR}^^{ERROR:#}")?;
            }
        }
        Ok(())
    }
}

fn shown(byte: u8) -> char {
    match byte {
        b' '..=b'~' => char::from(byte),
        _ => '.',
    }
}
