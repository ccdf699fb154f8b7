"""Real originals on the real oracle: what is accepted, what is dropped and why, what depends on order."""

from __future__ import annotations

import struct

import pytest

from migrate.oracle import api as oracle
from migrate.verify.generator import Recipe, RootHint, recipes
from migrate.verify.races import lost_update, of_one_order, races
from migrate.verify.schedules import order_report
from migrate.verify.search import search_cases
from migrate.verify.setting import PointerSetting, ScalarSetting, Setting
from migrate.verify.trial import Accepted, Dropped, OracleSession, try_recipe
from migrate.verify.unreachable import Excuser
from migrate.verify.user_cases import try_user_case

SOURCE = """
__global__ void saxpy(int n, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2.0f * x[i] + y[i];
}
__global__ void endless(int n, const int* x, int* y) {
  while (n < 1000000000) { if (x[0] != 0 && x[0] == x[1] + 123456789) n++; }
  y[0] = n;
}
__global__ void wild(int n, const int* x, int* y) {
  int* p = (int*)(size_t)(n + 16);
  *p = x[0];
  y[0] = 1;
}
__global__ void divides(int n, const int* x, int* y) {
  y[threadIdx.x] = x[threadIdx.x] / (n - n);
}
__global__ void overflows(int n, const int* x, int* y) {
  y[threadIdx.x] = (2147483647 - (x[threadIdx.x] & 1)) + n;
}
__global__ void racy(int n, const int* x, int* y) {
  __shared__ int s[64];
  s[threadIdx.x] = x[threadIdx.x];
  y[threadIdx.x] = s[63 - threadIdx.x] + n;
}
__global__ void first_come(int n, int* x, int* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && atomicAdd(&y[1], 1) < 3) atomicAdd(&y[0], x[i]);
}
__global__ void tally(int n, const int* x, int* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[x[i] & 3] += 1;
}
template <int FENCE> __device__ void last_block(int n, const int* x, int* y) {
  __shared__ bool last;
  int i = blockIdx.x * 64 + threadIdx.x, *part = y + 128;
  part[i] = i < n ? x[i] : 0;
  if (FENCE == 2) __threadfence();
  if (FENCE != 1) __syncthreads();
  if (threadIdx.x == 0) {
    if (FENCE == 1) __threadfence();
    last = atomicAdd(&y[0], 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  int total = 0;
  for (unsigned b = 0; b < gridDim.x; b++) total += part[b * 64 + threadIdx.x];
  y[64 + threadIdx.x] = total;
}
__global__ void unfenced(int n, const int* x, int* y) { last_block<0>(n, x, y); }
__global__ void fenced_alone(int n, const int* x, int* y) { last_block<1>(n, x, y); }
__global__ void fenced(int n, const int* x, int* y) { last_block<2>(n, x, y); }
__global__ void tickets(int n, int* counter, int* slots) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) slots[atomicAdd(counter, 1)] = i;
}
__global__ void scatter(int n, const int* where, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[where[i]] = 1.0f + i;
}
"""


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    root = tmp_path_factory.mktemp("source")
    (root / "k.cu").write_text(SOURCE)

    def make(name: str, **options) -> OracleSession:
        request = oracle.OracleRequest(root, root / "k.cu", name, name)
        builds = [oracle.build(request, kind) for kind in ("run", "check")]
        return OracleSession(builds[0], builds[1], tmp_path_factory.mktemp(name), **options)

    return make


