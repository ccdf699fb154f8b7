"""A stand-in for the oracle: kernels as Python functions over memory that records its accesses."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from migrate.oracle.api import AccessExtent, Arc, Event, Finding, OracleBuild, OracleRequest, OracleRun
from migrate.verify.case import Case
from migrate.verify.dtypes import numpy_dtype
from migrate.verify.trial import OracleSession


class Memory:
    """Roots of a case; out-of-range reads give zero and out-of-range writes vanish, both are recorded."""

    def __init__(self, case: Case, data: np.ndarray):
        self.case = case
        self.data = data
        self.reads: dict[str, list[int]] = {}
        self.writes: dict[str, list[int]] = {}
        self.first_reads: set[str] = set()
        self.written: set[tuple[str, int]] = set()

    def _locate(self, position: int, index: int) -> tuple[object, np.dtype, int]:
        argument = self.case.arguments[position]
        root = next(item for item in self.case.roots if item.name == argument.root)
        dtype = numpy_dtype(root.dtype)
        return root, dtype, argument.offset + index * dtype.itemsize

    def load(self, position: int, index: int):
        root, dtype, at = self._locate(position, index)
        self.reads.setdefault(root.name, []).append(at)
        if (root.name, at) not in self.written:
            self.first_reads.add(root.name)
        if not 0 <= at <= root.bytes - dtype.itemsize:
            return dtype.type(0)
        return self.data[root.start + at : root.start + at + dtype.itemsize].view(dtype)[0]

    def store(self, position: int, index: int, value) -> None:
        root, dtype, at = self._locate(position, index)
        self.writes.setdefault(root.name, []).append(at)
        self.written.add((root.name, at))
        if 0 <= at <= root.bytes - dtype.itemsize:
            self.data[root.start + at : root.start + at + dtype.itemsize].view(dtype)[0] = value

    def scalar(self, position: int, dtype: str):
        return np.frombuffer(bytes.fromhex(self.case.arguments[position].raw), dtype=dtype)[0]

    def extents(self) -> dict[str, AccessExtent]:
        found = {}
        for root in self.case.roots:
            size = numpy_dtype(root.dtype).itemsize
            reads, writes = self.reads.get(root.name, []), self.writes.get(root.name, [])
            found[root.name] = AccessExtent(
                min(reads, default=None),
                max(reads) + size if reads else None,
                min(writes, default=None),
                max(writes) + size if writes else None,
                root.name in self.first_reads,
            )
        return found

    def outside(self) -> bool:
        sizes = {root.name: root.bytes for root in self.case.roots}
        return any(
            not 0 <= at < sizes[name]
            for table in (self.reads, self.writes)
            for name, items in table.items()
            for at in items
        )


Kernel = Callable[[Memory, object], bytes]


class FakeSession(OracleSession):
    """`OracleSession` whose runs call ``kernel(memory, schedule) -> arcs``."""

    kernel: Kernel
    events: tuple[Event, ...] = ()
    findings: tuple[Finding, ...] = ()
    runs = 0

    def run(self, built, folder: Path, name: str, schedule="contract") -> OracleRun:
        self.runs += 1
        case = Case.from_json((folder / "case.json").read_text())
        data = np.fromfile(folder / "case.bin", dtype=np.uint8)
        memory = Memory(case, data)
        arcs = self.kernel(memory, schedule)
        data.tofile(folder / name)
        status = "out_of_bounds" if memory.outside() else "ok"
        check = built.kind == "check"
        return OracleRun(
            status,
            "",
            folder / name,
            arcs,
            self.events if check else (),
            self.findings if check else (),
            (),
            memory.extents() if check else {},
        )


def make_session(kernel: Kernel, scratch: Path, arcs: int = 0, **options) -> FakeSession:
    """A session for ``kernel`` with ``arcs`` branch arcs."""
    request = OracleRequest(scratch, scratch / "k.cu", "k", "k")
    table = tuple(Arc(number, "if", "") for number in range(arcs))
    builds = [OracleBuild(request, kind, scratch, (), False, table, frozenset(), "", ()) for kind in ("run", "check")]
    session = FakeSession(builds[0], builds[1], scratch, **options)
    session.kernel = kernel
    return session
