"""Record what the original host code launches: the host function runs, its kernels only write down their launches.

An independent witness for launch plans: geometry, argument values and allocation sizes come from running the original
text, not from slicing it.
"""

from __future__ import annotations

import re
import struct
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from migrate.oracle.api import OracleError, OracleRequest
from migrate.oracle.building import spelled
from migrate.oracle.chunks import KEYWORDS, Chunk
from migrate.oracle.extract import parse_request, text_of_chunks
from migrate.oracle.lex import Token, tokenize
from migrate.oracle.toolchain import HEADERS, call_compiler
from tilelang_runtime.support.isolate import run_isolated

_TYPE = re.compile(r"oracle_type_text\(\) \[(?:with )?T = (.*)\]$")
_ERROR = re.compile(r"^(?P<file>[^:\n]+):(?P<line>\d+):(?:\d+:)? (?:fatal )?error: (?P<message>.*)$", re.M)
_STANDARD = {
    "vector": "vector", "string": "string", "cout": "iostream", "cerr": "iostream", "endl": "iostream",
    "array": "array",
    "chrono": "chrono", "mt19937": "random", "random_device": "random", "function": "functional", "sort": "algorithm",
    "unique_ptr": "memory", "shared_ptr": "memory", "map": "map", "unordered_map": "unordered_map", "tuple": "tuple",
    "accumulate": "numeric", "iota": "numeric", "fill": "algorithm", "generate": "algorithm", "setprecision": "iomanip",
    "runtime_error": "stdexcept", "numeric_limits": "limits", "ifstream": "fstream", "stringstream": "sstream",
    "max_element": "algorithm", "transform": "algorithm", "fstream": "fstream", "ofstream": "fstream",
    "min": "algorithm", "max": "algorithm", "complex": "complex", "time": "ctime",
    "initializer_list": "initializer_list", "thread": "thread", "optional": "optional", "variant": "variant",
    "FLT_MAX": "cfloat", "FLT_EPSILON": "cfloat", "INT_MAX": "climits", "gettimeofday": "sys/time.h",
    "fesetround": "fenv.h", "mmap": "sys/mman.h", "utsname": "sys/utsname.h", "omp_get_num_procs": "omp.h",
    "set": "set",
}  # fmt: skip


@dataclass(frozen=True)
class HostBuffer:
    """A pointer argument: this many zeroed bytes."""

    bytes: int


@dataclass(frozen=True)
class RecordedArgument:
    """``raw``: little-endian bytes as hex. For pointers: ``origin`` says where the memory came from
    (``cudaMalloc:<line>``, ``argument:<index>``, empty when unknown), ``offset`` into it and its size ``bytes``."""

    c_type: str
    raw: str
    origin: str = ""
    offset: int = 0
    bytes: int = 0


@dataclass(frozen=True)
class RecordedLaunch:
    """One launch. ``function``: the instantiation as the compiler prints it (``void k(T*) [with T = float]``)."""

    kernel: str
    function: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared_bytes: int
    arguments: tuple[RecordedArgument, ...]


def record_host(
    request: OracleRequest, arguments: Sequence[int | float | str | HostBuffer] = (), *, timeout_s: float = 20
) -> tuple[RecordedLaunch, ...]:
    """Runs host function ``request.name`` (``cpp_name`` may add template arguments) and returns its launches in order.

    ``arguments``: numbers, C++ expressions as str, or `HostBuffer` for pointers. A function that fails or does not end
    still gives the launches up to there. Raises OracleError TLM703 (no such function), TLM708 (does not compile for
    recording), TLM704, TLM705.
    """
    source, chunks = parse_request(replace(request, arch=0))
    start = _find_function(request, chunks)
    text = text_of_chunks(_closure(start, chunks), source, _for_recording)
    unit = _unit(text, start, chunks, request, arguments)
    with tempfile.TemporaryDirectory(prefix="oracle-host-") as name:
        scratch = Path(name)
        (scratch / "unit.cpp").write_text(unit, encoding="latin-1")
        flags = ["-x", "c++", "-std=c++17", "-O0", "-fpermissive", "-w", "-fsigned-char", f"-I{HEADERS}"]
        done = call_compiler([*flags, "unit.cpp", "-o", "host"], scratch)
        if done.returncode != 0:
            found = _ERROR.search(done.stderr)
            message = found.group("message") if found else done.stderr.strip()[-200:]
            line = int(found.group("line")) if found and not found.group("file").startswith("/") else 0
            raise OracleError(
                "TLM708", f"the host function does not compile on its own: {message}", line, done.stderr[-2000:]
            )
        run_isolated(["./host"], cwd=scratch, timeout_s=timeout_s, memory_bytes=8 << 30, file_bytes=64 << 20)
        record = scratch / "record"
        return _read(record.read_text("utf-8", "replace") if record.is_file() else "")


