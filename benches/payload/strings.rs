//! Strings of a translated user interface: one in three is not ASCII.

use super::random::Random;

pub const COUNT: usize = 10_000;

const ASCII: [&str; 12] = [
    "open",
    "the",
    "document",
    "save",
    "a",
    "copy",
    "settings",
    "network",
    "is",
    "not",
    "available",
    "again",
];
const GERMAN: [&str; 8] = [
    "Öffnen",
    "Größe",
    "für",
    "ändern",
    "Übersicht",
    "schließen",
    "Datei",
    "und",
];
const GREEK: [&str; 8] = [
    "άνοιγμα",
    "αρχείο",
    "και",
    "ρυθμίσεις",
    "δίκτυο",
    "πάλι",
    "όχι",
    "μέγεθος",
];
const RUSSIAN: [&str; 8] = [
    "открыть",
    "документ",
    "и",
    "настройки",
    "сеть",
    "размер",
    "снова",
    "нет",
];
const JAPANESE: [&str; 8] = [
    "開く",
    "文書",
    "設定",
    "ネットワーク",
    "保存",
    "もう一度",
    "大きさ",
    "と",
];
const SYMBOLS: [&str; 6] = ["👍", "done", "🚀", "launch", "🎉", "😀"];

fn sentence(words: &[&str], random: &mut Random) -> String {
    let mut text = String::new();
    for index in 0..1 + random.below(10) {
        if index > 0 {
            text.push(' ');
        }
        text.push_str(random.pick(words));
    }
    text
}

pub fn generate(count: usize) -> Vec<String> {
    let mut random = Random::new(0x0003);
    let others: [&[&str]; 5] = [&GERMAN, &GREEK, &RUSSIAN, &JAPANESE, &SYMBOLS];
    let mut next = || {
        let words = if random.one_in(3) { random.pick(&others) } else { &ASCII };
        sentence(words, &mut random)
    };
    (0..count).map(|_| next()).collect()
}

pub fn borrow(strings: &[String]) -> Vec<&str> {
    strings.iter().map(String::as_str).collect()
}
