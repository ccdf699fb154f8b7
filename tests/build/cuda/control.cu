__device__ int find(const int* a, int n, int key) {
  for (int i = 0; i < n; i++) {
    if (a[i] == key) return i;
    if (a[i] < 0) continue;
    if (a[i] > 100) break;
  }
  return -1;
}
__device__ float grade(float x) {
  if (x < 0) return 0;
  if (x > 1) return 1;
  return x;
}
__global__ void control(int* a, float* f, int n) {
  switch (n) {
    case 1: a[0] = 1;
    case 2: a[1] = 2; break;
    case 5: if (a[2]) break; a[3] = 3; break;
    default: a[4] = 4;
  }
  do { n--; } while (n > 3);
  for (;;) { if (n++ > 9) break; }
  int i = 0;
  for (; i < n;) i += 2;
#pragma unroll 4
  for (int k = 0; k < 8; k++) f[k] = grade(f[k]);
  f[i] = find(a, n, 3);
}
