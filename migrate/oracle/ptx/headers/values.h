// Register values are raw bits; a type tag says how an instruction reads them. Source: PTX ISA 9.0, "State Spaces,
// Types, and Variables", "Floating Point Instructions".
#include <stddef.h>
#include <stdint.h>
#include "oracle_abi.h"

typedef uint8_t u8; typedef uint16_t u16; typedef uint32_t u32; typedef uint64_t u64; typedef unsigned __int128 u128;
typedef int8_t s8; typedef int16_t s16; typedef int32_t s32; typedef int64_t s64; typedef __int128 s128;
#define INLINE static inline __attribute__((always_inline))

template <class To, class From> INLINE To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From), "a change of meaning, not of size");
  To to;
  __builtin_memcpy(&to, &from, sizeof to);
  return to;
}

// Integers: `raw` is the register, `number` what it counts.
#define INTEGER_TAG(NAME, RAW, NUMBER) struct NAME { typedef RAW raw; typedef NUMBER number; enum { bits = 8 * sizeof(RAW) }; };
INTEGER_TAG(U8, u8, u8) INTEGER_TAG(U16, u16, u16) INTEGER_TAG(U32, u32, u32) INTEGER_TAG(U64, u64, u64)
INTEGER_TAG(S8, u8, s8) INTEGER_TAG(S16, u16, s16) INTEGER_TAG(S32, u32, s32) INTEGER_TAG(S64, u64, s64)
INTEGER_TAG(B8, u8, u8) INTEGER_TAG(B16, u16, u16) INTEGER_TAG(B32, u32, u32) INTEGER_TAG(B64, u64, u64)
INTEGER_TAG(B128, u128, u128)

enum Rounding { NEAREST, TO_ZERO, DOWN, UP, AWAY };  // .rn .rz .rm .rp, and .rna

// Powers of two that a double holds as normal numbers.
INLINE double power_of_two(int e) { return bits_as<double>((u64)(e + 1023) << 52); }
INLINE bool is_nan(double x) { return x != x; }
INLINE bool sign_of(double x) { return bits_as<u64>(x) >> 63; }
INLINE double magnitude(double x) { return bits_as<double>(bits_as<u64>(x) & 0x7fffffffffffffffull); }

// A non-negative double below 2^53 to a whole number. `negative`: the sign that was taken off, for directed modes.
INLINE u64 whole(double x, Rounding mode, bool negative) {
  const u64 low = (u64)x;
  const double rest = x - (double)low;
  bool more;
  switch (mode) {
    case TO_ZERO: more = false; break;
    case DOWN: more = negative && rest > 0; break;
    case UP: more = !negative && rest > 0; break;
    case AWAY: more = rest >= 0.5; break;
    default: more = rest > 0.5 || (rest == 0.5 && (low & 1)); break;
  }
  return low + more;
}

// 16-bit formats: M stored mantissa bits, E exponent bits. Every value is a multiple of a power of two, so rounding is
// rounding of that multiple; the carry out of the mantissa is the next exponent.
template <int M, int E> INLINE double wide_value(u16 h) {
  const int field = h >> M & ((1 << E) - 1), mantissa = h & ((1 << M) - 1), lowest = 2 - (1 << (E - 1));
  double v;
  if (field == (1 << E) - 1) v = mantissa ? __builtin_nan("") : __builtin_inf();
  else if (field == 0) v = mantissa * power_of_two(lowest - M);
  else v = (mantissa | 1 << M) * power_of_two(field - 1 + lowest - M);
  return h >> 15 ? -v : v;
}
template <int M, int E> INLINE u16 narrow_value(double v, Rounding mode) {
  const int lowest = 2 - (1 << (E - 1)), all_ones = (1 << E) - 1;
  if (is_nan(v)) return 0x7fff;
  const bool negative = sign_of(v);
  const u16 sign = negative ? 0x8000 : 0;
  const double a = magnitude(v);
  if (a == __builtin_inf()) return sign | all_ones << M;
  int e = (int)(bits_as<u64>(a) >> 52) - 1023;
  if (e < lowest) e = lowest;
  if (e > 1 << (E - 1)) e = 1 << (E - 1);  // far above the format, and the multiple must fit below
  const double multiple = a * power_of_two(M - e);
  const u64 n = multiple < 0x1p20 ? whole(multiple, mode, negative) : 1 << 20;
  const u64 encoded = n < 1u << M ? n : ((u64)(e - lowest + 1) << M) + (n - (1u << M));
  if (encoded >= (u64)all_ones << M) {
    const bool to_infinity = mode == NEAREST || mode == AWAY || (mode == UP && !negative) || (mode == DOWN && negative);
    return sign | (to_infinity ? all_ones << M : (all_ones << M) - 1);
  }
  return sign | (u16)encoded;
}

// Floats: `number` is what an operation is computed in. Results that are NaN get the one pattern that devices give.
struct F16 {
  typedef u16 raw; typedef double number; enum { bits = 16 };
  INLINE double get(u16 r) { return wide_value<10, 5>(r); }
  INLINE u16 put(double v, Rounding mode = NEAREST) { return narrow_value<10, 5>(v, mode); }
  INLINE u16 flush(u16 r) { return r & 0x7c00 ? r : r & 0x8000; }
};
struct BF16 {
  typedef u16 raw; typedef double number; enum { bits = 16 };
  INLINE double get(u16 r) { return bits_as<float>((u32)r << 16); }
  INLINE u16 put(double v, Rounding mode = NEAREST) { return narrow_value<7, 8>(v, mode); }
  INLINE u16 flush(u16 r) { return r & 0x7f80 ? r : r & 0x8000; }
};
struct F32 {
  typedef u32 raw; typedef float number; enum { bits = 32 };
  INLINE float get(u32 r) { return bits_as<float>(r); }
  INLINE u32 put(float v) { return v != v ? 0x7fffffffu : bits_as<u32>(v); }
  INLINE u32 flush(u32 r) { return r & 0x7f800000u ? r : r & 0x80000000u; }
};
struct F64 {
  typedef u64 raw; typedef double number; enum { bits = 64 };
  INLINE double get(u64 r) { return bits_as<double>(r); }
  INLINE u64 put(double v) { return v != v ? 0x7ff8000000000000ull : bits_as<u64>(v); }
  INLINE u64 flush(u64 r) { return r; }
};
template <class T> struct is_half { enum { value = T::bits == 16 }; };
template <class A, class B> struct same_type { enum { value = 0 }; };
template <class A> struct same_type<A, A> { enum { value = 1 }; };

// What an integer instruction meets that PTX leaves open; counted, and the case is not judged by it.
struct event_place { const char* file; u32 line, column; };
struct event_type { u16 kind, info; char name[1]; };
struct event_data { event_place place; const event_type* type; unsigned char log_alignment, check; };
extern "C" void __ubsan_handle_divrem_overflow(event_data*, uintptr_t, uintptr_t);
extern "C" void __ubsan_handle_type_mismatch_v1(event_data*, uintptr_t);
static const event_type event_integer = {0, 5 << 1, {0}};
