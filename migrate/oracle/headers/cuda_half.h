// half and bfloat16: 16 bits of storage; every operation is computed exactly enough in float or double and rounded once
// (docs/semantics.md, Floating point). Names: cuda_fp16.h and cuda_bf16.h of the CUDA math API.
#pragma once

// Rounds a finite or special double to a 16-bit format with `M` stored mantissa bits and `E` exponent bits.
// mode: 0 nearest even, 1 toward zero, 2 down, 3 up.
template <int M, int E> static inline uint16_t oracle_to_16(double value, int mode) {
  uint64_t bits;
  __builtin_memcpy(&bits, &value, 8);
  const uint16_t sign = (uint16_t)(bits >> 63 << 15), infinite = (uint16_t)(((1 << E) - 1) << M);
  const int bias = (1 << (E - 1)) - 1;
  int exponent = (int)(bits >> 52 & 0x7ff);
  uint64_t mantissa = bits & 0xfffffffffffffull;
  if (exponent == 0x7ff) return mantissa ? (uint16_t)0x7fff : (uint16_t)(sign | infinite);
  if (exponent == 0 && mantissa == 0) return sign;
  if (exponent == 0) return (mode == 2 && sign) || (mode == 3 && !sign) ? (uint16_t)(sign | 1) : sign;  // far below the format
  mantissa |= 1ull << 52;
  int target = exponent - 1023 + bias;                 // biased exponent in the format
  int drop = 52 - M + (target < 1 ? 1 - target : 0);   // bits to round away
  if (drop > 54) { drop = 54; mantissa = 1; }           // only "less than half of the smallest" is left
  uint64_t kept = mantissa >> drop, rest = mantissa & ((1ull << drop) - 1), half = 1ull << (drop - 1);
  bool up = mode == 0 ? rest > half || (rest == half && (kept & 1)) : mode == 2 ? sign && rest : mode == 3 ? !sign && rest : false;
  kept += up;
  // kept carries the hidden bit: adding it to the exponent field makes the carry come out right.
  uint64_t result = target < 1 ? kept : kept + ((uint64_t)(target - 1) << M);
  if (result >= infinite) {
    bool largest = mode == 1 || (mode == 2 && !sign) || (mode == 3 && sign);
    return (uint16_t)(sign | (largest ? infinite - 1 : infinite));
  }
  return (uint16_t)(sign | result);
}
static inline float oracle_half_value(uint16_t h) {
  uint32_t sign = (uint32_t)(h & 0x8000) << 16, exponent = h >> 10 & 31, mantissa = h & 0x3ff, bits;
  if (exponent == 31) bits = sign | 0x7f800000u | mantissa << 13;
  else if (exponent) bits = sign | (exponent + 112) << 23 | mantissa << 13;
  else {
    float small = (float)mantissa * 0x1p-24f;
    __builtin_memcpy(&bits, &small, 4);
    bits |= sign;
  }
  float value;
  __builtin_memcpy(&value, &bits, 4);
  return value;
}
static inline uint16_t oracle_half_bits(float value) {  // nearest even, the common case, without the general routine
  uint32_t bits;
  __builtin_memcpy(&bits, &value, 4);
  uint16_t sign = (uint16_t)(bits >> 16 & 0x8000);
  bits &= 0x7fffffff;
  if (bits > 0x7f800000u) return 0x7fff;
  if (bits >= 0x477ff000u) return (uint16_t)(sign | 0x7c00);
  if (bits < 0x38800000u) return oracle_to_16<10, 5>((double)value, 0);
  bits -= 0x38000000u;
  bits += 0xfff + (bits >> 13 & 1);
  return (uint16_t)(sign | bits >> 13);
}
static inline float oracle_bfloat_value(uint16_t h) {
  uint32_t bits = (uint32_t)h << 16;
  float value;
  __builtin_memcpy(&value, &bits, 4);
  return value;
}
static inline uint16_t oracle_bfloat_bits(float value) {
  uint32_t bits;
  __builtin_memcpy(&bits, &value, 4);
  if ((bits & 0x7fffffff) > 0x7f800000u) return 0x7fff;
  bits += 0x7fff + (bits >> 16 & 1);
  return (uint16_t)(bits >> 16);
}
static inline uint16_t oracle_half_from_double(double v, int mode) { return oracle_to_16<10, 5>(v, mode); }
static inline uint16_t oracle_bfloat_from_double(double v, int mode) { return oracle_to_16<7, 8>(v, mode); }

