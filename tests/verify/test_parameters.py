"""Signatures are compared by size and kind; scalars become the bytes that C passes."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from migrate.ir.kernel import Buffer, Kernel, PointerParam, ScalarParam, Scope
from migrate.ir.span import Span
from migrate.verify.case import Argument, Case
from migrate.verify.casefiles import RootSpec, place
from migrate.verify.parameters import PortParameter
from migrate.verify.port_process import launcher_arguments
from migrate.verify.port_runner import build_arguments
from migrate.verify.scalars import pack_scalars, pointer_in_struct, rounded, scalar_bytes
from migrate.verify.signature import signature_mismatch


def kernel(*c_params: tuple[str, int], params: tuple = ()) -> Kernel:
    return Kernel("k.cu:1:k", "k", "k", "k", (), params, c_params, (), (), (), Span("k.cu", 1))


def test_equal_signatures_pass_whatever_their_spelling():
    assert not signature_mismatch(kernel(("float *", 8), ("int", 4)), [("float* __restrict__", 8), ("int", 4)])
    assert not signature_mismatch(kernel(("const float *__restrict", 8)), [("float const*", 8)])


@pytest.mark.parametrize(
    ("built", "part"),
    [
        ([("float*", 8)], "parameters"),
        ([("float*", 8), ("long", 8)], "bytes"),
        ([("size_t", 8), ("int", 4)], "parameter 0"),
    ],
)
def test_disagreements_are_named(built, part):
    assert part in signature_mismatch(kernel(("float *", 8), ("int", 4)), built)


@pytest.mark.parametrize(
    ("value", "dtype", "raw"),
    [
        (-1, "int32", b"\xff\xff\xff\xff"),
        (2**32 - 1, "int32", b"\xff\xff\xff\xff"),
        (3, "uint64", b"\x03" + b"\0" * 7),
        (0.1, "float32", struct.pack("<f", 0.1)),
        (True, "bool", b"\x01"),
        (1.0, "float16", b"\x00\x3c"),
        (1.0, "bfloat16", b"\x80\x3f"),
    ],
)
def test_scalar_bytes(value, dtype, raw):
    assert scalar_bytes(value, dtype) == raw


def test_rounded_values_are_what_the_kernel_sees():
    assert rounded(0.1, "float32") == float(np.float32(0.1)) and rounded(300, "uint8") == 44


def test_struct_leaves_land_at_their_offsets():
    params = (
        ScalarParam("n", "int32", "int", 0),
        ScalarParam("p_a", "int32", "P", 1, ("a",), 0),
        ScalarParam("p_b", "float64", "P", 1, ("b",), 8),
    )
    made = pack_scalars(kernel(("int", 4), ("P", 16), params=params), {"n": 5, "p_a": 7, "p_b": 0.5})
    assert made == {0: b"\5\0\0\0", 1: struct.pack("<i4xd", 7, 0.5)}
    with pytest.raises(KeyError):
        pack_scalars(kernel(("int", 4), ("P", 16), params=params), {})


def test_pointer_members_are_noticed():
    buffer = Buffer("s_p", "float32", Scope.GLOBAL)
    plain = PointerParam(buffer, "float *", 0)
    member = PointerParam(buffer, "S", 0, ("p",))
    assert pointer_in_struct(kernel(("float *", 8), params=(plain,))) is None
    assert pointer_in_struct(kernel(("S", 8), params=(member,))) is member


def test_launcher_arguments_map_views_offsets_scalars_and_structs():
    roots, total = place([RootSpec("x", "float32", 40)])
    arguments = (Argument(root="x", offset=8), Argument(raw="05000000"), Argument(raw="0700000000000000"))
    case = Case("k", 0, "c", (1, 1, 1), (1, 1, 1), 0, arguments, roots, (), total)
    parameters = [
        PortParameter("x", "array", "float32", 0),
        PortParameter("n", "scalar", "int32", 1),
        PortParameter("p", "bytes", "uint8", 2),
        PortParameter("p_b", "scalar", "int32", 2, byte_offset=4),
    ]
    data = np.zeros(total, dtype=np.uint8)
    job = {"arguments": launcher_arguments(case, parameters)}
    keywords = build_arguments(job, data)
    view, offset = keywords["x"]
    assert view.dtype == np.float32 and view.size == 10 and offset == 2
    view[0] = 1.0
    assert data[roots[0].start : roots[0].start + 4].view(np.float32)[0] == 1.0
    assert keywords["n"] == 5 and keywords["n"].dtype == np.int32
    assert keywords["p"] == b"\7" + b"\0" * 7 and keywords["p_b"] == 0
    crooked = Case("k", 0, "c", (1, 1, 1), (1, 1, 1), 0, (Argument(root="x", offset=6),), roots, (), total)
    with pytest.raises(ValueError, match="whole element"):
        launcher_arguments(crooked, parameters[:1])
