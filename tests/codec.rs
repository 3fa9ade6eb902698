//! Documents as frames: the codec alone, and over connections.
#![cfg(feature = "codec")]

mod common;

use std::io;
use std::net::Ipv4Addr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use futures_util::SinkExt;
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncRead, AsyncWriteExt, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio_stream::StreamExt;
use tokio_util::codec::{Decoder, Encoder, Framed, FramedRead, FramedWrite};
use ubjson::codec::{DocumentCodec, KeepAlive, UbjsonCodec};
use ubjson::{Error, ErrorKind, de, ser};

use common::doc::Doc;
use common::grammar;
use common::vectors::{Expected, decode_vectors};

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
enum Message {
    Hello { name: String, version: u8 },
    Rows(Vec<(u32, f64)>),
    Bye,
}

fn messages() -> Vec<Message> {
    let hello = |name: &str| Message::Hello {
        name: name.to_owned(),
        version: 3,
    };
    vec![
        hello("anna"),
        Message::Rows(vec![(1, 0.5), (70_000, -1.25)]),
        hello(""),
        Message::Rows((0..40).map(|id| (id, f64::from(id))).collect()),
        Message::Bye,
    ]
}

fn encoded() -> Vec<u8> {
    let mut bytes = Vec::new();
    for message in messages() {
        bytes.push(b'N');
        ubjson::to_writer(&mut bytes, &message).unwrap();
    }
    bytes
}

/// Feeds bytes in pieces; the items, and the error that ended them.
fn feed<C: Decoder>(mut codec: C, pieces: impl IntoIterator<Item: AsRef<[u8]>>) -> (Vec<C::Item>, Option<C::Error>) {
    let mut buffer = BytesMut::new();
    let mut items = Vec::new();
    for piece in pieces {
        buffer.extend_from_slice(piece.as_ref());
        loop {
            match codec.decode(&mut buffer) {
                Ok(Some(item)) => items.push(item),
                Ok(None) => break,
                Err(error) => return (items, Some(error)),
            }
        }
    }
    loop {
        match codec.decode_eof(&mut buffer) {
            Ok(Some(item)) => items.push(item),
            Ok(None) => return (items, None),
            Err(error) => return (items, Some(error)),
        }
    }
}

#[test]
fn messages_in_pieces_of_any_length_are_decoded() {
    let bytes = encoded();
    for piece_len in 1..=bytes.len() {
        let (items, error) = feed(UbjsonCodec::<Message>::new(), bytes.chunks(piece_len));
        assert!(error.is_none(), "{error:?}");
        assert_eq!(items, messages(), "pieces of {piece_len}");
    }
}

#[test]
fn a_message_is_given_out_with_its_last_byte() {
    let bytes = ubjson::to_vec(&messages()[1]).unwrap();
    let mut codec = UbjsonCodec::<Message>::new();
    let mut buffer = BytesMut::new();
    for (at, byte) in bytes.iter().enumerate() {
        buffer.extend_from_slice(&[*byte]);
        let item = codec.decode(&mut buffer).unwrap();
        assert_eq!(item.is_some(), at + 1 == bytes.len(), "at {at}");
    }
    assert!(buffer.is_empty());
}

#[test]
fn every_vector_is_one_frame() {
    for vector in decode_vectors() {
        let Expected::Value(expected) = &vector.expected else {
            continue;
        };
        let end = grammar::value(&vector.bytes).unwrap().end;
        let start = vector.bytes.iter().take_while(|byte| **byte == b'N').count();
        let frame = &vector.bytes[..end];
        for piece_len in [1, 3, 4096] {
            let twice = [frame, b"NN", frame].concat();
            let (documents, error) = feed(DocumentCodec::new(), twice.chunks(piece_len));
            assert!(error.is_none(), "{}: {error:?}", vector.name);
            assert_eq!(documents, [&frame[start..], &frame[start..]], "{}", vector.name);
            let (values, error) = feed(UbjsonCodec::<Doc>::new(), twice.chunks(piece_len));
            assert!(error.is_none(), "{}: {error:?}", vector.name);
            assert_eq!(values, [expected.clone(), expected.clone()], "{}", vector.name);
        }
    }
}

