// Packed halves and bfloat16s.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void axpy_half2(__half2* y, const __half2* x, __half a, int n2) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n2) y[i] = __hfma2(__half2half2(a), x[i], y[i]);
}

__global__ void relu_pairs(__nv_bfloat162* y, const __nv_bfloat162* x, int n2) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n2) {
        __nv_bfloat162 v = x[i];
        __nv_bfloat162 zero = __float2bfloat162_rn(0.0f);
        y[i] = __hadd2(__hmax2(v, zero), __hmul2(__float2bfloat162_rn(0.125f), __hmin2(v, zero)));
    }
}

__global__ void normalise_half_rows(__half* out, const __half* in, int cols) {
    const __half2* row = reinterpret_cast<const __half2*>(in + (size_t)blockIdx.x * cols);
    __half2* target = reinterpret_cast<__half2*>(out + (size_t)blockIdx.x * cols);
    float sum = 0.0f;
    for (int i = threadIdx.x; i < cols / 2; i += 32) {
        float2 v = __half22float2(row[i]);
        sum += v.x * v.x + v.y * v.y;
    }
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
    __half2 scale = __float2half2_rn(1.0f / sqrtf(sum / cols + 1e-5f));
    for (int i = threadIdx.x; i < cols / 2; i += 32) target[i] = __hmul2(row[i], scale);
}

void pairs(__half2* y, const __half2* x, __half a, __nv_bfloat162* by, const __nv_bfloat162* bx, __half* out,
           const __half* in, int n, int rows) {
    axpy_half2<<<(n / 2 + 127) / 128, 128>>>(y, x, a, n / 2);
    relu_pairs<<<(n / 2 + 127) / 128, 128>>>(by, bx, n / 2);
    normalise_half_rows<<<rows, 32>>>(out, in, 64);
}
