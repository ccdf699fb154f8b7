// Counter-based random numbers: a 32-bit mix, a 64-bit congruential generator, and a Monte Carlo count.
#include <cuda_runtime.h>
#include <stdint.h>

__host__ __device__ inline uint32_t mix(uint32_t h) {
    h ^= h >> 16;
    h *= 0x85ebca6bu;
    h ^= h >> 13;
    h *= 0xc2b2ae35u;
    h ^= h >> 16;
    return h;
}

__device__ uint32_t pcg(uint64_t& state) {
    uint64_t old = state;
    state = old * 6364136223846793005ULL + 1442695040888963407ULL;
    uint32_t shifted = (uint32_t)(((old >> 18u) ^ old) >> 27u);
    uint32_t rot = (uint32_t)(old >> 59u);
    return (shifted >> rot) | (shifted << ((-rot) & 31));
}

__global__ void fill_uniform(float* out, int n, uint32_t seed) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = (mix(seed + (uint32_t)i) >> 8) * (1.0f / 16777216.0f);
}

__global__ void count_inside(unsigned long long* inside, uint64_t seed, int trials) {
    uint64_t state = seed + (uint64_t)(blockIdx.x * blockDim.x + threadIdx.x) * 0x9E3779B97F4A7C15ULL;
    unsigned long long hits = 0;
    for (int t = 0; t < trials; ++t) {
        float x = (pcg(state) >> 8) * (1.0f / 16777216.0f);
        float y = (pcg(state) >> 8) * (1.0f / 16777216.0f);
        if (x * x + y * y <= 1.0f) ++hits;
    }
    atomicAdd(inside, hits);
}

void sample(float* out, int n, unsigned long long* inside, int trials) {
    fill_uniform<<<(n + 255) / 256, 256>>>(out, n, 1234u);
    cudaMemset(inside, 0, sizeof(unsigned long long));
    count_inside<<<4, 64>>>(inside, 42ULL, trials);
}
