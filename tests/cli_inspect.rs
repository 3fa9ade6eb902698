//! What `inspect` and `stat` print.
#![cfg(feature = "cli")]

mod common;

use common::command::{Folder, ubjson};

/// Without the line break that a raw text starts with, and the margin that `|` marks.
fn lines(text: &str) -> String {
    let lines = text.lines().skip(1);
    lines
        .filter_map(|line| Some(format!("{}\n", line.split_once('|')?.1)))
        .collect()
}

#[test]
fn tokens_are_shown_as_blocks_with_their_offsets() {
    let document = b"{U\x04nameSI\0\x03abci\x05sizes[$U#i\x03\x01\x02\xffi\x01x[ZTFCad\x3f\0\0\0D\x3f\xe0\0\0\0\0\0\0]\
        i\x01y{#i\x01i\x01hHi\x041e99}";
    let expected = lines(
        "
        |       0  [{]
        |       1    [U][4][name] [S][I][3][abc]
        |      14    [i][5][sizes] [[][$][U][#][i][3][1][2][255]
        |      30    [i][1][x] [[]
        |      34      [Z]
        |      35      [T]
        |      36      [F]
        |      37      [C][a]
        |      39      [d][0.5]
        |      44      [D][0.5]
        |      53    []]
        |      54    [i][1][y] [{][#][i][1]
        |      61      [i][1][h] [H][i][4][1e99]
        |      71  [}]
        ",
    );
    assert_eq!(ubjson(&["inspect"], document).ok_text(), expected);
}

#[test]
fn markers_that_a_type_leaves_out_are_in_parentheses() {
    let document = b"[$[#i\x02#i\x01i\x05$T#i\x03{$S#i\x02i\x01ai\x02hii\x01bU\0";
    let expected = lines(
        "
        |       0  [[][$][[][#][i][2]
        |       6    ([)[#][i][1]
        |       9      [i][5]
        |      11    ([)[$][T][#][i][3]
        |      16  [{][$][S][#][i][2]
        |      22    [i][1][a] (S)[i][2][hi]
        |      29    [i][1][b] (S)[U][0][]
        ",
    );
    assert_eq!(ubjson(&["inspect"], document).ok_text(), expected);
}

#[test]
fn no_ops_are_shown_where_they_stand() {
    let expected = lines(
        "
        |       0  [N] 2 times
        |       2  [[]
        |       3    [N]
        |       4    [T]
        |       5  []]
        |       6  [N]
        |       7  [{]
        |       8    [i][1][a] [N] [Z]
        |      13  [}]
        ",
    );
    assert_eq!(ubjson(&["inspect"], b"NN[NT]N{i\x01aNZ}").ok_text(), expected);
}

#[test]
fn long_payloads_are_cut_short_unless_asked_for() {
    let text = "0123456789".repeat(7);
    let document = [
        &b"[[$I#i\x0a\0\0\0\x01\0\x02\0\x03\0\x04\0\x05\0\x06\0\x07\0\x08\0\x09SU\x46"[..],
        text.as_bytes(),
        b"[$Z#I\x01\0]",
    ];
    let document = document.concat();
    let expected = lines(&format!(
        "
        |       0  [[]
        |       1    [[][$][I][#][i][10][0][1][2][3][4][5][6][7] \u{2026} 2 more, 4 bytes
        |      27    [S][U][70][{}\u{2026}]
        |     100    [[][$][Z][#][I][256]
        |     107  []]
        ",
        &text[..60]
    ));
    assert_eq!(ubjson(&["inspect"], &document).ok_text(), expected);
    let full = ubjson(&["inspect", "--full"], &document).ok_text();
    assert!(
        full.contains("[6][7][8][9]\n") && full.contains(&format!("[{text}]\n")),
        "{full}"
    );
    assert_eq!(full.matches("(Z)").count(), 256);
}

#[test]
fn containers_deeper_than_asked_for_are_summed_up() {
    let document = b"{i\x01a[i\x01[i\x02i\x03]]i\x01b{}i\x01c[#i\x00}";
    let expected = lines(
        "
        |       0  [{]
        |       1    [i][1][a] [[] \u{2026} 9 bytes
        |      14    [i][1][b] [{] \u{2026} 1 byte
        |      19    [i][1][c] [[][#][i][0]
        |      26  [}]
        ",
    );
    assert_eq!(ubjson(&["inspect", "--depth", "1"], document).ok_text(), expected);
    assert_eq!(
        ubjson(&["inspect", "--depth", "0"], document).ok_text(),
        "       0  [{] \u{2026} 26 bytes\n"
    );
}

#[test]
fn a_path_shows_one_value_of_each_document() {
    let document = b"{i\x01a[TF]}{i\x01b[$i#i\x02\x01\x02i\x01a[$S#i\x01i\x01x}";
    let expected = lines(
        "
        |       4  [[]
        |       5    [T]
        |       6    [F]
        |       7  []]
        |      24  [[][$][S][#][i][1]
        |      30    (S)[i][1][x]
        ",
    );
    assert_eq!(ubjson(&["inspect", "--path", "/a"], document).ok_text(), expected);
    assert_eq!(
        ubjson(&["inspect", "--path", "/b/1"], document).ok_text(),
        "      20  (i)[2]\n"
    );
    assert_eq!(
        ubjson(&["inspect", "--path", "/a/0"], document).ok_text(),
        "       5  [T]\n      30  (S)[i][1][x]\n"
    );
    ubjson(&["inspect", "--path", "/b/2"], document).fails(4, "error: standard input: no value at /b/2\n");
}

#[test]
fn everything_before_a_fault_is_shown() {
    let run = ubjson(&["inspect"], b"{i\x01a[i\x01i\x02x");
    let expected = lines(
        "
        |       0  [{]
        |       1    [i][1][a] [[]
        |       5      [i][1]
        |       7      [i][2]
        ",
    );
    assert_eq!((run.code, run.text()), (Some(1), expected.as_str()));
    assert_eq!(
        run.stderr,
        "error: standard input: unexpected marker `x`, expected a value at byte 9\n"
    );
    // A severed text, as far as it goes.
    let run = ubjson(&["inspect"], b"[Si\x0ahello");
    assert_eq!(
        (run.code, run.text()),
        (Some(1), "       0  [[]\n       1    [S][i][10][hello\n")
    );
}

#[test]
fn texts_stay_in_their_line() {
    let shown = ubjson(&["inspect"], b"[Si\x05a\nb\x1b\xffC\t]").ok_text();
    let expected = lines(
        "
        |       0  [[]
        |       1    [S][i][5][a\\nb\\u{1b}\u{fffd}]
        |       9    [C][\\t]
        |      11  []]
        ",
    );
    assert_eq!(shown, expected);
}

#[test]
fn a_real_model_is_shown_with_its_counts() {
    let shown = ubjson(
        &[
            "inspect",
            "--path",
            "/learner/gradient_booster/model/trees/0",
            "tests/data/xgboost/stump.ubj",
        ],
        b"",
    );
    let shown = shown.ok_text();
    // The arrays of a tree with three nodes, each with an int64 count.
    for line in [
        "[L][12][default_left] [[][$][U][#][L][3][0][0][0]\n",
        "[L][13][left_children] [[][$][l][#][L][3][1][-1][-1]\n",
        "[L][14][right_children] [[][$][l][#][L][3][2][-1][-1]\n",
        "[L][19][categories_segments] [[][$][L][#][L][0]\n",
    ] {
        assert!(shown.contains(line), "{line}{shown}");
    }
}

#[test]
fn long_keys_and_numbers_are_cut_short_unless_asked_for() {
    let (key, digits) = ("k".repeat(70), "1234567890".repeat(7));
    let document = format!("{{U\x46{key}HU\x46{digits}}}");
    let shown = |key: &str, digits: &str| {
        lines(&format!(
            "
            |       0  [{{]
            |       1    [U][70][{key}] [H][U][70][{digits}]
            |     146  [}}]
            "
        ))
    };
    let short = shown(
        &(key[..60].to_owned() + "\u{2026}"),
        &(digits[..60].to_owned() + "\u{2026}"),
    );
    assert_eq!(ubjson(&["inspect"], document.as_bytes()).ok_text(), short);
    let full = ubjson(&["inspect", "--full"], document.as_bytes()).ok_text();
    assert_eq!(full, shown(&key, &digits));
}

#[test]
fn of_very_many_keys_the_last_are_counted_as_one() {
    let entries: String = (1..=1003).map(|number| format!("i\x05k{number:04}Z")).collect();
    let shown = ubjson(&["stat", "--top", "2000"], format!("{{{entries}}}").as_bytes()).ok_text();
    let row = shown.lines().find(|line| line.ends_with("  /*")).expect("a row");
    let columns: Vec<_> = row.split_whitespace().collect();
    // Each takes eight bytes of 8,026.
    assert_eq!(columns, ["24", "0.3%", "3", "/*"]);
    assert!(shown.contains("  /k1000\n") && !shown.contains("  /k1001\n"));
}

#[test]
fn bytes_are_counted_by_type_and_by_key() {
    // Records of 17 and 15 bytes, a no-op, and a typed array of 9.
    let document = b"[{i\x02idi\x01i\x03tagSi\x01x}N{i\x02idi\x02i\x03tagCy}[$U#i\x03abc]";
    assert_eq!(document.len(), 44);
    let expected = lines(
        "
        |standard input: 44 bytes, 1 document, 11 values, 2 levels
        |
        |       bytes   share       count  type, with markers and lengths
        |          18   40.9%           4  keys
        |           8   18.2%           2  array
        |           4    9.1%           2  int8
        |           4    9.1%           2  object
        |           4    9.1%           1  string
        |           3    6.8%           3  uint8
        |           2    4.5%           1  char
        |           1    2.3%           1  no-ops
        |
        |       bytes   share       count  key, with all that is in it
        |          41   93.2%           3  /*
        |          16   36.4%           2  /*/tag
        |          12   27.3%           2  /*/id
        |           3    6.8%           3  /*/*
        |
        |       bytes   saves  written with
        ",
    );
    let shown = ubjson(&["stat"], document).ok_text();
    let (found, options) = shown.split_at(expected.len().min(shown.len()));
    assert_eq!(found, expected);
    // The uint8 are written as three int8 in a plain array, and the no-op is not.
    let plain = b"[{i\x02idi\x01i\x03tagSi\x01x}{i\x02idi\x02i\x03tagCy}[iaibic]]".len();
    let counted = b"[#i\x03{#i\x02i\x02idi\x01i\x03tagSi\x01x{#i\x02i\x02idi\x02i\x03tagCy[#i\x03iaibic".len();
    let row = |len: usize, name: &str| {
        let saved = 100.0 * (44.0 - f64::from(u32::try_from(len).unwrap())) / 44.0;
        format!("{len:>12}{:>8}  {name}\n", format!("{saved:.1}%"))
    };
    assert!(options.ends_with(&row(plain, "--containers plain")), "{options}");
    assert!(options.contains(&row(counted, "--containers counted")), "{options}");
}

#[test]
fn every_byte_of_a_file_is_counted_once() {
    for entry in std::fs::read_dir("tests/data/xgboost").unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "ubj") {
            continue;
        }
        let shown = ubjson(&["stat", path.to_str().unwrap()], b"").ok_text();
        let types = shown.split("\n\n").nth(1).unwrap();
        let sum: u64 = types
            .lines()
            .skip(1)
            .map(|line| line.split_whitespace().next().unwrap().parse::<u64>().unwrap())
            .sum();
        assert_eq!(sum, path.metadata().unwrap().len(), "{path:?}\n{shown}");
    }
}

#[test]
fn what_other_options_save_is_what_they_save() {
    let folder = Folder::new();
    let json = std::fs::read("tests/data/json/numbers.json").unwrap();
    let file = folder.file(
        "plain.ubj",
        &ubjson(&["from-json", "--containers", "plain"], &json).ok(),
    );
    let shown = ubjson(&["stat", &file, "--top", "0"], b"").ok_text();
    assert!(!shown.contains("key, with all"), "{shown}");
    for (options, name) in [
        (&["--containers", "plain"][..], "--containers plain"),
        (&["--containers", "counted"], "--containers counted"),
    ] {
        let written = ubjson(&[&["from-json"], options].concat(), &json).ok();
        let row = shown.lines().find(|line| line.ends_with(&format!("  {name}"))).unwrap();
        let bytes: usize = row.split_whitespace().next().unwrap().parse().unwrap();
        assert_eq!(bytes, written.len(), "{row}");
    }
}
