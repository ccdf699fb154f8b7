"""The shim headers: they parse together without a word, and their types are CUDA's."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest
from clang import cindex

from migrate.parse.flags import HEADERS, KEEP_GOING, SHIM_FOLDERS, arch_number, clang_flags
from migrate.parse.precompiled import shim_pch

TYPES = r"""
#include <type_traits>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#define SAME(EXPRESSION, ...) static_assert(std::is_same<decltype(EXPRESSION), __VA_ARGS__>::value, #EXPRESSION)
namespace cg = cooperative_groups;
static_assert(sizeof(float3) == 12 && alignof(float3) == 4 && alignof(float4) == 16 && alignof(double2) == 16, "");
static_assert(alignof(uchar4) == 4 && alignof(short2) == 4 && alignof(int2) == 8 && sizeof(longlong4) == 32, "");
static_assert(sizeof(__half) == 2 && sizeof(__half2) == 4 && alignof(__half2) == 4 && sizeof(__nv_bfloat162) == 4, "");
static_assert(std::is_trivially_copyable<__half>::value && std::is_trivially_copyable<__nv_bfloat16>::value, "");
static_assert(std::numeric_limits<float>::lowest() == -3.402823466e+38f, "");
static_assert(std::numeric_limits<double>::epsilon() == 0x1p-52, "");
static_assert(std::numeric_limits<unsigned char>::max() == 255 && std::numeric_limits<long>::digits == 63, "");
static_assert(!std::numeric_limits<__half>::is_specialized, "");
static_assert(dim3(2).y == 1 && dim3(2, 3).z == 1, "");
__device__ void types(__half h, __half2 h2, __nv_bfloat16 b, int i, unsigned u, float f, double d, long long l) {
  SAME(threadIdx.x, unsigned);
  SAME(h + h, __half);
  SAME(h2 * h2, __half2);
  SAME(b < b, bool);
  SAME(__hfma(h, h, h), __half);
  SAME(__half2float(h), float);
  SAME(__float2bfloat16(f), __nv_bfloat16);
  SAME(__half22float2(h2), float2);
  SAME(max(i, u), unsigned);
  SAME(min(f, d), double);
  SAME(max(i, l), long long);
  SAME(__shfl_down_sync(~0u, f, 1), float);
  SAME(__ballot_sync(~0u, i), unsigned);
  SAME(atomicAdd(&f, 1.f), float);
  SAME(__popc(u), int);
  SAME(__float2int_rn(f), int);
  SAME(make_float4(f, f, f, f), float4);
  SAME(pow(f, i), double);
  SAME(powf(f, f), float);
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<32>(block);
  SAME(tile.shfl_xor(f, 1), float);
  SAME(cg::reduce(tile, f, cg::plus<float>()), float);
}
"""


def diagnostics_of(text: str, path: Path, pch: Path | None) -> list[str]:
    unit = cindex.Index.create(excludeDecls=True).parse(
        str(path), args=clang_flags(pch=pch), options=KEEP_GOING, unsaved_files=[(str(path), text)]
    )
    return [str(item) for item in unit.diagnostics]


def test_all_headers_parse_together(tmp_path: Path) -> None:
    names = []
    for folder in SHIM_FOLDERS:
        for where, _, files in os.walk(HEADERS / folder):
            names += [os.path.relpath(os.path.join(where, name), HEADERS / folder) for name in files]
    text = "".join(f"#include <{name}>\n" for name in sorted(names) if not name.startswith("__s"))
    assert len(names) > 300
    assert diagnostics_of(text, tmp_path / "all.cu", None) == []


def test_types_are_exact(tmp_path: Path) -> None:
    assert diagnostics_of(TYPES, tmp_path / "types.cu", shim_pch("sm_80")) == []


def test_a_wrong_type_would_be_seen(tmp_path: Path) -> None:
    wrong = TYPES.replace("SAME(h + h, __half);", "SAME(h + h, float);")
    assert len(diagnostics_of(wrong, tmp_path / "types.cu", shim_pch("sm_80"))) == 1


def test_precompiled_shim_gives_the_same_diagnostics(tmp_path: Path) -> None:
    text = '__global__ void k(float *x) { x[0] = unknown; std::vector<int> v; }\n#include "missing.h"\nint f(int);\n!\n'
    plain = diagnostics_of(text, tmp_path / "a.cu", None)
    assert len(plain) == 3
    assert diagnostics_of(text, tmp_path / "a.cu", shim_pch("sm_80")) == plain


def test_racing_builds_of_the_precompiled_shim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILELANG_MIGRATE_CACHE", str(tmp_path))
    results: list[Path | None] = []
    build = shim_pch.__wrapped__
    threads = [threading.Thread(target=lambda: results.append(build("sm_90"))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(results)) == 1 and results[0] is not None and results[0].stat().st_size > 100_000
    assert [path.name for path in results[0].parent.iterdir()] == [results[0].name]


@pytest.mark.parametrize(("arch", "value"), [("sm_70", "700"), ("sm_90a", "900"), ("sm_100", "1000")])
def test_arch_drives_the_macro(tmp_path: Path, arch: str, value: str) -> None:
    path = tmp_path / "arch.cu"
    path.write_text(f'__device__ int a() {{ static_assert(__CUDA_ARCH__ == {value}, ""); return 1; }}\n')
    unit = cindex.Index.create().parse(str(path), args=clang_flags(arch, pch=shim_pch(arch)), options=KEEP_GOING)
    assert [str(item) for item in unit.diagnostics] == []


def test_unknown_arch_is_refused() -> None:
    with pytest.raises(ValueError, match="not a CUDA architecture"):
        arch_number("gfx90a")
