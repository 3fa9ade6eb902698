//! Game replays, read into structs and written back in the one form that their parsers accept. `tests/interop/run.py`
//! has such parsers read what is written.
#![cfg(feature = "std")]

#[allow(dead_code, reason = "shared with the adapter of tests/interop")]
#[path = "interop/src/replay.rs"]
mod replay;

use std::fs;
use std::path::{Path, PathBuf};

use ubjson::ErrorKind;

use replay::{Metadata, Replay, config};

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/slippi");
const SHARED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/corpus/slippi");

/// `{`, the key `raw`, a typed array of uint8, and the marker of a count in four bytes, which follow.
const HEADER: &[u8] = b"{U\x03raw[$U#l";

/// Finished replays of real games, where they are here.
fn games() -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(SHARED) else {
        println!("{SHARED} is not here: its replays are left out");
        return Vec::new();
    };
    let mut games: Vec<_> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "slp"))
        // Still being recorded.
        .filter(|path| !path.ends_with("corrupt.slp"))
        .collect();
    games.sort();
    assert_eq!(games.len(), 11);
    games
}

#[test]
fn a_replay_comes_back_byte_for_byte() {
    let bytes = fs::read(Path::new(DATA).join("replay.slp")).unwrap();
    let replay: Replay = ubjson::from_slice(&bytes).unwrap();
    assert_eq!(replay.raw.len(), 26_342);
    assert!(config().to_vec(&replay).unwrap() == bytes);
}

#[test]
fn the_metadata_is_that_of_the_json() {
    let json: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(Path::new(DATA).join("replay.json")).unwrap()).unwrap();
    let metadata: Metadata = serde_json::from_value(json["metadata"].clone()).unwrap();
    let replay: Replay = ubjson::from_slice(&fs::read(Path::new(DATA).join("replay.slp")).unwrap()).unwrap();
    assert_eq!(replay.metadata, Some(metadata));
}

#[test]
fn the_header_is_the_same_whatever_the_length() {
    for length in [0, 1, 127, 128, 255, 256, 70_000] {
        let replay = Replay {
            raw: vec![0x35; length],
            metadata: None,
        };
        let bytes = config().to_vec(&replay).unwrap();
        let count = u32::try_from(length).unwrap().to_be_bytes();
        assert_eq!(bytes[..15], [HEADER, &count].concat());
        assert_eq!(bytes.len(), 15 + length + 1);
    }
}

#[test]
fn games_keep_their_events_and_their_metadata() {
    let mut identical = 0;
    let games = games();
    for path in &games {
        let bytes = fs::read(path).unwrap();
        let replay: Replay = ubjson::from_slice(&bytes).unwrap();
        let length = u32::from_be_bytes(bytes[11..15].try_into().unwrap()) as usize;
        assert!(replay.raw == bytes[15..15 + length], "{}", path.display());
        let json = fs::read_to_string(path.with_extension("expected.json")).unwrap();
        let mut json: serde_json::Value = serde_json::from_str(&json).unwrap();
        let metadata: Metadata = serde_json::from_value(json["metadata"].take()).unwrap();
        assert_eq!(replay.metadata.as_ref(), Some(&metadata), "{}", path.display());

        let written = config().to_vec(&replay).unwrap();
        assert!(written.starts_with(HEADER), "{}", path.display());
        assert!(
            ubjson::from_slice::<Replay>(&written).unwrap() == replay,
            "{}",
            path.display()
        );
        // Some recorders do not write the players in order.
        assert_eq!(written.len(), bytes.len(), "{}", path.display());
        identical += usize::from(written == bytes);
    }
    assert!(
        games.is_empty() || identical == 7,
        "{identical} of {} games came back byte for byte",
        games.len()
    );
}

#[test]
fn a_replay_in_progress_is_no_document_yet() {
    let bytes = fs::read(Path::new(DATA).join("in_progress.slp")).unwrap();
    assert!(bytes.starts_with(b"{U\x03raw[$U#l\0\0\0\0"));
    let error = ubjson::from_slice::<Replay>(&bytes).unwrap_err();
    // The first event stands where a key is due.
    assert_eq!((error.kind(), error.offset()), (ErrorKind::Length, Some(15)));
}
