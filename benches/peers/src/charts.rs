//! The results as bar charts, one SVG file for each payload, one panel for each operation.

use std::fs;
use std::path::Path;

use plotters::backend::SVGBackend;
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use plotters::element::{PathElement, Rectangle, Text};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, IntoFont, RGBColor, ShapeStyle, TextStyle};

use crate::format::Result;
use crate::formats::{self, Kind};
use crate::measure::CellResult;
use crate::report;

const LABELS: i32 = 150;
const PANEL: i32 = 190;
/// Panels side by side; further ones go below.
const COLUMNS: usize = 4;
/// The part of a panel that its bars may fill; the rest is for figures and a gap.
const BARS: i32 = 130;
const ROW: i32 = 20;
const TITLE: i32 = 34;
const PANEL_HEAD: i32 = 34;
const FOOT: i32 = 40;
/// Longer bars are cut off here; their figures still tell.
const LONGEST: f64 = 1.5;

const INK: RGBColor = RGBColor(36, 41, 47);
const PAPER: RGBColor = RGBColor(255, 255, 255);
const RULE: RGBColor = RGBColor(150, 157, 165);

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

fn color(kind: Kind) -> RGBColor {
    match kind {
        Kind::Ours => RGBColor(196, 78, 20),
        Kind::Named => RGBColor(74, 111, 165),
        Kind::Unnamed => RGBColor(158, 188, 218),
        Kind::NoFormat => RGBColor(190, 190, 190),
    }
}

/// Writes a chart for each payload that has an operation on memory; returns how many.
pub fn write(results: &[CellResult], folder: &Path) -> Result<usize> {
    fs::create_dir_all(folder)?;
    let mut count = 0;
    for payload in report::payloads(results) {
        let cells: Vec<&CellResult> = results
            .iter()
            .filter(|cell| cell.payload == payload && !cell.operation.uses_file())
            .collect();
        if !cells.is_empty() {
            draw(payload, &cells, &folder.join(format!("{payload}.svg")))?;
            count += 1;
        }
    }
    Ok(count)
}

fn draw(payload: &str, cells: &[&CellResult], path: &Path) -> Result<()> {
    let names = report::contenders(cells);
    let band = PANEL_HEAD + ROW * names.len() as i32;
    let height = TITLE + band * cells.len().div_ceil(COLUMNS) as i32 + FOOT;
    let width = LABELS + PANEL * COLUMNS as i32;
    let area = SVGBackend::new(path, (width as u32, height as u32)).into_drawing_area();
    area.fill(&PAPER)?;
    let title = format!(
        "{payload}: time as a fraction of {} (shorter is faster)",
        formats::BASELINE
    );
    write_text(&area, &title, (10, 18), 18, HPos::Left)?;
    for (index, cells) in cells.chunks(COLUMNS).enumerate() {
        let top = TITLE + band * index as i32 + PANEL_HEAD;
        for (row, name) in names.iter().enumerate() {
            write_text(&area, name, (LABELS - 8, middle(top, row)), 14, HPos::Right)?;
        }
        for (column, cell) in cells.iter().enumerate() {
            panel(&area, cell, &names, (LABELS + PANEL * column as i32, top))?;
        }
    }
    legend(&area, height - FOOT / 2)?;
    Ok(area.present()?)
}

fn middle(top: i32, row: usize) -> i32 {
    top + ROW * row as i32 + ROW / 2
}

fn panel(area: &Area<'_>, cell: &CellResult, names: &[&str], (left, top): (i32, i32)) -> Result<()> {
    write_text(area, cell.operation.name(), (left, top - 12), 15, HPos::Left)?;
    let one = left + (f64::from(BARS) / LONGEST) as i32;
    let bottom = top + ROW * names.len() as i32;
    area.draw(&PathElement::new(vec![(one, top), (one, bottom)], RULE))?;
    for (row, name) in names.iter().enumerate() {
        let middle = middle(top, row);
        let Some(sample) = report::find(cell, name) else {
            write_text(area, "–", (left, middle), 12, HPos::Left)?;
            continue;
        };
        let length = (sample.ratio.min(LONGEST) / LONGEST * f64::from(BARS)).max(1.0) as i32;
        let corners = [(left, middle - 7), (left + length, middle + 7)];
        area.draw(&Rectangle::new(corners, filled(formats::kind(name))))?;
        let figure = report::ratio(sample.ratio);
        write_text(area, &figure, (left + length + 4, middle), 12, HPos::Left)?;
    }
    Ok(())
}

fn legend(area: &Area<'_>, y: i32) -> Result<()> {
    let entries = [
        (Kind::Ours, "this crate"),
        (Kind::Named, "names in the document"),
        (Kind::Unnamed, "no names: the reader must know the type"),
        (Kind::NoFormat, "no format: copying the value"),
    ];
    let mut x = 10;
    for (kind, label) in entries {
        area.draw(&Rectangle::new([(x, y - 6), (x + 12, y + 6)], filled(kind)))?;
        write_text(area, label, (x + 17, y), 13, HPos::Left)?;
        x += 40 + 6 * label.len() as i32;
    }
    Ok(())
}

fn filled(kind: Kind) -> ShapeStyle {
    color(kind).filled()
}

fn write_text(area: &Area<'_>, text: &str, position: (i32, i32), size: i32, align: HPos) -> Result<()> {
    let style = TextStyle::from(("sans-serif", size).into_font())
        .color(&INK)
        .pos(Pos::new(align, VPos::Center));
    Ok(area.draw(&Text::new(text.to_owned(), position, style))?)
}
