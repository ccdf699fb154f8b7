"""A kernel whose verification dies, hangs or raises costs nothing but its own verdict."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from migrate.ir.kernel import Kernel
from migrate.ir.span import Span
from migrate.verify import many
from migrate.verify.request import VerifyOptions, VerifyRequest
from migrate.verify.verdict import Verdict


def request(name: str, limit: float = 60.0, folder: Path = Path("/")) -> VerifyRequest:
    kernel = Kernel(f"k.cu:1:{name}", name, name, name, (), (), (), (), (), (), Span("k.cu", 1))
    return VerifyRequest(folder, None, kernel, None, folder, "k", None, VerifyOptions(time_limit_s=limit))


def behave(item: VerifyRequest) -> Verdict:
    name = item.kernel.name
    if name == "dies":
        os.kill(os.getpid(), signal.SIGKILL)
    if name == "raises":
        raise RuntimeError("something unexpected")
    if name == "hangs":
        child = subprocess.Popen(["sleep", "600"])
        (item.root / "child").write_text(str(child.pid))
        try:
            child.wait()
        finally:
            child.kill()
            child.wait()
    return Verdict(item.kernel.id, item.kernel.symbol, "passed")


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return "sleep" in Path(f"/proc/{pid}/cmdline").read_text()


def test_each_failure_stays_with_its_kernel(monkeypatch, tmp_path):
    monkeypatch.setattr(many, "GRACE_S", 0.5)
    requests = [request(name) for name in ("a", "dies", "b", "raises", "c")]
    requests.insert(2, request("hangs", limit=3.0, folder=tmp_path))
    seen = []
    verdicts = {
        verdict.symbol: verdict
        for verdict in many.verify_many(requests, 2, lambda done, total, _: seen.append((done, total)), behave)
    }
    assert {name: verdict.status for name, verdict in verdicts.items()} == {
        "a": "passed",
        "b": "passed",
        "c": "passed",
        "dies": "inconclusive",
        "raises": "inconclusive",
        "hangs": "inconclusive",
    }
    assert seen == [(number + 1, 6) for number in range(6)]
    assert verdicts["dies"].diagnostics[0].code == verdicts["raises"].diagnostics[0].code == "TLM740"
    assert "something unexpected" in verdicts["raises"].diagnostics[0].message
    assert verdicts["hangs"].diagnostics[0].code == "TLM736"
    assert not alive(int((tmp_path / "child").read_text()))


def test_stopping_early_leaves_no_process(tmp_path):
    running = many.verify_many([request("a"), request("hangs", folder=tmp_path)], 1, None, behave)
    assert next(running).symbol == "a"
    # The generator hands out the next task only when asked; a thread would be needed to interrupt it while waiting.
    running.close()
    assert not (tmp_path / "child").exists()


def test_interrupt_stops_the_workers(tmp_path):
    def interrupt(_number, _frame):
        raise KeyboardInterrupt

    previous = signal.signal(signal.SIGALRM, interrupt)
    try:
        running = many.verify_many([request("hangs", folder=tmp_path)], 1, None, behave)
        signal.setitimer(signal.ITIMER_REAL, 2.0)
        with pytest.raises(KeyboardInterrupt):
            next(running)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
    for _ in range(50):
        if not (tmp_path / "child").exists() or not alive(int((tmp_path / "child").read_text())):
            break
        time.sleep(0.1)
    else:
        pytest.fail("the worker's child is still running")


def test_nothing_to_do():
    assert list(many.verify_many([], 4)) == []
