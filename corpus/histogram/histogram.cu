// Histogram with privatised shared bins, and compaction by an atomic ticket.
#include <cuda_runtime.h>

#define BINS 64

__global__ void histogram64(unsigned int* bins, const unsigned char* data, unsigned int n) {
    __shared__ unsigned int local[BINS];
    for (unsigned int i = threadIdx.x; i < BINS; i += blockDim.x) local[i] = 0;
    __syncthreads();
    unsigned int stride = gridDim.x * blockDim.x;
    for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) atomicAdd(&local[data[i] >> 2], 1u);
    __syncthreads();
    for (unsigned int i = threadIdx.x; i < BINS; i += blockDim.x) atomicAdd(&bins[i], local[i]);
}

__global__ void compact_positive(int* out, int* count, const int* in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] > 0) {
        int slot = atomicAdd(count, 1);
        out[slot] = in[i];
    }
}

void run(unsigned int* bins, const unsigned char* data, unsigned int n, int* out, int* count, const int* in, int m) {
    cudaMemset(bins, 0, BINS * sizeof(unsigned int));
    histogram64<<<4, 128>>>(bins, data, n);
    cudaMemset(count, 0, sizeof(int));
    compact_positive<<<(m + 127) / 128, 128>>>(out, count, in, m);
}
