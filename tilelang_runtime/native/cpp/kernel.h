// What generated kernels include: value types, checked arithmetic, memory access, the services of the scheduler.
// No standard header: a small kernel must compile in a tenth of a second.
#pragma once
typedef signed char i8;
typedef unsigned char u8;
typedef short i16;
typedef unsigned short u16;
typedef int i32;
typedef unsigned u32;
typedef long long i64;
typedef unsigned long long u64;
typedef float f32;
typedef double f64;
struct b8 { u8 bits; };     // memory form of bool: any byte but 0 is true
struct f16 { u16 bits; };   // memory form; in registers a float that is representable
struct bf16 { u16 bits; };  // likewise

#define INLINE static inline __attribute__((always_inline))
#define COLD __attribute__((cold, noinline))
#define LIKELY(x) __builtin_expect(!!(x), 1)

enum FailKind { FAIL_INDEX = 1, FAIL_DIVISION, FAIL_STEP, FAIL_DEADLOCK, FAIL_ASSERT, FAIL_MASK, FAIL_STACK };
enum NoteKind { NOTE_READ = 1, NOTE_WRITE, NOTE_LANE, NOTE_BARRIER };
enum CollectiveKind { SHUFFLE = 0, BALLOT, MATCH_ANY, MATCH_ALL, SYNC };
enum BlockVote { VOTE_NONE = -1, VOTE_COUNT, VOTE_AND, VOTE_OR };

struct Context {
  i32 block[3];
  i32 thread;            // linear index of the running thread
  u8* shared;            // memory of the block
  i32 parallel;          // other workers run at the same time
  i32 unguarded;         // out-of-range accesses of arguments are errors
  i32 reversed;          // blocks, warps and lanes run in mirrored order
  i64 index[4];          // of the last out-of-range access
  void (*fail)(Context*, i32 kind, i32 site, i64 detail) __attribute__((noreturn));
  void (*note)(Context*, i32 kind, i32 site);
  i32 (*barrier)(Context*, i32 site, i32 vote, i32 predicate);
  u64 (*collective)(Context*, i32 site, i32 kind, u32 mask, u64 value, i32 source);
  u32 (*live)(Context*);
  i32 (*first_live)(Context*);
  void (*gemm)(i32 kind, const void* a, i64 a_row, i64 a_column, const void* b, i64 b_row, i64 b_column, void* c,
               i64 c_row, i64 c_column, i32 m, i32 n, i32 k, i32 clear);
};

extern "C" {
void* memset(void*, int, unsigned long);
void* memcpy(void*, const void*, unsigned long);
#define FLOAT1(name) f64 name(f64); f32 name##f(f32);
#define FLOAT2(name) f64 name(f64, f64); f32 name##f(f32, f32);
FLOAT1(exp) FLOAT1(exp2) FLOAT1(exp10) FLOAT1(expm1) FLOAT1(log) FLOAT1(log2) FLOAT1(log10) FLOAT1(log1p) FLOAT1(sin)
FLOAT1(cos) FLOAT1(tan) FLOAT1(asin) FLOAT1(acos) FLOAT1(atan) FLOAT1(sinh) FLOAT1(cosh) FLOAT1(tanh) FLOAT1(asinh)
FLOAT1(acosh) FLOAT1(atanh) FLOAT1(erf) FLOAT1(erfc) FLOAT1(lgamma) FLOAT1(tgamma) FLOAT1(cbrt) FLOAT1(j0) FLOAT1(j1)
FLOAT1(y0) FLOAT1(y1) FLOAT1(logb) FLOAT1(round) FLOAT1(rint)
FLOAT2(atan2) FLOAT2(pow) FLOAT2(hypot) FLOAT2(fmod) FLOAT2(remainder) FLOAT2(nextafter)
f64 ldexp(f64, int);
f32 ldexpf(f32, int);
int ilogb(f64);
int ilogbf(f32);
}

// --- bits -----------------------------------------------------------------------------------------------------------
template <class To, class From> INLINE To bits_of(From value) {
  static_assert(sizeof(To) == sizeof(From), "width");
  To result;
  __builtin_memcpy(&result, &value, sizeof result);
  return result;
}

