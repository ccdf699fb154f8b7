// Fully connected layer with bias and ReLU: y = relu(x W + b), shared-memory tiles.
#include <cuda_runtime.h>

constexpr int kTile = 16;

__global__ void linear_relu(const float* __restrict__ x, const float* __restrict__ w, const float* __restrict__ bias,
                            float* __restrict__ y, int rows, int inner, int cols) {
    __shared__ float x_tile[kTile][kTile];
    __shared__ float w_tile[kTile][kTile];
    int row = blockIdx.y * kTile + threadIdx.y;
    int col = blockIdx.x * kTile + threadIdx.x;
    float acc = col < cols ? bias[col] : 0.0f;
    for (int base = 0; base < inner; base += kTile) {
        int xc = base + threadIdx.x;
        int wr = base + threadIdx.y;
        x_tile[threadIdx.y][threadIdx.x] = row < rows && xc < inner ? x[row * inner + xc] : 0.0f;
        w_tile[threadIdx.y][threadIdx.x] = wr < inner && col < cols ? w[wr * cols + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < kTile; ++k) acc += x_tile[threadIdx.y][k] * w_tile[k][threadIdx.x];
        __syncthreads();
    }
    if (row < rows && col < cols) y[row * cols + col] = fmaxf(acc, 0.0f);
}

void linear_relu_forward(const float* x, const float* w, const float* bias, float* y, int rows, int inner, int cols,
                         cudaStream_t stream) {
    dim3 block(kTile, kTile);
    dim3 grid((cols + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
    linear_relu<<<grid, block, 0, stream>>>(x, w, bias, y, rows, inner, cols);
}
