"""dtype names of the kernel model as numpy dtypes, for filling and comparing case files."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

FLOATS = frozenset({"float16", "bfloat16", "float32", "float64"})


@cache
def numpy_dtype(name: str) -> np.dtype[Any]:
    """The numpy dtype of ``name`` (bfloat16 through ml_dtypes). Raises TypeError for an unknown name."""
    if name == "bfloat16":
        import ml_dtypes

        found: np.dtype[Any] = np.dtype(ml_dtypes.bfloat16)
        return found
    return np.dtype(name)


@cache
def bits_dtype(name: str) -> np.dtype[Any]:
    """The unsigned integer dtype of the same width, for bit comparisons."""
    return np.dtype(f"uint{numpy_dtype(name).itemsize * 8}")


def is_float(name: str) -> bool:
    """Whether ``name`` is a floating-point dtype."""
    return name in FLOATS
