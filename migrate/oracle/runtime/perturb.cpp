// Math functions of builds of kind `moved`: the correctly rounded result, moved inside the error that CUDA allows.
// Bounds: CUDA C++ Programming Guide, "Mathematical Functions" (11 and 13; where they differ, the larger), which gives
// units in the last place against the correctly rounded result; PTX ISA where the guide gives none (sin.approx,
// tanh.approx). docs/semantics.md, "Error bounds on a device", has the table and what is assumed.
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "runner.h"

namespace {
enum { STILL, UP, DOWN, RANDOM } movement = STILL;
uint64_t movement_seed;

uint64_t mix(uint64_t value) {  // splitmix64's finaliser
  value += 0x9e3779b97f4a7c15ull;
  value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9ull;
  value = (value ^ value >> 27) * 0x94d049bb133111ebull;
  return value ^ value >> 31;
}

// One function, one argument, one seed: always one result, as on a device, and whatever the order of calls.
template <class T> uint64_t add(uint64_t key, T value) {
  uint64_t bits = 0;
  memcpy(&bits, &value, sizeof value);
  return mix(key ^ bits);
}
uint64_t key_of(const char* name) {
  uint64_t key = mix(movement_seed);
  for (; *name; name++) key = mix(key ^ (unsigned char)*name);
  return key;
}
template <class T> uint64_t key_of(const char* name, T x) { return add(key_of(name), x); }
template <class A, class B> uint64_t key_of(const char* name, A x, B y) { return add(key_of(name, x), y); }

int64_t step_of(int64_t bound, uint64_t key) {
  if (movement == UP) return bound;
  if (movement == DOWN) return -bound;
  if (movement != RANDOM) return 0;
  // Quotients such as a softmax are furthest off where one result goes one way and most others the other way: two seeds
  // of three move everything by the whole bound, a quarter of it against the rest.
  const uint64_t kind = movement_seed % 3;
  if (kind == 0) return (int64_t)(key % (uint64_t)(2 * bound + 1)) - bound;
  const bool quarter = (key >> 20) % 4 == 0;
  return quarter == (kind == 1) ? bound : -bound;
}

template <class T> struct Bits;
template <> struct Bits<float> { typedef int32_t type; };
template <> struct Bits<double> { typedef int64_t type; };

// By up to `bound` representable values: never across zero, never out of the finite ones, never out of [least, most].
// NaN, infinities and zeros stay.
template <class T> T moved(T centre, int64_t bound, double least, double most, uint64_t key) {
  if (!isfinite(centre) || centre == 0) return centre;
  typename Bits<T>::type magnitude, largest;
  const T positive = fabs(centre), maximum = sizeof(T) == 4 ? (T)FLT_MAX : (T)DBL_MAX;
  memcpy(&magnitude, &positive, sizeof(T));
  memcpy(&largest, &maximum, sizeof(T));
  int64_t step = step_of(bound, key);
  if (centre < 0) step = -step;
  if (step < -(int64_t)magnitude) step = -(int64_t)magnitude;
  if (step > (int64_t)largest - (int64_t)magnitude) step = (int64_t)largest - (int64_t)magnitude;
  magnitude += (typename Bits<T>::type)step;
  T result;
  memcpy(&result, &magnitude, sizeof(T));
  result = copysign(result, centre);
  if (result > most && centre <= (T)most) result = (T)most;
  if (result < least && centre >= (T)least) result = (T)least;
  return result;
}

// Somewhere in [low, high]: for bounds that are not relative to the result, and may cross zero.
template <class T> T within(double centre, double low, double high, uint64_t key) {
  const double maximum = sizeof(T) == 4 ? FLT_MAX : DBL_MAX;
  if (!isfinite(centre) || centre == 0 || !isfinite((T)centre)) return (T)centre;
  low = fmax(low, -maximum);
  high = fmin(high, maximum);
  if (movement == UP) return (T)high;
  if (movement == DOWN) return (T)low;
  if (movement == STILL) return (T)centre;
  const double share = (double)(key >> 11) * 0x1p-53;
  return (T)(low * (1 - share) + high * share);
}
template <class T> T around(double centre, double error, uint64_t key) { return within<T>(centre, centre - error, centre + error, key); }

double float_ulp(double value) { return value == 0 ? 0x1p-149 : ldexp(1.0, ilogb(value) < -126 ? -149 : ilogb(value) - 23); }

// Reduced exactly first, so that the result has the relative accuracy of sin and cos near their zeros too.
template <class T> T turn(T x, int quarter) {
  const T rest = fmod(x, (T)2), halves = rint(rest * 2), angle = (rest - halves / 2) * (T)3.14159265358979323846264338327950288L;
  switch (isfinite(halves) ? ((int)halves + quarter) & 3 : 0) {
    case 0: return sin(angle);
    case 1: return cos(angle);
    case 2: return -sin(angle);
    default: return -cos(angle);
  }
}
template <class T> T erfcx_of(T x) { return exp(x * x) * erfc(x); }
template <class T> T normcdf_of(T x) { return erfc(-x / sqrt((T)2)) / 2; }

// Absolute error of __sinf and __cosf: guide up to pi, PTX ISA (sin.approx) up to 100 pi, unknown after that.
double fast_turn_error(float x, double inside) {
  const double size = fabs((double)x), pi = 3.14159265358979323846;
  return size <= pi ? inside : size <= 2 * pi ? 0x1p-20 * 0.70710678118654752 : size <= 100 * pi ? exp2(-14.7) : INFINITY;
}
const double FAST_SINE = exp2(-21.41), FAST_COSINE = exp2(-21.19);
float fast_turn(double centre, double error, uint64_t key) {
  return isfinite(error) ? around<float>(centre, error, key) : within<float>(centre, -1, 1, key);
}
}  // namespace

