"""Scalar kernel parameters of types that upstream's host code cannot hand to a device function."""

from __future__ import annotations

from migrate.ir import kernel as k
from migrate.ir import port as p
from migrate.rules.base import rule
from migrate.rules.lower.context import Lowering, operation

# Upstream passes int32, int64, uint32, float32 and float64 and raises "Cannot handle … as device function argument" for
# every other type when the kernel is launched (tvm/src/runtime/pack_args.h, GetArgConvertCode, in tilelang 0.1.15).
CARRIERS = {
    **dict.fromkeys(("bool", "int8", "uint8", "int16", "uint16", "float16", "bfloat16"), "int32"),
    "uint64": "int64",
}


@rule(
    "scalar_parameters",
    "size_t n, bool flag, __half scale as kernel parameters",
    "__global__ void k(size_t n)",
    'n_bits: T.int64 … n = T.cast(n_bits, "uint64")',
)
def lower_scalar_parameter(node: k.ScalarParam, lowering: Lowering) -> p.ValueParam:
    """What upstream cannot pass travels as a signed integer with the same bits and is turned back at the top.

    The launcher (``value`` and ``fields`` in ``_launch.py``) makes that integer from what the caller gives.
    """
    carrier = CARRIERS.get(node.dtype)
    if carrier is None:
        name = lowering.names.claim(node.name)
        lowering.params[node.name] = p.Name(name, node.dtype, "param")
        return p.ValueParam(name, node.dtype)
    name = lowering.names.claim(node.name)
    bits = p.Name(lowering.names.claim(f"{name}_bits"), carrier, "param")
    lowering.params[node.name] = lowering.bind_as(name, _turned_back(bits, node.dtype))
    return p.ValueParam(bits.name, carrier)


def _turned_back(bits: p.Name, dtype: str) -> p.PortExpr:
    if dtype == "bool":
        return operation("!=", bits, p.Lit(0, "int32"), "bool")
    if dtype in ("float16", "bfloat16"):
        return p.Call("T.reinterpret", (p.Call("T.cast", (bits, p.Text("uint16")), "uint16"), p.Text(dtype)), dtype)
    return p.Call("T.cast", (bits, p.Text(dtype)), dtype)
