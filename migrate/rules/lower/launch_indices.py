"""threadIdx, blockIdx, blockDim, gridDim, lane and warp number."""

from __future__ import annotations

from migrate.ir import kernel as k
from migrate.ir import port as p
from migrate.rules.base import rule
from migrate.rules.lower.context import Lowering


@rule(
    "launch_indices",
    "threadIdx.x, blockIdx.x, blockDim.x, gridDim.x",
    "blockIdx.x * blockDim.x + threadIdx.x",
    "bx * block + tx",
)
def lower_builtin(node: k.Builtin, lowering: Lowering) -> p.PortExpr:
    """Thread and block indices become the names bound at the top; the block size is a Python int of the builder.

    They are int32 in TileLang and never negative, so CUDA's unsigned values stay what they were.
    """
    return lowering.threads[node.kind, node.axis]
