//! The results as Markdown tables, and as JSON for other programs.

use std::fmt::Write as _;

use crate::measure::{CellResult, Sample};

/// One table for each payload, then one for each cell about files, then who was left out.
pub fn markdown(results: &[CellResult]) -> String {
    let mut text = String::new();
    for payload in payloads(results) {
        let cells: Vec<&CellResult> = results
            .iter()
            .filter(|cell| cell.payload == payload && !cell.operation.uses_file())
            .collect();
        if !cells.is_empty() {
            formats_table(&mut text, payload, &cells);
        }
    }
    for cell in results.iter().filter(|cell| cell.operation.uses_file()) {
        file_table(&mut text, cell);
    }
    failures_list(&mut text, results);
    text
}

/// The payloads' names in order, each once.
pub fn payloads(results: &[CellResult]) -> Vec<&'static str> {
    let mut names: Vec<&str> = results.iter().map(|cell| cell.payload).collect();
    names.dedup();
    names
}

/// The contenders' names in order of appearance, each once.
pub fn contenders(cells: &[&CellResult]) -> Vec<&'static str> {
    let mut names: Vec<&'static str> = Vec::new();
    for sample in cells.iter().flat_map(|cell| &cell.samples) {
        if !names.contains(&sample.name) {
            names.push(sample.name);
        }
    }
    names
}

pub fn find<'a>(cell: &'a CellResult, name: &str) -> Option<&'a Sample> {
    cell.samples.iter().find(|sample| sample.name == name)
}

fn formats_table(text: &mut String, payload: &str, cells: &[&CellResult]) {
    let _ = write!(text, "\n### {payload}\n\n| format | bytes |");
    for cell in cells {
        let _ = write!(text, " {} |", cell.operation.name());
    }
    let _ = writeln!(text, "\n|---|--:|{}", "--:|".repeat(cells.len()));
    let baseline_len = cells
        .iter()
        .flat_map(|cell| cell.samples.first())
        .map(|s| s.byte_len)
        .max();
    for name in contenders(cells) {
        let found: Vec<Option<&Sample>> = cells.iter().map(|cell| find(cell, name)).collect();
        let byte_len = found.iter().flatten().map(|sample| sample.byte_len).max();
        let _ = write!(text, "| {name} | {} |", size(byte_len, baseline_len));
        for (cell, sample) in cells.iter().zip(found) {
            let first = cell.samples.first().is_some_and(|first| first.name == name);
            let figure = match sample {
                Some(sample) if first => format!("1.00 = {}", time(sample.nanoseconds)),
                Some(sample) => ratio(sample.ratio),
                None => "–".to_owned(),
            };
            let _ = write!(text, " {figure} |");
        }
        text.push('\n');
    }
}

fn file_table(text: &mut String, cell: &CellResult) {
    let _ = write!(
        text,
        "\n### {}, {}\n\n| way | bytes | time | ratio |\n|---|--:|--:|--:|\n",
        cell.payload,
        cell.operation.name(),
    );
    for sample in &cell.samples {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} |",
            sample.name,
            thousands(sample.byte_len),
            time(sample.nanoseconds),
            ratio(sample.ratio),
        );
    }
}

fn failures_list(text: &mut String, results: &[CellResult]) {
    let mut reasons: Vec<(&str, &str, Vec<String>)> = Vec::new();
    for cell in results {
        let cell_name = format!("{}/{}", cell.payload, cell.operation.name());
        for (name, reason) in &cell.failures {
            let reason = reason.lines().next().unwrap_or_default();
            match reasons.iter_mut().find(|(n, r, _)| n == name && *r == reason) {
                Some((_, _, cells)) => cells.push(cell_name.clone()),
                None => reasons.push((name, reason, vec![cell_name.clone()])),
            }
        }
    }
    if !reasons.is_empty() {
        text.push_str("\nLeft out (–), because the contender\n\n");
    }
    for (name, reason, cells) in reasons {
        let _ = writeln!(text, "- {name}: {reason} ({})", cells.join(", "));
    }
}

/// Three significant digits, two places at most.
pub fn ratio(ratio: f64) -> String {
    match ratio {
        100.0.. => format!("{ratio:.0}"),
        10.0.. => format!("{ratio:.1}"),
        0.1.. => format!("{ratio:.2}"),
        _ => format!("{ratio:.3}"),
    }
}

pub fn time(nanoseconds: f64) -> String {
    match nanoseconds {
        1e6.. => format!("{:.2} ms", nanoseconds / 1e6),
        1e3.. => format!("{:.1} µs", nanoseconds / 1e3),
        _ => format!("{nanoseconds:.0} ns"),
    }
}

fn size(byte_len: Option<usize>, baseline: Option<usize>) -> String {
    match (byte_len, baseline) {
        (Some(len @ 1..), Some(baseline @ 1..)) => {
            format!("{} ({:.2})", thousands(len), len as f64 / baseline as f64)
        }
        _ => "–".to_owned(),
    }
}

pub fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

pub fn json(results: &[CellResult]) -> serde_json::Value {
    let samples = results.iter().flat_map(|cell| {
        cell.samples.iter().map(|sample| {
            serde_json::json!({
                "payload": cell.payload,
                "operation": cell.operation.name(),
                "contender": sample.name,
                "bytes": sample.byte_len,
                "nanoseconds": sample.nanoseconds,
                "ratio": sample.ratio,
                "spread": sample.spread,
            })
        })
    });
    samples.collect()
}

#[cfg(test)]
mod tests {
    use super::{ratio, thousands, time};

    #[test]
    fn digits_are_grouped_from_the_right() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(1_234_567), "1,234,567");
    }

    #[test]
    fn small_ratios_keep_three_places() {
        assert_eq!(ratio(0.0123), "0.012");
        assert_eq!(ratio(0.5), "0.50");
        assert_eq!(ratio(123.4), "123");
    }

    #[test]
    fn times_have_the_unit_that_suits_them() {
        assert_eq!(time(12.0), "12 ns");
        assert_eq!(time(12_340.0), "12.3 µs");
        assert_eq!(time(12_340_000.0), "12.34 ms");
    }
}
