// Complex numbers of cuComplex.h and cuFFT: pairs, with the arithmetic that is a plain formula there.
#pragma once
typedef float2 cuFloatComplex;
typedef float2 cuComplex;
typedef float2 cufftComplex;
typedef float cufftReal;
typedef double2 cuDoubleComplex;
typedef double2 cufftDoubleComplex;
typedef double cufftDoubleReal;
#define ORACLE_COMPLEX(C, R, MAKE, F)                                                                                  \
  static inline C MAKE(R re, R im) { return C{re, im}; }                                                               \
  static inline R cuCreal##F(C a) { return a.x; }                                                                      \
  static inline R cuCimag##F(C a) { return a.y; }                                                                      \
  static inline C cuConj##F(C a) { return C{a.x, -a.y}; }                                                              \
  static inline C cuCadd##F(C a, C b) { return C{a.x + b.x, a.y + b.y}; }                                              \
  static inline C cuCsub##F(C a, C b) { return C{a.x - b.x, a.y - b.y}; }                                              \
  static inline C cuCmul##F(C a, C b) { return C{(a.x * b.x) - (a.y * b.y), (a.x * b.y) + (a.y * b.x)}; }
ORACLE_COMPLEX(cuFloatComplex, float, make_cuFloatComplex, f)
ORACLE_COMPLEX(cuDoubleComplex, double, make_cuDoubleComplex, )
static inline cuComplex make_cuComplex(float re, float im) { return cuComplex{re, im}; }
#undef ORACLE_COMPLEX
