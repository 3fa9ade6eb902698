//! Counts the allocations and the bytes allocated in one run of each contender, as a Markdown
//! table. A program of its own, because counting slows every allocation down.

use std::alloc::System;
use std::io::{self, Write};

use peers::cells::{Cell, Contender, Operation, catalogue};
use peers::report::thousands;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn main() -> io::Result<()> {
    let filter = std::env::args().nth(1).unwrap_or_default();
    let mut out = io::stdout();
    writeln!(
        out,
        "| cell | contender | allocations | reallocations | bytes allocated |"
    )?;
    writeln!(out, "|---|---|--:|--:|--:|")?;
    for cell in catalogue().iter().filter(|cell| is_counted(cell, &filter)) {
        for contender in cell.contenders(&|_| true) {
            count(cell, contender, &mut out)?;
        }
    }
    Ok(())
}

fn is_counted(cell: &Cell, filter: &str) -> bool {
    use Operation::{Decode, DecodeBorrowed, DecodeValue, Encode, EncodeReused};
    let counted = [Encode, EncodeReused, Decode, DecodeBorrowed, DecodeValue];
    counted.contains(&cell.operation) && cell.name().contains(filter)
}

fn count(cell: &Cell, contender: Contender, out: &mut impl Write) -> io::Result<()> {
    let Ok((mut work, _)) = contender.work else {
        return Ok(());
    };
    // The first run gives buffers that are kept their size.
    work();
    let region = Region::new(ALLOCATOR);
    work();
    let change = region.change();
    writeln!(
        out,
        "| {} | {} | {} | {} | {} |",
        cell.name(),
        contender.name,
        thousands(change.allocations),
        thousands(change.reallocations),
        thousands(change.bytes_allocated),
    )
}
