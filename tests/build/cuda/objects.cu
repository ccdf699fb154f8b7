template<class T, class... R> __device__ T sum(T a, R... r){ if constexpr (sizeof...(r)==0) return a; else return a + sum(r...); }
struct Acc { float total; int count; __device__ void add(float v) { total += v; count++; } __device__ float mean() const { return count ? total / count : 0.f; } };
__device__ Acc merge(Acc a, const Acc& b) { Acc r; r.total = a.total + b.total; r.count = a.count + b.count; return r; }
__device__ void order(float& a, float& b) { if (a > b) { float t = a; a = b; b = t; } }
__global__ void more(float* g, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x; if (t >= n) return;
  Acc a{}; Acc b = a; for (int i = 0; i <= t % 4; ++i) { a.add(g[t]); b.add(i); }
  Acc m = merge(a, b); float v = m.mean() + sum(1.f, g[t], 2.f);
  float loc[3][2] = {}; loc[t % 3][1] = v; float (*p2)[2] = loc; float* pr = loc[1]; v += p2[1][1] + pr[0];
  union { float f; unsigned u; } cv; cv.f = v; cv.u ^= 1u; v = cv.f;
  float lo = v, hi = g[t]; order(lo, hi);
  auto scale = [=](float x) { return x * hi; }; hi = 3; v = scale(lo) + hi;
  int x = 5, k = t; int& r = t % 2 ? x : k; r += 7; v += x - k;
  float4 q = make_float4(v, lo, hi, 1); q.y = q.x; float* qs = &q.x; v += qs[t & 3];
  unsigned long long key = ((unsigned long long)t << 32) | __float_as_uint(v); v += (float)(key >> 35);
  g[t] = v;
}
__global__ void swapper(float* a, float* b, int n) {
  float *s = a, *d = b;
  for (int i = 0; i < 3; ++i) { if (threadIdx.x < n) d[threadIdx.x] = s[threadIdx.x] * 2 + i; float* x = s; s = d; d = x; }
}
