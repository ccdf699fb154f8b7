"""Branch arcs from the compiler's control-flow notes (.gcno) and from the counters the runner dumps.

The compiler numbers the blocks and arcs of every function after folding what is constant, so branches decided by
template arguments do not appear. Counters exist for the arcs off a spanning tree; flow conservation gives the rest.
Format: gcc/gcov-io.h. Lengths are in bytes since gcc 12, in words before.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_FUNCTION, _BLOCKS, _ARCS, _LINES = 0x01000000, 0x01410000, 0x01430000, 0x01450000
_ON_TREE, _FAKE, _FALL_THROUGH = 1, 2, 4
_EXIT = 1  # the block that every return leads to


@dataclass(frozen=True)
class Edge:
    """An arc between two blocks."""

    source: int
    target: int
    flags: int


@dataclass(frozen=True)
class FunctionGraph:
    """``lines``: for each block the (file, line) pairs in order. ``key``: identity and checksum, as in the counters."""

    key: tuple[int, int]
    name: str
    blocks: int
    edges: tuple[Edge, ...]
    lines: Mapping[int, tuple[tuple[str, int], ...]]


class _Reader:
    def __init__(self, data: bytes):
        self.data = data
        self.at = 0
        self.in_bytes = True

    def word(self) -> int:
        value: int = struct.unpack_from("<I", self.data, self.at)[0]
        self.at += 4
        return value

    def text(self) -> str:
        length = self.word()
        if not self.in_bytes:
            length *= 4
        raw = self.data[self.at : self.at + length]
        self.at += length
        return raw.rstrip(b"\0").decode("utf-8", "replace")


def read_notes(path: Path) -> list[FunctionGraph]:
    """All functions of a .gcno file; ValueError when it is not one."""
    reader = _Reader(path.read_bytes())
    if reader.data[:4] != b"oncg":
        raise ValueError("not a gcno file of this byte order")
    reader.at = 4
    version = reader.word().to_bytes(4, "big").decode("ascii", "replace")
    # "B23*" is gcc 12.3: one letter for the tens, then a digit, as ('A' + major / 10), major % 10.
    major = (ord(version[0]) - ord("A")) * 10 + int(version[1])
    reader.in_bytes = major >= 12
    reader.word()  # stamp
    if major >= 12:
        reader.word()  # checksum
    reader.text()  # folder
    reader.word()  # whether blocks without statements are marked
    return _read_functions(reader)


def _read_functions(reader: _Reader) -> list[FunctionGraph]:
    graphs: list[FunctionGraph] = []
    key, name, blocks = (0, 0), "", 0
    edges: list[Edge] = []
    lines: dict[int, tuple[tuple[str, int], ...]] = {}
    open_function = False
    while reader.at + 8 <= len(reader.data):
        tag, length = reader.word(), reader.word()
        end = reader.at + (length if reader.in_bytes else 4 * length)
        if tag == 0:
            break
        if tag == _FUNCTION:
            if open_function:
                graphs.append(FunctionGraph(key, name, blocks, tuple(edges), lines))
            open_function = True
            identity, _line_checksum, graph_checksum = reader.word(), reader.word(), reader.word()
            key, name, edges, lines = (identity, graph_checksum), reader.text(), [], {}
        elif tag == _BLOCKS:
            blocks = reader.word()
        elif tag == _ARCS:
            source = reader.word()
            while reader.at < end:
                target, flags = reader.word(), reader.word()
                edges.append(Edge(source, target, flags))
        elif tag == _LINES:
            block = reader.word()
            found: list[tuple[str, int]] = []
            file = ""
            while reader.at < end:
                line = reader.word()
                if line:
                    found.append((file, line))
                    continue
                file = reader.text()
                if not file:
                    break
            lines[block] = tuple(found)
        reader.at = end
    if open_function:
        graphs.append(FunctionGraph(key, name, blocks, tuple(edges), lines))
    return graphs


def branch_edges(graph: FunctionGraph) -> list[tuple[int, list[int]]]:
    """Blocks with more than one way out → indices of those edges, in the compiler's order (true before false)."""
    result = []
    by_source: dict[int, list[int]] = {}
    for index, edge in enumerate(graph.edges):
        if not edge.flags & _FAKE:
            by_source.setdefault(edge.source, []).append(index)
    for source, indices in by_source.items():
        if len(indices) > 1:
            result.append((source, indices))
    return result


