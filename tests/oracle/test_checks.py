"""The check build and the run's end: extents, races, bounds, events, deadlocks, crashes, limits."""

from __future__ import annotations

import numpy as np
import pytest

I32, F32, U32 = np.int32, np.float32, np.uint32


def kinds(outcome) -> list[str]:
    return sorted(f.kind for f in outcome.run.findings)


def line_of(text: str, marker: str) -> int:
    return 1 + next(i for i, line in enumerate(text.splitlines()) if marker in line)


def test_extents_of_arguments_and_roots(bench):
    text = """
    __global__ void k(const float* in, float* out, float* both, int n) {
      int i = threadIdx.x;
      if (i < n) { out[i + 2] = in[2 * i]; __syncthreads(); out[i + 2] += 1; both[i] += 1; }
    }"""
    got = bench(text, "k", 1, 32, (np.zeros(100, F32), 40), np.zeros(40, F32), np.zeros(8, F32), I32(8), kind="check")
    a, b, c, d = got.run.extents
    assert (a.read_lo, a.read_hi, a.write_lo, a.read_before_write) == (0, 4 * 15, None, True)
    assert (b.read_lo, b.read_hi, b.write_lo, b.write_hi, b.read_before_write) == (8, 40, 8, 40, False)
    assert (c.read_lo, c.read_hi, c.write_lo, c.write_hi, c.read_before_write) == (0, 32, 0, 32, True)
    assert d is None
    assert (got.run.root_extents["a0"].read_lo, got.run.root_extents["a0"].read_hi) == (40, 100)


def test_extents_beyond_the_root(bench):
    text = """
    __global__ void k(const float* in, float* out, long long far) {
      out[threadIdx.x] = in[far * threadIdx.x];
      if (threadIdx.x == 0) out[-3] = 1;
    }"""
    far = np.int64(10_000_000)
    got = bench(text, "k", 1, 32, np.ones(4, F32), np.zeros(32, F32), far, kind="check")
    assert got.run.status == "out_of_bounds"
    assert got.run.extents[0].read_hi == 31 * 40_000_000 + 4
    assert got.run.extents[1].write_lo == -12
    assert {f.root for f in got.run.findings} == {"a0", "a1"}
    assert {f.line for f in got.run.findings} == {3, 4}
    assert not got.guards_intact  # out[-3] lies in a guard band: seen in the output too
    assert got.arrays[1][0] == 1


def test_endless_out_of_bounds_writes_stop(bench):
    text = "__global__ void k(char* p) { for (long long i = 0;; i += 4096) p[i] = 1; }"
    got = bench(text, "k", 1, 1, np.zeros(4, np.uint8), kind="check")
    assert got.run.status == "out_of_bounds"
    assert got.arrays == []


RACE = """
__global__ void k(int* out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;               // write
  %s
  out[t] = s[63 - t];     // read
}"""


def test_missing_barrier_is_a_race(bench):
    good = bench(RACE % "__syncthreads();", "k", 1, 64, np.zeros(64, I32), kind="check")
    assert good.run.findings == ()
    text = RACE % ";"
    bad = bench(text, "k", 1, 64, np.zeros(64, I32), kind="check", schedule="reversed")
    race = [f for f in bad.run.findings if f.kind == "race"]
    assert race
    assert {race[0].line, race[0].other_line} == {line_of(text, "// write"), line_of(text, "// read")}
    assert race[0].root == "shared"


def test_warp_collectives_order_lanes(bench):
    # Enough inside one warp, not between two.
    text = RACE % "__syncwarp();"
    assert kinds(bench(text.replace("63 - t", "t ^ 1"), "k", 1, 64, np.zeros(64, I32), kind="check")) == []
    assert "race" in kinds(bench(text, "k", 1, 64, np.zeros(64, I32), kind="check"))


def test_a_race_on_one_byte_of_several_that_a_thread_writes(bench):
    text = """
    __global__ void k(unsigned char* p) {
      unsigned char* pixel = p + 4 * (threadIdx.x % 4);
      pixel[0] = threadIdx.x; pixel[1] = 0; pixel[2] = 0; pixel[3] = 255;
    }"""
    assert "race" in kinds(bench(text, "k", 1, 8, np.zeros(16, np.uint8), kind="check"))
    apart = text.replace("% 4)", ")")
    assert kinds(bench(apart, "k", 1, 4, np.zeros(16, np.uint8), kind="check")) == []


