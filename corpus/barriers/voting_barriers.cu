// Barriers that count or vote.
#include <cuda_runtime.h>

// Bubbles each block's part until no thread swaps any more (odd-even transposition).
__global__ void sort_until_quiet(int* data, int* rounds, int n) {
    __shared__ int s[128];
    int t = threadIdx.x, base = blockIdx.x * 128;
    s[t] = base + t < n ? data[base + t] : 2147483647;
    __syncthreads();
    int passes = 0;
    int busy = 1;
    while (busy) {
        bool swapped = false;
        for (int phase = 0; phase < 2; ++phase) {
            int left = 2 * t + phase;
            if (left + 1 < 128 && s[left] > s[left + 1]) {
                int keep = s[left];
                s[left] = s[left + 1];
                s[left + 1] = keep;
                swapped = true;
            }
            __syncthreads();
        }
        busy = __syncthreads_or(swapped);
        ++passes;
    }
    if (base + t < n) data[base + t] = s[t];
    if (t == 0) rounds[blockIdx.x] = passes;
}

__global__ void count_and_check(int* counts, int* flags, const float* in, int n, float limit) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int over = __syncthreads_count(i < n && in[i] > limit);
    int all = __syncthreads_and(i >= n || in[i] >= 0.0f);
    if (threadIdx.x == 0) {
        counts[blockIdx.x] = over;
        flags[blockIdx.x] = all != 0;
    }
}

// Compaction that keeps the order, by ranks from ballots.
__global__ void keep_positive(int* out, int* kept, const int* in, int n) {
    __shared__ int warp_counts[32];
    int t = threadIdx.x, lane = t & 31, warp = t >> 5;
    int i = blockIdx.x * blockDim.x + t;
    int v = i < n ? in[i] : 0;
    unsigned mask = __ballot_sync(0xffffffffu, v > 0);
    if (lane == 0) warp_counts[warp] = __popc(mask);
    __syncthreads();
    int before = __popc(mask & ((1u << lane) - 1u));
    for (int w = 0; w < warp; ++w) before += warp_counts[w];
    if (v > 0) out[blockIdx.x * blockDim.x + before] = v;
    int total = __syncthreads_count(v > 0);
    if (t == 0) kept[blockIdx.x] = total;
}

void voting(int* data, int* rounds, int* counts, int* flags, const float* in, int* out, int* kept, const int* values, int n) {
    int blocks = (n + 127) / 128;
    sort_until_quiet<<<blocks, 128>>>(data, rounds, n);
    count_and_check<<<blocks, 128>>>(counts, flags, in, n, 0.5f);
    keep_positive<<<blocks, 128>>>(out, kept, values, n);
}