INLINE f32 half_to_float(u16 h) {
#if defined(__F16C__)
  typedef short v8 __attribute__((vector_size(16)));
  typedef float v4 __attribute__((vector_size(16)));
  v8 packed = {(short)h};
  v4 wide = __builtin_ia32_vcvtph2ps(packed);
  return wide[0];
#elif defined(__aarch64__)
  return (f32)bits_of<__fp16>(h);
#else
  u32 sign = (u32)(h & 0x8000) << 16, exponent = h >> 10 & 31, mantissa = h & 1023;
  if (exponent == 31) return bits_of<f32>(sign | 0x7f800000 | mantissa << 13);
  if (exponent) return bits_of<f32>(sign | (exponent + 112) << 23 | mantissa << 13);
  f32 small = (f32)mantissa * 0x1p-24f;
  return sign ? -small : small;
#endif
}

INLINE u16 float_to_half(f32 x) {
#if defined(__F16C__)
  typedef short v8 __attribute__((vector_size(16)));
  typedef float v4 __attribute__((vector_size(16)));
  v4 wide = {x};
  v8 packed = (v8)__builtin_ia32_vcvtps2ph(wide, 0);
  return (u16)packed[0];
#elif defined(__aarch64__)
  return bits_of<u16>((__fp16)x);
#else
  u32 b = bits_of<u32>(x), sign = b >> 16 & 0x8000, a = b & 0x7fffffff;
  if (a > 0x7f800000) return (u16)(sign | 0x7e00 | (a >> 13 & 0x3ff));
  if (a >= 0x477ff000) return (u16)(sign | 0x7c00);
  if (a < 0x38800000) {  // subnormal result: the addition rounds to nearest even at 2^-24
    f32 rounded = bits_of<f32>(a) + 0.5f;
    return (u16)(sign | (bits_of<u32>(rounded) - 0x3f000000));
  }
  u32 rounded = a + 0xfff + (a >> 13 & 1);
  return (u16)(sign | (rounded - 0x38000000) >> 13);
#endif
}

INLINE f32 bfloat_to_float(u16 h) { return bits_of<f32>((u32)h << 16); }
INLINE u16 float_to_bfloat(f32 x) {
  u32 b = bits_of<u32>(x);
  if ((b & 0x7fffffff) > 0x7f800000) return (u16)(b >> 16 | 0x40);
  return (u16)((b + 0x7fff + (b >> 16 & 1)) >> 16);
}
INLINE f32 to_half(f32 x) { return half_to_float(float_to_half(x)); }
INLINE f32 to_bfloat(f32 x) { return bfloat_to_float(float_to_bfloat(x)); }

// float64 to float32 rounding to odd: a second rounding to 16 bits then gives the correctly rounded value.
INLINE f32 round_to_odd(f64 x) {
  f32 nearest = (f32)x;
  if (x != x || (f64)nearest == x) return nearest;
  u32 b = bits_of<u32>(nearest);
  bool away = nearest > 0 ? (f64)nearest > x : (f64)nearest < x;
  if (nearest == 0) return x > 0 ? 0x1p-149f : -0x1p-149f;
  if (away) b -= 1;  // toward zero
  return bits_of<f32>(b | 1);
}
INLINE f32 to_half_f64(f64 x) { return to_half(round_to_odd(x)); }
INLINE f32 to_bfloat_f64(f64 x) { return to_bfloat(round_to_odd(x)); }
// a * b + c of 16-bit operands: the product is exact in float64, the sum is rounded to odd.
INLINE f64 fused_odd(f32 a, f32 b, f32 c) {
  f64 product = (f64)a * b, other = c, sum = product + other;
  if (sum - sum != 0) return sum;
  f64 part = sum - product, error = (product - (sum - part)) + (other - part);
  if (error == 0) return sum;
  u64 bits = bits_of<u64>(sum);
  if (!(bits & 1)) bits += ((error > 0) == (sum > 0)) ? 1 : -1;
  return bits_of<f64>(bits);
}

// --- memory forms ---------------------------------------------------------------------------------------------------
template <class T> INLINE T get(T value) { return value; }
INLINE bool get(b8 value) { return value.bits != 0; }
INLINE f32 get(f16 value) { return half_to_float(value.bits); }
INLINE f32 get(bf16 value) { return bfloat_to_float(value.bits); }
template <class T> struct Memory {
  template <class V> INLINE T put(V value) { return (T)value; }
};
template <> struct Memory<b8> {
  INLINE b8 put(bool value) { return b8{value}; }
};
template <> struct Memory<f16> {
  INLINE f16 put(f32 value) { return f16{float_to_half(value)}; }
};
template <> struct Memory<bf16> {
  INLINE bf16 put(f32 value) { return bf16{float_to_bfloat(value)}; }
};

