"""Mutants of real ports, from the source text to their outcomes."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "verify"))

from end_to_end import convert

from migrate.mutate import child, run
from migrate.mutate.campaign import run_campaign
from migrate.mutate.operators import mutations
from migrate.mutate.view import BuilderView

SOURCE = """
#include <cuda_runtime.h>
#include <stdlib.h>
__global__ void shifted(const int* x, int* y, int n) {
  __shared__ int s[128];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? x[i] : 0;
  __syncthreads();
  if (i < n && t > 0) y[i] = (s[t - 1] + (i + 1 < n ? 1 : 0)) / 2;
}
int main(int argc, char** argv) {
  int n = atoi(argv[1]);
  int *x, *y;
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&y, n * sizeof(int));
  shifted<<<(n + 127) / 128, 128>>>(x, y, n);
}
"""


def test_every_mistake_in_a_small_kernel_is_found(tmp_path):
    converted = convert(tmp_path, SOURCE)
    operators = ("dropped_barrier", "lost_tail", "floor_division", "swapped_operands", "changed_constant")
    report = run_campaign(
        [converted.request("shifted", case_timeout_s=120.0, time_limit_s=1200.0)],
        operators=operators,
        per_operator=2,
        seed=1,
    )
    found = {(item.operator, item.note): item for item in report.results}
    assert not report.skipped
    barrier = found[("dropped_barrier", "barrier left out")]
    # In contract order the lower neighbour has always stored already: only the reversed order shows this one.
    assert barrier.outcome == "killed" and "reversed order" in barrier.reason
    missed = [item for item in report.results if item.outcome not in ("killed", "equivalent")]
    assert not missed, missed
    assert found[("floor_division", "rounds down")].outcome == "killed"


def test_an_operator_that_does_not_exist(tmp_path):
    converted = convert(tmp_path, SOURCE)
    with pytest.raises(KeyError):
        run_campaign([converted.request("shifted")], operators=("no_such",))


ENDLESS = """
__global__ void countdown(int* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, left = 8, sum = 0;
  if (i >= n) return;
  while (left > 0) { sum += left * i; left >>= 1; }
  y[i] = sum;
}
void run(int* y, int n) { countdown<<<(n + 63) / 64, 64>>>(y, n); }
"""


def test_a_mutant_that_never_ends_costs_itself_only(tmp_path, monkeypatch):
    monkeypatch.setattr(run, "CPU_S", 1.0)
    request = convert(tmp_path, ENDLESS).request("countdown", case_timeout_s=120.0, time_limit_s=1200.0)
    view = BuilderView(run.port_file(request).read_text(), request.entry.builder)
    endless = next(item for item in mutations(view, ("comparison",)) if "left >= 0" in item.apply(view.text))
    wrong = mutations(view, ("wrong_initial",))[0]
    found = run.run_mutants(run.KernelMutants(request, request.entry.builder, (endless, wrong)))
    assert [item.outcome for item in found.results] == ["killed", "killed"], found
    assert found.results[0].reason.startswith("timed_out") and "TLM721" in found.results[1].reason


@pytest.mark.parametrize(("cpu_s", "wall_s", "ending"), [(1.0, 600.0, "timed_out"), (1000.0, 0.2, "starved")])
def test_endless_mutants_are_told_from_a_busy_machine(tmp_path, cpu_s, wall_s, ending):
    (tmp_path / "endless.py").write_text("while True:\n    pass\n")
    job = {"port_dir": str(tmp_path), "launcher": "k", "wall_s": wall_s}
    found = child._limited(job, {"name": "m0", "module": "endless"}, None, tmp_path, cpu_s)
    assert found["ending"] == ending
