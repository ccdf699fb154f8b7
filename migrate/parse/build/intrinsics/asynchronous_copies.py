"""``__pipeline_memcpy_async`` and its waits: a copy that is done at once is one of the orders CUDA allows."""

from __future__ import annotations

from migrate.diagnostics import refuse
from migrate.ir.kernel import Binary, Const, Expr
from migrate.parse.build.intrinsics.arguments import const, freeze, scalar
from migrate.parse.build.types import SIZES, ScalarType
from migrate.parse.build.values import Intrinsic, IntrinsicCall, Operand, PointerValue

ASYNCHRONOUS_NOTE = "TLM323"


def _copy(call: IntrinsicCall) -> Operand | None:
    """Copies 4, 8 or 16 bytes, element by element of the arrays' common type."""
    size = scalar(call, 2)
    target, source = call.sink.value(call.args[0]), call.sink.value(call.args[1])
    if len(call.args) != 3 or not isinstance(size, Const):
        raise refuse("TLM309", f"{call.name} with a size that is not constant, or with zero filling", call.span)
    if not isinstance(target, PointerValue) or not isinstance(source, PointerValue):
        raise refuse("TLM309", f"{call.name} between these pointers is not known", call.span)
    dtype = target.buffer.dtype
    count, rest = divmod(int(size.value), SIZES[dtype])
    if source.buffer.dtype != dtype or rest:
        raise refuse("TLM309", f"{call.name} between arrays of {source.buffer.dtype} and {dtype}", call.span)
    call.sink.note(ASYNCHRONOUS_NOTE)
    places = [freeze(call, hint, pointer.offset) for hint, pointer in (("into", target), ("origin", source))]
    for index in range(count):
        into, origin = (
            PointerValue(pointer.buffer, _moved(start, index), ScalarType(dtype))
            for pointer, start in zip((target, source), places, strict=True)
        )
        call.sink.store(into, call.sink.load(origin))
    return None


def _moved(start: Expr, index: int) -> Expr:
    return Binary("add", start, const(start.dtype, index), start.dtype) if index else start


def _wait(call: IntrinsicCall) -> Operand | None:
    """Nothing is under way any more."""
    del call
    return None


TABLE: dict[str, Intrinsic] = {
    "__pipeline_memcpy_async": _copy,
    "__pipeline_commit": _wait,
    "__pipeline_wait_prior": _wait,
}