@dataclass(frozen=True)
class HostParameter:
    """A parameter of a host function: its name and the words of its type as written."""

    name: str
    words: tuple[str, ...]


def host_parameters(request: OracleRequest) -> tuple[HostParameter, ...]:
    """Parameters of host function ``request.name``. Raises OracleError like `record_host`; TLM708 for a template."""
    _, chunks = parse_request(replace(request, arch=0))
    head = _head(_find_function(request, chunks).tokens)
    if any(token.text == "template" for token in head):
        raise OracleError("TLM708", "the host function is a template")
    return tuple(HostParameter(name, words) for name, words in _parameters(head))


def _find_function(request: OracleRequest, chunks: Sequence[Chunk]) -> Chunk:
    found = [
        c
        for c in chunks
        if c.kind in ("host", "device") and request.name in c.names and "{" in {t.text for t in c.tokens}
    ]
    if not found:
        raise OracleError("TLM703", f"no host function named {request.name} is left after preprocessing", request.line)
    return found[0]


def _closure(start: Chunk, chunks: Sequence[Chunk]) -> list[Chunk]:
    """Everything ``start`` names, host code included; kernels count by their heads."""
    by_name: dict[str, list[Chunk]] = {}
    for chunk in chunks:
        if chunk.kind not in ("call", "directive"):
            for name in chunk.names:
                by_name.setdefault(name, []).append(chunk)
    needed, pending = {start}, [start]
    while pending:
        chunk = pending.pop()
        identifiers = chunk.identifiers
        if chunk.kind == "kernel":
            identifiers = frozenset(t.text for t in _head(chunk.tokens) if t.kind == "id")
        for identifier in identifiers:
            for candidate in by_name.get(identifier, ()):
                if candidate not in needed:
                    needed.add(candidate)
                    pending.append(candidate)
    wanted = {("using", ("std",))}
    return [c for c in chunks if c in needed or (c.kind == "using" and (c.kind, _target(c)) in wanted)]


def _target(chunk: Chunk) -> tuple[str, ...]:
    return tuple(t.text for t in chunk.tokens if t.kind == "id" and t.text not in ("using", "namespace"))


def _head(tokens: Sequence[Token]) -> Sequence[Token]:
    depth = 0
    for i, token in enumerate(tokens):
        if token.text in "([":
            depth += 1
        elif token.text in ")]":
            depth -= 1
        elif token.text == "{" and depth == 0:
            return tokens[:i]
    return tokens


def _for_recording(chunk: Chunk, text: str) -> str:
    if chunk.kind == "kernel":
        head = _head(chunk.tokens)
        names = _parameter_names(head)
        written = text[chunk.start : head[-1].end]
        listed = "".join(f", {n}" for n in names)
        return f"{written} {{ oracle_record(__PRETTY_FUNCTION__{listed}); }}"
    return _without_launches(text[chunk.start : chunk.end])


def _parameter_names(head: Sequence[Token]) -> list[str]:
    """Names of a kernel's parameters, in order. Raises OracleError TLM708 for an unnamed one."""
    return [name for name, _ in _parameters(head)]


def _parameters(head: Sequence[Token]) -> list[tuple[str, tuple[str, ...]]]:
    """(name, words before it) of each parameter."""
    close = max(i for i, t in enumerate(head) if t.text == ")")
    depth, opening = 0, close
    for i in range(close, -1, -1):
        depth += (head[i].text == ")") - (head[i].text == "(")
        if depth == 0:
            opening = i
            break
    names: list[tuple[str, tuple[str, ...]]] = []
    parameter: list[Token] = []
    nesting = 0
    for token in [*head[opening + 1 : close], Token("op", ",", 0, 0)]:
        nesting += (token.text in "([{<") - (token.text in ")]}>") if token.kind == "op" else 0
        if token.text == "," and nesting == 0:
            before = parameter[: next((i for i, t in enumerate(parameter) if t.text in ("=", "[")), len(parameter))]
            if [t.text for t in before] in ([], ["void"]):
                parameter = []
                continue
            last = before[-1]
            if last.kind != "id" or last.text in KEYWORDS or len(before) < 2:
                raise OracleError("TLM708", "a parameter has no name")
            names.append((last.text, tuple(token.text for token in before[:-1])))
            parameter = []
        else:
            parameter.append(token)
    return names


