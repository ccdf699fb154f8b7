// Atomics on half and bfloat16, pairs too.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void add_halves(__half* sums, const __half* in, int n, int bins) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&sums[i % bins], in[i]);
}

__global__ void add_pairs(__half2* sums, const __half2* in, int n, int bins) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&sums[i % bins], in[i]);
}

__global__ void add_brains(__nv_bfloat16* sums, const __nv_bfloat16* in, int n, int bins) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&sums[i % bins], in[i]);
}

void halves(__half* a, const __half* b, __half2* c, const __half2* d, __nv_bfloat16* e, const __nv_bfloat16* f, int n) {
    add_halves<<<(n + 63) / 64, 64>>>(a, b, n, 16);
    add_pairs<<<(n + 63) / 64, 64>>>(c, d, n, 16);
    add_brains<<<(n + 63) / 64, 64>>>(e, f, n, 16);
}
