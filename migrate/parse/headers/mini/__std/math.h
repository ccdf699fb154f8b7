// Math functions: overloads as in <cmath>; integers go to double.
#pragma once

template <bool B, class T = void> struct __eif {};
template <class T> struct __eif<true, T> {
  typedef T type;
};
template <class T> struct __isint {
  static const bool value = __is_integral(T);
};

double sin(double);
float sin(float);
float sinf(float);
template <class T> typename __eif<__is_integral(T), double>::type sin(T);
double cos(double);
float cos(float);
float cosf(float);
template <class T> typename __eif<__is_integral(T), double>::type cos(T);
double tan(double);
float tan(float);
float tanf(float);
template <class T> typename __eif<__is_integral(T), double>::type tan(T);
double asin(double);
float asin(float);
float asinf(float);
template <class T> typename __eif<__is_integral(T), double>::type asin(T);
double acos(double);
float acos(float);
float acosf(float);
template <class T> typename __eif<__is_integral(T), double>::type acos(T);
double atan(double);
float atan(float);
float atanf(float);
template <class T> typename __eif<__is_integral(T), double>::type atan(T);
double sinh(double);
float sinh(float);
float sinhf(float);
template <class T> typename __eif<__is_integral(T), double>::type sinh(T);
double cosh(double);
float cosh(float);
float coshf(float);
template <class T> typename __eif<__is_integral(T), double>::type cosh(T);
double tanh(double);
float tanh(float);
float tanhf(float);
template <class T> typename __eif<__is_integral(T), double>::type tanh(T);
double asinh(double);
float asinh(float);
float asinhf(float);
template <class T> typename __eif<__is_integral(T), double>::type asinh(T);
double acosh(double);
float acosh(float);
float acoshf(float);
template <class T> typename __eif<__is_integral(T), double>::type acosh(T);
double atanh(double);
float atanh(float);
float atanhf(float);
template <class T> typename __eif<__is_integral(T), double>::type atanh(T);
double exp(double);
float exp(float);
float expf(float);
template <class T> typename __eif<__is_integral(T), double>::type exp(T);
double exp2(double);
float exp2(float);
float exp2f(float);
template <class T> typename __eif<__is_integral(T), double>::type exp2(T);
double expm1(double);
float expm1(float);
float expm1f(float);
template <class T> typename __eif<__is_integral(T), double>::type expm1(T);
double log(double);
float log(float);
float logf(float);
template <class T> typename __eif<__is_integral(T), double>::type log(T);
double log2(double);
float log2(float);
float log2f(float);
template <class T> typename __eif<__is_integral(T), double>::type log2(T);
double log10(double);
float log10(float);
float log10f(float);
template <class T> typename __eif<__is_integral(T), double>::type log10(T);
double log1p(double);
float log1p(float);
float log1pf(float);
template <class T> typename __eif<__is_integral(T), double>::type log1p(T);
double logb(double);
float logb(float);
float logbf(float);
template <class T> typename __eif<__is_integral(T), double>::type logb(T);
double sqrt(double);
float sqrt(float);
float sqrtf(float);
template <class T> typename __eif<__is_integral(T), double>::type sqrt(T);
double cbrt(double);
float cbrt(float);
float cbrtf(float);
template <class T> typename __eif<__is_integral(T), double>::type cbrt(T);
double ceil(double);
float ceil(float);
float ceilf(float);
template <class T> typename __eif<__is_integral(T), double>::type ceil(T);
double floor(double);
float floor(float);
float floorf(float);
template <class T> typename __eif<__is_integral(T), double>::type floor(T);
double trunc(double);
float trunc(float);
float truncf(float);
template <class T> typename __eif<__is_integral(T), double>::type trunc(T);
double round(double);
float round(float);
float roundf(float);
template <class T> typename __eif<__is_integral(T), double>::type round(T);
double rint(double);
float rint(float);
float rintf(float);
template <class T> typename __eif<__is_integral(T), double>::type rint(T);
double nearbyint(double);
float nearbyint(float);
float nearbyintf(float);
template <class T> typename __eif<__is_integral(T), double>::type nearbyint(T);
double fabs(double);
float fabs(float);
float fabsf(float);
template <class T> typename __eif<__is_integral(T), double>::type fabs(T);
double erf(double);
float erf(float);
float erff(float);
template <class T> typename __eif<__is_integral(T), double>::type erf(T);
double erfc(double);
float erfc(float);
float erfcf(float);
template <class T> typename __eif<__is_integral(T), double>::type erfc(T);
double tgamma(double);
float tgamma(float);
float tgammaf(float);
template <class T> typename __eif<__is_integral(T), double>::type tgamma(T);
double lgamma(double);
float lgamma(float);
float lgammaf(float);
template <class T> typename __eif<__is_integral(T), double>::type lgamma(T);
double j0(double);
float j0(float);
float j0f(float);
template <class T> typename __eif<__is_integral(T), double>::type j0(T);
double j1(double);
float j1(float);
float j1f(float);
template <class T> typename __eif<__is_integral(T), double>::type j1(T);
double y0(double);
float y0(float);
float y0f(float);
template <class T> typename __eif<__is_integral(T), double>::type y0(T);
double y1(double);
float y1(float);
float y1f(float);
template <class T> typename __eif<__is_integral(T), double>::type y1(T);
double pow(double, double);
float pow(float, float);
float powf(float, float);
template <class T, class U>
typename __eif<(__is_arithmetic(T) && __is_arithmetic(U) && !(__is_same(T, U) && __is_floating_point(T))), double>::type
    pow(T, U);
