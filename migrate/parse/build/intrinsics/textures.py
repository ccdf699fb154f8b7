"""Texture fetches, and reads and writes of surfaces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from migrate.diagnostics import Refusal, refuse
from migrate.ir.kernel import (
    CallFunction,
    Cast,
    Const,
    Declare,
    DType,
    Expr,
    If,
    Load,
    LocalRef,
    RefArg,
    Store,
)
from migrate.ir.texture import EXTENTS, Texture
from migrate.parse.build.intrinsics.arguments import binary, const, math, plain, scalar, select, zero
from migrate.parse.build.sampling import fetch_function
from migrate.parse.build.textures import TextureParameter, sampling_of, texel_of, use
from migrate.parse.build.types import SIZES, CType, PointerType, RecordType, ScalarType, leaves
from migrate.parse.build.values import AggregateValue, Intrinsic, IntrinsicCall, Operand, ScalarValue, TextureValue

if TYPE_CHECKING:
    from migrate.parse.build.builder import Builder

FILTERED_NOTE = "TLM324"
_LIMITS = ("zero", "clamp", "trap")  # by value of cudaSurfaceBoundaryMode
_CHANNELS = (1, 2, 4)
_DTYPES = ("float32", "int32", "uint32", "int16", "uint16", "int8", "uint8")
_REFUSED = {
    "Layered": "reads a layer of a layered texture or surface",
    "Cubemap": "reads a cubemap",
    "gather": "gathers one channel of four texels",
    "Grad": "chooses a mipmap level by derivatives",
}


def _object(call: IntrinsicCall, index: int) -> TextureParameter:
    operand = call.args[index] if index < len(call.args) else None
    value = None if operand is None else call.sink.value(operand)
    if isinstance(value, TextureValue):
        return cast("TextureParameter", value.parameter)
    ctype = plain(call.arg_types[index]) if index < len(call.arg_types) else None
    if isinstance(ctype, RecordType) and ctype.name in ("texture", "surface"):
        message = f"{call.name} uses a `{ctype.name}<>` reference, which CUDA 12 no longer has; use an object"
        raise refuse("TLM340", message, call.span)
    raise refuse("TLM340", f"{call.name} uses an object that is no parameter of the kernel", call.span)


def _texel_type(call: IntrinsicCall, ctype: CType) -> tuple[DType, int]:
    """dtype and channels of a texel type: a scalar, or a record of 1, 2 or 4 equal ones."""
    try:
        kinds = [leaf.ctype for leaf in leaves(plain(ctype))]
    except ValueError:
        kinds = []
    first = kinds[0] if kinds else None
    same = isinstance(first, ScalarType) and all(
        isinstance(kind, ScalarType) and kind.dtype == first.dtype for kind in kinds
    )
    if isinstance(first, ScalarType) and same and len(kinds) in _CHANNELS and first.dtype in _DTYPES:
        return first.dtype, len(kinds)
    raise refuse("TLM340", f"{call.name} of {getattr(plain(ctype), 'spelling', '')} is not converted", call.span)


def _destination(call: IntrinsicCall) -> tuple[CType, int]:
    """The texel's C type and the argument that is the object: ``f<T>(object, …)`` or ``f(&value, object, …)``."""
    first = plain(call.arg_types[0]) if call.arg_types else None
    if isinstance(first, PointerType):
        return first.pointee, 1
    return call.result_type, 0


def _give(call: IntrinsicCall, ctype: CType, start: int, values: Sequence[Expr]) -> Operand | None:
    made: Operand
    made = AggregateValue.of(plain(ctype), values) if isinstance(plain(ctype), RecordType) else ScalarValue(values[0])
    if start == 0:
        return made
    call.sink.store(call.args[0], made)
    return None