def test_races_between_blocks_and_benign_ones(bench):
    text = "__global__ void k(int* out, int same) { out[0] = same ? 7 : (int)blockIdx.x; }"
    assert kinds(bench(text, "k", 4, 1, np.zeros(1, I32), I32(0), kind="check")) == ["race"]
    assert kinds(bench(text, "k", 4, 1, np.full(1, 7, I32), I32(1), kind="check")) == ["benign_race"]


def test_shared_scalars_are_checked(bench):
    text = """
    __global__ void k(int* out) {
      __shared__ int total;
      if (threadIdx.x == 0) total = 5;
      out[threadIdx.x] = total;
    }"""
    assert "race" in kinds(bench(text, "k", 1, 64, np.zeros(64, I32), kind="check"))


def test_uninitialised_and_overrun_shared_memory(bench):
    text = """
    __global__ void k(float* out, int last) {
      extern __shared__ float s[];
      __shared__ float fixed[4];
      if (threadIdx.x < 3) s[threadIdx.x] = 1;
      __syncthreads();
      out[threadIdx.x] = s[threadIdx.x] + fixed[threadIdx.x];
      if (threadIdx.x == 0) s[last] = 1;
    }"""
    got = bench(text, "k", 1, 4, np.zeros(4, F32), I32(4), kind="check", shared=16)
    assert kinds(got) == ["out_of_bounds", "uninitialised_read", "uninitialised_read"]
    assert np.isnan(got.arrays[0]).all()  # shared memory starts as NaN in every build
    again = bench(text, "k", 1, 4, np.zeros(4, F32), I32(3), shared=16)
    assert np.isnan(again.arrays[0]).all()


def test_events_with_lines_and_counts(bench):
    text = """
    __global__ void k(int* a, float* f, unsigned* u, int n) {
      int t = threadIdx.x;
      a[t] = a[t] + 1;             // overflow
      u[t] = 1u << (t + 30);       // shift
      a[t + n] = (int)f[t];        // cast
      a[t + 2 * n] = __float2int_rz(f[t]);
      u[t + n] = u[t] * 3000000000u;
    }"""
    a = np.array([1, 2**31 - 1, 3, 2**31 - 1] + [0] * 8, I32)
    f = np.array([1.5, 3e9, np.nan, -2.5], F32)
    got = bench(text, "k", 1, 4, a, f, np.zeros(8, U32), I32(4), kind="check")
    found = {(e.kind, e.line): e.count for e in got.run.events}
    assert found == {
        ("signed_overflow", line_of(text, "// overflow")): 2,
        ("shift", line_of(text, "// shift")): 2,
        ("float_cast", line_of(text, "// cast")): 2,
    }
    assert got.arrays[0][1] == -(2**31)  # wraps, as on CUDA
    np.testing.assert_array_equal(got.arrays[0][8:], [1, 2**31 - 1, 0, -2])


@pytest.mark.parametrize("kind", ["run", "check"])
def test_division_by_zero(bench, kind):
    text = "__global__ void k(int* a, int d) {\n  a[threadIdx.x] = 7 / (d - (int)threadIdx.x);\n}"
    got = bench(text, "k", 1, 32, np.zeros(32, I32), I32(3), kind=kind)
    assert got.run.status == "crashed"
    assert "division" in got.run.message
    assert "line 2" in got.run.message
    if kind == "check":
        assert [(e.kind, e.line) for e in got.run.events] == [("division_by_zero", 2)]


@pytest.mark.parametrize("kind", ["run", "check"])
def test_null_pointer(bench, kind):
    text = "__global__ void k(int* a, int* b) {\n  a[threadIdx.x] = 1;\n  b[threadIdx.x] = 2;\n}"
    got = bench(text, "k", 1, 32, np.zeros(32, I32), None, kind=kind)
    assert got.run.status == "crashed"
    assert "null pointer" in got.run.message
    assert "line 3" in got.run.message


