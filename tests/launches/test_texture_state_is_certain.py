"""Changes of a texture's description or object that text order does not show: each must leave its state unknown."""

from collections.abc import Callable

import pytest

from migrate.ir.launch import LaunchSite, TextureFact

Slice = Callable[[str], list[LaunchSite]]
SET = "addressMode[0] = {0}.addressMode[1] = cudaAddressModeClamp; {0}.filterMode = cudaFilterModePoint;"
OUTSIDE = """
#include <algorithm>
#include <cstring>
#include <utility>
__global__ void k(float* out, cudaTextureObject_t t) { out[threadIdx.x] = tex2D<float>(t, 0.5f, 0.5f); }
"""
CREATE = "cudaCreateTextureObject(&t, &r, &d, NULL);"


def fact_of(
    slice_text: Slice, body: str, *, outside: str = "", create: str = CREATE, after: str = "", name: str = "d"
) -> TextureFact:
    """The fact of a launch with `t`, created of a description that points and clamps, after ``body``."""
    first = f"{name}.{SET.format(name)} {name}.readMode = cudaReadModeElementType; {name}.normalizedCoords = 1;"
    declared = "cudaTextureDesc d = {};" if name == "d" else ""
    text = f"""{OUTSIDE}{outside}
void run(float* out, int some) {{
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t a; cudaMallocArray(&a, &format, 64, 48);
  cudaResourceDesc r = {{}}; r.resType = cudaResourceTypeArray; r.res.array.array = a;
  {declared} {first}
  cudaTextureObject_t t, u;
  {body}
  {create}
  {after}
  k<<<1, 32>>>(out, t);
}}
"""
    found = slice_text(text)[0].args[1]
    assert isinstance(found, TextureFact)
    return found


def is_known(fact: TextureFact) -> bool:
    return None not in (fact.filter, fact.read, fact.normalized, fact.address[0], fact.address[1])


@pytest.mark.parametrize(
    ("body", "state"),
    [
        ("", (0, 1)),
        ("d.filterMode = cudaFilterModeLinear;", (1, 1)),
        ("cudaTextureDesc e = d; e.filterMode = cudaFilterModeLinear; d = e;", (1, 1)),
        ("const cudaTextureFilterMode mode = cudaFilterModeLinear; d.filterMode = mode;", (1, 1)),
        ("cudaTextureFilterMode mode = cudaFilterModeLinear; d.filterMode = mode;", (1, 1)),
        ("cudaTextureDesc e; memset(&e, 0, sizeof e); e.addressMode[0] = cudaAddressModeMirror; d = e;", (0, 2)),
        ("int same = d.sRGB; const cudaTextureDesc& look = d;", (0, 1)),
    ],
)
def test_what_is_plain_is_followed(slice_text: Slice, body: str, state: tuple[int, int]) -> None:
    fact = fact_of(slice_text, body)
    assert (fact.filter, fact.address[0]) == state
    assert fact.missing == ""


CHANGES = {
    "loop": "for (int n = 0; n < 2; n++) d.addressMode[n] = cudaAddressModeMirror;",
    "variable subscript": "d.addressMode[some] = cudaAddressModeMirror;",
    "reference parameter": "setref(d);",
    "pointer parameter": "setptr(&d);",
    "member reference parameter": "setmode(d.filterMode);",
    "template parameter": "settemplate(d);",
    "memcpy": "cudaTextureDesc e = d; e.filterMode = cudaFilterModeLinear; memcpy(&d, &e, sizeof d);",
    "memset of a part": "memset(&d, 0, 4);",
    "pointer": "cudaTextureDesc* q = &d; q->filterMode = cudaFilterModeLinear;",
    "reference": "cudaTextureDesc& q = d; q.filterMode = cudaFilterModeLinear;",
    "auto reference": "auto& q = d; q.filterMode = cudaFilterModeLinear;",
    "member reference": "auto& q = d.filterMode; q = cudaFilterModeLinear;",
    "array pointer": "cudaTextureAddressMode* m = d.addressMode; m[0] = cudaAddressModeMirror;",
    "array sum": "*(d.addressMode + 1) = cudaAddressModeMirror;",
    "address taken and followed": "(*(&d)).filterMode = cudaFilterModeLinear;",
    "address of a member": "*(&d.filterMode) = cudaFilterModeLinear;",
    "cast": "((cudaTextureDesc&)d).filterMode = cudaFilterModeLinear;",
    "fill": "std::fill(d.addressMode, d.addressMode + 2, cudaAddressModeMirror);",
    "swap": "cudaTextureDesc e = d; e.filterMode = cudaFilterModeLinear; std::swap(d, e);",
    "swap of a member": "auto mode = cudaFilterModeLinear; std::swap(d.filterMode, mode);",
    "sRGB of the source": "cudaTextureDesc e = d; e.sRGB = 1; d = e;",
    "source of the copy": "cudaTextureDesc e = d; setref(e); d = e;",
    "source under another name": "cudaTextureDesc e = d; auto& q = e; q.filterMode = cudaFilterModeLinear; d = e;",
    "lambda": "auto set = [&] { d.filterMode = cudaFilterModeLinear; }; set();",
    "lambda before": "auto s = [&] { d.filterMode = cudaFilterModeLinear; }; d.filterMode = cudaFilterModePoint; s();",
    "captured address": "auto set = [q = &d] { q->filterMode = cudaFilterModeLinear; }; set();",
    "condition": "if (some) d.filterMode = cudaFilterModeLinear;",
    "handler": "try { d.sRGB = 0; } catch (...) { d.filterMode = cudaFilterModePoint; }",
    "condition in an expression": "int x = ({ if (some) d.filterMode = cudaFilterModePoint; 1; });",
    "goto": "again: if (some) { d.sRGB = 1; some = 0; goto again; }",
    "static": "static cudaTextureDesc e = {}; e.filterMode = cudaFilterModePoint; d = e;",
    "value by reference": "auto m = cudaFilterModePoint; auto& q = m; q = cudaFilterModeLinear; d.filterMode = m;",
    "value swapped": "auto m = cudaFilterModePoint, n = cudaFilterModeLinear; std::swap(m, n); d.filterMode = m;",
    "value of a global": "d.filterMode = chosen;",
    "second declarator": "cudaTextureDesc x{}, e; d = e;",
    "members with defaults": "Settings s = {}; d = s.state;",
    "resource by reference": "setresource(r);",
    "other resource": "auto& q = r; q.resType = cudaResourceTypeMipmappedArray;",
}
HELPERS = """
void setref(cudaTextureDesc& d) { d.filterMode = cudaFilterModeLinear; }
void setptr(cudaTextureDesc* d) { d->filterMode = cudaFilterModeLinear; }
void setmode(cudaTextureFilterMode& mode) { mode = cudaFilterModeLinear; }
template <class T> void settemplate(T&& d) { d.filterMode = cudaFilterModeLinear; }
void setresource(cudaResourceDesc& r) { r.resType = cudaResourceTypeMipmappedArray; }
cudaTextureFilterMode chosen = cudaFilterModePoint;
struct Settings { cudaTextureDesc state = {}; Settings() { state.filterMode = cudaFilterModeLinear; } };
"""