// a*b+c in double, rounded to odd: the product is exact (at most 22 bits), the sum's lost part decides the last bit, so
// that the second rounding cannot be fooled by a tie that was none.
static inline double oracle_fused(float a, float b, float c) {
  double product = (double)a * (double)b, addend = c, sum = product + addend;
  double back = sum - product, lost = (product - (sum - back)) + (addend - back);
  uint64_t bits;
  __builtin_memcpy(&bits, &sum, 8);
  if (lost != 0.0 && lost == lost && sum == sum && sum - sum == 0.0 && !(bits & 1)) {
    bits += (lost > 0) == (sum > 0) ? 1 : -1;
    __builtin_memcpy(&sum, &bits, 8);
  }
  return sum;
}

#define ORACLE_16_BIT(H, H2, RAW, VALUE, BITS, FROM_DOUBLE)                                                            \
  struct RAW { unsigned short x; };                                                                                    \
  struct RAW##_pair { unsigned short x, y; };                                                                          \
  struct __attribute__((may_alias)) H {                                                                                \
    uint16_t x;                                                                                                        \
    H() = default;                                                                                                     \
    H(RAW raw) : x(raw.x) {}                                                                                           \
    H(float v) : x(BITS(v)) {}                                                                                         \
    H(double v) : x(FROM_DOUBLE(v, 0)) {}                                                                              \
    template <class I, typename std::enable_if<std::is_integral<I>::value, int>::type = 0> H(I v) : x(FROM_DOUBLE((double)v, 0)) {} \
    operator float() const { return VALUE(x); }                                                                        \
    operator RAW() const { return RAW{x}; }                                                                            \
    H& operator+=(H o) { return *this = H((float)*this + (float)o); }                                                  \
    H& operator-=(H o) { return *this = H((float)*this - (float)o); }                                                  \
    H& operator*=(H o) { return *this = H((float)*this * (float)o); }                                                  \
    H& operator/=(H o) { return *this = H((float)*this / (float)o); }                                                  \
    H& operator++() { return *this = H((float)*this + 1.0f); }                                                         \
    H& operator--() { return *this = H((float)*this - 1.0f); }                                                         \
  };                                                                                                                   \
  struct __attribute__((may_alias, aligned(4))) H2 {                                                                   \
    H x, y;                                                                                                            \
    H2() = default;                                                                                                    \
    H2(H a, H b) : x(a), y(b) {}                                                                                       \
  };                                                                                                                   \
  static inline H operator+(H a, H b) { return H((float)a + (float)b); }                                               \
  static inline H operator-(H a, H b) { return H((float)a - (float)b); }                                               \
  static inline H operator*(H a, H b) { return H((float)a * (float)b); }                                               \
  static inline H operator/(H a, H b) { return H((float)a / (float)b); }                                               \
  static inline H operator-(H a) { a.x ^= 0x8000; return a; }                                                          \
  static inline H operator+(H a) { return a; }                                                                         \
  static inline bool operator<(H a, H b) { return (float)a < (float)b; }                                               \
  static inline bool operator>(H a, H b) { return (float)a > (float)b; }                                               \
  static inline bool operator<=(H a, H b) { return (float)a <= (float)b; }                                             \
  static inline bool operator>=(H a, H b) { return (float)a >= (float)b; }                                             \
  static inline bool operator==(H a, H b) { return (float)a == (float)b; }                                             \
  static inline bool operator!=(H a, H b) { return (float)a != (float)b; }                                             \
  ORACLE_PAIRWISE(H2, operator+, a.x + b.x, a.y + b.y) ORACLE_PAIRWISE(H2, operator-, a.x - b.x, a.y - b.y)            \
  ORACLE_PAIRWISE(H2, operator*, a.x * b.x, a.y * b.y) ORACLE_PAIRWISE(H2, operator/, a.x / b.x, a.y / b.y)            \
  static inline H2 operator-(H2 a) { return H2(-a.x, -a.y); }                                                          \
  static inline H2& operator+=(H2& a, H2 b) { return a = a + b; }                                                      \
  static inline H2& operator-=(H2& a, H2 b) { return a = a - b; }                                                      \
  static inline H2& operator*=(H2& a, H2 b) { return a = a * b; }                                                      \
  static inline H2& operator/=(H2& a, H2 b) { return a = a / b; }                                                      \
  static inline H __hadd(H a, H b) { return a + b; }                                                                   \
  static inline H __hsub(H a, H b) { return a - b; }                                                                   \
  static inline H __hmul(H a, H b) { return a * b; }                                                                   \
  static inline H __hdiv(H a, H b) { return a / b; }                                                                   \
  static inline H __hadd_rn(H a, H b) { return a + b; }                                                                \
  static inline H __hsub_rn(H a, H b) { return a - b; }                                                                \
  static inline H __hmul_rn(H a, H b) { return a * b; }                                                                \
  static inline H __hadd_sat(H a, H b) { return H(__saturatef(a + b)); }                                               \
  static inline H __hmul_sat(H a, H b) { return H(__saturatef(a * b)); }                                               \
  static inline H __hneg(H a) { return -a; }                                                                           \
  static inline H __habs(H a) { a.x &= 0x7fff; return a; }                                                             \
  static inline H __hfma(H a, H b, H c) { H r; r.x = FROM_DOUBLE(oracle_fused(a, b, c), 0); return r; }                \
  static inline H __hfma_relu(H a, H b, H c) { H r = __hfma(a, b, c); return (float)r > 0.0f || (float)r != (float)r ? r : H(0.0f); } \
  static inline H __hmax(H a, H b) { return H(fmaxf(a, b)); }                                                          \
  static inline H __hmin(H a, H b) { return H(fminf(a, b)); }                                                          \
  static inline bool __hgt(H a, H b) { return a > b; }                                                                 \
  static inline bool __hlt(H a, H b) { return a < b; }                                                                 \
  static inline bool __hge(H a, H b) { return a >= b; }                                                                \
  static inline bool __hle(H a, H b) { return a <= b; }                                                                \
  static inline bool __heq(H a, H b) { return a == b; }                                                                \
  static inline bool __hne(H a, H b) { return (float)a < (float)b || (float)a > (float)b; }                            \
  static inline bool __hisnan(H a) { return (float)a != (float)a; }                                                    \
  static inline int __hisinf(H a) { float v = a; return v == INFINITY ? 1 : v == -INFINITY ? -1 : 0; }                 \
  ORACLE_PAIRWISE(H2, __hadd2, a.x + b.x, a.y + b.y) ORACLE_PAIRWISE(H2, __hsub2, a.x - b.x, a.y - b.y)                \
  ORACLE_PAIRWISE(H2, __hmul2, a.x * b.x, a.y * b.y) ORACLE_PAIRWISE(H2, __h2div, a.x / b.x, a.y / b.y)                \
  ORACLE_PAIRWISE(H2, __hadd2_rn, a.x + b.x, a.y + b.y) ORACLE_PAIRWISE(H2, __hmul2_rn, a.x * b.x, a.y * b.y)          \
  ORACLE_PAIRWISE(H2, __hmax2, __hmax(a.x, b.x), __hmax(a.y, b.y)) ORACLE_PAIRWISE(H2, __hmin2, __hmin(a.x, b.x), __hmin(a.y, b.y)) \
  static inline H2 __hfma2(H2 a, H2 b, H2 c) { return H2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)); }              \
  static inline H2 __hneg2(H2 a) { return H2(-a.x, -a.y); }                                                            \
  static inline H2 __habs2(H2 a) { return H2(__habs(a.x), __habs(a.y)); }                                              \
  static inline bool __hbeq2(H2 a, H2 b) { return a.x == b.x && a.y == b.y; }                                          \
  ORACLE_INEXACT(H, H2, exp, INFINITY, ORACLE_LIBM(expf)(v)) ORACLE_INEXACT(H, H2, exp2, INFINITY, ORACLE_LIBM(exp2f)(v))\
  ORACLE_INEXACT(H, H2, exp10, INFINITY, ORACLE_LIBM(exp10f)(v)) ORACLE_INEXACT(H, H2, log, INFINITY, ORACLE_LIBM(logf)(v))\
  ORACLE_INEXACT(H, H2, log2, INFINITY, ORACLE_LIBM(log2f)(v)) ORACLE_INEXACT(H, H2, log10, INFINITY, ORACLE_LIBM(log10f)(v))\
  ORACLE_INEXACT(H, H2, sin, 1.0f, ORACLE_LIBM(sinf)(v)) ORACLE_INEXACT(H, H2, cos, 1.0f, ORACLE_LIBM(cosf)(v))        \
  ORACLE_THROUGH_FLOAT(H, H2, sqrt, sqrtf(v)) ORACLE_INEXACT(H, H2, rsqrt, INFINITY, 1.0f / sqrtf(v))                  \
  ORACLE_INEXACT(H, H2, rcp, INFINITY, 1.0f / v) ORACLE_INEXACT(H, H2, tanh, 1.0f, ORACLE_LIBM(tanhf)(v))              \
  ORACLE_THROUGH_FLOAT(H, H2, floor, floorf(v)) ORACLE_THROUGH_FLOAT(H, H2, ceil, ceilf(v))                            \
  ORACLE_THROUGH_FLOAT(H, H2, trunc, truncf(v)) ORACLE_THROUGH_FLOAT(H, H2, rint, rintf(v))                            \
  ORACLE_TANH_APPROX(H)                                                                                                \
  static inline H atomicAdd(H* p, H v) { return oracle_update(p, [v](H a) { return a + v; }); }                        \
  static inline H2 atomicAdd(H2* p, H2 v) { H2 old; old.x = atomicAdd(&p->x, v.x); old.y = atomicAdd(&p->y, v.y); return old; }
