// Leaves nothing behind but a line of text.
#include <cstdio>
#include <cuda_runtime.h>
__global__ void show(const float* x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) printf("%d: %f\n", i, x[i]);
}
void launch(const float* x, int n) { show<<<1, 32>>>(x, n); }
