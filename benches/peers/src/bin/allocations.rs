//! Counts the allocations and the bytes allocated in one run of each contender, as a Markdown
//! table. A program of its own, because counting slows every allocation down.

use std::alloc::System;

use peers::cells::{Cell, Contender, Operation, catalogue};
use peers::report::thousands;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn main() {
    let filter = std::env::args().nth(1).unwrap_or_default();
    println!("| cell | contender | allocations | reallocations | bytes allocated |");
    println!("|---|---|--:|--:|--:|");
    for cell in catalogue().iter().filter(|cell| is_counted(cell, &filter)) {
        for contender in cell.contenders(&|_| true) {
            count(cell, contender);
        }
    }
}

fn is_counted(cell: &Cell, filter: &str) -> bool {
    use Operation::{Decode, DecodeBorrowed, DecodeValue, Encode, EncodeReused};
    let counted = [Encode, EncodeReused, Decode, DecodeBorrowed, DecodeValue];
    counted.contains(&cell.operation) && cell.name().contains(filter)
}

fn count(cell: &Cell, contender: Contender) {
    let Ok((mut work, _)) = contender.work else { return };
    // The first run gives buffers that are kept their size.
    work();
    let region = Region::new(ALLOCATOR);
    work();
    let change = region.change();
    println!(
        "| {} | {} | {} | {} | {} |",
        cell.name(),
        contender.name,
        thousands(change.allocations),
        thousands(change.reallocations),
        thousands(change.bytes_allocated),
    );
}
