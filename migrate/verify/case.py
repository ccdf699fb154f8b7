"""Case: everything one run of a kernel needs, shared by oracle and port as files.

A case is ``case.json`` plus one raw ``case.bin``. The bin file holds every root back to back, each in its own region
with guard bands; both sides map a private copy and results compare as bytes under a dtype view.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

GUARD_BYTES = 4096


@dataclass(frozen=True)
class Root:
    """One allocation. ``start``: byte position in case.bin of its first byte (256-aligned; a guard band of
    `GUARD_BYTES` stands before and after). ``bytes``: its size. ``role``: in, out, inout (from access extents)."""

    name: str
    dtype: str
    bytes: int
    start: int
    role: str = "inout"


@dataclass(frozen=True)
class TextureArgument:
    """A texture or surface object over a root: rows of ``extents`` texels (width first) of ``channels`` elements.

    Sampling state as in `migrate.ir.texture.Sampling`; ``address`` is empty for surfaces and linear memory.
    """

    dtype: str
    channels: int
    extents: tuple[int, ...]
    linear: bool = False
    normalized: bool = False
    scaled: bool = False
    address: tuple[str, ...] = ()


@dataclass(frozen=True)
class Argument:
    """One C parameter in order. Exactly one of: ``root`` (+ ``offset`` bytes into it), or ``raw`` (little-endian
    bytes as hex, the scalar or struct by value). A null pointer is raw zeros. ``texture``: the object over ``root``."""

    root: str | None = None
    offset: int = 0
    raw: str | None = None
    texture: TextureArgument | None = None


@dataclass(frozen=True)
class Symbol:
    """A __constant__ or __device__ global set before the launch: ``name`` as in C++, ``root`` with its contents."""

    name: str
    root: str


@dataclass(frozen=True)
class Case:
    """A launch with its data. ``provenance``: a sentence a guess, shown in the report."""

    kernel: str
    seed: int
    label: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared_bytes: int
    arguments: tuple[Argument, ...]
    roots: tuple[Root, ...]
    symbols: tuple[Symbol, ...] = ()
    total_bytes: int = 0
    provenance: tuple[str, ...] = field(default=())

    def to_json(self) -> str:
        """Stable JSON text (schema: docs/case.schema.json)."""
        raw = asdict(self)
        for argument in raw["arguments"]:
            if argument["texture"] is None:
                del argument["texture"]
        return json.dumps(raw, indent=1, sort_keys=True)

    @staticmethod
    def from_json(text: str) -> Case:
        """Inverse of `to_json`."""
        raw: dict[str, Any] = json.loads(text)
        return Case(
            kernel=raw["kernel"],
            seed=raw["seed"],
            label=raw["label"],
            grid=tuple(raw["grid"]),
            block=tuple(raw["block"]),
            shared_bytes=raw["shared_bytes"],
            arguments=tuple(_argument(a) for a in raw["arguments"]),
            roots=tuple(Root(**r) for r in raw["roots"]),
            symbols=tuple(Symbol(**s) for s in raw["symbols"]),
            total_bytes=raw["total_bytes"],
            provenance=tuple(raw["provenance"]),
        )

    def save(self, folder: Path, data: bytes | memoryview) -> None:
        """Writes case.json and case.bin into ``folder``."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "case.json").write_text(self.to_json())
        (folder / "case.bin").write_bytes(data)


def _argument(raw: dict[str, Any]) -> Argument:
    texture = raw.get("texture")
    if texture is not None:
        texture = TextureArgument(
            **{**texture, "extents": tuple(texture["extents"]), "address": tuple(texture["address"])}
        )
    return Argument(raw["root"], raw["offset"], raw["raw"], texture)
