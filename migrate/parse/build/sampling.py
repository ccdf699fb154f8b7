"""Texture fetches as arithmetic: one device function a texture and kind of fetch (docs/semantics.md, "Textures")."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product

from migrate.ir.kernel import (
    Assign,
    Buffer,
    Cast,
    Const,
    Declare,
    DType,
    Expr,
    Function,
    FunctionParam,
    Load,
    LocalRef,
    LocalVar,
    Return,
    Stmt,
)
from migrate.ir.span import Span
from migrate.ir.texture import EXTENTS, AddressMode, Texture
from migrate.parse.build.intrinsics.arguments import binary, const, math, select, zero
from migrate.parse.build.names import Names
from migrate.parse.build.unit import Unit

_AXES = "xyz"
_LARGEST = {"uint8": 255.0, "int8": 127.0, "uint16": 65535.0, "int16": 32767.0}


@dataclass
class _Code:
    """Statements of a function under construction."""

    names: Names
    unit: Unit
    body: list[Stmt] = field(default_factory=list)

    def local(self, hint: str, dtype: DType, mutable: bool = False) -> LocalVar:
        """A new name."""
        name = self.names.take(hint)
        self.unit.every_name.add(name)
        return LocalVar(name, dtype, mutable)

    def let(self, hint: str, value: Expr) -> Expr:
        """A local that holds ``value``."""
        variable = self.local(hint, value.dtype)
        self.body.append(Declare(variable, value))
        return LocalRef(variable)


@dataclass(frozen=True)
class _Tap:
    """One texel along one axis: an index inside the texture, whether the texel exists (None: always), its weight."""

    index: Expr
    inside: Expr | None = None
    weight: Expr | None = None


def fetch_function(
    unit: Unit, buffer: Buffer, shape: Texture, result: DType, source: str, span: Span | None
) -> Function:
    """The function that reads a texel: extents, then coordinates (int32 for linear memory, else float32).

    It returns the value, or writes one reference a channel behind the coordinates.
    """
    code = _Code(Names(unit.shared_names), unit)
    extents = [code.local(f"{name}", "int32") for name in EXTENTS[: shape.rank]]
    coordinate = "int32" if shape.linear_memory else "float32"
    coordinates = [code.local(axis, coordinate) for axis in _AXES[: shape.rank]]
    outputs = [code.local(f"channel_{c}", result, True) for c in range(shape.channels)] if shape.channels > 1 else []
    axes = [
        _taps(code, shape, axis, LocalRef(coordinates[axis]), LocalRef(extents[axis])) for axis in range(shape.rank)
    ]
    values = _values(code, buffer, shape, axes, [LocalRef(extent) for extent in extents], result)
    if outputs:
        code.body += [Assign(output, value) for output, value in zip(outputs, values, strict=True)]
    else:
        code.body.append(Return(values[0]))
    params = (*(FunctionParam(one) for one in (*extents, *coordinates)), *(FunctionParam(o, ref=True) for o in outputs))
    name = unit.buffer_name(f"{source}_{buffer.name}")
    scalar = None if outputs else result
    return Function(name, name, params, scalar, tuple(code.body), span, _description(shape, buffer))


def _description(shape: Texture, buffer: Buffer) -> str:
    if shape.sampling is None:
        return f"Texel x of {buffer.name}; 0 outside."
    state = shape.sampling
    filtered = "linear, weights rounded to 8 bits" if state.linear else "point"
    coordinates = "normalised" if state.normalized else "unnormalised"
    read = ", integers scaled to floats" if shape.scaled else ""
    return f"Samples {buffer.name}: {filtered}; {coordinates} coordinates; {', '.join(state.address)}{read}."


# --- one axis -------------------------------------------------------------------------------------------------------


def _taps(code: _Code, shape: Texture, axis: int, x: Expr, extent: Expr) -> list[_Tap]:
    """The texels of one axis that coordinate ``x`` reads."""
    letter = _AXES[axis]
    last = binary("sub", extent, const("int32", 1))
    if shape.sampling is None:
        inside = binary("and", binary("ge", x, const("int32", 0)), binary("lt", x, extent))
        return [_Tap(_held(x, last), code.let("inside", inside))]
    state, mode = shape.sampling, shape.sampling.address[axis]
    size = code.let(f"{EXTENTS[axis]}_float", Cast(extent, "float32"))
    if state.normalized:
        x = code.let(f"{letter}_texels", binary("mul", _folded(code, x, mode, letter), size))
    if not state.linear:
        floor = code.let(f"{letter}_floor", math("floorf", x))
        index = code.let(f"{letter}_index", Cast(_between(floor, const("float32", 0.0), _less_one(size)), "int32"))
        return [_Tap(index, _exists(code, floor, size, mode, letter))]
    return _two_taps(code, x, size, extent, mode, letter)


def _two_taps(code: _Code, x: Expr, size: Expr, extent: Expr, mode: AddressMode, letter: str) -> list[_Tap]:
    half = const("float32", 0.5)
    last = binary("sub", extent, const("int32", 1))
    if mode == "border":
        beyond = binary("add", size, const("float32", 1.0))
        centred = _between(binary("sub", x, half), const("float32", -2.0), beyond)
    else:
        centred = binary("sub", _between(x, const("float32", 0.0), size), half)
    centred = code.let(f"{letter}_centred", centred)
    floor = code.let(f"{letter}_floor", math("floorf", centred))
    steps = math("rintf", binary("mul", binary("sub", centred, floor), const("float32", 256.0)))
    weight = code.let(f"{letter}_weight", binary("mul", steps, const("float32", 1 / 256)))
    rest = code.let(f"{letter}_rest", binary("sub", const("float32", 1.0), weight))
    first = code.let(f"{letter}_first", Cast(floor, "int32"))
    second = code.let(f"{letter}_second", binary("add", first, const("int32", 1)))
    if mode == "wrap":
        low = select(binary("lt", first, const("int32", 0)), last, first)
        high = select(binary("ge", second, extent), const("int32", 0), second)
        return [_Tap(code.let(f"{letter}_low", low), None, rest), _Tap(code.let(f"{letter}_high", high), None, weight)]
    taps = []
    for hint, index, share in (("low", first, rest), ("high", second, weight)):
        inside = None
        if mode == "border":
            exists = binary("and", binary("ge", index, const("int32", 0)), binary("lt", index, extent))
            inside = code.let(f"{letter}_{hint}_inside", exists)
        taps.append(_Tap(code.let(f"{letter}_{hint}", _held(index, last)), inside, share))
    return taps


def _folded(code: _Code, x: Expr, mode: AddressMode, letter: str) -> Expr:
    """A normalised coordinate after wrap (x − ⌊x⌋) or mirror (1 − that where ⌊x⌋ is odd)."""
    if mode not in ("wrap", "mirror"):
        return x
    whole = code.let(f"{letter}_whole", math("floorf", x))
    part = code.let(f"{letter}_part", binary("sub", x, whole))
    if mode == "wrap":
        return part
    pairs = binary("mul", const("float32", 2.0), math("floorf", binary("mul", whole, const("float32", 0.5))))
    odd = code.let(f"{letter}_odd", binary("sub", whole, pairs))
    mirrored = binary("sub", const("float32", 1.0), part)
    return code.let(f"{letter}_folded", select(binary("gt", odd, const("float32", 0.5)), mirrored, part))


def _exists(code: _Code, floor: Expr, size: Expr, mode: AddressMode, letter: str) -> Expr | None:
    if mode != "border":
        return None
    inside = binary("and", binary("ge", floor, const("float32", 0.0)), binary("lt", floor, size))
    return code.let(f"{letter}_inside", inside)


def _less_one(size: Expr) -> Expr:
    return binary("sub", size, const("float32", 1.0))


def _between(x: Expr, low: Expr, high: Expr) -> Expr:
    """A float inside [low, high]; NaN gives low."""
    return math("fminf", math("fmaxf", x, low), high)


def _held(index: Expr, last: Expr) -> Expr:
    return math("min_int32", math("max_int32", index, const("int32", 0)), last)


# --- texels ---------------------------------------------------------------------------------------------------------


def _values(
    code: _Code, buffer: Buffer, shape: Texture, axes: Sequence[Sequence[_Tap]], extents: Sequence[Expr], result: DType
) -> list[Expr]:
    """One value a channel: the texel, or the weighted sum of the taps, x fastest, in that order."""
    sums: list[Expr | None] = [None] * shape.channels
    for taps in product(*reversed(axes)):
        corner = taps[::-1]
        index = _element(code, [tap.index for tap in corner], extents, shape.channels)
        weight, inside = _combined(code, corner)
        for channel in range(shape.channels):
            position = index if channel == 0 else binary("add", index, const(index.dtype, channel))
            value = _texel(Load(buffer, (position,)), result)
            if inside is not None:
                value = select(inside, value, zero(result))
            before = sums[channel]
            if weight is not None:
                value = binary("mul", weight, value)
                value = value if before is None else binary("add", before, value)
            sums[channel] = code.let(f"value_{channel}" if shape.channels > 1 else "value", value)
    return [value for value in sums if value is not None]


def _combined(code: _Code, corner: Sequence[_Tap]) -> tuple[Expr | None, Expr | None]:
    """Weight and existence of a texel from those of its axes."""
    weight: Expr | None = None
    inside: Expr | None = None
    for tap in corner:
        if tap.weight is not None:
            weight = tap.weight if weight is None else binary("mul", weight, tap.weight)
        if tap.inside is not None:
            inside = tap.inside if inside is None else binary("and", inside, tap.inside)
    if weight is not None and len(corner) > 1:
        weight = code.let("weight", weight)
    if inside is not None and len(corner) > 1:
        inside = code.let("inside", inside)
    return weight, inside


def _element(code: _Code, indices: Sequence[Expr], extents: Sequence[Expr], channels: int) -> Expr:
    """The element of a texel's first channel, in 64 bits where it may need them."""
    index: Expr = indices[-1]
    if len(indices) == 1 and channels == 1:
        return index
    index = Cast(index, "int64")
    for axis in range(len(indices) - 2, -1, -1):
        row = binary("mul", index, Cast(extents[axis], "int64"))
        index = binary("add", row, Cast(indices[axis], "int64"))
    if channels > 1:
        index = binary("mul", index, Const("int64", channels))
    return code.let("texel", index)


def _texel(load: Expr, result: DType) -> Expr:
    """A texel as the fetch gives it: itself, or an integer scaled to [0, 1] or [-1, 1]."""
    if load.dtype == result:
        return load
    scaled = binary("div", Cast(load, "float32"), const("float32", _LARGEST[load.dtype]))
    if load.dtype.startswith("int"):
        return math("fmaxf", scaled, const("float32", -1.0))
    return scaled
