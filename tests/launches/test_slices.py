"""Launch sites of small host programs."""

from collections.abc import Callable

import pytest

from migrate.ir.host_eval import evaluate, text
from migrate.ir.launch import HostConst, HostExpr, LaunchSite, PointerFact

Slice = Callable[[str], list[LaunchSite]]
KERNEL = """
__global__ void add(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] += a[i];
}
"""


def values(triple: tuple[HostExpr, ...], site: LaunchSite, **overrides: int) -> list[int | float]:
    roots = {info.name: info.guess for info in site.roots} | overrides
    return [evaluate(part, roots) for part in triple]


def pointer(site: LaunchSite, position: int) -> PointerFact:
    fact = site.args[position]
    assert isinstance(fact, PointerFact)
    return fact


def test_a_size_of_main_is_one_root_everywhere(slice_text: Slice) -> None:
    (site,) = slice_text(
        KERNEL
        + """
int main() {
  int n = 1 << 20;
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc((void**)&b, n * sizeof(float));
  cudaMemset(b, 0, n * sizeof(float));
  const int block = 256;
  add<<<(n + block - 1) / block, block>>>(a, b, n);
}"""
    )
    (root,) = site.roots
    assert (root.name, root.origin, root.value) == ("n", "constant", 1 << 20)
    assert site.kernel_id == "unit.cu:2:add"
    assert values(site.grid, site, n=1000) == [4, 1, 1]
    assert values(site.block, site) == [256, 1, 1]
    size = pointer(site, 0).bytes
    assert size is not None and evaluate(size, {"n": 1000}) == 4000
    assert pointer(site, 0).allocation != pointer(site, 1).allocation
    assert (pointer(site, 0).contents, pointer(site, 1).contents) == ("unknown", "zero")


def test_arguments_come_from_callers(slice_text: Slice) -> None:
    (site,) = slice_text(
        KERNEL
        + """
template <class T> T ceil_div(T a, T b) { return (a + b - 1) / b; }
void launch(const float* x, float* y, int count, int threads) {
  dim3 grid(ceil_div(count, threads));
  grid.y = 2;
  add<<<grid, dim3(threads, 2), threads * sizeof(float)>>>(x + 4, y, count);
}
void wrapper(float* data, int n) { launch(data, data, n, 64); }
int main() { float* d; int total = 5000; cudaMalloc(&d, total * 4); wrapper(d, total); }"""
    )
    assert values(site.grid, site, total=130) == [3, 2, 1]
    assert values(site.block, site) == [64, 2, 1]
    assert evaluate(site.shared_bytes, {}) == 256
    assert pointer(site, 0).allocation == pointer(site, 1).allocation == "main::d"
    assert pointer(site, 0).offset_bytes == HostConst(16)
    assert pointer(site, 1).offset_bytes is None


def test_template_launchers_are_instantiated(slice_text: Slice) -> None:
    sites = slice_text(
        """
template <int BS, typename T> __global__ void fill(T* p, int n) { if (threadIdx.x < n) p[threadIdx.x] = T(BS); }
template <int BS> void launch(float* p, int n) { fill<BS, float><<<(n + BS - 1) / BS, BS>>>(p, n); }
void both(float* p, int n) { launch<64>(p, n); launch<128>(p, n); }"""
    )
    assert [site.cpp_name for site in sites] == ["fill<64, float>", "fill<128, float>"]
    assert [values(site.block, site)[0] for site in sites] == [64, 128]
    assert [root.name for root in sites[0].roots] == ["n"]
    assert sites[0].roots[0].origin == "parameter"


def test_a_value_that_the_command_line_may_change_is_a_root_with_its_default(slice_text: Slice) -> None:
    (site,) = slice_text(
        KERNEL
        + """
#include <cstdlib>
int main(int argc, char** argv) {
  int n = 96;
  if (argc > 1) n = atoi(argv[1]);
  add<<<n / 32, 32>>>(nullptr, nullptr, n);
}"""
    )
    (root,) = site.roots
    assert (root.name, root.guess) == ("n", 96)
    assert site.args[0] == HostConst(0)