// --- conversions ----------------------------------------------------------------------------------------------------
// Float to integer: toward zero, saturating. NaN gives 0, or the highest bit alone where a double or a 64-bit integer
// takes part (CUDA's cvt; docs/semantics.md "Conversions by rounding mode").
template <class T, class F> INLINE T to_int(F x) {
  const bool is_signed = (T)-1 < (T)0;
  const int width = sizeof(T) * 8;
  const F limit = is_signed ? (F)((u64)1 << (width - 1)) : (F)2 * (F)((u64)1 << (width - 1));
  const T high = is_signed ? (T)(((u64)1 << (width - 1)) - 1) : (T)-1;
  const T low = is_signed ? (T)((u64)1 << (width - 1)) : 0;
  if (x != x) return sizeof(T) == 8 || sizeof(F) == 8 ? (T)((u64)1 << (width - 1)) : (T)0;
  if (x >= limit) return high;
  if (is_signed ? x < -limit : x <= (F)-1) return low;
  return (T)x;
}
template <class T> struct Convert {
  template <class V> INLINE T from(V v) { return (T)v; }
  INLINE T from(f32 v) { return to_int<T>(v); }
  INLINE T from(f64 v) { return to_int<T>(v); }
};
template <> struct Convert<bool> {
  template <class V> INLINE bool from(V v) { return v != 0; }
};
template <> struct Convert<b8> : Convert<bool> {};
template <> struct Convert<f32> {
  template <class V> INLINE f32 from(V v) { return (f32)v; }
};
template <> struct Convert<f64> {
  template <class V> INLINE f64 from(V v) { return (f64)v; }
};
template <> struct Convert<f16> {
  template <class V> INLINE f32 from(V v) { return to_half_f64((f64)v); }  // integers: one rounding
  INLINE f32 from(f32 v) { return to_half(v); }
  INLINE f32 from(f64 v) { return to_half_f64(v); }
};
template <> struct Convert<bf16> {
  template <class V> INLINE f32 from(V v) { return to_bfloat_f64((f64)v); }  // integers: one rounding
  INLINE f32 from(f32 v) { return to_bfloat(v); }
  INLINE f32 from(f64 v) { return to_bfloat_f64(v); }
};

// --- integers -------------------------------------------------------------------------------------------------------
template <class T> INLINE T trunc_div(Context* c, i32 site, T a, T b) {
  if (__builtin_expect(b == 0, 0)) c->fail(c, FAIL_DIVISION, site, 0);
  if ((T)-1 < (T)0 && b == (T)-1) return (T)(0 - (u64)a);
  return (T)(a / b);
}
template <class T> INLINE T trunc_mod(Context* c, i32 site, T a, T b) {
  if (__builtin_expect(b == 0, 0)) c->fail(c, FAIL_DIVISION, site, 0);
  if ((T)-1 < (T)0 && b == (T)-1) return 0;
  return (T)(a % b);
}
template <class T> INLINE T floor_div(Context* c, i32 site, T a, T b) {
  T q = trunc_div(c, site, a, b), r = (T)(a - q * b);
  return (T)(q - (r != 0 && (r < 0) != (b < 0)));
}
template <class T> INLINE T floor_mod(Context* c, i32 site, T a, T b) {
  T r = trunc_mod(c, site, a, b);
  return r != 0 && (r < 0) != (b < 0) ? (T)(r + b) : r;
}
template <class T> INLINE T shift_left(T a, T b) { return (u64)b >= sizeof(T) * 8 ? (T)0 : (T)((u64)a << b); }
template <class T> INLINE T shift_right(T a, T b) {
  if ((u64)b >= sizeof(T) * 8) return a < 0 ? (T)-1 : (T)0;
  return (T)(a >> b);
}
template <class T> INLINE T larger(T a, T b) { return a > b ? a : b; }
template <class T> INLINE T smaller(T a, T b) { return a < b ? a : b; }
// NaN operands are dropped; -0 < +0.
template <class F> INLINE F larger_float(F a, F b) {
  return a > b ? a : b > a ? b : a != a ? b : b != b ? a : __builtin_signbit(a) ? b : a;
}
template <class F> INLINE F smaller_float(F a, F b) {
  return a < b ? a : b < a ? b : a != a ? b : b != b ? a : __builtin_signbit(a) ? a : b;
}
INLINE u32 bit_reverse(u32 x) {
  x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
  x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
  x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
  return __builtin_bswap32(x);
}
INLINE u64 bit_reverse(u64 x) { return (u64)bit_reverse((u32)x) << 32 | bit_reverse((u32)(x >> 32)); }
INLINE u32 byte_permute(u32 a, u32 b, u32 s) {
  u64 both = (u64)b << 32 | a;
  u32 result = 0;
  for (int i = 0; i < 4; i++) {
    u32 selector = s >> (4 * i) & 7;
    result |= ((u32)(both >> (selector * 8)) & 255) << (8 * i);
  }
  return result;
}
INLINE i32 leading_zeros(u32 x) { return x ? __builtin_clz(x) : 32; }
INLINE i32 leading_zeros(u64 x) { return x ? __builtin_clzll(x) : 64; }
INLINE i32 dot_bytes(i32 a, i32 b, i32 total) {
  for (int i = 0; i < 4; i++) total = (i32)((u32)total + (u32)((i8)(a >> 8 * i) * (i8)(b >> 8 * i)));
  return total;
}
INLINE u32 dot_bytes(u32 a, u32 b, u32 total) {
  for (int i = 0; i < 4; i++) total += (a >> 8 * i & 255) * (b >> 8 * i & 255);
  return total;
}
INLINE u32 funnel_right(u32 low, u32 high, u32 s) { return (u32)(((u64)high << 32 | low) >> s); }
INLINE u32 funnel_left(u32 low, u32 high, u32 s) { return (u32)((((u64)high << 32 | low) << s) >> 32); }
INLINE f32 clamp_unit(f32 x) { return x > 0 ? (x < 1 ? x : 1.0f) : 0.0f; }

