"""The command line as a user meets it: exit codes, where text goes, and what an error says."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SAXPY = """\
__global__ void saxpy(int n, float a, const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
void launch(int n, const float* x, float* y) { saxpy<<<(n + 127) / 128, 128>>>(n, 2.0f, x, y); }
"""
ASSEMBLY = """\
__global__ void lanes(unsigned* out) {
    unsigned lane;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    out[threadIdx.x] = lane;
}
void launch(unsigned* out) { lanes<<<1, 32>>>(out); }
"""


@pytest.fixture
def run(tmp_path: Path):
    def call(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "TILELANG_MIGRATE_CACHE": str(tmp_path / "cache"), "COLUMNS": "160"}
        command = [sys.executable, "-c", "from migrate.cli.main import run; run()", *arguments]
        return subprocess.run(
            command,
            cwd=tmp_path,
            env=environment,
            input=stdin,
            capture_output=True,
            text=True,
            timeout=170,
            check=False,
        )

    return call


def test_help_names_the_commands_and_imports_nothing_heavy(run) -> None:
    done = run("--help")
    assert done.returncode == 0
    for name in ("convert", "verify", "check", "report", "run", "explain", "rules", "doctor"):
        assert name in done.stdout
    probe = (
        "import sys, contextlib\n"
        "sys.argv = ['migrate', '--help']\n"
        "from migrate.cli.main import run\n"
        "with contextlib.suppress(SystemExit): run()\n"
        "heavy = [m for m in ('numpy', 'clang', 'torch', 'tilelang', 'jinja2', 'ml_dtypes') if m in sys.modules]\n"
        "assert not heavy, heavy\n"
    )
    assert subprocess.run([sys.executable, "-c", probe], capture_output=True, check=False).returncode == 0


def test_a_run_with_nothing_changed_imports_nothing_heavy(run, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "saxpy.cu").write_text(SAXPY)
    arguments = ["convert", "src", "-o", "out", "--no-verify", "--no-lower", "-q"]
    first = run(*arguments)
    probe = (
        "import sys, contextlib\n"
        f"sys.argv = ['migrate', *{arguments!r}]\n"
        "from migrate.cli.main import run\n"
        "with contextlib.suppress(SystemExit): run()\n"
        "heavy = [m for m in ('numpy', 'clang', 'jinja2', 'migrate.pipeline.stages') if m in sys.modules]\n"
        "assert not heavy, heavy\n"
    )
    environment = {**os.environ, "TILELANG_MIGRATE_CACHE": str(tmp_path / "cache")}
    again = subprocess.run(
        [sys.executable, "-c", probe], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert again.returncode == 0, again.stderr
    assert again.stdout == first.stdout
    assert "1 converted" in again.stdout


def test_convert_verifies_reports_and_resumes(run, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/saxpy.cu").write_text(SAXPY)
    done = run("convert", "src", "-o", "out", "--no-lower")
    assert done.returncode == 0, done.stdout + done.stderr
    report = json.loads((tmp_path / "out/report.json").read_text())
    (kernel,) = report["kernels"]
    assert (kernel["level"], kernel["verdict"], kernel["evidence"]["exact"]) == ("simt", "passed", True)
    assert kernel["evidence"]["cases"] >= 5 and kernel["evidence"]["arcs"] == 1.0
    files = {p: p.read_bytes() for p in (tmp_path / "out").rglob("*") if p.is_file() and p.name != "timings.json"}
    again = run("convert", "src", "-o", "out", "--no-lower")
    assert again.returncode == 0
    assert {p: p.read_bytes() for p in files} == files
    assert (tmp_path / "src/saxpy.cu").read_text() == SAXPY
    assert run("check", "out").returncode == 0
    formats = ["convert", "src", "-o", "out", "--no-lower", "-q", "--report", "html,csv,sarif", "--baseline", "out"]
    assert "1 unchanged" in run(*formats).stdout
    assert "__global__" in (tmp_path / "out/report.html").read_text()
    assert (tmp_path / "out/report.csv").read_bytes().count(b"\r\n") == 2
    shown = run("report", "out/report.json", "--format", "html", "--baseline", "out")
    assert shown.stdout == (tmp_path / "out/report.html").read_text()
    assert json.loads(run("report", "out", "--format", "sarif").stdout)["version"] == "2.1.0"
    shutil.copytree(tmp_path / "out", tmp_path / "earlier")
    (tmp_path / "src/saxpy.cu").write_text(SAXPY.replace("a * x[i]", "x[i] * a"))
    against = run("verify", "out", "--baseline", "earlier/report.json", "--report", "csv", "-q")
    assert against.returncode == 0 and "1 unchanged" in against.stdout, against.stderr
    assert (tmp_path / "verify-report/report.csv").is_file()
    stale = run("check", "out")
    assert stale.returncode == 1 and "TLM641" in stale.stdout


def test_an_interrupted_run_leaves_a_valid_partial_report_and_resumes(run, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    for number in range(3):
        (tmp_path / f"src/saxpy{number}.cu").write_text(SAXPY.replace("a * x[i] +", f"a * x[i] + {number}.0f +"))
    program = (
        "import os, signal, sys\n"
        # Whoever runs the tests in the background of a plain shell has made their children deaf to it.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "sys.argv = ['migrate', 'convert', 'src', '-o', 'out', '--no-lower', '-j', '1']\n"
        "from migrate.pipeline import proving\n"
        "keep = proving.verify_many\n"
        "def stopped(*a, **k):\n"
        "    for verdict in keep(*a, **k):\n"
        "        yield verdict\n"
        "        os.kill(os.getpid(), signal.SIGINT)\n"
        "proving.verify_many = stopped\n"
        "if __name__ == '__main__':\n"
        "    from migrate.cli.main import run\n"
        "    run()\n"
    )
    (tmp_path / "stopped.py").write_text(program)
    environment = {**os.environ, "TILELANG_MIGRATE_CACHE": str(tmp_path / "cache")}
    done = subprocess.run(
        [sys.executable, "stopped.py"], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2 and "interrupted" in done.stderr, done.stdout + done.stderr
    partial = json.loads((tmp_path / "out/report.json").read_text())["summary"]
    assert partial["passed"] >= 1 and partial["not_run"] >= 1
    assert run("convert", "src", "-o", "out", "--no-lower").returncode == 0
    assert json.loads((tmp_path / "out/report.json").read_text())["summary"]["passed"] == 3


def test_a_refusal_gives_exit_code_1_a_code_and_a_line(run, tmp_path: Path) -> None:
    (tmp_path / "asm.cu").write_text(ASSEMBLY)
    done = run("convert", "asm.cu", "-o", "out", "--no-lower")
    assert done.returncode == 1
    assert "asm.cu:3:" in done.stdout and "TLM201" in done.stdout
    assert not (tmp_path / "out/asm_cu_tl.py").exists()


def test_check_mode_writes_nothing(run, tmp_path: Path) -> None:
    (tmp_path / "saxpy.cu").write_text(SAXPY)
    done = run("convert", "saxpy.cu", "-o", "out", "--check")
    assert done.returncode == 1 and "would change: saxpy_cu_tl.py" in done.stderr
    assert not (tmp_path / "out").exists()
    shown = run("convert", "saxpy.cu", "-o", "out", "--diff")
    assert shown.returncode == 1 and "+def saxpy(" in shown.stdout
    assert not (tmp_path / "out").exists()


def test_stdin_is_a_source(run, tmp_path: Path) -> None:
    done = run("convert", "-", "-o", "out", "--no-verify", "--no-lower", "--stdin-filename", "k.cu", stdin=SAXPY)
    assert (tmp_path / "out/k_cu_tl.py").is_file(), done.stdout + done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["convert", "nowhere.cu"], "no such file"),
        (["convert", "saxpy.cu", "-I", "nowhere"], "no such folder"),
        (["convert", ".", "--target", "ascend"], "not built yet"),
        (["report", "nowhere"], "run `migrate convert` first"),
        (["convert", ".", "--report", "xlsx"], "no report format xlsx"),
        (["convert", ".", "--baseline", "nowhere.json"], "--baseline: nowhere.json"),
        (["explain", "TLM999"], "no code TLM999"),
        (["guide", "cublasSgemm"], "not built yet"),
        (["tune"], "not built yet"),
        (["verify", "."], "not part of an output folder"),
        (["rules", "show", "nothing"], "no rule"),
        (["run", "nowhere.py"], "no such file"),
        (["convert", "--jobs", "-3", "x.cu"], "jobs"),
        (["convert", ".", "-o", "out", "--arch", "ampere"], "not a CUDA architecture"),
    ],
)
def test_wrong_requests_end_with_exit_code_2_and_say_why(run, arguments: list[str], said: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert said in done.stderr


def test_configuration_is_read_and_unknown_keys_are_named(run, tmp_path: Path) -> None:
    (tmp_path / "saxpy.cu").write_text(SAXPY)
    (tmp_path / "migrate.toml").write_text('verify = false\nlower = false\n\n[convert]\noutput = "there"\n')
    run("convert", "saxpy.cu")
    assert (tmp_path / "there/saxpy_cu_tl.py").is_file()
    (tmp_path / "migrate.toml").write_text("verfy = false\n")
    done = run("convert", "saxpy.cu")
    assert done.returncode == 2 and "unknown key 'verfy'" in done.stderr


def test_explain_prints_a_page(run) -> None:
    done = run("explain", "201")
    assert done.returncode == 0 and done.stdout.startswith("# TLM201")
    assert "TLM201" in run("explain", "list").stdout


RACING = """\
import numpy as np
import tilelang
import tilelang.language as T

@T.prim_func
def reverse(x: T.Tensor((64,), "int32"), y: T.Tensor((64,), "int32")):
    with T.Kernel(1, threads=64):
        t = T.get_thread_binding(0)
        s = T.alloc_shared((64,), "int32")
        s[t] = x[t]
        BARRIER
        y[t] = s[63 - t]

tilelang.compile(reverse)(np.arange(64, dtype="i4"), np.zeros(64, "i4"))
print("done")
"""


def test_checked_runs_name_the_line_of_a_race(run, tmp_path: Path) -> None:
    (tmp_path / "racing.py").write_text(RACING.replace("BARRIER", "pass"))
    found = run("run", "--checked", "racing.py")
    assert found.returncode == 1 and found.stdout == "done\n"
    assert "racing.py:12: race: s (shared) is read here and written at" in found.stderr
    (tmp_path / "right.py").write_text(RACING.replace("BARRIER", "T.sync_threads()"))
    right = run("run", "--checked", "right.py")
    assert (right.returncode, right.stdout, right.stderr) == (0, "done\n", "checked: no findings\n")
