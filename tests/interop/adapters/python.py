"""py-ubjson and bjdata as peers, each as its C extension and in pure Python.

Answers requests, one JSON object a line, as `src/main.rs` does: `python.py MODULE c` or `python.py MODULE pure`.
"""

import decimal
import importlib
import json
import sys

ENCODE = {
    "default": {},
    "counted": {"container_count": True},
    "sorted": {"sort_keys": True},
    "float32": {"no_float32": False},
}
DECODE = {
    "default": {},
    "no_bytes": {"no_bytes": True},
    "interned": {"intern_object_keys": True},
    "pairs": {"object_pairs_hook": dict},
}


def plain(value):
    """What json can write: bytes and arrays as lists, a decimal as the integer it is or the float nearest to it."""
    if isinstance(value, (bytes, bytearray)):
        return list(value)
    if isinstance(value, decimal.Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if hasattr(value, "tolist"):
        # numpy's, which bjdata makes of typed arrays.
        return value.tolist()
    if isinstance(value, list):
        return [plain(element) for element in value]
    if isinstance(value, dict):
        return {key: plain(element) for key, element in value.items()}
    return value


def codec(name, kind):
    package = importlib.import_module(name)
    if kind == "c":
        if not package.EXTENSION_ENABLED:
            raise ImportError(f"{name} came without its C extension")
        dumpb, loadb = package.dumpb, package.loadb
    else:
        dumpb = importlib.import_module(name + ".encoder").dumpb
        loadb = importlib.import_module(name + ".decoder").loadb
    # The big-endian mode of bjdata is its UBJSON side.
    fixed = {"islittle": False} if name == "bjdata" else {}

    def encode(setting, document):
        return dumpb(document, **ENCODE[setting], **fixed)

    def decode(setting, data):
        return plain(loadb(data, **DECODE[setting], **fixed))

    return encode, decode


def main():
    sys.setrecursionlimit(10_000)
    encode, decode = codec(*sys.argv[1:])
    for line in sys.stdin:
        request = json.loads(line)
        try:
            if request["act"] == "encode":
                answer = {"hex": encode(request["setting"], json.loads(request["json"])).hex()}
            else:
                answer = {"json": json.dumps(decode(request["setting"], bytes.fromhex(request["hex"])))}
        except Exception as error:  # whatever a peer raises is its answer
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)


main()