def setting(n: int, dtype: str = "int32", first: str = "int32", **facts) -> Setting:
    arguments = (
        ScalarSetting(0, struct.pack("<i", n)),
        PointerSetting(1, "x", first, **facts.get("x", {})),
        PointerSetting(2, "y", dtype, **facts.get("y", {})),
    )
    return Setting(f"n={n}", (max(1, -(-n // 64)), 1, 1), (64, 1, 1), 0, arguments, scalars={"n": n}, base=True)


def attempt(session: OracleSession, made: Setting, flavour="ordinary") -> Accepted | Dropped:
    return try_recipe(session, Recipe(made, flavour, 5, 0))


def test_sizes_are_found_by_probing(start):
    found = attempt(start("saxpy"), setting(100, "float32", "float32"))
    assert isinstance(found, Accepted)
    assert [(root.bytes, root.role) for root in found.case.roots] == [(400, "in"), (400, "inout")]
    assert found.changed and not found.findings


def test_search_covers_both_ways_of_a_guard(start):
    session = start("saxpy")
    made = [setting(n, "float32", "float32") for n in (128, 100, 33, 1)]
    found = search_cases(session, recipes(made, 1), 8, Excuser({}, frozenset()), float("inf"))
    assert len(found.accepted) == 8 and all(found.arcs_taken) and len(found.arcs_taken) == 2
    assert not order_report(session, found.accepted, atomics=False).dependent


@pytest.mark.parametrize(("name", "reason"), [("wild", "crashed"), ("divides", ""), ("overflows", "event")])
def test_misbehaving_originals_are_dropped(start, name, reason):
    found = attempt(start(name), setting(40))
    assert isinstance(found, Dropped) and found.reason.startswith(reason) and found.detail


def test_an_endless_original_is_dropped_in_time(start):
    found = attempt(start("endless", timeout_s=1.0), setting(40))
    assert isinstance(found, Dropped) and found.reason == "timed_out"


def test_a_race_is_seen_and_shown_to_matter(start):
    session = start("racy")
    found = attempt(session, setting(64))
    assert isinstance(found, Accepted) and races([found])
    assert order_report(session, [found], atomics=False).dependent


def test_updates_that_may_be_lost_are_seen_though_no_schedule_shows_them(start):
    session = start("tally")
    found = attempt(session, setting(64, y={"contents": "zero"}))
    assert isinstance(found, Accepted) and not order_report(session, [found], atomics=False).dependent
    assert lost_update([found]) is not None
    racy = attempt(start("racy"), setting(64))
    assert isinstance(racy, Accepted) and lost_update([racy]) is None


@pytest.mark.parametrize(("name", "open_order"), [("unfenced", True), ("fenced_alone", True), ("fenced", False)])
def test_a_read_that_always_comes_last_is_in_order_only_behind_fences(start, name, open_order):
    """`fenced_alone`: one thread's fence publishes nothing of those that no barrier put before it."""
    session = start(name)
    found = attempt(session, setting(200, y={"contents": "zero"}))
    assert isinstance(found, Accepted)
    report = order_report(session, [found], atomics=True)
    assert not report.dependent
    assert (of_one_order([found], report.findings) is not None) == open_order


def test_tickets_depend_on_order_without_a_race(start):
    session = start("tickets")
    found = attempt(session, setting(200, x={"contents": "zero"}))
    assert isinstance(found, Accepted) and not races([found])
    report = order_report(session, [found], atomics=True)
    assert report.dependent and report.mirrored


def test_another_order_that_reads_further_is_not_compared(start):
    session = start("first_come")
    found = attempt(session, setting(200, y={"contents": "zero"}))
    assert isinstance(found, Accepted) and found.case.roots[0].bytes < 4 * 200
    report = order_report(session, [found], atomics=True)
    assert report.dependent and not report.mirrored


def test_scatter_indices_stay_inside_what_the_host_allocates(start):
    session = start("scatter", hints={"x": RootHint("index", ("y",))})
    found = attempt(session, setting(100, "float32", y={"bytes": 256}), "wide")
    assert isinstance(found, Accepted) and found.case.roots[1].bytes == 256 and not session.enlarged


def test_a_saved_case_runs_again_as_a_users_case(start):
    session = start("saxpy")
    found = attempt(session, setting(100, "float32", "float32"))
    assert isinstance(found, Accepted)
    again = try_user_case(session, found.folder)
    assert isinstance(again, Accepted) and again.original.tobytes() == found.original.tobytes()
    (found.folder / "case.bin").write_bytes(b"short")
    broken = try_user_case(session, found.folder)
    assert isinstance(broken, Dropped) and broken.reason == "unreadable case"
