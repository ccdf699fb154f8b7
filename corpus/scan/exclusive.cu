// Work-efficient exclusive scan (up-sweep, down-sweep) in dynamic shared memory.
#include <cuda_runtime.h>

__global__ void exclusive_scan_block(float* out, const float* in, int n) {
    extern __shared__ float temp[];
    int t = threadIdx.x;
    int offset = 1;
    temp[2 * t] = 2 * t < n ? in[2 * t] : 0.0f;
    temp[2 * t + 1] = 2 * t + 1 < n ? in[2 * t + 1] : 0.0f;
    int width = 2 * blockDim.x;
    for (int d = width >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) {
            int a = offset * (2 * t + 1) - 1;
            int b = offset * (2 * t + 2) - 1;
            temp[b] += temp[a];
        }
        offset *= 2;
    }
    if (t == 0) temp[width - 1] = 0.0f;
    for (int d = 1; d < width; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            int a = offset * (2 * t + 1) - 1;
            int b = offset * (2 * t + 2) - 1;
            float keep = temp[a];
            temp[a] = temp[b];
            temp[b] += keep;
        }
    }
    __syncthreads();
    if (2 * t < n) out[2 * t] = temp[2 * t];
    if (2 * t + 1 < n) out[2 * t + 1] = temp[2 * t + 1];
}

void exclusive_scan(float* out, const float* in, int n) {
    const int threads = 128;
    exclusive_scan_block<<<1, threads, 2 * threads * sizeof(float)>>>(out, in, n);
}
