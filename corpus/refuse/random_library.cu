// Draws from a library's generator, whose stream has no counterpart.
#include <cuda_runtime.h>
#include <curand_kernel.h>
__global__ void jitter(float* x, int n, unsigned long long seed) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    curandStatePhilox4_32_10_t state;
    curand_init(seed, i, 0, &state);
    x[i] += 0.01f * curand_normal(&state);
}
void launch(float* x, int n) { jitter<<<(n + 255) / 256, 256>>>(x, n, 42ull); }
