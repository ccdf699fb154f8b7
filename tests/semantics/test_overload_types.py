"""The overload-and-type table against the parse headers, the oracle headers and nvcc: the same types from all three."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from clang import cindex
from overload_calls import Call, all_calls
from overload_constants import CONSTANTS, constant_assertions, wrong_constants
from overload_table import TABLE, Table, assertions, read_table, table_text, wrong_calls

import migrate
from migrate.parse.flags import KEEP_GOING, clang_flags

PREAMBLE = """\
#include <algorithm>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
"""
ORACLE_HEADERS = Path(migrate.__file__).parent / "oracle" / "headers"
# As many lines as PREAMBLE, so that line numbers stay.
ORACLE_PREAMBLE = '#define ORACLE_USES_HALF 1\n#include "cuda_kernel.h"\n' + "\n" * (PREAMBLE.count("\n") - 2)
# Functions that the converter refuses (TLM307): the oracle need not have them.
NOT_IN_THE_ORACLE = {"erfinv", "erfinvf", "erfcinv", "erfcinvf", "normcdfinv", "normcdfinvf"}
Compile = Callable[[str, Path], list[int]]


def _error_lines(output: str, name: str) -> list[int]:
    """Lines of ``name`` that g++ or nvcc complains about (``x.cu:3:5: error``, ``x.cu(3): error``)."""
    pattern = rf"{re.escape(name)}(?::(\d+)(?::\d+)?: error|\((\d+)\): error)"
    return [int(first or second) for first, second in re.findall(pattern, output)]


def _with_parse_headers(source: str, folder: Path) -> list[int]:
    path = str(folder / "types.cu")
    unit = cindex.Index.create().parse(path, clang_flags("sm_90"), unsaved_files=[(path, source)], options=KEEP_GOING)
    return [error.location.line for error in unit.diagnostics if error.severity >= cindex.Diagnostic.Error]


def _with_oracle_headers(source: str, folder: Path) -> list[int]:
    path = folder / "types.cpp"
    path.write_text(source.replace(PREAMBLE, ORACLE_PREAMBLE), encoding="utf-8")
    command = ["g++", "-std=c++17", "-fsyntax-only", "-w", "-fmax-errors=0", "-I", str(ORACLE_HEADERS), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return _error_lines(done.stderr, path.name)


def _with_nvcc(source: str, folder: Path) -> list[int]:
    path = folder / "types.cu"
    path.write_text(source, encoding="utf-8")
    command = ["nvcc", "-ptx", "-std=c++17", "-arch=sm_90", "-w", "-o", str(folder / "types.ptx"), str(path)]
    command += ["-Xcudafe", "--error_limit=100000", "--expt-relaxed-constexpr"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = _error_lines(done.stderr, path.name)
    assert lines or done.returncode == 0, done.stderr[-2000:]
    return lines


COMPILERS = [
    pytest.param(_with_parse_headers, id="parse"),
    pytest.param(
        _with_oracle_headers,
        id="oracle",
        marks=pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed"),
    ),
    pytest.param(
        _with_nvcc,
        id="nvcc",
        marks=[pytest.mark.nvcc, pytest.mark.skipif(shutil.which("nvcc") is None, reason="nvcc is not installed")],
    ),
]


@pytest.mark.parametrize("compile_source", COMPILERS)
def test_every_overload_has_nvccs_type(compile_source: Compile, tmp_path: Path) -> None:
    table = read_table()
    if compile_source is _with_oracle_headers:
        table = {call: result for call, result in table.items() if call.callee not in NOT_IN_THE_ORACLE}
    source = assertions(table, PREAMBLE)
    assert wrong_calls(table, source, compile_source(source, tmp_path)) == []


@pytest.mark.parametrize("compile_source", COMPILERS)
def test_constants_and_layouts(compile_source: Compile, tmp_path: Path) -> None:
    source = constant_assertions(PREAMBLE)
    assert wrong_constants(source, compile_source(source, tmp_path)) == []


@pytest.mark.parametrize("compile_source", COMPILERS)
def test_a_wrong_type_is_found(compile_source: Compile, tmp_path: Path) -> None:
    table: Table = {Call("powf", ("float", "float")): "float", Call("pow", ("float", "int")): "float"}
    source = assertions(table, PREAMBLE)
    assert wrong_calls(table, source, compile_source(source, tmp_path)) == ["pow(float,int)"]


def test_table_text_round_trips(tmp_path: Path) -> None:
    table = read_table()
    copy = tmp_path / "copy.tsv"
    copy.write_text(table_text(table), encoding="utf-8")
    assert read_table(copy) == table
    assert TABLE.read_text(encoding="utf-8") == table_text(table)


def test_table_holds_only_calls_that_are_asked() -> None:
    assert set(read_table()) <= set(all_calls())
    assert len(CONSTANTS) > 40
