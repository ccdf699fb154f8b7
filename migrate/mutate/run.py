"""Runs the mutants of one kernel against the original's side of its verification, gathered once."""

from __future__ import annotations

import difflib
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from migrate.diagnostics import Refusal
from migrate.mutate.equivalence import idle_barrier, same_code
from migrate.mutate.model import MutantResult, Outcome
from migrate.mutate.signs import no_sign
from migrate.mutate.values import same_values
from migrate.mutate.view import BuilderView, Mutation
from migrate.oracle import api as oracle
from migrate.verify.evidence import ComparedCase, Evidence
from migrate.verify.inputs import KernelInputs, inputs_from_request
from migrate.verify.judge import HARMLESS_EVENT, judge, lacks_only_arcs
from migrate.verify.port_process import (
    PACKAGE_ROOT,
    PortOutcome,
    case_description,
    child_environment,
    port_events,
)
from migrate.verify.request import VerifyRequest
from migrate.verify.sides import (
    OriginalSide,
    PlannedRun,
    compare_run,
    evidence_of,
    gather_original,
    planned_runs,
)
from migrate.verify.verdict import Verdict
from tilelang_runtime.support.isolate import run_isolated

# Limits of one mutant, on top of what the port takes: endless ones are stopped soon, also on a busy machine.
CPU_S = 3.0
WALL_S = 300.0
# The port as it is, among its mutants.
PLAIN = "plain"
# What running a port raises when it goes wrong; anything else is raised while it is built.
RUN_ERRORS = ("RunError:",)


@dataclass(frozen=True)
class KernelMutants:
    """One kernel with the mistakes to make in its port. ``builder``: the function in the port file."""

    request: VerifyRequest
    builder: str
    mutations: tuple[Mutation, ...]


@dataclass(frozen=True)
class KernelResults:
    """Results in the order of the mutations, or why the kernel was not mutated."""

    kernel: str
    results: tuple[MutantResult, ...] = ()
    skipped: str = ""


def port_file(request: VerifyRequest) -> Path:
    """The port's file below its folder."""
    return request.port_dir.joinpath(*request.port_module.split(".")).with_suffix(".py")


def run_mutants(task: KernelMutants) -> KernelResults:
    """Runs the port as it is and every mutant on the same cases. Mutants of a port that does not pass say nothing."""
    request = task.request
    name = request.kernel.symbol
    started = time.monotonic()
    try:
        inputs = inputs_from_request(request)
        run_build = oracle.build(inputs.oracle_request, "run")
        with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
            scratch = Path(folder)
            side = gather_original(request, inputs, run_build, scratch / "cases", started)
            if isinstance(side, Verdict):
                return KernelResults(name, skipped=side.status)
            return _Bench(task, inputs, side, scratch).run()
    except (oracle.OracleError, Refusal) as error:
        return KernelResults(name, skipped=str(error))


