"""Texture and surface parameters of a kernel while it is built: what each is, and the IR parameters it becomes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from migrate.diagnostics import Refusal, refuse
from migrate.ir.kernel import Buffer, DType, Expr, ParamRef, PointerParam, ScalarParam, Scope
from migrate.ir.launch import LaunchSite, PointerFact, TextureFact
from migrate.ir.span import Span
from migrate.ir.texture import EXTENTS, AddressMode, Sampling, Texture
from migrate.parse.build.types import SIZES

if TYPE_CHECKING:
    from migrate.parse.build.unit import Unit

_ADDRESS: tuple[AddressMode, ...] = ("wrap", "clamp", "mirror", "border")  # by value of cudaTextureAddressMode
LaunchedTextures = Mapping[int, "Sequence[LaunchedTexture]"]


@dataclass(frozen=True)
class LaunchedTexture:
    """What one launch passes: the fact, and the C parameter that may be the same memory (-1: none)."""

    fact: TextureFact
    shared_with: int = -1


def launched_textures(launches: Sequence[LaunchSite]) -> dict[tuple[str, str], dict[int, list[LaunchedTexture]]]:
    """By kernel id and C++ name: what all launches pass for each texture or surface parameter, by position."""
    found: dict[tuple[str, str], dict[int, list[LaunchedTexture]]] = {}
    for site in launches:
        for position, fact in enumerate(site.args):
            if isinstance(fact, TextureFact):
                places = found.setdefault((site.kernel_id, site.cpp_name), {})
                places.setdefault(position, []).append(LaunchedTexture(fact, _shared_with(site, position, fact)))
    return found


def _shared_with(site: LaunchSite, position: int, fact: TextureFact) -> int:
    """The other argument over the same memory: a known one first, then an object whose memory is not known."""
    unknown = -1
    for other, argument in enumerate(site.args):
        if other == position or not isinstance(argument, PointerFact | TextureFact):
            continue
        if fact.allocation and argument.allocation == fact.allocation:
            return other
        if isinstance(argument, TextureFact) and not (fact.allocation and argument.allocation):
            unknown = other
    return unknown


@dataclass(eq=False)
class TextureParameter:
    """One C parameter. ``shape`` and ``buffer`` are made by the first access; later ones must fit."""

    name: str
    kind: str
    position: int
    c_type: str
    span: Span
    launched: Sequence[LaunchedTexture] = ()
    shape: Texture | None = None
    buffer: Buffer | None = None
    extents: tuple[str, ...] = ()

    def extent(self, axis: int) -> Expr:
        """Width, height or depth as an int32 expression."""
        return ParamRef(self.extents[axis], "int32", self.span)

    def facts(self) -> Iterator[TextureFact]:
        """What each launch says."""
        return (item.fact for item in self.launched)


def use(unit: Unit, parameter: TextureParameter, shape: Texture, dtype: DType, span: Span | None) -> Buffer:
    """The buffer of ``parameter``, seen as ``shape`` of ``dtype``. Refuses (TLM340) another view of the same object."""
    if parameter.shape is None:
        _check_sharing(unit, parameter, span)

        def make(name: str, chosen: DType) -> Buffer:
            const = shape.kind == "texture"
            return Buffer(name, chosen, Scope.GLOBAL, None, const=const, c_type=parameter.c_type, span=parameter.span)

        parameter.buffer = unit.root(f"texture:{parameter.position}", make, parameter.name, dtype)
        parameter.extents = tuple(unit.buffer_name(f"{parameter.name}_{name}") for name in EXTENTS[: shape.rank])
        parameter.shape = shape
    buffer = cast("Buffer", parameter.buffer)
    if parameter.shape != shape or buffer.dtype != dtype:
        raise refuse("TLM340", f"`{parameter.name}` is read or written as two kinds of texel", span)
    return buffer


def _check_sharing(unit: Unit, parameter: TextureParameter, span: Span | None) -> None:
    """Refuses an object whose memory the kernel may also reach by a surface (or, for a surface, in any other way)."""
    objects = {item.position: item for item in unit.textures}
    for item in parameter.launched:
        other = objects.get(item.shared_with)
        if other is not None and "surface" in (parameter.kind, other.kind):
            what = f"`{parameter.name}` and `{other.name}` may be the same memory, and one is a surface"
            raise refuse("TLM340", what, span)
    others = [item for item in unit.textures if item is not parameter]
    if not parameter.launched and others and (parameter.kind == "surface" or any(o.kind == "surface" for o in others)):
        raise refuse("TLM340", f"no launch shows that `{parameter.name}` is not the memory of `{others[0].name}`", span)


def check_pointers(unit: Unit, params: Sequence[ScalarParam | PointerParam], written: Collection[str]) -> None:
    """Refuses (TLM340) a texture over memory that the kernel also writes through a pointer: the reads are undefined."""
    pointers = {item.position: item.buffer.name for item in params if isinstance(item, PointerParam)}
    for item in unit.textures:
        for launch in item.launched:
            name = pointers.get(launch.shared_with, "")
            if item.shape is not None and name in written:
                message = f"`{item.name}` reads the memory that the kernel writes through `{name}`"
                raise refuse("TLM340", message, item.span)


def texture_params(unit: Unit) -> list[tuple[int, list[ScalarParam | PointerParam]]]:
    """The IR parameters of every object that is used, by position: its buffer, then its extents."""
    found: list[tuple[int, list[ScalarParam | PointerParam]]] = []
    for item in unit.textures:
        if item.shape is None or item.buffer is None:
            continue
        size = SIZES[item.buffer.dtype] * item.shape.channels
        made: list[ScalarParam | PointerParam] = [
            PointerParam(item.buffer, item.c_type, item.position, (), 0, item.span, size, (), item.shape)
        ]
        made += [
            ScalarParam(name, "int32", "int", item.position, (EXTENTS[axis],), 0, item.span)
            for axis, name in enumerate(item.extents)
        ]
        found.append((item.position, made))
    return found


# --- the state that host code gives ---------------------------------------------------------------------------------


def sampling_of(
    parameter: TextureParameter, rank: int, result: tuple[DType, int], span: Span | None
) -> tuple[Sampling, tuple[DType, int]]:
    """State and texel (dtype, channels) of a texture that is read as ``result``. Refuses (TLM340) what is not known."""
    states = {_state(parameter, item.fact, rank, result, span) for item in parameter.launched}
    if not states:
        raise _unknown(parameter, "no launch in this file shows how it is made", span)
    if len(states) > 1:
        raise _unknown(parameter, "launches use textures of different states", span)
    return states.pop()


def _unknown(parameter: TextureParameter, why: str, span: Span | None) -> Refusal:
    return refuse("TLM340", f"the sampling state of `{parameter.name}` is not known: {why}", span)


def _state(
    parameter: TextureParameter, fact: TextureFact, rank: int, result: tuple[DType, int], span: Span | None
) -> tuple[Sampling, tuple[DType, int]]:
    if fact.filter is None or fact.normalized is None or fact.read is None:
        raise _unknown(parameter, fact.missing or "a field of its cudaTextureDesc is not set", span)
    if fact.resource == "mipmap":
        raise refuse("TLM340", f"`{parameter.name}` has mipmap levels", span)
    modes: list[AddressMode] = []
    for axis in range(rank):
        number = fact.address[axis]
        if number is None or not 0 <= number < len(_ADDRESS):
            raise _unknown(parameter, fact.missing or f"addressMode[{axis}] is not set", span)
        mode = _ADDRESS[number]
        # CUDA treats these two as clamp where coordinates are not normalised.
        modes.append("clamp" if mode in ("wrap", "mirror") and not fact.normalized else mode)
    if fact.border and "border" in modes:
        raise refuse("TLM340", f"`{parameter.name}` has a border colour of its own", span)
    texel = texel_of(parameter, fact, result, span)
    floating = texel[0].startswith("float") or bool(fact.read)
    if fact.filter and not floating:
        raise refuse("TLM340", f"`{parameter.name}` filters integers linearly, which CUDA does not define", span)
    return Sampling(bool(fact.filter), bool(fact.normalized), tuple(modes)), texel


def texel_of(
    parameter: TextureParameter, fact: TextureFact, result: tuple[DType, int], span: Span | None
) -> tuple[DType, int]:
    """The texel that a read as ``result`` finds. Refuses (TLM340) a channel format that does not fit."""
    if fact.texel is None and (fact.read is None or fact.read):
        why = fact.missing or "its channel format is not known, and integers may be read as floats in [0, 1]"
        raise _unknown(parameter, why, span)
    texel = fact.texel or result
    if fact.read and texel[0] in ("int8", "uint8", "int16", "uint16"):
        if result != ("float32", texel[1]):
            raise refuse("TLM340", f"`{parameter.name}` gives {texel[1]} floats, but is read as something else", span)
        return texel
    if texel != result:
        message = f"`{parameter.name}` holds {texel[1]} × {texel[0]}, but is read as {result[1]} × {result[0]}"
        raise refuse("TLM340", message, span)
    return texel
