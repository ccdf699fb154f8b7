// One warp a row; the row pointer moves.
#include <cuda_runtime.h>

template <int WARPS>
__global__ void matvec(float* __restrict__ y, const float* __restrict__ matrix, const float* __restrict__ x, int rows, int cols) {
    int warp = threadIdx.y;
    int lane = threadIdx.x;
    int row = blockIdx.x * WARPS + warp;
    if (row >= rows) return;
    const float* p = matrix + (size_t)row * cols + lane;
    float sum = 0.0f;
    for (int c = lane; c < cols; c += 32, p += 32) sum += *p * x[c];
    for (int mask = 16; mask >= 1; mask >>= 1) sum += __shfl_xor_sync(0xffffffff, sum, mask, 32);
    if (lane == 0) y[row] = sum;
}

void launch_matvec(float* y, const float* matrix, const float* x, int rows, int cols) {
    matvec<4><<<(rows + 3) / 4, dim3(32, 4)>>>(y, matrix, x, rows, cols);
}
