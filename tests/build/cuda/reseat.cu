__global__ void reseat(float* out, const float* inp, int n, int c) {
  const float* x = inp + blockIdx.x * c;
  float m = 0;
  for (int i = threadIdx.x; i < c; i += blockDim.x) m += x[i];
  x = out + blockIdx.x * c;
  float s = 0;
  for (int i = threadIdx.x; i < c; i += blockDim.x) { s += *x; x += 1; }
  const float* late; if (n > 2) late = inp; else late = out;
  const float* p = nullptr; p = inp + 1;
  for (int k = 0; k < 2; k++) { s += p[k]; if (k == 0) p = out; }
  out[blockIdx.x] = m + s + late[0];
}