def _without_launches(text: str) -> str:
    """``k<T><<<a, b>>>(c)`` becomes ``(oracle_configure(a, b), k<T>(c))``, wherever it stands."""
    while True:
        tokens = tokenize(text)
        at = next((i for i in range(len(tokens) - 2) if _is_triple(tokens, i, "<")), None)
        if at is None:
            return text
        end = next((i for i in range(at + 3, len(tokens) - 2) if _is_triple(tokens, i, ">")), None)
        if end is None or end + 3 >= len(tokens) or tokens[end + 3].text != "(":
            return text  # the compiler will say so
        depth, close = 0, end + 3
        while close < len(tokens):
            depth += (tokens[close].text == "(") - (tokens[close].text == ")")
            if depth == 0:
                break
            close += 1
        start = _callee_start(tokens, at)
        callee = text[tokens[start].start : tokens[at - 1].end]
        configuration = text[tokens[at + 2].end : tokens[end].start]
        call = text[tokens[end + 3].start : tokens[min(close, len(tokens) - 1)].end]
        after = text[tokens[min(close, len(tokens) - 1)].end :]
        text = f"{text[: tokens[start].start]}(oracle_configure({configuration}), {callee}{call}){after}"


def _is_triple(tokens: Sequence[Token], i: int, text: str) -> bool:
    a, b, c = tokens[i : i + 3]
    return a.text == b.text == c.text == text and a.end == b.start and b.end == c.start


def _callee_start(tokens: Sequence[Token], at: int) -> int:
    """Index of the first token of the kernel's name before ``<<<``: identifiers, ``::`` and one template list."""
    i = at - 1
    if tokens[i].text == ">":
        depth = 0
        while i >= 0:
            depth += (tokens[i].text == ">") - (tokens[i].text == "<")
            i -= 1
            if depth == 0:
                break
    while i - 1 >= 0 and tokens[i - 1].text == "::":
        i -= 2
        if i < 0 or tokens[i].kind != "id":
            return i + 1
    return max(i, 0)


def _unit(
    text: str,
    start: Chunk,
    chunks: Sequence[Chunk],
    request: OracleRequest,
    arguments: Sequence[int | float | str | HostBuffer],
) -> str:
    identifiers = {i for c in chunks for i in c.identifiers}
    lines = [f"#include <{header}>" for header in sorted({h for w, h in _STANDARD.items() if w in identifiers})]
    if any("half" in i or "bfloat16" in i for i in identifiers):
        lines.append("#define ORACLE_USES_HALF 1")
    lines.append('#include "record_host.h"')
    values = []
    for index, argument in enumerate(arguments):
        if isinstance(argument, HostBuffer):
            values.append(f'oracle_pointer{{oracle_new_area({argument.bytes}, "argument", {index})}}')
        elif isinstance(argument, float):
            exact = struct.unpack("<Q", struct.pack("<d", argument))[0]
            values.append(f"[] {{ uint64_t b = {exact}ull; double d; memcpy(&d, &b, 8); return d; }}()")
        else:
            values.append(str(argument))
    name = "::".join([*(s for s in start.scopes if s), request.cpp_name or request.name])
    tail = ['#line 1 "oracle host"']
    open_record = 'oracle_record_file = fopen("record", "w"); if (!oracle_record_file) return 3;'
    if request.name == "main":
        lines.append("#define main oracle_original_main")
        name = "oracle_original_main"
        tail.append("#undef main")
    tail.append(f"int main() {{ {open_record} {name}({', '.join(values)}); fclose(oracle_record_file); _Exit(0); }}")
    return "\n".join(lines) + "\n" + text + "\n".join(tail) + "\n"


def _read(record: str) -> tuple[RecordedLaunch, ...]:
    launches: list[RecordedLaunch] = []
    pending: list[RecordedArgument] = []
    head: list[str] | None = None

    def finish() -> None:
        if head is not None:
            numbers = [int(v) for v in head[1:8]]
            grid, block = (numbers[0], numbers[1], numbers[2]), (numbers[3], numbers[4], numbers[5])
            name = re.search(r"([A-Za-z_]\w*)\s*\(", head[8])
            launches.append(
                RecordedLaunch(name.group(1) if name else "", head[8], grid, block, numbers[6], tuple(pending))
            )

    for line in record.splitlines():
        words = line.split("\t")
        if words[0] == "launch" and len(words) == 9:
            finish()
            head, pending = words, []
        elif words[0] == "argument" and len(words) == 6:
            found = _TYPE.search(words[5])
            pending.append(
                RecordedArgument(
                    spelled(found.group(1)) if found else "", words[1], words[2], int(words[3]), int(words[4])
                )
            )
    finish()
    return tuple(launches)