def test_branches_become_selects_and_loops_become_roots(slice_text: Slice) -> None:
    sites = slice_text(
        KERNEL
        + """
void go(float* a, int n) {
  int block;
  if (n > 1000) block = 256; else block = 32;
  int left = n;
  left -= 5;
  left *= 2;
  add<<<1, block>>>(a, a, left);
  for (int stride = 1; stride < n; stride *= 2) add<<<1, 32>>>(a, a, stride);
}"""
    )
    assert values(sites[0].block, sites[0], n=2000)[0] == 256
    assert values(sites[0].block, sites[0], n=10)[0] == 32
    third = sites[0].args[2]
    assert third is not None and not isinstance(third, PointerFact)
    assert evaluate(third, {"n": 20}) == 30
    assert [(root.name, root.guess) for root in sites[1].roots if root.name == "stride"] == [("stride", 1)]


def test_a_loop_over_block_sizes_guesses_the_middle_one(slice_text: Slice) -> None:
    (site,) = slice_text(
        KERNEL
        + """
int main() {
  int sizes[] = {32, 64, 128, 256, 512};
  for (int j = 0; j < 5; j++) { int block_size = sizes[j]; add<<<4, block_size>>>(0, 0, block_size); }
}"""
    )
    assert values(site.block, site) == [128, 1, 1]


def test_a_macro_that_the_kernel_uses_stays_fixed(slice_text: Slice) -> None:
    text_of = """
#define N 512
#define LENGTH 4096
__global__ void scale(float* p, int n) { for (int i = 0; i < N; ++i) p[i * n] *= 2; }
int main() { float* p; cudaMalloc(&p, N * LENGTH * 4); scale<<<LENGTH / 64, 64>>>(p, LENGTH); }"""
    (site,) = slice_text(text_of)
    assert [(root.name, root.value) for root in site.roots] == [("LENGTH", 4096)]
    size = pointer(site, 0).bytes
    assert size is not None and evaluate(size, {"LENGTH": 10}) == 512 * 10 * 4


def test_checks_on_the_way_are_recorded(slice_text: Slice) -> None:
    (site,) = slice_text(
        KERNEL
        + """
#include <cassert>
void go(float* a, int n) {
  assert(n % 4 == 0);
  if (n <= 0) return;
  if (n < 5000) { add<<<n / 4, 32>>>(a, a, n); }
}"""
    )
    assert [text(one) for one in site.conditions] == ["(n < 5000)", "!(n <= 0)", "((n % 4) == 0)"]


def test_torch_sizes_are_roots_named_after_the_tensor(slice_text: Slice) -> None:
    (site,) = slice_text(
        KERNEL
        + """
#include <torch/extension.h>
void go(torch::Tensor x, torch::Tensor y) {
  const int M = x.size(0);
  auto out = torch::empty({M, 8}, x.options());
  add<<<M, 32>>>(x.data_ptr<float>(), reinterpret_cast<float*>(out.data_ptr()), out.size(1) * out.size(0));
}"""
    )
    assert [root.name for root in site.roots] == ["x.size(0)"]
    assert pointer(site, 0).allocation == "go::x"
    assert pointer(site, 1).allocation == "go::out"
    last = site.args[2]
    assert last is not None and not isinstance(last, PointerFact)
    assert evaluate(last, {"x.size(0)": 7}) == 56


def test_runtime_launch_calls(slice_text: Slice) -> None:
    (site,) = slice_text(
        KERNEL
        + """
int main() {
  float *a, *b; int n = 640;
  cudaMalloc(&a, 640 * 4); cudaMalloc(&b, 640 * 4);
  void* args[] = {&a, &b, &n};
  cudaLaunchKernel((void*)add, dim3(10), dim3(64), args, 128, 0);
}"""
    )
    assert values(site.grid, site) == [10, 1, 1] and values(site.block, site) == [64, 1, 1]
    assert pointer(site, 1).allocation == "main::b"
    assert evaluate(site.shared_bytes, {}) == 128
    assert [root.name for root in site.roots] == ["n"]


def test_allocation_through_a_helper(slice_text: Slice) -> None:
    (site,) = slice_text(
        KERNEL
        + """
void reserve(float** p, int count) { cudaMalloc((void**)p, count * sizeof(float)); }
float* make(int count) { float* p; cudaMalloc(&p, count * sizeof(float)); return p; }
void go(int n) { float* a; reserve(&a, n); float* b = make(n + 1); add<<<1, 32>>>(a, b, n); }"""
    )
    sizes = [pointer(site, position).bytes for position in (0, 1)]
    assert [one is not None and evaluate(one, {"n": 3}) for one in sizes] == [12, 16]


