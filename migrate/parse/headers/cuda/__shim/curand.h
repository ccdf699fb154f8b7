// Random numbers, device and host side.
#pragma once

struct curandStateXORWOW {
  unsigned d, v[5];
  int f;
  float g;
  double h;
};
typedef curandStateXORWOW curandState;
typedef curandState curandState_t;
typedef curandState curandStateXORWOW_t;
struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned STATE;
};
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
struct curandStateMRG32k3a {
  double s[6];
};
typedef curandStateMRG32k3a curandStateMRG32k3a_t;
struct curandStateMtgp32 {
  int s;
};
typedef curandStateMtgp32 curandStateMtgp32_t;
struct curandStateSobol32 {
  int s;
};
typedef curandStateSobol32 curandStateSobol32_t;
struct curandStateScrambledSobol32 {
  int s;
};
typedef curandStateScrambledSobol32 curandStateScrambledSobol32_t;
struct curandStateSobol64 {
  int s;
};
typedef curandStateSobol64 curandStateSobol64_t;
struct curandStateScrambledSobol64 {
  int s;
};
typedef curandStateScrambledSobol64 curandStateScrambledSobol64_t;
typedef unsigned curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];
enum curandDirectionVectorSet_t {
  CURAND_DIRECTION_VECTORS_32_JOEKUO6 = 101,
  CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6 = 102,
  CURAND_DIRECTION_VECTORS_64_JOEKUO6 = 103,
  CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6 = 104
};
template <class... A> DV void curand_init(A &&...);
template <class S> DV unsigned curand(S *);
template <class S> DV float curand_uniform(S *);
template <class S> DV double curand_uniform_double(S *);
template <class S> DV float curand_normal(S *);
template <class S> DV double curand_normal_double(S *);
template <class S> DV float2 curand_normal2(S *);
template <class S> DV float curand_log_normal(S *, float, float);
template <class S> DV unsigned curand_poisson(S *, double);
template <class S> DV uint4 curand4(S *);
template <class S> DV float4 curand_uniform4(S *);
template <class S> DV float4 curand_normal4(S *);
template <class S> DV double2 curand_normal2_double(S *);
template <class S> DV void skipahead(unsigned long long, S *);
template <class S> DV void skipahead_sequence(unsigned long long, S *);
template <class S> DV double2 curand_uniform2_double(S *);
typedef struct curandGenerator_st *curandGenerator_t;
typedef enum {
  CURAND_STATUS_SUCCESS = 0,
  CURAND_STATUS_VERSION_MISMATCH = 100,
  CURAND_STATUS_NOT_INITIALIZED = 101,
  CURAND_STATUS_ALLOCATION_FAILED = 102,
  CURAND_STATUS_TYPE_ERROR = 103,
  CURAND_STATUS_OUT_OF_RANGE = 104,
  CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
  CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
  CURAND_STATUS_LAUNCH_FAILURE = 201,
  CURAND_STATUS_PREEXISTING_FAILURE = 202,
  CURAND_STATUS_INITIALIZATION_FAILED = 203,
  CURAND_STATUS_ARCH_MISMATCH = 204,
  CURAND_STATUS_INTERNAL_ERROR = 999
} curandStatus_t;
typedef enum {
  CURAND_RNG_PSEUDO_DEFAULT = 100,
  CURAND_RNG_PSEUDO_XORWOW,
  CURAND_RNG_PSEUDO_MTGP32 = 141,
  CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
  CURAND_RNG_QUASI_DEFAULT = 200,
  CURAND_RNG_QUASI_SOBOL32 = 201
} curandRngType_t;

#define LIBRARY_CALL(NAME) template <class... A> curandStatus_t NAME(A &&...);
LIBRARY_CALL(curandCreateGenerator)
LIBRARY_CALL(curandCreateGeneratorHost)
LIBRARY_CALL(curandDestroyGenerator)
LIBRARY_CALL(curandSetPseudoRandomGeneratorSeed)
LIBRARY_CALL(curandSetQuasiRandomGeneratorDimensions)
LIBRARY_CALL(curandSetGeneratorOffset)
LIBRARY_CALL(curandSetGeneratorOrdering)
LIBRARY_CALL(curandSetStream)
LIBRARY_CALL(curandGetVersion)
LIBRARY_CALL(curandGenerate)
LIBRARY_CALL(curandGenerateUniform)
LIBRARY_CALL(curandGenerateUniformDouble)
LIBRARY_CALL(curandGenerateNormal)
LIBRARY_CALL(curandGenerateNormalDouble)
LIBRARY_CALL(curandGenerateLogNormal)
LIBRARY_CALL(curandGeneratePoisson)
LIBRARY_CALL(curandGetDirectionVectors32)
LIBRARY_CALL(curandGetDirectionVectors64)
LIBRARY_CALL(curandGetScrambleConstants32)
#undef LIBRARY_CALL
