// Adds up whoever happens to be active: the group is made by divergence.
#include <cooperative_groups.h>
#include <cuda_runtime.h>
namespace cg = cooperative_groups;
__global__ void count_marked(const int* marks, int* count, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && marks[i] > 0) {
        auto together = cg::coalesced_threads();
        if (together.thread_rank() == 0) atomicAdd(count, (int)together.size());
    }
}
void launch(const int* marks, int* count, int n) { count_marked<<<(n + 255) / 256, 256>>>(marks, count, n); }
