"""Textures and surfaces: what a port's sampling gives, and original against port in every sampling state."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from itertools import product
from pathlib import Path

import pytest
from end_to_end import Converted, convert

HEAD = "#include <cuda_runtime.h>\n#include <cstring>\n"


def sampled(name: str, rank: int, texel: str, state: str, result: str = "") -> str:
    """A kernel that reads a texture at coordinates which are data, and the host code that makes the texture."""
    kind = result or texel
    base = kind.rstrip("1234").replace("uchar", "unsigned char").replace("ushort", "unsigned short")
    texel = {"uchar": "unsigned char", "ushort": "unsigned short"}.get(texel, texel)
    channels = int(kind[-1]) if kind[-1].isdigit() else 1
    values = " + ".join(f"v.{c}" for c in "xyzw"[:channels]) if channels > 1 else "v"
    at = ", ".join(f"at[{rank} * i + {axis}]" for axis in range(rank))
    sizes = ["w", "h", "d"][:rank]
    allocate = (
        f"cudaMalloc3DArray(&a, &f, make_cudaExtent({', '.join(sizes)}));"
        if rank == 3
        else f"cudaMallocArray(&a, &f, {', '.join(sizes)});"
    )
    return f"""
__global__ void {name}({base}* out, const float* at, cudaTextureObject_t t, int n) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {{ {kind} v = tex{rank}D<{kind}>(t, {at}); out[i] = {values}; }}
}}
void launch_{name}({base}* out, const float* at, int n, {", ".join(f"int {size}" for size in sizes)}) {{
  cudaArray_t a; cudaChannelFormatDesc f = cudaCreateChannelDesc<{texel}>(); {allocate}
  cudaResourceDesc r = {{}}; r.resType = cudaResourceTypeArray; r.res.array.array = a;
  cudaTextureDesc s = {{}}; {state}
  cudaTextureObject_t t; cudaCreateTextureObject(&t, &r, &s, nullptr);
  {name}<<<(n + 63) / 64, 64>>>(out, at, t, n);
}}
"""


def state(address: str, *, linear: bool, normalized: bool, scaled: bool = False) -> str:
    modes = "".join(f"s.addressMode[{axis}] = cudaAddressMode{address}; " for axis in range(3))
    return (
        f"{modes}s.filterMode = cudaFilterMode{'Linear' if linear else 'Point'}; "
        f"s.normalizedCoords = {int(normalized)}; "
        f"s.readMode = cudaReadMode{'NormalizedFloat' if scaled else 'ElementType'};"
    )


SOURCE = (
    HEAD
    + sampled("line", 1, "float", state("Clamp", linear=True, normalized=False))
    + sampled("edge", 1, "float", state("Border", linear=True, normalized=False))
    + sampled("ring", 1, "float", state("Wrap", linear=True, normalized=True))
    + sampled("fold", 1, "float", state("Mirror", linear=False, normalized=True))
    + sampled("plane", 2, "uchar4", state("Border", linear=False, normalized=True, scaled=True), "float4")
)


@pytest.fixture(scope="module")
def converted(tmp_path_factory: pytest.TempPathFactory) -> Converted:
    return convert(tmp_path_factory.mktemp("textures"), SOURCE)


def test_known_values(converted: Converted) -> None:
    """Values worked out by hand from the formulas of docs/semantics.md."""
    program = """
    import sys
    import numpy as np
    import tilelang_runtime
    tilelang_runtime.activate()
    sys.path.insert(0, sys.argv[1])
    from out.k_cu_tl import edge, fold, line, plane, ring
    ramp = np.array([0, 10, 20, 30], np.float32)

    def read(kernel, at, texels=ramp):
        at = np.array(at, np.float32)
        out = np.full(at.shape[0], -1, np.float32)
        kernel(out, at, texels, len(out), grid=1, block=64)
        return out.tolist()

    # Texel i has its centre at i + 0.5; outside the first and last centre there is nothing to blend with.
    assert read(line, [-5, 0, 0.5, 1, 1.25, 3.5, 3.75, 4, 9]) == [0, 0, 0, 5, 7.5, 30, 30, 30, 30]
    # Weights have 8 fraction bits: 1/1024 of the way is nothing, 1/512 ties to even (0), 3/512 is 2/256.
    assert read(line, [0.5 + 1 / 1024, 0.5 + 1 / 512, 0.5 + 3 / 512]) == [0, 0, 10 * 2 / 256]
    assert read(edge, [-1, 0, 0.5, 1, 4, 4.25, 5]) == [0, 0, 0, 5, 15, 7.5, 0]
    assert read(ring, [0, 0.125, 0.25, 1, -0.125, 7.25]) == [15, 0, 5, 15, 30, 5]
    assert read(fold, [0, 0.3, 0.9, 1.1, 1.9, 2.1, -0.1, -0.9]) == [0, 10, 30, 30, 0, 0, 0, 30]
    image = np.zeros((2, 3, 4), np.uint8)
    image[1, 2] = (255, 51, 0, 102)
    inside, outside = read(plane, [[0.9, 0.6], [1.0, 0.6]], image)
    assert abs(inside - 1.6) < 1e-6 and outside == 0
    for wrong in (image[0], image[:, :, :3], image[:0]):
        try:
            read(plane, [[0, 0]], np.ascontiguousarray(wrong))
        except ValueError:
            continue
        raise AssertionError(wrong.shape)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program), str(converted.out.parent)],
        capture_output=True,
        text=True,
        timeout=170,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]


