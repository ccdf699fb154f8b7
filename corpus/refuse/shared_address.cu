// Takes the address of shared memory as a number.
#include <cuda_runtime.h>
__global__ void bank_of(const float* x, unsigned* where, int n) {
    __shared__ float tile[256];
    int t = threadIdx.x;
    tile[t] = x[t];
    __syncthreads();
    where[t] = (unsigned)__cvta_generic_to_shared(&tile[(t * 33) % 256]) / 4 % 32 + (tile[t] > 0.0f);
}
void launch(const float* x, unsigned* where) { bank_of<<<1, 256>>>(x, where, 256); }
