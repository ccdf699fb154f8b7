// Row softmax and its cross-entropy loss; one warp a row.
#include <cuda_runtime.h>

#include "reduce.cuh"

__global__ void softmax_cross_entropy(const float* logits, const int* labels, float* probabilities, float* losses, int rows,
                                      int classes) {
    int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    int lane = threadIdx.x % 32;
    if (row >= rows) return;
    const float* in = logits + row * classes;
    float* out = probabilities + row * classes;
    float peak = -INFINITY;
    for (int c = lane; c < classes; c += 32) peak = fmaxf(peak, in[c]);
    peak = warp_max(peak);
    float total = 0.0f;
    for (int c = lane; c < classes; c += 32) total += expf(in[c] - peak);
    total = warp_sum(total);
    for (int c = lane; c < classes; c += 32) out[c] = expf(in[c] - peak) / total;
    if (lane == 0) losses[row] = logf(total) - (in[labels[row]] - peak);
}

void loss_forward(const float* logits, const int* labels, float* probabilities, float* losses, int rows, int classes) {
    const int block = 128;
    int rows_per_block = block / 32;
    softmax_cross_entropy<<<(rows + rows_per_block - 1) / rows_per_block, block>>>(logits, labels, probabilities, losses, rows,
                                                                                   classes);
}