// --- memory access --------------------------------------------------------------------------------------------------
// An index that is out of range becomes -1, with the offending indices left in the context.
static COLD i64 outside(Context* c, i64 a, i64 b, i64 d, i64 e) {
  c->index[0] = a, c->index[1] = b, c->index[2] = d, c->index[3] = e;
  return -1;
}
INLINE i64 at(Context* c, i64 i, i64 n) { return LIKELY((u64)i < (u64)n) ? i : outside(c, i, 0, 0, 0); }
INLINE i64 at(Context* c, i64 i, i64 n, i64 s, i64 j, i64 m, i64 t) {
  return LIKELY((u64)i < (u64)n && (u64)j < (u64)m) ? i * s + j * t : outside(c, i, j, 0, 0);
}
INLINE i64 at(Context* c, i64 i, i64 n, i64 s, i64 j, i64 m, i64 t, i64 k, i64 o, i64 u) {
  return LIKELY((u64)i < (u64)n && (u64)j < (u64)m && (u64)k < (u64)o) ? i * s + j * t + k * u : outside(c, i, j, k, 0);
}
INLINE i64 at(Context* c, i64 i, i64 n, i64 s, i64 j, i64 m, i64 t, i64 k, i64 o, i64 u, i64 l, i64 p, i64 v) {
  return LIKELY((u64)i < (u64)n && (u64)j < (u64)m && (u64)k < (u64)o && (u64)l < (u64)p)
             ? i * s + j * t + k * u + l * v
             : outside(c, i, j, k, l);
}
static COLD void out_of_range(Context* c, i32 kind, i32 site) {
  if (c->unguarded) c->fail(c, FAIL_INDEX, site, 0);
  c->note(c, kind, site);
}
// Arguments: out-of-range loads give 0, stores are dropped, both are noted.
template <class T> INLINE auto load_global(Context* c, i32 site, const T* p, i64 i) -> decltype(get(T())) {
  if (LIKELY(i >= 0)) return get(p[i]);
  out_of_range(c, NOTE_READ, site);
  return 0;
}
template <class T, class V> INLINE void store_global(Context* c, i32 site, T* p, i64 i, V value) {
  if (LIKELY(i >= 0)) p[i] = Memory<T>::put(value);
  else out_of_range(c, NOTE_WRITE, site);
}
// Shared, local and fragment memory: out of range is an error.
INLINE i64 inside(Context* c, i32 site, i64 i) {
  if (__builtin_expect(i < 0, 0)) c->fail(c, FAIL_INDEX, site, 1);
  return i;
}
template <class T> INLINE T undefined_value() {
  T value;
  __builtin_memset(&value, 0xff, sizeof value);
  return value;
}

