//! Prints the tables and draws the charts; see `--help`.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, Subcommand};
use peers::cells::{Cell, Work, catalogue};
use peers::format::Result;
use peers::measure::{Plan, measure};
use peers::payload::rows;
use peers::{charts, formats, report};

/// Measures ubjson beside its peers, prints Markdown tables and draws SVG charts.
#[derive(Parser)]
#[command(args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    table: Table,
}

#[derive(clap::Args)]
struct Table {
    /// One short round: whether all of it runs, not how fast.
    #[arg(long)]
    quick: bool,
    /// Only the cells whose names (see `list`) contain this; may be repeated.
    #[arg(long)]
    filter: Vec<String>,
    /// Only the contenders whose names contain this, and the baseline; may be repeated.
    #[arg(long)]
    contender: Vec<String>,
    /// Rounds to take the medians of.
    #[arg(long, default_value_t = 21)]
    rounds: usize,
    /// Folder for the charts.
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../charts"))]
    out: PathBuf,
    /// Writes all figures to this file as JSON, too.
    #[arg(long)]
    json: Option<PathBuf>,
}

#[derive(Subcommand)]
enum Command {
    /// Prints the names of the cells.
    List,
    /// Runs one contender of one cell, for profilers.
    One {
        cell: String,
        contender: String,
        iterations: u32,
    },
    /// Writes the lab's rows as JSON files, for other languages' programs.
    Dump { folder: PathBuf },
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let outcome = match arguments.command {
        None => table(&arguments.table),
        Some(Command::List) => {
            let names: Vec<String> = catalogue().iter().map(Cell::name).collect();
            print(&format!("{}\n", names.join("\n")))
        }
        Some(Command::One {
            cell,
            contender,
            iterations,
        }) => one(&cell, &contender, iterations),
        Some(Command::Dump { folder }) => dump(&folder),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("peers: {error}");
            ExitCode::FAILURE
        }
    }
}

fn table(table: &Table) -> Result<()> {
    let plan = if table.quick {
        Plan {
            rounds: 1,
            slice: Duration::ZERO,
        }
    } else {
        Plan {
            rounds: table.rounds.max(1),
            slice: Duration::from_millis(4),
        }
    };
    let contains_any = |name: &str, parts: &[String]| parts.is_empty() || parts.iter().any(|part| name.contains(part));
    let mut results = Vec::new();
    for cell in catalogue() {
        if contains_any(&cell.name(), &table.filter) {
            eprintln!("{}", cell.name());
            let wanted = |name: &str| name.starts_with(formats::BASELINE) || contains_any(name, &table.contender);
            results.push(measure(&cell, &wanted, plan));
        }
    }
    print(&report::markdown(&results))?;
    if let Some(path) = &table.json {
        serde_json::to_writer_pretty(File::create(path)?, &report::json(&results))?;
    }
    let count = charts::write(&results, &table.out)?;
    eprintln!("{count} charts written to {}", table.out.display());
    Ok(())
}

fn print(text: &str) -> Result<()> {
    Ok(io::stdout().write_all(text.as_bytes())?)
}

fn one(cell: &str, contender: &str, iterations: u32) -> Result<()> {
    let found: Option<Cell> = catalogue().into_iter().find(|c| c.name() == cell);
    let found = found.ok_or("no such cell; `list` prints them")?;
    let contender = found.contenders(&|name| name == contender).pop();
    let (mut work, _) = contender.ok_or("no such contender; the tables name them")?.work?;
    measured_iterations(&mut work, iterations);
    Ok(())
}

/// A function by itself, so that a profiler can be told to collect inside it only.
#[inline(never)]
fn measured_iterations(work: &mut Work, iterations: u32) {
    for _ in 0..iterations {
        work();
    }
}

fn dump(folder: &PathBuf) -> Result<()> {
    fs::create_dir_all(folder)?;
    for (name, count) in [("tiny", rows::TINY), ("small", rows::SMALL), ("medium", rows::MEDIUM)] {
        let text = serde_json::to_vec(&rows::generate(count))?;
        fs::write(folder.join(format!("{name}.json")), text)?;
    }
    Ok(())
}
