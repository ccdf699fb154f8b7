// Launch bounds, unrolling, templated collectives that hide barriers and shared memory.
#include <cuda_runtime.h>

template <typename T, int Threads>
struct BlockReduce {
    struct Storage {
        T parts[Threads / 32];
    };
    Storage& storage;
    __device__ explicit BlockReduce(Storage& s) : storage(s) {}
    __device__ T sum(T v) {
#pragma unroll
        for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffffu, v, d);
        if ((threadIdx.x & 31) == 0) storage.parts[threadIdx.x >> 5] = v;
        __syncthreads();
        T total = T(0);
#pragma unroll
        for (int w = 0; w < Threads / 32; ++w) total += storage.parts[w];
        __syncthreads();
        return total;
    }
};

template <int Threads, int PerThread>
__global__ void __launch_bounds__(Threads, 2) standardise(float* out, const float* in, int cols) {
    __shared__ typename BlockReduce<float, Threads>::Storage storage;
    BlockReduce<float, Threads> reduce(storage);
    float held[PerThread];
    const float* row = in + (long long)blockIdx.x * cols;
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < PerThread; ++k) {
        int c = k * Threads + threadIdx.x;
        held[k] = c < cols ? row[c] : 0.0f;
        sum += held[k];
    }
    float mean = reduce.sum(sum) / cols;
    float squares = 0.0f;
#pragma unroll
    for (int k = 0; k < PerThread; ++k) {
        int c = k * Threads + threadIdx.x;
        float d = c < cols ? held[k] - mean : 0.0f;
        squares += d * d;
    }
    float scale = 1.0f / sqrtf(reduce.sum(squares) / cols + 1e-6f);
#pragma unroll 4
    for (int k = 0; k < PerThread; ++k) {
        int c = k * Threads + threadIdx.x;
        if (c < cols) out[(long long)blockIdx.x * cols + c] = (held[k] - mean) * scale;
    }
}

void standard(float* out, const float* in, int rows, int cols) {
    standardise<128, 4><<<rows, 128>>>(out, in, cols);
    standardise<64, 8><<<rows, 64>>>(out, in, cols);
}