@pytest.mark.parametrize("name", ["ring", "plane"])
def test_ports_pass(converted: Converted, name: str) -> None:
    verdict = converted.verify(name)
    assert (verdict.status, verdict.exact) == ("passed", True), verdict.diagnostics


@pytest.mark.parametrize(
    ("name", "edits"),
    [
        ("edge", (("256.0", "128.0"),)),
        ("edge", (("- 0.5", "- 0.25"),)),
        ("ring", (("x_second >= width", "x_second > width"),)),
        ("fold", (("> 0.5", "> 1.5"),)),
        ("plane", (("/ 255.0", "/ 256.0"),)),
    ],
)
def test_damage_shows(converted: Converted, tmp_path: Path, name: str, edits: tuple[tuple[str, str], ...]) -> None:
    assert converted.verify_damaged(name, tmp_path, *edits).status == "failed"


ALIASED = """
__global__ void k(float* p, cudaTextureObject_t t, int n) {
  int i = threadIdx.x;
  if (i < n) p[i] = tex1Dfetch<float>(t, i + 1);
}
void launch(float* p, int n) {
  cudaResourceDesc r = {}; r.resType = cudaResourceTypeLinear; r.res.linear.devPtr = p;
  r.res.linear.desc = cudaCreateChannelDesc<float>(); r.res.linear.sizeInBytes = n * sizeof(float);
  cudaTextureDesc s = {};
  cudaTextureObject_t t; cudaCreateTextureObject(&t, &r, &s, nullptr);
  k<<<1, 64>>>(p, t, n);
}
"""
MATRIX = [
    (rank, texel, result, address, linear, normalized)
    for (rank, texel, result), address, linear, normalized in product(
        (
            (1, "float2", "float2"),
            (2, "float", "float"),
            (2, "uchar4", "uchar4"),
            (2, "short", "float"),
            (3, "float", "float"),
            (3, "uchar", "float"),
            (2, "ushort2", "float2"),
            (1, "int", "int"),
        ),
        ("Clamp", "Border", "Wrap", "Mirror"),
        (False, True),
        (False, True),
    )
    if not (linear and not result.startswith("float"))
]


@pytest.mark.sweep
def test_every_state(tmp_path: Path) -> None:
    text = HEAD
    for number, (rank, texel, result, address, linear, normalized) in enumerate(MATRIX):
        scaled = texel != result
        text += sampled(
            f"k{number}", rank, texel, state(address, linear=linear, normalized=normalized, scaled=scaled), result
        )
    made = convert(tmp_path, text)
    verdicts = {item: made.verify(f"k{number}", time_limit_s=300.0) for number, item in enumerate(MATRIX)}
    assert {item: v.diagnostics for item, v in verdicts.items() if v.status != "passed"} == {}


def test_a_texture_over_what_the_kernel_writes_is_refused(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=r"TLM340.*reads the memory that the kernel writes"):
        convert(tmp_path, HEAD + ALIASED)
