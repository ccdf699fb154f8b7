"""CUDA's device functions as KernelModule nodes, a file a family.

`lookup` finds the handler of a function by its qualified name. A handler emits the statements the call needs (shuffles,
atomics, temporaries) to the call's `Sink` and returns the call's value, or None where the call is void. It refuses with
a code what cannot be shown right. Names that no family knows give None; the caller refuses them (TLM301).
"""

from __future__ import annotations

from migrate.parse.build.intrinsics.registry import known_names, lookup

__all__ = ["known_names", "lookup"]
