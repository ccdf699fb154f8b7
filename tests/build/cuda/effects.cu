__device__ int bump(int* p) { *p += 1; return *p; }
__global__ void effects(int* a, int* b, int n) {
  int i = 0;
  a[i++] = b[i];
  int j = i++ + i;
  if (i < n && (j = b[i]) > 0) a[j] = bump(&i);
  int k = n > 3 ? a[i++] : b[0];
  while (i-- > 0) k += i;
  a[0] = (k++, k + 1);
  a[1] = b[2] = k;
}
