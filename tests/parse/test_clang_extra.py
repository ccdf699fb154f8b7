from __future__ import annotations

from pathlib import Path

import pytest
from clang import cindex
from clang.cindex import CursorKind

from migrate.parse import clang_extra
from migrate.parse.context import ParseContext
from migrate.parse.flags import KEEP_GOING, clang_flags
from migrate.parse.names import instantiation_name, kernel_id
from migrate.parse.precompiled import shim_pch

TEXT = """namespace ns { template <typename T, int N, bool B>
__global__ void k(T *x) { x[0] = N << 2; x[1] += -x[0]; x[2] = ++x[3], x[4] = sizeof(T) * 3u; } }
void f(float *p) { ns::k<float, 5, true><<<1, 1>>>(p); }
__device__ int bad = undeclared;
"""


@pytest.fixture
def kernel(tmp_path: Path) -> cindex.Cursor:
    path = tmp_path / "a.cu"
    path.write_text(TEXT)
    unit = cindex.Index.create(excludeDecls=True).parse(
        str(path), args=clang_flags(pch=shim_pch("sm_80")), options=KEEP_GOING
    )
    found: list[cindex.Cursor] = []
    clang_extra.visit(unit.cursor, frozenset([CursorKind.DECL_REF_EXPR.value]), found.append)
    return next(item.referenced for item in found if item.referenced is not None and item.referenced.spelling == "k")


def of_kind(root: cindex.Cursor, *kinds: CursorKind) -> list[cindex.Cursor]:
    found: list[cindex.Cursor] = []
    clang_extra.visit(root, frozenset(kind.value for kind in kinds), found.append)
    return found


def test_operators_and_values(kernel: cindex.Cursor) -> None:
    operators = of_kind(kernel, CursorKind.BINARY_OPERATOR, CursorKind.COMPOUND_ASSIGNMENT_OPERATOR)
    assert [clang_extra.binary_operator(item) for item in operators] == ["=", "<<", "+=", ",", "=", "=", "*"]
    assert [clang_extra.unary_operator(item) for item in of_kind(kernel, CursorKind.UNARY_OPERATOR)] == ["-", "++x"]
    by_operator = {clang_extra.binary_operator(item): clang_extra.evaluate(item) for item in operators}
    assert (by_operator["<<"], by_operator["*"], by_operator["+="]) == (20, 12, None)


def test_names(kernel: cindex.Cursor) -> None:
    context = ParseContext(Path(kernel.location.file.name).parent, "a.cu")
    assert instantiation_name(kernel, context) == "ns::k<float, 5, true>"
    assert kernel_id(kernel, context) == "a.cu:2:k"
    assert context.span(kernel).file == "a.cu"
    assert not context.in_shim(kernel)


def test_recovery_and_invalid_declarations(kernel: cindex.Cursor) -> None:
    assert not clang_extra.has_recovery(kernel)
    assert "N << 2" in clang_extra.pretty_print(kernel) or "5 << 2" in clang_extra.pretty_print(kernel)


def test_an_exception_in_a_visit_is_raised(kernel: cindex.Cursor) -> None:
    def fail(_: cindex.Cursor) -> None:
        raise KeyError("stop")

    with pytest.raises(KeyError, match="stop"):
        clang_extra.visit(kernel, frozenset([CursorKind.PARM_DECL.value]), fail)
