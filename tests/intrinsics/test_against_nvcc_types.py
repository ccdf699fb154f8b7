"""Every overload of docs/overload-types.tsv goes through its handler: refused with a code, or nvcc's type comes out."""

from __future__ import annotations

from pathlib import Path

import pytest
from fake_sink import BFLOAT162, FLOAT2, FLOAT4, HALF2, call, shown

from migrate.diagnostics import Refusal, load_page
from migrate.parse.build.intrinsics import lookup
from migrate.parse.build.types import CType, PointerType, RecordType, ScalarType
from migrate.parse.build.values import AggregateValue, ScalarValue

TABLE = Path(__file__).parents[2] / "docs" / "overload-types.tsv"
KINDS: dict[str, CType] = {
    "bool": ScalarType("bool"),
    "char": ScalarType("int8"),
    "uchar": ScalarType("uint8"),
    "short": ScalarType("int16"),
    "ushort": ScalarType("uint16"),
    "int": ScalarType("int32"),
    "unsigned": ScalarType("uint32"),
    "long": ScalarType("int64"),
    "ulong": ScalarType("uint64"),
    "llong": ScalarType("int64"),
    "ullong": ScalarType("uint64"),
    "float": ScalarType("float32"),
    "double": ScalarType("float64"),
    "half": ScalarType("float16"),
    "bfloat16": ScalarType("bfloat16"),
    "half2": HALF2,
    "bfloat162": BFLOAT162,
    "float2": FLOAT2,
    "float4": FLOAT4,
}
REFUSED = {
    "erfinv", "erfcinv", "erfcx", "normcdfinv", "erfinvf", "erfcinvf", "erfcxf", "normcdfinvf",
}  # fmt: skip


def rows() -> dict[str, list[tuple[str, str]]]:
    """callee → (arguments, result)."""
    found: dict[str, list[tuple[str, str]]] = {}
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            callee, result, lists = line.split("\t")
            found.setdefault(callee, []).extend((arguments[1:-1], result) for arguments in lists.split(" "))
    return found


ROWS = rows()


def kind(name: str) -> CType:
    return PointerType(KINDS[name[:-1]]) if name.endswith("*") else KINDS[name]


def is_builtin_operator(callee: str, arguments: str) -> bool:
    """Operators on mixed or ordinary arithmetic operands: C++ converts a half and uses its own operator."""
    return callee.startswith("operator") and len(set(arguments.split(","))) > 1


@pytest.mark.parametrize("callee", ROWS)
def test_handler_gives_nvccs_type(callee: str) -> None:
    assert lookup(callee) is not None
    for arguments, result in ROWS[callee]:
        if is_builtin_operator(callee, arguments):
            continue
        names = [name for name in arguments.split(",") if name]
        wanted = None if result == "void" else KINDS[result]
        kinds = [kind(name) for name in names]
        if callee in REFUSED:
            with pytest.raises(Refusal) as refusal:
                call(callee, kinds, wanted)
            assert load_page(refusal.value.diagnostic.code)["severity"] == "error"
            continue
        value, _ = call(callee, kinds, wanted)
        shown(callee, kinds, wanted)  # the printer checks the dtypes of every node
        if wanted is None:
            assert value is None, arguments
        elif isinstance(wanted, RecordType):
            assert isinstance(value, AggregateValue), arguments
            assert value.ctype == wanted, arguments
        else:
            assert isinstance(value, ScalarValue), arguments
            assert value.dtype == wanted.dtype, (arguments, value)  # type: ignore[union-attr]
