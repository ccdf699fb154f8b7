// fp8 storage types (cuda_fp8.h): conversions only, saturating to finite, nearest even.
#pragma once
static inline float oracle_e4m3_value(uint8_t v) {
  int exponent = v >> 3 & 15, mantissa = v & 7;
  if (exponent == 15 && mantissa == 7) return NAN;
  float magnitude = exponent ? ldexpf(1.0f + mantissa / 8.0f, exponent - 7) : ldexpf(mantissa / 8.0f, -6);
  return v >> 7 ? -magnitude : magnitude;
}
static inline float oracle_e5m2_value(uint8_t v) { return oracle_half_value((uint16_t)(v << 8)); }
template <int M, int BIAS> static inline uint8_t oracle_fp8_bits(float value, float largest) {  // saturating
  if (value != value) return 0x7f;
  uint8_t sign = __builtin_signbit(value) ? 0x80 : 0;
  float magnitude = fabsf(value);
  if (magnitude > largest) magnitude = largest;
  if (magnitude == 0.0f) return sign;
  int exponent;
  frexpf(magnitude, &exponent);
  exponent -= 1;
  if (exponent < 1 - BIAS) exponent = 1 - BIAS;
  int scaled = (int)rintf(ldexpf(magnitude, M - exponent));
  if (scaled == 2 << M) { scaled >>= 1; exponent++; }
  return (uint8_t)(sign | (scaled < 1 << M ? scaled : ((exponent + BIAS) << M | (scaled & ((1 << M) - 1)))));
}
static inline uint8_t oracle_e4m3_bits(float v) { return oracle_fp8_bits<3, 7>(v, 448.0f); }
static inline uint8_t oracle_e5m2_bits(float v) { return oracle_fp8_bits<2, 15>(v, 57344.0f); }
#define ORACLE_FP8(NAME, VALUE, BITS)                                   \
  struct __attribute__((may_alias)) NAME {                              \
    uint8_t __x;                                                        \
    NAME() = default;                                                   \
    explicit NAME(float v) : __x(BITS(v)) {}                            \
    explicit NAME(double v) : __x(BITS((float)v)) {}                    \
    explicit NAME(int v) : __x(BITS((float)v)) {}                       \
    explicit NAME(__half v) : __x(BITS((float)v)) {}                    \
    explicit NAME(__nv_bfloat16 v) : __x(BITS((float)v)) {}             \
    explicit operator float() const { return VALUE(__x); }              \
    explicit operator double() const { return VALUE(__x); }             \
    explicit operator __half() const { return __half(VALUE(__x)); }     \
    explicit operator __nv_bfloat16() const { return __nv_bfloat16(VALUE(__x)); } \
  };
ORACLE_FP8(__nv_fp8_e4m3, oracle_e4m3_value, oracle_e4m3_bits)
ORACLE_FP8(__nv_fp8_e5m2, oracle_e5m2_value, oracle_e5m2_bits)
typedef uint8_t __nv_fp8_storage_t;
typedef uint16_t __nv_fp8x2_storage_t;
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
static inline __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t k) {
  return __half(k == __NV_E4M3 ? oracle_e4m3_value(x) : oracle_e5m2_value(x));
}
static inline __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturation, __nv_fp8_interpretation_t k) {
  if (saturation == __NV_NOSAT) {  // beyond the largest: NaN for e4m3, infinity for e5m2
    uint8_t sign = __builtin_signbit(x) ? 0x80 : 0;
    if (k == __NV_E4M3 && fabsf(x) > 464.0f) return sign | 0x7f;
    if (k == __NV_E5M2 && fabsf(x) >= 61440.0f) return sign | 0x7c;
  }
  return k == __NV_E4M3 ? oracle_e4m3_bits(x) : oracle_e5m2_bits(x);
}
static inline __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t s, __nv_fp8_interpretation_t k) {
  return __nv_cvt_float_to_fp8((float)x, s, k);
}
static inline __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t s, __nv_fp8_interpretation_t k) {
  return __nv_cvt_float_to_fp8((float)__half(x), s, k);
}
static inline __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x, __nv_saturation_t s, __nv_fp8_interpretation_t k) {
  return __nv_cvt_float_to_fp8((float)__nv_bfloat16(x), s, k);
}
