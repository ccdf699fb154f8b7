"""Isolation: what a child can and cannot do, and that it always ends."""

from __future__ import annotations

import sys
import time

import pytest

from tilelang_runtime.support.isolate import isolation_report, run_isolated

landlock = pytest.mark.skipif(not isolation_report()["landlock"], reason="no Landlock")
seccomp = pytest.mark.skipif(not isolation_report()["seccomp"], reason="no seccomp filters")


def test_output_exit_code_environment_and_input(tmp_path):
    done = run_isolated(["sh", "-c", "cat; echo err >&2; echo $HOME $KEY; exit 3"], cwd=tmp_path, timeout_s=10,
                        stdin=b"hello\n", env={"KEY": "value"}, allow_processes=True)  # fmt: skip
    assert (done.returncode, done.signal, done.timed_out) == (3, None, False)
    assert done.stdout == f"hello\n{tmp_path.resolve()} value\n"
    assert done.stderr == "err\n"


def test_the_callers_environment_stays_out(tmp_path, monkeypatch):
    monkeypatch.setenv("SECRET_TOKEN", "1")
    done = run_isolated(["env"], cwd=tmp_path, timeout_s=10)
    assert "SECRET_TOKEN" not in done.stdout


def test_time_limit_kills_the_whole_group(tmp_path):
    start = time.monotonic()
    done = run_isolated(["sh", "-c", "sleep 60 & sleep 60"], cwd=tmp_path, timeout_s=0.5, allow_processes=True)
    assert done.timed_out
    assert done.signal == 9
    assert time.monotonic() - start < 30


def test_background_processes_do_not_outlive_the_child(tmp_path):
    run_isolated(
        ["sh", "-c", "(sleep 1; echo alive > late) & exit 0"], cwd=tmp_path, timeout_s=10, allow_processes=True
    )
    time.sleep(1.5)
    assert not (tmp_path / "late").exists()


def test_memory_and_file_limits(tmp_path):
    hungry = "x = bytearray(1 << 30); print(len(x))"
    done = run_isolated([sys.executable, "-c", hungry], cwd=tmp_path, timeout_s=20, memory_bytes=512 << 20)
    assert "MemoryError" in done.stderr
    writing = "open('big', 'wb').write(bytes(1 << 22))"
    done = run_isolated([sys.executable, "-c", writing], cwd=tmp_path, timeout_s=20, file_bytes=1 << 20)
    assert done.returncode != 0
    assert (tmp_path / "big").stat().st_size <= 1 << 20


@landlock
def test_files_outside_are_out_of_reach(tmp_path):
    outside, scratch, given = tmp_path / "outside", tmp_path / "scratch", tmp_path / "given"
    for folder in (outside, scratch, given):
        folder.mkdir()
    (outside / "secret").write_text("secret")
    (given / "input").write_text("input")
    script = (
        f"cat {outside}/secret; cat {given}/input; echo no > {given}/input; echo no > {outside}/new; echo yes > here"
    )
    done = run_isolated(["sh", "-c", script], cwd=scratch, timeout_s=10, readable=[given], allow_processes=True)
    assert done.stdout == "input"
    assert (given / "input").read_text() == "input"
    assert not (outside / "new").exists()
    assert (scratch / "here").read_text() == "yes\n"


@seccomp
@pytest.mark.parametrize("call", ["os.fork()", "socket.socket()", "os.kill(os.getppid(), 0)"])
def test_refused_system_calls(tmp_path, call):
    code = f"import os, socket\ntry:\n    {call}\nexcept OSError as error:\n    print('refused', error.errno)"
    done = run_isolated([sys.executable, "-c", code], cwd=tmp_path, timeout_s=20)
    assert done.stdout == "refused 1\n"


@seccomp
def test_threads_are_allowed(tmp_path):
    code = "import threading\nt = threading.Thread(target=print, args=('in a thread',))\nt.start()\nt.join()"
    assert run_isolated([sys.executable, "-c", code], cwd=tmp_path, timeout_s=20).stdout == "in a thread\n"


def test_a_program_that_is_not_there(tmp_path):
    with pytest.raises(OSError):
        run_isolated(["/no/such/program"], cwd=tmp_path, timeout_s=5)
