from __future__ import annotations

import os
from pathlib import Path

import pytest
from parse_fixtures import Repository

from migrate.parse import find_sources
from migrate.parse.sources import MAX_BYTES, UnreadableSource, read_source

KERNEL = "__global__ void k(int *x) { x[0] = 1; }\n"


def test_only_files_with_cuda_are_taken(repository: Repository) -> None:
    root = repository(
        {
            "b.cu": KERNEL,
            "a/c.cuh": "inline int f() { return 1; }\n",
            "a/host.cpp": "int main() { return 0; }\n",
            "a/launch.cpp": "void f() { k<<<1, 1>>>(0); }\n",
            "notes.txt": KERNEL,
            ".git/x.cu": KERNEL,
        }
    )
    files, diagnostics = find_sources([root], root)
    assert [path.relative_to(root).as_posix() for path in files] == ["a/c.cuh", "a/launch.cpp", "b.cu"]
    assert diagnostics == []


def test_symlinks_that_loop_or_lead_away(repository: Repository, tmp_path: Path) -> None:
    root = repository({"a/k.cu": KERNEL})
    (tmp_path / "outside.cu").write_text(KERNEL)
    os.symlink("self.cu", root / "self.cu")
    os.symlink("..", root / "a" / "up")
    os.symlink(tmp_path / "outside.cu", root / "outside.cu")
    files, diagnostics = find_sources([root, tmp_path / "outside.cu", root / "gone.cu"], root)
    assert [path.name for path in files] == ["k.cu"]
    assert sorted((item.code, os.path.basename(item.file)) for item in diagnostics) == [
        ("TLM001", "gone.cu"),
        ("TLM006", "outside.cu"),
        ("TLM006", "outside.cu"),
        ("TLM007", "self.cu"),
        ("TLM007", "up"),
    ]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "TLM002"),
        (b" \n\t\n", "TLM002"),
        (b"\x7fELF\x02\x00\x00", "TLM003"),
        (KERNEL.encode("utf-16"), "TLM004"),
        (b"/" * (MAX_BYTES + 1), "TLM005"),
    ],
)
def test_each_kind_of_bad_file_has_its_code(tmp_path: Path, data: bytes, code: str) -> None:
    path = tmp_path / "bad.cu"
    path.write_bytes(data)
    with pytest.raises(UnreadableSource) as caught:
        read_source(path, "bad.cu")
    assert caught.value.diagnostic.code == code
    assert caught.value.diagnostic.file == "bad.cu"


def test_a_folder_is_no_source(tmp_path: Path) -> None:
    with pytest.raises(UnreadableSource, match="TLM001"):
        read_source(tmp_path, "folder.cu")


def test_old_encodings_are_read_byte_by_byte(tmp_path: Path) -> None:
    path = tmp_path / "old.cu"
    path.write_bytes(b"// caf\xe9\n" + KERNEL.encode())
    source = read_source(path, "old.cu")
    assert not source.utf8
    assert len(source.text) == len(source.data)
