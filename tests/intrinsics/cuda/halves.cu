#include <cuda_bf16.h>
#include <cuda_fp16.h>
__global__ void halves(__half* out, const __half* x, __nv_bfloat16* b, __half2* p, float a, int n) {
  int i = threadIdx.x;
  __half h = x[i];
  h = h + __float2half(a);
  h += x[i + 1];
  h = hexp(__hfma(h, h, x[0]));
  if (__hgt(h, __float2half(1.0f))) out[i] = h;
  out[i + 1] = __hmax(h, __int2half_rn(n));
  __nv_bfloat16 q = b[i];
  b[i] = __float2bfloat16(__bfloat162float(q * q) + 1.f);
  __half2 z = __hadd2(p[i], p[i]);
  p[i] = __hfma2(z, z, __float2half2_rn(a));
  p[2].x = h;
  float2 f = __half22float2(z);
  out[2] = (half)(f.x + f.y);
  out[3] = -h;
  out[4] = __half((int)__half2float(h));
}