#define ORACLE_PAIRWISE(H2, NAME, FIRST, SECOND) static inline H2 NAME(H2 a, H2 b) { return H2(FIRST, SECOND); }
#define ORACLE_THROUGH_FLOAT(H, H2, NAME, EXPRESSION)                                                                  \
  static inline H h##NAME(H a) { float v = a; return H(EXPRESSION); }                                                  \
  static inline H2 h2##NAME(H2 a) { return H2(h##NAME(a.x), h##NAME(a.y)); }
#ifdef ORACLE_PERTURB
#define ORACLE_LIBM(NAME) oracle_libm_##NAME
// MOST: the largest magnitude that the function has.
#define ORACLE_INEXACT(H, H2, NAME, MOST, EXPRESSION)                                                                  \
  static inline H h##NAME(H a) {                                                                                       \
    float v = a;                                                                                                       \
    H r = H(EXPRESSION);                                                                                               \
    r.x = oracle_moved_16(r.x, a.x, H(MOST).x, std::is_same<H, __half>::value ? 0x7bff : 0x7f7f);                      \
    return r;                                                                                                          \
  }                                                                                                                    \
  static inline H2 h2##NAME(H2 a) { return H2(h##NAME(a.x), h##NAME(a.y)); }
// tanh.approx.f16 and tanh.approx.bf16 of the PTX ISA
#define ORACLE_TANH_APPROX(H)                                                                                          \
  static inline H htanh_approx(H a) { return H(oracle_moved_around(oracle_libm_tanhf((float)a), std::is_same<H, __half>::value ? 0x1.0252p-11f : 0x1p-8f, a.x)); }
