"""Search for cases: try recipes until enough are accepted and the original's arcs are covered."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from migrate.verify.generator import Recipe
from migrate.verify.observe import union_arcs, variation
from migrate.verify.races import blocks_overlap, has_race
from migrate.verify.request import MINIMUM_CASES
from migrate.verify.schedules import order_report
from migrate.verify.trial import COSTLY_S, PAST_STATED, Accepted, Dropped, OracleSession, try_recipe
from migrate.verify.unreachable import Excuser

# Recipes tried at most, and recipes in a row that may bring nothing new before the search gives up.
MAXIMUM_TRIES = 48
FRUITLESS_TRIES = 12
# A kernel that did not end under this many different launches, and never did, is taken to be endless.
ENDLESS_TRIES = 3
# Sizes at which one case costs more than this (seconds of CPU time) get one case; further ones only if smaller sizes
# leave something open.
HEAVY_S = 2.0
# Recipes tried at sizes that are known to have an effect, where too few cases had one.
FOCUSED_TRIES = 10
# Recipes tried again with larger buffers than the host side states.
SECOND_TRIES = 8
_STORES = "two threads write"  # how the check build describes a race between stores


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
    search = _Search(session, wanted, excuser, deadline)
    offered = list(recipes)
    search.run(iter(offered), MAXIMUM_TRIES)
    if search.lacks_effect():
        # Most sizes may be ones at which the kernel returns at once; those that did something get the other data.
        search.run(iter(search.promising(offered)), FOCUSED_TRIES)
    if search.postponed and not search.complete() and not search.result.out_of_time:
        # Some branches are reached only past the sizes that host code states: the last resort, and told in the verdict.
        session.may_enlarge = True
        again, search.postponed = search.postponed, []
        search.result.dropped = [item for item in search.result.dropped if item[1].reason != PAST_STATED]
        search.run(iter(again), SECOND_TRIES)
    return search.result


class _Search:
    """State of one search."""

    def __init__(self, session: OracleSession, wanted: int, excuser: Excuser, deadline: float):
        self.session = session
        self.wanted = wanted
        self.excuser = excuser
        self.deadline = deadline
        self.arcs = session.run_build.arcs
        self.result = SearchResult(arcs_taken=[False] * len(self.arcs))
        self.endless: set[tuple[object, ...]] = set()
        self.postponed: list[Recipe] = []
        self.heavy: set[tuple[object, ...]] = set()
        self.tried: set[str] = set()

    def complete(self) -> bool:
        """Whether nothing is missing: enough cases that tell something, every arc taken or excused."""
        if len(self.result.accepted) < self.wanted:
            return False
        seen = variation(self.result.accepted)
        if not seen.enough or seen.effective < MINIMUM_CASES:
            return False
        missing = self.result.arcs_taken.count(False)
        return missing == len(self.excuser.excused(self.arcs, self.result.arcs_taken))

    def lacks_effect(self) -> bool:
        """Whether there are cases, some with an effect, but too few to tell anything; and time is left."""
        seen = variation(self.result.accepted)
        return (
            bool(seen.effective) and not self.result.out_of_time and (not seen.enough or seen.effective < MINIMUM_CASES)
        )

    def promising(self, offered: Sequence[Recipe]) -> list[Recipe]:
        """Recipes not tried yet at sizes where a case had an effect."""
        keys = {item.recipe.setting.key() for item in self.result.accepted if item.effective}
        return [one for one in offered if one.setting.key() in keys and one.label not in self.tried]

    def run(self, recipes: Iterator[Recipe], limit: int) -> None:
        """Tries recipes until complete, fruitless, at ``limit`` or out of time."""
        tries = fruitless = 0
        for recipe in self._light_first(recipes):
            hopeless = len(self.endless) >= ENDLESS_TRIES and not self.result.accepted
            if hopeless or tries >= limit or (fruitless >= FRUITLESS_TRIES and tries >= 2 * self.wanted):
                return
            if time.monotonic() > self.deadline:
                self.result.out_of_time = True
                return
            if self.complete():
                return
            if recipe.setting.key() in self.endless:
                continue
            tries += 1
            self.tried.add(recipe.label)
            fruitless = 0 if self._try(recipe) else fruitless + 1

    def _light_first(self, recipes: Iterator[Recipe]) -> Iterator[Recipe]:
        """``recipes``, but those at sizes known to be heavy come last."""
        deferred: list[Recipe] = []
        for recipe in recipes:
            if recipe.setting.key() in self.heavy:
                deferred.append(recipe)
            else:
                yield recipe
        yield from deferred

    def _try(self, recipe: Recipe) -> bool:
        """One recipe; True if it took an arc that no case took before."""
        spent = self.session.cpu_s
        patience = self.session.timeout_s
        if recipe.setting.costly or (self.endless and not self.result.accepted):
            self.session.timeout_s = min(patience, COSTLY_S)
        try:
            found = try_recipe(self.session, recipe)
        finally:
            self.session.timeout_s = patience
        if self.session.cpu_s - spent > HEAVY_S:
            self.heavy.add(recipe.setting.key())
        if isinstance(found, Accepted) and has_race(found):
            if indices_collide(self.session, found):
                found = unless_race_decides(self.session, found, "where index data name one element twice")
                self.session.distinct |= isinstance(found, Dropped)
            elif _may_drop(recipe, found):
                found = unless_race_decides(self.session, found)
        if isinstance(found, Dropped):
            self.result.dropped.append((recipe.label, found))
            if found.reason == "timed_out" and not recipe.setting.costly:
                self.endless.add(recipe.setting.key())
            if found.reason == PAST_STATED:
                self.postponed.append(recipe)
            return False
        united = union_arcs(len(self.arcs), [found.arcs_taken])
        news = any(new and not old for new, old in zip(united, self.result.arcs_taken, strict=True))
        seen = variation(self.result.accepted)
        telling = found.effective and (not seen.enough or seen.effective < MINIMUM_CASES)
        if len(self.result.accepted) < self.wanted or news or telling:
            self.result.accepted.append(found)
            self.result.arcs_taken = [new or old for new, old in zip(united, self.result.arcs_taken, strict=True)]
        else:
            discard(found)
        return news


def _may_drop(recipe: Recipe, racing: Accepted) -> bool:
    """The plan's own sizes stand for the original, unless they are guesses that its tiles do not divide."""
    return not recipe.setting.base or (recipe.setting.guessed and blocks_overlap(racing))


def indices_collide(session: OracleSession, item: Accepted) -> bool:
    """Whether every race is two threads that store by one statement to an element that index data choose.

    ``out[index[i]] = …`` is written for indices that differ; data that do not are none that the kernel is made for.
    """
    targets = {target for hint in session.hints.values() for target in hint.targets}
    found = [finding for finding in item.findings if finding.kind == "race"]
    return all(one.root in targets and one.line == one.other_line and one.message.startswith(_STORES) for one in found)


def unless_race_decides(
    session: OracleSession, item: Accepted, where: str = "at sizes that are not the plan's own"
) -> Accepted | Dropped:
    """Drops a case at other sizes than the plan's own (or with data that collide) where a race decides the result.

    Such sizes are not what the kernel was written for. At sizes that host code states the race decides the verdict.
    """
    if not order_report(session, [item], atomics=False).dependent:
        return item
    line = next(finding.line for finding in item.findings if finding.kind == "race")
    discard(item)
    return Dropped("race", f"a race (line {line}) decides the result {where}")


def discard(item: Accepted) -> None:
    """Removes the files of a case that is not needed."""
    for path in item.folder.glob("*.bin"):
        path.unlink()
