// GELU (tanh form) and its gradient, with a launcher a caller would use.
#include <cuda_runtime.h>
#include <math.h>

#define GELU_SCALE 0.7978845608028654f

__device__ __forceinline__ float gelu_tanh(float x) {
    float cube = 0.044715f * x * x * x;
    return tanhf(GELU_SCALE * (x + cube));
}

__global__ void gelu_forward(float* out, const float* inp, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = inp[i];
    out[i] = 0.5f * x * (1.0f + gelu_tanh(x));
}

__global__ void gelu_backward(float* dinp, const float* inp, const float* dout, const int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float x = inp[i];
        float t = gelu_tanh(x);
        float c = coshf(GELU_SCALE * (x + 0.044715f * x * x * x));
        float sech2 = 1.0f / (c * c);
        float local = 0.5f * (1.0f + t) + x * 0.5f * sech2 * GELU_SCALE * (1.0f + 3.0f * 0.044715f * x * x);
        dinp[i] = local * dout[i];
    }
}

static inline int ceil_div(int a, int b) { return (a + b - 1) / b; }

void launch_gelu(float* out, float* dinp, const float* inp, const float* dout, int n, cudaStream_t stream) {
    const int block_size = 128;
    gelu_forward<<<ceil_div(n, block_size), block_size, 0, stream>>>(out, inp, n);
    gelu_backward<<<ceil_div(n, block_size), block_size, 0, stream>>>(dinp, inp, dout, n);
}
