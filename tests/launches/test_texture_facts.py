"""What host code says of texture and surface objects: state, channel format, extents, and where it says nothing."""

from collections.abc import Callable

import pytest

from migrate.ir.launch import HostConst, LaunchSite, TextureFact

Slice = Callable[[str], list[LaunchSite]]
CLEAR = "memset(&state, 0, sizeof(state));"
FIELDS = """
  state.addressMode[0] = state.addressMode[1] = cudaAddressModeBorder;
  state.filterMode = cudaFilterModeLinear;
  state.readMode = cudaReadModeNormalizedFloat;
  state.normalizedCoords = 1;
"""
CREATE = "cudaCreateTextureObject(&image, &resource, &state, NULL);"
LAUNCH = "k<<<1, 32>>>(out, image);"


def program(state: str, create: str = CREATE, *, before: str = "", launch: str = LAUNCH, outside: str = "") -> str:
    return f"""
#include <cstring>
__global__ void k(float* out, cudaTextureObject_t t) {{ out[threadIdx.x] = tex2D<float4>(t, 0.5f, 0.5f).x; }}
{outside}
void f(float* out, bool smooth, cudaTextureObject_t other) {{
  cudaArray_t pixels;
  cudaChannelFormatDesc format = cudaCreateChannelDesc(8, 8, 8, 8, cudaChannelFormatKindUnsigned);
  cudaMallocArray(&pixels, &format, 40, 30);
  cudaResourceDesc resource;
  memset(&resource, 0, sizeof(resource));
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = pixels;
  cudaTextureDesc state;
  cudaTextureObject_t image;
  {before}
  {state}
  {create}
  {launch}
}}
"""


def fact(sites: list[LaunchSite]) -> TextureFact:
    found = sites[0].args[1]
    assert isinstance(found, TextureFact)
    return found


def test_everything_is_found(slice_text: Slice) -> None:
    found = fact(slice_text(program(CLEAR + FIELDS)))
    assert (found.filter, found.address, found.normalized, found.read) == (1, (3, 3, 0), 1, 1)
    assert found.texel == ("uint8", 4)
    assert found.extents == (HostConst(40), HostConst(30), None)
    assert (found.resource, found.allocation, found.missing) == ("array", "pixels", "")


@pytest.mark.parametrize("clear", ["cudaTextureDesc state = {};", "cudaTextureDesc state{};"])
def test_braces_clear_what_is_not_set(slice_text: Slice, clear: str) -> None:
    text = program("").replace("cudaTextureDesc state;", clear)
    assert (fact(slice_text(text)).filter, fact(slice_text(text)).read) == (0, 0)


def test_helpers_that_make_or_return_the_object_are_followed(slice_text: Slice) -> None:
    outside = f"""
    void fill(cudaTextureObject_t* made, cudaResourceDesc r) {{
      cudaResourceDesc resource = r; cudaTextureDesc state = {{}}; {FIELDS}
      cudaCreateTextureObject(made, &resource, &state, NULL);
    }}
    cudaTextureObject_t make(cudaResourceDesc r) {{
      cudaResourceDesc resource = r; cudaTextureDesc state = {{}}; {FIELDS}
      cudaTextureObject_t made; cudaCreateTextureObject(&made, &resource, &state, NULL); return made;
    }}"""
    for create in ("fill(&image, resource);", "image = make(resource);"):
        found = fact(slice_text(program("", create, outside=outside)))
        assert (found.filter, found.normalized, found.read) == (1, 1, 1), create


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (program(FIELDS.replace("cudaFilterModeLinear", "smooth ? cudaFilterModeLinear : cudaFilterModePoint")), "run"),
        (program(CLEAR + FIELDS + "if (smooth) state.filterMode = cudaFilterModePoint;"), "condition"),
        (program(FIELDS.replace("state.readMode", "int unused")), "not set"),
        (program(CLEAR + FIELDS + "change(&state);", outside="void change(cudaTextureDesc*);"), "function"),
        (program(CLEAR + FIELDS, launch="k<<<1, 32>>>(out, other);"), "no cudaCreateTextureObject"),
        (program(CLEAR + FIELDS, CREATE + "image = other;"), "not only set"),
        (program(CLEAR + FIELDS, CREATE + "if (smooth) image = other;"), "not only set"),
        (program(CLEAR + FIELDS, CREATE + CLEAR + CREATE), "different states"),
        (program(CLEAR + FIELDS + "state.sRGB = smooth;"), "sRGB"),
        (program(CLEAR + FIELDS, "cudaCreateTextureObject(&image, &resource, &state, &format);"), "view"),
    ],
)
def test_what_is_not_certain_is_not_known(slice_text: Slice, text: str, why: str) -> None:
    found = fact(slice_text(text))
    assert found.filter is None or found.read is None
    assert why in found.missing


def test_formats_of_two_allocations_are_not_known(slice_text: Slice) -> None:
    again = "format = cudaCreateChannelDesc<float>(); cudaMallocArray(&pixels, &format, 8, 8);"
    assert fact(slice_text(program(CLEAR + FIELDS, before=again))).texel is None


@pytest.mark.parametrize(
    ("spelling", "texel"),
    [
        ("<float>()", ("float32", 1)),
        ("<float2>()", ("float32", 2)),
        ("<unsigned char>()", ("uint8", 1)),
        ("<short4>()", ("int16", 4)),
        ("(32, 0, 0, 0, cudaChannelFormatKindSigned)", ("int32", 1)),
        ("(16, 16, 0, 0, cudaChannelFormatKindUnsigned)", ("uint16", 2)),
        ("(16, 0, 0, 0, cudaChannelFormatKindFloat)", ("float16", 1)),
    ],
)
def test_channel_formats(slice_text: Slice, spelling: str, texel: tuple[str, int]) -> None:
    text = program(CLEAR + FIELDS).replace("(8, 8, 8, 8, cudaChannelFormatKindUnsigned)", spelling)
    assert fact(slice_text(text)).texel == texel


def test_extents_of_a_volume_come_through_a_parameter(slice_text: Slice) -> None:
    text = """
#include <cstring>
__global__ void k(float* out, cudaTextureObject_t t) { out[0] = tex3D<float>(t, 0.f, 0.f, 0.f); }
cudaTextureObject_t volume;
void init(cudaExtent size) {
  cudaArray_t cells; cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMalloc3DArray(&cells, &format, size);
  cudaResourceDesc resource = {}; resource.resType = cudaResourceTypeArray; resource.res.array.array = cells;
  cudaTextureDesc state = {};
  cudaCreateTextureObject(&volume, &resource, &state, NULL);
}
int main() { init(make_cudaExtent(4, 5, 6)); k<<<1, 1>>>(nullptr, volume); }
"""
    assert fact(slice_text(text)).extents == (HostConst(4), HostConst(5), HostConst(6))
