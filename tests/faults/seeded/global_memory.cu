// Kernels with one fault each, in global memory: overruns, overlaps between blocks, misaligned accesses.
#include <cuda_runtime.h>

__global__ void tail_one_too_far(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) y[i] = x[i];  // FAULT out_of_bounds
}

__global__ void tail_unguarded(const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = 2.0f * x[i];  // FAULT out_of_bounds
}

__global__ void neighbour_before_start(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 0.5f * (x[i] + x[i - 1]);  // FAULT out_of_bounds
}

__global__ void neighbour_past_end(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float left = x[i];
  y[i] = left - x[i + 1];  // FAULT out_of_bounds
}

__global__ void rows_swapped(const float* x, float* y, int rows, int columns) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && column < columns) {
    float v = x[row * columns + column];
    y[column * columns + row] = v;  // FAULT out_of_bounds
  }
}

__global__ void vector_tail(const float4* x, float4* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (4 * i < n) y[i] = x[i];  // FAULT out_of_bounds
}

__global__ void stride_one_round_more(const float* x, float* y, int n) {
  float sum = 0;
  for (int i = threadIdx.x; i < n + 32; i += blockDim.x) sum += x[i];  // FAULT out_of_bounds
  y[threadIdx.x] = sum;
}

__global__ void one_slot_for_all_blocks(const float* x, float* total) {
  float v = x[blockIdx.x];
  if (threadIdx.x == 0) total[0] = v;  // FAULT race
}

__global__ void blocks_overlap(const int* x, int* y, int chunk) {
  int i = blockIdx.x * chunk + threadIdx.x;
  y[i] = x[i] + blockIdx.x;  // FAULT race
}

__global__ void sum_without_atomic(const float* x, float* total, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) *total += x[i];  // FAULT race
}

__global__ void smooth_in_place(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) {
    x[i] = 0.25f * x[i - 1] + 0.5f * x[i] + 0.25f * x[i + 1];  // FAULT race
  }
}

__global__ void flag_by_all(const float* x, int* found) {
  float v = x[threadIdx.x];
  if (v == v || v != v) *found = 1;  // FAULT benign_race
}

__global__ void misaligned_load(const float* x, float* y) {
  const float4 v = *reinterpret_cast<const float4*>(x + 4 * threadIdx.x + 1);  // FAULT misaligned
  y[threadIdx.x] = v.x + v.y + v.z + v.w;
}

__global__ void misaligned_row(const float* x, float* y, int pitch) {
  const float* row = x + blockIdx.x * pitch;
  float2 pair = reinterpret_cast<const float2*>(row)[threadIdx.x];  // FAULT misaligned
  y[blockIdx.x * 32 + threadIdx.x] = pair.x * pair.y;
}

__global__ void misaligned_store(const float* x, double* y) {
  float* out = reinterpret_cast<float*>(y) + 1;
  reinterpret_cast<double*>(out)[threadIdx.x] = x[threadIdx.x];  // FAULT misaligned
}

int main() {
  const int n = 1000;
  float *a, *b;
  int *c, *d;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMalloc(&c, n * sizeof(int));
  cudaMalloc(&d, n * sizeof(int));
  tail_one_too_far<<<8, 128>>>(a, b, n);
  tail_unguarded<<<8, 128>>>(a, b);
  neighbour_before_start<<<8, 128>>>(a, b, n);
  neighbour_past_end<<<8, 128>>>(a, b, n);
  rows_swapped<<<dim3(4, 1), dim3(16, 16)>>>(a, b, 16, 62);
  vector_tail<<<2, 128>>>((float4*)a, (float4*)b, n + 1);
  stride_one_round_more<<<1, 128>>>(a, b, n);
  one_slot_for_all_blocks<<<8, 32>>>(a, b);
  blocks_overlap<<<8, 64>>>(c, d, 60);
  sum_without_atomic<<<8, 128>>>(a, b, n);
  smooth_in_place<<<8, 128>>>(a, n);
  flag_by_all<<<1, 128>>>(a, c);
  misaligned_load<<<1, 64>>>(a, b);
  misaligned_row<<<4, 32>>>(a, b, 101);
  double* e;
  cudaMalloc(&e, 1000 * sizeof(double));
  misaligned_store<<<1, 64>>>(a, e);
  return 0;
}