@pytest.mark.parametrize("body", CHANGES.values(), ids=CHANGES.keys())
def test_a_description_changed_out_of_sight_is_not_known(slice_text: Slice, body: str) -> None:
    fact = fact_of(slice_text, body, outside=HELPERS)
    assert not is_known(fact)
    assert fact.missing != ""


def test_a_description_at_file_scope_is_not_known(slice_text: Slice) -> None:
    outside = "cudaTextureDesc gd; void gcfg() { gd.filterMode = cudaFilterModeLinear; }"
    create = "cudaCreateTextureObject(&t, &r, &gd, NULL);"
    fact = fact_of(slice_text, "gcfg();", outside=outside, create=create, name="gd")
    assert not is_known(fact)
    assert "not a local variable" in fact.missing


@pytest.mark.parametrize("where", ["d", "e"])
def test_a_border_colour_is_seen_through_copies(slice_text: Slice, where: str) -> None:
    copy = "cudaTextureDesc e = d; {}.borderColor[1] = 0.5f; " + ("d = e;" if where == "e" else "")
    assert fact_of(slice_text, copy.format(where)).border
    assert not fact_of(slice_text, copy.format(where).replace("0.5f", "0.0f")).border


OTHER = "d.filterMode = cudaFilterModeLinear; cudaCreateTextureObject(&u, &r, &d, NULL);"


@pytest.mark.parametrize(
    "after",
    [
        "std::swap(t, u);",
        "cudaTextureObject_t& q = t; q = u;",
        "cudaTextureObject_t* q = &t; *q = u;",
        "take(t, u);",
        "memcpy(&t, &u, sizeof t);",
        "cudaTextureObject_t all[2] = {t, u}; std::swap(all[0], all[1]); t = all[0];",
        "cudaTextureObject_t all[2] = {t, u}; all[some] = u; t = all[0];",
        "auto set = [&] { t = u; }; set();",
        "t = some ? u : t;",
        "cudaCreateTextureObject(&t, &r, &d, NULL);",
        "cudaTextureObject_t v = t; auto& q = v; q = u; t = v;",
        "(some ? t : u) = u;",
    ],
)
def test_an_object_changed_out_of_sight_is_not_known(slice_text: Slice, after: str) -> None:
    outside = "void take(cudaTextureObject_t& a, cudaTextureObject_t b) { a = b; }"
    fact = fact_of(slice_text, "", after=OTHER + after, outside=outside)
    assert not is_known(fact)
    assert fact.missing != ""


def test_an_object_that_is_only_read_is_known(slice_text: Slice) -> None:
    outside = "void look(cudaTextureObject_t& a) { k<<<1, 1>>>(nullptr, a); }"
    after = OTHER + "look(t); cudaTextureObject_t v = t; const cudaTextureObject_t& q = t; cudaDestroyTextureObject(u);"
    assert is_known(fact_of(slice_text, "", after=after, outside=outside))


def test_a_copy_that_is_then_created_is_not_the_copied_object(slice_text: Slice) -> None:
    body = "cudaCreateTextureObject(&u, &r, &d, NULL); t = u; d.filterMode = cudaFilterModeLinear;"
    assert not is_known(fact_of(slice_text, body))


def test_all_callers_of_a_creating_function_count(slice_text: Slice) -> None:
    text = f"""{OUTSIDE}
cudaTextureObject_t t;
void init(cudaTextureFilterMode mode) {{
  cudaArray_t a; cudaChannelFormatDesc format = cudaCreateChannelDesc<float>(); cudaMallocArray(&a, &format, 8, 8);
  cudaResourceDesc r = {{}}; r.resType = cudaResourceTypeArray; r.res.array.array = a;
  cudaTextureDesc d = {{}}; d.filterMode = mode; cudaCreateTextureObject(&t, &r, &d, NULL);
}}
int main() {{ init(cudaFilterModePoint); init(cudaFilterModeLinear); k<<<1, 1>>>(nullptr, t); }}
"""

    def filter_of(text: str) -> int | None:
        found = slice_text(text)[0].args[1]
        assert isinstance(found, TextureFact)
        return found.filter

    assert filter_of(text) is None
    assert filter_of(text.replace("init(cudaFilterModePoint);", "")) == 1
