"""Turn a recipe into an accepted case: sizes and roles from the oracle's check build, or the reason it was dropped."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from migrate.analysis.cas_reads import CheckedRead
from migrate.oracle import api as oracle
from migrate.verify.case import Argument, Case, Symbol
from migrate.verify.casefiles import Bytes, RootSpec, pack, place, root_view
from migrate.verify.compare import undefined_bytes, unequal_elements
from migrate.verify.dtypes import is_float, numpy_dtype
from migrate.verify.faults import FaultLog, Observed
from migrate.verify.generator import TIGHTNESS_LEVELS, DrawRequest, Recipe, RootHint, draw, has_sentinels
from migrate.verify.setting import PointerSetting, ScalarSetting, Setting
from migrate.verify.values import Array

# A buffer beyond this is a wild index, not a size.
MAXIMUM_ROOT_BYTES = 64 << 20
MAXIMUM_THREADS = 1 << 24
_GROWTH_ROUNDS = 4
SLACK_ELEMENTS = 5
# Bytes of shared memory in a second run of originals that read it before anything wrote it (otherwise 0xff).
OTHER_FILL = 0x11
# Below this level of tightness, index data that reach past a stated size are drawn again instead.
LOOSE_LEVELS = 3
_FIRST_GUESS_ELEMENTS = 1 << 16
# Seconds that one run of the original may take at costly sizes, or after a run that did not end.
COSTLY_S = 3.0


PAST_STATED = "past the stated size"
CHECKED_READ = "checked_read"  # a finding: see `migrate.analysis.cas_reads`
CHECKED = "checked"


@dataclass(frozen=True)
class Dropped:
    """Why a recipe gave no case: ``reason`` is one of a few words for counting, ``detail`` a sentence."""

    reason: str
    detail: str


@dataclass(frozen=True)
class Accepted:
    """A case that the original ran cleanly: files, result, arcs and what the check build noticed.

    ``undefined``: bytes of the case file that hold no defined value, because the original stores there what it never
    set (a local variable); None where there are none. They are not compared.
    """

    recipe: Recipe
    case: Case
    folder: Path
    before: Bytes
    original: Bytes
    arcs_taken: bytes
    findings: tuple[oracle.Finding, ...]
    changed: bool
    undefined: npt.NDArray[np.bool_] | None = None

    @cached_property
    def fingerprint(self) -> bytes:
        """Hash of what the original left in the roots that it may write."""
        digest = hashlib.sha256()
        for root in self.case.roots:
            if root.role != "in":
                digest.update(self.original[root.start : root.start + root.bytes].tobytes())
        return digest.digest()

    @cached_property
    def effective(self) -> bool:
        """Whether the original changed an element to something else than NaN: NaN equals NaN and proves little."""
        if not self.changed:
            return False
        for root in self.case.roots:
            before, after = root_view(self.case, self.before, root), root_view(self.case, self.original, root)
            changed = unequal_elements(before, after, root.dtype)
            if self.undefined is not None:
                changed &= ~self.undefined[root.start :: numpy_dtype(root.dtype).itemsize][: changed.size]
            if is_float(root.dtype):
                changed &= ~np.isnan(after.astype(np.float64))
            if changed.any():
                return True
        return False

    def settled(self, result: Bytes) -> Bytes:
        """``result`` with the original's bytes where they are undefined: what is left to compare means something."""
        return result if self.undefined is None else np.where(self.undefined, self.original, result)


