#include <cassert>
#include <cstdio>

__device__ int twice(int v) {
    assert(v >= 0);
    return 2 * v;
}

__global__ void noisy(const float* x, float* y, int* hits, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0) printf("n = %d %s\n", n, "text");
    assert(n > 0 && "n must be positive");
    if (i < n) {
        y[i] = 2.f * x[i];
        printf("%d %f\n", atomicAdd(hits, twice(i++)), y[i]);
        hits[i] = i;
    }
}

void launch(const float* x, float* y, int* hits, int n) { noisy<<<1, 32>>>(x, y, hits, n); }
