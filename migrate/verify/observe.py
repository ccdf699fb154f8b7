"""Do the accepted cases show anything? Effects, variation, and arcs of the original."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from migrate.verify.request import MINIMUM_CASES
from migrate.verify.trial import Accepted


@dataclass(frozen=True)
class Variation:
    """``effective``: cases that changed an element to something else than NaN.

    ``enough``: results vary as the judgement asks; else ``reason`` says what is wrong.
    """

    effective: int
    enough: bool
    reason: str = ""


def variation(accepted: Sequence[Accepted]) -> Variation:
    """Outputs differ between cases of one setting (they depend on inputs), or there are five sizes or poisons."""
    effective = [item for item in accepted if item.effective]
    if not effective:
        seen = any(item.changed for item in accepted)
        return Variation(0, False, "every result is NaN" if seen else "no case changes a byte of any buffer")
    by_setting: dict[tuple[object, ...], set[bytes]] = {}
    for item in effective:
        # The poison shows through partly written outputs, so only equal poisons tell anything about inputs.
        by_setting.setdefault((*item.recipe.setting.key(), item.recipe.poison), set()).add(item.fingerprint)
    if any(len(prints) > 1 for prints in by_setting.values()):
        return Variation(len(effective), True)
    if len(by_setting) >= MINIMUM_CASES:
        return Variation(len(effective), True)
    return Variation(
        len(effective),
        False,
        f"the results do not depend on the inputs; only {len(by_setting)} combinations of sizes and poison",
    )


def union_arcs(total: int, taken: Sequence[bytes]) -> list[bool]:
    """Which arcs any run took. ``taken``: one byte an arc a run (shorter strings count as not taken)."""
    united = [False] * total
    for bits in taken:
        for position, bit in enumerate(bits[:total]):
            if bit:
                united[position] = True
    return united