#[test]
fn an_end_inside_a_document_is_an_error() {
    let bytes = encoded();
    let mut ends = vec![0];
    for message in messages() {
        ends.push(ends.last().unwrap() + 1 + ubjson::to_vec(&message).unwrap().len());
    }
    for cut in 0..=bytes.len() {
        let (items, error) = feed(UbjsonCodec::<Message>::new(), [&bytes[..cut]]);
        let whole = ends.iter().filter(|end| **end <= cut).count() - 1;
        assert_eq!(items.len(), whole, "cut at {cut}");
        // A no-op in front of a message is none of it.
        let is_clean = cut - ends[whole] <= 1;
        match error {
            None => assert!(is_clean, "cut at {cut}"),
            Some(error) => {
                let of_message = (cut - ends[whole] - 1) as u64;
                assert_eq!(
                    (error.kind(), error.offset()),
                    (ErrorKind::Eof, Some(of_message)),
                    "cut at {cut}"
                );
                assert!(!is_clean);
            }
        }
    }
}

#[test]
fn a_broken_document_is_an_error_with_its_place() {
    let (items, error) = feed(UbjsonCodec::<Doc>::new(), [&b"TN[T"[..], b"F?", b"]T"]);
    let error = error.unwrap();
    assert_eq!(items, [Doc::Bool(true)]);
    assert_eq!((error.kind(), error.offset()), (ErrorKind::Marker, Some(3)));
}

#[test]
fn a_document_of_the_wrong_type_is_an_error_behind_which_the_next_one_comes() {
    let mut codec = UbjsonCodec::<u8>::new();
    let mut buffer = BytesMut::from(&b"i\x01[TF]i\x02"[..]);
    assert_eq!(codec.decode(&mut buffer).unwrap(), Some(1));
    assert_eq!(codec.decode(&mut buffer).unwrap_err().kind(), ErrorKind::Data);
    assert_eq!(codec.decode(&mut buffer).unwrap(), Some(2));
    assert_eq!(codec.decode(&mut buffer).unwrap(), None);
}

#[test]
fn documents_are_borrowed_from_their_frames() {
    let (documents, error) = feed(DocumentCodec::new(), [&b"{i\x01aSi\x03ann"[..], b"}i\x05[Si\x01x]"]);
    assert!(error.is_none());
    #[derive(Debug, Deserialize, PartialEq)]
    struct Named<'a> {
        a: &'a str,
    }
    let named: Vec<Option<Named<'_>>> = documents
        .iter()
        .map(|document| ubjson::from_slice(document).ok())
        .collect();
    // The number is none, and the array is one by position.
    assert_eq!(named, [Some(Named { a: "ann" }), None, Some(Named { a: "x" })]);
    let text: Vec<&str> = ubjson::from_slice(&documents[2]).unwrap();
    let shared: Bytes = documents[2].slice_ref(text[0].as_bytes());
    assert_eq!(shared, "x");
}

#[test]
fn a_document_longer_than_the_limit_is_refused_before_it_is_collected() {
    let decode = |limit, bytes: &[u8]| {
        let mut codec = UbjsonCodec::<Doc>::new().max_frame_len(limit);
        let mut buffer = BytesMut::from(bytes);
        let item = codec.decode(&mut buffer);
        assert!(buffer.capacity() < 200_000, "reserved {}", buffer.capacity());
        item.map(|item| item.is_some())
    };
    let refused = |result: Result<bool, Error>| {
        let error = result.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Budget);
        assert!(error.to_string().contains("longer than the limit of"), "{error}");
    };
    assert!(decode(5, b"Si\x02hi").unwrap());
    refused(decode(4, b"Si\x02hi"));
    refused(decode(4, b"Si\x02h"));
    // By what its header says.
    assert!(!decode(1_000_006, b"Sl\x00\x0f\x42\x40").unwrap());
    refused(decode(1_000_005, b"Sl\x00\x0f\x42\x40"));
    refused(decode(1_000_000, b"[$D#l\x00\x01\xe8\x49"));
    refused(decode(1_000_000, b"[[[{i\x01a[#l\x00\x0f\x42\x40"));
    refused(decode(usize::MAX / 2, b"[$D#L\x7f\xff\xff\xff\xff\xff\xff\xff"));
    // No-ops in front are not the document's.
    assert!(decode(1, &[&[b'N'; 100][..], b"T"].concat()).unwrap());
    refused(decode(10, &[&b"["[..], &[b'N'; 10]].concat()));
    // Unless set, 8 MiB.
    let decode = |bytes: &[u8]| DocumentCodec::new().decode(&mut BytesMut::from(bytes));
    assert_eq!(decode(b"Sl\x00\x7f\xff\xfa").unwrap(), None);
    assert_eq!(decode(b"Sl\x00\x7f\xff\xfb").unwrap_err().kind(), ErrorKind::Budget);
}

