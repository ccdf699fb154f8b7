from pathlib import Path

import pytest

from migrate.pipeline.writing import OutputFolder, OutsideOutput


def test_generated_port_is_replaced_when_the_text_changes(tmp_path: Path) -> None:
    assert OutputFolder(tmp_path).write_port("a/k_cu_tl.py", "one\n")
    second = OutputFolder(tmp_path)
    assert second.write_port("a/k_cu_tl.py", "two\n")
    assert (tmp_path / "a/k_cu_tl.py").read_text() == "two\n"
    assert second.changed == ["a/k_cu_tl.py"]


def test_second_run_with_the_same_text_changes_nothing(tmp_path: Path) -> None:
    OutputFolder(tmp_path).write_port("k_cu_tl.py", "one\n")
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()}
    again = OutputFolder(tmp_path)
    assert again.write_port("k_cu_tl.py", "one\n")
    assert again.changed == []
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()} == before


def test_hand_edited_port_is_kept_and_new_text_goes_aside(tmp_path: Path) -> None:
    OutputFolder(tmp_path).write_port("k_cu_tl.py", "one\n")
    (tmp_path / "k_cu_tl.py").write_text("edited\n")
    folder = OutputFolder(tmp_path)
    assert not folder.write_port("k_cu_tl.py", "two\n")
    assert (tmp_path / "k_cu_tl.py").read_text() == "edited\n"
    assert (tmp_path / ".migrate/new/k_cu_tl.py").read_text() == "two\n"
    assert folder.kept == ["k_cu_tl.py"]


def test_a_file_that_was_never_generated_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "k_cu_tl.py").write_text("somebody's\n")
    assert not OutputFolder(tmp_path).write_port("k_cu_tl.py", "one\n")
    assert (tmp_path / "k_cu_tl.py").read_text() == "somebody's\n"


def test_dry_run_writes_nothing_and_says_what_would_change(tmp_path: Path) -> None:
    folder = OutputFolder(tmp_path / "out", dry_run=True)
    folder.write_port("k_cu_tl.py", "one\n")
    folder.write("k_cu.launch.json", "{}\n")
    assert folder.changed == ["k_cu_tl.py", "k_cu.launch.json"]
    assert not (tmp_path / "out").exists()


def test_paths_that_leave_the_folder_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "out/link").symlink_to(tmp_path / "elsewhere")
    folder = OutputFolder(tmp_path / "out")
    for name in ("../x.py", "link/x.py"):
        with pytest.raises(OutsideOutput):
            folder.write(name, "text")
    assert list((tmp_path / "elsewhere").iterdir()) == []
