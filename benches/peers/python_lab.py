#!/usr/bin/env python3
"""The pickle-versus-JSON round-trip lab, on the rows that the Rust programs measure.

    python3 python_lab.py [--quick]

Prints the lab's ratios for Python's json (compact), pickle and, where it is installed, py-ubjson,
and below them the same ratios for Rust's serde_json and this crate, from the `peers` program,
which also makes the rows. Each figure is the median (p50) of the operations a second, divided by
compact JSON's; the contenders take turns, and the clock counts the process's CPU time only.
"""

import argparse
import json
import pickle
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

try:
    import ubjson
except ImportError:
    ubjson = None

HERE = Path(__file__).resolve().parent
SIZES = ("tiny", "small", "medium")
OPERATIONS = ("encode", "decode", "round-trip")
OURS = "ubjson"


def peers(*arguments):
    command = ["cargo", "run", "--release", "--quiet", "--manifest-path", str(HERE / "Cargo.toml"), "--"]
    return subprocess.run([*command, *arguments], check=True, stdout=subprocess.PIPE, text=True)


def contenders():
    """Name, encoder and decoder; the first is what the others are compared with."""

    def compact(value):
        return json.dumps(value, separators=(",", ":"))

    yield "json, compact", compact, json.loads
    yield f"pickle, protocol {pickle.HIGHEST_PROTOCOL}", pickle_highest, pickle.loads
    if ubjson is None:
        print("py-ubjson is not installed (`pip install py-ubjson`); it is left out.\n")
    else:
        kind = "C extension" if ubjson.EXTENSION_ENABLED else "pure Python"
        yield f"py-ubjson, {kind}", ubjson.dumpb, ubjson.loadb


def pickle_highest(value):
    return pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)


def work(operation, value, encode, decode):
    document = encode(value)
    if decode(document) != value:
        raise SystemExit(f"{encode} and {decode} do not give the value back")
    if operation == "encode":
        return lambda: encode(value)
    if operation == "decode":
        return lambda: decode(document)
    return lambda: decode(encode(value))


def slice_of(run, seconds):
    """Seconds of each run, for as long as a slice lasts."""
    samples = []
    end = time.process_time() + seconds
    while not samples or time.process_time() < end:
        start = time.process_time()
        run()
        samples.append(time.process_time() - start)
    return samples


def measure(operation, value, formats, rounds, seconds):
    """Median operations a second by name."""
    runs = {name: work(operation, value, encode, decode) for name, encode, decode in formats}
    samples = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            samples[name] += slice_of(run, seconds)
    return {name: 1 / statistics.median(times) for name, times in samples.items()}


def row(name, speeds, baseline, size, baseline_size, quantity):
    figures = [f"{speeds[operation] / baseline[operation]:.2f}" for operation in OPERATIONS]
    if speeds is baseline:
        figures = [f"1.00 = {speeds[operation]:,.0f}/s" for operation in OPERATIONS]
    print(f"| {quantity} | {name} | {size:,} ({size / baseline_size:.2f}) | {' | '.join(figures)} |")


def python_rows(folder, rounds, seconds):
    formats = list(contenders())
    head()
    for size in SIZES:
        value = json.loads((folder / f"{size}.json").read_text())
        speeds = {operation: measure(operation, value, formats, rounds, seconds) for operation in OPERATIONS}
        by_name = {name: {o: speeds[o][name] for o in OPERATIONS} for name, _, _ in formats}
        baseline = by_name[formats[0][0]]
        baseline_size = len(formats[0][1](value))
        for name, encode, _ in formats:
            row(name, by_name[name], baseline, len(encode(value)), baseline_size, size)


def rust_rows(folder, quick):
    figures = folder / "figures.json"
    peers(
        "--filter", "/encode", "--filter", "/decode", "--filter", "round-trip", "--contender", OURS, "--out", str(folder), "--json", str(figures),
        *(["--quick"] if quick else []),
    )
    found = {}
    sizes = {}
    for figure in json.loads(figures.read_text()):
        key = (figure["payload"].removeprefix("rows-"), figure["contender"])
        found.setdefault(key, {})[figure["operation"]] = 1e9 / figure["nanoseconds"]
        sizes[key] = figure["bytes"]
    head()
    for size in SIZES:
        baseline = found[size, "serde_json"]
        for name in ("serde_json", OURS):
            if (size, name) in found:
                row(name, found[size, name], baseline, sizes[size, name], sizes[size, "serde_json"], size)


def head():
    print("| rows | format | bytes (of JSON's) | encode | decode | round trip |")
    print("|---|---|--:|--:|--:|--:|")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="whether it runs, not how fast")
    quick = parser.parse_args().quick
    rounds, seconds = (1, 0) if quick else (15, 0.02)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        peers("dump", str(folder))
        print("Python: times as fast as compact json\n")
        python_rows(folder, rounds, seconds)
        print("\nRust: times as fast as serde_json\n")
        rust_rows(folder, quick)


if __name__ == "__main__":
    main()
