"""The judgement: from evidence to a verdict. Pure; every way out of here names its reason.

Order of the questions: could the original be run at all; did the port misbehave; is there a single right answer;
is it equal; does equality prove something. Only a kernel that answers all of them well has ``passed``.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from migrate.diagnostics import Diagnostic, Severity, make
from migrate.ir.span import Span
from migrate.oracle.api import Arc
from migrate.verify.compare import merge_metrics
from migrate.verify.evidence import ComparedCase, Evidence
from migrate.verify.observe import variation
from migrate.verify.races import lost_update, of_one_order, races
from migrate.verify.request import MINIMUM_CASES
from migrate.verify.trial import CHECKED_READ
from migrate.verify.verdict import CaseResult, Metrics, Status, Verdict

_LISTED_ARCS = 12
# A load whose value is not used: the host compiler leaves it out of the original, so its buffers may end before it.
# Then the original as written reads past the buffer as well (see `original_reads_past`).
HARMLESS_EVENT = "out of range: read"


@dataclass
class _Draft:
    """Diagnostics and notes of a verdict in the making."""

    evidence: Evidence
    diagnostics: list[Diagnostic] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    status: Status = "passed"
    exact: bool | None = None

    def add(self, code: str, message: str, span: Span | None = None, severity: Severity | None = None) -> None:
        self.diagnostics.append(make(code, message, span or self.evidence.span, severity=severity))

    def end(self, status: Status, code: str, message: str, span: Span | None = None) -> Verdict:
        """The final verdict with its deciding diagnostic."""
        self.add(code, message, span)
        return self.finish(status)

    def finish(self, status: Status) -> Verdict:
        evidence = self.evidence
        compared = [item for item in evidence.runs() if item.comparison is not None]
        worst = Metrics()
        for item in compared:
            assert item.comparison is not None
            worst = merge_metrics(worst, item.comparison.metrics)
        reached = sum(1 for taken in evidence.arcs_taken if taken)
        first = next((item.comparison.first for item in compared if item.comparison and item.comparison.first), None)
        return Verdict(
            kernel_id=evidence.kernel_id,
            symbol=evidence.symbol,
            status=status,
            oracle=evidence.oracle,
            engines=(evidence.engine,),
            cases=sum(item.comparison is not None for item in evidence.cases),
            dropped=dict(sorted(Counter(item.reason for _, item in evidence.dropped).items())),
            arcs_taken=reached,
            arcs_total=len(evidence.arcs),
            arcs_excused=tuple(
                f"line {evidence.arcs[arc.position].line}: {evidence.arcs[arc.position].text} "
                f"({evidence.arcs[arc.position].outcome}): {arc.reason}"
                for arc in evidence.excused
            ),
            arcs_forced=tuple(
                f"line {evidence.arcs[position].line}: {evidence.arcs[position].text} "
                f"({evidence.arcs[position].outcome}): {cases} cases"
                for position, cases in evidence.forced.items()
            ),
            exact=self.exact,
            worst=worst,
            noise=evidence.order.noise,
            first_difference=first,
            notes=tuple(self.notes),
            diagnostics=tuple(self.diagnostics),
            provenance=tuple(dict.fromkeys(evidence.provenance)),
            results=(*(_result(item) for item in evidence.runs()), *_dropped_results(evidence)),
            cpu_s=round(evidence.cpu_s, 3),
        )


def _result(item: ComparedCase) -> CaseResult:
    case = item.accepted.case
    if item.comparison is None:
        return CaseResult(case.label, item.outcome.status, case.grid, case.block, item.outcome.message)
    outcome = "equal" if item.comparison.equal else "different"
    if item.comparison.equal and not item.accepted.changed:
        outcome = "equal, nothing to do"
    return CaseResult(case.label, outcome, case.grid, case.block)


def _dropped_results(evidence: Evidence) -> list[CaseResult]:
    return [
        CaseResult(label, f"dropped: {item.reason}", (0, 0, 0), (0, 0, 0), item.detail)
        for label, item in evidence.dropped
    ]


def judge(evidence: Evidence) -> Verdict:
    """The verdict that ``evidence`` supports; never better than that."""
    draft = _Draft(evidence)
    for decide in (_runnable, _behaved, _single_answer, _equal, _telling, _covered):
        verdict = decide(draft)
        if verdict is not None:
            return verdict
    return draft.finish("passed")


def _runnable(draft: _Draft) -> Verdict | None:
    evidence = draft.evidence
    if evidence.enlarged:
        others = len(evidence.enlarged) - 1
        more = f" (likewise {others} more)" if others else ""
        draft.add("TLM739", next(iter(evidence.enlarged.values())) + more)
    if evidence.fast_math:
        draft.add("TLM743", f"uses {', '.join(evidence.fast_math)}: equality does not cover how a device rounds them")
    if evidence.cases:
        if evidence.geometry:
            block = "×".join(map(str, evidence.cases[0].accepted.case.block))
            draft.add("TLM768", f"{evidence.geometry}; the verdict rests on launches with blocks such as {block}")
        return None
    reasons = Counter(item.reason for _, item in evidence.dropped)
    counted = ", ".join(f"{count} × {reason}" for reason, count in reasons.most_common())
    detail = evidence.dropped[0][1].detail if evidence.dropped else ""
    if evidence.out_of_time:
        return draft.end("inconclusive", "TLM736", f"the time limit was reached before a case was accepted ({counted})")
    if reasons and all(reason.startswith("event") for reason in reasons):
        return draft.end("inconclusive", "TLM735", f"every case was dropped: {counted}; first: {detail}")
    return draft.end("inconclusive", "TLM726", f"no case was accepted: {counted or 'nothing to try'}; first: {detail}")


def _behaved(draft: _Draft) -> Verdict | None:
    for item in draft.evidence.runs():
        where = f"{item.accepted.case.label}: "
        if item.outcome.status in ("raised", "import", "crashed"):
            return draft.end("failed", "TLM722", where + item.outcome.message)
        if item.outcome.status in ("engine", "unsupported"):
            return draft.end("inconclusive", "TLM745", where + item.outcome.message)
        if item.outcome.status == "starved":
            return draft.end("inconclusive", "TLM736", f"{where}the machine was too busy: {item.outcome.message}")
        if item.outcome.status == "timed_out":
            return draft.end("failed", "TLM723", where + item.outcome.message)
        if item.comparison is None:
            return draft.end("failed", "TLM740", where + "the port was not run")
        if item.comparison.guards is not None:
            return draft.end(
                "failed", "TLM724", f"{where}byte {item.comparison.guards} of the case file, in a guard band, changed"
            )
        alone = item.original_reads_past is False
        harmful = [event for event in item.outcome.events if alone or not event.startswith(HARMLESS_EVENT)]
        if harmful:
            return draft.end("failed", "TLM744", f"{where}{'; '.join(harmful[:3])}")
        if item.outcome.events and not any(note.startswith("the port reads") for note in draft.notes):
            draft.notes.append(
                f"the port reads past a buffer where the original as compiled does not: {item.outcome.events[0]}"
            )
        if item.comparison.inputs_changed:
            return draft.end("failed", "TLM725", f"{where}{', '.join(item.comparison.inputs_changed)} changed")
    return None


def _single_answer(draft: _Draft) -> Verdict | None:
    evidence = draft.evidence
    found = races([item.accepted for item in evidence.cases])
    lost = lost_update([item.accepted for item in evidence.cases])
    if found:
        race = lost or found[0]
        lines = f"lines {race.line} and {race.other_line}" if race.other_line else f"line {race.line}"
        place = Span(race.file or (evidence.span.file if evidence.span else ""), race.line)
        if evidence.order.dependent:
            message = f"{race.message or 'race'} ({lines}); case “{evidence.order.case}” differs under another schedule"
            return draft.end("inconclusive", "TLM728", message, place)
        if lost is not None:
            message = f"{lost.message} ({lines}); both also write there: what one adds, another may undo"
            return draft.end("inconclusive", "TLM728", message, place)
        fixed = of_one_order([item.accepted for item in evidence.cases], evidence.order.findings)
        if fixed is not None:
            place = Span(fixed.file or place.file, fixed.line)
            message = (
                f"{fixed.message} (lines {fixed.line} and {fixed.other_line}); no schedule tried has them the other way"
            )
            return draft.end("inconclusive", "TLM728", message, place)
        draft.add("TLM738", f"{race.message or 'race'} ({lines}); every schedule tried gives the same bytes", place)
    if any(finding.kind == CHECKED_READ for item in evidence.cases for finding in item.accepted.findings):
        draft.notes.append("plain reads that compare-and-swap loops check count as atomic loads")
    if evidence.order.dependent:
        draft.add(
            "TLM729", f"case “{evidence.order.case}”: largest change under other schedules {evidence.order.noise:g}"
        )
    if evidence.order.stuck:
        draft.notes.append(f"under another schedule the original does not end normally: {evidence.order.stuck}")
    return None


def _equal(draft: _Draft) -> Verdict | None:
    evidence = draft.evidence
    draft.exact = True
    for item in evidence.runs():
        comparison = item.comparison
        if comparison is None or comparison.equal:
            continue
        draft.exact = False
        uninitialised = [found for found in item.accepted.findings if found.kind == "uninitialised_read"]
        where = f"{item.accepted.case.label}: {', '.join(comparison.differing_roots)}"
        if uninitialised:
            place = Span(evidence.span.file if evidence.span else "", uninitialised[0].line)
            return draft.end(
                "inconclusive", "TLM737", f"{where} differs, but the original reads memory nothing has written", place
            )
        if evidence.order.dependent and item.multisets:
            continue
        first = comparison.first
        values = f", element {first.index}: original {first.original}, port {first.port}" if first else ""
        return draft.end("failed", "TLM721", where + values)
    undefined = [item.accepted for item in evidence.cases if item.accepted.undefined is not None]
    if undefined:
        assert undefined[0].undefined is not None
        count = int(undefined[0].undefined.sum())
        draft.add("TLM748", f"{count} bytes of case “{undefined[0].case.label}” hold no defined value")
    if not draft.exact:
        draft.notes.append("results depend on order; they agree as multisets of integers, not slot by slot")
    unwritten = [
        found for item in evidence.cases for found in item.accepted.findings if found.kind == "uninitialised_read"
    ]
    if unwritten:
        place = Span(evidence.span.file if evidence.span else "", unwritten[0].line)
        draft.add(
            "TLM737", "the original reads shared memory that nothing has written; the results agree", place, "note"
        )
    return None


def _telling(draft: _Draft) -> Verdict | None:
    evidence = draft.evidence
    accepted = [item.accepted for item in evidence.cases]
    seen = variation(accepted)
    if not seen.effective:
        return draft.end("inconclusive", "TLM727", f"{seen.reason} ({len(accepted)} cases)")
    if len(accepted) < MINIMUM_CASES:
        code = "TLM736" if evidence.out_of_time else "TLM732"
        counts = Counter(item.reason for _, item in evidence.dropped)
        reasons = ", ".join(f"{count} × {reason}" for reason, count in counts.most_common())
        return draft.end("inconclusive", code, f"{len(accepted)} of {MINIMUM_CASES} cases accepted; dropped: {reasons}")
    if not seen.enough:
        return draft.end("inconclusive", "TLM732", seen.reason)
    if seen.effective < MINIMUM_CASES:
        return draft.end("inconclusive", "TLM732", f"only {seen.effective} of {len(accepted)} cases change something")
    racing = [dropped for _, dropped in evidence.dropped if dropped.reason == "race"]
    if racing:
        draft.add("TLM765", f"{len(racing)} launches were dropped: {racing[0].detail}")
    if seen.effective < len(accepted):
        draft.notes.append(f"{seen.effective} of {len(accepted)} cases change something")
    return None


def _place_of(evidence: Evidence, arc: Arc) -> Span:
    return Span(arc.file or (evidence.span.file if evidence.span else ""), arc.line)


def lacks_only_arcs(verdict: Verdict) -> bool:
    """Whether untaken branch outcomes alone keep ``verdict`` from ``passed``."""
    warnings = {item.code for item in verdict.diagnostics if item.severity != "note"}
    return verdict.status == "inconclusive" and "TLM730" in warnings and verdict.exact is not None


def _covered(draft: _Draft) -> Verdict | None:
    evidence = draft.evidence
    if evidence.excused:
        draft.add("TLM731", f"{len(evidence.excused)} branch outcomes are unreachable for the plan's launches")
    for position, cases in evidence.forced.items():
        arc = evidence.arcs[position]
        message = f"covered by the same change to original and port ({cases} cases agree): {arc.text}"
        draft.add("TLM746", f"{message} ({arc.outcome})", _place_of(evidence, arc))
    draft.notes += [f"forcing a condition: {reason}" for reason in evidence.not_forced]
    missing = [evidence.arcs[position] for position in evidence.missing_arcs()]
    for arc in missing[:_LISTED_ARCS]:
        draft.add("TLM730", f"never taken: {arc.text} ({arc.outcome})", _place_of(evidence, arc))
    if len(missing) > _LISTED_ARCS:
        draft.add("TLM730", f"and {len(missing) - _LISTED_ARCS} more branch outcomes were never taken")
    return draft.finish("inconclusive") if missing else None
