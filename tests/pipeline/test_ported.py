"""The hook's view of ported files."""

from __future__ import annotations

from pathlib import Path

from migrate.pipeline.ported import check_files


def test_a_port_without_a_lock_is_told(tmp_path: Path) -> None:
    """What an interrupted conversion leaves must not look clean."""
    (tmp_path / "saxpy_cu_tl.py").write_text("# Ported from saxpy.cu, sha256 0; level simt.\n")
    (tmp_path / "own_tl.py").write_text('"""Nobody ported this."""\n')
    checked = check_files((tmp_path,))
    assert checked.files == 1 and [item.code for item in checked.diagnostics] == ["TLM643"]
    assert checked.diagnostics[0].file == str(tmp_path / "saxpy_cu_tl.py")
    assert check_files((tmp_path / "own_tl.py",)).files == 0
