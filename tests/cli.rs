//! The command line's conversions, its streams and its exit codes, as a script sees them.
#![cfg(feature = "cli")]

mod common;

use std::io::Read;
use std::process::{Command, Stdio};

use common::command::{Folder, ubjson};

/// A JSON text without what does not matter: white space, escapes that could be left out, and how numbers are spelled.
fn essence(json: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = json.trim_start();
    while let Some(first) = rest.chars().next() {
        let len = match first {
            '"' => string_len(rest),
            '-' | '0'..='9' => rest
                .find(|c: char| !matches!(c, '-' | '+' | '.' | 'e' | 'E' | '0'..='9'))
                .unwrap_or(rest.len()),
            'a'..='z' => rest.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        let (token, behind) = rest.split_at(len);
        tokens.push(match first {
            '"' => serde_json::from_str::<String>(token).expect("a JSON string"),
            '-' | '0'..='9' => decimal(token),
            _ => token.to_owned(),
        });
        rest = behind.trim_start();
    }
    tokens
}

fn string_len(text: &str) -> usize {
    let mut escaped = true;
    for (at, c) in text.char_indices() {
        match c {
            '"' if !escaped => return at + 1,
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    panic!("a string without an end: {text}")
}

/// A number in one spelling: the shortest of the double that it is, if a double printed with as many digits is it.
fn decimal(text: &str) -> String {
    let (digits, canonical) = digits_and_exponent(text);
    let double: f64 = text.parse().expect("a number");
    let printed = format!("{:.*e}", digits.saturating_sub(1), double);
    if digits_and_exponent(&printed).1 != canonical {
        return canonical;
    }
    digits_and_exponent(&format!("{double:e}")).1
}

/// How many significant digits a number has, and the number as an integer with an exponent.
fn digits_and_exponent(text: &str) -> (usize, String) {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let exponent: i64 = exponent.parse().expect("an exponent");
    let sign = if mantissa.starts_with('-') { "-" } else { "" };
    let mantissa = mantissa.trim_start_matches('-');
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = format!("{whole}{fraction}");
    let long = all.trim_start_matches('0');
    let digits = long.trim_end_matches('0');
    let len = |text: &str| i64::try_from(text.len()).expect("a length");
    let exponent = exponent - len(fraction) + len(long) - len(digits);
    let canonical = match digits {
        "" => format!("{sign}0"),
        _ => format!("{sign}{digits}e{exponent}"),
    };
    (digits.len(), canonical)
}

#[test]
fn the_essence_of_json_forgets_spelling_only() {
    assert_eq!(
        essence("[1.50, 15e-1,\"\\u0041\"]"),
        ["[", "15e-1", ",", "15e-1", ",", "A", "]"]
    );
    assert_ne!(essence("1.5"), essence("1.25"));
    assert_ne!(essence("1e400"), essence("1e401"));
    assert_ne!(essence("-0"), essence("0"));
    assert_eq!(essence("0.10000000000000001"), essence("1e-1"));
    assert_ne!(essence("0.1000000000000000000001"), essence("0.1"));
    assert_eq!(essence("123400000000000000"), essence("1.234E+17"));
    assert_ne!(essence("[\"a\"]"), essence("[\"b\"]"));
}

#[track_caller]
fn comes_back(json: &str, options: &[&str]) {
    let binary = ubjson(&[&["from-json"], options].concat(), json.as_bytes()).ok();
    let back = ubjson(&["to-json"], &binary).ok_text();
    assert!(essence(&back) == essence(json), "{options:?}:\n{json}\n{back}");
}

#[test]
fn json_comes_back_up_to_the_spelling_of_numbers() {
    let mut read = 0;
    for folder in ["tests/data/json", "tests/data/xgboost", "../shared/corpus/documents"] {
        let Ok(entries) = std::fs::read_dir(folder) else {
            println!("{folder} is not here: its documents were not read");
            continue;
        };
        for entry in entries {
            let path = entry.unwrap().path();
            let Some("json" | "jsonl") = path.extension().and_then(|extension| extension.to_str()) else {
                continue;
            };
            comes_back(&std::fs::read_to_string(&path).unwrap(), &[]);
            read += 1;
        }
    }
    assert!(read >= 11, "only {read} documents");
}

#[test]
fn json_comes_back_whatever_it_is_written_with() {
    for options in [
        &["--containers", "counted"][..],
        &["--containers", "plain"],
        &["--lengths", "int64", "--counts", "int64"],
        &[
            "--lengths",
            "uint8-first",
            "--counts",
            "int32",
            "--containers",
            "counted",
        ],
        &["--integers", "declared"],
        &["--compact-floats"],
    ] {
        for file in ["numbers.json", "text.json", "nested.json", "documents.jsonl"] {
            comes_back(
                &std::fs::read_to_string(format!("tests/data/json/{file}")).unwrap(),
                options,
            );
        }
    }
}

#[test]
fn options_decide_what_is_written() {
    let json = br#"{"a":[1,2],"b":[300,0.5]}"#;
    let cases: [(&[&str], &[u8]); 8] = [
        (
            &["--containers", "plain"],
            b"{i\x01a[i\x01i\x02]i\x01b[I\x01\x2cD\x3f\xe0\0\0\0\0\0\0]}",
        ),
        (
            &["--containers", "counted"],
            b"{#i\x02i\x01a[#i\x02i\x01i\x02i\x01b[#i\x02I\x01\x2cD\x3f\xe0\0\0\0\0\0\0",
        ),
        (
            &["--containers", "counted", "--counts", "int32"],
            b"{#l\0\0\0\x02i\x01a[#l\0\0\0\x02i\x01i\x02i\x01b[#l\0\0\0\x02I\x01\x2cD\x3f\xe0\0\0\0\0\0\0",
        ),
        (
            &["--containers", "plain", "--lengths", "uint8-first"],
            b"{U\x01a[i\x01i\x02]U\x01b[I\x01\x2cD\x3f\xe0\0\0\0\0\0\0]}",
        ),
        (
            &["--containers", "plain", "--lengths", "int32"],
            b"{l\0\0\0\x01a[i\x01i\x02]l\0\0\0\x01b[I\x01\x2cD\x3f\xe0\0\0\0\0\0\0]}",
        ),
        (
            &["--containers", "plain", "--lengths", "int64"],
            b"{L\0\0\0\0\0\0\0\x01a[i\x01i\x02]L\0\0\0\0\0\0\0\x01b[I\x01\x2cD\x3f\xe0\0\0\0\0\0\0]}",
        ),
        (
            &["--containers", "plain", "--compact-floats"],
            b"{i\x01a[i\x01i\x02]i\x01b[I\x01\x2cd\x3f\0\0\0]}",
        ),
        (
            &["--containers", "plain", "--integers", "declared"],
            b"{i\x01a[L\0\0\0\0\0\0\0\x01L\0\0\0\0\0\0\0\x02]i\x01b[L\0\0\0\0\0\0\x01\x2cD\x3f\xe0\0\0\0\0\0\0]}",
        ),
    ];
    for (options, bytes) in cases {
        let written = ubjson(&[&["from-json"], options].concat(), json).ok();
        assert_eq!(written, bytes, "{options:?}");
    }
    // An array of one type is a typed array, unless told otherwise.
    assert_eq!(
        ubjson(&["from-json"], b"[1,2,3,4,5,6,7]").ok(),
        b"[$i#i\x07\x01\x02\x03\x04\x05\x06\x07"
    );
}

#[test]
fn numbers_beyond_a_double_travel_as_text() {
    let json = "[18446744073709551616,3.14159265358979323846264338327950288,1e400]";
    let expected = [
        &b"[Hi\x1418446744073709551616"[..],
        b"Hi\x253.14159265358979323846264338327950288",
        b"Hi\x061e+400]",
    ];
    assert_eq!(ubjson(&["from-json"], json.as_bytes()).ok(), expected.concat());
    let back = ubjson(&["to-json"], &expected.concat()).ok_text();
    assert_eq!(
        back,
        "[18446744073709551616,3.14159265358979323846264338327950288,1e+400]\n"
    );
    // More digits than any double has, and an exponent beyond all measure.
    let long = format!("0.{}", "1".repeat(800));
    let expected = format!("HI\x03\x22{long}");
    assert_eq!(ubjson(&["from-json"], long.as_bytes()).ok_text(), expected);
    assert_eq!(
        ubjson(&["from-json"], b"0e+99999999999999999999").ok_text(),
        "Hi\x170e+99999999999999999999"
    );
}

#[test]
fn ubjson_of_every_kind_becomes_json() {
    let document =
        b"[ZTFi\xffU\xffI\x01\0l\0\x01\0\0L\0\0\0\x01\0\0\0\0d\x3f\0\0\0D\x3f\xe0\0\0\0\0\0\0CaSi\x02\"\nHi\x041.50\
        [$U#i\x02\x01\x02{$S#i\x01i\x01ki\x01v{}[]N]";
    let json = r#"[null,true,false,-1,255,256,65536,4294967296,0.5,0.5,"a","\"\n",1.50,[1,2],{"k":"v"},{},[]]"#;
    assert_eq!(ubjson(&["to-json"], document).ok_text(), format!("{json}\n"));
    let pretty = ubjson(&["to-json", "--pretty"], b"{i\x01a[TF]}").ok_text();
    assert_eq!(pretty, "{\n  \"a\": [\n    true,\n    false\n  ]\n}\n");
}

#[test]
fn numbers_that_are_not_finite_become_null_with_a_note() {
    let run = ubjson(
        &["to-json"],
        b"[d\x7f\xc0\0\0[$D#i\x02\x7f\xf0\0\0\0\0\0\0\x3f\xf0\0\0\0\0\0\0]",
    );
    assert_eq!((run.code, run.text()), (Some(0), "[null,[null,1.0]]\n"));
    assert_eq!(run.stderr, "note: 2 NaN or infinite, written as null\n");
}

#[test]
fn several_documents_are_several_lines() {
    let binary = ubjson(&["from-json", "tests/data/json/documents.jsonl"], b"").ok();
    let text = ubjson(&["to-json", "-"], &[&b"NN"[..], &binary, b"N"].concat()).ok_text();
    assert_eq!(text, "{\"id\":1}\n{\"id\":2}\n[3]\n\"four\"\n5\n6.0\nnull\n");
}

#[test]
fn files_are_read_and_written_by_name() {
    let folder = Folder::new();
    let json = folder.file("a.json", b"[true]");
    let (binary, back) = (folder.path("a.ubj"), folder.path("b.json"));
    assert_eq!(ubjson(&["from-json", &json, "-o", &binary], b"").ok(), b"");
    assert_eq!(folder.read("a.ubj"), b"[T]");
    assert_eq!(ubjson(&["to-json", "-o", &back, &binary], b"").ok(), b"");
    assert_eq!(folder.read("b.json"), b"[true]\n");
}

/// `{"a":[1,{"b/c":"text"},[1.0,2.0]],"m":"x"}`, and `{"a":5}`.
const TWO_DOCUMENTS: &[u8] =
    b"{i\x01a[i\x01{i\x03b/cSi\x04text}[$d#i\x02\x3f\x80\0\0\x40\0\0\0]i\x01mCx}N{i\x01ai\x05}";

#[test]
fn values_are_got_by_their_path() {
    for (path, expected) in [
        ("", "{\"a\":[1,{\"b/c\":\"text\"},[1.0,2.0]],\"m\":\"x\"}\n{\"a\":5}\n"),
        ("/a", "[1,{\"b/c\":\"text\"},[1.0,2.0]]\n5\n"),
        ("/a/0", "1\n"),
        ("/a/1", "{\"b/c\":\"text\"}\n"),
        ("/a/1/b~1c", "\"text\"\n"),
        ("/a/2", "[1.0,2.0]\n"),
        ("/a/2/1", "2.0\n"),
        ("/m", "\"x\"\n"),
    ] {
        assert_eq!(ubjson(&["get", path], TWO_DOCUMENTS).ok_text(), expected, "{path}");
    }
    for path in [
        "/b", "/a/3", "/a/0/0", "/a/x", "/a/-1", "/a/+1", "/a/01", "/m/0", "/a/2/2", "/a/",
    ] {
        let message = format!("error: standard input: no value at {path}\n");
        ubjson(&["get", path], TWO_DOCUMENTS).fails(4, &message);
    }
    let usage = ubjson(&["get", "a"], TWO_DOCUMENTS);
    assert_eq!(usage.code, Some(2));
    assert!(usage.stderr.contains("a path starts with `/`"), "{}", usage.stderr);
}

#[test]
fn values_are_got_as_ubjson_and_raw() {
    let get = |path, form| ubjson(&["get", path, "--as", form], TWO_DOCUMENTS).ok();
    // The marker that the typed array leaves out is back.
    assert_eq!(get("/a/2/0", "ubjson"), b"d\x3f\x80\0\0");
    assert_eq!(get("/a/1", "ubjson"), b"{i\x03b/cSi\x04text}");
    assert_eq!(get("/m", "ubjson"), b"Cx");
    assert_eq!(get("/a/1/b~1c", "raw"), b"text");
    assert_eq!(get("/a/2", "raw"), b"\x3f\x80\0\0\x40\0\0\0");
    assert_eq!(get("/a/0", "raw"), b"1");
    assert_eq!(get("/m", "raw"), b"x");
    let written = ubjson(
        &["get", "/a/1", "--as", "ubjson", "--lengths", "uint8-first"],
        TWO_DOCUMENTS,
    )
    .ok();
    assert_eq!(written, b"{U\x03b/cSU\x04text}");
    let counted = ubjson(
        &["get", "/a", "--as", "ubjson", "--containers", "counted"],
        TWO_DOCUMENTS,
    )
    .ok();
    let expected = b"[#i\x03i\x01{#i\x01i\x03b/cSi\x04text[#i\x02d\x3f\x80\0\0d\x40\0\0\0i\x05";
    assert_eq!(counted, expected);
    ubjson(&["get", "/a/1", "--as", "raw"], TWO_DOCUMENTS)
        .fails(1, "error: standard input: the value at /a/1 has no raw form\n");
    let pretty = ubjson(&["get", "/a/2", "--pretty"], TWO_DOCUMENTS).ok_text();
    assert_eq!(pretty, "[\n  1.0,\n  2.0\n]\n");
    // The events of a replay, as its file has them.
    let raw = ubjson(&["get", "/raw", "--as", "raw", "tests/data/slippi/replay.slp"], b"").ok();
    let file = std::fs::read("tests/data/slippi/replay.slp").unwrap();
    assert!(raw == file[15..15 + raw.len()]);
    assert_eq!(raw.len(), 26_342);
}

#[test]
fn what_is_wrong_with_the_data_is_exit_code_1() {
    ubjson(&["from-json"], b"[1,\n 2,]").fails(1, "error: standard input: trailing comma at line 2 column 4\n");
    ubjson(&["from-json"], b"").fails(
        1,
        "error: standard input: EOF while parsing a value at line 1 column 0\n",
    );
    ubjson(&["to-json"], b"").fails(1, "error: standard input: no document, only the end of the input\n");
    ubjson(&["get", "/a"], b"NN").fails(1, "error: standard input: no document, only the end of the input\n");
    // What is before the fault is printed.
    let run = ubjson(&["to-json"], b"T[F");
    assert_eq!((run.code, run.text()), (Some(1), "true\n[false"));
    assert_eq!(run.stderr, "error: standard input: unexpected end of input at byte 3\n");
    ubjson(&["stat"], b"[").fails(1, "error: standard input: unexpected end of input at byte 1\n");
    let bad_text = b"Si\x02a\xff";
    ubjson(&["to-json"], bad_text).fails(1, "error: standard input: invalid UTF-8 in a string or key at byte 3\n");
    assert_eq!(ubjson(&["to-json", "--lossy"], bad_text).ok_text(), "\"a\u{fffd}\"\n");
}

#[test]
fn what_is_wrong_with_the_command_line_is_exit_code_2() {
    for arguments in [
        &[][..],
        &["convert"],
        &["from-json", "--containers", "big"],
        &["to-json", "--max-depth", "0"],
        &["to-json", "a", "b"],
    ] {
        let run = ubjson(arguments, b"");
        assert_eq!((run.code, run.text()), (Some(2), ""), "{arguments:?}: {}", run.stderr);
    }
}

#[test]
fn what_is_wrong_with_a_file_is_exit_code_3() {
    let folder = Folder::new();
    let missing = folder.path("missing");
    for command in ["to-json", "from-json", "inspect", "stat", "check"] {
        let run = ubjson(&[command, &missing], b"");
        let start = format!("error: {missing}: ");
        assert_eq!((run.code, run.text()), (Some(3), ""), "{command}");
        assert!(run.stderr.starts_with(&start), "{command}: {}", run.stderr);
    }
    let no_folder = folder.path("missing/out");
    assert_eq!(ubjson(&["to-json", "-o", &no_folder], b"T").code, Some(3));
    assert_eq!(ubjson(&["check", "--salvage", &no_folder], b"[T").code, Some(3));
    #[cfg(target_os = "linux")]
    for arguments in [&["from-json", "-o", "/dev/full"][..], &["get", "", "-o", "/dev/full"]] {
        let run = ubjson(arguments, b"5");
        let run = if arguments[0] == "get" {
            ubjson(arguments, b"i\x05")
        } else {
            run
        };
        assert_eq!(run.code, Some(3), "{arguments:?}");
        assert!(run.stderr.starts_with("error: /dev/full: "), "{}", run.stderr);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_cannot_be_read_is_exit_code_3_whatever_reads_it() {
    let folder = Folder::new();
    let path = folder.path("");
    for arguments in [
        &["to-json"][..],
        &["from-json"],
        &["inspect"],
        &["stat"],
        &["check"],
        &["get", "/a"],
        &["get", "", "--as", "raw"],
    ] {
        let run = ubjson(&[arguments, &[&path]].concat(), b"");
        assert_eq!((run.code, run.text()), (Some(3), ""), "{arguments:?}");
        assert!(run.stderr.starts_with(&format!("error: {path}: ")), "{}", run.stderr);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_exit_code_3_in_the_middle_of_a_document_too() {
    let folder = Folder::new();
    let document = [b"[", &b"Si\x0cten letters.".repeat(100_000)[..], b"]"].concat();
    let file = folder.file("long", &document);
    for arguments in [
        &["to-json", "-o", "/dev/full", &file][..],
        &["get", "", "-o", "/dev/full", &file],
        &["get", "", "--as", "ubjson", "-o", "/dev/full", &file],
        &[
            "get",
            "",
            "--as",
            "ubjson",
            "--containers",
            "counted",
            "-o",
            "/dev/full",
            &file,
        ],
        &["check", "--salvage", "/dev/full", &file],
    ] {
        let run = ubjson(arguments, b"");
        assert_eq!(run.code, Some(3), "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.starts_with("error: /dev/full: "), "{}", run.stderr);
    }
}

#[test]
fn a_document_that_breaks_behind_its_path_is_exit_code_1() {
    for form in ["json", "ubjson", "raw"] {
        let run = ubjson(&["get", "/a", "--as", form], b"{i\x01a[$U#i\x05\x01");
        assert_eq!(run.code, Some(1), "{form}");
        assert_eq!(
            run.stderr, "error: standard input: unexpected end of input at byte 11\n",
            "{form}"
        );
    }
    let raw = ubjson(&["get", "/a", "--as", "raw"], b"{i\x01aHi\x043.10}").ok();
    assert_eq!(raw, b"3.10");
    // The path leads to the end of an array.
    ubjson(&["get", "/a/0", "--as", "raw"], b"{i\x01a[]}").fails(4, "error: standard input: no value at /a/0\n");
    ubjson(&["inspect", "--path", "/a/0"], b"{i\x01a[]}").fails(4, "error: standard input: no value at /a/0\n");
}

#[test]
fn a_closed_pipe_ends_it_quietly() {
    let folder = Folder::new();
    let array = format!("[{}1]", "[1,\"two\"],".repeat(100_000));
    let json = folder.file("a.json", array.as_bytes());
    let binary = folder.file("a.ubj", &ubjson(&["from-json", &json], b"").ok());
    for arguments in [
        &["to-json", &binary][..],
        &["inspect", &binary],
        &["from-json", "--containers", "plain", &json],
        &["get", "", &binary],
    ] {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin!("ubjson"))
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut first = [0; 10];
        let mut pipe = child.stdout.take().unwrap();
        pipe.read_exact(&mut first).unwrap();
        drop(pipe);
        let output = child.wait_with_output().unwrap();
        assert_eq!(
            (output.status.code(), &output.stderr[..]),
            (Some(0), &b""[..]),
            "{arguments:?}"
        );
    }
}

#[test]
fn depth_is_limited_by_an_option() {
    let deep = |levels| "[".repeat(levels) + &"]".repeat(levels);
    let binary = ubjson(&["from-json"], deep(1000).as_bytes()).ok();
    assert_eq!(ubjson(&["to-json"], &binary).ok_text().trim(), deep(1000));
    let refused = ubjson(&["from-json"], deep(1001).as_bytes());
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr.contains("1000 levels"), "{}", refused.stderr);
    let binary = ubjson(&["from-json", "--max-depth", "10000"], deep(10_000).as_bytes()).ok();
    assert_eq!(binary, deep(10_000).as_bytes());
    let back = ubjson(&["to-json", "--max-depth", "10000"], &binary).ok_text();
    assert!(back.trim() == deep(10_000));
    let refused = ubjson(&["to-json"], &binary);
    assert_eq!(refused.code, Some(1));
    assert!(
        refused.stderr.contains("1000 levels at byte 1000"),
        "{}",
        refused.stderr
    );
    let counted = ubjson(
        &["from-json", "--containers", "counted", "--max-depth", "2000"],
        deep(1500).as_bytes(),
    )
    .ok();
    assert_eq!(counted.len(), 4 * 1500);
}

#[test]
fn colours_are_for_those_who_want_them() {
    let colored = |when: &[&str]| {
        let run = ubjson(&[&["inspect"], when].concat(), b"T");
        run.ok().contains(&0x1b)
    };
    assert!(!colored(&[]), "standard output is no terminal");
    assert!(colored(&["--color", "always"]));
    assert!(!colored(&["--color", "never"]));
    let run = |no_color: &str| {
        let mut command = assert_cmd::cargo::cargo_bin_cmd!("ubjson");
        command.env("CLICOLOR_FORCE", "1").env("NO_COLOR", no_color);
        command.args(["inspect"]).write_stdin("T").output().unwrap().stdout
    };
    assert!(run("").contains(&0x1b));
    assert!(!run("1").contains(&0x1b));
}

#[test]
fn every_shell_has_completions() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = ubjson(&["completions", shell], b"").ok_text();
        for word in ["from-json", "salvage"] {
            assert!(script.contains(word), "{shell}: no {word}");
        }
    }
}

#[test]
fn the_exit_codes_are_in_the_help() {
    let help = ubjson(&["--help"], b"").ok_text();
    for code in ["  0  ", "  1  ", "  2  ", "  3  ", "  4  "] {
        assert!(help.contains(code), "{help}");
    }
}
