"""Counting reads by statement gives what counting over the whole list gives."""

from migrate.ir.kernel import Assign, Binary, Const, Declare, If, LocalRef, LocalVar
from migrate.ir.span import Span
from migrate.parse.build.freezing import _Reads, count_reads

PLACE = Span("kernel.cu", 1)


def _var(name: str) -> LocalVar:
    return LocalVar(name, "int32", True, PLACE)


def _read(name: str) -> LocalRef:
    return LocalRef(_var(name), PLACE)


def test_nested_statements_count_once_each() -> None:
    x, y = _var("x"), _var("y")
    total = Binary("add", _read("x"), Binary("mul", _read("x"), _read("y"), "int32"), "int32")
    inner = Assign(x, total, PLACE)
    branch = If(_read("y"), (inner, inner), (Assign(y, Const("int32", 1, PLACE), PLACE),), PLACE)
    body = (Declare(y, _read("x"), PLACE), branch)
    reads = _Reads()
    assert sum((reads.of(item) for item in body), start=type(reads.of(branch))()) == count_reads(body)
    assert reads.of(branch) == {"x": 4, "y": 3}
    assert reads.of(branch) is reads.of(branch)
