"""Runs a compiled kernel on a case: writes the job, starts the isolated runner, reads its report."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from migrate.oracle.api import (
    AccessExtent,
    Event,
    Finding,
    Moved,
    OracleBuild,
    OracleError,
    OracleRun,
    RunStatus,
    Schedule,
)
from migrate.oracle.building import NOT_COUNTED, Description, read_description
from migrate.oracle.coverage import edge_counts
from migrate.oracle.toolchain import CHECKING, runner
from migrate.verify.case import Case, TextureArgument
from tilelang_runtime.support.isolate import IsolatedResult, run_isolated

_RESERVE = 4 << 30  # address space on each side of a root in check builds
_STATUSES: dict[str, RunStatus] = {
    "ok": "ok", "crashed": "crashed", "deadlock": "deadlock", "bad_launch": "bad_launch",
    "out_of_bounds": "out_of_bounds", "out_of_memory": "out_of_memory",
}  # fmt: skip
_NAME = re.compile(r"[\t\n]")
_NAME_BYTES = 120
# By number, as in headers/cuda_textures.h.
_ADDRESS = ("wrap", "clamp", "mirror", "border")
_FORMATS = ("int8", "uint8", "int16", "uint16")


def run_case(
    built: OracleBuild,
    case_folder: Path,
    output: Path,
    *,
    schedule: Schedule,
    timeout_s: float,
    memory_bytes: int,
    moved: Moved | None = None,
    shared_fill: int | None = None,
) -> OracleRun:
    """See `migrate.oracle.api.run`."""
    if (built.kind == "moved") != (moved is not None):
        raise ValueError(f"a build of kind {built.kind} runs {'with' if built.kind == 'moved' else 'without'} `moved`")
    case = Case.from_json((case_folder / "case.json").read_text())
    data = (case_folder / "case.bin").resolve()
    _validate(built, case)
    description = read_description(built.library)
    check = built.kind in CHECKING
    program = runner()
    with tempfile.TemporaryDirectory(prefix="oracle-run-") as scratch:
        job = Path(scratch, "job")
        job.write_text(_job_text(case, data, schedule, description, check, moved, shared_fill))
        limit = memory_bytes
        if check:
            # Reservations count as address space: per root 2 x 4 GiB and about 11 bytes a byte for the shadow.
            limit += len(case.roots) * 2 * _RESERVE + 12 * case.total_bytes + (1 << 30)
        done = run_isolated(
            [str(program), str(built.library), "job"],
            cwd=scratch,
            timeout_s=timeout_s,
            memory_bytes=limit,
            file_bytes=max(1 << 24, 2 * data.stat().st_size),
            readable=[program, built.library, data],
        )
        report = Path(scratch, "report")
        lines = report.read_text("utf-8", "replace").splitlines() if report.is_file() else []
        result = _read_report(built, case, description, lines, done, output)
        if result.status in ("ok", "out_of_bounds") and Path(scratch, "output").is_file():
            output.parent.mkdir(parents=True, exist_ok=True)
            shutil.move(str(Path(scratch, "output")), output)
    return result


def _validate(built: OracleBuild, case: Case) -> None:
    if len(case.arguments) != len(built.signature):
        raise OracleError("TLM707", f"the case has {len(case.arguments)} arguments, the kernel {len(built.signature)}")
    roots = {r.name for r in case.roots}
    for index, (argument, (c_type, size)) in enumerate(zip(case.arguments, built.signature, strict=True)):
        if argument.root is not None:
            if argument.root not in roots:
                raise OracleError("TLM707", f"argument {index} names an unknown root {argument.root}")
            if size != 8:
                raise OracleError("TLM707", f"argument {index} is a root, but the parameter is `{c_type}`")
        elif argument.raw is None or len(argument.raw) != 2 * size:
            raise OracleError("TLM707", f"argument {index} must have {size} bytes for `{c_type}`")
    known = {name for name, _ in built.symbols}
    for symbol in case.symbols:
        if _symbol_name(symbol.name, known) is None:
            raise OracleError("TLM707", f"the kernel has no symbol {symbol.name}")
        if symbol.root not in roots:
            raise OracleError("TLM707", f"symbol {symbol.name} names an unknown root {symbol.root}")
    if any(_NAME.search(r.name) for r in case.roots):
        raise OracleError("TLM707", "a root's name has a tab or a line break")


def _symbol_name(name: str, known: set[str]) -> str | None:
    """The library's name of a symbol: as given, or the only one with that last part."""
    bare = name.lstrip(":")
    if bare in known:
        return bare
    matching = [k for k in known if k.rsplit("::", 1)[-1] == bare.rsplit("::", 1)[-1]]
    return matching[0] if len(matching) == 1 else None


