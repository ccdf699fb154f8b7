// The parts of the C and C++ libraries that device code uses. <cmath> is left out on purpose: its functions are builtins
// that the compiler folds, and folded results differ from those of libm (docs/semantics.md, Floating point).
#pragma once
#include <float.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <limits>
#include <type_traits>
#include <utility>
#if defined(__has_include) && __has_include(<bits/stl_algobase.h>)
#include <bits/stl_algobase.h>
#else
#include <algorithm>
#endif

typedef unsigned int uint;
typedef unsigned short ushort;
typedef unsigned long ulong;

#define INFINITY (__builtin_inff())
#define NAN (__builtin_nanf(""))
#define HUGE_VALF (__builtin_inff())
#define HUGE_VAL (__builtin_inf())
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define M_PIf 3.14159265358979323846f
#define CUDART_INF_F __builtin_inff()
#define CUDART_NAN_F __builtin_nanf("")
#define CUDART_MIN_DENORM_F 1.4012984643248171e-45f
#define CUDART_MAX_NORMAL_F 3.402823466e38f
#define CUDART_NEG_ZERO_F -0.0f
#define CUDART_ZERO_F 0.0f
#define CUDART_ONE_F 1.0f
#define CUDART_SQRT_HALF_F 0.707106781f
#define CUDART_SQRT_TWO_F 1.414213562f
#define CUDART_PI_F 3.141592654f
#define CUDART_2PI_F 6.283185307f
#define CUDART_PIO2_F 1.570796327f
#define CUDART_PIO4_F 0.785398163f
#define CUDART_L2E_F 1.442695041f
#define CUDART_LN2_F 0.693147181f
#define CUDART_INF __builtin_inf()
#define CUDART_NAN __builtin_nan("")
#define CUDART_PI 3.1415926535897931e+0

#undef assert
// Not an arc that a case has to take: no valid case fails an assertion.
__attribute__((noinline, unused, no_profile_instrument_function)) static void oracle_assert(
    bool holds, const char* text, int line) {
  if (!holds) oracle_trap(text, line);
}
#define assert(...) oracle_assert(static_cast<bool>(__VA_ARGS__), "assertion failed: " #__VA_ARGS__, __LINE__)

// Device output is not a result.
static inline int printf(const char*, ...) { return 0; }

// Copies byte for byte, so that the access checks see them.
#ifdef ORACLE_CHECK
static inline void* oracle_copy(void* to, const void* from, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) ((volatile unsigned char*)to)[i] = ((const volatile unsigned char*)from)[i];
  return to;
}
static inline void* oracle_fill(void* to, int value, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) ((volatile unsigned char*)to)[i] = (unsigned char)value;
  return to;
}
#define memcpy oracle_copy
#define memset oracle_fill
#endif
namespace std {
template <class T> constexpr const T& clamp(const T& value, const T& low, const T& high) { return value < low ? low : high < value ? high : value; }
}