#else
#define ORACLE_LIBM(NAME) NAME
#define ORACLE_INEXACT(H, H2, NAME, MOST, EXPRESSION) ORACLE_THROUGH_FLOAT(H, H2, NAME, EXPRESSION)
#define ORACLE_TANH_APPROX(H) static inline H htanh_approx(H a) { return htanh(a); }
#endif
ORACLE_16_BIT(__half, __half2, __half_raw, oracle_half_value, oracle_half_bits, oracle_half_from_double)
ORACLE_16_BIT(__nv_bfloat16, __nv_bfloat162, __nv_bfloat16_raw, oracle_bfloat_value, oracle_bfloat_bits, oracle_bfloat_from_double)
typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

// Comparisons of pairs: 1.0 or 0.0 an element.
#define ORACLE_COMPARE_PAIR(NAME, OP)                                                                                  \
  static inline __half2 NAME(__half2 a, __half2 b) { return __half2(a.x OP b.x ? 1.0f : 0.0f, a.y OP b.y ? 1.0f : 0.0f); } \
  static inline __nv_bfloat162 NAME(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(a.x OP b.x ? 1.0f : 0.0f, a.y OP b.y ? 1.0f : 0.0f); }
ORACLE_COMPARE_PAIR(__hgt2, >) ORACLE_COMPARE_PAIR(__hge2, >=) ORACLE_COMPARE_PAIR(__hlt2, <)
ORACLE_COMPARE_PAIR(__hle2, <=) ORACLE_COMPARE_PAIR(__heq2, ==)

