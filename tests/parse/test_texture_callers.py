"""A launching function that gets its texture from a caller in another file."""

from pathlib import Path

import pytest

from migrate.parse.merge import merge_results
from migrate.parse.results import KernelRecord, ParseOptions
from migrate.parse.session import parse_repository
from migrate.parse.texture_callers import with_callers_asked
from migrate.parse.texture_launches import with_textures_checked

KERNEL = """
#include "run.h"
__global__ void k(float* out, cudaTextureObject_t t) { out[threadIdx.x] = tex1D<float>(t, threadIdx.x + 0.25f); }
extern "C" void run(float* out, cudaTextureObject_t t) { k<<<1, 32>>>(out, t); }
"""
HEADER = """
#include <cuda_runtime.h>
extern "C" cudaTextureObject_t image;
extern "C" void run(float* out, cudaTextureObject_t t);
"""
CREATE = """
  cudaArray_t a; cudaChannelFormatDesc d = cudaCreateChannelDesc<float>(); cudaMallocArray(&a, &d, 64, 1);
  cudaResourceDesc r = {}; r.resType = cudaResourceTypeArray; r.res.array.array = a;
  cudaTextureDesc s = {}; s.addressMode[0] = cudaAddressModeClamp; s.filterMode = FILTER;
"""
LOCAL = f"{CREATE} cudaTextureObject_t mine; cudaCreateTextureObject(&mine, &r, &s, nullptr);"
POINT, LINEAR = "cudaFilterModePoint", "cudaFilterModeLinear"
GLOBAL = f"cudaTextureObject_t image;\nvoid make() {{ {CREATE} cudaCreateTextureObject(&image, &r, &s, nullptr); }}"


def caller(name: str, inside: str, object_name: str) -> str:
    return f'#include "run.h"\n// run\nvoid {name}(float* out) {{ {inside} run(out, {object_name}); }}\n'


def read(folder: Path, kernel: str, **callers: str) -> KernelRecord:
    (folder / "run.h").write_text(HEADER)
    (folder / "k.cu").write_text(kernel)
    for name, text in callers.items():
        (folder / f"{name}.cpp").write_text(text)
    options = ParseOptions(use_cache=False)
    results = with_callers_asked(folder, list(parse_repository(folder, [folder / "k.cu"], options)), options)
    launches = [launch for result in results for launch in result.launches]
    (record,) = with_textures_checked(merge_results(results), launches)
    return record


def test_an_object_of_a_caller_is_known(tmp_path: Path) -> None:
    text = caller("one", LOCAL.replace("FILTER", POINT), "mine")
    record = read(tmp_path, KERNEL, one=text, two=text.replace("one", "two"))
    assert (len(record.instantiations), record.refusals) == (1, ())


def test_a_global_that_a_caller_passes_back_is_known(tmp_path: Path) -> None:
    (tmp_path / "namesake.cpp").write_text("static int image; void other() { image = 3; }\n")
    record = read(tmp_path, KERNEL + GLOBAL.replace("FILTER", LINEAR), one=caller("one", "", "image"))
    assert (len(record.instantiations), record.refusals) == (1, ())


FORMAT = "cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();"
NORMALISED = (
    (
        KERNEL.replace("tex1D<float>(t, threadIdx.x + 0.25f)", "tex1D<float4>(t, threadIdx.x + 0.25f).x")
        + FORMAT
        + GLOBAL
    )
    .replace("FILTER;", f"{LINEAR}; s.readMode = cudaReadModeNormalizedFloat;")
    .replace("&d, 64", "&format, 64")
)


def test_a_global_format_that_nobody_else_names_keeps_its_value(tmp_path: Path) -> None:
    record = read(tmp_path, NORMALISED, one=caller("one", "", "image"))
    assert (len(record.instantiations), record.refusals) == (1, ())


@pytest.mark.parametrize("other", ["", "extern cudaChannelFormatDesc format; void two() { format.x = 16; }"])
def test_a_global_format_that_something_writes_is_refused(tmp_path: Path, other: str) -> None:
    kernel = NORMALISED if other else NORMALISED + "void two() { format.x = 16; }"
    record = read(tmp_path, kernel, one=caller("one", "", "image"), two="#include <cuda_runtime.h>\n" + other)
    assert record.instantiations == ()


@pytest.mark.parametrize(
    ("kernel", "callers"),
    [
        (KERNEL, {}),
        (KERNEL, {"one": caller("one", "", "image")}),
        (
            KERNEL,
            {
                "one": caller("one", LOCAL.replace("FILTER", POINT), "mine"),
                "two": caller("two", LOCAL.replace("FILTER", LINEAR), "mine"),
            },
        ),
        (
            KERNEL,
            {
                "one": caller("one", LOCAL.replace("FILTER", POINT), "mine"),
                "two": '#include "run.h"\nauto pointer = &run;\n',
            },
        ),
        (
            KERNEL + GLOBAL.replace("FILTER", POINT),
            {
                "one": caller("one", "", "image"),
                "two": '#include "run.h"\nvoid renew(unsigned long long& t);\nvoid change() { renew(image); }\n',
            },
        ),
    ],
    ids=["no caller", "never created", "two states", "address taken", "global set elsewhere"],
)
def test_what_callers_do_not_prove_is_refused(tmp_path: Path, kernel: str, callers: dict[str, str]) -> None:
    record = read(tmp_path, kernel, **callers)
    assert record.instantiations == ()
    assert [problem.code for problem in record.refusals] == ["TLM340"]
