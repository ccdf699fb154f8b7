__global__ void pointers(const float* x, float* y, int n, bool flip) {
  const float* p = x + n;
  const float* row = &x[blockIdx.x * n];
  float total = 0;
  for (int i = 0; i < n; i++) total += *p++ * row[i];
  const float* q = flip ? x : y;
  total += q[1];
  float* front = y;
  float* back = y + 1;
  if (flip) { float* t = front; front = back; back = t; }
  front[0] = total;
  int d = p - x;
  if (y != nullptr && p > x) back[d] = 1;
  float v = 2, *local = &v;
  *local += 1;
  y[2] = v;
}