def _job_text(
    case: Case,
    data: Path,
    schedule: Schedule,
    description: Description,
    check: bool,
    moved: Moved | None,
    shared_fill: int | None,
) -> str:
    lines = [f"case\t{data}", "output\toutput", "report\treport"]
    lines.append("grid\t" + "\t".join(map(str, case.grid)))
    lines.append("block\t" + "\t".join(map(str, case.block)))
    lines.append(f"dynamic\t{case.shared_bytes}")
    lines.append(f"schedule\tseed\t{schedule}" if isinstance(schedule, int) else f"schedule\t{schedule}")
    if shared_fill is not None:
        lines.append(f"fill\t{shared_fill}")
    if moved is not None:
        lines.append(f"moved\tseed\t{moved}" if isinstance(moved, int) else f"moved\t{moved}")
    if check:
        lines.append(f"check\t{_RESERVE}")
    index = {root.name: i for i, root in enumerate(case.roots)}
    lines += [f"root\t{_job_name(r.name, i)}\t{r.start}\t{r.bytes}" for i, r in enumerate(case.roots)]
    for argument in case.arguments:
        if argument.root is not None and argument.texture is not None:
            numbers = "\t".join(map(str, _texture_numbers(argument.texture)))
            lines.append(f"texture\t{index[argument.root]}\t{argument.offset}\t{numbers}")
        elif argument.root is not None:
            lines.append(f"pointer\t{index[argument.root]}\t{argument.offset}")
        else:
            lines.append(f"raw\t{argument.raw or ''}")
    known = {n for n, _ in description.symbols}
    lines += [f"symbol\t{_symbol_name(s.name, known) or s.name}\t{index[s.root]}" for s in case.symbols]
    lines += [f"shared\t{address}\t{size}\t{apart}" for address, size, apart in description.shared]
    return "\n".join(lines) + "\n"


def _texture_numbers(texture: TextureArgument) -> list[int]:
    """The numbers that the runner puts into an ``oracle_texture``, in its order."""
    address = [_ADDRESS.index(mode) for mode in texture.address]
    extents = [*texture.extents, 1, 1, 1][:3]
    formats = _FORMATS.index(texture.dtype) if texture.dtype in _FORMATS else len(_FORMATS)
    flags = [int(flag) for flag in (texture.linear, texture.normalized, texture.scaled)]
    return [*extents, *[*address, 1, 1, 1][:3], formats, *flags]


def _job_name(name: str, index: int) -> str:
    """A root's name in job and report: the runner's tables have room for 127 bytes."""
    return name if len(name.encode()) < _NAME_BYTES else f"root {index}"


def _read_report(
    built: OracleBuild, case: Case, description: Description, lines: Sequence[str], done: IsolatedResult, output: Path
) -> OracleRun:
    rows = [line.split("\t") for line in lines]
    status_row = next((r for r in rows if r[0] == "status"), None)
    status, message, counter = _status(status_row, done)
    counters = {
        (int(r[1]), int(r[2])): [int(v) for v in r[3:]]
        for r in rows
        if r[0] == "arcs"
    }  # fmt: skip
    full_names = {_job_name(root.name, i): root.name for i, root in enumerate(case.roots)}
    findings_rows = [
        [*r[:9], full_names.get(r[9], r[9]), *r[10:]]
        for r in rows
        if r[0] == "finding"
    ]  # fmt: skip
    wanted = sorted({int(r[i], 16) for r in findings_rows for i in (2, 4)} | ({counter} if counter else set()))
    places = _places(built.library, [w for w in wanted if w])
    if counter and places.get(counter, ("", 0))[1]:
        message += f" at line {places[counter][1]}"
    findings = tuple(_finding(row, places) for row in findings_rows)
    events = tuple(event for r in rows if r[0] == "event" and (event := _event(r)) is not None)
    root_extents = {full_names.get(r[1], r[1]): _extent(r) for r in rows if r[0] == "extent"}
    extents: tuple[AccessExtent | None, ...] = ()
    if built.kind in CHECKING:
        extents = tuple(
            None if a.root is None else _shifted(root_extents.get(a.root, AccessExtent()), -a.offset)
            for a in case.arguments
        )
    return OracleRun(
        status=status,
        message=message,
        output=output,
        arcs_taken=_arcs_taken(description, counters),
        events=events,
        findings=findings,
        extents=extents,
        root_extents=root_extents,
        cpu_s=done.cpu_s,
    )


