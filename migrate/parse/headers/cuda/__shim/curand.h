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
struct curandStateSobol64 {
  int s;
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
typedef enum { CURAND_STATUS_SUCCESS } curandStatus_t;
typedef enum {
  CURAND_RNG_PSEUDO_DEFAULT = 100,
  CURAND_RNG_PSEUDO_XORWOW,
  CURAND_RNG_PSEUDO_MTGP32 = 141,
  CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
  CURAND_RNG_QUASI_DEFAULT = 200,
  CURAND_RNG_QUASI_SOBOL32 = 201
} curandRngType_t;
