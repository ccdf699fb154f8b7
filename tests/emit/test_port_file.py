"""Paths, headers and entries of port files."""

from __future__ import annotations

from pathlib import Path

import pytest
from rules.zoo import ZOO

from migrate.emit.comments import leading_comment
from migrate.emit.port_file import EmitOptions, SourceFile, emit_port, port_path, source_file


@pytest.mark.parametrize(
    ("source", "port"),
    [
        ("src/saxpy.cu", "src/saxpy_cu_tl.py"),
        ("reduce.cuh", "reduce_cuh_tl.py"),
        ("01-basics/0_Intro/my kernel.v2.cu", "_01_basics/_0_Intro/my_kernel_v2_cu_tl.py"),
        ("class/import.cu", "class_/import_cu_tl.py"),
    ],
)
def test_paths_are_importable(source: str, port: str) -> None:
    assert port_path(source) == port


def test_header_carries_origin_and_licence(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text("/*\n * Copyright Someone\n *\n * MIT\n */\n__global__ void saxpy() {}\n")
    source = source_file(tmp_path, "a.cu")
    text = emit_port(source, [ZOO["saxpy"]]).text
    first, *rest = text.splitlines()
    assert first == f"# Ported from a.cu, sha256 {source.sha256}; level simt. Check it: migrate verify a_cu_tl.py"
    assert rest[:4] == ["#", "# Copyright Someone", "#", "# MIT"]


@pytest.mark.parametrize(
    ("text", "comment"),
    [
        ("// one\n//   two\nint x;", "one\ntwo"),
        ("\ufeff/* one */ int x;", "one"),
        ("int x; // no", ""),
        ("/* open", ""),
        ("", ""),
    ],
)
def test_leading_comment(text: str, comment: str) -> None:
    assert leading_comment(text) == comment


def test_entry_maps_launcher_keywords_to_parameters() -> None:
    entry = emit_port(SourceFile("a.cu", ""), [ZOO["globals_"]]).entries[0]
    found = [(q.keyword, q.kind, q.dtype, q.position, q.symbol, q.optional) for q in entry.parameters]
    assert found == [
        ("n", "scalar", "int32", 0, "", False),
        ("out", "array", "float32", 1, "", False),
        ("p", "bytes", "uint8", 2, "", False),
        ("weights", "symbol", "float32", -1, "weights", True),
        ("counter", "symbol", "uint32", -1, "counter", False),
    ]
    assert {"atomics", "parameters", "early_return"} <= set(entry.rules)


def test_distinct_pointers_and_default_block() -> None:
    kernel = ZOO["saxpy"]
    assert "annotate_restrict_buffers(x, y)" in emit_port(SourceFile("a.cu", ""), [kernel]).text
    options = EmitOptions(frozenset({kernel.id}), {kernel.id: (128, 1, 1)})
    text = emit_port(SourceFile("a.cu", ""), [kernel], options).text
    assert "annotate_restrict_buffers" not in text
    assert "block: Grid = (128, 1, 1)" in text
