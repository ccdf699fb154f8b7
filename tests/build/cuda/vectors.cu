#define FLOAT4(value) (reinterpret_cast<float4*>(&(value))[0])
__global__ void vectors(float* a, float* b, int n) {
  int i = 4 * threadIdx.x;
  float4 v = FLOAT4(a[i]);
  v.x += v.w;
  FLOAT4(b[i]) = v;
  ((int4*)b)[i + n] = *(int4*)&a[0];
  float* parts = (float*)&v;
  for (int k = 0; k < 4; k++) b[k] = parts[k];
}
