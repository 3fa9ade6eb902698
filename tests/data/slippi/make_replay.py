#!/usr/bin/env python3
"""Writes replay.slp, replay.json and in_progress.slp beside itself, the same bytes each time.

A Slippi replay is one UBJSON object: the game's events as bytes under "raw", then "metadata". This is a
made-up game of 127 frames in the event layout of replay version 1.7.1. The UBJSON around the events is spelled
out byte by byte and not left to an encoder, so that the files bear witness against ours.
"""

import hashlib
import json
import struct
from pathlib import Path

FIRST_FRAME, LAST_FRAME = -123, 3
# Port, name, code, character id on the select screen and inside the game.
PLAYERS = [(0, "Zoë", "ZOE#104", 9, 18), (1, "hanako", "HANA#7", 0, 2)]
SIZES = {0x36: 417, 0x37: 63, 0x38: 37, 0x39: 1}


def text(value):
    data = value.encode()
    return b"U" + struct.pack(">B", len(data)) + data


def string(value):
    return b"S" + text(value)


def int32(value):
    return b"l" + struct.pack(">i", value)


def entries(*pairs):
    return b"{" + b"".join(text(key) + value for key, value in pairs) + b"}"


def event(code, payload):
    assert len(payload) == SIZES[code], (hex(code), len(payload))
    return bytes([code]) + payload


def event_sizes():
    table = b"".join(struct.pack(">BH", *entry) for entry in SIZES.items())
    return struct.pack(">BB", 0x35, 1 + len(table)) + table


def game_start():
    # Four stocks, eight minutes, on the stage with id 31.
    info = bytearray(0x138)
    info[0x00:0x04] = b"\x32\x01\x86\x4c"
    info[0x0B:0x0D] = b"\xff\xff"
    struct.pack_into(">HI", info, 0x0E, 31, 480)
    struct.pack_into(">fff", info, 0xD0, 1.0, 1.0, 1.0)
    for port in range(6):
        player = 0x60 + 0x24 * port
        info[player : player + 3] = b"\x21\x03\x04"  # nobody
        struct.pack_into(">ffff", info, player + 0x10, 0.0, 1.0, 1.0, 1.0)
    for port, _, _, character, _ in PLAYERS:
        player = 0x60 + 0x24 * port
        info[player : player + 3] = bytes([character, 0, 4])
        info[player + 5] = port
    seed = struct.pack(">I", 0x5EED1234)
    fixes = struct.pack(">II", 1, 1) * 4
    return event(0x36, bytes([1, 7, 1, 0]) + bytes(info) + seed + fixes + bytes(64) + b"\x00")


def frame(number, port, character):
    # Both walk to the middle and sway there.
    side = -1.0 if port == 0 else 1.0
    x = side * max(4.0, 38.75 - 0.5 * (number - FIRST_FRAME)) + abs(number % 16 - 8) / 8.0
    place = struct.pack(">fff", x, 0.0, -side)
    head = struct.pack(">iBB", number, port, 0)
    stick = struct.pack(">fffff", -side * 0.6, 0.0, 0.0, 0.0, 0.0)
    before = head + struct.pack(">IH", 0x5EED1234, 15) + place + stick
    before += struct.pack(">IHffbf", 0, 0, 0.0, 0.0, 48, 0.0)
    after = head + struct.pack(">BH", character, 15) + place
    after += struct.pack(">ffBBBBf", 0.0, 60.0, 0, 0, 6, 4, float(number % 20))
    return event(0x37, before) + event(0x38, after)


def events(last_frame):
    frames = b"".join(
        frame(number, port, character)
        for number in range(FIRST_FRAME, last_frame + 1)
        for port, _, _, _, character in PLAYERS
    )
    return event_sizes() + game_start() + frames


def header(raw_length):
    return b"{" + text("raw") + b"[$U#l" + struct.pack(">i", raw_length)


def metadata():
    frames = LAST_FRAME - FIRST_FRAME + 1
    players = entries(
        *(
            (
                str(port),
                entries(
                    ("names", entries(("netplay", string(name)), ("code", string(code)))),
                    ("characters", entries((str(character), int32(frames)))),
                ),
            )
            for port, name, code, _, character in PLAYERS
        )
    )
    return entries(
        ("startAt", string("2024-02-29T18:30:05Z")),
        ("lastFrame", int32(LAST_FRAME)),
        ("players", players),
        ("playedOn", string("dolphin")),
    )


def expected(raw):
    return {
        "raw": {"length": len(raw), "sha256": hashlib.sha256(raw).hexdigest()},
        "metadata": {
            "startAt": "2024-02-29T18:30:05Z",
            "lastFrame": LAST_FRAME,
            "players": {
                str(port): {
                    "names": {"netplay": name, "code": code},
                    "characters": {str(character): LAST_FRAME - FIRST_FRAME + 1},
                }
                for port, name, code, _, character in PLAYERS
            },
            "playedOn": "dolphin",
        },
    }


def main():
    folder = Path(__file__).resolve().parent
    raw = events(LAST_FRAME) + event(0x39, b"\x02")
    replay = header(len(raw)) + raw + text("metadata") + metadata() + b"}"
    (folder / "replay.slp").write_bytes(replay)
    text_form = json.dumps(expected(raw), ensure_ascii=False, indent=1) + "\n"
    (folder / "replay.json").write_text(text_form, encoding="utf-8")
    # A recorder writes the length when it closes the file; one that died leaves 0, and its last frame half written.
    (folder / "in_progress.slp").write_bytes(header(0) + events(-104)[:-17])


if __name__ == "__main__":
    main()
