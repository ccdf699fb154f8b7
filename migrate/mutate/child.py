"""Child process that runs many wrong ports on one kernel's cases: ``python -m migrate.mutate.child job.json``.

Imports are paid once; every mutant runs in a fork, so that one which crashes or never ends costs itself only.

job.json: ``port_dir``, ``launcher``, ``results`` (file to append JSON lines to), ``engine``, ``stop`` (leave a mutant
at its first difference), ``keep`` (the mutant whose results stay on disk), ``cpu_s`` and ``wall_s`` (limits of one
mutant; the first one listed, the port as it is, may take ten times the CPU time, and the others several times what it
took), ``cases`` (as in `port_runner`; each also has ``case``, the path of its case.json, and ``expected``, the right
result), ``harmless`` (how events begin that decide nothing), ``mutants``: list of ``name`` and ``module``.

A result line: ``name``, ``ending`` (done, crashed, timed_out, starved, import), ``message``, ``runs``: a list of the
lines of `port_runner.run_case` with ``same`` (equal to ``expected``), ``libraries``: what was compiled, in order.

The sandbox refuses to kill other processes, so every mutant carries its own limits: CPU time and an alarm clock.
"""

from __future__ import annotations

import json
import math
import os
import resource
import signal
import sys
from pathlib import Path
from typing import Any

from migrate.verify.port_process import STARVED_SHARE, port_events
from migrate.verify.port_runner import EventWatch, load_port, run_case, start_engine

# How many times slower than the port a mutant may be.
SLOWER = 4.0


def _run(job: dict[str, Any], mutant: dict[str, Any], progress: Path, watch: EventWatch) -> dict[str, Any]:
    """One mutant in a process of its own."""
    import numpy as np

    from migrate.verify.case import Case
    from migrate.verify.compare import same_results

    line: dict[str, Any] = {"name": mutant["name"], "ending": "done", "message": "", "runs": []}
    try:
        launcher = getattr(load_port(Path(job["port_dir"]), mutant["module"]), job["launcher"])
    except Exception as error:
        return {**line, "ending": "import", "message": f"{type(error).__name__}: {error}"[:500]}
    for position, case in enumerate(job["cases"]):
        output = case["output"].format(mutant=mutant["name"])
        progress.write_text(str(position))
        done = run_case(launcher, {**case, "output": output}, watch)
        done["same"] = False
        if done["status"] == "ok":
            after, expected = np.fromfile(output, np.uint8), np.fromfile(case["expected"], np.uint8)
            same = np.array_equal(after, expected)
            if not same:
                parsed = Case.from_json(Path(case["case"]).read_text())
                guards = np.ones(len(after), bool)
                for root in parsed.roots:
                    guards[root.start : root.start + root.bytes] = False
                same = bool(np.array_equal(after[guards], expected[guards])) and same_results(parsed, after, expected)
            done["same"] = same
            if same and mutant["name"] != job["keep"]:
                os.unlink(output)
        line["runs"].append(done)
        if done["status"] != "ok" or (job["stop"] and (not done["same"] or _harmful(done, job["harmless"]))):
            break
    libraries = [kernel.native().library._name for kernel in watch.kernels if hasattr(kernel, "native")]
    return {**line, "libraries": libraries}


def _harmful(done: dict[str, Any], harmless: str) -> bool:
    return any(not event.startswith(harmless) for event in port_events(done))


def _limited(
    job: dict[str, Any], mutant: dict[str, Any], watch: EventWatch, scratch: Path, cpu_s: float
) -> dict[str, Any]:
    """Forks with at most ``cpu_s`` of CPU time, and says how it ended."""
    answer, progress = scratch / "answer.json", scratch / "progress"
    for path in (answer, progress):
        path.unlink(missing_ok=True)
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            limit = math.ceil(cpu_s)
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
            signal.signal(signal.SIGALRM, signal.SIG_DFL)  # ends the process, in compiled code as well
            signal.setitimer(signal.ITIMER_REAL, job["wall_s"])
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, 1)
            os.dup2(null, 2)
            answer.write_text(json.dumps(_run(job, mutant, progress, watch)))
            code = 0
        finally:
            os._exit(code)
    _, raw, usage = os.wait4(pid, 0)
    code = os.waitstatus_to_exitcode(raw)
    if code == 0 and answer.exists():
        found: dict[str, Any] = json.loads(answer.read_text())
        return found
    ending = "timed_out" if -code in (signal.SIGXCPU, signal.SIGALRM) else "crashed"
    if -code == signal.SIGALRM and usage.ru_utime + usage.ru_stime < STARVED_SHARE * cpu_s:
        ending = "starved"  # the machine's doing, not the mutant's
    at = int(progress.read_text()) if progress.exists() and progress.read_text() else 0
    return {"name": mutant["name"], "ending": ending, "message": f"exit code {code}", "runs": [], "at": at}


def main(path: str) -> int:
    """Runs the job at ``path``; exit code 0 when every mutant was tried."""
    job = json.loads(Path(path).read_text())
    watch = EventWatch()
    start_engine(job["engine"])
    watch.install()
    import numpy as np  # noqa: F401 (paid for once, before the forks)

    import migrate.verify.compare  # noqa: F401
    from tilelang_runtime.native.build import scheduler

    scheduler()
    with Path(job["results"]).open("a") as results:
        limit_s = 10.0 * job["cpu_s"]
        for number, mutant in enumerate(job["mutants"]):
            line = _limited(job, mutant, watch, Path(job["results"]).parent, limit_s)
            if number == 0:
                limit_s = job["cpu_s"] + SLOWER * sum(run["cpu_s"] for run in line["runs"])
            results.write(json.dumps(line) + "\n")
            results.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
