"""Every family of device functions through the whole chain: original and port give the same bits."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from families import write_files


@pytest.mark.sweep
@pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed")
def test_ports_are_bit_exact(tmp_path: Path) -> None:
    source, output = tmp_path / "source", tmp_path / "ported"
    source.mkdir()
    count = write_files(source)
    program = "from migrate.cli.main import run; run()"
    command = [sys.executable, "-c", program, "convert", str(source), "-o", str(output), "--no-lower", "--jobs", "1"]
    subprocess.run(command, check=False, capture_output=True)
    report = json.loads((output / "report.json").read_text(encoding="utf-8"))
    verdicts = {entry["name"]: entry["verdict"] for entry in report["kernels"]}
    assert len(verdicts) == count
    assert {name: verdict for name, verdict in verdicts.items() if verdict != "passed"} == {}
