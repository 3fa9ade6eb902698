"""A reader of UBJSON draft 12 that gives no values: which forms stand in some bytes."""

import struct

INTEGERS = {"i": "b", "U": "B", "I": "h", "l": "i", "L": "q"}
WIDTHS = {"Z": 0, "T": 0, "F": 0, "i": 1, "U": 1, "C": 1, "I": 2, "l": 4, "d": 4, "L": 8, "D": 8}


def forms(data):
    """The set of what occurs, each named by its letters:

    `L` and the other markers of values; `length L` and the like of keys, strings and counts; `[#` and `{#` counted
    containers; `[$i` and the like typed ones; `empty [#` and `empty {#` those with bytes behind them.
    """
    walk = Walk(data)
    walk.value(walk.marker())
    if walk.at != len(data):
        raise ValueError(f"{len(data) - walk.at} bytes behind the document")
    return walk.found


class Walk:
    def __init__(self, data):
        self.data = data
        self.at = 0
        self.found = set()

    def take(self, length):
        if self.at + length > len(self.data):
            raise ValueError("the document is cut off")
        self.at += length
        return self.data[self.at - length : self.at]

    def marker(self):
        return chr(self.take(1)[0])

    def peek(self):
        return chr(self.data[self.at]) if self.at < len(self.data) else ""

    def length(self):
        marker = self.marker()
        if marker not in INTEGERS:
            raise ValueError(f"{marker!r} is no length's marker, at byte {self.at - 1}")
        self.found.add(f"length {marker}")
        code = ">" + INTEGERS[marker]
        return struct.unpack(code, self.take(struct.calcsize(code)))[0]

    def value(self, marker):
        self.found.add(marker)
        if marker in WIDTHS:
            self.take(WIDTHS[marker])
        elif marker in "SH":
            self.take(self.length())
        elif marker in "[{":
            self.container(marker)
        else:
            raise ValueError(f"{marker!r} is no value's marker, at byte {self.at - 1}")

    def container(self, start):
        element = None
        if self.peek() == "$":
            self.marker()
            element = self.marker()
            self.found.add(f"{start}${element}")
        if self.peek() == "#":
            self.marker()
            count = self.length()
            if element is None:
                self.found.add(f"{start}#")
                if count == 0 and self.at < len(self.data):
                    self.found.add(f"empty {start}#")
            for _ in range(count):
                self.entry(start, element)
            return
        end = {"[": "]", "{": "}"}[start]
        while self.peek() != end:
            self.entry(start, element)
        self.marker()

    def entry(self, start, element):
        if start == "{":
            self.take(self.length())
        self.value(element or self.marker())
