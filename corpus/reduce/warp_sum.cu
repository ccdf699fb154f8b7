// Sum by warp shuffles and one atomic a block; maximum with integer atomics.
#include <cuda_runtime.h>

template <typename T>
__device__ T warp_reduce_sum(T value) {
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2) {
        value += __shfl_down_sync(0xffffffff, value, offset);
    }
    return value;
}

template <typename T, int BLOCK>
__global__ void sum_kernel(const T* __restrict__ in, T* __restrict__ out, int n) {
    __shared__ T warp_totals[BLOCK / 32];
    T total = 0;
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK) total += in[i];
    total = warp_reduce_sum(total);
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    if (lane == 0) warp_totals[warp] = total;
    __syncthreads();
    if (warp == 0) {
        total = lane < BLOCK / 32 ? warp_totals[lane] : T(0);
        total = warp_reduce_sum(total);
        if (lane == 0) atomicAdd(out, total);
    }
}

__global__ void max_kernel(const int* in, int* out, int n) {
    int best = -2147483647 - 1;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) best = max(best, in[i]);
    for (int offset = 16; offset > 0; offset >>= 1) best = max(best, __shfl_xor_sync(0xffffffffu, best, offset));
    if ((threadIdx.x & 31) == 0) atomicMax(out, best);
}

void reduce(const float* f, float* f_out, const int* i, int* i_sum, int* i_max, int n) {
    const int blocks = 8;
    cudaMemset(f_out, 0, sizeof(float));
    sum_kernel<float, 256><<<blocks, 256>>>(f, f_out, n);
    cudaMemset(i_sum, 0, sizeof(int));
    sum_kernel<int, 128><<<blocks, 128>>>(i, i_sum, n);
    max_kernel<<<blocks, 128>>>(i, i_max, n);
}
