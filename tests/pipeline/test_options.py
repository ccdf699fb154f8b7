from pathlib import Path

import pytest

from migrate.pipeline.options import UsageError, check_output, common_root


def test_a_single_folder_is_its_own_root(tmp_path: Path) -> None:
    assert common_root((tmp_path,)) == tmp_path


def test_files_share_their_parent(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    (tmp_path / "a/x.cu").touch()
    (tmp_path / "b/y.cu").touch()
    assert common_root((tmp_path / "a/x.cu", tmp_path / "b/y.cu")) == tmp_path
    assert common_root((tmp_path / "a/x.cu",)) == tmp_path / "a"


def test_missing_sources_are_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"nowhere\.cu: no such file"):
        common_root((tmp_path / "nowhere.cu",))


def test_output_must_not_hold_the_sources_or_foreign_files(tmp_path: Path) -> None:
    source = tmp_path / "src"
    source.mkdir()
    with pytest.raises(UsageError, match="would hold the sources"):
        check_output(source, source, (source,))
    with pytest.raises(UsageError, match="would hold the sources"):
        check_output(tmp_path, source, (source,))
    other = tmp_path / "other"
    other.mkdir()
    (other / "notes.txt").touch()
    with pytest.raises(UsageError, match="not made by migrate"):
        check_output(other, source, (source,))
    check_output(tmp_path / "new", source, (source,))
    (tmp_path / "interrupted/.migrate/base").mkdir(parents=True)
    check_output(tmp_path / "interrupted", source, (source,))


def test_output_below_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").touch()
    with pytest.raises(UsageError, match="cannot be written"):
        check_output(tmp_path / "notes.txt/ported", tmp_path / "src", (tmp_path / "src",))
