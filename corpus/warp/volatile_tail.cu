// Warp-synchronous code: the last steps of a tree through volatile shared memory, without barriers.
#include <cuda_runtime.h>

__device__ void warp_tail(volatile float* s, int t) {
    s[t] += s[t + 32];
    s[t] += s[t + 16];
    s[t] += s[t + 8];
    s[t] += s[t + 4];
    s[t] += s[t + 2];
    s[t] += s[t + 1];
}

__global__ void sum_in_step(float* out, const float* in, int n) {
    __shared__ float s[256];
    int t = threadIdx.x;
    int i = blockIdx.x * 256 + t;
    s[t] = i < n ? in[i] : 0.0f;
    __syncthreads();
    if (t < 128) s[t] += s[t + 128];
    __syncthreads();
    if (t < 64) s[t] += s[t + 64];
    __syncthreads();
    if (t < 32) warp_tail(s, t);
    if (t == 0) out[blockIdx.x] = s[0];
}

template <unsigned Block>
__global__ void sum_unrolled(int* out, const int* in, unsigned n) {
    extern __shared__ int data[];
    unsigned tid = threadIdx.x;
    unsigned i = blockIdx.x * Block * 2 + tid;
    int mine = 0;
    while (i < n) {
        mine += in[i];
        if (i + Block < n) mine += in[i + Block];
        i += Block * 2 * gridDim.x;
    }
    data[tid] = mine;
    __syncthreads();
    if (Block >= 128) {
        if (tid < 64) data[tid] = mine = mine + data[tid + 64];
        __syncthreads();
    }
    if (tid < 32) {
        volatile int* smem = data;
        if (Block >= 64) smem[tid] = mine = mine + smem[tid + 32];
        smem[tid] = mine = mine + smem[tid + 16];
        smem[tid] = mine = mine + smem[tid + 8];
        smem[tid] = mine = mine + smem[tid + 4];
        smem[tid] = mine = mine + smem[tid + 2];
        smem[tid] = mine = mine + smem[tid + 1];
    }
    if (tid == 0) out[blockIdx.x] = data[0];
}

void sums_in_step(float* out, const float* in, int n, int* totals, const int* values) {
    sum_in_step<<<(n + 255) / 256, 256>>>(out, in, n);
    sum_unrolled<128><<<4, 128, 128 * sizeof(int)>>>(totals, values, n);
}
