// CUDA's math functions. libm is called out of line; these declarations stand for <cmath>, which must not be included:
// its functions are builtins, and the compiler folds builtins with another rounding than libm's.
// Formulas of everything that libm lacks and of the fast-math intrinsics: docs/semantics.md, "Fast-math reference formulas".
#pragma once
#ifdef ORACLE_PERTURB
#include "cuda_moved.h"
#endif
extern "C" {
float expf(float) noexcept;
double exp(double) noexcept;
float exp2f(float) noexcept;
double exp2(double) noexcept;
float exp10f(float) noexcept;
double exp10(double) noexcept;
float expm1f(float) noexcept;
double expm1(double) noexcept;
float logf(float) noexcept;
double log(double) noexcept;
float log2f(float) noexcept;
double log2(double) noexcept;
float log10f(float) noexcept;
double log10(double) noexcept;
float log1pf(float) noexcept;
double log1p(double) noexcept;
float sinf(float) noexcept;
double sin(double) noexcept;
float cosf(float) noexcept;
double cos(double) noexcept;
float tanf(float) noexcept;
double tan(double) noexcept;
float asinf(float) noexcept;
double asin(double) noexcept;
float acosf(float) noexcept;
double acos(double) noexcept;
float atanf(float) noexcept;
double atan(double) noexcept;
float sinhf(float) noexcept;
double sinh(double) noexcept;
float coshf(float) noexcept;
double cosh(double) noexcept;
float tanhf(float) noexcept;
double tanh(double) noexcept;
float asinhf(float) noexcept;
double asinh(double) noexcept;
float acoshf(float) noexcept;
double acosh(double) noexcept;
float atanhf(float) noexcept;
double atanh(double) noexcept;
float cbrtf(float) noexcept;
double cbrt(double) noexcept;
float erff(float) noexcept;
double erf(double) noexcept;
float erfcf(float) noexcept;
double erfc(double) noexcept;
float lgammaf(float) noexcept;
double lgamma(double) noexcept;
float tgammaf(float) noexcept;
double tgamma(double) noexcept;
float j0f(float) noexcept;
double j0(double) noexcept;
float j1f(float) noexcept;
double j1(double) noexcept;
float y0f(float) noexcept;
double y0(double) noexcept;
float y1f(float) noexcept;
double y1(double) noexcept;
float logbf(float) noexcept;
double logb(double) noexcept;
float floorf(float) noexcept;
double floor(double) noexcept;
float ceilf(float) noexcept;
double ceil(double) noexcept;
float truncf(float) noexcept;
double trunc(double) noexcept;
float roundf(float) noexcept;
double round(double) noexcept;
float rintf(float) noexcept;
double rint(double) noexcept;
float nearbyintf(float) noexcept;
double nearbyint(double) noexcept;
float powf(float, float) noexcept;
double pow(double, double) noexcept;
float atan2f(float, float) noexcept;
double atan2(double, double) noexcept;
float hypotf(float, float) noexcept;
double hypot(double, double) noexcept;
float fmodf(float, float) noexcept;
double fmod(double, double) noexcept;
float remainderf(float, float) noexcept;
double remainder(double, double) noexcept;
float nextafterf(float, float) noexcept;
double nextafter(double, double) noexcept;
float fdimf(float, float) noexcept;
double fdim(double, double) noexcept;
float copysignf(float, float) noexcept;
double copysign(double, double) noexcept;
float fmaf(float, float, float) noexcept;
double fma(double, double, double) noexcept;
float ldexpf(float, int) noexcept;
double ldexp(double, int) noexcept;
float scalblnf(float, long) noexcept;
double scalbln(double, long) noexcept;
float scalbnf(float, int) noexcept;
double scalbn(double, int) noexcept;
float frexpf(float, int*) noexcept;
double frexp(double, int*) noexcept;
float modff(float, float*) noexcept;
double modf(double, double*) noexcept;
int ilogbf(float) noexcept;
int ilogb(double) noexcept;
float remquof(float, float, int*) noexcept;
double remquo(double, double, int*) noexcept;
float jnf(int, float) noexcept;
double jn(int, double) noexcept;
float ynf(int, float) noexcept;
double yn(int, double) noexcept;
}

