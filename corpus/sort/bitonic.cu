// Bitonic sort: one step a launch in global memory, and a whole block in shared memory.
#include <cuda_runtime.h>

__global__ void bitonic_step(float* values, int j, int k) {
    unsigned int i = threadIdx.x + blockDim.x * blockIdx.x;
    unsigned int partner = i ^ j;
    if (partner > i) {
        bool ascending = (i & k) == 0;
        float a = values[i], b = values[partner];
        if ((a > b) == ascending) {
            values[i] = b;
            values[partner] = a;
        }
    }
}

template <int N>
__global__ void bitonic_block(int* keys) {
    __shared__ int s[N];
    int base = blockIdx.x * N;
    s[threadIdx.x] = keys[base + threadIdx.x];
    s[threadIdx.x + N / 2] = keys[base + threadIdx.x + N / 2];
    for (int size = 2; size <= N; size <<= 1) {
        for (int stride = size / 2; stride > 0; stride >>= 1) {
            __syncthreads();
            int pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
            bool up = (pos & size) == 0;
            int lo = s[pos], hi = s[pos + stride];
            if ((lo > hi) == up) {
                s[pos] = hi;
                s[pos + stride] = lo;
            }
        }
    }
    __syncthreads();
    keys[base + threadIdx.x] = s[threadIdx.x];
    keys[base + threadIdx.x + N / 2] = s[threadIdx.x + N / 2];
}

void sort(float* values, int* keys, int blocks) {
    const int n = 256 * 4;
    for (int k = 2; k <= n; k <<= 1)
        for (int j = k >> 1; j > 0; j >>= 1) bitonic_step<<<n / 256, 256>>>(values, j, k);
    bitonic_block<256><<<blocks, 128>>>(keys);
}
