// Kernels with one fault each: barriers, warp operations, integer arithmetic.
#include <cuda_runtime.h>

__global__ void barrier_in_both_branches(const int* x, int* y) {
  __shared__ int s[64];
  if (threadIdx.x < 32) {
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();  // FAULT barrier_divergence
  } else {
    s[threadIdx.x] = -x[threadIdx.x];
    __syncthreads();  // FAULT barrier_divergence
  }
  y[threadIdx.x] = s[63 - threadIdx.x];
}

__global__ void barrier_under_condition(const float* x, float* y) {
  __shared__ float s[64];
  s[threadIdx.x] = x[threadIdx.x];
  if (threadIdx.x < 32) __syncthreads();  // FAULT barrier_divergence
  float v = 2 * x[threadIdx.x];
  __syncthreads();  // FAULT barrier_divergence
  y[threadIdx.x] = v + s[threadIdx.x];
}

__global__ void barrier_in_uneven_loop(const float* x, float* y) {
  float sum = 0;
  for (int i = 0; i <= (int)threadIdx.x / 32; i++) {
    sum += x[i];
    __syncthreads();  // FAULT barrier_divergence
  }
  y[threadIdx.x] = sum;
  __syncthreads();  // FAULT barrier_divergence
  y[threadIdx.x] += 1;
}

__global__ void shuffle_after_return(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = x[i];
  v += __shfl_down_sync(0xffffffffu, v, 1);  // FAULT inactive_lane
  y[i] = v;
}

__global__ void shuffle_half_mask(const int* x, int* y) {
  int v = x[threadIdx.x];
  if (threadIdx.x < 16) {
    v = __shfl_xor_sync(0x0000ffffu, v, 16);  // FAULT inactive_lane
    y[threadIdx.x] = v;
  }
}

__global__ void broadcast_from_idle_lane(const int* x, int* y) {
  if (threadIdx.x % 2 == 0) {
    y[threadIdx.x] = __shfl_sync(0x55555555u, x[threadIdx.x], 1);  // FAULT inactive_lane
  }
}

__global__ void shift_by_thread(unsigned* y) {
  y[threadIdx.x] = 1u << threadIdx.x;  // FAULT shift
}

__global__ void shift_by_width(const unsigned* x, unsigned* y, int bits) {
  unsigned v = x[threadIdx.x];
  y[threadIdx.x] = (v << bits) | (v >> (32 - bits));  // FAULT shift
}

__global__ void negative_shift(const int* x, int* y, int from) {
  int v = x[threadIdx.x];
  y[threadIdx.x] = v >> (from - (int)threadIdx.x);  // FAULT shift
}

__global__ void index_overflow(const float* x, float* y, int pitch) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int at = row * pitch;  // FAULT signed_overflow
  y[row] = x[(unsigned)at % 1000u];
}

__global__ void hash_overflow(int* y) {
  int h = threadIdx.x + 1;
  for (int k = 0; k < 4; k++) h = h * 1000003 + 12345;  // FAULT signed_overflow
  y[threadIdx.x] = h;
}

__global__ void divide_by_distance(const int* x, int* y) {
  int t = threadIdx.x;
  y[t] = x[t] / (t - 5);  // FAULT division_by_zero
}

__global__ void remainder_of_nothing(const int* x, int* y, int groups) {
  int t = threadIdx.x;
  y[t] = x[t] % (t / groups);  // FAULT division_by_zero
}

__global__ void pixel_too_bright(const float* x, unsigned char* y) {
  float v = 300.0f + threadIdx.x + 0.0f * (x[threadIdx.x] > 0);
  y[threadIdx.x] = (unsigned char)v;  // FAULT float_cast
}

__global__ void huge_to_int(int* y, float step) {
  float position = step * threadIdx.x;
  y[threadIdx.x] = (int)position;  // FAULT float_cast
}

int main() {
  float *a, *b;
  int *c, *d;
  unsigned *e, *f;
  unsigned char* g;
  cudaMalloc(&a, 1000 * sizeof(float));
  cudaMalloc(&b, 1000 * sizeof(float));
  cudaMalloc(&c, 1000 * sizeof(int));
  cudaMalloc(&d, 1000 * sizeof(int));
  cudaMalloc(&e, 1000 * sizeof(unsigned));
  cudaMalloc(&f, 1000 * sizeof(unsigned));
  cudaMalloc(&g, 1000);
  barrier_in_both_branches<<<1, 64>>>(c, d);
  barrier_under_condition<<<1, 64>>>(a, b);
  barrier_in_uneven_loop<<<1, 64>>>(a, b);
  shuffle_after_return<<<4, 64>>>(a, b, 200);
  shuffle_half_mask<<<1, 32>>>(c, d);
  broadcast_from_idle_lane<<<1, 32>>>(c, d);
  shift_by_thread<<<1, 64>>>(e);
  shift_by_width<<<1, 64>>>(e, f, 0);
  negative_shift<<<1, 64>>>(c, d, 10);
  index_overflow<<<4, 128>>>(a, b, 50000000);
  hash_overflow<<<1, 64>>>(c);
  divide_by_distance<<<1, 64>>>(c, d);
  remainder_of_nothing<<<1, 64>>>(c, d, 8);
  pixel_too_bright<<<1, 64>>>(a, g);
  huge_to_int<<<1, 64>>>(c, 1.0e9f);
  return 0;
}
