"""Files, folders, suppressions, hostile input, and the command."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from report.sarif_rules import check_sarif

from lint.programs import program
from migrate.lint.run import lint_paths, lint_text
from migrate.lint.suppress import suppressed_lines

BAD = program("y[i] = x[i] - x[i]")
PLAIN = "import os\nprint(1 - 1)\n"


def codes(text: str) -> tuple[list[str], list[str]]:
    kept, silenced = lint_text("k.py", text)
    return [d.code for d in kept], [d.code for d in silenced]


def test_a_comment_silences_the_codes_it_names_on_its_line() -> None:
    line = "y[i] = x[i] - x[i]"
    for comment in ("# noqa: TLM900", "#noqa:E501,TLM900 why", "# migrate: ignore[TLM900]"):
        assert codes(program(f"{line}  {comment}")) == ([], ["TLM900"])
    for comment in ("# noqa", "# noqa: TLM901", "# noqa: E501", "# migrate: ignore[]"):
        assert codes(program(f"{line}  {comment}")) == (["TLM900"], [])
    assert codes(program(f"# noqa: TLM900\n{line}")) == (["TLM900"], [])
    assert suppressed_lines("s = '# noqa: TLM900'\n") == {}, "text is no comment"


def test_folders_are_walked_and_other_python_is_skipped(tmp_path: Path) -> None:
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / ".hidden").mkdir()
    (tmp_path / "a/b/k.py").write_text(BAD)
    (tmp_path / ".hidden/k.py").write_text(BAD)
    (tmp_path / "plain.py").write_text(PLAIN)
    (tmp_path / "notes.txt").write_text(BAD)
    (tmp_path / "a/loop").symlink_to(tmp_path)
    linted = lint_paths([tmp_path])
    assert (linted.files, linted.skipped, len(linted.diagnostics)) == (1, 1, 1)
    assert lint_paths([tmp_path / "plain.py", tmp_path / "notes.txt"]).files == 0


@pytest.mark.parametrize(
    "text",
    [
        "import tilelang\ndef (",
        "import tilelang\n\x00",
        "import tilelang\nx = " + "(" * 5000,
        "tilelang = " + "-" * 20000 + "1",
    ],
)
def test_files_that_cannot_be_parsed_are_one_finding(text: str) -> None:
    assert codes(text) == (["TLM940"], [])


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"\xff\xfe import tilelang")
    (tmp_path / "b.py").write_bytes(b"\xff\xfe")
    assert [d.code for d in lint_paths([tmp_path]).diagnostics] == ["TLM940"]


@settings(deadline=None, max_examples=80)
@given(st.data())
def test_damaged_programs_never_crash(data: st.DataObject) -> None:
    pieces = [
        "T.serial(tx)",
        "T.copy(x)",
        "T.gemm()",
        "T.Kernel()",
        "x[i]",
        "x[",
        "if x[i] and",
        "-u",
        "T.cast(1)",
        "T.cast(x[i], y)",
    ]
    lines = program("y[i] = (x[i] + 1.0) - x[i]").splitlines()
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(10, len(lines) - 1))
        indent = " " * data.draw(st.sampled_from([0, 4, 12, 16]))
        lines.insert(place, indent + data.draw(st.one_of(st.sampled_from(pieces), st.text(max_size=12))))
    lint_text("k.py", "\n".join(lines))


def run(tmp_path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from migrate.cli.main import run; run()", "check", *arguments]
    return subprocess.run(
        command, cwd=tmp_path, env={**os.environ, "COLUMNS": "160"}, capture_output=True, text=True, check=False
    )


def test_the_command_prints_text_json_and_sarif(tmp_path: Path) -> None:
    (tmp_path / "k.py").write_text(BAD + "\n" + "# noqa: TLM900\n")
    done = run(tmp_path, ".")
    assert done.returncode == 1 and done.stdout.startswith("k.py:26:20: error: `x[i] - x[i]` is folded to 0"), done
    raw = json.loads(run(tmp_path, "k.py", "--format", "json").stdout)
    assert [d["code"] for d in raw["diagnostics"]] == ["TLM900"]
    log = json.loads(run(tmp_path, "k.py", "--format", "sarif").stdout)
    check_sarif(log)
    assert log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] == 26
    assert run(tmp_path, "--no-lint", ".").returncode == 0


def test_exit_codes(tmp_path: Path) -> None:
    (tmp_path / "plain.py").write_text(PLAIN)
    (tmp_path / "note.py").write_text(
        program('a = T.alloc_shared((64, 64), "float32")\nc = T.alloc_fragment((64, 64), "float32")\nT.gemm(a, a, c)')
    )
    assert run(tmp_path, "plain.py").returncode == 0
    noted = run(tmp_path, "note.py")
    assert noted.returncode == 0 and "TLM918" in noted.stdout
    missing = run(tmp_path, "nowhere.py")
    assert missing.returncode == 2 and "no such file" in missing.stderr
    assert run(tmp_path, "plain.py", "--format", "xml").returncode == 2


def test_nothing_heavy_is_imported(tmp_path: Path) -> None:
    (tmp_path / "k.py").write_text(BAD)
    probe = (
        "import sys, contextlib\n"
        "sys.argv = ['migrate', 'check', 'k.py']\n"
        "from migrate.cli.main import run\n"
        "with contextlib.suppress(SystemExit): run()\n"
        "names = ('tilelang', 'numpy', 'torch', 'clang', 'jinja2', 'pygments')\n"
        "heavy = [m for m in names if m in sys.modules]\n"
        "assert not heavy, heavy\n"
    )
    done = subprocess.run([sys.executable, "-c", probe], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
