//! What `check` finds in damaged files, how it shows it, and what it saves of them.
#![cfg(feature = "cli")]

mod common;

use common::command::{Folder, ubjson};
use common::vectors::{Expected, decode_vectors, report_bytes};

#[test]
fn valid_files_are_said_to_be_valid() {
    assert_eq!(
        ubjson(&["check"], b"T").ok_text(),
        "standard input: valid, 1 document, 1 byte\n"
    );
    assert_eq!(
        ubjson(&["check"], b"N[T]NNi\x05N").ok_text(),
        "standard input: valid, 2 documents, 9 bytes\n"
    );
    let file = "tests/data/xgboost/stump.ubj";
    assert_eq!(
        ubjson(&["check", file], b"").ok_text(),
        format!("{file}: valid, 1 document, 1580 bytes\n")
    );
    assert_eq!(ubjson(&["check", "--quiet", file], b"").ok(), b"");
    ubjson(&["check"], b"").fails(1, "error: standard input: no document, only the end of the input\n");
    ubjson(&["check", "-q"], b"[T").fails(1, "");
}

#[test]
fn the_first_fault_is_shown_among_its_bytes() {
    let shown = ubjson(&["check"], &report_bytes("slp-utf16-length"));
    let expected = "\
standard input: not valid: unexpected byte `n`, expected a key (its length, without `S`) or `}` at byte 19
  in document 1, last read: /netplay

         0  7b 55 07 6e 65 74 70 6c 61 79 53 55 06 e3 82 a7  {U.netplaySU....
        16  6e 6f 6f 6e e3 82 a7 55 04 63 6f 64 65 53 55 01  noon...U.codeSU.
                     ^^
        32  41 7d                                            A}
";
    assert_eq!((shown.code, shown.text()), (Some(1), expected));
    assert_eq!(shown.stderr, "");
}

#[test]
fn a_recording_in_progress_is_shown_at_its_first_event() {
    let file = "tests/data/slippi/in_progress.slp";
    let shown = ubjson(&["check", file], b"");
    let first_line =
        format!("{file}: not valid: unexpected byte `5`, expected a key (its length, without `S`) or `}}` at byte 15");
    let mut lines = shown.text().lines();
    assert_eq!(lines.next(), Some(first_line.as_str()));
    assert_eq!(lines.next(), Some("  in document 1, last read: /raw"));
    assert_eq!(
        lines.nth(1),
        Some("         0  7b 55 03 72 61 77 5b 24 55 23 6c 00 00 00 00 35  {U.raw[$U#l....5")
    );
    assert_eq!(
        lines.next(),
        Some("                                                         ^^")
    );
}

#[test]
fn faults_far_into_a_file_have_their_bytes_around_them() {
    let mut document = ubjson(
        &["from-json"],
        format!("[{}1]", "[\"a\",\"b\"],".repeat(30_000)).as_bytes(),
    )
    .ok();
    // The marker of one of the strings, far behind the start and before the end.
    let at = document.len() / 2
        + document[document.len() / 2..]
            .iter()
            .position(|byte| *byte == b'S')
            .unwrap();
    document[at] = b'x';
    let folder = Folder::new();
    let file = folder.file("damaged.ubj", &document);
    let from_file = ubjson(&["check", &file], b"");
    let from_pipe = ubjson(&["check"], &document);
    assert_eq!(from_file.text().replace(&file, "standard input"), from_pipe.text());
    let row = format!("{:10}  ", at - at % 16);
    let row = from_pipe.text().lines().find(|line| line.starts_with(&row)).unwrap();
    let shown = &row[12 + 3 * (at % 16)..][..2];
    assert_eq!(shown, "78", "{row}");
    // Two rows before, that of the fault, its mark, and one behind.
    assert_eq!(from_pipe.text().lines().count(), 3 + 5);
}

/// What is saved of a document, and the exit code.
#[track_caller]
fn salvage(document: &[u8], options: &[&str]) -> (Vec<u8>, Option<i32>) {
    let folder = Folder::new();
    let out = folder.path("saved.ubj");
    let run = ubjson(&[&["check", "--salvage", &out], options].concat(), document);
    let saved = folder.read("saved.ubj");
    if !saved.is_empty() {
        ubjson(&["check", "-q"], &saved).ok();
    }
    if run.code == Some(1) {
        assert!(
            run.text()
                .ends_with(&format!("\nwhat is before the fault is in {out}\n")),
            "{}",
            run.text()
        );
    }
    (saved, run.code)
}

