"""The overload-and-type table (docs/overload-types.tsv): reading, writing, and the C++ that checks or finds it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from overload_calls import TYPES, Call, spelled

TABLE = Path(__file__).parents[2] / "docs" / "overload-types.tsv"
_HELPERS = """
template <class T> __host__ __device__ T v();
template <class A, class B> struct same { static constexpr bool value = false; };
template <class A> struct same<A, A> { static constexpr bool value = true; };
template <class T> struct bare { typedef T type; };
template <class T> struct bare<T&> { typedef T type; };
template <class T> struct bare<const T> { typedef T type; };
template <class T> struct bare<const T&> { typedef T type; };
"""
_HEADING = """\
# Which overload a device call takes, told by its type: what nvcc 13.0 says. One line a callee and result type:
# callee, result, then the argument lists that give it. A call that is not listed is ill-formed under nvcc.
# Written by tests/semantics/build_overload_table.py; compiled as static assertions against the parse headers, the
# oracle headers and nvcc by tests/semantics/test_overload_types.py.
"""

Table = dict[Call, str]


def read_table(path: Path = TABLE) -> Table:
    """Call → short name of its result type."""
    table: Table = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        callee, result, lists = line.split("\t")
        for arguments in lists.split(" "):
            table[Call(callee, tuple(a for a in arguments[1:-1].split(",") if a))] = result
    return table


def table_text(table: Table) -> str:
    """The text of the table file, in the order of the calls."""
    lines: dict[tuple[str, str], list[str]] = {}
    for call, result in table.items():
        lines.setdefault((call.callee, result), []).append("(" + ",".join(call.arguments) + ")")
    rows = ("\t".join((*key, " ".join(arguments))) for key, arguments in lines.items())
    return _HEADING + "\n".join(rows) + "\n"


def assertions(table: Table, preamble: str) -> str:
    """A C++ file with one static assertion a line: ``preamble`` includes the headers under test."""
    rows = "\n".join(
        f'static_assert(same<bare<decltype({call.expression()})>::type, {spelled(result)}>::value, "{label(call)}");'
        for call, result in table.items()
    )
    return f"{preamble}{_HELPERS}__device__ void overload_types() {{\n{rows}\n}}\n"


def wrong_calls(table: Table, source: str, error_lines: Iterable[int]) -> list[str]:
    """Labels of the calls whose assertion stands on one of the ``error_lines`` (1-based) of ``source``."""
    first = source[: source.index("void overload_types()")].count("\n") + 2
    calls = list(table)
    return [label(calls[line - first]) for line in sorted(set(error_lines)) if 0 <= line - first < len(calls)]


def probe(calls: Sequence[Call], preamble: str) -> str:
    """A CUDA file whose PTX lists, for each call, the index of its type in `TYPES` plus one; 0: ill-formed."""
    ids = "\n".join(
        f"template <> struct id<{spelled(name)}> {{ static constexpr int value = {index}; }};"
        for index, name in enumerate(TYPES, 1)
    )
    probes = "\n".join(_probe_functions(index, call) for index, call in enumerate(calls))
    values = ", ".join(
        f"p{index}<{', '.join(['int', *(spelled(a) for a in call.arguments)])}>(0)" for index, call in enumerate(calls)
    )
    return (
        f"{preamble}{_HELPERS}template <class T> struct id {{ static constexpr int value = 99; }};\n{ids}\n{probes}\n"
        f"extern __device__ const int overload_ids[] = {{{values}}};\n"
    )


def _probe_functions(index: int, call: Call) -> str:
    """Two overloads: the better one exists only where the call is well-formed."""
    names = [f"T{position}" for position in range(len(call.arguments))]
    parameters = ", ".join(["class T", *(f"class {name}" for name in names)])
    kind = f"typename bare<decltype({call.expression(names)})>::type"
    return (
        f"template <{parameters}> __device__ constexpr auto p{index}(int) -> decltype(id<{kind}>::value)"
        f" {{ return id<{kind}>::value; }}\n"
        f"template <{parameters}> __device__ constexpr int p{index}(...) {{ return 0; }}"
    )


def table_from_ptx(calls: Sequence[Call], ptx: str) -> Table:
    """The answers of `probe`, read from nvcc's PTX. Raises ValueError if a type is not in `TYPES`."""
    found = re.search(r"overload_ids\[\d+\] = \{([^}]*)\}", ptx)
    numbers = [int(text) for text in found.group(1).split(",")][::4] if found else []  # little-endian bytes
    numbers += [0] * (len(calls) - len(numbers))  # trailing zeros may be left out
    unknown = [label(call) for call, number in zip(calls, numbers, strict=True) if number == 99]
    if unknown or not found:
        raise ValueError(f"no type name for the results of {unknown}")
    names = list(TYPES)
    return {call: names[number - 1] for call, number in zip(calls, numbers, strict=True) if number}


def label(call: Call) -> str:
    """How messages name a call: ``pow(float,int)``."""
    return f"{call.callee}({','.join(call.arguments)})"
