//! Colours.

use std::fmt;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use anstream::AutoStream;
use anstyle::{AnsiColor, Style};
use clap::ValueEnum;

pub(crate) const ERROR: Paint = Paint(AnsiColor::Red.on_default().bold());
pub(crate) const OFFSET: Paint = Paint(Style::new().dimmed());
pub(crate) const MARKER: Paint = Paint(AnsiColor::Cyan.on_default());
pub(crate) const LENGTH: Paint = Paint(AnsiColor::Magenta.on_default());
pub(crate) const KEY: Paint = Paint(AnsiColor::Blue.on_default().bold());
pub(crate) const VALUE: Paint = Paint(AnsiColor::Green.on_default());
pub(crate) const NOTE: Paint = Paint(Style::new().dimmed());
pub(crate) const HEADING: Paint = Paint(Style::new().bold());

/// Whether standard output gets colours.
static ON_STDOUT: AtomicBool = AtomicBool::new(false);

/// A style for standard output: `{}` starts it, `{:#}` ends it, and both are nothing where nobody
/// wants to see it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paint(Style);

impl Paint {
    /// The style itself, for standard error, whose stream decides for itself.
    pub(crate) const fn style(self) -> Style {
        self.0
    }
}

impl fmt::Display for Paint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match ON_STDOUT.load(Ordering::Relaxed) {
            true => self.0.fmt(f),
            false => Ok(()),
        }
    }
}

/// When to use colours.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless `NO_COLOR` is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Color {
    /// Makes it the choice for both streams.
    pub(crate) fn apply(self) {
        let choice = match self {
            Self::Auto => anstream::ColorChoice::Auto,
            Self::Always => anstream::ColorChoice::Always,
            Self::Never => anstream::ColorChoice::Never,
        };
        choice.write_global();
        let is_on = AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never;
        ON_STDOUT.store(is_on, Ordering::Relaxed);
    }
}