def returning_blocks(graph: FunctionGraph) -> set[int]:
    """Blocks from which the function's end can be reached; all others lead to a call that never returns."""
    before: dict[int, list[int]] = {}
    for edge in graph.edges:
        if not edge.flags & _FAKE:
            before.setdefault(edge.target, []).append(edge.source)
    found, waiting = {_EXIT}, [_EXIT]
    while waiting:
        for block in before.get(waiting.pop(), ()):
            if block not in found:
                found.add(block)
                waiting.append(block)
    return found


def place_of_block(graph: FunctionGraph, block: int) -> tuple[str, int]:
    """Where a block's last statement stands; blocks without one take it from a predecessor (or are unknown)."""
    seen = set()
    while block not in seen:
        seen.add(block)
        if graph.lines.get(block):
            return graph.lines[block][-1]
        before = [e.source for e in graph.edges if e.target == block and not e.flags & _FAKE]
        if not before:
            break
        block = before[0]
    return "", 0


def first_line_after(graph: FunctionGraph, block: int) -> int:
    """The first line that runs when control enters ``block``; 0 at the end of the function."""
    seen = set()
    while block not in seen:
        seen.add(block)
        if graph.lines.get(block):
            return graph.lines[block][0][1]
        after = [e.target for e in graph.edges if e.source == block and not e.flags & _FAKE]
        if len(after) != 1:
            break
        block = after[0]
    return 0


def edge_counts(graph: FunctionGraph, counters: Sequence[int]) -> list[int]:
    """How often each edge was taken, from the counters of the edges off the tree. ValueError if they do not fit."""
    instrumented = [i for i, e in enumerate(graph.edges) if not e.flags & _ON_TREE]
    if len(instrumented) != len(counters):
        raise ValueError(f"{graph.name}: {len(counters)} counters for {len(instrumented)} edges")
    known: list[int | None] = [None] * len(graph.edges)
    for index, value in zip(instrumented, counters, strict=True):
        known[index] = value
    entering: dict[int, list[int]] = {b: [] for b in range(graph.blocks)}
    leaving: dict[int, list[int]] = {b: [] for b in range(graph.blocks)}
    for index, edge in enumerate(graph.edges):
        leaving[edge.source].append(index)
        entering[edge.target].append(index)
    # Block 0 is the entry, block 1 the exit: their flow is closed by an edge that is not written down.
    changed = True
    while changed:
        changed = False
        for block in range(2, graph.blocks):
            unknown_in = [i for i in entering[block] if known[i] is None]
            unknown_out = [i for i in leaving[block] if known[i] is None]
            total_in = sum(known[i] or 0 for i in entering[block])
            total_out = sum(known[i] or 0 for i in leaving[block])
            if len(unknown_in) == 1 and not unknown_out:
                known[unknown_in[0]] = total_out - total_in
                changed = True
            elif len(unknown_out) == 1 and not unknown_in:
                known[unknown_out[0]] = total_in - total_out
                changed = True
    if any(k is None for k in known):
        _close_ends(graph, known, entering, leaving)
    return [k or 0 for k in known]


def _close_ends(
    graph: FunctionGraph, known: list[int | None], entering: dict[int, list[int]], leaving: dict[int, list[int]]
) -> None:
    """The entry's outgoing flow equals the exit's incoming flow; with it the last unknown edges follow."""
    for _ in range(len(known)):
        out, into = leaving.get(0, []), entering.get(1, [])
        unknown = [i for i in (*out, *into) if known[i] is None]
        if len(unknown) == 1:
            difference = sum(known[i] or 0 for i in into) - sum(known[i] or 0 for i in out)
            known[unknown[0]] = difference if unknown[0] in out else -difference
        progress = len(unknown) == 1
        for block in range(2, graph.blocks):
            missing_in = [i for i in entering[block] if known[i] is None]
            missing_out = [i for i in leaving[block] if known[i] is None]
            if len(missing_in) + len(missing_out) != 1:
                continue
            total = sum(known[i] or 0 for i in entering[block]) - sum(known[i] or 0 for i in leaving[block])
            if missing_in:
                known[missing_in[0]] = -total
            else:
                known[missing_out[0]] = total
            progress = True
        if not progress:
            return
