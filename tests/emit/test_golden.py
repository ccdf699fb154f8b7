"""The text of ports: golden files, one a kernel of the zoo. Rewrite them with ``UPDATE_GOLDEN=1 pytest tests/emit``."""

from __future__ import annotations

import ast
import os
from pathlib import Path

import pytest
from rules.zoo import ZOO

from migrate.emit.port_file import SourceFile, emit_port, support_files

GOLDEN = Path(__file__).parent / "golden"


def _text(name: str) -> str:
    port = emit_port(SourceFile("src/test.cu", "0" * 64, "Licence: none\n\nA test."), [ZOO[name]])
    assert port.refusals == ()
    return port.text


@pytest.mark.parametrize("name", sorted(ZOO))
def test_text_is_the_golden_one(name: str) -> None:
    path = GOLDEN / f"{name}.py.txt"
    text = _text(name)
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(text)
    assert text == path.read_text()


@pytest.mark.parametrize("name", sorted(ZOO))
def test_text_is_python_in_120_columns_and_the_same_twice(name: str) -> None:
    text = _text(name)
    ast.parse(text)
    long = [line for line in text.splitlines() if len(line) > 120 and not line.startswith("#")]
    assert long == []
    assert text == _text(name)


def test_support_files_make_a_package() -> None:
    files = support_files(["a/b/x_cu_tl.py", "y_cu_tl.py"])
    assert set(files) == {"__init__.py", "_launch.py", "a/__init__.py", "a/b/__init__.py"}
    ast.parse(files["_launch.py"])


def test_a_refusal_does_not_stop_the_others() -> None:
    from dataclasses import replace

    from migrate.ir import kernel as k

    bad = replace(ZOO["saxpy"], id="src/test.cu:9:bad", symbol="bad", buffers=(), body=(
        k.Store(k.Buffer("v", "float32", k.Scope.SHARED, (4,), volatile=True), (k.Const("int32", 0),),
                k.Const("float32", 1.0)),))  # fmt: skip
    port = emit_port(SourceFile("src/test.cu", "0" * 64), [bad, ZOO["saxpy"]])
    assert [entry.symbol for entry in port.entries] == ["saxpy"]
    assert [(kernel.symbol, diagnostic.code) for kernel, diagnostic in port.refusals] == [("bad", "TLM254")]
    assert "def bad" not in port.text
