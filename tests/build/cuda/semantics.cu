struct V2 { int a; short b; unsigned char c; float f; };
__device__ int early(const int* p, int n, int limit) {
  int acc = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) {
      if (p[j] > limit) return acc + j;
      if (p[j] == 7) break;
      acc += (p[j] & 0xff) * (j + 1);
    }
    if ((acc & 1023) > 900) return -acc;
  }
  return acc;
}
__global__ void semantics(const int* in, int* out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n) return;
  V2 v; v.a = in[t]; v.b = in[t] >> 3; v.c = in[t] * 3; v.f = v.b * 0.25f;
  V2 w = v; w.b += w.c; w.c -= v.a;
  int r = w.b ^ w.c ^ (int)w.f;
  switch (in[t] & 7) { case 0: r += 1; case 1: r += 2; break; case 2: case 3: r *= 3; if (r & 1) break; r += 5; default: r -= 4; }
  unsigned u = in[t]; u = (u << 5) | (u >> 27); r += u;
  long long k = (long long)in[t] * in[n - 1 - t]; r += (int)(k >> 7);
  int i = in[t] & 3, j = i++ + 2; r += i * 10 + j--; r -= j;
  bool b = r & 1; r += b ? ~r >> 2 : !r; r += (in[t] > 5 && i++ > 1) || j > 3; r += i;
  int arr[4] = {1, 2, 3}; arr[in[t] & 3] += r; for (int& e : arr) e *= 2; r = arr[0] + arr[1] * arr[2] - arr[3];
  do { r = r / 3; if (r % 5 == 2) continue; } while (r > 100);
  char c8 = r; unsigned short us = c8; r += us + c8;
  int* q = out + t; *q = r + early(in, n < 6 ? n : 6, 50); q[0] ^= 1;
}