void set_movement(const char* how, uint64_t seed) {
  movement = !strcmp(how, "up") ? UP : !strcmp(how, "down") ? DOWN : RANDOM;
  movement_seed = seed;
}

extern "C" {
// NAME, units for float, units for double, range of the results (open: infinite). float through double, double through
// long double: rounded once, so that libm's own error does not add to CUDA's.
#define ONE(NAME, F, D, LEAST, MOST)                                                                                                          \
  float oracle_moved_##NAME##f(float x) { return moved<float>((float)NAME((double)x), F, (float)(LEAST), (float)(MOST), key_of(#NAME "f", x)); } \
  double oracle_moved_##NAME(double x) { return moved<double>((double)NAME##l((long double)x), D, LEAST, MOST, key_of(#NAME, x)); }
#define TWO(NAME, F, D, LEAST, MOST)                                                                                                                          \
  float oracle_moved_##NAME##f(float x, float y) { return moved<float>((float)NAME((double)x, (double)y), F, (float)(LEAST), (float)(MOST), key_of(#NAME "f", x, y)); } \
  double oracle_moved_##NAME(double x, double y) { return moved<double>((double)NAME##l((long double)x, (long double)y), D, LEAST, MOST, key_of(#NAME, x, y)); }
#define FORMULA(NAME, F, D, LEAST, MOST, WIDE)                                                                                                             \
  float oracle_moved_##NAME##f(float a) { const double x = a; return moved<float>((float)(WIDE), F, (float)(LEAST), (float)(MOST), key_of(#NAME "f", a)); } \
  double oracle_moved_##NAME(double a) { const long double x = a; return moved<double>((double)(WIDE), D, LEAST, MOST, key_of(#NAME, a)); }
ONE(exp, 2, 1, 0, INFINITY)
ONE(exp2, 2, 1, 0, INFINITY)
ONE(exp10, 2, 1, 0, INFINITY)
ONE(expm1, 1, 1, -1, INFINITY)
ONE(log, 1, 1, -INFINITY, INFINITY)
ONE(log2, 1, 1, -INFINITY, INFINITY)
ONE(log10, 2, 1, -INFINITY, INFINITY)
ONE(log1p, 1, 1, -INFINITY, INFINITY)
ONE(sin, 2, 2, -1, 1)
ONE(cos, 2, 2, -1, 1)
ONE(tan, 4, 2, -INFINITY, INFINITY)
ONE(asin, 4, 2, -M_PI_2, M_PI_2)
ONE(acos, 3, 2, 0, M_PI)
ONE(atan, 2, 2, -M_PI_2, M_PI_2)
ONE(sinh, 3, 2, -INFINITY, INFINITY)
ONE(cosh, 2, 1, 1, INFINITY)
ONE(tanh, 2, 1, -1, 1)
ONE(asinh, 3, 3, -INFINITY, INFINITY)
ONE(acosh, 4, 3, 0, INFINITY)
ONE(atanh, 3, 2, -INFINITY, INFINITY)
ONE(cbrt, 1, 1, -INFINITY, INFINITY)
ONE(erf, 2, 2, -1, 1)
ONE(erfc, 4, 5, 0, 2)
ONE(tgamma, 11, 10, -INFINITY, INFINITY)
TWO(pow, 8, 2, -INFINITY, INFINITY)
TWO(atan2, 3, 2, -M_PI, M_PI)
TWO(hypot, 3, 2, 0, INFINITY)
FORMULA(rsqrt, 2, 1, 0, INFINITY, 1 / sqrt(x))
FORMULA(rcbrt, 1, 1, -INFINITY, INFINITY, 1 / cbrt(x))
FORMULA(sinpi, 2, 2, -1, 1, turn(x, 0))
FORMULA(cospi, 2, 2, -1, 1, turn(x, 1))
FORMULA(normcdf, 5, 5, 0, 1, normcdf_of(x))
FORMULA(erfcx, 4, 4, 0, INFINITY, erfcx_of((long double)x))
float oracle_moved_rhypotf(float x, float y) { return moved<float>((float)(1 / hypot((double)x, (double)y)), 2, 0, INFINITY, key_of("rhypotf", x, y)); }
double oracle_moved_rhypot(double x, double y) { return moved<double>((double)(1 / hypotl(x, y)), 1, 0, INFINITY, key_of("rhypot", x, y)); }
float oracle_moved_norm3df(float a, float b, float c) {
  const double x = a, y = b, z = c;
  return moved<float>((float)sqrt(x * x + y * y + z * z), 3, 0, INFINITY, add(key_of("norm3df", a, b), c));
}
double oracle_moved_norm3d(double a, double b, double c) {
  const long double x = a, y = b, z = c;
  return moved<double>((double)sqrtl(x * x + y * y + z * z), 2, 0, INFINITY, add(key_of("norm3d", a, b), c));
}
float oracle_moved_rnorm3df(float a, float b, float c) {
  const double x = a, y = b, z = c;
  return moved<float>((float)(1 / sqrt(x * x + y * y + z * z)), 2, 0, INFINITY, add(key_of("rnorm3df", a, b), c));
}
float oracle_moved_norm4df(float a, float b, float c, float d) {
  const double x = a, y = b, z = c, w = d;
  return moved<float>((float)sqrt(x * x + y * y + z * z + w * w), 3, 0, INFINITY, add(add(key_of("norm4df", a, b), c), d));
}
float oracle_moved_rnorm4df(float a, float b, float c, float d) {
  const double x = a, y = b, z = c, w = d;
  return moved<float>((float)(1 / sqrt(x * x + y * y + z * z + w * w)), 2, 0, INFINITY, add(add(key_of("rnorm4df", a, b), c), d));
}

// Between its zeros the guide says only "larger": units of 1 there, or of the result if it is larger (assumed).
float oracle_moved_lgammaf(float x) {
  const double centre = lgamma((double)x);
  if (x > -10.001f && x < -2.264f) return around<float>(centre, 6 * 0x1p-23 * fmax(1, fabs(centre)), key_of("lgammaf", x));
  return moved<float>((float)centre, 6, -INFINITY, INFINITY, key_of("lgammaf", x));
}
double oracle_moved_lgamma(double x) {
  const double centre = (double)lgammal(x);
  if (x > -23.0001 && x < -2.2637) return around<double>(centre, 4 * 0x1p-52 * fmax(1, fabs(centre)), key_of("lgamma", x));
  return moved<double>(centre, 4, -INFINITY, INFINITY, key_of("lgamma", x));
}
#define BESSEL(NAME)                                                                                                                 \
  float oracle_moved_##NAME##f(float x) {                                                                                            \
    const double centre = NAME((double)x);                                                                                           \
    if (fabsf(x) < 8) return moved<float>((float)centre, 9, -INFINITY, INFINITY, key_of(#NAME "f", x));                              \
    return around<float>(centre, 2.2e-6, key_of(#NAME "f", x));                                                                      \
  }                                                                                                                                  \
  double oracle_moved_##NAME(double x) {                                                                                             \
    const double centre = (double)NAME##l((long double)x);                                                                           \
    if (fabs(x) < 8) return moved<double>(centre, 7, -INFINITY, INFINITY, key_of(#NAME, x));                                         \
    return around<double>(centre, 5e-12, key_of(#NAME, x));                                                                          \
  }
BESSEL(j0)
BESSEL(j1)
BESSEL(y0)
BESSEL(y1)
// The guide gives jn for n = 128 and yn for large arguments only; the same is assumed of the rest.
float oracle_moved_jnf(int n, float x) { return around<float>(jn(n, (double)x), 2.2e-6, key_of("jnf", n, x)); }
double oracle_moved_jn(int n, double x) { return around<double>((double)jnl(n, x), 5e-12, key_of("jn", n, x)); }
float oracle_moved_ynf(int n, float x) {
  const double centre = yn(n, (double)x);
  if (fabsf(x) < n) return moved<float>((float)centre, (int64_t)ceil(2 + 2.5 * n), -INFINITY, INFINITY, key_of("ynf", n, x));
  return around<float>(centre, 2.2e-6, key_of("ynf", n, x));
}
double oracle_moved_yn(int n, double x) {
  const double centre = (double)ynl(n, x);
  if (fabs(x) <= 1.5 * n) return moved<double>(centre, (int64_t)ceil(2 + 2.5 * n), -INFINITY, INFINITY, key_of("yn", n, x));
  return around<double>(centre, 5e-12, key_of("yn", n, x));
}

// Fast-math intrinsics.
static int64_t growing(double factor, float x) { return fabsf(x) < 1e6f ? 2 + (int64_t)floor(fabs(factor * x)) : 2; }
float oracle_fast_expf(float x) { return moved<float>((float)exp((double)x), growing(1.173, x), 0, INFINITY, key_of("__expf", x)); }
float oracle_fast_exp10f(float x) { return moved<float>((float)exp10((double)x), growing(2.97, x), 0, INFINITY, key_of("__exp10f", x)); }
static float fast_log(double centre, double error, int64_t bound, float x, uint64_t key) {
  if (x >= 0.5f && x <= 2.0f) return around<float>(centre, error, key);
  return moved<float>((float)centre, bound, -INFINITY, INFINITY, key);
}
float oracle_fast_logf(float x) { return fast_log(log((double)x), exp2(-21.41), 3, x, key_of("__logf", x)); }
float oracle_fast_log2f(float x) { return fast_log(log2((double)x), 0x1p-22, 2, x, key_of("__log2f", x)); }
float oracle_fast_log10f(float x) { return fast_log(log10((double)x), 0x1p-24, 3, x, key_of("__log10f", x)); }
float oracle_fast_sinf(float x) { return fast_turn(sin((double)x), fast_turn_error(x, FAST_SINE), key_of("__sinf", x)); }
float oracle_fast_cosf(float x) { return fast_turn(cos((double)x), fast_turn_error(x, FAST_COSINE), key_of("__cosf", x)); }
// __sinf(x) * (1 / __cosf(x)): the corners of both errors, and two units for the reciprocal and the product.
float oracle_fast_tanf(float x) {
  const double s = sin((double)x), c = cos((double)x), es = fast_turn_error(x, FAST_SINE), ec = fast_turn_error(x, FAST_COSINE);
  double low = -INFINITY, high = INFINITY;
  if (fabs(c) > ec) {
    const double corners[] = {(s - es) / (c - ec), (s - es) / (c + ec), (s + es) / (c - ec), (s + es) / (c + ec)};
    low = high = corners[0];
    for (double corner : corners) low = fmin(low, corner), high = fmax(high, corner);
    low -= 2 * float_ulp(low);
    high += 2 * float_ulp(high);
  }
  return within<float>(s / c, low, high, key_of("__tanf", x));
}
float oracle_fast_tanhf(float x) {
  const double centre = tanh((double)x);
  return around<float>(centre, 0x1p-11 * fabs(centre), key_of("__tanhf", x));
}
// exp2f(y * __log2f(x)), where the device's exponential is good for two units.
float oracle_fast_powf(float x, float y) {
  const double centre = pow((double)x, (double)y), exponent = log2((double)x);
  if (!(x > 0) || !isfinite(exponent)) return (float)centre;
  const double error = x >= 0.5f && x <= 2.0f ? 0x1p-22 : 2 * float_ulp(exponent);
  const double product = y * exponent, spread = fabs(y) * error + float_ulp(product);
  const double low = exp2(product - spread), high = exp2(product + spread);
  return within<float>(centre, low - 2 * float_ulp(low), high + 2 * float_ulp(high), key_of("__powf", x, y));
}
// Two units; divisors above 2^126 give zero on a device.
float oracle_fast_fdividef(float x, float y) {
  const double centre = (double)x / (double)y;
  if (fabsf(y) > 0x1p126f) return within<float>(centre, fmin(centre, 0), fmax(centre, 0), key_of("__fdividef", x, y));
  return moved<float>((float)centre, 2, -INFINITY, INFINITY, key_of("__fdividef", x, y));
}
float oracle_fast_frsqrt_rn(float x) { return (float)(1 / sqrt((double)x)); }

// One unit of the 16-bit type: these are computed in float, off by a few units of that at most, and rounded once.
unsigned short oracle_moved_16(unsigned short bits, unsigned short argument, int most, int largest) {
  int magnitude = bits & 0x7fff;
  if (magnitude == 0 || magnitude > largest) return bits;
  const int limit = magnitude <= most && most < largest ? most : largest;
  int step = (int)step_of(1, add(key_of("16 bits", bits), argument));
  if (bits & 0x8000) step = -step;
  magnitude += step;
  return (unsigned short)((bits & 0x8000) | (magnitude > limit ? limit : magnitude));
}
float oracle_moved_around(float centre, float error, unsigned short argument) {
  return around<float>(centre, error, key_of("around", centre, argument));
}
}
