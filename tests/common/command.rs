//! The `ubjson` command, run as a program.

use std::path::PathBuf;
use std::process::Output;

/// What a run came to.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
}

impl Run {
    pub(crate) fn new(output: Output) -> Self {
        Run {
            code: output.status.code(),
            stdout: output.stdout,
            stderr: String::from_utf8(output.stderr).expect("messages are text"),
        }
    }

    /// What was printed, as text.
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.stdout).expect("the output is text")
    }

    /// What was printed by a run that went well and had nothing to say about it.
    #[track_caller]
    pub(crate) fn ok(self) -> Vec<u8> {
        assert_eq!((self.code, self.stderr.as_str()), (Some(0), ""));
        self.stdout
    }

    /// The same as text.
    #[track_caller]
    pub(crate) fn ok_text(self) -> String {
        String::from_utf8(self.ok()).expect("the output is text")
    }

    /// Nothing was printed, and the run ended with this code and message.
    #[track_caller]
    pub(crate) fn fails(self, code: i32, message: &str) {
        let stdout = String::from_utf8_lossy(&self.stdout);
        assert_eq!((self.code, &*stdout, self.stderr.as_str()), (Some(code), "", message));
    }
}

/// Runs the command with these bytes as its input.
pub(crate) fn ubjson(arguments: &[&str], input: &[u8]) -> Run {
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("ubjson");
    command.env_remove("NO_COLOR").args(arguments).write_stdin(input);
    Run::new(command.output().expect("the command runs"))
}

/// A folder for the files of one test, which is removed with it.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Folder(tempfile::tempdir().expect("a temporary folder"))
    }

    pub(crate) fn path(&self, name: &str) -> String {
        let path: PathBuf = self.0.path().join(name);
        path.to_str().expect("a path of plain text").to_owned()
    }

    /// Writes a file and gives its path.
    pub(crate) fn file(&self, name: &str, bytes: &[u8]) -> String {
        let path = self.path(name);
        std::fs::write(&path, bytes).expect("a file is written");
        path
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).expect("a file is read")
    }
}
