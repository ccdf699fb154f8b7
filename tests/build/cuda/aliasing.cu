__device__ float twice(const float* p, int i) { float v = p[i]; return v + v; }
struct P { float x, y; };
__global__ void alias(float* out, const float* in, P* q, const P* r, int n) {
  int i = threadIdx.x;
  float v = twice(in, i);
  out[i] = 1;
  out[i + n] = v + in[i];
  q[i] = P{r[i].y, r[i].x};
  q[i + n] = r[i];
  *(float4*)(out + 4 * i) = *(const float4*)(in + 4 * i);
}
