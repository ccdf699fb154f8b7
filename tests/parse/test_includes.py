from __future__ import annotations

import json
from pathlib import Path

from migrate.parse.includes import HeaderIndex, UnitFlags, load_compile_commands

NAMES = ["a/include/lib/x.h", "b/include/lib/x.h", "b/include/lib/y.h", "top.h"]


def test_the_nearest_candidate_wins() -> None:
    index = HeaderIndex(NAMES)
    assert index.folder_for("lib/x.h", "b/src/k.cu") == "b/include"
    assert index.folder_for("lib/x.h", "a/src/k.cu") == "a/include"
    assert index.folder_for("lib/x.h", "c/k.cu") == "a/include"
    assert index.folder_for("top.h", "c/k.cu") == "."
    assert index.folder_for("lib/z.h", "c/k.cu") is None


def test_a_compilation_database_gives_flags_per_file(tmp_path: Path) -> None:
    database = tmp_path / "compile_commands.json"
    entries = [
        {
            "directory": str(tmp_path / "build"),
            "file": "../src/a.cu",
            "command": "nvcc -I../include -isystem /opt/x -DA=1 -D B -c ../src/a.cu",
        },
        {"directory": str(tmp_path), "file": "src/b.cu", "arguments": ["nvcc", "-I", "inc", "-c", "src/b.cu"]},
    ]
    database.write_text(json.dumps(entries))
    flags, diagnostics = load_compile_commands(database, tmp_path)
    assert diagnostics == []
    assert flags == {
        "src/a.cu": UnitFlags((str(tmp_path / "include"), "/opt/x"), ("A=1", "B")),
        "src/b.cu": UnitFlags((str(tmp_path / "inc"),), ()),
    }


def test_a_broken_database_is_one_warning(tmp_path: Path) -> None:
    database = tmp_path / "compile_commands.json"
    database.write_text('[{"file": "a.cu"}]')
    flags, diagnostics = load_compile_commands(database, tmp_path)
    assert flags == {}
    assert [item.code for item in diagnostics] == ["TLM013"]