// Conversions. NAME: half or bfloat16 as it stands in the function names.
#define ORACLE_CONVERSIONS(H, H2, NAME, FROM_DOUBLE)                                                                   \
  static inline H oracle_make_##NAME(uint16_t bits) { H h; h.x = bits; return h; }                                     \
  static inline H __float2##NAME(float v) { return H(v); }                                                             \
  static inline H __float2##NAME##_rn(float v) { return H(v); }                                                        \
  static inline H __float2##NAME##_rz(float v) { return oracle_make_##NAME(FROM_DOUBLE(v, 1)); }                       \
  static inline H __float2##NAME##_rd(float v) { return oracle_make_##NAME(FROM_DOUBLE(v, 2)); }                       \
  static inline H __float2##NAME##_ru(float v) { return oracle_make_##NAME(FROM_DOUBLE(v, 3)); }                       \
  static inline H __double2##NAME(double v) { return H(v); }                                                           \
  static inline float __##NAME##2float(H h) { return (float)h; }                                                       \
  static inline H __int2##NAME##_rn(int v) { return H(v); }                                                            \
  static inline H __uint2##NAME##_rn(unsigned v) { return H(v); }                                                      \
  static inline H __short2##NAME##_rn(short v) { return H(v); }                                                        \
  static inline H __ushort2##NAME##_rn(unsigned short v) { return H(v); }                                              \
  static inline H __ll2##NAME##_rn(long long v) { return H(v); }                                                       \
  static inline H __ull2##NAME##_rn(unsigned long long v) { return H(v); }                                             \
  static inline int __##NAME##2int_rn(H h) { return __float2int_rn(h); }                                               \
  static inline int __##NAME##2int_rz(H h) { return __float2int_rz(h); }                                               \
  static inline int __##NAME##2int_rd(H h) { return __float2int_rd(h); }                                               \
  static inline int __##NAME##2int_ru(H h) { return __float2int_ru(h); }                                               \
  static inline unsigned __##NAME##2uint_rn(H h) { return __float2uint_rn(h); }                                        \
  static inline unsigned __##NAME##2uint_rz(H h) { return __float2uint_rz(h); }                                        \
  static inline H __ushort_as_##NAME(unsigned short v) { return oracle_make_##NAME(v); }                               \
  static inline H __short_as_##NAME(short v) { return oracle_make_##NAME((unsigned short)v); }                         \
  static inline unsigned short __##NAME##_as_ushort(H h) { return h.x; }                                               \
  static inline short __##NAME##_as_short(H h) { return (short)h.x; }                                                  \
  static inline float __low2float(H2 h) { return h.x; }                                                                \
  static inline float __high2float(H2 h) { return h.y; }                                                               \
  static inline H __low2##NAME(H2 h) { return h.x; }                                                                   \
  static inline H __high2##NAME(H2 h) { return h.y; }                                                                  \
  static inline H2 __##NAME##2##NAME##2(H h) { return H2(h, h); }                                                      \
  static inline H2 __halves2##NAME##2(H a, H b) { return H2(a, b); }                                                   \
  static inline H2 __float2##NAME##2_rn(float v) { return H2(H(v), H(v)); }                                            \
  static inline H2 __floats2##NAME##2_rn(float a, float b) { return H2(H(a), H(b)); }                                  \
  static inline H2 __float22##NAME##2_rn(float2 v) { return H2(H(v.x), H(v.y)); }                                      \
  static inline float2 __##NAME##22float2(H2 h) { return make_float2(h.x, h.y); }                                      \
  static inline H2 __low2##NAME##2(H2 h) { return H2(h.x, h.x); }                                                      \
  static inline H2 __high2##NAME##2(H2 h) { return H2(h.y, h.y); }                                                     \
  static inline H2 __lowhigh2highlow(H2 h) { return H2(h.y, h.x); }                                                    \
  static inline H2 __lows2##NAME##2(H2 a, H2 b) { return H2(a.x, b.x); }                                               \
  static inline H2 __highs2##NAME##2(H2 a, H2 b) { return H2(a.y, b.y); }
