// Symmetric int8 quantisation by row, and a dequantising product.
#include <cuda_runtime.h>
#include <stdint.h>

__global__ void quantise_rows(int8_t* q, float* scales, const float* x, int cols) {
    __shared__ float peaks[64];
    int row = blockIdx.x;
    float peak = 0.0f;
    for (int i = threadIdx.x; i < cols; i += blockDim.x) peak = fmaxf(peak, fabsf(x[row * cols + i]));
    peaks[threadIdx.x] = peak;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (threadIdx.x < s) peaks[threadIdx.x] = fmaxf(peaks[threadIdx.x], peaks[threadIdx.x + s]);
        __syncthreads();
    }
    float scale = peaks[0] > 0.0f ? peaks[0] / 127.0f : 1.0f;
    if (threadIdx.x == 0) scales[row] = scale;
    for (int i = threadIdx.x; i < cols; i += blockDim.x) {
        float v = roundf(x[row * cols + i] / scale);
        v = v > 127.0f ? 127.0f : (v < -127.0f ? -127.0f : v);
        q[row * cols + i] = (int8_t)v;
    }
}

__global__ void int8_product(float* out, const int8_t* a, const int8_t* b, const float* sa, const float* sb, int M, int N, int K) {
    int n = blockIdx.x * blockDim.x + threadIdx.x;
    int m = blockIdx.y;
    if (n >= N || m >= M) return;
    int acc = 0;
    for (int k = 0; k < K; ++k) acc += (int)a[m * K + k] * (int)b[n * K + k];
    out[m * N + n] = acc * sa[m] * sb[n];
}

void quantised_linear(int8_t* qa, float* sa, const float* a, const int8_t* qb, const float* sb, float* out, int M, int N, int K) {
    quantise_rows<<<M, 64>>>(qa, sa, a, K);
    int8_product<<<dim3((N + 63) / 64, M), 64>>>(out, qa, qb, sa, sb, M, N, K);
}
