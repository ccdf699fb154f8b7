__global__ void promotions(unsigned char* u8, short* s16, long long* s64, float* f, double* d, int n) {
  u8[0] += n;
  u8[1]++;
  s16[0] = s16[1] * s16[2];
  s64[0] = n * s64[1] + threadIdx.x;
  f[0] = f[1] * 0.5;
  f[2] = n / 2 + n % 3;
  d[0] = f[1] > n ? f[1] : n;
  f[3] = -n >> 1 | ~n;
  bool b = n;
  u8[2] = !b && f[0];
  s64[2] = 1u << n;
  f[4] = 'a' + true;
}
