// Layer norm in the storage types that the model is trained with.
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include "reduce.cuh"

template <typename T>
__global__ void layernorm(const T* x, const float* gain, const float* shift, T* y, int rows, int width) {
    int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows) return;
    const T* in = x + row * width;
    float mean = 0.0f;
    for (int i = threadIdx.x; i < width; i += 32) mean += (float)in[i];
    mean = warp_sum(mean) / width;
    float variance = 0.0f;
    for (int i = threadIdx.x; i < width; i += 32) {
        float d = (float)in[i] - mean;
        variance += d * d;
    }
    float scale = rsqrtf(warp_sum(variance) / width + 1e-5f);
    for (int i = threadIdx.x; i < width; i += 32) y[row * width + i] = (T)(((float)in[i] - mean) * scale * gain[i] + shift[i]);
}

void layernorm_forward(const float* x, const float* gain, const float* shift, float* y, int rows, int width) {
    layernorm<float><<<(rows + 3) / 4, dim3(32, 4)>>>(x, gain, shift, y, rows, width);
}

void layernorm_forward_bf16(const __nv_bfloat16* x, const float* gain, const float* shift, __nv_bfloat16* y, int rows, int width) {
    layernorm<__nv_bfloat16><<<(rows + 3) / 4, dim3(32, 4)>>>(x, gain, shift, y, rows, width);
}