def test_struct_members_and_unknown_members(slice_text: Slice) -> None:
    (site,) = slice_text(
        """
struct Config { int width; int height; float scale; };
__global__ void draw(float* p, Config c) { p[threadIdx.x] = c.scale * c.width; }
void go(float* p, int w) { Config c; c.width = w * 2; c.scale = 0.5f; draw<<<c.height, 32>>>(p, c); }"""
    )
    members = {path[0]: value for _, path, value in site.struct_args}
    width = members["width"]
    assert not isinstance(width, PointerFact) and evaluate(width, {"w": 3}) == 6
    assert members["scale"] == HostConst(0.5)
    assert {root.name for root in site.roots} == {"w", "c.height"}


@pytest.mark.parametrize("host", ["", "void go(float* p) {}"])
def test_no_launch_gives_no_site(slice_text: Slice, host: str) -> None:
    assert slice_text(KERNEL + host) == []


def test_nested_members_and_chosen_pointers(slice_text: Slice) -> None:
    (site,) = slice_text(
        """
struct Size { int w; int h; };
struct View { Size size; float gain; };
__global__ void draw(float* p, float* q, View v) { p[threadIdx.x] = q[v.size.w] * v.gain; }
void go(bool flip, int w) {
  float *a, *b;
  cudaMalloc(&a, w * 4); cudaMalloc(&b, w * 8);
  View v; v.size.w = w + 1; v.size.h = 7; v.gain = 2.0f;
  draw<<<1, 32>>>(flip ? a : b, flip ? a : nullptr, v);
}"""
    )
    members = {path: value for _, path, value in site.struct_args}
    wide = members[("size", "w")]
    assert not isinstance(wide, PointerFact) and evaluate(wide, {"w": 3}) == 4
    assert members[("size", "h")] == HostConst(7)
    size = pointer(site, 0).bytes
    assert size is not None and [evaluate(size, {"flip": flip, "w": 2}) for flip in (0, 1)] == [16, 8]
    assert pointer(site, 1).allocation == "go::a"


def test_device_properties_are_those_of_a_small_device(slice_text: Slice) -> None:
    (site,) = slice_text(
        KERNEL
        + """
void go(float* a, int n) {
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, 0);
  add<<<prop.multiProcessorCount * 2, prop.maxThreadsPerBlock>>>(a, a, n);
}"""
    )
    assert values(site.grid, site)[0] == 8 and values(site.block, site)[0] == 1024


def test_mutual_recursion_and_deep_chains_end(slice_text: Slice) -> None:
    sites = slice_text(
        KERNEL
        + """
void even(float* a, int n);
void odd(float* a, int n) { if (n > 0) even(a, n - 1); add<<<n, 32>>>(a, a, n); }
void even(float* a, int n) { if (n > 0) odd(a, n - 1); }
int f(int n) { return n > 0 ? f(n - 1) + 1 : 0; }
int main() { even(0, 10); add<<<f(3), 32>>>(0, 0, 1); }"""
    )
    assert {site.host_function for site in sites} == {"odd", "main"}


def test_a_grid_made_from_block_components(slice_text: Slice) -> None:
    (site,) = slice_text(
        KERNEL
        + """
void go(float* a, int w, int h) {
  dim3 block(16, 8);
  dim3 grid((w + block.x - 1) / block.x, (h + block.y - 1) / block.y);
  add<<<grid, block, block.x * block.y * sizeof(float)>>>(a, a, w * h);
}"""
    )
    assert {root.name for root in site.roots} == {"w", "h"}
    assert values(site.grid, site, w=33, h=9) == [3, 2, 1]
    assert evaluate(site.shared_bytes, {}) == 512


def test_a_default_in_a_conditional_expression(slice_text: Slice) -> None:
    (site,) = slice_text(
        KERNEL
        + """
#include <cstdlib>
int main(int argc, char** argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 1 << 10;
  add<<<(n + 63) / 64, 64>>>(nullptr, nullptr, n);
}"""
    )
    (root,) = site.roots
    assert (root.name, root.origin) == ("n", "argv")
    assert values(site.grid, site, n=65) == [2, 1, 1]


def test_a_case_label_is_a_condition(slice_text: Slice) -> None:
    sites = slice_text(
        """
template <int B> __global__ void fill(float* a) { a[threadIdx.x] = B; }
void launch(float* a, int threads, int kind) {
  switch (threads) {
    case 64: if (kind == 3) return;
             fill<64><<<kind, threads>>>(a); break;
    case 1:
    case 2: fill<2><<<1, threads>>>(a);
    case 4: kind += 1; fill<4><<<1, threads>>>(a); break;
    default: fill<0><<<1, threads>>>(a);
  }
}"""
    )
    found = [[text(one) for one in site.conditions] for site in sites]
    assert found == [
        ["(threads == 64)", "!(kind == 3)"],
        ["((threads == 1) || (threads == 2))"],
        ["(((threads == 4) || (threads == 1)) || (threads == 2))"],
        ["(threads != 64)", "(threads != 1)", "(threads != 2)", "(threads != 4)"],
    ]


