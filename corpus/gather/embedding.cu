// Embedding lookup (token plus position) and its scatter-add in fixed point.
#include <cuda_runtime.h>

__global__ void embed(float* out, const int* tokens, const float* wte, const float* wpe, int B, int T, int C) {
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    int N = B * T * C;
    if (idx < N) {
        int bt = idx / C;
        int b = bt / T;
        int t = bt % T;
        int c = idx % C;
        int token = tokens[b * T + t];
        out[idx] = wte[token * C + c] + wpe[t * C + c];
    }
}

__global__ void scatter_add(int* dwte, const int* tokens, const int* dout, int rows, int C) {
    for (int row = blockIdx.x; row < rows; row += gridDim.x) {
        int token = tokens[row];
        for (int c = threadIdx.x; c < C; c += blockDim.x) atomicAdd(dwte + token * C + c, dout[row * C + c]);
    }
}

void embedding(float* out, const int* tokens, const float* wte, const float* wpe, int* dwte, const int* dout, int B, int T, int C) {
    int N = B * T * C;
    embed<<<(N + 255) / 256, 256>>>(out, tokens, wte, wpe, B, T, C);
    scatter_add<<<8, 64>>>(dwte, tokens, dout, B * T, C);
}
