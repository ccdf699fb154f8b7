"""Search for cases: try recipes until enough are accepted and the original's arcs are covered."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from migrate.verify.generator import Recipe
from migrate.verify.observe import union_arcs, variation
from migrate.verify.request import MINIMUM_CASES
from migrate.verify.schedules import has_race, order_report
from migrate.verify.trial import Accepted, Dropped, OracleSession, try_recipe
from migrate.verify.unreachable import Excuser

# Recipes tried at most, and recipes in a row that may bring nothing new before the search gives up.
MAXIMUM_TRIES = 48
FRUITLESS_TRIES = 12
# A kernel that did not end under this many different launches, and never did, is taken to be endless.
ENDLESS_TRIES = 3


@dataclass
class SearchResult:
    """Accepted cases, dropped recipes with their reasons, and which arcs any accepted case took."""

    accepted: list[Accepted] = field(default_factory=list)
    dropped: list[tuple[str, Dropped]] = field(default_factory=list)
    arcs_taken: list[bool] = field(default_factory=list)
    out_of_time: bool = False


def search_cases(
    session: OracleSession,
    recipes: Iterator[Recipe],
    wanted: int,
    excuser: Excuser,
    deadline: float,
) -> SearchResult:
    """Runs recipes in order. The first ``wanted`` clean ones are kept; later ones only if they add something.

    ``excuser`` says which arcs need no case. ``deadline``: on `time.monotonic`.
    """
    arcs = session.run_build.arcs
    result = SearchResult(arcs_taken=[False] * len(arcs))
    tries = fruitless = 0
    endless: set[tuple[object, ...]] = set()
    for recipe in recipes:
        if tries >= MAXIMUM_TRIES or (fruitless >= FRUITLESS_TRIES and tries >= 2 * wanted):
            break
        if time.monotonic() > deadline:
            result.out_of_time = True
            break
        if len(result.accepted) >= wanted and _telling(result):
            missing = result.arcs_taken.count(False)
            if missing == len(excuser.excused(arcs, result.arcs_taken)):
                break
        key = recipe.setting.key()
        if key in endless:
            continue
        tries += 1
        fruitless += 1
        found = try_recipe(session, recipe)
        if isinstance(found, Accepted) and has_race(found) and not recipe.setting.base:
            found = _unless_race_decides(session, found)
        if isinstance(found, Dropped):
            result.dropped.append((recipe.label, found))
            if found.reason == "timed_out":
                endless.add(key)
            if len(endless) >= ENDLESS_TRIES and not result.accepted:
                break
            continue
        united = union_arcs(len(arcs), [found.arcs_taken])
        news = any(new and not old for new, old in zip(united, result.arcs_taken, strict=True))
        if len(result.accepted) < wanted or news or (found.changed and not variation(result.accepted).enough):
            result.accepted.append(found)
            result.arcs_taken = [new or old for new, old in zip(united, result.arcs_taken, strict=True)]
            fruitless = 0 if news else fruitless
        else:
            discard(found)
    return result


def _unless_race_decides(session: OracleSession, item: Accepted) -> Accepted | Dropped:
    """Drops a case at other sizes than the plan's own where a race decides the result.

    Such sizes are not what the kernel was written for. At the plan's own sizes the race decides the verdict.
    """
    if not order_report(session, [item], atomics=False).dependent:
        return item
    line = next(finding.line for finding in item.findings if finding.kind == "race")
    discard(item)
    return Dropped("race", f"a race (line {line}) decides the result at sizes that are not the plan's own")


def discard(item: Accepted) -> None:
    """Removes the files of a case that is not needed."""
    for path in item.folder.glob("*.bin"):
        path.unlink()


def _telling(result: SearchResult) -> bool:
    seen = variation(result.accepted)
    return seen.enough and seen.effective >= MINIMUM_CASES
