//! Prints the metadata of Slippi game replays (`.slp`).
//!
//! Why: a replay is one UBJSON object, nearly all of it one byte array with the game's events. `raw` borrows
//! that array from the loaded file, so however long the game was, reading it copies no event. The recorder writes the
//! array's length last: while a game is on, the file is not UBJSON yet, and it takes knowledge of the format to say so.
//!
//! ```text
//! cargo run --release --example slippi_replay [REPLAY.slp ...]
//! ```

use std::collections::BTreeMap;
use std::error::Error;
use std::process::ExitCode;

use serde::Deserialize;

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/slippi/replay.slp");

/// What stands before the events as long as their length is not known: `{`, the key, `[$U#l` and a zero.
const UNFINISHED: &[u8] = b"{U\x03raw[$U#l\0\0\0\0";

const EVENT_SIZES: u8 = 0x35;
const GAME_START: u8 = 0x36;

#[derive(Deserialize)]
struct Replay<'a> {
    #[serde(borrow, with = "serde_bytes")]
    raw: &'a [u8],
    #[serde(borrow)]
    metadata: Option<Metadata<'a>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Metadata<'a> {
    start_at: Option<&'a str>,
    last_frame: Option<i32>,
    /// By port; the keys are text in the file.
    #[serde(borrow, default)]
    players: BTreeMap<u8, Player<'a>>,
    played_on: Option<&'a str>,
    console_nick: Option<&'a str>,
}

#[derive(Deserialize)]
struct Player<'a> {
    #[serde(borrow, default)]
    names: Names<'a>,
    /// Frames played, by character.
    #[serde(default)]
    characters: BTreeMap<u16, u32>,
}

#[derive(Default, Deserialize)]
struct Names<'a> {
    netplay: Option<&'a str>,
    code: Option<&'a str>,
}

/// The number of events in `raw`, and the replay version that the first of them states. The sizes of the others are
/// in a table at the start; a recording that was cut off may end within an event.
fn events(raw: &[u8]) -> Option<(usize, String)> {
    let (&[EVENT_SIZES, table_len], rest) = raw.split_first_chunk()? else {
        return None;
    };
    let (table, mut rest) = rest.split_at_checked(usize::from(table_len).checked_sub(1)?)?;
    let sizes: BTreeMap<u8, u16> = table
        .chunks_exact(3)
        .map(|entry| (entry[0], u16::from_be_bytes([entry[1], entry[2]])))
        .collect();
    let (&[GAME_START, major, minor, build], _) = rest.split_first_chunk()? else {
        return None;
    };
    let mut count = 0;
    while let Some((code, payload)) = rest.split_first() {
        let Some((_, next)) = payload.split_at_checked(usize::from(*sizes.get(code)?)) else {
            break;
        };
        rest = next;
        count += 1;
    }
    Some((count, format!("{major}.{minor}.{build}")))
}

fn print_events(raw: &[u8]) {
    match events(raw) {
        Some((count, version)) => {
            println!("  events      {count} in {} bytes, replay version {version}", raw.len());
        }
        None => println!("  events      {} bytes, not in a layout known here", raw.len()),
    }
}

fn print_metadata(metadata: &Metadata) {
    println!("  started     {}", metadata.start_at.unwrap_or("unknown"));
    if let Some(frame) = metadata.last_frame {
        println!("  last frame  {frame}");
    }
    println!("  played on   {}", metadata.played_on.unwrap_or("unknown"));
    if let Some(nick) = metadata.console_nick {
        println!("  console     {nick}");
    }
    for (port, player) in &metadata.players {
        let name = player.names.netplay.unwrap_or("no name");
        let code = player.names.code.unwrap_or("no code");
        println!("  player {port}    {name} ({code})");
        for (character, frames) in &player.characters {
            println!("              character {character} for {frames} frames");
        }
    }
}

fn describe(path: &str) -> Result<(), Box<dyn Error>> {
    let bytes = std::fs::read(path)?;
    println!("{path}: {} bytes", bytes.len());
    match ubjson::from_slice::<Replay>(&bytes) {
        Ok(replay) => {
            print_events(replay.raw);
            match &replay.metadata {
                Some(metadata) => print_metadata(metadata),
                None => println!("  no metadata"),
            }
        }
        // With a length of zero, the bytes from here to the end of the file are the events.
        Err(error) if bytes.starts_with(UNFINISHED) => {
            println!("  still being recorded, or cut off before its end: no metadata, not valid UBJSON yet");
            println!("  ({error})");
            print_events(&bytes[UNFINISHED.len()..]);
        }
        Err(error) => return Err(error.into()),
    }
    Ok(())
}

fn main() -> ExitCode {
    let mut paths: Vec<String> = std::env::args().skip(1).collect();
    if paths.is_empty() {
        paths.push(SAMPLE.to_owned());
    }
    for path in paths {
        if let Err(error) = describe(&path) {
            eprintln!("{path}: {error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
