// Inclusive scan of one block's row, Hillis-Steele with a double buffer.
#include <cuda_runtime.h>

#define BLOCK 256

__global__ void inclusive_scan_rows(const int* in, int* out, int cols) {
    __shared__ int buffer[2][BLOCK];
    int row = blockIdx.x;
    int tid = threadIdx.x;
    int source = 0;
    buffer[0][tid] = tid < cols ? in[row * cols + tid] : 0;
    __syncthreads();
    for (int offset = 1; offset < BLOCK; offset <<= 1) {
        int target = 1 - source;
        if (tid >= offset) {
            buffer[target][tid] = buffer[source][tid] + buffer[source][tid - offset];
        } else {
            buffer[target][tid] = buffer[source][tid];
        }
        source = target;
        __syncthreads();
    }
    if (tid < cols) out[row * cols + tid] = buffer[source][tid];
}

void scan_rows(const int* in, int* out, int rows, int cols) { inclusive_scan_rows<<<rows, BLOCK>>>(in, out, cols); }