@dataclass
class OracleSession:
    """The builds of one kernel, its scratch folder, and what earlier trials taught about sizes and roles.

    ``sizes``: per setting, root -> bytes. ``read_first``: roots whose contents some launch read before writing.
    ``written``: roots that some launch wrote. ``may_enlarge``: variants may use larger buffers than
    the host side states. ``cpu_s`` sums the children's CPU time. ``faults``: what the check build saw of the original;
    ``watched``: runs of the attempt that is being made. ``check_only``: the original is not run for its results.
    ``distinct``: index data name no element twice, because threads that they send to one element raced.
    ``draw`` makes the data of a case, and ``leaves_buffers`` says whether a recipe's index data hold values outside
    every buffer: an audit has its own.
    """

    run_build: oracle.OracleBuild
    check_build: oracle.OracleBuild
    scratch: Path
    hints: Mapping[str, RootHint] = field(default_factory=dict)
    thresholds: Sequence[float] = ()
    timeout_s: float = 20.0
    memory_bytes: int = 8 << 30
    sizes: dict[tuple[object, ...], dict[str, int]] = field(default_factory=dict)
    tightness: int = 0
    read_first: set[str] = field(default_factory=set)
    written: set[str] = field(default_factory=set)
    enlarged: dict[str, str] = field(default_factory=dict)
    cpu_s: float = 0.0
    serial: int = 0
    may_enlarge: bool = False
    faults: FaultLog = field(default_factory=FaultLog)
    watched: list[Observed] = field(default_factory=list)
    check_only: bool = False
    distinct: bool = False
    checked_reads: tuple[CheckedRead, ...] = ()
    draw: Callable[[DrawRequest], Mapping[str, Array]] = draw
    leaves_buffers: Callable[[Recipe, Mapping[str, RootHint]], bool] = has_sentinels

    def run(
        self,
        built: oracle.OracleBuild,
        folder: Path,
        name: str,
        schedule: oracle.Schedule = "contract",
        timeout_s: float | None = None,
        moved: oracle.Moved | None = None,
        shared_fill: int | None = None,
    ) -> oracle.OracleRun:
        """One run of the original on the case in ``folder``; the result file is ``folder/name``."""
        done = oracle.run(
            built,
            folder,
            folder / name,
            schedule=schedule,
            timeout_s=timeout_s or self.timeout_s,
            memory_bytes=self.memory_bytes,
            moved=moved,
            shared_fill=shared_fill,
        )
        self.cpu_s += done.cpu_s
        if built.kind != "check" or not self.checked_reads:
            return done
        return replace(done, findings=tuple(self._seen(finding) for finding in done.findings))

    def _seen(self, finding: oracle.Finding) -> oracle.Finding:
        """``finding``, but a read whose value an atomic exchange checks before it is used is no race."""
        if finding.kind == "race" and not finding.both_write:
            lines = {finding.line, finding.other_line}
            for read in self.checked_reads:
                same = read.buffer in ("", finding.root) and (not finding.file or finding.file == read.file)
                if same and lines == {read.line, read.exchange_line}:
                    return replace(finding, kind=CHECKED_READ)
        return finding


def read_bytes(path: Path) -> Bytes:
    """A result file as bytes."""
    return np.fromfile(path, dtype=np.uint8)


def _root_dtypes(setting: Setting) -> dict[str, str]:
    dtypes: dict[str, str] = {}
    for item in setting.arguments:
        if isinstance(item, PointerSetting):
            dtypes.setdefault(item.root, item.dtype)
    return dtypes


def _element_sizes(setting: Setting) -> dict[str, int]:
    """Bytes that one access of the original may span, by root: sizes found by probing are whole multiples."""
    found: dict[str, int] = {}
    for item in setting.arguments:
        if isinstance(item, PointerSetting):
            size = max(item.element_bytes, numpy_dtype(item.dtype).itemsize)
            found[item.root] = max(found.get(item.root, 0), size)
    return found


def _has_integers(setting: Setting) -> bool:
    return any(dtype.startswith(("int", "uint")) for dtype in _root_dtypes(setting).values())


def _known_bytes(setting: Setting) -> dict[str, int]:
    known: dict[str, int] = {}
    for item in setting.arguments:
        if isinstance(item, PointerSetting) and item.bytes is not None:
            known[item.root] = max(known.get(item.root, 0), item.bytes)
    return known


def _least_bytes(setting: Setting) -> dict[str, int]:
    """One element of every root, behind the furthest place where a pointer argument starts."""
    least: dict[str, int] = {}
    for item in setting.arguments:
        if isinstance(item, PointerSetting):
            size = max(item.element_bytes, numpy_dtype(item.dtype).itemsize)
            ends = item.offset_bytes + size if item.offset_bytes else size
            least[item.root] = max(least.get(item.root, 0), ends)
    return least


def _initial_sizes(setting: Setting) -> dict[str, int]:
    known = _known_bytes(setting)
    elements = min(max(setting.threads, 64), _FIRST_GUESS_ELEMENTS)
    least = _least_bytes(setting)
    return {
        root: known[root] if root in known else max(elements * numpy_dtype(dtype).itemsize, least[root])
        for root, dtype in _root_dtypes(setting).items()
    }


def symbol_root(name: str) -> str:
    """Name of the root that holds a device variable."""
    return f"symbol {name}"


def _role(session: OracleSession, root: str) -> str:
    if root not in session.written:
        return "in"
    return "inout" if root in session.read_first else "out"