// Exact operations: the compiler may inline them.
static inline float sqrtf(float x) { return __builtin_sqrtf(x); }
static inline double sqrt(double x) { return __builtin_sqrt(x); }
static inline float fabsf(float x) { return __builtin_fabsf(x); }
static inline double fabs(double x) { return __builtin_fabs(x); }

// A NaN operand is dropped, and -0 orders below +0 (CUDA math API; x86 minss does neither).
static inline float fminf(float a, float b) { return a != a ? b : b != b ? a : a < b ? a : b < a ? b : __builtin_signbit(a) ? a : b; }
static inline float fmaxf(float a, float b) { return a != a ? b : b != b ? a : a > b ? a : b > a ? b : __builtin_signbit(a) ? b : a; }
static inline double fmin(double a, double b) { return a != a ? b : b != b ? a : a < b ? a : b < a ? b : __builtin_signbit(a) ? a : b; }
static inline double fmax(double a, double b) { return a != a ? b : b != b ? a : a > b ? a : b > a ? b : __builtin_signbit(a) ? b : a; }

// Overloads as <cmath> has them: float for float, double for double and for integers, double for mixed operands.
#define ORACLE_IF_INTEGER(T) typename std::enable_if<std::is_integral<T>::value, double>::type
#define ORACLE_IF_MIXED(A, B)                                                                                        \
  typename std::enable_if<std::is_arithmetic<A>::value && std::is_arithmetic<B>::value && !(std::is_same<A, float>::value && std::is_same<B, float>::value) && !(std::is_same<A, double>::value && std::is_same<B, double>::value), double>::type