#[test]
fn what_is_before_a_fault_is_saved_with_its_types() {
    let cases: [(&[u8], &[u8]); 10] = [
        // Severed in an array in an object.
        (b"{i\x01a[I\0\x01Hi\x031.5Cx", b"{i\x01a[I\0\x01Hi\x031.5Cx]}"),
        // Severed in a text: what there is of it.
        (b"[Si\x0ahello", b"[Si\x05hello]"),
        // Severed behind a key: nothing of it.
        (b"{i\x01aTi\x01b", b"{i\x01aT}"),
        // Severed in a key.
        (b"{i\x01aTi\x05b", b"{i\x01aT}"),
        // Severed in a typed array, of which whole elements are kept.
        (
            b"[[$I#i\x09\0\x01\0\x02\0\x03\0\x04\0\x05\0\x06\0\x07\0",
            b"[[$I#i\x07\0\x01\0\x02\0\x03\0\x04\0\x05\0\x06\0\x07]",
        ),
        // A count that is too large, and one that is too small.
        (b"{i\x01a[#i\x03TF}", b"{i\x01a[TF]}"),
        (b"[[#i\x01TF]x]", b"[[T]F]"),
        // Text that is not UTF-8, up to where it is not.
        (b"[TSi\x03ab\xff]", b"[TSi\x02ab]"),
        // Depth.
        (b"[[T]x", b"[[T]]"),
        // Two documents, the second severed.
        (b"[T][F", b"[T][F]"),
    ];
    for (document, expected) in cases {
        let (saved, code) = salvage(document, &[]);
        assert_eq!(saved, expected, "{}", common::to_hex(document));
        assert_eq!(code, Some(1));
    }
}

#[test]
fn texts_can_be_repaired_on_the_way() {
    let (saved, code) = salvage(b"{i\x02k\xffSi\x03a\xffbi\x01zT}", &["--lossy"]);
    assert_eq!(saved, b"{i\x04k\xef\xbf\xbdSi\x05a\xef\xbf\xbdbi\x01zT}");
    assert_eq!(code, Some(0), "nothing else is wrong");
}

#[test]
fn a_recording_with_a_wrong_length_is_saved_up_to_it() {
    let (saved, _) = salvage(&report_bytes("slp-utf16-length"), &[]);
    assert_eq!(saved, b"{i\x07netplaySi\x06\xe3\x82\xa7noo}");
    let (saved, _) = salvage(&report_bytes("slp-in-progress"), &[]);
    assert_eq!(saved, b"{i\x03raw[]}");
}

#[test]
fn of_a_file_that_starts_wrong_nothing_is_saved() {
    let (saved, code) = salvage(b"x", &[]);
    assert_eq!((saved.len(), code), (0, Some(1)));
}

#[test]
fn every_severed_document_is_saved_as_a_valid_one() {
    let model = std::fs::read("tests/data/xgboost/stump.ubj").unwrap();
    // Of a single byte it is not known whether it has a header.
    for cut in (2..model.len()).step_by(97) {
        let (saved, code) = salvage(&model[..cut], &[]);
        assert_eq!(code, Some(1));
        let text = ubjson(&["to-json"], &saved).ok_text();
        let whole = std::fs::read_to_string("tests/data/xgboost/stump.json").unwrap();
        // The keys that are there are those of the model, in its order.
        let keys = |text: &str| -> Vec<String> { text.split('"').skip(1).step_by(2).map(str::to_owned).collect() };
        let (saved_keys, whole_keys) = (keys(&text), keys(&whole));
        let mut rest = whole_keys.iter();
        for key in &saved_keys {
            assert!(rest.any(|name| name.starts_with(key.as_str())), "cut at {cut}: {key}");
        }
    }
}

#[test]
fn check_agrees_with_every_vector() {
    let mut runs = 0;
    // One process for each, so not all of them.
    for vector in decode_vectors().into_iter().step_by(5) {
        let expected = match vector.expected {
            Expected::Value(_) | Expected::OutOfRange => 0,
            // What trails a document is the next one, and the limit of depth is another.
            Expected::Error { kind, .. } if kind != "trailing" && kind != "depth" => 1,
            _ => continue,
        };
        let code = ubjson(&["check", "--quiet"], &vector.bytes).code;
        assert_eq!(code, Some(expected), "{}", vector.name);
        runs += 1;
    }
    assert!(runs > 80, "only {runs} runs");
}