ORACLE_CONVERSIONS(__half, __half2, half, oracle_half_from_double)
ORACLE_CONVERSIONS(__nv_bfloat16, __nv_bfloat162, bfloat16, oracle_bfloat_from_double)
static inline __half2 make_half2(__half a, __half b) { return __half2(a, b); }
static inline __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat162(a, b); }
#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7C00U)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000U)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3C00U)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7BFFU)
#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7F80U)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000U)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3F80U)

// Comparisons that are true with NaN (u), of pairs as one bool (hb), clamped forms and the rest of the math API.
#define ORACLE_COMPARE_16(H, H2, NAME, ORDERED, UNORDERED)                                                             \
  static inline bool __h##NAME##u(H a, H b) { return UNORDERED; }                                                      \
  static inline bool __hb##NAME##2(H2 x, H2 y) { H a = x.x, b = y.x; bool first = ORDERED; a = x.y, b = y.y; return first & (ORDERED); } \
  static inline bool __hb##NAME##u2(H2 x, H2 y) { return __h##NAME##u(x.x, y.x) & __h##NAME##u(x.y, y.y); }            \
  static inline H2 __h##NAME##u2(H2 x, H2 y) { return H2(__h##NAME##u(x.x, y.x) ? 1.0f : 0.0f, __h##NAME##u(x.y, y.y) ? 1.0f : 0.0f); }
