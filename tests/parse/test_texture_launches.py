"""A header's kernel that two files launch: their textures must have the same state."""

from pathlib import Path

import pytest

from migrate.parse.merge import merge_results
from migrate.parse.results import KernelRecord, ParseOptions
from migrate.parse.session import parse_repository
from migrate.parse.texture_launches import with_textures_checked

HEADER = """
#pragma once
#include <cuda_runtime.h>
__global__ void k(float* out, cudaTextureObject_t t) { out[threadIdx.x] = tex1D<float>(t, threadIdx.x + 0.25f); }
"""
FILE = """
#include "k.cuh"
void NAME(float* out, cudaArray_t a, bool smooth) {
  cudaResourceDesc r = {}; r.resType = cudaResourceTypeArray; r.res.array.array = a;
  cudaTextureDesc s = {}; s.filterMode = FILTER; s.addressMode[0] = cudaAddressModeClamp;
  cudaTextureObject_t t; cudaCreateTextureObject(&t, &r, &s, nullptr);
  k<<<1, 32>>>(out, t);
}
"""
POINT = "cudaFilterModePoint"


def read(folder: Path, *filters: str) -> KernelRecord:
    (folder / "k.cuh").write_text(HEADER)
    files = []
    for number, chosen in enumerate(filters):
        files.append(folder / f"f{number}.cu")
        files[-1].write_text(FILE.replace("NAME", f"f{number}").replace("FILTER", chosen))
    results = list(parse_repository(folder, files, ParseOptions(use_cache=False)))
    launches = [launch for result in results for launch in result.launches]
    (record,) = with_textures_checked(merge_results(results), launches)
    return record


def test_equal_states_are_one_kernel(tmp_path: Path) -> None:
    record = read(tmp_path, POINT, POINT)
    assert (len(record.instantiations), record.refusals) == (1, ())


@pytest.mark.parametrize("other", ["cudaFilterModeLinear", f"smooth ? cudaFilterModeLinear : {POINT}"])
def test_other_or_unknown_states_are_refused(tmp_path: Path, other: str) -> None:
    record = read(tmp_path, POINT, other)
    assert record.instantiations == ()
    assert {problem.code for problem in record.refusals} <= {"TLM340", "TLM028"}
    assert record.refusals