def _status(row: list[str] | None, done: IsolatedResult) -> tuple[RunStatus, str, int]:
    if done.timed_out:
        return "timed_out", "the kernel did not end within the time limit", 0
    if row is None:
        if done.signal == 9:
            return "out_of_memory", "the run was killed, most likely for memory", 0
        if done.returncode == 3:
            return "bad_launch", done.stderr.strip()[-300:], 0
        return "crashed", f"the run ended without a report ({done.returncode}) {done.stderr.strip()[-300:]}", 0
    return _STATUSES.get(row[1], "crashed"), row[3] if len(row) > 3 else "", int(row[2], 16)


def _event(row: list[str]) -> Event | None:
    """None for arithmetic inside the oracle's own headers; an access there (`__ldg`) is the kernel's, line unknown."""
    file = row[4] if len(row) > 4 else ""
    if not file.startswith("/"):
        return Event(row[1], int(row[2]), int(row[3]), file)
    return Event(row[1], 0, int(row[3])) if row[1] == "misaligned" else None


def _finding(row: list[str], places: dict[int, tuple[str, int]]) -> Finding:
    file, line = places.get(int(row[2], 16), ("", 0))
    _, other = places.get(int(row[4], 16), ("", 0))
    return Finding(
        kind=row[1],
        line=line or int(row[3]),
        count=int(row[6]),
        message=f"{row[10]} (block {row[7]}, thread {row[8]})",
        root=row[9],
        other_line=other or (int(row[5]) if row[1] == "barrier_divergence" else 0),
        file=file,
    )


def _extent(row: list[str]) -> AccessExtent:
    values = [None if v == "-" else int(v) for v in row[2:6]]
    return AccessExtent(values[0], values[1], values[2], values[3], row[6] == "1")


def _shifted(extent: AccessExtent, by: int) -> AccessExtent:
    def move(value: int | None) -> int | None:
        return None if value is None else value + by

    return AccessExtent(
        move(extent.read_lo),
        move(extent.read_hi),
        move(extent.write_lo),
        move(extent.write_hi),
        extent.read_before_write,
    )


def _arcs_taken(description: Description, counters: dict[tuple[int, int], list[int]]) -> bytes:
    counts: list[list[int] | None] = []
    for graph in description.functions:
        values = counters.get(graph.key)
        try:
            counts.append(edge_counts(graph, values) if values is not None else None)
        except ValueError:
            counts.append(None)
    taken = bytearray()
    for function, edge in description.arc_edges:
        values = counts[function] if function != NOT_COUNTED else None
        taken.append(1 if values is not None and values[edge] > 0 else 0)
    return bytes(taken)


def _places(library: Path, counters: Sequence[int]) -> dict[int, tuple[str, int]]:
    """(file, line) of the original for program counters: the innermost frame outside the oracle's headers."""
    tool = shutil.which("addr2line") or shutil.which("llvm-addr2line")
    if not counters or tool is None:
        return {}
    command = [tool, "-e", str(library), "-i", "-a", *(hex(c) for c in counters)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    result: dict[int, tuple[str, int]] = {}
    current = 0
    for line in done.stdout.splitlines():
        if line.startswith("0x"):
            current = int(line, 16)
            continue
        file, _, number = line.partition(" ")[0].rpartition(":")
        digits = number if number.isdigit() else "0"
        if current not in result and digits != "0" and file and not _is_header(file):
            result[current] = (_relative(file), int(digits))
    return result


def _is_header(file: str) -> bool:
    return "/oracle/headers/" in file or file.startswith("/usr/") or file.endswith("oracle export")


def _relative(file: str) -> str:
    """Debug information joins relative names with the folder of the compilation (``…/making-x/src/k.cu``)."""
    found = re.search(r"/making-[^/]+/(.*)$", file)
    return found.group(1) if found else file
