// __device__ and __constant__ variables, copied by symbol.
#include <cuda_runtime.h>

__device__ int processed;
__device__ float scale_table[4] = {0.5f, 1.0f, 2.0f, 4.0f};
__device__ unsigned int finished_blocks = 0;
__constant__ float taps[5];

__global__ void filter_taps(float* out, const float* in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0.0f;
#pragma unroll
    for (int k = -2; k <= 2; ++k) {
        int j = i + k;
        j = j < 0 ? 0 : (j >= n ? n - 1 : j);
        sum += taps[k + 2] * in[j];
    }
    out[i] = sum * scale_table[i & 3];
    atomicAdd(&processed, 1);
}

// The last block to finish adds up what all have left.
__global__ void sum_last_block(float* out, float* partial, const float* in, int n) {
    __shared__ float s[128];
    __shared__ bool last;
    int t = threadIdx.x;
    float v = 0.0f;
    for (int i = blockIdx.x * 128 + t; i < n; i += gridDim.x * 128) v += in[i];
    s[t] = v;
    __syncthreads();
    for (int d = 64; d > 0; d >>= 1) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) {
        partial[blockIdx.x] = s[0];
        __threadfence();
        last = atomicInc(&finished_blocks, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0) {
        float total = 0.0f;
        for (int b = 0; b < gridDim.x; ++b) total += partial[b];
        out[0] = total;
    }
}

void symbols(float* out, const float* in, int n, float* partial) {
    float host_taps[5] = {0.1f, 0.2f, 0.4f, 0.2f, 0.1f};
    cudaMemcpyToSymbol(taps, host_taps, sizeof(host_taps));
    filter_taps<<<(n + 127) / 128, 128>>>(out, in, n);
    int done = 0;
    cudaMemcpyFromSymbol(&done, processed, sizeof(int));
    sum_last_block<<<8, 128>>>(out, partial, in, n);
}
