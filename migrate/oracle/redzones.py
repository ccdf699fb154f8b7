"""Room behind every function-level static in assembly text, so that an overrun does not land in its neighbour.

``__shared__`` arrays are such statics. A kernel that runs over the end of one reads or writes another's data, on this
CPU and on a device differently; with room between them the check build sees it.
"""

from __future__ import annotations

import re

RED_ZONE_BYTES = 1024
# Both ways in which compilers place zeroed statics, named by the Itanium ABI's mangling of local names.
_COMMON = re.compile(r"^\t\.comm\t(_ZZ[\w$.]+),(\d+),(\d+)[ \t]*$", re.MULTILINE)
_ZEROED = re.compile(r"^(_ZZ[\w$.]+):[ \t]*\n(\t\.zero\t\d+)[ \t]*$", re.MULTILINE)


def add_red_zones(assembly: str) -> tuple[str, frozenset[str]]:
    """The text with `RED_ZONE_BYTES` behind each static, and the names that have them. Sizes of symbols stay."""
    names: set[str] = set()

    def common(match: re.Match[str]) -> str:
        name, size, alignment = match.groups()
        names.add(name)
        return (
            f"\t.pushsection\t.bss\n\t.balign\t{alignment}\n\t.type\t{name}, %object\n\t.size\t{name}, {size}\n"
            f"{name}:\n\t.zero\t{size}\n\t.zero\t{RED_ZONE_BYTES}\n\t.popsection"
        )

    def zeroed(match: re.Match[str]) -> str:
        names.add(match.group(1))
        return f"{match.group(1)}:\n{match.group(2)}\n\t.zero\t{RED_ZONE_BYTES}"

    # Those that stand in the text first: what replaces a .comm looks like one of them.
    text = _COMMON.sub(common, _ZEROED.sub(zeroed, assembly))
    return text, frozenset(names)
