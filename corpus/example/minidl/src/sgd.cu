// Momentum SGD, and the squared norm of the gradients in two steps.
#include <cuda_runtime.h>

__global__ void sgd_momentum(float* weights, float* velocity, const float* gradients, float rate, float momentum, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        float v = momentum * velocity[i] - rate * gradients[i];
        velocity[i] = v;
        weights[i] += v;
    }
}

__global__ void squared_norm(const float* values, float* partial, int n) {
    extern __shared__ float cells[];
    float sum = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) sum += values[i] * values[i];
    cells[threadIdx.x] = sum;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half >>= 1) {
        if (threadIdx.x < half) cells[threadIdx.x] += cells[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) partial[blockIdx.x] = cells[0];
}

void sgd_step(float* weights, float* velocity, const float* gradients, float* partial, int n) {
    const int threads = 128, blocks = 16;
    squared_norm<<<blocks, threads, threads * sizeof(float)>>>(gradients, partial, n);
    sgd_momentum<<<blocks, threads>>>(weights, velocity, gradients, 0.01f, 0.9f, n);
}
