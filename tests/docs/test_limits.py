"""docs/limits.md names codes that exist and the figures that the program uses."""

import re
from pathlib import Path

from migrate.analysis.plan_model import MAX_BLOCK_THREADS, MAX_GRID, MAX_SHARED_BYTES
from migrate.diagnostics import PAGES
from migrate.oracle import preprocess, toolchain
from migrate.parse import sources
from migrate.parse.build import unit
from migrate.parse.launches import program
from migrate.parse.results import ParseOptions
from migrate.pipeline.options import Options
from migrate.verify import trial
from migrate.verify.request import VerifyOptions

TEXT = (Path(__file__).parents[2] / "docs" / "limits.md").read_text()


def test_every_code_has_a_page() -> None:
    codes = set(re.findall(r"TLM\d{3}", TEXT))
    assert len(codes) > 40
    assert sorted(code for code in codes if not (PAGES / f"{code}.toml").is_file()) == []


def test_sizes_are_those_of_the_program() -> None:
    options, parsing, root = VerifyOptions(), ParseOptions(), Path("/")
    mebibyte, gibibyte = 1 << 20, 1 << 30
    said = [
        f"{sources.MAX_BYTES // mebibyte} MB;",
        f"up to {preprocess._FILE_LIMIT // mebibyte} MiB, {preprocess._TOTAL_LIMIT // mebibyte} MiB with",
        f"{parsing.timeout_s:g} s, {parsing.memory_mb // 1024} GiB",
        f"{unit._LIMIT_STATEMENTS // 1000} 000 statements",
        f"{program.NODE_BUDGET // 1000} 000 syntax nodes",
        f"{MAX_BLOCK_THREADS} threads a block, {MAX_SHARED_BYTES // 1024} KiB of shared memory",
        f"× {MAX_GRID[1]} × {MAX_GRID[2]} blocks",
        f"{trial.MAXIMUM_ROOT_BYTES // mebibyte} MiB a buffer",
        f"{toolchain._COMPILE_TIMEOUT_S:g} s, {toolchain._COMPILE_MEMORY // gibibyte} GiB",
        f"{options.case_timeout_s:g} s, {options.memory_bytes // gibibyte} GiB",
        f"`--timeout`, {Options(root, (), root).timeout_s:g} s",
    ]
    assert [part for part in said if part not in TEXT] == []
    assert trial.MAXIMUM_THREADS == 1 << 24
