"""Game replays that went through this crate's structs, read by the programs that replays are for."""

import json
import os
import subprocess

import documents
import peers

# What parsers of replays compare without reading it: `{`, the key, a typed array of uint8, the count's marker.
HEADER = b"{U\x03raw[$U#l"


def replays():
    yield documents.PROJECT / "tests/data/slippi/replay.slp"
    shared = documents.SHARED / "slippi"
    if shared.is_dir():
        # A recording in progress is no UBJSON yet.
        yield from (path for path in sorted(shared.glob("*.slp")) if path.stem != "corrupt")
    else:
        print(f"{shared} is not here: its replays are left out")


def describe(arguments, paths, environment):
    """What a program says of each file, one line of JSON each."""
    arguments = [str(argument) for argument in [*arguments, *paths]]
    done = subprocess.run(arguments, env={**os.environ, **environment}, stdout=subprocess.PIPE, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def programs(skip):
    """Name, command and environment of each reader of replays that can be had here."""
    try:
        yield "slippi-js", ["node", peers.HERE / "adapters/slippi.js"], {"NODE_PATH": str(peers.node())}
    except peers.Unavailable as reason:
        skip(reason)
    try:
        yield "peppi", [peers.peppi()], {}
    except peers.Unavailable as reason:
        skip(reason)


def run(program, skip):
    """Rewrites every replay and asks each program what is in it; the number of comparisons and the failures."""
    folder = peers.BUILD / "replays"
    folder.mkdir(parents=True, exist_ok=True)
    originals = list(replays())
    rewritten = [folder / path.name for path in originals]
    compared, failures = 0, []
    for original, written in zip(originals, rewritten):
        subprocess.run([str(program), "replay", str(original), str(written)], check=True)
        compared += 1
        if written.read_bytes()[: len(HEADER)] != HEADER:
            failures.append(f"{original.name}: the header is {written.read_bytes()[: len(HEADER)]}")
    for name, command, environment in programs(skip):
        before = describe(command, originals, environment)
        after = describe(command, rewritten, environment)
        for original, one, other in zip(originals, before, after, strict=True):
            compared += 1
            if isinstance(one, str) or not one["frames"] or not one["metadata"]:
                failures.append(f"{name} does not read {original.name} as it was: {one}")
            elif one != other:
                failures.append(f"{name} reads {original.name} otherwise after it was rewritten")
        print(f"{name}: {len(originals)} replays read as before they were rewritten", flush=True)
    return compared, failures