@dataclass
class _Bench:
    """Everything that the mutants of one kernel share."""

    task: KernelMutants
    inputs: KernelInputs
    side: OriginalSide
    scratch: Path
    baseline: Sequence[ComparedCase] = ()  # the port as it is
    arcs_missing: bool = False
    stopped: str = ""  # why some mutants were not run

    def run(self) -> KernelResults:
        """Results in the order of the mutations, or why the port as it is does not pass."""
        port = port_file(self.task.request)
        text = port.read_text(encoding="utf-8")
        view = BuilderView(text, self.task.builder)
        package = self.scratch / "package"
        shutil.copytree(self.task.request.port_dir, package, ignore=shutil.ignore_patterns(".migrate"))
        target = package / port.relative_to(self.task.request.port_dir)
        names = {f"m{number}": mutation for number, mutation in enumerate(self.task.mutations)}
        module = self.task.request.port_module
        for name, mutation in names.items():
            target.with_name(f"{target.stem}_{name}.py").write_text(mutation.apply(text), encoding="utf-8")
        mutants = [{"name": PLAIN, "module": module}]
        mutants += [{"name": name, "module": f"{module}_{name}"} for name in names]
        lines = self._child(package, mutants)
        plain = lines.get(PLAIN, {})
        why = self._without(plain)
        if why:
            return KernelResults(self.task.request.kernel.symbol, skipped=why)
        results = [self._result(view, mutation, lines.get(name, {}), plain) for name, mutation in names.items()]
        return KernelResults(self.task.request.kernel.symbol, tuple(results))

    def _without(self, plain: Mapping[str, Any]) -> str:
        """Judges the port as it is; why its mutants would say nothing, or an empty text."""
        if plain.get("ending") != "done":
            return f"the port as it is: {plain.get('ending', 'was not run')} {plain.get('message', self.stopped)}"[:300]
        self.baseline = [
            compare_run(run.expected, _port_outcome(done), Path(str(run.port.output).format(mutant=PLAIN)))
            for run, done in zip(self._runs(), plain["runs"], strict=False)
        ]
        verdict = judge(self._evidence(self.baseline))
        # Conditions that are forced need the whole chain and prove the port itself, not a mutant of it.
        self.arcs_missing = lacks_only_arcs(verdict)
        if verdict.status == "passed" or self.arcs_missing:
            return ""
        why = f"{verdict.diagnostics[-1].code} {verdict.diagnostics[-1].message}" if verdict.diagnostics else ""
        return f"{verdict.status} as it is: {why}"[:300]

    def _evidence(self, compared: Sequence[ComparedCase]) -> Evidence:
        request = self.task.request
        return evidence_of(request.kernel, self.inputs, self.side, compared, request.options.engine)

    def _runs(self) -> list[PlannedRun]:
        engine = self.task.request.options.engine
        return planned_runs(self.side.found.accepted, self.side.order, engine, "{mutant}")

    def _child(self, package: Path, mutants: Sequence[Mapping[str, str]]) -> dict[str, dict[str, Any]]:
        folder = self.scratch / "child"
        folder.mkdir()
        results = folder / "results.jsonl"
        cases: list[dict[str, Any]] = []
        for number, run in enumerate(self._runs()):
            expected = folder / f"expected{number}.bin"
            run.expected.original.tofile(expected)
            cases.append(
                {
                    **case_description(run.port, self.inputs.parameters),
                    "case": str(run.port.folder / "case.json"),
                    "expected": str(expected),
                }
            )
        uninitialised = any(f.kind == "uninitialised_read" for i in self.side.found.accepted for f in i.findings)
        undefined = any(item.undefined is not None for item in self.side.found.accepted)
        job = {
            "port_dir": str(package),
            "launcher": self.inputs.launcher,
            "results": str(results),
            "engine": self.task.request.options.engine,
            "keep": PLAIN,
            "stop": not self.side.order.dependent and not uninitialised and not undefined,
            "cpu_s": CPU_S,
            "wall_s": WALL_S,
            "harmless": HARMLESS_EVENT,
            "cases": cases,
            "mutants": list(mutants),
        }
        (folder / "job.json").write_text(json.dumps(job))
        cache = self.scratch / "cache"  # what mutants compile to must not fill the user's cache
        cache.mkdir()
        done = run_isolated(
            [sys.executable, "-m", "migrate.mutate.child", str(folder / "job.json")],
            cwd=folder,
            timeout_s=120 + WALL_S * len(mutants),
            memory_bytes=self.task.request.options.memory_bytes,
            readable=[PACKAGE_ROOT, package],
            writable=[cache, *sorted({item.folder for item in self.side.found.accepted})],
            env={**child_environment(), "TILELANG_MIGRATE_CACHE": str(cache)},
            allow_processes=True,
        )
        found = [json.loads(line) for line in results.read_text().splitlines()] if results.exists() else []
        if len(found) < len(mutants):
            self.stopped = f"the process that runs them ended with {done.returncode}: {done.stderr.strip()[-200:]}"
        return {line["name"]: line for line in found}

    def _result(
        self, view: BuilderView, mutation: Mutation, line: Mapping[str, Any], plain: Mapping[str, Any]
    ) -> MutantResult:
        outcome, reason = self._outcome(line)
        if outcome in ("survived", "undecided"):
            if same_code(line.get("libraries", ()), plain.get("libraries", ())):
                outcome, reason = "equivalent", "same code"
            elif idle_barrier(view, mutation, self._blocks(), self._never_negative()):
                outcome, reason = "equivalent", "idle barrier"
            elif no_sign(view, mutation, self._never_negative()):
                outcome, reason = "equivalent", "no sign"
            elif same_values(view, mutation, self._blocks(), self._never_negative()):
                outcome, reason = "equivalent", "same values"
        kernel = self.task.request.kernel
        return MutantResult(
            operator=mutation.operator,
            kernel=kernel.symbol,
            port=port_file(self.task.request).relative_to(self.task.request.port_dir).as_posix(),
            line=mutation.line,
            column=mutation.column,
            note=mutation.note,
            diff=_diff(view.text, mutation.apply(view.text)),
            outcome=outcome,
            reason=reason,
        )

    def _blocks(self) -> set[tuple[int, int, int]]:
        """Block sizes of the accepted cases and of all launches worth trying."""
        cases = {item.case.block for item in self.side.found.accepted}
        return cases | {setting.block for setting in self.side.settings}

    def _never_negative(self) -> set[str]:
        """Integer parameters to which no accepted case and no launch worth trying gives a negative value."""
        found: dict[str, bool] = {}
        for setting in (*self.side.settings, *(item.recipe.setting for item in self.side.found.accepted)):
            for name, value in setting.scalars.items():
                found[name] = found.get(name, True) and isinstance(value, int) and value >= 0
        return {name for name, holds in found.items() if holds}

    def _outcome(self, line: Mapping[str, Any]) -> tuple[Outcome, str]:
        if not line:
            return "undecided", f"was not run: {self.stopped}"
        if line["ending"] == "import":
            return "invalid", line["message"]
        if line["ending"] == "starved":
            return "undecided", "the machine was too busy"
        if line["ending"] in ("crashed", "timed_out"):
            return "killed", f"{line['ending']}: {line['message']}"
        last = line["runs"][-1]
        if last["status"] == "unsupported" or (
            last["status"] == "raised" and not last["message"].startswith(RUN_ERRORS)
        ):
            return "invalid", last["message"].splitlines()[0][:200]
        compared: list[ComparedCase] = []
        for run, done, known in zip(self._runs(), line["runs"], self.baseline, strict=False):
            outcome = _port_outcome(done)
            if done["same"]:
                compared.append(replace(known, outcome=outcome))
            else:
                compared.append(
                    compare_run(run.expected, outcome, Path(str(run.port.output).format(mutant=line["name"])))
                )
        verdict = judge(self._evidence(compared))
        code = next((f"{d.code} {d.message}" for d in reversed(verdict.diagnostics) if d.severity == "error"), "")
        if verdict.status == "failed":
            return "killed", code[:300]
        complete = len(line["runs"]) == len(self.baseline)
        if verdict.status == "passed" or (self.arcs_missing and lacks_only_arcs(verdict)):
            return ("survived", "") if complete else ("undecided", "stopped early")
        warning = next((f"{d.code} {d.message}" for d in reversed(verdict.diagnostics)), "")
        return "undecided", warning[:300]


def _port_outcome(done: Mapping[str, Any]) -> PortOutcome:
    return PortOutcome(done["status"], done["message"], port_events(done))


def _diff(before: str, after: str) -> str:
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0)
    return "\n".join(line for line in lines if not line.startswith(("---", "+++", "@@")))
