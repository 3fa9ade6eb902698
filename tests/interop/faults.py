"""What is known to go wrong in the peers' versions that are compared with, and in which cases exactly.

A case that differs without an entry here fails, and so does a case that an entry covers and that does not differ: a fix
on either side shows.
"""

import math
import struct


class Fault:
    def __init__(self, peer, act, what, covers):
        self.peer = peer
        self.act = act
        self.what = what
        self.covers = covers


def of(case):
    """The known faults that a case shows."""
    return [
        fault for fault in KNOWN if fault.peer == case.peer and fault.act == case.act and fault.covers(case)
    ]


def rounds_to_float32(case):
    """py-ubjson and bjdata take `d` for every float within float32's range of exponents when they may."""
    return case.writes == "float32" and any(
        isinstance(number, float)
        and 1.18e-38 <= abs(number) <= 3.4e38
        and struct.unpack(">f", struct.pack(">f", number))[0] != number
        for number in case.numbers
    )


def has_integer_beyond_doubles(case):
    return any(isinstance(number, int) and int(float(number)) != number for number in case.numbers)


def has_integer_beyond_64_bits(case):
    return has_integer_beyond_doubles(case) and any(not -(2**63) <= number < 2**64 for number in case.numbers)


def has_negative_zero(case):
    return any(number == 0 and math.copysign(1, number) < 0 for number in case.numbers)


def is_not_draft_12(case):
    return any(form.startswith("not UBJSON") for form in case.forms)


def has_wide_typed_array(case):
    return not case.forms.isdisjoint({"[$I", "[$l", "[$L", "[$d", "[$D"})


def is_counted(case):
    """Any counted or typed container but the one form of byte arrays."""
    return any(form[0] in "[{" and form[1:] and form != "[$U" for form in case.forms)


KNOWN = [
    Fault(
        "py-ubjson c",
        "writes",
        "asked for float32, it rounds what float32 does not hold",
        rounds_to_float32,
    ),
    Fault(
        "py-ubjson pure",
        "writes",
        "asked for float32, it rounds what float32 does not hold",
        rounds_to_float32,
    ),
    Fault(
        "py-ubjson pure",
        "reads",
        "an empty counted container swallows the byte behind it",
        lambda case: not case.forms.isdisjoint({"empty [#", "empty {#"}),
    ),
    Fault(
        "bjdata c",
        "writes",
        "its big-endian mode still writes BJData's unsigned markers `u`, `m` and `M`",
        is_not_draft_12,
    ),
    Fault(
        "bjdata pure",
        "writes",
        "its big-endian mode still writes BJData's unsigned markers `u`, `m` and `M`",
        is_not_draft_12,
    ),
    Fault(
        "bjdata c",
        "writes",
        "asked for float32, it rounds what float32 does not hold",
        rounds_to_float32,
    ),
    Fault(
        "bjdata pure",
        "writes",
        "asked for float32, it rounds what float32 does not hold",
        rounds_to_float32,
    ),
    Fault(
        "bjdata c",
        "reads",
        "its big-endian mode reads the elements of typed arrays little-endian",
        has_wide_typed_array,
    ),
    Fault(
        "bjdata pure",
        "reads",
        "its big-endian mode reads the elements of typed arrays little-endian",
        has_wide_typed_array,
    ),
    Fault(
        "bjdata pure",
        "reads",
        "an empty counted container swallows the byte behind it",
        lambda case: not case.forms.isdisjoint({"empty [#", "empty {#"}),
    ),
    Fault(
        "shelacek",
        "writes",
        "JavaScript's numbers are doubles: integers beyond 2^53 are rounded before they are written",
        has_integer_beyond_doubles,
    ),
    Fault(
        "shelacek",
        "writes",
        "-0.0 is written as the integer 0, but in a typed array of floats",
        lambda case: has_negative_zero(case) and case.writes != "typedarrays",
    ),
    Fault(
        "shelacek",
        "reads",
        "without handlers int64 and high-precision numbers are errors, and int64 lengths too",
        lambda case: case.reads == "default" and not case.forms.isdisjoint({"L", "H", "length L"}),
    ),
    Fault(
        "json-pack",
        "writes",
        "JavaScript's numbers are doubles: integers beyond 2^53 are rounded before they are written",
        has_integer_beyond_doubles,
    ),
    Fault(
        "json-pack",
        "writes",
        "-0.0 is written as the integer 0",
        has_negative_zero,
    ),
    Fault(
        "json-pack",
        "reads",
        "it knows no counted and no typed container but `[$U#`: wrong values, errors and endless loops",
        is_counted,
    ),
    Fault(
        "json-pack",
        "reads",
        "high-precision numbers are unknown to it",
        lambda case: "H" in case.forms,
    ),
    Fault(
        "json-pack",
        "reads",
        "int64 lengths are errors",
        lambda case: "length L" in case.forms,
    ),
    Fault(
        "nlohmann",
        "writes",
        "integers beyond 64 bits are read from JSON as doubles",
        has_integer_beyond_64_bits,
    ),
    Fault(
        "nlohmann",
        "reads",
        "high-precision integers beyond 64 bits become doubles",
        has_integer_beyond_64_bits,
    ),
]
