"""Documents from every peer to this crate, and from this crate to every peer."""

import collections
import json
import math

import documents
import faults
import wire

# What this crate writes with and reads from; see `src/documents.rs`.
WRITES = [
    "auto",
    "counted",
    "plain",
    "auto uint8first",
    "auto int32",
    "auto int64",
    "counted int64",
    "plain int64",
    "auto declared",
    "plain declared",
    "auto compact",
]
READS = ["slice", "reader", "seekable"]


class Case:
    """One document on one way; `writes` and `reads` are the settings of the two sides."""

    def __init__(self, peer, act, writes, reads, name, document, data):
        self.peer = peer
        # What the peer does: "writes" or "reads".
        self.act = act
        self.writes = writes
        self.reads = reads
        self.name = name
        self.document = document
        self.numbers = list(documents.numbers(document))
        self.forms = forms(data)

    def __str__(self):
        return f"{self.peer} {self.act} {self.name} ({self.writes} -> {self.reads})"


def forms(data):
    try:
        return wire.forms(data)
    except ValueError as error:
        return {f"not UBJSON: {error}"}


def difference(expected, found, path="$"):
    """Where and how a value differs, or None. Numbers are equal by value, whatever their type; -0.0 is not 0.0."""
    if isinstance(expected, bool) or expected is None or isinstance(expected, str):
        return None if type(expected) is type(found) and expected == found else described(path, expected, found)
    if isinstance(expected, (int, float)):
        same = (
            isinstance(found, (int, float))
            and not isinstance(found, bool)
            and expected == found
            and (not isinstance(expected, float) or math.copysign(1, expected) == math.copysign(1, found))
        )
        return None if same else described(path, expected, found)
    if isinstance(expected, list):
        if not isinstance(found, list) or len(found) != len(expected):
            return described(path, expected, found)
        pairs = ((f"{path}[{at}]", expected[at], found[at]) for at in range(len(expected)))
    else:
        if not isinstance(found, dict) or found.keys() != expected.keys():
            return described(path, expected, found)
        pairs = ((f"{path}.{key}", expected[key], found[key]) for key in expected)
    return next(filter(None, (difference(one, other, place) for place, one, other in pairs)), None)


def described(path, expected, found):
    return f"{path} is {str(found)[:60]}, expected {str(expected)[:60]}"


class Exchange:
    def __init__(self, ours):
        self.ours = ours
        self.compared = 0
        self.failures = []
        self.shown = collections.Counter()

    def judge(self, case, outcome):
        """Holds what came of a case against the list of known faults."""
        self.compared += 1
        expected = faults.of(case)
        for fault in expected:
            self.shown[fault] += 1
        if outcome and not expected:
            self.failures.append(f"{case}: {outcome}")
        if expected and not outcome:
            self.failures.append(f"{case}: no longer shows: {expected[0].what}")

    def peer_writes(self, peer, name, document):
        text = json.dumps(document)
        for setting in peer.writes:
            written = peer.adapter.ask(act="encode", setting=setting, json=text)
            data = bytes.fromhex(written.get("hex", ""))
            for reads in READS:
                case = Case(peer.name, "writes", setting, reads, name, document, data)
                outcome = written.get("error") or self.read(self.ours, reads, data, document)
                self.judge(case, outcome)

    def peer_reads(self, peer, name, document):
        text = json.dumps(document)
        for setting in WRITES:
            written = self.ours.ask(act="encode", setting=setting, json=text)
            if "error" in written:
                self.failures.append(f"{name} is not written ({setting}): {written['error']}")
                continue
            data = bytes.fromhex(written["hex"])
            for reads in peer.reads:
                case = Case(peer.name, "reads", setting, reads, name, document, data)
                # Endless loops that are known are not waited for.
                timeout = {"timeout": 50} if faults.of(case) else {}
                self.judge(case, self.read(peer.adapter, reads, data, document, **timeout))

    def read(self, adapter, setting, data, document, **options):
        """What is wrong with the document that an adapter reads, or None."""
        found = adapter.ask(act="decode", setting=setting, hex=data.hex(), **options)
        if "error" in found:
            return found["error"]
        return difference(document, json.loads(found["json"]))


def run(ours, peers):
    """Exchanges every document with every peer; the number of comparisons and the failures."""
    exchange = Exchange(ours)
    everything = list(documents.all_documents())
    if not documents.SHARED.is_dir():
        print(f"{documents.SHARED} is not here: its documents are left out")
    for peer in peers:
        before = exchange.compared
        for name, document in everything:
            exchange.peer_writes(peer, name, document)
            exchange.peer_reads(peer, name, document)
        peer.adapter.close()
        print(f"{peer.name}: {exchange.compared - before} comparisons over {len(everything)} documents", flush=True)
    for fault in faults.KNOWN:
        if fault.peer in {peer.name for peer in peers}:
            print(f"known fault, {exchange.shown[fault]} times: {fault.peer} {fault.act}: {fault.what}")
            if not exchange.shown[fault]:
                exchange.failures.append(f"known fault of {fault.peer} that no document shows: {fault.what}")
    return exchange.compared, exchange.failures