def test_assertion_and_trap(bench):
    text = """#include <cassert>
__global__ void k(int* a, int n) {
  assert(n < 5);
  if (n == 3) __trap();
  *a = n;
}"""
    assert bench(text, "k", 1, 1, np.zeros(1, I32), I32(2)).run.status == "ok"
    failed = bench(text, "k", 1, 1, np.zeros(1, I32), I32(7)).run
    assert failed.status == "crashed"
    assert "n < 5" in failed.message
    assert "line 4" in bench(text, "k", 1, 1, np.zeros(1, I32), I32(3)).run.message


@pytest.mark.parametrize(
    "body",
    [
        "if (threadIdx.x & 1) __syncthreads(); else __shfl_sync(0xffffffffu, 1, 0);",
        "if (threadIdx.x == 0) __syncwarp(0xffu); else __syncwarp(0xffffffffu);",
    ],
)
def test_deadlock_is_reported(bench, body):
    got = bench("__global__ void k(int* a) { " + body + " *a = 1; }", "k", 1, 32, np.zeros(1, I32))
    assert got.run.status == "deadlock"
    assert "line 1" in got.run.message
    assert got.arrays == []


def test_barriers_of_different_lines(bench):
    text = """__global__ void k(int* a) {
  if (threadIdx.x < 32) {
    __syncthreads();
  } else {
    __syncthreads();
  }
  *a = 1;
}"""
    got = bench(text, "k", 1, 64, np.zeros(1, I32))
    assert got.run.status == "ok"
    assert kinds(got) == ["barrier_divergence"]
    assert {got.run.findings[0].line, got.run.findings[0].other_line} == {3, 5}


def test_endless_loop(bench):
    text = "__global__ void k(volatile int* a) { while (*a == 0) {} }"
    got = bench(text, "k", 1, 1, np.zeros(1, I32), timeout_s=1)
    assert got.run.status == "timed_out"


def test_stack_overflow_is_a_crash(bench):
    text = """
    __device__ int deep(int n, volatile int* a) {
      volatile int pad[512];
      pad[n & 511] = n;
      return n ? deep(n - 1, a) + pad[n & 511] : *a;
    }
    __global__ void k(int* a) { __syncthreads(); *a = deep(100000, a); }"""
    assert bench(text, "k", 1, 32, np.zeros(1, I32)).run.status == "crashed"


