// RMS norm templated over the storage type; bf16 and half are stored, float computes.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

__device__ __forceinline__ float to_float(float v) { return v; }
__device__ __forceinline__ float to_float(__half v) { return __half2float(v); }
__device__ __forceinline__ float to_float(__nv_bfloat16 v) { return __bfloat162float(v); }

template <typename T> __device__ __forceinline__ T from_float(float v);
template <> __device__ __forceinline__ float from_float<float>(float v) { return v; }
template <> __device__ __forceinline__ __half from_float<__half>(float v) { return __float2half(v); }
template <> __device__ __forceinline__ __nv_bfloat16 from_float<__nv_bfloat16>(float v) { return __float2bfloat16(v); }

template <typename T>
__global__ void rmsnorm(T* out, const T* in, const T* gain, int cols, float eps) {
    __shared__ float shared_sum[8];
    const T* row = in + blockIdx.x * cols;
    float acc = 0.0f;
    for (int i = threadIdx.x; i < cols; i += blockDim.x) {
        float v = to_float(row[i]);
        acc += v * v;
    }
    for (int o = 16; o > 0; o /= 2) acc += __shfl_down_sync(0xffffffff, acc, o);
    if (threadIdx.x % 32 == 0) shared_sum[threadIdx.x / 32] = acc;
    __syncthreads();
    if (threadIdx.x == 0) {
        float total = 0.0f;
        for (int w = 0; w < (int)(blockDim.x / 32); ++w) total += shared_sum[w];
        shared_sum[0] = 1.0f / sqrtf(total / cols + eps);
    }
    __syncthreads();
    float scale = shared_sum[0];
    for (int i = threadIdx.x; i < cols; i += blockDim.x)
        out[blockIdx.x * cols + i] = from_float<T>(to_float(row[i]) * scale * to_float(gain[i]));
}

void run_all(float* f, const float* fi, const float* fg, __half* h, const __half* hi, const __half* hg, __nv_bfloat16* b,
             const __nv_bfloat16* bi, const __nv_bfloat16* bg, int rows, int cols) {
    rmsnorm<float><<<rows, 128>>>(f, fi, fg, cols, 1e-6f);
    rmsnorm<__half><<<rows, 128>>>(h, hi, hg, cols, 1e-6f);
    rmsnorm<__nv_bfloat16><<<rows, 256>>>(b, bi, bg, cols, 1e-6f);
}
