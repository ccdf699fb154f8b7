// A histogram that adds without atomics.
#include <cuda_runtime.h>
__global__ void tally(const unsigned char* x, int* bins, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) bins[x[i] % 16] += 1;
}
void launch(const unsigned char* x, int* bins, int n) { tally<<<(n + 255) / 256, 256>>>(x, bins, n); }
