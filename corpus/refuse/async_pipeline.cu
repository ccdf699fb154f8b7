// Copies into shared memory through a pipeline of asynchronous stages.
#include <cuda_runtime.h>
#include <cuda/pipeline>
__global__ void staged_sum(const float* x, float* y, int n) {
    __shared__ float stage[2][128];
    auto pipe = cuda::make_pipeline();
    int t = threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < n / 128; ++k) {
        pipe.producer_acquire();
        cuda::memcpy_async(&stage[k & 1][t], x + k * 128 + t, sizeof(float), pipe);
        pipe.producer_commit();
        pipe.consumer_wait();
        sum += stage[k & 1][t];
        pipe.consumer_release();
    }
    y[t] = sum;
}
void launch(const float* x, float* y, int n) { staged_sum<<<1, 128>>>(x, y, n); }
