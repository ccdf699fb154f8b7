#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
struct Pair { float top; int at; };
__device__ Pair better(Pair a, Pair b) { return a.top < b.top ? b : a; }
__global__ void lanes(int* out, const int* x, float* f, unsigned* w) {
  int i = threadIdx.x, v = x[i];
  for (int k = 16; k; k >>= 1) v += __shfl_xor_sync(0xffffffffu, v, k);
  if (__any_sync(~0u, v)) out[0] = __ballot_sync(~0u, v > 3);
  int old = atomicAdd(&out[1], v);
  atomicMax((int*)&f[1], old);
  atomicCAS(w, 0u, 1u);
  out[2] = __syncthreads_count(v) + __reduce_add_sync(~0u, v);
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
  auto quad = cg::tiled_partition<4>(block);
  float total = cg::reduce(quad, f[i], cg::plus<float>());
  Pair best = cg::reduce(quad, Pair{total, i}, better);
  f[i] = total + tile.meta_group_rank() + quad.thread_rank() + best.at;
  block.sync();
}
