"""The documents that are exchanged with every peer: made here, from tests/data, and, where it lies beside the project,
from the shared corpus."""

import json
import pathlib

PROJECT = pathlib.Path(__file__).resolve().parent.parent.parent
SHARED = PROJECT.parent / "shared" / "corpus"

EDGES = [0, 1, -1, 127, 128, -128, -129, 255, 256, 32767, 32768, -32768, -32769, 65535, 65536]
WIDE = [2**31 - 1, 2**31, -(2**31), -(2**31) - 1, 2**53, -(2**53), 2**53 + 1, 2**63 - 1, -(2**63)]


def made_here():
    """Every kind of value, and containers around each threshold of the writers' rules."""
    yield "null", None
    yield "booleans", [True, False, True, True, False]
    yield "integers", {str(number): number for number in EDGES}
    yield "wide-integers", {str(number): number for number in WIDE}
    yield "beyond-int64", [2**63, 2**64 - 1]
    yield "beyond-uint64", [2**64, 10**30, -(2**63) - 1]
    yield "floats", {"a": 0.5, "b": 0.1, "c": 1.0, "d": 1e300, "e": -2.5e-7, "f": 0.0}
    yield "negative-zero", [-0.0]
    yield "subnormal", [5e-324, 2.2250738585072009e-308]
    yield "smallest-normal", 2.2250738585072014e-308
    yield "largest", 1.7976931348623157e308
    yield "strings", ["", "a", "\x7f", "\u00e9", "\u20ac", "\U0001f600", "two words", "nul\0inside"]
    for length in (127, 128, 254, 255, 256, 300, 32767, 32768):
        yield f"string-{length}", "x" * length
    yield "string-beyond-bytes", "\u20ac" * 100
    yield "key-300", {"k" * 300: 1}
    yield "empty-key", {"": None}
    yield "empties", [[], {}, [], {}, [[]], [{}], {"a": [], "b": {}}]
    yield "empty-array", []
    yield "empty-object", {}
    yield "int8s", list(range(-4, 4))
    yield "uint8s", list(range(120, 140))
    yield "int16s", [1000 + number for number in range(12)]
    yield "int32s", [100_000 * number for number in range(1, 9)]
    yield "int64s", [2**40 + number for number in range(5)]
    yield "mixed-widths", [-1, 200, 300, 70_000, 2**40, 1, 2, 3]
    yield "few-of-all-widths", [1, 2, 3, 2**40]
    yield "float64s", [0.1 * number for number in range(10)]
    yield "float32s", [0.5 * number for number in range(1, 9)]
    yield "floats-and-integers", [1, 2.5, 3, 4.5]
    yield "long-bytes", [number % 256 for number in range(1000)]
    yield "long-strings", [f"element {number}" for number in range(300)]
    yield "long-nulls", [None] * 300
    yield "rows-of-floats", [[0.1 * row, -1.5, 1e10, float(row) + 0.25] for row in range(20)]
    yield "rows-of-mixed", [[row, f"row {row}", row * 0.1, row % 2 == 0, None] for row in range(20)]
    yield "rows-of-objects", [{"id": row, "name": f"n{row}", "tags": ["a", "b"]} for row in range(300)]
    yield "object-15", {f"k{number}": number for number in range(15)}
    yield "object-16", {f"k{number}": number for number in range(16)}
    yield "object-300", {f"k{number}": [number] for number in range(300)}
    yield "keys", {"\u00fc": 1, "two words": 2, "\U0001f600": 3, "N": 4, "}": 5}
    nested = []
    for level in range(100):
        nested = [nested] if level % 2 else {"a": nested}
    yield "nested", nested


def from_files(pattern, folder, prefix):
    for path in sorted(folder.glob(pattern)):
        text = path.read_text(encoding="utf-8")
        yield prefix + path.stem, json.loads(text)


def all_documents():
    """(name, value) of each."""
    yield from made_here()
    yield from from_files("*.json", PROJECT / "tests/data/xgboost", "model-")
    yield from from_files("*.json", PROJECT / "tests/data/slippi", "replay-")
    if SHARED.is_dir():
        yield from from_files("*.json", SHARED / "documents", "shared-")


def numbers(value):
    """Every number in a document."""
    if isinstance(value, bool):
        return
    if isinstance(value, (int, float)):
        yield value
    elif isinstance(value, list):
        for element in value:
            yield from numbers(element)
    elif isinstance(value, dict):
        for element in value.values():
            yield from numbers(element)