#define ORACLE_MORE_16_BIT(H, H2, NAME)                                                                                \
  ORACLE_COMPARE_16(H, H2, gt, a > b, !(a <= b)) ORACLE_COMPARE_16(H, H2, ge, a >= b, !(a < b))                        \
  ORACLE_COMPARE_16(H, H2, lt, a < b, !(a >= b)) ORACLE_COMPARE_16(H, H2, le, a <= b, !(a > b))                        \
  static inline bool __hequ(H a, H b) { return a == b || __hisnan(a) || __hisnan(b); }                                 \
  static inline bool __hneu(H a, H b) { return a != b; }                                                               \
  static inline bool __hbne2(H2 a, H2 b) { return __hne(a.x, b.x) && __hne(a.y, b.y); }                                \
  static inline bool __hbequ2(H2 a, H2 b) { return __hequ(a.x, b.x) && __hequ(a.y, b.y); }                             \
  static inline bool __hbneu2(H2 a, H2 b) { return a.x != b.x && a.y != b.y; }                                         \
  static inline H2 __hne2(H2 a, H2 b) { return H2(__hne(a.x, b.x) ? 1.0f : 0.0f, __hne(a.y, b.y) ? 1.0f : 0.0f); }     \
  static inline H2 __hequ2(H2 a, H2 b) { return H2(__hequ(a.x, b.x) ? 1.0f : 0.0f, __hequ(a.y, b.y) ? 1.0f : 0.0f); }  \
  static inline H2 __hneu2(H2 a, H2 b) { return H2(a.x != b.x ? 1.0f : 0.0f, a.y != b.y ? 1.0f : 0.0f); }              \
  static inline H2 __hisnan2(H2 a) { return H2(__hisnan(a.x) ? 1.0f : 0.0f, __hisnan(a.y) ? 1.0f : 0.0f); }            \
  static inline bool operator<(H2 a, H2 b) { return __hblt2(a, b); }                                                   \
  static inline bool operator>(H2 a, H2 b) { return __hbgt2(a, b); }                                                   \
  static inline bool operator<=(H2 a, H2 b) { return __hble2(a, b); }                                                  \
  static inline bool operator>=(H2 a, H2 b) { return __hbge2(a, b); }                                                  \
  static inline bool operator==(H2 a, H2 b) { return __hbeq2(a, b); }                                                  \
  static inline bool operator!=(H2 a, H2 b) { return __hbneu2(a, b); }                                                 \
  static inline H2 operator+(H2 a) { return a; }                                                                       \
  static inline H __hmax_nan(H a, H b) { return __hisnan(a) ? a : __hisnan(b) ? b : __hmax(a, b); }                    \
  static inline H __hmin_nan(H a, H b) { return __hisnan(a) ? a : __hisnan(b) ? b : __hmin(a, b); }                    \
  static inline H __hsub_sat(H a, H b) { return H(__saturatef(a - b)); }                                               \
  static inline H __hfma_sat(H a, H b, H c) { return H(__saturatef(__hfma(a, b, c))); }                                \
  static inline H2 __hfma2_sat(H2 a, H2 b, H2 c) { return H2(__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y)); }  \
  static inline H2 __hfma2_relu(H2 a, H2 b, H2 c) { return H2(__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y)); } \
  ORACLE_PAIRWISE(H2, __hsub2_rn, a.x - b.x, a.y - b.y)                                                                \
  ORACLE_PAIRWISE(H2, __hadd2_sat, __hadd_sat(a.x, b.x), __hadd_sat(a.y, b.y))                                         \
  ORACLE_PAIRWISE(H2, __hsub2_sat, __hsub_sat(a.x, b.x), __hsub_sat(a.y, b.y))                                         \
  ORACLE_PAIRWISE(H2, __hmul2_sat, __hmul_sat(a.x, b.x), __hmul_sat(a.y, b.y))                                         \
  ORACLE_PAIRWISE(H2, __hmax2_nan, __hmax_nan(a.x, b.x), __hmax_nan(a.y, b.y))                                         \
  ORACLE_PAIRWISE(H2, __hmin2_nan, __hmin_nan(a.x, b.x), __hmin_nan(a.y, b.y))                                         \
  static inline long long __##NAME##2ll_rn(H h) { return __float2ll_rn(h); }                                           \
  static inline long long __##NAME##2ll_rz(H h) { return __float2ll_rz(h); }                                           \
  static inline unsigned long long __##NAME##2ull_rn(H h) { return __float2ull_rn(h); }                                \
  static inline unsigned long long __##NAME##2ull_rz(H h) { return __float2ull_rz(h); }                                \
  static inline short __##NAME##2short_rn(H h) { int v = __float2int_rn(h); return (short)(v > 32767 ? 32767 : v < -32768 ? -32768 : v); } \
  static inline short __##NAME##2short_rz(H h) { int v = __float2int_rz(h); return (short)(v > 32767 ? 32767 : v < -32768 ? -32768 : v); } \
  static inline unsigned short __##NAME##2ushort_rn(H h) { unsigned v = __float2uint_rn(h); return (unsigned short)(v > 65535u ? 65535u : v); } \
  static inline unsigned short __##NAME##2ushort_rz(H h) { unsigned v = __float2uint_rz(h); return (unsigned short)(v > 65535u ? 65535u : v); }
ORACLE_MORE_16_BIT(__half, __half2, half)
ORACLE_MORE_16_BIT(__nv_bfloat16, __nv_bfloat162, bfloat16)