#define ORACLE_ONE(NAME)                                                              \
  static inline float NAME(float x) { return NAME##f(x); }                            \
  template <class T> static inline ORACLE_IF_INTEGER(T) NAME(T x) { return NAME((double)x); }
#define ORACLE_TWO(NAME)                                                              \
  static inline float NAME(float x, float y) { return NAME##f(x, y); }                \
  template <class A, class B> static inline ORACLE_IF_MIXED(A, B) NAME(A x, B y) { return NAME((double)x, (double)y); }
ORACLE_ONE(exp) ORACLE_ONE(exp2) ORACLE_ONE(exp10) ORACLE_ONE(expm1) ORACLE_ONE(log) ORACLE_ONE(log2) ORACLE_ONE(log10) ORACLE_ONE(log1p) ORACLE_ONE(sin) ORACLE_ONE(cos) ORACLE_ONE(tan) ORACLE_ONE(asin) ORACLE_ONE(acos) ORACLE_ONE(atan) ORACLE_ONE(sinh) ORACLE_ONE(cosh) ORACLE_ONE(tanh) ORACLE_ONE(asinh) ORACLE_ONE(acosh) ORACLE_ONE(atanh) ORACLE_ONE(cbrt) ORACLE_ONE(erf) ORACLE_ONE(erfc) ORACLE_ONE(lgamma) ORACLE_ONE(tgamma) ORACLE_ONE(j0) ORACLE_ONE(j1) ORACLE_ONE(y0) ORACLE_ONE(y1) ORACLE_ONE(logb) ORACLE_ONE(floor) ORACLE_ONE(ceil) ORACLE_ONE(trunc) ORACLE_ONE(round) ORACLE_ONE(rint) ORACLE_ONE(nearbyint) ORACLE_ONE(sqrt) ORACLE_ONE(fabs)
ORACLE_TWO(pow) ORACLE_TWO(atan2) ORACLE_TWO(hypot) ORACLE_TWO(fmod) ORACLE_TWO(remainder) ORACLE_TWO(nextafter) ORACLE_TWO(fdim) ORACLE_TWO(copysign) ORACLE_TWO(fmin) ORACLE_TWO(fmax)
static inline float fma(float x, float y, float z) { return fmaf(x, y, z); }
template <class A, class B, class C> static inline typename std::enable_if<std::is_arithmetic<A>::value && std::is_arithmetic<B>::value && std::is_arithmetic<C>::value && !(std::is_same<A, B>::value && std::is_same<B, C>::value && std::is_floating_point<A>::value), double>::type fma(A x, B y, C z) { return fma((double)x, (double)y, (double)z); }
template <class T> static inline ORACLE_IF_INTEGER(T) ldexp(T x, int e) { return ldexp((double)x, e); }
template <class T> static inline ORACLE_IF_INTEGER(T) scalbn(T x, int e) { return scalbn((double)x, e); }
static inline float ldexp(float x, int e) { return ldexpf(x, e); }
static inline float scalbn(float x, int e) { return scalbnf(x, e); }
static inline float frexp(float x, int* e) { return frexpf(x, e); }
static inline float modf(float x, float* whole) { return modff(x, whole); }
static inline int ilogb(float x) { return ilogbf(x); }
// Rounding to an integer type saturates as cvt does (NaN: the smallest value); glibc's functions do not.
template <class R, class F> static inline R oracle_to_wide(F rounded) {
  if (rounded != rounded || rounded < -(F)0x1p63) return (R)((unsigned long long)1 << 63);
  return rounded >= (F)0x1p63 ? (R)(~0ull >> 1) : (R)rounded;
}
#define ORACLE_ROUND_TO(R, NAME, ROUND)                                              \
  static inline R NAME##f(float x) { return oracle_to_wide<R>(ROUND##f(x)); }        \
  static inline R NAME(float x) { return oracle_to_wide<R>(ROUND##f(x)); }           \
  static inline R NAME(double x) { return oracle_to_wide<R>(ROUND(x)); }
ORACLE_ROUND_TO(long, lrint, rint) ORACLE_ROUND_TO(long, lround, round)
ORACLE_ROUND_TO(long long, llrint, rint) ORACLE_ROUND_TO(long long, llround, round)
#undef ORACLE_ROUND_TO
#define ORACLE_OF_INTEGER(R, NAME) \
  template <class T> static inline typename std::enable_if<std::is_integral<T>::value, R>::type NAME(T x) { return NAME((double)x); }
ORACLE_OF_INTEGER(int, ilogb) ORACLE_OF_INTEGER(long, lrint) ORACLE_OF_INTEGER(long, lround)
ORACLE_OF_INTEGER(long long, llrint) ORACLE_OF_INTEGER(long long, llround)

#if defined(__has_include) && __has_include(<bits/std_abs.h>)
#include <bits/std_abs.h>
using std::abs;  // int, long, long long, float, double
#else
static inline float abs(float x) { return __builtin_fabsf(x); }
static inline double abs(double x) { return __builtin_fabs(x); }
static inline long abs(long x) { return x < 0 ? -x : x; }
static inline long long abs(long long x) { return x < 0 ? -x : x; }
#endif

// <cmath> classification: bool, as in C++.
#define ORACLE_CLASSIFY(NAME, BUILTIN)                                    \
  static inline bool NAME(float x) { return BUILTIN(x) != 0; }            \
  static inline bool NAME(double x) { return BUILTIN(x) != 0; }
ORACLE_CLASSIFY(isnan, __builtin_isnan)
ORACLE_CLASSIFY(isinf, __builtin_isinf_sign)
ORACLE_CLASSIFY(isfinite, __builtin_isfinite)
ORACLE_CLASSIFY(isnormal, __builtin_isnormal)
ORACLE_CLASSIFY(signbit, __builtin_signbit)
#undef ORACLE_CLASSIFY
ORACLE_OF_INTEGER(bool, isnan) ORACLE_OF_INTEGER(bool, isinf) ORACLE_OF_INTEGER(bool, isfinite) ORACLE_OF_INTEGER(bool, signbit)
#undef ORACLE_OF_INTEGER

namespace std {
using ::exp; using ::exp2; using ::expm1; using ::log; using ::log2; using ::log10; using ::log1p; using ::sin; using ::cos; using ::tan; using ::asin; using ::acos; using ::atan; using ::sinh; using ::cosh; using ::tanh; using ::asinh; using ::acosh; using ::atanh; using ::cbrt; using ::erf; using ::erfc; using ::lgamma; using ::tgamma; using ::logb; using ::floor; using ::ceil; using ::trunc; using ::round; using ::rint; using ::nearbyint; using ::pow; using ::atan2; using ::hypot; using ::fmod; using ::remainder; using ::nextafter; using ::fdim; using ::copysign; using ::fmin; using ::fmax; using ::sqrt; using ::fabs; using ::fma; using ::ldexp; using ::scalbn; using ::frexp; using ::modf; using ::ilogb; using ::lrint; using ::lround; using ::llrint; using ::llround; using ::isnan; using ::isinf; using ::isfinite; using ::isnormal; using ::signbit; 
using ::expf; using ::exp2f; using ::expm1f; using ::logf; using ::log2f; using ::log10f; using ::log1pf; using ::sinf; using ::cosf; using ::tanf; using ::asinf; using ::acosf; using ::atanf; using ::sinhf; using ::coshf; using ::tanhf; using ::asinhf; using ::acoshf; using ::atanhf; using ::cbrtf; using ::erff; using ::erfcf; using ::lgammaf; using ::tgammaf; using ::logbf; using ::floorf; using ::ceilf; using ::truncf; using ::roundf; using ::rintf; using ::nearbyintf; using ::powf; using ::atan2f; using ::hypotf; using ::fmodf; using ::remainderf; using ::nextafterf; using ::fdimf; using ::copysignf; using ::fminf; using ::fmaxf; using ::sqrtf; using ::fabsf; using ::fmaf; 
}

// Functions of CUDA that C lacks. Each has one formula, in docs/semantics.md.
#ifndef ORACLE_PERTURB
static inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
static inline double rsqrt(double x) { return 1.0 / sqrt(x); }
static inline float rcbrtf(float x) { return 1.0f / cbrtf(x); }
static inline double rcbrt(double x) { return 1.0 / cbrt(x); }
static inline float rhypotf(float x, float y) { return 1.0f / hypotf(x, y); }
static inline double rhypot(double x, double y) { return 1.0 / hypot(x, y); }
static inline float norm3df(float a, float b, float c) { return sqrtf(a * a + b * b + c * c); }
static inline double norm3d(double a, double b, double c) { return sqrt(a * a + b * b + c * c); }
static inline float rnorm3df(float a, float b, float c) { return 1.0f / norm3df(a, b, c); }
static inline float norm4df(float a, float b, float c, float d) { return sqrtf(a * a + b * b + c * c + d * d); }
static inline float rnorm4df(float a, float b, float c, float d) { return 1.0f / norm4df(a, b, c, d); }
static inline double sinpi(double x) { return sin(M_PI * fmod(x, 2.0)); }
static inline double cospi(double x) { return cos(M_PI * fmod(x, 2.0)); }
static inline float sinpif(float x) { return (float)sinpi((double)x); }
static inline float cospif(float x) { return (float)cospi((double)x); }
static inline float normcdff(float x) { return 0.5f * erfcf(-x * 0.70710678118654752f); }
static inline double normcdf(double x) { return 0.5 * erfc(-x * 0.70710678118654752440); }
static inline float erfcxf(float x) { return (float)(exp((double)x * (double)x) * erfc((double)x)); }
static inline double erfcx(double x) { return exp(x * x) * erfc(x); }
#endif
static inline float rsqrt(float x) { return rsqrtf(x); }
static inline void sincosf(float x, float* s, float* c) { float v = x; *s = sinf(v); *c = cosf(v); }
static inline void sincos(double x, double* s, double* c) { double v = x; *s = sin(v); *c = cos(v); }
static inline void sincos(float x, float* s, float* c) { sincosf(x, s, c); }
static inline void sincospif(float x, float* s, float* c) { float v = x; *s = sinpif(v); *c = cospif(v); }
static inline void sincospi(double x, double* s, double* c) { double v = x; *s = sinpi(v); *c = cospi(v); }
static inline float nanf(const char*) { return NAN; }
static inline double nan(const char*) { return (double)NAN; }
static inline float fdividef(float a, float b) { return a / b; }
static inline float rcbrt(float x) { return rcbrtf(x); }
static inline float sinpi(float x) { return sinpif(x); }
static inline float cospi(float x) { return cospif(x); }
static inline float normcdf(float x) { return normcdff(x); }
static inline float erfcx(float x) { return erfcxf(x); }

// Fast-math intrinsics. glibc declares some of these names itself where its headers are seen, hence the macros.
#define __expf oracle_fast_expf
#define __exp10f oracle_fast_exp10f
#define __logf oracle_fast_logf
#define __log2f oracle_fast_log2f
#define __log10f oracle_fast_log10f
#define __sinf oracle_fast_sinf
#define __cosf oracle_fast_cosf
#define __tanf oracle_fast_tanf
#define __powf oracle_fast_powf
#define __sincosf oracle_fast_sincosf
#define __tanhf oracle_fast_tanhf
#ifndef ORACLE_PERTURB
static inline float __expf(float x) { return expf(x); }
static inline float __exp10f(float x) { return exp10f(x); }
static inline float __logf(float x) { return logf(x); }
static inline float __log2f(float x) { return log2f(x); }
static inline float __log10f(float x) { return log10f(x); }
static inline float __sinf(float x) { return sinf(x); }
static inline float __cosf(float x) { return cosf(x); }
static inline float __tanf(float x) { return tanf(x); }
static inline float __tanhf(float x) { return tanhf(x); }
static inline float __powf(float x, float y) { return powf(x, y); }
static inline float __fdividef(float a, float b) { return a / b; }
static inline float __frsqrt_rn(float x) { return 1.0f / sqrtf(x); }
#endif
static inline void __sincosf(float x, float* s, float* c) { float v = x; *s = __sinf(v); *c = __cosf(v); }
static inline float __saturatef(float x) { return x != x ? 0.0f : x <= 0.0f ? 0.0f : x >= 1.0f ? 1.0f : x; }

// Correctly rounded operations that never fuse.
static inline float __fadd_rn(float a, float b) { return a + b; }
static inline float __fsub_rn(float a, float b) { return a - b; }
static inline float __fmul_rn(float a, float b) { return a * b; }
static inline float __fdiv_rn(float a, float b) { return a / b; }
static inline float __frcp_rn(float x) { return 1.0f / x; }
static inline float __fsqrt_rn(float x) { return sqrtf(x); }
static inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
static inline float __fmaf_ieee_rn(float a, float b, float c) { return fmaf(a, b, c); }
static inline double __dadd_rn(double a, double b) { return a + b; }
static inline double __dsub_rn(double a, double b) { return a - b; }
static inline double __dmul_rn(double a, double b) { return a * b; }
static inline double __ddiv_rn(double a, double b) { return a / b; }
static inline double __drcp_rn(double x) { return 1.0 / x; }
static inline double __dsqrt_rn(double x) { return sqrt(x); }
static inline double __fma_rn(double a, double b, double c) { return fma(a, b, c); }

// Directed rounding: the operation under that rounding mode of the CPU. FE_* values of this architecture's fenv.h.
extern "C" int fesetround(int) noexcept;
#if defined(__aarch64__)
enum { ORACLE_NEAREST = 0, ORACLE_UP = 0x400000, ORACLE_DOWN = 0x800000, ORACLE_ZERO = 0xc00000 };
#else
enum { ORACLE_NEAREST = 0, ORACLE_DOWN = 0x400, ORACLE_UP = 0x800, ORACLE_ZERO = 0xc00 };
#endif
template <class T, class F> static inline __attribute__((noinline)) T oracle_rounded(int mode, F operation) {
  fesetround(mode);
  volatile T result = operation();
  fesetround(ORACLE_NEAREST);
  return result;
}
#define ORACLE_DIRECTED(NAME, TYPE, PARAMETERS, LOADS, EXPRESSION)                                                      \
  static inline TYPE NAME##_rz PARAMETERS { LOADS return oracle_rounded<TYPE>(ORACLE_ZERO, [&] { return EXPRESSION; }); } \
  static inline TYPE NAME##_rd PARAMETERS { LOADS return oracle_rounded<TYPE>(ORACLE_DOWN, [&] { return EXPRESSION; }); } \
  static inline TYPE NAME##_ru PARAMETERS { LOADS return oracle_rounded<TYPE>(ORACLE_UP, [&] { return EXPRESSION; }); }
#define ORACLE_V2(T) volatile T x = a, y = b;
#define ORACLE_V1(T) volatile T x = a;
ORACLE_DIRECTED(__fadd, float, (float a, float b), ORACLE_V2(float), x + y)
ORACLE_DIRECTED(__fsub, float, (float a, float b), ORACLE_V2(float), x - y)
ORACLE_DIRECTED(__fmul, float, (float a, float b), ORACLE_V2(float), x * y)
ORACLE_DIRECTED(__fdiv, float, (float a, float b), ORACLE_V2(float), x / y)
ORACLE_DIRECTED(__frcp, float, (float a), ORACLE_V1(float), 1.0f / x)
ORACLE_DIRECTED(__fsqrt, float, (float a), ORACLE_V1(float), sqrtf(x))
ORACLE_DIRECTED(__dadd, double, (double a, double b), ORACLE_V2(double), x + y)
ORACLE_DIRECTED(__dsub, double, (double a, double b), ORACLE_V2(double), x - y)
ORACLE_DIRECTED(__dmul, double, (double a, double b), ORACLE_V2(double), x * y)
ORACLE_DIRECTED(__ddiv, double, (double a, double b), ORACLE_V2(double), x / y)
ORACLE_DIRECTED(__int2float, float, (int a), ORACLE_V1(int), (float)x)
ORACLE_DIRECTED(__uint2float, float, (unsigned a), ORACLE_V1(unsigned), (float)x)
ORACLE_DIRECTED(__ll2float, float, (long long a), ORACLE_V1(long long), (float)x)
ORACLE_DIRECTED(__double2float, float, (double a), ORACLE_V1(double), (float)x)
ORACLE_DIRECTED(__ll2double, double, (long long a), ORACLE_V1(long long), (double)x)
ORACLE_DIRECTED(__ull2float, float, (unsigned long long a), ORACLE_V1(unsigned long long), (float)x)
ORACLE_DIRECTED(__ull2double, double, (unsigned long long a), ORACLE_V1(unsigned long long), (double)x)
#undef ORACLE_DIRECTED

// min and max: the overloads of CUDA's math_functions.hpp; mixed signed and unsigned operands become unsigned.
#define ORACLE_MINMAX(A, B, R)                                                                          \
  static inline R min(A a, B b) { return (R)a < (R)b ? (R)a : (R)b; }                                   \
  static inline R max(A a, B b) { return (R)a > (R)b ? (R)a : (R)b; }
ORACLE_MINMAX(int, int, int) ORACLE_MINMAX(unsigned, unsigned, unsigned) ORACLE_MINMAX(int, unsigned, unsigned)
ORACLE_MINMAX(unsigned, int, unsigned) ORACLE_MINMAX(long, long, long) ORACLE_MINMAX(unsigned long, unsigned long, unsigned long)
ORACLE_MINMAX(long, unsigned long, unsigned long) ORACLE_MINMAX(unsigned long, long, unsigned long)
ORACLE_MINMAX(long long, long long, long long) ORACLE_MINMAX(unsigned long long, unsigned long long, unsigned long long)
ORACLE_MINMAX(long long, unsigned long long, unsigned long long) ORACLE_MINMAX(unsigned long long, long long, unsigned long long)
#undef ORACLE_MINMAX
static inline float min(float a, float b) { return fminf(a, b); }
static inline float max(float a, float b) { return fmaxf(a, b); }
static inline double min(double a, double b) { return fmin(a, b); }
static inline double max(double a, double b) { return fmax(a, b); }
static inline double min(float a, double b) { return fmin((double)a, b); }
static inline double max(float a, double b) { return fmax((double)a, b); }
static inline double min(double a, float b) { return fmin(a, (double)b); }
static inline double max(double a, float b) { return fmax(a, (double)b); }
static inline unsigned umin(unsigned a, unsigned b) { return a < b ? a : b; }
static inline unsigned umax(unsigned a, unsigned b) { return a > b ? a : b; }
static inline long long llmin(long long a, long long b) { return a < b ? a : b; }
static inline long long llmax(long long a, long long b) { return a > b ? a : b; }
static inline unsigned long long ullmin(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
static inline unsigned long long ullmax(unsigned long long a, unsigned long long b) { return a > b ? a : b; }
