#include <cfloat>
__device__ float warp_max(float v) {
  for (int o = 16; o > 0; o >>= 1) v = fmaxf(v, __shfl_xor_sync(0xffffffff, v, o));
  return v;
}
template <typename T> __global__ void softmax(T* out, const T* inp, int rows, int cols) {
  int lane = threadIdx.x % 32;
  int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  if (row >= rows) return;
  const T* x = inp + row * cols;
  float m = -FLT_MAX;
  for (int i = lane; i < cols; i += 32) m = fmaxf(m, x[i]);
  m = warp_max(m);
  for (int i = lane; i < cols; i += 32) out[row * cols + i] = expf(x[i] - m);
}
void launch(float* a, float* b) { softmax<float><<<1, 32>>>(a, b, 1, 1); }
