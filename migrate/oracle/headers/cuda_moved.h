// Builds of kind `moved`: every math function whose error CUDA only bounds is a function of the runner, which moves its
// results inside that bound (runtime/perturb.cpp, docs/semantics.md "Error bounds on a device"). The asm labels hold for
// the later declarations of cuda_math.h too; what is inline there is left out in these builds.
#pragma once
#define ORACLE_MOVED_ONE(NAME) float NAME##f(float) noexcept __asm__("oracle_moved_" #NAME "f"); double NAME(double) noexcept __asm__("oracle_moved_" #NAME);
#define ORACLE_MOVED_TWO(NAME) float NAME##f(float, float) noexcept __asm__("oracle_moved_" #NAME "f"); double NAME(double, double) noexcept __asm__("oracle_moved_" #NAME);
extern "C" {
ORACLE_MOVED_ONE(exp) ORACLE_MOVED_ONE(exp2) ORACLE_MOVED_ONE(exp10) ORACLE_MOVED_ONE(expm1)
ORACLE_MOVED_ONE(log) ORACLE_MOVED_ONE(log2) ORACLE_MOVED_ONE(log10) ORACLE_MOVED_ONE(log1p)
ORACLE_MOVED_ONE(sin) ORACLE_MOVED_ONE(cos) ORACLE_MOVED_ONE(tan) ORACLE_MOVED_ONE(asin) ORACLE_MOVED_ONE(acos) ORACLE_MOVED_ONE(atan)
ORACLE_MOVED_ONE(sinh) ORACLE_MOVED_ONE(cosh) ORACLE_MOVED_ONE(tanh) ORACLE_MOVED_ONE(asinh) ORACLE_MOVED_ONE(acosh) ORACLE_MOVED_ONE(atanh)
ORACLE_MOVED_ONE(cbrt) ORACLE_MOVED_ONE(erf) ORACLE_MOVED_ONE(erfc) ORACLE_MOVED_ONE(lgamma) ORACLE_MOVED_ONE(tgamma)
ORACLE_MOVED_ONE(j0) ORACLE_MOVED_ONE(j1) ORACLE_MOVED_ONE(y0) ORACLE_MOVED_ONE(y1)
ORACLE_MOVED_TWO(pow) ORACLE_MOVED_TWO(atan2) ORACLE_MOVED_TWO(hypot)
float jnf(int, float) noexcept __asm__("oracle_moved_jnf");
double jn(int, double) noexcept __asm__("oracle_moved_jn");
float ynf(int, float) noexcept __asm__("oracle_moved_ynf");
double yn(int, double) noexcept __asm__("oracle_moved_yn");
// formulas of cuda_math.h
ORACLE_MOVED_ONE(rsqrt) ORACLE_MOVED_ONE(rcbrt) ORACLE_MOVED_ONE(sinpi) ORACLE_MOVED_ONE(cospi) ORACLE_MOVED_ONE(normcdf) ORACLE_MOVED_ONE(erfcx)
ORACLE_MOVED_TWO(rhypot)
float norm3df(float, float, float) noexcept __asm__("oracle_moved_norm3df");
double norm3d(double, double, double) noexcept __asm__("oracle_moved_norm3d");
float rnorm3df(float, float, float) noexcept __asm__("oracle_moved_rnorm3df");
float norm4df(float, float, float, float) noexcept __asm__("oracle_moved_norm4df");
float rnorm4df(float, float, float, float) noexcept __asm__("oracle_moved_rnorm4df");
// fast-math intrinsics, under the names that cuda_math.h gives them
float oracle_fast_expf(float) noexcept;
float oracle_fast_exp10f(float) noexcept;
float oracle_fast_logf(float) noexcept;
float oracle_fast_log2f(float) noexcept;
float oracle_fast_log10f(float) noexcept;
float oracle_fast_sinf(float) noexcept;
float oracle_fast_cosf(float) noexcept;
float oracle_fast_tanf(float) noexcept;
float oracle_fast_tanhf(float) noexcept;
float oracle_fast_powf(float, float) noexcept;
float __fdividef(float, float) noexcept __asm__("oracle_fast_fdividef");
float __frsqrt_rn(float) noexcept __asm__("oracle_fast_frsqrt_rn");
// Functions of half and bfloat16. `bits`: the plain result; `most`: bits of the largest value the function has;
// `largest`: bits of the type's largest finite value.
unsigned short oracle_moved_16(unsigned short bits, unsigned short argument, int most, int largest) noexcept;
float oracle_moved_around(float centre, float error, unsigned short argument) noexcept;
// libm itself, for the plain results of functions of half and bfloat16
float oracle_libm_expf(float) noexcept __asm__("expf");
float oracle_libm_exp2f(float) noexcept __asm__("exp2f");
float oracle_libm_exp10f(float) noexcept __asm__("exp10f");
float oracle_libm_logf(float) noexcept __asm__("logf");
float oracle_libm_log2f(float) noexcept __asm__("log2f");
float oracle_libm_log10f(float) noexcept __asm__("log10f");
float oracle_libm_sinf(float) noexcept __asm__("sinf");
float oracle_libm_cosf(float) noexcept __asm__("cosf");
float oracle_libm_tanhf(float) noexcept __asm__("tanhf");
}
#undef ORACLE_MOVED_ONE
#undef ORACLE_MOVED_TWO
