// Neighbours through shared memory, with the barrier forgotten.
#include <cuda_runtime.h>
__global__ void smooth(const float* x, float* y, int n) {
    __shared__ float tile[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    tile[t] = i < n ? x[i] : 0.0f;
    if (i < n) y[i] = 0.5f * (tile[t] + tile[(t + 129) % 256]);
}
void launch(const float* x, float* y, int n) { smooth<<<(n + 255) / 256, 256>>>(x, y, n); }
