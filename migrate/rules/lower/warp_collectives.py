"""Shuffles and votes."""

from __future__ import annotations

from migrate.ir import kernel as k
from migrate.ir import port as p
from migrate.rules.base import rule
from migrate.rules.lower.barriers import mask_arguments, predicate
from migrate.rules.lower.context import Lowering
from migrate.rules.lower.locals import write

_SHUFFLES = {"idx": "T.shfl_sync", "up": "T.shfl_up", "down": "T.shfl_down", "xor": "T.shfl_xor"}
_NARROW = {"float16": "uint16", "bfloat16": "uint16"}


@rule("shuffles", "__shfl_sync and _up, _down, _xor", "__shfl_xor_sync(~0u, v, 16)", "T.shfl_xor(v, 16)")
def lower_shuffle(node: k.Shuffle, lowering: Lowering) -> None:
    """The same shuffle; full mask and width 32 are TileLang's defaults. 16-bit floats travel as bits in 32."""
    value = lowering.exact(node.value)
    if isinstance(value, p.Lit):
        value = p.Lit(value.value, value.dtype, explicit=True)
    bits = _NARROW.get(value.dtype)
    if bits is not None:
        if not isinstance(value, (p.Name, p.Element)):
            value = lowering.hoist(value, "value")
        value = p.Call("T.cast", (p.Call("T.reinterpret", (value, p.Text(bits)), bits), p.Text("int32")), "int32")
    lane = lowering.coerce(lowering.lower(node.operand), "int32")
    width = lowering.coerce(lowering.lower(node.width), "int32")
    keywords: list[tuple[str, p.PortExpr]] = []
    if lowering.identities.literal(width) != 32:
        keywords.append(("width", width))
    keywords += [("mask", mask) for mask in mask_arguments(node.mask, lowering)]
    call: p.PortExpr = p.Call(_SHUFFLES[node.mode], (value, lane), value.dtype, tuple(keywords))
    if bits is not None:
        word = lowering.hoist(p.Call("T.cast", (call, p.Text(bits)), bits), "bits")
        call = p.Call("T.reinterpret", (word, p.Text(node.value.dtype)), node.value.dtype)
    write(node.result, call, lowering)


@rule("votes", "__ballot_sync, __any_sync, __all_sync, __activemask, __match_any_sync, __match_all_sync",
      "__ballot_sync(~0u, p)", 'T.cast(T.ballot_sync(p), "uint32")')  # fmt: skip
def lower_vote(node: k.Vote, lowering: Lowering) -> None:
    """The same vote; upstream's ballots are 64 bits wide and are cut to CUDA's 32."""
    if node.mode == "activemask" or node.value is None:
        call: p.PortExpr = _to_uint32(p.Call("T.activemask", (), "uint64"))
    elif node.mode == "ballot":
        args = (predicate(node.value, lowering), *mask_arguments(node.mask, lowering))
        call = _to_uint32(p.Call("T.ballot_sync", args, "uint64"))
    elif node.mode in ("any", "all"):
        args = (predicate(node.value, lowering), *mask_arguments(node.mask, lowering))
        call = p.Call(f"T.{node.mode}_sync", args, "int32")
    elif node.mode in ("match_any", "match_all"):
        args = (_typed(lowering.exact(node.value)), *mask_arguments(node.mask, lowering))
        call = p.Call(f"T.{node.mode}_sync", args, "uint32")
    else:
        lower_reduction(node, lowering)
        return
    write(node.result, call, lowering)


@rule("warp_reductions", "__reduce_add_sync and _min, _max, _and, _or, _xor",
      "__reduce_add_sync(mask, v)", 'T.call_extern("int32", "__reduce_add_sync", mask, v)')  # fmt: skip
def lower_reduction(node: k.Vote, lowering: Lowering) -> None:
    """The CUDA function by name: TileLang's own warp reductions take the whole warp, this one the lanes of its mask."""
    assert node.value is not None and node.mask is not None
    mask = _typed(lowering.coerce(lowering.lower(node.mask), "uint32"))
    value = _typed(lowering.exact(node.value))
    name = p.Text(f"__{node.mode}_sync")
    write(node.result, p.Call("T.call_extern", (p.Text(value.dtype), name, mask, value), value.dtype), lowering)


def _to_uint32(expr: p.PortExpr) -> p.PortExpr:
    return p.Call("T.cast", (expr, p.Text("uint32")), "uint32")


def _typed(expr: p.PortExpr) -> p.PortExpr:
    return p.Lit(expr.value, expr.dtype, explicit=True) if isinstance(expr, p.Lit) else expr
