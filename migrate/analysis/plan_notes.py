"""What a launch plan had to guess, as diagnostics."""

from __future__ import annotations

from migrate.analysis.plan_model import InvalidLaunch, LaunchPlan
from migrate.diagnostics import Diagnostic, make
from migrate.ir.span import Span


def plan_diagnostics(plan: LaunchPlan) -> list[Diagnostic]:
    """TLM600 synthetic geometry, TLM601 borrowed launch, TLM602 dropped conditions, TLM603 no valid geometry."""
    file, line, name = plan.kernel_id.rsplit(":", 2)
    span = Span(file, int(line))
    found: list[Diagnostic] = []
    first = plan.sites[0]
    if first.place == "synthetic":
        reasons = "; ".join(first.provenance)
        found.append(make("TLM600", f"{name}: no launch found, geometry is a guess ({reasons})", span))
    for note in plan.notes:
        if note.startswith("launch borrowed"):
            found.append(make("TLM601", f"{name}: {note}", span))
    if any("were dropped" in note for note in first.provenance):
        found.append(make("TLM602", f"{name}: host conditions at {first.place} could not be met together", span))
    try:
        plan.instantiate()
    except InvalidLaunch as error:
        found.append(make("TLM603", f"{name}: no valid launch geometry: {error}", span))
    return found