PAIR = """
__global__ void first(float* p, int n) { if (threadIdx.x < n) p[threadIdx.x] = 1; }
__global__ void second(float* p, int n) { if (threadIdx.x < n) p[threadIdx.x] = 2; }
"""


def test_a_function_pointer_launches_all_that_it_may_hold(slice_text: Slice) -> None:
    sites = slice_text(
        PAIR
        + """
int main() {
  int n = 300;
  float* p;
  cudaMalloc(&p, n * 4);
  void (*kernel)(float*, int);
  for (int k = 0; k < 2; k++) {
    switch (k) {
      case 0: kernel = &first; break;
      case 1: kernel = &second; break;
    }
    kernel<<<n / 100, dim3(20, 5)>>>(p, n);
  }
}"""
    )
    assert {site.cpp_name for site in sites} == {"first", "second"}
    for site in sites:
        assert values(site.grid, site, n=400) == [4, 1, 1]
        assert values(site.block, site) == [20, 5, 1]


def test_a_launcher_is_followed_to_every_kernel_it_is_given(slice_text: Slice) -> None:
    several = "".join(f"__global__ void k{one}(float* p) {{ p[threadIdx.x] = {one}; }}\n" for one in range(7))
    calls = "".join(f"launch(k{one}, p, {32 * (one + 1)});" for one in range(7))
    sites = slice_text(
        several
        + "void launch(void (*kernel)(float*), float* p, int threads) { kernel<<<1, threads>>>(p); }\n"
        + f"int main() {{ float* p; cudaMalloc(&p, 4096); {calls} }}"
    )
    assert [site.cpp_name for site in sites] == [f"k{one}" for one in range(7)]
    assert [values(site.block, site)[0] for site in sites] == [32 * (one + 1) for one in range(7)]


def test_a_launch_that_a_constant_forbids_is_sliced_for_the_constant_it_wants(slice_text: Slice) -> None:
    sites = slice_text(
        """
template <int TILE> __global__ void work(float* p, int n) { p[blockIdx.x * TILE + threadIdx.x] = n; }
void run(float* p, int tile) {
  dim3 threads(tile, tile);
  if (tile == 16) work<16><<<4, threads>>>(p, 4 * tile);
  else work<32><<<4, threads>>>(p, 4 * tile);
}
int main() { int tile = 32; float* p; cudaMalloc(&p, 4096); run(p, tile); }"""
    )
    assert {site.cpp_name: values(site.block, site) for site in sites} == {
        "work<16>": [16, 16, 1],
        "work<32>": [32, 32, 1],
    }


def test_an_extent_that_the_command_line_may_replace_is_a_root(slice_text: Slice) -> None:
    (site,) = slice_text(
        PAIR
        + """
bool given(int argc, char** argv, const char* name);
int number(int argc, char** argv, const char* name);
int main(int argc, char** argv) {
  dim3 dims(320, 640, 1);
  if (given(argc, argv, "w")) dims.x = number(argc, argv, "w");
  float* p;
  cudaMalloc(&p, dims.x * dims.y * 4);
  first<<<dims.x / 32, 32>>>(p, dims.x);
}"""
    )
    (root,) = site.roots
    assert root.name == "dims.x" and root.guess == 320
    assert values(site.grid, site, **{"dims.x": 96}) == [3, 1, 1]


def test_rows_of_a_pitched_allocation_lie_a_pitch_apart(slice_text: Slice) -> None:
    (site,) = slice_text(
        """
__global__ void fill(float* p, int pitch, int w, int h) {
  if (threadIdx.x < w) p[blockIdx.x * pitch + threadIdx.x] = 1;
}
void run(int w, int h) {
  float* p;
  size_t pitch;
  cudaMallocPitch((void**)&p, &pitch, w * sizeof(float), h);
  pitch /= sizeof(float);
  fill<<<h, 128>>>(p, (int)pitch, w, h);
}"""
    )
    size, pitch = pointer(site, 0).bytes, site.args[1]
    assert size is not None and not isinstance(pitch, PointerFact) and pitch is not None
    assert evaluate(size, {"w": 129, "h": 3}) == 3 * 1024
    assert evaluate(pitch, {"w": 129, "h": 3}) == 256
