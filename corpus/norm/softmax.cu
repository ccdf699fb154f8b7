// Row softmax, one warp a row, and the online form that reads the row once for maximum and sum.
#include <cuda_runtime.h>
#include <float.h>
#include <math.h>

__device__ float warp_max(float v) {
    for (int offset = 16; offset > 0; offset /= 2) v = fmaxf(v, __shfl_down_sync(0xFFFFFFFF, v, offset));
    return __shfl_sync(0xFFFFFFFF, v, 0);
}

__device__ float warp_add(float v) {
    for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down_sync(0xFFFFFFFF, v, offset);
    return __shfl_sync(0xFFFFFFFF, v, 0);
}

__global__ void softmax_rows(float* out, const float* inp, int rows, int cols) {
    int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    int lane = threadIdx.x % 32;
    if (row >= rows) return;
    const float* x = inp + row * cols;
    float* y = out + row * cols;
    float peak = -INFINITY;
    for (int i = lane; i < cols; i += 32) peak = fmaxf(peak, x[i]);
    peak = warp_max(peak);
    float total = 0.0f;
    for (int i = lane; i < cols; i += 32) {
        y[i] = expf(x[i] - peak);
        total += y[i];
    }
    total = warp_add(total);
    for (int i = lane; i < cols; i += 32) y[i] = y[i] / total;
}

__global__ void softmax_online(float* out, const float* inp, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        const float* x = inp + row * cols;
        float peak = -FLT_MAX;
        double total = 0.0;
        for (int j = 0; j < cols; j++) {
            float previous = peak;
            float value = x[j];
            if (value > peak) {
                peak = value;
                total = total * exp(previous - peak) + 1.0;
            } else {
                total += exp(value - peak);
            }
        }
        for (int j = 0; j < cols; j++) out[row * cols + j] = exp(x[j] - peak) / total;
    }
}

void softmax(float* out, const float* inp, int rows, int cols) {
    softmax_rows<<<(rows + 3) / 4, 128>>>(out, inp, rows, cols);
    softmax_online<<<(rows + 63) / 64, 64>>>(out, inp, rows, cols);
}