def _fetch(rank: int, *, linear_memory: bool = False, level: bool = False) -> Intrinsic:
    def handler(call: IntrinsicCall) -> Operand | None:
        builder = cast("Builder", call.sink)
        ctype, start = _destination(call)
        parameter = _object(call, start)
        result = _texel_type(call, ctype)
        if linear_memory:
            texel = _linear_texel(parameter, result, call)
            shape = Texture("texture", 1, texel[1], None, texel[0] != result[0], linear_memory=True)
        else:
            sampling, texel = sampling_of(parameter, rank, result, call.span)
            shape = Texture("texture", rank, texel[1], sampling, texel[0] != result[0])
            if sampling.linear and parameter.shape is None:
                message = f"`{parameter.name}` is filtered: hardware does so with weights of 8 bits"
                builder.warn(FILTERED_NOTE, message)
            _check_memory(parameter, rank, call)
        if level and any(fact.resource not in ("array", "linear", "pitch2D") for fact in parameter.facts()):
            raise refuse("TLM340", f"{call.name} of `{parameter.name}`, which may have mipmap levels", call.span)
        buffer = use(builder.unit, parameter, shape, texel[0], call.span)
        key = ("texture", parameter.position)
        function = builder.unit.functions.get(key)
        if function is None:
            function = fetch_function(builder.unit, buffer, shape, result[0], "fetch", call.span)
            builder.unit.functions[key] = function
        kind = "int32" if linear_memory else "float32"
        given = [scalar(call, start + 1 + axis, kind) for axis in range(rank)]
        sizes = [parameter.extent(axis) for axis in range(rank)]
        count = 1 if result[1] == 1 else result[1]
        outputs = [call.sink.fresh(parameter.name, result[0], mutable=True) for _ in range(count)]
        for output in outputs:
            call.sink.emit(Declare(output, None, call.span))
        if count == 1:
            call.sink.emit(CallFunction(outputs[0], function.name, (*sizes, *given), call.span))
        else:
            references = tuple(RefArg(output) for output in outputs)
            call.sink.emit(CallFunction(None, function.name, (*sizes, *given, *references), call.span))
        return _give(call, ctype, start, [LocalRef(output, call.span) for output in outputs])

    return handler


def _linear_texel(parameter: TextureParameter, result: tuple[DType, int], call: IntrinsicCall) -> tuple[DType, int]:
    """`tex1Dfetch` knows no filter or address mode; only scaling of integers matters, and only for float results."""
    if result[0] != "float32":
        return result
    found = {texel_of(parameter, fact, result, call.span) for fact in parameter.facts()}
    if len(found) != 1:
        why = "launches read different texels" if found else "no launch in this file shows its read mode"
        raise refuse("TLM340", f"the read mode of `{parameter.name}` is not known: {why}", call.span)
    return found.pop()


def _check_memory(parameter: TextureParameter, rank: int, call: IntrinsicCall) -> None:
    for fact in parameter.facts():
        if fact.resource == "linear":
            raise refuse("TLM340", f"{call.name} of linear memory, which only tex1Dfetch reads", call.span)
        if fact.resource == "pitch2D" and rank != 2:
            raise refuse("TLM340", f"{call.name} of a two-dimensional texture", call.span)


# --- surfaces -------------------------------------------------------------------------------------------------------


