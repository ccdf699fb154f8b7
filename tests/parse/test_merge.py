from __future__ import annotations

from dataclasses import replace

from migrate.diagnostics import make
from migrate.ir.kernel import Const, Declare, Kernel, LocalVar, Return
from migrate.ir.span import Span
from migrate.parse import FileResult, KernelRecord, Seen, merge_results
from migrate.parse.merge import same_meaning


def kernel(name: str, value: float, line: int = 1) -> Kernel:
    span = Span("k.cuh", line)
    body = (Declare(LocalVar("a", "float32", span=span), Const("float32", value, span), span), Return(span=span))
    return Kernel("k.cuh:1:k", "k", "k", name, (), (), (), (), (), body, span)


def result(unit: str, seen: Seen, *built: Kernel, refused: dict[str, str] | None = None) -> FileResult:
    refusals = {name: make(code, "no", Span("k.cuh", 1), severity="error") for name, code in (refused or {}).items()}
    record = KernelRecord(
        "k.cuh:1:k", "k.cuh", 1, 2, "k", built, tuple(refusals.values()), (), (), 1, tuple(refusals), seen, unit
    )
    return FileResult(unit, "", "parsed", (record,))


def test_the_order_of_results_does_not_matter() -> None:
    results = [
        result("b.cu", Seen.USED, kernel("k<1>", 1)),
        result("a.cu", Seen.USED, kernel("k<2>", 2), refused={"k<3>": "TLM022"}),
        result("k.cuh", Seen.TEXT, refused={"": "TLM025"}),
    ]
    merged = merge_results(results)
    assert merged == merge_results(reversed(results))
    assert [item.cpp_name for item in merged[0].instantiations] == ["k<1>", "k<2>"]
    assert merged[0].refused_names == ("k<3>",)


def test_namesakes_in_one_file_get_symbols_of_their_own() -> None:
    found = []
    for line, name in ((1, "k"), (5, "k"), (9, "k_2")):
        built = replace(kernel(name, 1, line), id=f"k.cuh:{line}:{name}", name=name, symbol=name)
        record = KernelRecord(built.id, "k.cuh", line, line, name, (built,), (), seen=Seen.USED, unit="k.cuh")
        found.append(FileResult("k.cuh", "", "parsed", (record,)))
    symbols = [record.instantiations[0].symbol for record in merge_results(found)]
    assert symbols == ["k", "k_3", "k_2"]


def test_built_in_one_unit_is_not_refused_by_another() -> None:
    results = [result("a.cu", Seen.USED, refused={"k<1>": "TLM022"}), result("b.cu", Seen.USED, kernel("k<1>", 1))]
    assert merge_results(results)[0].refusals == ()


def test_one_name_with_two_meanings_is_refused() -> None:
    same = [result("a.cu", Seen.USED, kernel("k", 1, 1)), result("b.cu", Seen.USED, kernel("k", 1, 9))]
    assert merge_results(same)[0].refusals == ()
    different = [result("a.cu", Seen.USED, kernel("k", 1)), result("b.cu", Seen.USED, kernel("k", 2))]
    record = merge_results(different)[0]
    assert record.instantiations == ()
    assert [item.code for item in record.refusals] == ["TLM028"]


def test_nan_constants_mean_the_same() -> None:
    nan = kernel("k", float("nan"))
    assert same_meaning(nan, replace(nan, comments=("x",)))
    assert not same_meaning(nan, kernel("k", 1.0))
