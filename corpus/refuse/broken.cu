// Does not compile: a name that nobody declares.
#include <cuda_runtime.h>
__global__ void shift(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] + OFFSET_FROM_A_MISSING_HEADER;
}
void launch(const float* x, float* y, int n) { shift<<<(n + 255) / 256, 256>>>(x, y, n); }