class _SurfaceAccess:
    """Where one access of a surface goes: element, and whether it is inside (None: always)."""

    def __init__(self, call: IntrinsicCall, rank: int, start: int, ctype: CType) -> None:
        builder = cast("Builder", call.sink)
        self.parameter = _object(call, start)
        if self.parameter.kind != "surface":
            raise refuse("TLM340", f"{call.name} of `{self.parameter.name}`, which is no surface", call.span)
        self.dtype, self.channels = _texel_type(call, ctype)
        for fact in self.parameter.facts():
            if fact.texel is not None and SIZES[fact.texel[0]] * fact.texel[1] != SIZES[self.dtype] * self.channels:
                raise refuse("TLM340", f"`{self.parameter.name}` is accessed with another size of texel", call.span)
        shape = Texture("surface", rank, self.channels)
        self.buffer = use(builder.unit, self.parameter, shape, self.dtype, call.span)
        mode = self._mode(call, start + 1 + rank)
        indices = [builder.bind("surface_byte" if axis == 0 else "surface_row", scalar(call, start + 1 + axis, "int32"))
                   for axis in range(rank)]  # fmt: skip
        size = SIZES[self.dtype] * self.channels
        if size > 1:
            indices[0] = builder.bind("surface_texel", binary("truncdiv", indices[0], const("int32", size)))
        self.inside: Expr | None = None
        for axis, index in enumerate(indices):
            extent = self.parameter.extent(axis)
            if mode != "clamp":
                within = binary("and", binary("ge", index, const("int32", 0)), binary("lt", index, extent))
                self.inside = within if self.inside is None else binary("and", self.inside, within)
            last = binary("sub", extent, const("int32", 1))
            indices[axis] = math("min_int32", math("max_int32", index, const("int32", 0)), last)
        if self.inside is not None:
            self.inside = builder.bind("surface_inside", self.inside)
        position: Expr = Cast(indices[-1], "int64")
        for axis in range(rank - 2, -1, -1):
            row = binary("mul", position, Cast(self.parameter.extent(axis), "int64"))
            position = binary("add", row, Cast(indices[axis], "int64"))
        if self.channels > 1:
            position = binary("mul", position, Const("int64", self.channels))
        self.position = builder.bind("surface_element", position)

    def element(self, channel: int) -> tuple[Expr]:
        """Indices of a channel of the texel."""
        return (self.position if channel == 0 else binary("add", self.position, const("int64", channel)),)

    @staticmethod
    def _mode(call: IntrinsicCall, index: int) -> str:
        if index >= len(call.args):
            return "trap"
        number = scalar(call, index)
        if not isinstance(number, Const) or not 0 <= int(number.value) < len(_LIMITS):
            raise refuse("TLM340", f"{call.name} with a boundary mode that is no constant", call.span)
        return _LIMITS[int(number.value)]


def _surface_read(rank: int) -> Intrinsic:
    def handler(call: IntrinsicCall) -> Operand | None:
        ctype, start = _destination(call)
        access = _SurfaceAccess(call, rank, start, ctype)
        values: list[Expr] = []
        for channel in range(access.channels):
            value: Expr = Load(access.buffer, access.element(channel), call.span)
            if access.inside is not None:
                value = select(access.inside, value, zero(access.dtype))
            variable = call.sink.fresh(access.parameter.name, access.dtype)
            call.sink.emit(Declare(variable, value, call.span))
            values.append(LocalRef(variable, call.span))
        return _give(call, ctype, start, values)

    return handler


def _surface_write(rank: int) -> Intrinsic:
    def handler(call: IntrinsicCall) -> Operand | None:
        builder = cast("Builder", call.sink)
        ctype = call.arg_types[0]
        access = _SurfaceAccess(call, rank, 1, ctype)
        if isinstance(plain(ctype), RecordType):
            leaf_values = [call.sink.leaf(call.args[0], channel) for channel in range(access.channels)]
        else:
            leaf_values = [scalar(call, 0, access.dtype)]
        stores = [
            Store(access.buffer, access.element(channel), value, call.span) for channel, value in enumerate(leaf_values)
        ]
        if access.inside is None:
            for store in stores:
                builder.emit(store)
        else:
            builder.emit(If(access.inside, tuple(stores), (), call.span))
        return None

    return handler


def _refused(why: str) -> Intrinsic:
    def handler(call: IntrinsicCall) -> Operand | None:
        raise _reason(call, why)

    return handler


def _reason(call: IntrinsicCall, why: str) -> Refusal:
    return refuse("TLM340", f"{call.name} {why}", call.span)


def _make_table() -> dict[str, Intrinsic]:
    table: dict[str, Intrinsic] = {"tex1Dfetch": _fetch(1, linear_memory=True)}
    for rank in range(1, len(EXTENTS) + 1):
        table[f"tex{rank}D"] = _fetch(rank)
        table[f"tex{rank}DLod"] = _fetch(rank, level=True)
        table[f"tex{rank}DGrad"] = _refused(_REFUSED["Grad"])
        table[f"surf{rank}Dread"] = _surface_read(rank)
        table[f"surf{rank}Dwrite"] = _surface_write(rank)
    for name in ("tex1DLayered", "tex2DLayered", "surf2DLayeredread", "surf2DLayeredwrite"):
        table[name] = _refused(_REFUSED["Layered"])
    table["texCubemap"] = _refused(_REFUSED["Cubemap"])
    table["tex2Dgather"] = _refused(_REFUSED["gather"])
    return table


TABLE: dict[str, Intrinsic] = _make_table()
