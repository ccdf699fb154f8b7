// One kernel over several device functions as template arguments, launched with axes that it never looks at.
#include <cuda_runtime.h>

template <float (*F)(float)>
__global__ void apply(float* out, const float* tensor, float value, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = F(tensor[i]) + value;
}

__device__ float twice(float v) { return v + v; }

__device__ float bounded(float v) {
    if (v > 1.0f) return 1.0f;
    if (v < -1.0f) return -1.0f;
    return v;
}

void launch(float* out, const float* in, int n) {
    dim3 grid((n + 63) / 64, 2);
    apply<twice><<<grid, dim3(64, 1, 2)>>>(out, in, 1.5f, n);
    apply<bounded><<<grid, 64>>>(out, in, -0.25f, n);
}
