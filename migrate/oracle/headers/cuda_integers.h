// Integer, bit and conversion intrinsics (CUDA math API, "Integer Intrinsics", "Type Casting Intrinsics").
#pragma once
static inline int __popc(unsigned x) { return __builtin_popcount(x); }
static inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
static inline int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
static inline int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
static inline int __ffs(int x) { return __builtin_ffs(x); }
static inline int __ffsll(long long x) { return __builtin_ffsll(x); }
static inline unsigned __brev(unsigned x) {
  x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
  x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
  return __builtin_bswap32(x);
}
static inline unsigned long long __brevll(unsigned long long x) {
  return (unsigned long long)__brev((unsigned)x) << 32 | __brev((unsigned)(x >> 32));
}
static inline int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
static inline unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((unsigned long long)a * b >> 32); }
static inline long long __mul64hi(long long a, long long b) { return (long long)((__int128)a * b >> 64); }
static inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) { return (unsigned long long)((unsigned __int128)a * b >> 64); }
static inline int oracle_low24(int x) { return (int)((unsigned)x << 8) >> 8; }
static inline int __mul24(int a, int b) { return (int)((long long)oracle_low24(a) * oracle_low24(b)); }
static inline unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffffu) * (b & 0xffffffu); }
static inline int mul24(int a, int b) { return __mul24(a, b); }
static inline unsigned umul24(unsigned a, unsigned b) { return __umul24(a, b); }
static inline int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
static inline int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
static inline unsigned __uhadd(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a + b) >> 1); }
static inline unsigned __urhadd(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a + b + 1) >> 1); }
static inline unsigned __sad(int a, int b, unsigned c) { return c + (unsigned)(a > b ? (long long)a - b : (long long)b - a); }
static inline unsigned __usad(unsigned a, unsigned b, unsigned c) { return c + (a > b ? a - b : b - a); }
static inline unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
  unsigned long long bytes = a | (unsigned long long)b << 32;
  unsigned result = 0;
  for (int i = 0; i < 4; i++) {
    unsigned pick = selector >> (4 * i) & 7;  // CUDA masks the selectors; only PTX's prmt knows the sign bit
    result |= ((unsigned)(bytes >> (8 * pick)) & 255) << (8 * i);
  }
  return result;
}
static inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) { shift &= 31; return shift ? high << shift | low >> (32 - shift) : high; }
static inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) { shift &= 31; return shift ? low >> shift | high << (32 - shift) : low; }
static inline unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) { return shift >= 32 ? low : __funnelshift_l(low, high, shift); }
static inline unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) { return shift >= 32 ? high : __funnelshift_r(low, high, shift); }
static inline int __dp4a(int a, int b, int c) {
  unsigned sum = (unsigned)c;
  for (int i = 0; i < 4; i++) sum += (unsigned)((int)(signed char)((unsigned)a >> 8 * i) * (int)(signed char)((unsigned)b >> 8 * i));
  return (int)sum;
}
static inline unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  for (int i = 0; i < 4; i++) c += (a >> 8 * i & 255) * (b >> 8 * i & 255);
  return c;
}
static inline int __dp4a(char4 a, char4 b, int c) {
  return (int)((unsigned)c + (unsigned)(a.x * b.x) + (unsigned)(a.y * b.y) + (unsigned)(a.z * b.z) + (unsigned)(a.w * b.w));
}

template <class T, class F> static inline T oracle_bits(F from) {
  static_assert(sizeof(T) == sizeof(F), "sizes differ");
  T to;
  __builtin_memcpy((void*)&to, (const void*)&from, sizeof to);
  return to;
}
static inline int __float_as_int(float x) { return oracle_bits<int>(x); }
static inline unsigned __float_as_uint(float x) { return oracle_bits<unsigned>(x); }
static inline float __int_as_float(int x) { return oracle_bits<float>(x); }
static inline float __uint_as_float(unsigned x) { return oracle_bits<float>(x); }
static inline long long __double_as_longlong(double x) { return oracle_bits<long long>(x); }
static inline double __longlong_as_double(long long x) { return oracle_bits<double>(x); }
static inline int __double2loint(double x) { return (int)(unsigned)oracle_bits<unsigned long long>(x); }
static inline int __double2hiint(double x) { return (int)(unsigned)(oracle_bits<unsigned long long>(x) >> 32); }
static inline double __hiloint2double(int high, int low) { return oracle_bits<double>((unsigned long long)(unsigned)high << 32 | (unsigned)low); }

// Float to integer: saturating; NaN gives 0, or the highest bit alone where a double or a 64-bit integer takes part (cvt
// in the PTX ISA; seen on an H200).
template <class I, class F> static inline I oracle_saturate(F x) {
  if (x != x) return sizeof(I) == 8 || sizeof(F) == 8 ? (I)((unsigned long long)1 << (8 * sizeof(I) - 1)) : (I)0;
  const F limit = (F)((unsigned long long)1 << (8 * sizeof(I) - 2)) * (std::is_signed<I>::value ? (F)2 : (F)4);
  if (x >= limit) return std::numeric_limits<I>::max();
  if (std::is_signed<I>::value ? x < -limit : x <= (F)0) return std::numeric_limits<I>::min();
  return (I)x;
}
static inline float oracle_nearest(float x) { return rintf(x); }
static inline double oracle_nearest(double x) { return rint(x); }
#define ORACLE_TO_INTEGER(FROM, F, TO, I)                                                    \
  static inline I __##FROM##2##TO##_rn(F x) { return oracle_saturate<I>(oracle_nearest(x)); } \
  static inline I __##FROM##2##TO##_rz(F x) { return oracle_saturate<I>(trunc(x)); }          \
  static inline I __##FROM##2##TO##_rd(F x) { return oracle_saturate<I>(floor(x)); }          \
  static inline I __##FROM##2##TO##_ru(F x) { return oracle_saturate<I>(ceil(x)); }
ORACLE_TO_INTEGER(float, float, int, int)
ORACLE_TO_INTEGER(float, float, uint, unsigned)
ORACLE_TO_INTEGER(float, float, ll, long long)
ORACLE_TO_INTEGER(float, float, ull, unsigned long long)
ORACLE_TO_INTEGER(double, double, int, int)
ORACLE_TO_INTEGER(double, double, uint, unsigned)
ORACLE_TO_INTEGER(double, double, ll, long long)
ORACLE_TO_INTEGER(double, double, ull, unsigned long long)
#undef ORACLE_TO_INTEGER
static inline float __int2float_rn(int x) { return (float)x; }
static inline float __uint2float_rn(unsigned x) { return (float)x; }
static inline float __ll2float_rn(long long x) { return (float)x; }
static inline float __ull2float_rn(unsigned long long x) { return (float)x; }
static inline double __int2double_rn(int x) { return (double)x; }
static inline double __uint2double_rn(unsigned x) { return (double)x; }
static inline double __ll2double_rn(long long x) { return (double)x; }
static inline double __ull2double_rn(unsigned long long x) { return (double)x; }
static inline float __double2float_rn(double x) { return (float)x; }

// Clocks give a growing count: kernels that store them have no comparable result (feature "clock").
typedef long oracle_clock_t;
static long long oracle_ticks;
static inline long long clock64() { return ++oracle_ticks; }
static inline oracle_clock_t clock() { return (oracle_clock_t)++oracle_ticks; }
static inline unsigned long long __globaltimer() { return (unsigned long long)++oracle_ticks; }
#define clock_t oracle_clock_t
