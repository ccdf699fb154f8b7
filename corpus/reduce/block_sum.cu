// Block sums by a shared-memory tree, dynamic shared memory, then a second pass over the partial sums.
#include <cuda_runtime.h>
#include <vector>

__global__ void block_sum(const float* in, float* partial, unsigned int n) {
    extern __shared__ float cells[];
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
    float sum = (i < n) ? in[i] : 0.0f;
    if (i + blockDim.x < n) sum += in[i + blockDim.x];
    cells[tid] = sum;
    __syncthreads();
    for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) cells[tid] += cells[tid + s];
        __syncthreads();
    }
    if (tid == 0) partial[blockIdx.x] = cells[0];
}

float sum(const float* d_in, unsigned int n) {
    const int threads = 256;
    int blocks = (n + threads * 2 - 1) / (threads * 2);
    float* d_partial;
    cudaMalloc(&d_partial, blocks * sizeof(float));
    block_sum<<<blocks, threads, threads * sizeof(float)>>>(d_in, d_partial, n);
    std::vector<float> partial(blocks);
    cudaMemcpy(partial.data(), d_partial, blocks * sizeof(float), cudaMemcpyDeviceToHost);
    float total = 0.0f;
    for (float value : partial) total += value;
    cudaFree(d_partial);
    return total;
}