// --- atomics --------------------------------------------------------------------------------------------------------
template <class T, class Op> INLINE auto modify(Context* c, i32 site, T* p, i64 i, Op op) -> decltype(get(T())) {
  if (__builtin_expect(i < 0, 0)) {
    out_of_range(c, NOTE_WRITE, site);
    return 0;
  }
  if (!c->parallel) {
    auto old = get(p[i]);
    p[i] = Memory<T>::put(op(old));
    return old;
  }
  T seen, wanted;
  __atomic_load(&p[i], &seen, __ATOMIC_SEQ_CST);
  do wanted = Memory<T>::put(op(get(seen)));
  while (!__atomic_compare_exchange(&p[i], &seen, &wanted, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  return get(seen);
}

// --- warps ----------------------------------------------------------------------------------------------------------
enum ShuffleMode { MODE_IDX, MODE_UP, MODE_DOWN, MODE_XOR };
INLINE i32 source_lane(i32 mode, i32 lane, i32 operand, i32 width) {  // as PTX's shfl computes it
  i32 segment = (32 - width) & 31, first = lane & segment, last = first | (31 & ~segment);
  i32 other = mode == MODE_IDX ? first | ((operand & 31) & ~segment) : mode == MODE_UP ? lane - (operand & 31)
              : mode == MODE_DOWN ? lane + (operand & 31) : lane ^ (operand & 31);
  bool valid = mode == MODE_UP ? other >= first : other <= last;
  return valid ? other : lane;
}
template <class T> INLINE u64 pack(T value) {
  u64 result = 0;
  __builtin_memcpy(&result, &value, sizeof value);
  return result;
}
template <class T> INLINE T unpack(u64 bits) {
  T value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}
template <class T> INLINE T shuffle(Context* c, i32 site, i32 mode, T value, i32 operand, i32 width, u32 mask) {
  i32 source = source_lane(mode, c->thread & 31, operand, width);
  return unpack<T>(c->collective(c, site, SHUFFLE, mask, pack(value), source));
}
template <class T, class Op> INLINE T butterfly(Context* c, i32 site, T value, u32 mask, Op op) {
  for (i32 distance = 16; distance; distance >>= 1)
    value = op(value, shuffle(c, site, MODE_XOR, value, distance, 32, mask));
  return value;
}

// Over the lanes of the mask that are live, lowest first.
template <class T, class Op> INLINE T reduce_lanes(Context* c, i32 site, T value, u32 mask, Op op) {
  T result{};
  bool first = true;
  for (u32 members = (u32)c->collective(c, site, BALLOT, mask, 1, 0); members; members &= members - 1) {
    T other = shuffle(c, site, MODE_IDX, value, (i32)__builtin_ctz(members), 32, mask);
    result = first ? other : op(result, other);
    first = false;
  }
  return result;
}

// --- tiles ----------------------------------------------------------------------------------------------------------
struct Span1 { i64 low, high; };  // the part of 0 .. extent that lies inside a dimension
INLINE Span1 valid_part(i64 start, i64 extent, i64 size, bool rows_inside) {
  if (!rows_inside) return {0, 0};
  i64 low = start < 0 ? -start : 0, high = size - start < extent ? size - start : extent;
  return {low < extent ? low : extent, high < low ? low : high};
}
template <class D, class S>
INLINE void copy_row(D* to, i64 to_step, Span1 to_part, const S* from, i64 from_step, Span1 from_part, i64 extent) {
  i64 low = to_part.low, high = to_part.high < extent ? to_part.high : extent;
  i64 a = from_part.low < low ? low : from_part.low > high ? high : from_part.low;
  i64 b = from_part.high < a ? a : from_part.high > high ? high : from_part.high;
  const D zero = Memory<D>::put(0);
  for (i64 i = low; i < a; i++) to[i * to_step] = zero;
  if (to_step == 1 && from_step == 1)
    for (i64 i = a; i < b; i++) to[i] = Memory<D>::put(Convert<D>::from(get(from[i])));
  else
    for (i64 i = a; i < b; i++) to[i * to_step] = Memory<D>::put(Convert<D>::from(get(from[i * from_step])));
  for (i64 i = b; i < high; i++) to[i * to_step] = zero;
}
