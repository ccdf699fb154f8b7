// Atomics. One thread runs at a time, so in the run build they are plain; in the check build the compiler's atomic
// operations mark the access as atomic for the race check.
#pragma once
template <class T, class F> static inline T oracle_update(T* p, F change) {
#ifdef ORACLE_CHECK
  typedef typename std::conditional<sizeof(T) == 8, uint64_t, typename std::conditional<sizeof(T) == 4, uint32_t, uint16_t>::type>::type bits;
  static_assert(sizeof(bits) == sizeof(T), "atomic of an unsupported size");
  bits old_bits = __atomic_load_n((bits*)p, __ATOMIC_RELAXED), new_bits;
  T old_value, new_value;
  __builtin_memcpy((void*)&old_value, &old_bits, sizeof(T));
  new_value = change(old_value);
  __builtin_memcpy(&new_bits, (const void*)&new_value, sizeof(T));
  __atomic_exchange_n((bits*)p, new_bits, __ATOMIC_RELAXED);
  return old_value;
#else
  T old_value = *p;
  *p = change(old_value);
  return old_value;
#endif
}
#define ORACLE_SCOPES(NAME, TYPE)                                                   \
  static inline TYPE NAME##_block(TYPE* p, TYPE v) { return NAME(p, v); }           \
  static inline TYPE NAME##_system(TYPE* p, TYPE v) { return NAME(p, v); }
#define ORACLE_ATOMIC(NAME, TYPE, EXPRESSION)                                                                  \
  static inline TYPE NAME(TYPE* p, TYPE v) { return oracle_update(p, [v](TYPE a) -> TYPE { return EXPRESSION; }); } \
  ORACLE_SCOPES(NAME, TYPE)
#define ORACLE_ATOMIC_INTEGER(TYPE, UNSIGNED)                                      \
  ORACLE_ATOMIC(atomicAdd, TYPE, (TYPE)((UNSIGNED)a + (UNSIGNED)v))                \
  ORACLE_ATOMIC(atomicExch, TYPE, ((void)a, v))                                    \
  ORACLE_ATOMIC(atomicMin, TYPE, a < v ? a : v)                                    \
  ORACLE_ATOMIC(atomicMax, TYPE, a > v ? a : v)                                    \
  ORACLE_ATOMIC(atomicAnd, TYPE, a & v)                                            \
  ORACLE_ATOMIC(atomicOr, TYPE, a | v)                                             \
  ORACLE_ATOMIC(atomicXor, TYPE, a ^ v)                                            \
  static inline TYPE atomicCAS(TYPE* p, TYPE expected, TYPE v) {                   \
    return oracle_update(p, [=](TYPE a) -> TYPE { return a == expected ? v : a; }); \
  }                                                                                \
  static inline TYPE atomicCAS_block(TYPE* p, TYPE expected, TYPE v) { return atomicCAS(p, expected, v); } \
  static inline TYPE atomicCAS_system(TYPE* p, TYPE expected, TYPE v) { return atomicCAS(p, expected, v); }
ORACLE_ATOMIC_INTEGER(int, unsigned)
ORACLE_ATOMIC_INTEGER(unsigned, unsigned)
ORACLE_ATOMIC_INTEGER(unsigned long long, unsigned long long)
ORACLE_ATOMIC(atomicMin, long long, a < v ? a : v)
ORACLE_ATOMIC(atomicMax, long long, a > v ? a : v)
ORACLE_ATOMIC(atomicAnd, long long, a & v)
ORACLE_ATOMIC(atomicOr, long long, a | v)
ORACLE_ATOMIC(atomicXor, long long, a ^ v)
ORACLE_ATOMIC(atomicSub, int, (int)((unsigned)a - (unsigned)v))
ORACLE_ATOMIC(atomicSub, unsigned, a - v)
ORACLE_ATOMIC(atomicAdd, float, a + v)
ORACLE_ATOMIC(atomicAdd, double, a + v)
ORACLE_ATOMIC(atomicExch, float, ((void)a, v))
ORACLE_ATOMIC(atomicInc, unsigned, a >= v ? 0u : a + 1u)
ORACLE_ATOMIC(atomicDec, unsigned, a == 0 || a > v ? v : a - 1u)
static inline unsigned short atomicCAS(unsigned short* p, unsigned short expected, unsigned short v) {
  return oracle_update(p, [=](unsigned short a) -> unsigned short { return a == expected ? v : a; });
}
