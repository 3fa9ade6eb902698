//! Records of a web server's access log.

use serde::{Deserialize, Serialize};

use super::random::Random;

pub const COUNT: usize = 10_000;

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Address {
    pub x0: u8,
    pub x1: u8,
    pub x2: u8,
    pub x3: u8,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Log {
    pub address: Address,
    pub identity: String,
    pub userid: String,
    pub date: String,
    pub request: String,
    pub code: u16,
    pub size: u64,
}

/// The same record, its text borrowed from the document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LogRef<'a> {
    pub address: Address,
    pub identity: &'a str,
    pub userid: &'a str,
    pub date: &'a str,
    pub request: &'a str,
    pub code: u16,
    pub size: u64,
}

impl Log {
    fn generate(random: &mut Random) -> Self {
        const USERS: [&str; 7] = ["-", "alice", "bob", "jerome", "nginx", "crawler", "webmaster"];
        let mut octet = || random.below(256) as u8;
        Self {
            address: Address {
                x0: octet(),
                x1: octet(),
                x2: octet(),
                x3: octet(),
            },
            identity: "-".to_owned(),
            userid: random.pick(&USERS).to_owned(),
            date: date(random),
            request: request(random),
            code: random.pick(&[200, 200, 200, 200, 301, 304, 400, 404, 418, 500]),
            size: u64::from(random.below(100_000_000)),
        }
    }

    pub fn borrow(&self) -> LogRef<'_> {
        LogRef {
            address: self.address,
            identity: &self.identity,
            userid: &self.userid,
            date: &self.date,
            request: &self.request,
            code: self.code,
            size: self.size,
        }
    }
}

fn date(random: &mut Random) -> String {
    const MONTHS: [&str; 12] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    format!(
        "{:02}/{}/{}:{:02}:{:02}:{:02} +{:02}00",
        1 + random.below(28),
        random.pick(&MONTHS),
        2000 + random.below(26),
        random.below(24),
        random.below(60),
        random.below(60),
        random.below(12),
    )
}

fn request(random: &mut Random) -> String {
    const PATHS: [&str; 6] = [
        "/",
        "/favicon.ico",
        "/css/index.css",
        "/img/logo.svg",
        "/api/v1/orders",
        "/blog/archive",
    ];
    let method = random.pick(&["GET", "GET", "GET", "POST", "PUT", "HEAD"]);
    let path = random.pick(&PATHS);
    if random.one_in(3) {
        format!("{method} {path}?page={}&sort=newest HTTP/1.1", random.below(500))
    } else {
        format!("{method} {path} HTTP/1.1")
    }
}

pub fn generate(count: usize) -> Vec<Log> {
    let mut random = Random::new(0x0002);
    (0..count).map(|_| Log::generate(&mut random)).collect()
}

pub fn borrow(logs: &[Log]) -> Vec<LogRef<'_>> {
    logs.iter().map(Log::borrow).collect()
}
