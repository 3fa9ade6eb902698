#!/usr/bin/env python3
"""Compares this crate with programs that nobody here wrote: `tests/interop/run.py`.

Installs the peers under target/interop. What cannot be installed is named and left out; a comparison that differs fails.
"""

import sys

import exchange
import models
import peers
import replays


def main():
    # Documents nest deeper than Python expects.
    sys.setrecursionlimit(10_000)
    skipped = []

    def skip(reason):
        print(f"left out, {reason}")
        skipped.append(reason)

    program = peers.build_package(peers.HERE, "ubjson-interop")
    ours = peers.Adapter([program, "documents"])
    results = [
        models.run(program, skip),
        replays.run(program, skip),
        exchange.run(ours, peers.document_peers(skip)),
    ]
    ours.close()
    compared = sum(count for count, _ in results)
    failures = [failure for _, section in results for failure in section]

    for failure in failures[:100]:
        print(f"FAILED {failure}")
    print(f"{compared - len(failures)} passed, {len(failures)} failed, {len(skipped)} skipped")
    return 1 if failures else 0


sys.exit(main())
