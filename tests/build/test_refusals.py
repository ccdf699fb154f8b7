"""What is not converted is refused with its own code, at its own line."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrate.diagnostics import Refusal, load_page
from migrate.parse.build import build_kernel
from migrate.parse.context import ParseContext
from tests.build.building import NAME, kernel_cursors, parse

CASES = [
    ("TLM100", "__global__ void k(float* x) {\n  long double d = x[0];\n  x[0] = d;\n}", 2),
    ("TLM103", "__global__ void k(float** rows, float* x) {\n  float* r = rows[1];\n  x[0] = r[0];\n}", 2),
    ("TLM104", "__global__ void k(float* a, float* b) {\n  if (a < b) a[0] = 1;\n}", 2),
    ("TLM105", "__global__ void k(float* a) {\n  if ((unsigned long)a % 16 == 0) a[0] = 1;\n}", 2),
    ("TLM110", "__global__ void k(float* a, float (*f)(float)) {\n  a[0] = f(a[1]);\n}", 2),
    (
        "TLM111",
        "__device__ int f(int n) { return n ? f(n - 1) + 1 : 0; }\n__global__ void k(int* a) {\n  a[0] = f(a[1]);\n}",
        1,
    ),
    ("TLM112", "__device__ float f(float);\n__global__ void k(float* a) {\n  a[0] = f(a[1]);\n}", 3),
    (
        "TLM115",
        "__global__ void k(int* a) {\n  int u, v;\n  int* p = &u;\n  if (a[0]) p = &v;\n  *p = 3;\n}",
        4,
    ),
    ("TLM118", "__global__ void k(int* a) {\n  int* p = new int[3];\n  a[0] = p[0];\n}", 2),
    ("TLM200", "__global__ void k(int* a) {\n  if (a[0]) goto end;\n  a[1] = 1;\nend:\n  a[2] = 1;\n}", 2),
    ("TLM201", '__global__ void k(int* a) {\n  asm volatile("membar.gl;");\n}', 2),
    ("TLM202", '#include <cstdio>\n__global__ void k(int* a) {\n  printf("%d", a[0]);\n}', 3),
    ("TLM203", "__global__ void k(int* a) {\n  if (a[0]) __brkpt();\n}", 2),
    ("TLM204", "__global__ void k(int* a) {\n  switch (a[0]) {\n    case 1 ... 3: a[1] = 1;\n  }\n}", 2),
    ("TLM208", "__global__ void k(int* a) {\n  int v = 0;\n  atomicAdd(&v, 1);\n  a[0] = v;\n}", 3),
    ("TLM340", "__global__ void k(float* a, cudaTextureObject_t t) {\n  a[0] = tex2D<float>(t, 1.f, 2.f);\n}", 2),
    (
        "TLM341",
        "#include <mma.h>\nusing namespace nvcuda;\n__global__ void k(half* a) {\n"
        "  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;\n  wmma::fill_fragment(c, 0.f);\n  a[0] = 1;\n}",
        5,
    ),
    (
        "TLM342",
        "#include <curand_kernel.h>\n__global__ void k(float* a) {\n  curandState s;\n  curand_init(1, 2, 3, &s);\n"
        "  a[0] = curand_uniform(&s);\n}",
        4,
    ),
    (
        "TLM343",
        "#include <cuda_fp8.h>\n__global__ void k(unsigned char* a, float* x) {\n"
        "  a[0] = __nv_cvt_float_to_fp8(x[0], __NV_SATFINITE, __NV_E4M3);\n}",
        3,
    ),
    (
        "TLM344",
        "#include <cuda/pipeline>\n__global__ void k(float* a) {\n  auto p = cuda::make_pipeline();\n"
        "  p.producer_acquire();\n  a[0] = 1;\n}",
        3,
    ),
    ("TLM346", "__global__ void k(float* a) {\n  cudaFree(a);\n}", 2),
    ("TLM213", "__global__ void k(int* a) {\n  static int count;\n  a[0] = count++;\n}", 3),
]


@pytest.mark.parametrize(("code", "text", "line"), CASES, ids=[case[0] for case in CASES])
def test_is_refused_with_code_and_line(code: str, text: str, line: int) -> None:
    cursor = kernel_cursors(parse(text))[-1]
    with pytest.raises(Refusal) as caught:
        build_kernel(cursor, ParseContext(Path.cwd(), NAME))
    assert (caught.value.diagnostic.code, caught.value.diagnostic.line) == (code, line)
    assert caught.value.diagnostic.file == NAME
    assert load_page(code)["severity"] == "error"


def test_unknown_names_are_refused() -> None:
    text = "__global__ void k(float* x) {\n  x[0] = missing(x[1]);\n}"
    from clang import cindex

    from migrate.parse.flags import KEEP_GOING, clang_flags

    unit = cindex.Index.create().parse(NAME, args=clang_flags(), unsaved_files=[(NAME, text)], options=KEEP_GOING)
    with pytest.raises(Refusal) as caught:
        build_kernel(kernel_cursors(unit)[0], ParseContext(Path.cwd(), NAME))
    assert caught.value.diagnostic.code == "TLM114"
