// Chooses a path by the alignment of the pointer that it is given.
#include <cstdint>
#include <cuda_runtime.h>
__global__ void copy_fast(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if ((reinterpret_cast<uintptr_t>(x) & 15) == 0 && 4 * i + 3 < n) {
        reinterpret_cast<float4*>(y)[i] = reinterpret_cast<const float4*>(x)[i];
    } else {
        for (int k = 4 * i; k < min(4 * i + 4, n); ++k) y[k] = x[k];
    }
}
void launch(const float* x, float* y, int n) { copy_fast<<<(n / 4 + 255) / 256, 256>>>(x, y, n); }