def _assemble(
    session: OracleSession,
    recipe: Recipe,
    sizes: Mapping[str, int],
    tightness: int,
    first: bool,
    *,
    tight: bool = False,
) -> tuple[Case, bytes]:
    """The case and its bytes. ``first``: roles are not known yet, every root gets data. ``tight``: no spare room."""
    setting = recipe.setting
    # Every other case has room behind each root, so that a store just past the end shows in the comparison instead of
    # vanishing in a bounds guard.
    slack = 0 if tight or session.check_only else recipe.poison % 2 * SLACK_ELEMENTS
    specs = [
        RootSpec(
            root,
            dtype,
            sizes[root] + slack * numpy_dtype(dtype).itemsize,
            "inout" if first else _role(session, root),
        )
        for root, dtype in _root_dtypes(setting).items()
    ]
    contents: dict[str, bytes | None] = {}
    for symbol in setting.symbols:
        specs.append(RootSpec(symbol_root(symbol.name), symbol.dtype, symbol.size, "inout"))
        contents[symbol_root(symbol.name)] = symbol.initial
    roots, total = place(specs)
    arguments = tuple(
        Argument(raw=item.raw.hex())
        if isinstance(item, ScalarSetting)
        else Argument(root=item.root, offset=item.offset_bytes, texture=item.texture)
        for item in setting.arguments
    )
    case = Case(
        kernel=session.run_build.request.cpp_name,
        seed=recipe.seed,
        label=recipe.label,
        grid=setting.grid,
        block=setting.block,
        shared_bytes=setting.shared_bytes,
        arguments=arguments,
        roots=roots,
        symbols=tuple(Symbol(symbol.cpp_name, symbol_root(symbol.name)) for symbol in setting.symbols),
        total_bytes=total,
        provenance=setting.provenance,
    )
    dtypes = _root_dtypes(setting)
    extents = {root: size // numpy_dtype(dtypes[root]).itemsize for root, size in _known_bytes(setting).items()}
    request = DrawRequest(
        recipe, specs, session.hints, extents, session.thresholds, tightness, contents, session.distinct
    )
    return case, pack(case, session.draw(request))


@dataclass(frozen=True)
class _Needs:
    """Bytes that accesses reach, and a complaint if they leave a root at its front or go wild."""

    sizes: dict[str, int]
    complaint: str = ""


def _needs(run: oracle.OracleRun, sizes: Mapping[str, int], elements: Mapping[str, int]) -> _Needs:
    """``elements``: bytes of one element of each root."""
    needed: dict[str, int] = {}
    for root in sizes:
        extent = run.root_extents.get(root)
        highs = [] if extent is None else [value for value in (extent.read_hi, extent.write_hi) if value is not None]
        lows = [] if extent is None else [value for value in (extent.read_lo, extent.write_lo) if value is not None]
        if any(value < 0 for value in lows):
            return _Needs({}, f"accesses {-min(lows)} bytes before the start of {root}")
        reach = -(-max(highs, default=0) // elements[root]) * elements[root]
        if reach > MAXIMUM_ROOT_BYTES:
            return _Needs({}, f"reaches byte {reach} of {root}")
        needed[root] = reach
    return _Needs(needed)


def _indexed_past_end(session: OracleSession, needed: Mapping[str, int], known: Mapping[str, int]) -> str:
    """A root that index data reach past its stated end: tighter data are better than a larger buffer."""
    targets = {target for hint in session.hints.values() for target in hint.targets}
    return next((root for root, size in needed.items() if root in targets and size > known.get(root, size)), "")


def _learn_roles(session: OracleSession, run: oracle.OracleRun, roots: Sequence[str]) -> bool:
    """Updates roles from a run; True if anything new was learned."""
    before = (len(session.read_first), len(session.written))
    for root in roots:
        extent = run.root_extents.get(root)
        if extent is None:
            continue
        if extent.write_hi is not None:
            session.written.add(root)
        if extent.read_before_write:
            session.read_first.add(root)
    return before != (len(session.read_first), len(session.written))


_UNSPECIFIED = {
    "inactive_lane": "a shuffle reads a lane that is not active",
    "barrier_divergence": "threads of a block wait at different barriers",
    "warp_divergence": "only some lanes of a warp write volatile shared memory together",
}


def _misaligned(run: oracle.OracleRun) -> Dropped | None:
    """A launch on which a device faults; the CPU's own vector instructions may have faulted too."""
    line = next((event.line for event in run.events if event.kind == "misaligned"), None)
    if line is None:
        return None
    return Dropped("misaligned", f"a device faults on an access that is not aligned to its type (line {line})")


def rejected(run: oracle.OracleRun) -> Dropped | None:
    """Why the check run disqualifies the case; None if it does not."""
    if run.events:
        kinds = Counter(event.kind for event in run.events)
        where = ", ".join(f"{event.kind} in line {event.line}" for event in run.events[:3])
        return Dropped(f"event {kinds.most_common(1)[0][0]}", f"plain C++ and CUDA define this differently: {where}")
    for finding in run.findings:
        if finding.kind in _UNSPECIFIED:
            return Dropped(finding.kind, f"{_UNSPECIFIED[finding.kind]} (line {finding.line})")
        if finding.kind == "out_of_bounds":
            return Dropped("out_of_bounds", finding.message)
    return None if run.status == "ok" else Dropped(run.status, run.message)


def try_recipe(session: OracleSession, recipe: Recipe) -> Accepted | Dropped:
    """Finds sizes and index ranges with which all accesses lie inside, then runs the original.

    Only out-of-range accesses are cured (larger buffers, tighter index data); any other misbehaviour drops the case.
    """
    if recipe.setting.threads > MAXIMUM_THREADS:
        return Dropped("too large", f"{recipe.setting.threads} threads")
    folder = session.scratch / f"case{session.serial}"
    session.serial += 1
    found: Accepted | Dropped = Dropped("no valid inputs", "no attempt was made")
    tightness, patience = session.tightness, session.timeout_s
    while tightness < TIGHTNESS_LEVELS:
        found = _fit(session, recipe, folder, tightness)
        if isinstance(found, Accepted) or found.reason == CHECKED:
            break
        if session.check_only and any(seen.last and seen.run.events for seen in session.watched):
            break  # what ended the run is known
        if found.reason not in ("out_of_bounds", "crashed", "timed_out"):
            break
        if not _has_integers(recipe.setting):
            break  # no level changes anything
        # An endless run is expensive: one more attempt, with the tamest data.
        last = TIGHTNESS_LEVELS - 1
        tightness = max(last, tightness + 1) if found.reason == "timed_out" else tightness + 1
        if found.reason == "timed_out":
            session.timeout_s = min(patience, COSTLY_S)
    session.timeout_s = patience
    session.faults.add(recipe, session.watched, steered=_has_integers(recipe.setting))
    fitted = isinstance(found, Accepted) or found.reason == CHECKED
    # Later recipes start where this one fitted, but never at the level of nothing but zeros. Where sentinels may have
    # been what did not fit, nothing is learned for the others.
    if fitted and not session.leaves_buffers(recipe, session.hints):
        session.tightness = max(session.tightness, min(tightness, TIGHTNESS_LEVELS - 2))
    return found


def _fit(session: OracleSession, recipe: Recipe, folder: Path, tightness: int) -> Accepted | Dropped:
    setting = recipe.setting
    known = _known_bytes(setting)
    elements = {root: 1 if root in known else size for root, size in _element_sizes(setting).items()}
    least = _least_bytes(setting)
    key = (*setting.key(), tightness)
    first = key not in session.sizes
    sizes = dict(session.sizes.get(key) or _initial_sizes(setting))
    if session.check_only:
        sizes |= known  # so that every recipe shows what reaches past a stated size
    session.watched = []
    for _ in range(_GROWTH_ROUNDS + 2):
        case, data = _assemble(session, recipe, sizes, tightness, first)
        case.save(folder, data)
        run = session.run(session.check_build, folder, "check.bin")
        ended = run.status not in ("ok", "out_of_bounds")
        session.watched.append(Observed(run, known, ended))
        if (faulty := _misaligned(run)) is not None:
            session.watched[-1] = Observed(run, known, last=True)
            return faulty
        if ended:
            return Dropped(run.status, run.message)
        needs = _needs(run, sizes, elements)
        if needs.complaint:
            return Dropped("out_of_bounds", needs.complaint)
        loose = _indexed_past_end(session, needs.sizes, known)
        if loose and tightness < LOOSE_LEVELS:
            return Dropped("out_of_bounds", f"index data reach past the stated size of {loose}")
        learned = _learn_roles(session, run, list(sizes))
        wanted = {
            # A size that the host states holds; one that nobody states is what the first launch reached.
            root: max(needs.sizes[root], known.get(root, least[root] if first else size))
            for root, size in sizes.items()
        }
        for root, size in wanted.items():
            if root in known and size > known[root]:
                if not (setting.base or session.may_enlarge or root in session.enlarged):
                    return Dropped(PAST_STATED, f"{root}: byte {size} of {known[root]}")
                if root not in session.enlarged and sizes[root] == known[root]:
                    _see_overrun(session, recipe, folder, sizes, tightness)
                session.enlarged[root] = (
                    f"{root}: the original reaches byte {size} with these sizes, the host side states {known[root]}; "
                    "the buffer was enlarged"
                )
        settled = wanted == sizes and not learned and not first
        first = False
        sizes = wanted
        if settled:
            session.sizes[key] = sizes
            session.watched[-1] = Observed(run, known, last=True)
            if session.check_only:
                return Dropped(CHECKED, "")
            return rejected(run) or _run_original(session, recipe, case, folder, data, run)
    return Dropped("out_of_bounds", "the sizes that accesses need do not settle")


def _see_overrun(
    session: OracleSession, recipe: Recipe, folder: Path, sizes: Mapping[str, int], tightness: int
) -> None:
    """Where buffers have spare room, an access just past the stated size has left no finding yet: run without."""
    if session.check_only or not recipe.poison % 2:
        return
    case, data = _assemble(session, recipe, sizes, tightness, first=False, tight=True)
    case.save(folder, data)
    run = session.run(session.check_build, folder, "check.bin")
    session.watched.append(Observed(run, _known_bytes(recipe.setting), last=False))


def accept_case(session: OracleSession, recipe: Recipe, case: Case, folder: Path, data: bytes) -> Accepted | Dropped:
    """Runs a complete case (its files lie in ``folder``) under both builds; nothing is cured.

    Raises OracleError TLM707 when the case does not fit the kernel's signature.
    """
    check = session.run(session.check_build, folder, "check.bin")
    sizes = {root.name: root.bytes for root in case.roots}
    session.faults.add(recipe, [Observed(check, sizes, last=True)], steered=False)
    if (faulty := _misaligned(check)) is not None:
        return faulty
    if check.status not in ("ok", "out_of_bounds"):
        return Dropped(check.status, check.message)
    return rejected(check) or _run_original(session, recipe, case, folder, data, check)


def _padding_bytes(setting: Setting, case: Case) -> npt.NDArray[np.bool_] | None:
    """Bytes of the case file between the members of structs: a copy of a struct may take them along or not."""
    starts = {root.name: root for root in case.roots}
    mask: npt.NDArray[np.bool_] | None = None
    for item in setting.arguments:
        if not isinstance(item, PointerSetting) or not item.padding or not item.element_bytes:
            continue
        root = starts[item.root]
        mask = np.zeros(case.total_bytes, dtype=np.bool_) if mask is None else mask
        inside = mask[root.start + item.offset_bytes % item.element_bytes : root.start + root.bytes]
        for offset, size in item.padding:
            for byte in range(offset, offset + size):
                inside[byte :: item.element_bytes] = True
    return mask


def _run_original(
    session: OracleSession, recipe: Recipe, case: Case, folder: Path, data: bytes, check: oracle.OracleRun
) -> Accepted | Dropped:
    run = session.run(session.run_build, folder, "original.bin")
    if run.status != "ok":
        return Dropped(run.status, run.message)
    before = np.frombuffer(data, dtype=np.uint8)
    original = read_bytes(run.output)
    undefined = None
    others: list[Bytes] = []
    if check.status == "ok":
        # The builds start local variables with different patterns: what differs was never set.
        others.append(read_bytes(check.output))
    if any(finding.kind == "uninitialised_read" for finding in check.findings):
        # So may shared memory that nothing wrote: whatever lay there decides the result on a device.
        again = session.run(session.run_build, folder, "refilled.bin", shared_fill=OTHER_FILL)
        if again.status != "ok":
            return Dropped("unspecified", "how it ends depends on shared memory that nothing has written")
        others.append(read_bytes(again.output))
    for other in others:
        found = undefined_bytes(case, original, other)
        if found is not None:
            undefined = found if undefined is None else undefined | found
        if undefined is not None and 2 * undefined.sum() > np.count_nonzero(before != original):
            return Dropped(
                "unspecified", "two builds of the original give different results: it depends on undefined values"
            )
    holes = _padding_bytes(recipe.setting, case)
    if holes is not None:
        undefined = holes if undefined is None else holes | undefined
    return Accepted(
        recipe,
        case,
        folder,
        before,
        original,
        run.arcs_taken,
        check.findings,
        not np.array_equal(before, original),
        undefined,
    )
