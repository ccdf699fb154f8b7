// Waits by the clock: what comes out depends on when it runs.
#include <cuda_runtime.h>
__global__ void measure(const float* x, float* y, long long* ticks, int n) {
    long long begin = clock64();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = sqrtf(x[i]);
    if (i < n) ticks[i] = clock64() - begin;
}
void launch(const float* x, float* y, long long* ticks, int n) { measure<<<(n + 127) / 128, 128>>>(x, y, ticks, n); }