def test_kernels_cannot_reach_the_system(bench, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("42")
    text = f"""
    extern "C" {{
    __device__ int open(const char*, int, ...);
    __device__ int fork();
    __device__ int unlink(const char*);
    }}
    __global__ void k(int* a) {{
      a[0] = open("{secret}", 0);
      a[1] = open("{tmp_path}/made", 0101, 0600);
      a[2] = unlink("{secret}");
      a[3] = fork();
    }}"""
    got = bench(text, "k", 1, 1, np.zeros(4, I32))
    assert got.run.status == "ok"
    from tilelang_runtime.support.isolate import isolation_report

    report = isolation_report()
    if report["landlock"]:
        assert (got.arrays[0][:3] == -1).all()
        assert secret.read_text() == "42"
    if report["seccomp"]:
        assert got.arrays[0][3] == -1


@pytest.mark.parametrize(("block", "shared"), [(0, 0), (1025, 0), (32, 300 * 1024)])
def test_bad_launches(bench, block, shared):
    got = bench("__global__ void k(int* a) { *a = 1; }", "k", 1, block, np.zeros(1, I32), shared=shared)
    assert got.run.status == "bad_launch"


VECTORS = """
__global__ void k(const float* a, float* c, int n, int shift) {
  int i = 4 * threadIdx.x;
  float4& elsewhere = reinterpret_cast<float4&>(c[i + 1]);
  if (i + 3 < n) {
    float4 v = reinterpret_cast<const float4*>(&a[shift + i])[0];
    float4 w = __ldg(reinterpret_cast<const float4*>(a + shift + i));
    v.x += w.y;
    reinterpret_cast<float4*>(&c[i])[0] = v;
  } else if (n < 0) {
    elsewhere.x = 1;
  }
}"""


@pytest.mark.parametrize("shift", [0, 2])
def test_accesses_on_which_a_device_faults(bench, shift):
    a, c = np.ones(140, F32), np.zeros(132, F32)
    got = bench(VECTORS, "k", 1, 32, a, c, I32(128), I32(shift), kind="check")
    lines = {event.line for event in got.run.events if event.kind == "misaligned"}
    assert len(got.run.events) == len(lines)
    if shift == 0:
        assert got.run.status == "ok" and not lines
    else:  # the CPU's own vector instructions may fault at once, or not at all
        assert got.run.status in ("ok", "crashed") and lines & {line_of(VECTORS, "&a[shift"), 0}


def test_an_aligned_offset_into_an_unaligned_pointer_is_judged_by_the_address(bench):
    got = bench(VECTORS, "k", 1, 32, (np.ones(140, F32), 8), np.zeros(132, F32), I32(128), I32(2), kind="check")
    assert not got.run.events


NEIGHBOURS = """
template <int N> __global__ void k(const float* in, float* out, int past) {
  __shared__ float a[N];
  __shared__ float b[2][N];
  __shared__ double c;
  int t = threadIdx.x;
  a[t] = in[t];
  b[0][t] = in[t];
  b[1][t] = in[t];
  if (t == 0) c = 1;
  __syncthreads();
  out[t] = a[t + past] + (float)c;
  out[t] += b[0][t + past];
}"""


@pytest.mark.parametrize("past", [0, 1, 40])
def test_overruns_of_one_shared_array_do_not_land_in_the_next(bench, past):
    got = bench(NEIGHBOURS, "k<32>", 1, 32, np.ones(32, F32), np.zeros(32, F32), I32(past), kind="check")
    found = [f for f in got.run.findings if f.kind == "out_of_bounds"]
    # Past an inner dimension is inside the array for C's memory and for a device's.
    inside = past + 31 < 64
    assert {f.line for f in found} == ({line_of(NEIGHBOURS, "a[t + past]")} if past else set()) | (
        set() if inside else {line_of(NEIGHBOURS, "b[0][t + past]")}
    )
    assert all(f.root == "shared" for f in found)
    if not past:
        assert got.arrays[1].tolist() == [3.0] * 32


IN_STEP = """
__global__ void k(int* out, const int* in) {
  __shared__ int s[128];
  volatile int* p = s;
  int t = threadIdx.x;
  s[t] = in[t];
  s[t + 64] = 0;
  __syncthreads();
  if (%s) {
    p[t] += p[t + 16];
    p[t] += p[t + 1];          // second
  }
  __syncthreads();
  out[t] = s[t];
}"""


@pytest.mark.parametrize("kind", ["run", "check"])
def test_lanes_write_volatile_shared_memory_in_step(bench, kind):
    values = np.arange(64, dtype=I32) ** 2
    for schedule in ("contract", "reversed", 3):
        got = bench(IN_STEP % "t < 32", "k", 1, 64, np.zeros(64, I32), values, kind=kind, schedule=schedule)
        first = values.copy()
        first[:32] += values[16:48]
        expected = first.copy()
        expected[:32] += first[1:33]
        assert got.arrays[0].tolist() == expected.tolist()
        assert got.run.findings == ()


def test_some_lanes_of_a_warp_alone_do_not_go_in_step(bench):
    got = bench(IN_STEP % "t % 2 == 0", "k", 1, 64, np.zeros(64, I32), np.arange(64, dtype=I32), kind="check")
    assert "warp_divergence" in kinds(got)
    parted = IN_STEP.replace("p[t] += p[t + 16];", "if (t & 1) p[t] += p[t + 16]; else p[t] = 3;") % "true"
    got = bench(parted, "k", 1, 64, np.zeros(64, I32), np.arange(64, dtype=I32), kind="check")
    assert "warp_divergence" in kinds(got)


def test_lanes_that_have_left_do_not_hold_up_their_warp(bench):
    text = IN_STEP.replace("  if (%s) {", "  if (t %% 3) return;\n  {").replace("%%", "%")
    got = bench(text, "k", 1, 64, np.zeros(64, I32), np.arange(64, dtype=I32), kind="check")
    first = [t + (t + 16 if t + 16 < 64 else 0) if t % 3 == 0 else t for t in range(64)] + [0]
    assert got.arrays[0].tolist() == [first[t] + first[t + 1] if t % 3 == 0 else 0 for t in range(64)]
    assert got.run.findings == ()
