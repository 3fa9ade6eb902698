//! Documents and another protocol's lines in turn on one connection, both ways, over a loopback socket.
#![cfg(feature = "std")]

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use ubjson::Deserializer;

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct Request {
    id: u16,
    tags: Vec<String>,
    payload: Vec<i32>,
    inner: Option<Box<Request>>,
}

fn requests() -> Vec<Request> {
    let request = |id: u16, inner| Request {
        id,
        tags: vec!["tag".to_owned(); usize::from(id % 3)],
        payload: (0..i32::from(id) % 6).collect(),
        inner,
    };
    (0..6)
        .map(|id| request(id, (id % 2 == 0).then(|| Box::new(request(id + 100, None)))))
        .collect()
}

const LINES: [&str; 3] = ["250 OK\r\n", "{} [not a document]\n", "N\n"];

fn line(at: usize) -> &'static str {
    LINES[at % LINES.len()]
}

/// Each request and a line behind it.
fn transcript() -> Vec<u8> {
    let mut bytes = Vec::new();
    for (at, request) in requests().iter().enumerate() {
        ubjson::to_writer(&mut bytes, request).unwrap();
        bytes.extend_from_slice(line(at).as_bytes());
    }
    bytes
}

/// Two ends of a connection, on which nobody waits for ever.
fn connection() -> (TcpStream, TcpStream) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let (server, _) = listener.accept().unwrap();
    for stream in [&client, &server] {
        stream.set_nodelay(true).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    }
    (client, server)
}

/// Counts what has arrived.
struct Counted {
    stream: TcpStream,
    arrived: Arc<AtomicUsize>,
}

impl Read for Counted {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let len = self.stream.read(buf)?;
        self.arrived.fetch_add(len, Ordering::SeqCst);
        Ok(len)
    }
}

/// Sends bytes in two pieces, the second when the first has arrived.
fn send_cut(mut stream: TcpStream, bytes: &[u8], cut: usize, arrived: &AtomicUsize) {
    stream.write_all(&bytes[..cut]).unwrap();
    while arrived.load(Ordering::SeqCst) < cut {
        thread::yield_now();
    }
    stream.write_all(&bytes[cut..]).unwrap();
}

/// A line, taken byte by byte so that nothing behind it is.
fn read_line(reader: &mut impl Read) -> String {
    let mut line = Vec::new();
    while line.last() != Some(&b'\n') {
        let mut byte = [0];
        reader.read_exact(&mut byte).unwrap();
        line.push(byte[0]);
    }
    String::from_utf8(line).unwrap()
}

/// Runs a receiver against the transcript, cut at every byte.
fn with_every_cut(receive: impl Fn(Counted)) {
    let bytes = transcript();
    for cut in 0..=bytes.len() {
        let (client, server) = connection();
        let arrived = Arc::new(AtomicUsize::new(0));
        thread::scope(|scope| {
            scope.spawn(|| send_cut(client, &bytes, cut, &arrived));
            receive(Counted {
                stream: server,
                arrived: Arc::clone(&arrived),
            });
        });
        assert_eq!(arrived.load(Ordering::SeqCst), bytes.len(), "cut at {cut}");
    }
}

#[test]
fn documents_and_lines_alternate_on_a_bare_socket() {
    with_every_cut(|mut socket| {
        for (at, request) in requests().into_iter().enumerate() {
            assert_eq!(ubjson::from_reader::<_, Request>(&mut socket).unwrap(), request);
            assert_eq!(read_line(&mut socket), line(at));
        }
    });
}

#[test]
fn documents_and_lines_alternate_behind_a_buffer() {
    with_every_cut(|socket| {
        let mut reader = BufReader::new(socket);
        for (at, request) in requests().into_iter().enumerate() {
            assert_eq!(ubjson::from_reader::<_, Request>(&mut reader).unwrap(), request);
            let mut text = String::new();
            reader.read_line(&mut text).unwrap();
            assert_eq!(text, line(at));
        }
    });
}

#[test]
fn documents_that_are_streamed_or_read_by_elements_leave_the_lines_alone() {
    with_every_cut(|mut socket| {
        for (at, request) in requests().into_iter().enumerate() {
            match at % 3 {
                0 => {
                    let mut stream = Deserializer::from_reader(socket).into_iter::<Request>();
                    assert_eq!(stream.next().unwrap().unwrap(), request);
                    socket = stream.into_inner().unwrap();
                }
                1 => {
                    let mut de = Deserializer::from_reader(socket);
                    let mut payload = de.elements_at::<i32>(&["payload"]).unwrap();
                    assert_eq!(payload.next().transpose().unwrap(), request.payload.first().copied());
                    payload.finish().unwrap();
                    socket = de.into_inner().unwrap();
                }
                _ => {
                    // Not what it is, and passed over.
                    let mut stream = Deserializer::from_reader(socket).into_iter::<u8>();
                    assert!(stream.next().unwrap().is_err());
                    socket = stream.into_inner().unwrap();
                }
            }
            assert_eq!(read_line(&mut socket), line(at));
        }
    });
}

#[test]
fn each_side_answers_when_it_has_what_it_needs() {
    let (mut client, mut server) = connection();
    let server = thread::spawn(move || {
        for (at, _) in requests().iter().enumerate() {
            let request: Request = ubjson::from_reader(&mut server).unwrap();
            write!(server, "{} {}", request.id, line(at)).unwrap();
            ubjson::to_writer(&mut server, &request).unwrap();
        }
    });
    for (at, request) in requests().into_iter().enumerate() {
        ubjson::to_writer(&mut client, &request).unwrap();
        assert_eq!(read_line(&mut client), format!("{} {}", request.id, line(at)));
        assert_eq!(ubjson::from_reader::<_, Request>(&mut client).unwrap(), request);
    }
    server.join().unwrap();
}
