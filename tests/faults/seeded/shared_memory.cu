// Kernels with one fault each. The faulty line ends in a mark; where a race has two, either may be named.
#include <cuda_runtime.h>

__global__ void sum_without_barrier(const float* x, float* sums) {
  __shared__ float part[256];
  int t = threadIdx.x;
  part[t] = x[blockIdx.x * 256 + t];
  __syncthreads();
  for (int half = 128; half > 0; half >>= 1) {
    if (t < half) part[t] += part[t + half];  // FAULT race
  }
  if (t == 0) sums[blockIdx.x] = part[0];
}

__global__ void reverse_without_barrier(const int* x, int* y) {
  __shared__ int s[128];
  int t = threadIdx.x;
  s[t] = x[t];  // FAULT race
  y[t] = s[127 - t];  // FAULT race
}

__global__ void broadcast_without_barrier(const float* x, float* y) {
  __shared__ float first;
  if (threadIdx.x == 0) first = x[blockIdx.x];  // FAULT race
  y[blockIdx.x * 64 + threadIdx.x] = first;  // FAULT race
}

__global__ void scan_in_place(const int* x, int* y) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  for (int d = 1; d < 64; d <<= 1) {
    if (t >= d) s[t] += s[t - d];  // FAULT race
    __syncthreads();
  }
  y[t] = s[t];
}

__global__ void tiles_reused_early(const float* x, float* y, int tiles) {
  __shared__ float s[64];
  float sum = 0;
  for (int k = 0; k < tiles; k++) {
    s[threadIdx.x] = x[k * 64 + threadIdx.x];  // FAULT race
    __syncthreads();
    sum += s[63 - threadIdx.x];  // FAULT race
  }
  y[threadIdx.x] = sum;
}

__global__ void warps_without_barrier(const float* x, float* y) {
  __shared__ float sums[8];
  float v = x[threadIdx.x];
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffffu, v, d);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = v;  // FAULT race
  if (threadIdx.x < 8) y[threadIdx.x] = sums[threadIdx.x];  // FAULT race
}

__global__ void only_a_warp_barrier(const int* x, int* y) {
  __shared__ int s[64];
  s[threadIdx.x] = x[threadIdx.x];  // FAULT race
  __syncwarp();
  y[threadIdx.x] = s[(threadIdx.x + 32) % 64];  // FAULT race
}

__global__ void counts_without_atomics(const unsigned char* x, int* counts) {
  __shared__ int bins[16];
  if (threadIdx.x < 16) bins[threadIdx.x] = 0;
  __syncthreads();
  bins[threadIdx.x % 16]++;  // FAULT race
  __syncthreads();
  if (threadIdx.x < 16) counts[threadIdx.x] = bins[threadIdx.x] + x[threadIdx.x];
}

__global__ void halo_unset(const float* x, float* y) {
  __shared__ float s[66];
  int t = threadIdx.x;
  s[t + 1] = x[t];
  __syncthreads();
  y[t] = s[t] + s[t + 1] + s[t + 2];  // FAULT uninitialised_read
}

__global__ void accumulator_unset(const float* x, float* y) {
  __shared__ float total[32];
  int t = threadIdx.x;
  total[t] += x[t];  // FAULT uninitialised_read
  __syncthreads();
  y[t] = total[31 - t];
}

__global__ void last_tile_unset(const float* x, float* y, int n) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  if (t < n) s[t] = x[t];
  __syncthreads();
  y[t] = s[blockDim.x - 1 - t];  // FAULT uninitialised_read
}

__global__ void bins_unset(const int* x, int* y) {
  __shared__ int bins[32];
  atomicAdd(&bins[threadIdx.x % 8], x[threadIdx.x]);  // FAULT uninitialised_read
  __syncthreads();
  if (threadIdx.x < 8) y[threadIdx.x] = bins[threadIdx.x];
}

__global__ void transpose_without_padding(const float* x, float* y) {
  __shared__ float tile[16][16];
  tile[threadIdx.y][threadIdx.x] = x[threadIdx.y * 16 + threadIdx.x];
  __syncthreads();
  y[threadIdx.y * 16 + threadIdx.x] = tile[threadIdx.x + 1][threadIdx.y];  // FAULT out_of_bounds
}

__global__ void one_more_than_shared(const float* x, float* y) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = x[t];
  if (t == 0) s[64] = 0;  // FAULT out_of_bounds
  __syncthreads();
  y[t] = s[63 - t];
}

__global__ void dynamic_too_small(const float* x, float* y) {
  extern __shared__ float s[];
  s[threadIdx.x] = x[threadIdx.x];  // FAULT out_of_bounds
  __syncthreads();
  y[threadIdx.x] = x[threadIdx.x];
}

int main() {
  float *a, *b;
  int *c, *d;
  unsigned char* e;
  cudaMalloc(&a, 4096 * sizeof(float));
  cudaMalloc(&b, 4096 * sizeof(float));
  cudaMalloc(&c, 4096 * sizeof(int));
  cudaMalloc(&d, 4096 * sizeof(int));
  cudaMalloc(&e, 4096);
  sum_without_barrier<<<4, 256>>>(a, b);
  reverse_without_barrier<<<1, 128>>>(c, d);
  broadcast_without_barrier<<<4, 64>>>(a, b);
  scan_in_place<<<1, 64>>>(c, d);
  tiles_reused_early<<<1, 64>>>(a, b, 4);
  warps_without_barrier<<<1, 256>>>(a, b);
  only_a_warp_barrier<<<1, 64>>>(c, d);
  counts_without_atomics<<<1, 256>>>(e, c);
  halo_unset<<<1, 64>>>(a, b);
  accumulator_unset<<<1, 32>>>(a, b);
  last_tile_unset<<<1, 128, 128 * sizeof(float)>>>(a, b, 100);
  bins_unset<<<1, 256>>>(c, d);
  transpose_without_padding<<<1, dim3(16, 16)>>>(a, b);
  one_more_than_shared<<<1, 64>>>(a, b);
  dynamic_too_small<<<1, 128, 64 * sizeof(float)>>>(a, b);
  return 0;
}