#[test]
fn what_is_too_long_or_fails_is_not_written() {
    let mut codec = UbjsonCodec::<Doc>::new().max_frame_len(10);
    let mut buffer = BytesMut::from(&b"before"[..]);
    codec.encode("1234567", &mut buffer).unwrap();
    assert_eq!(
        codec.encode("12345678", &mut buffer).unwrap_err().kind(),
        ErrorKind::Budget
    );
    let keys_that_are_none = std::collections::BTreeMap::from([([1], 1)]);
    assert_eq!(
        codec.encode(&keys_that_are_none, &mut buffer).unwrap_err().kind(),
        ErrorKind::Data
    );
    codec.encode(KeepAlive, &mut buffer).unwrap();
    DocumentCodec::new().encode(true, &mut buffer).unwrap();
    DocumentCodec::new().encode(KeepAlive, &mut buffer).unwrap();
    assert_eq!(buffer, &b"beforeSi\x071234567NTN"[..]);
}

#[test]
fn options_are_those_that_are_given() {
    let config = (
        de::Config::new().max_depth(1),
        ser::Config::new().containers(ser::Containers::Plain),
    );
    let mut codec = UbjsonCodec::<Doc>::with_config(config.0, config.1);
    let mut buffer = BytesMut::new();
    codec.encode([1_u8, 2], &mut buffer).unwrap();
    assert_eq!(buffer, &b"[i\x01i\x02]"[..]);
    assert_eq!(
        codec.decode(&mut buffer).unwrap(),
        Some(Doc::Array(vec![Doc::Int(1), Doc::Int(2)]))
    );
    codec.encode([[1]], &mut buffer).unwrap();
    assert_eq!(codec.decode(&mut buffer).unwrap_err().kind(), ErrorKind::Depth);
    // Repaired text, which the scanner must let through, too.
    let lossy = de::Config::new().lossy_utf8(true);
    let codec = UbjsonCodec::<String>::with_config(lossy, ser::Config::new());
    assert_eq!(feed(codec, [b"Si\x02a\xff"]).0, ["a\u{fffd}"]);
}

fn run<F: Future<Output = ()>>(test: F) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        tokio::time::timeout(Duration::from_secs(60), test)
            .await
            .expect("in time");
    });
}

/// Two ends of a connection.
async fn connection() -> (TcpStream, TcpStream) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
    let (server, _) = listener.accept().await.unwrap();
    client.set_nodelay(true).unwrap();
    server.set_nodelay(true).unwrap();
    (client, server)
}

#[test]
fn values_go_both_ways_over_a_connection() {
    run(async {
        let (client, server) = connection().await;
        let server = tokio::spawn(async move {
            let mut requests = Framed::new(server, UbjsonCodec::<Message>::new());
            while let Some(request) = requests.next().await.transpose().unwrap() {
                requests.send(KeepAlive).await.unwrap();
                requests.send(("got", &request)).await.unwrap();
            }
        });
        let mut replies = Framed::new(client, UbjsonCodec::<(String, Message)>::new());
        for message in messages() {
            replies.send(&message).await.unwrap();
            replies.send(KeepAlive).await.unwrap();
            let (text, message_back) = replies.next().await.unwrap().unwrap();
            assert_eq!((text.as_str(), message_back), ("got", message));
        }
        replies.get_mut().shutdown().await.unwrap();
        assert!(replies.next().await.is_none());
        server.await.unwrap();
    });
}

/// Counts what has arrived.
struct Counted<R> {
    inner: R,
    arrived: Arc<AtomicUsize>,
}

impl<R: AsyncRead + Unpin> AsyncRead for Counted<R> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        let polled = Pin::new(&mut self.inner).poll_read(context, buf);
        self.arrived.fetch_add(buf.filled().len() - before, Ordering::SeqCst);
        polled
    }
}

/// Sends bytes in two pieces, the second when the first has arrived.
async fn send_cut(mut stream: TcpStream, bytes: Vec<u8>, cut: usize, arrived: Arc<AtomicUsize>) {
    let (head, tail) = bytes.split_at(cut);
    stream.write_all(head).await.unwrap();
    while arrived.load(Ordering::SeqCst) < cut {
        tokio::task::yield_now().await;
    }
    stream.write_all(tail).await.unwrap();
}

