"""Floats kept in integer buffers: a NaN that arithmetic made has bits of its own on every processor.

docs/semantics.md: any NaN equals any NaN where arithmetic made it. That holds as well after a bit cast, which is how
kernels pass floats through a scratch buffer of words; there the comparison sees integers.
"""

from __future__ import annotations

import numpy as np

from migrate.analysis.walk import own_expressions, sub_statements, walk_expressions
from migrate.ir import kernel as k
from migrate.verify.case import Case
from migrate.verify.casefiles import Bytes, root_view
from migrate.verify.dtypes import is_float

# Bits of +infinity by width of the word in bytes; what is above it, without the sign, is NaN.
_INFINITY = {4: 0x7F800000, 8: 0x7FF0000000000000}


def keeps_floats_as_words(kernel: k.Kernel) -> bool:
    """Whether the kernel or a device function of it takes the bits of a float as an integer."""
    return any(
        isinstance(part, k.Bitcast) and is_float(part.operand.dtype) and not is_float(part.dtype)
        for body in (kernel.body, *(function.body for function in kernel.functions))
        for statement in sub_statements(body)
        for expr in own_expressions(statement)
        for part in walk_expressions(expr)
    )


def with_same_nans(case: Case, original: Bytes, port: Bytes) -> Bytes:
    """``port`` with the original's word wherever both words of an integer buffer are NaN as floats of that width."""
    settled: Bytes = port.copy()
    for root in case.roots:
        ours, theirs = root_view(case, settled, root), root_view(case, original, root)
        if ours.dtype.kind not in "iu" or ours.itemsize not in _INFINITY:
            continue
        word, infinity = np.dtype(f"uint{8 * ours.itemsize}"), _INFINITY[ours.itemsize]
        sign = np.array(1 << (8 * ours.itemsize - 1), word)
        both = ((ours.view(word) & ~sign) > infinity) & ((theirs.view(word) & ~sign) > infinity)
        ours[both] = theirs[both]
    return settled
