"""NaN that arithmetic made equals NaN also where a kernel keeps floats as integers; nothing else does."""

from __future__ import annotations

import numpy as np

from migrate.verify.case import Case, Root
from migrate.verify.float_words import with_same_nans


def test_only_words_that_are_nan_on_both_sides_are_settled() -> None:
    original = np.array([0x7FC00000, 0x7FC00000, 0x80000001, 0x7F800000, 5], np.uint32)
    port = np.array([0xFFC00000, 0x3F800000, 0x00000001, 0xFF800000, 5], np.uint32)
    root = Root("words", "uint32", original.nbytes, 0)
    case = Case("k", 0, "test", (1, 1, 1), (1, 1, 1), 0, (), (root,), (), original.nbytes)
    settled = with_same_nans(case, original.view(np.uint8), port.view(np.uint8)).view(np.uint32)
    assert settled.tolist() == [0x7FC00000, *port[1:].tolist()]


def test_float_buffers_are_left_to_their_own_comparison() -> None:
    data = np.array([np.nan, 1.0], np.float32)
    root = Root("x", "float32", data.nbytes, 0)
    case = Case("k", 0, "test", (1, 1, 1), (1, 1, 1), 0, (), (root,), (), data.nbytes)
    other = (-data).view(np.uint8)
    assert np.array_equal(with_same_nans(case, data.view(np.uint8), other), other)