#[test]
fn a_connection_may_be_cut_into_pieces_at_every_byte() {
    run(async {
        let bytes = encoded();
        for cut in 0..=bytes.len() {
            let (client, server) = connection().await;
            let arrived = Arc::new(AtomicUsize::new(0));
            let sender = tokio::spawn(send_cut(client, bytes.clone(), cut, Arc::clone(&arrived)));
            let reader = Counted { inner: server, arrived };
            let received = FramedRead::new(reader, UbjsonCodec::<Message>::new());
            let received: Vec<Message> = received.collect::<Result<_, _>>().await.unwrap();
            assert_eq!(received, messages(), "cut at {cut}");
            sender.await.unwrap();
        }
    });
}

#[test]
fn a_connection_may_bring_byte_by_byte() {
    run(async {
        let (mut client, server) = connection().await;
        let sender = tokio::spawn(async move {
            for byte in encoded() {
                client.write_all(&[byte]).await.unwrap();
                client.flush().await.unwrap();
                tokio::task::yield_now().await;
            }
        });
        let received = FramedRead::new(server, UbjsonCodec::<Message>::new());
        let received: Vec<Message> = received.collect::<Result<_, _>>().await.unwrap();
        assert_eq!(received, messages());
        sender.await.unwrap();
    });
}

#[test]
fn a_read_that_is_cancelled_loses_nothing() {
    run(async {
        let (mut sender, receiver) = tokio::io::duplex(7);
        let task = tokio::spawn(async move {
            for piece in encoded().chunks(5) {
                sender.write_all(piece).await.unwrap();
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        });
        let mut stream = FramedRead::new(receiver, UbjsonCodec::<Message>::new());
        let mut received = Vec::new();
        let mut cancelled = 0;
        loop {
            tokio::select! {
                biased;
                message = stream.next() => match message {
                    Some(message) => received.push(message.unwrap()),
                    None => break,
                },
                () = tokio::time::sleep(Duration::from_micros(300)) => cancelled += 1,
            }
        }
        assert_eq!(received, messages());
        assert!(cancelled > messages().len(), "{cancelled} times");
        task.await.unwrap();
    });
}

#[test]
fn keep_alives_alone_give_no_item_and_take_no_memory() {
    run(async {
        let (sender, receiver) = tokio::io::duplex(1024);
        let task = tokio::spawn(async move {
            let mut sender = FramedWrite::new(sender, UbjsonCodec::<()>::new());
            for _ in 0..10_000 {
                sender.feed(KeepAlive).await.unwrap();
            }
            sender.send(true).await.unwrap();
        });
        let mut receiver = FramedRead::new(receiver, UbjsonCodec::<bool>::new());
        assert!(receiver.next().await.unwrap().unwrap());
        assert!(receiver.read_buffer().capacity() <= 16 * 1024);
        assert!(receiver.next().await.is_none());
        task.await.unwrap();
    });
}

/// Gives a document and then fails.
struct Failing {
    rest: &'static [u8],
}

impl AsyncRead for Failing {
    fn poll_read(mut self: Pin<&mut Self>, _: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        if self.rest.is_empty() {
            return Poll::Ready(Err(io::ErrorKind::ConnectionReset.into()));
        }
        buf.put_slice(std::mem::take(&mut self.rest));
        Poll::Ready(Ok(()))
    }
}

#[test]
fn an_io_error_comes_through_as_one() {
    run(async {
        let mut stream = FramedRead::new(Failing { rest: b"T" }, UbjsonCodec::<bool>::new());
        assert!(stream.next().await.unwrap().unwrap());
        let error = stream.next().await.unwrap().unwrap_err();
        assert_eq!(error.io_error_kind(), Some(io::ErrorKind::ConnectionReset));
    });
}

#[test]
fn the_default_codecs_are_those_with_the_default_options() {
    let mut codec = UbjsonCodec::<Doc>::default();
    assert_eq!(format!("{codec:?}"), format!("{:?}", UbjsonCodec::<Doc>::new()));
    let mut buffer = BytesMut::from(&b"[i\x01]"[..]);
    assert_eq!(codec.decode(&mut buffer).unwrap(), Some(Doc::Array(vec![Doc::Int(1)])));
    let mut buffer = BytesMut::from(&b"[i\x01]T"[..]);
    let document = DocumentCodec::default().decode(&mut buffer).unwrap();
    assert_eq!(document.as_deref(), Some(&b"[i\x01]"[..]));
}
