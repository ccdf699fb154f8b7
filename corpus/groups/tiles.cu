// Cooperative groups: block, tiles of a warp, reduce, shuffles, votes.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__global__ void row_means(float* mean, const float* in, int rows, int cols) {
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    int row = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
    if (row >= rows) return;
    float sum = 0.0f;
    for (int c = warp.thread_rank(); c < cols; c += warp.size()) sum += in[row * cols + c];
    sum = cg::reduce(warp, sum, cg::plus<float>());
    if (warp.thread_rank() == 0) mean[row] = sum / cols;
}

template <int Size>
__device__ int tile_prefix(const cg::thread_block_tile<Size>& tile, int value) {
    for (int d = 1; d < Size; d *= 2) {
        int below = tile.shfl_up(value, d);
        if (tile.thread_rank() >= d) value += below;
    }
    return value;
}

template <int Size>
__global__ void segment_scan(int* out, int* totals, const int* in, int n) {
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<Size>(block);
    int i = blockIdx.x * blockDim.x + block.thread_rank();
    int value = i < n ? in[i] : 0;
    int inclusive = tile_prefix<Size>(tile, value);
    if (i < n) out[i] = inclusive - value;
    int last = tile.shfl(inclusive, Size - 1);
    bool positive = tile.any(value > 0);
    unsigned votes = tile.ballot(value < 0);
    if (tile.thread_rank() == 0 && i < n) totals[i / Size] = positive ? last : -__popc(votes);
    block.sync();
}

__global__ void block_extrema(int* out, const int* in, int n) {
    __shared__ int low[32], high[32];
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    int lo = 2147483647, hi = -2147483647 - 1;
    for (int i = block.group_index().x * block.group_dim().x + block.thread_index().x; i < n; i += gridDim.x * blockDim.x) {
        lo = min(lo, in[i]);
        hi = max(hi, in[i]);
    }
    lo = cg::reduce(warp, lo, cg::less<int>());
    hi = cg::reduce(warp, hi, cg::greater<int>());
    if (warp.thread_rank() == 0) {
        low[warp.meta_group_rank()] = lo;
        high[warp.meta_group_rank()] = hi;
    }
    cg::sync(block);
    if (block.thread_rank() == 0) {
        for (unsigned w = 1; w < warp.meta_group_size(); ++w) {
            lo = min(lo, low[w]);
            hi = max(hi, high[w]);
        }
        atomicMin(&out[0], lo);
        atomicMax(&out[1], hi);
    }
}

void groups(float* mean, const float* in, int rows, int cols, int* out, int* totals, const int* values, int n) {
    row_means<<<(rows + 3) / 4, 128>>>(mean, in, rows, cols);
    segment_scan<16><<<(n + 127) / 128, 128>>>(out, totals, values, n);
    segment_scan<8><<<(n + 127) / 128, 128>>>(out, totals, values, n);
    block_extrema<<<4, 128>>>(out, values, n);
}
