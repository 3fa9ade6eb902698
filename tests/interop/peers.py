"""Installs the peers under target/, and talks to each through its adapter."""

import json
import os
import pathlib
import select
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
PROJECT = HERE.parent.parent
BUILD = pathlib.Path(os.environ.get("CARGO_TARGET_DIR") or PROJECT / "target").resolve() / "interop"

# How long one answer may take, in seconds.
PATIENCE = 120


class Unavailable(Exception):
    """A peer that this machine does not have and cannot install; the text says why."""


def command(arguments, what, **options):
    """Runs an installing command; its failure makes `what` unavailable."""
    try:
        subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, **options)
    except FileNotFoundError:
        raise Unavailable(f"{what}: there is no {arguments[0]} here") from None
    except subprocess.CalledProcessError as error:
        # The last line says what is wrong, but npm's says where its log is.
        lines = [line for line in error.stderr.splitlines() if line.strip() and " log " not in line]
        raise Unavailable(f"{what}: {lines[-1] if lines else 'no message'}") from None


def is_installed(folder, wanted):
    """Whether `folder` was installed from the list `wanted` as it is now."""
    stamp = folder / "installed-from"
    return stamp.is_file() and stamp.read_text() == wanted.read_text()


def mark_installed(folder, wanted):
    shutil.copyfile(wanted, folder / "installed-from")


def build_package(folder, name):
    """A Rust package beside this file; the path of its program. Its failure is not a missing peer but an error."""
    arguments = ["cargo", "build", "--quiet", "--release", "--manifest-path", str(folder / "Cargo.toml")]
    subprocess.run([*arguments, "--target-dir", str(BUILD / "cargo")], check=True)
    return BUILD / "cargo" / "release" / name


def peppi():
    manifest = str(HERE / "peppi" / "Cargo.toml")
    command(["cargo", "fetch", "--quiet", "--manifest-path", manifest], "peppi")
    return build_package(HERE / "peppi", "ubjson-interop-peppi")


def python():
    """The interpreter of a virtual environment with the Python packages."""
    folder, wanted = BUILD / "venv", HERE / "requirements.txt"
    program = folder / "bin" / "python"
    if not is_installed(folder, wanted):
        what = "Python packages"
        command([sys.executable, "-m", "venv", "--clear", str(folder)], what)
        command([str(program), "-m", "pip", "install", "--quiet", "--requirement", str(wanted)], what)
        mark_installed(folder, wanted)
    return program


def node():
    """The folder with the Node packages."""
    folder, wanted = BUILD / "node", HERE / "package.json"
    if not is_installed(folder, wanted):
        if shutil.which("node") is None:
            raise Unavailable("Node packages: there is no node here")
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        shutil.copyfile(wanted, folder / "package.json")
        arguments = ["npm", "install", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"]
        command(arguments, "Node packages", cwd=folder)
        mark_installed(folder, wanted)
    return folder / "node_modules"


def nlohmann():
    """The adapter over nlohmann/json, from the system's headers or from Debian's package, unpacked under target/."""
    folder, source = BUILD / "nlohmann", HERE / "adapters" / "nlohmann.cpp"
    program = folder / "adapter"
    if is_installed(folder, source):
        return program
    what, includes = "nlohmann/json", []
    folder.mkdir(parents=True, exist_ok=True)
    if not pathlib.Path("/usr/include/nlohmann/json.hpp").is_file():
        command(["apt-get", "download", "nlohmann-json3-dev"], what, cwd=folder)
        for package in folder.glob("*.deb"):
            command(["dpkg", "--extract", str(package), str(folder)], what)
        includes = ["-I", str(folder / "usr/include")]
    command(["g++", "-std=c++17", "-O1", *includes, "-o", str(program), str(source)], what)
    mark_installed(folder, source)
    return program


class Adapter:
    """A program that answers requests, one JSON object a line."""

    def __init__(self, arguments, **environment):
        self.arguments = [str(argument) for argument in arguments]
        self.environment = {**os.environ, **environment}
        self.process = None

    def ask(self, **request):
        """The answer, or `{"error": ...}` where the program crashes or keeps silent."""
        if self.process is None:
            self.process = subprocess.Popen(
                self.arguments,
                env=self.environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        try:
            self.process.stdin.write(json.dumps(request).encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            return self.lost("crash")
        ready, _, _ = select.select([self.process.stdout], [], [], PATIENCE)
        if not ready:
            return self.lost("no answer")
        line = self.process.stdout.readline()
        return json.loads(line) if line else self.lost("crash")

    def lost(self, how):
        self.close()
        return {"error": how}

    def close(self):
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None


class Peer:
    """An implementation, the settings that it writes with and those that it reads with."""

    def __init__(self, name, adapter, writes, reads):
        self.name = name
        self.adapter = adapter
        self.writes = writes
        self.reads = reads


def document_peers(skip):
    """Every peer for documents that can be had here; `skip` is told of the others."""
    peers = []
    try:
        program = python()
        for name in ("py-ubjson", "bjdata"):
            module = {"py-ubjson": "ubjson"}.get(name, name)
            for kind in ("c", "pure"):
                adapter = Adapter([program, HERE / "adapters/python.py", module, kind])
                writes = ["default", "counted", "sorted", "float32"]
                peers.append(Peer(f"{name} {kind}", adapter, writes, ["default", "no_bytes", "interned", "pairs"]))
    except Unavailable as reason:
        skip(reason)
    try:
        packages = str(node())
        adapters = {
            name: Adapter(["node", HERE / "adapters/node.js", name], NODE_PATH=packages)
            for name in ("shelacek", "json-pack")
        }
        writes = ["default", "arrays", "objects", "arrays objects", "typedarrays"]
        reads = ["default", "handlers", "handlers typedarrays"]
        peers.append(Peer("shelacek", adapters["shelacek"], writes, reads))
        peers.append(Peer("json-pack", adapters["json-pack"], ["default", "bytes"], ["default"]))
    except Unavailable as reason:
        skip(reason)
    try:
        peers.append(Peer("nlohmann", Adapter([nlohmann()]), ["default", "count", "count type"], ["default"]))
    except Unavailable as reason:
        skip(reason)
    return peers
