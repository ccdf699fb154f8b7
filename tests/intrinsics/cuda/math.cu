#include <algorithm>
#include <cmath>
__global__ void elementary(float* out, const float* x, const double* d, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = __ldg(&x[i]);
  float s, c;
  sincosf(v, &s, &c);
  out[i] = expf(v) + std::max(v, 0.5f) + fmaxf(s, c) + (float)pow(v, 2) + abs(v) + (isnan(v) ? 1.f : 0.f);
  out[i + n] = __expf(v) + rsqrtf(v) + __fdividef(v, 3.f) + roundf(v) + (float)fma(d[i], d[i], 1.0);
  unsigned bits = __float_as_uint(v);
  out[i] += __popc(bits) + __clz(bits) + __byte_perm(bits, bits, 0x0123) + min((int)bits, n) + __float2int_rn(v);
}