double atan2(double, double);
float atan2(float, float);
float atan2f(float, float);
template <class T, class U>
typename __eif<(__is_arithmetic(T) && __is_arithmetic(U) && !(__is_same(T, U) && __is_floating_point(T))), double>::type
    atan2(T, U);
double fmod(double, double);
float fmod(float, float);
float fmodf(float, float);
template <class T, class U>
typename __eif<(__is_arithmetic(T) && __is_arithmetic(U) && !(__is_same(T, U) && __is_floating_point(T))), double>::type
    fmod(T, U);
double remainder(double, double);
float remainder(float, float);
float remainderf(float, float);
template <class T, class U>
typename __eif<(__is_arithmetic(T) && __is_arithmetic(U) && !(__is_same(T, U) && __is_floating_point(T))), double>::type
    remainder(T, U);
double hypot(double, double);
float hypot(float, float);
float hypotf(float, float);
template <class T, class U>
typename __eif<(__is_arithmetic(T) && __is_arithmetic(U) && !(__is_same(T, U) && __is_floating_point(T))), double>::type
    hypot(T, U);
double fmin(double, double);
float fmin(float, float);
float fminf(float, float);
template <class T, class U>
typename __eif<(__is_arithmetic(T) && __is_arithmetic(U) && !(__is_same(T, U) && __is_floating_point(T))), double>::type
    fmin(T, U);
double fmax(double, double);
float fmax(float, float);
float fmaxf(float, float);
template <class T, class U>
typename __eif<(__is_arithmetic(T) && __is_arithmetic(U) && !(__is_same(T, U) && __is_floating_point(T))), double>::type
    fmax(T, U);
double fdim(double, double);
float fdim(float, float);
float fdimf(float, float);
template <class T, class U>
typename __eif<(__is_arithmetic(T) && __is_arithmetic(U) && !(__is_same(T, U) && __is_floating_point(T))), double>::type
    fdim(T, U);
double copysign(double, double);
float copysign(float, float);
float copysignf(float, float);
template <class T, class U>
typename __eif<(__is_arithmetic(T) && __is_arithmetic(U) && !(__is_same(T, U) && __is_floating_point(T))), double>::type
    copysign(T, U);
double nextafter(double, double);
float nextafter(float, float);
float nextafterf(float, float);
template <class T, class U>
typename __eif<(__is_arithmetic(T) && __is_arithmetic(U) && !(__is_same(T, U) && __is_floating_point(T))), double>::type
    nextafter(T, U);
double fma(double, double, double);
float fma(float, float, float);
template <class T, class U, class V> typename __eif<(__is_arithmetic(T) && __is_arithmetic(U) && __is_arithmetic(V) &&
                                                     !(__is_same(T, U) && __is_same(U, V) && __is_floating_point(T))),
                                                    double>::type fma(T, U, V);
float scalbn(float, int);
template <class T> typename __eif<__is_integral(T), double>::type ldexp(T, int);
template <class T> typename __eif<__is_integral(T), double>::type scalbn(T, int);
float fmaf(float, float, float);
double ldexp(double, int);
float ldexp(float, int);
float ldexpf(float, int);
double frexp(double, int *);
float frexp(float, int *);
float frexpf(float, int *);
double modf(double, double *);
float modff(float, float *);
float modf(float, float *);
double scalbn(double, int);
float scalbnf(float, int);
int ilogb(double);
int ilogbf(float);
long lround(double);
long lroundf(float);
long long llround(double);
long long llroundf(float);
long lrint(double);
long lrintf(float);
long long llrint(double);
long long llrintf(float);
void sincos(double, double *, double *);
void sincosf(float, float *, float *);
void sincos(float, float *, float *);
double nan(const char *);
float nanf(const char *);
double remquo(double, double, int *);
double jn(int, double);
double yn(int, double);
bool isnan(double);
bool isnan(float);
bool isinf(double);
bool isinf(float);
bool isfinite(double);
bool isfinite(float);
bool signbit(double);
bool signbit(float);
template <class T> typename __eif<__is_integral(T), bool>::type isnan(T);
template <class T> typename __eif<__is_integral(T), bool>::type isinf(T);
template <class T> typename __eif<__is_integral(T), bool>::type isfinite(T);
template <class T> typename __eif<__is_integral(T), bool>::type signbit(T);
bool isnormal(double);
int __isnanf(float);
int finite(double);
inline void *operator new(size_t, void *p) noexcept { return p; }
inline void *operator new[](size_t, void *p) noexcept { return p; }
