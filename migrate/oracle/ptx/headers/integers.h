// Integer, logic and bit instructions. Source: PTX ISA 9.0, "Integer Arithmetic", "Extended-Precision", "Logic and Shift".
#define OP template <class T> INLINE typename T::raw
#define RAW typename T::raw
#define NUMBER typename T::number
OP int_add(RAW a, RAW b) { return (RAW)(a + b); }
OP int_sub(RAW a, RAW b) { return (RAW)(a - b); }
OP int_neg(RAW a) { return (RAW)(0 - a); }
OP int_abs(RAW a) { return (NUMBER)a < 0 ? (RAW)(0 - a) : a; }
OP int_min(RAW a, RAW b) { return (NUMBER)a < (NUMBER)b ? a : b; }
OP int_max(RAW a, RAW b) { return (NUMBER)a > (NUMBER)b ? a : b; }
OP clamped(s128 v) {
  const bool is_signed = (NUMBER)-1 < (NUMBER)0;
  const s128 high = ((s128)1 << (T::bits - is_signed)) - 1, low = is_signed ? -high - 1 : 0;
  return (RAW)(v > high ? high : v < low ? low : v);
}
OP int_add_sat(RAW a, RAW b) { return clamped<T>((s128)(NUMBER)a + (NUMBER)b); }
OP int_sub_sat(RAW a, RAW b) { return clamped<T>((s128)(NUMBER)a - (NUMBER)b); }
// The whole product, as 128 bits; 64 x 64 bits fits for both signs.
template <class T> INLINE u128 product(RAW a, RAW b) {
  return (NUMBER)-1 < (NUMBER)0 ? (u128)((s128)(NUMBER)a * (s128)(NUMBER)b) : (u128)a * (u128)b;
}
OP int_mul_lo(RAW a, RAW b) { return (RAW)product<T>(a, b); }
OP int_mul_hi(RAW a, RAW b) { return (RAW)(product<T>(a, b) >> T::bits); }
template <class T> INLINE u64 int_mul_wide(RAW a, RAW b) { return (u64)product<T>(a, b); }
template <class T> INLINE u64 widened(RAW a) { return (u64)(s64)(NUMBER)a; }
// 24-bit factors, their signs being bit 23; the low or the high 32 of the 48 bits.
template <class T> INLINE s64 product24(RAW a, RAW b) {
  const bool is_signed = (NUMBER)-1 < (NUMBER)0;
  const s64 x = is_signed ? (s32)(a << 8) >> 8 : (s64)(a & 0xffffff), y = is_signed ? (s32)(b << 8) >> 8 : (s64)(b & 0xffffff);
  return x * y;
}
OP int_mul24_lo(RAW a, RAW b) { return (RAW)product24<T>(a, b); }
OP int_mul24_hi(RAW a, RAW b) { return (RAW)(product24<T>(a, b) >> 16); }
// `where`: file and line, so that a division by zero is counted at its place.
#define DIVISION(NAME, SIGN)                                                                                           \
  OP NAME(RAW a, RAW b, event_place place) {                                                                           \
    if (__builtin_expect(!b, 0)) {                                                                                     \
      event_data data = {place, &event_integer, 0, 0};                                                                 \
      __ubsan_handle_divrem_overflow(&data, 1, 0);                                                                     \
      return (RAW)-1;                                                                                                  \
    }                                                                                                                  \
    if ((NUMBER)-1 < (NUMBER)0 && b == (RAW)-1) return SIGN;                                                           \
    return NAME##_value;                                                                                               \
  }
#define int_div_value (RAW)((NUMBER)a / (NUMBER)b)
#define int_rem_value (RAW)((NUMBER)a % (NUMBER)b)
DIVISION(int_div, (RAW)(0 - a))
DIVISION(int_rem, (RAW)0)
#undef DIVISION
OP int_sad(RAW a, RAW b, RAW c) { return (RAW)(c + ((NUMBER)a < (NUMBER)b ? b - a : a - b)); }

// Carries. `cc` is the flag of the function.
OP add_carry(RAW a, RAW b, bool in, bool* out) {
  const u128 sum = (u128)a + b + in;
  if (out) *out = sum >> T::bits & 1;
  return (RAW)sum;
}
OP sub_borrow(RAW a, RAW b, bool in, bool* out) {
  const bool borrow = (u128)a < (u128)b + in;
  if (out) *out = borrow;
  return (RAW)(a - b - in);
}

OP bit_and(RAW a, RAW b) { return a & b; }
OP bit_or(RAW a, RAW b) { return a | b; }
OP bit_xor(RAW a, RAW b) { return a ^ b; }
OP bit_not(RAW a) { return (RAW)~a; }
OP bit_cnot(RAW a) { return a == 0; }
OP shift_left(RAW a, u32 n) { return n >= T::bits ? (RAW)0 : (RAW)(a << n); }
OP shift_right(RAW a, u32 n) { return n >= T::bits ? ((NUMBER)a < 0 ? (RAW)-1 : (RAW)0) : (RAW)((NUMBER)a >> n); }
INLINE u32 funnel_left(u32 low, u32 high, u32 n, bool wrap) {
  n = wrap ? n & 31 : n > 32 ? 32 : n;
  return (u32)(((u64)high << 32 | low) << n >> 32);
}
INLINE u32 funnel_right(u32 low, u32 high, u32 n, bool wrap) {
  n = wrap ? n & 31 : n > 32 ? 32 : n;
  return (u32)(((u64)high << 32 | low) >> n);
}
template <class T> INLINE u32 count_ones(RAW a) { return (u32)__builtin_popcountll((u64)a); }
template <class T> INLINE u32 count_leading(RAW a) { return a ? (u32)__builtin_clzll((u64)a) - (64 - T::bits) : T::bits; }
OP reversed_bits(RAW a) {
  RAW r = 0;
  for (int i = 0; i < T::bits; i++) r = (RAW)(r << 1 | (a >> i & 1));
  return r;
}
template <class T> INLINE u32 find_bit(RAW a, bool amount) {
  if ((NUMBER)a < 0) a = (RAW)~a;
  if (!a) return ~0u;
  const u32 place = 63 - (u32)__builtin_clzll((u64)a);
  return amount ? T::bits - 1 - place : place;
}
OP extract_bits(RAW a, u32 b, u32 c) {
  const u32 first = b & 255, count = c & 255, top = T::bits - 1;
  const u32 sign_at = first + count - 1 < top ? first + count - 1 : top;
  const bool fill = (NUMBER)-1 < (NUMBER)0 && count && (a >> sign_at & 1);
  RAW r = first > top ? (RAW)0 : (RAW)(a >> first);
  const u32 valid = first > top ? 0 : T::bits - first < count ? T::bits - first : count;
  if (valid >= T::bits) return r;
  const RAW mask = (RAW)(((RAW)1 << valid) - 1);
  return (RAW)((r & mask) | (fill ? (RAW)~mask : (RAW)0));
}
OP insert_bits(RAW a, RAW b, u32 c, u32 d) {
  const u32 first = c & 255, count = d & 255;
  if (first >= T::bits || !count) return b;
  const RAW ones = count >= T::bits ? (RAW)-1 : (RAW)(((RAW)1 << count) - 1);
  const RAW mask = (RAW)(ones << first);
  return (RAW)((b & ~mask) | ((RAW)(a << first) & mask));
}
INLINE u32 logic3(u32 a, u32 b, u32 c, u32 table) {
  u32 r = 0;
  for (u32 k = 0; k < 8; k++)
    if (table >> k & 1) r |= (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c);
  return r;
}
enum PermuteMode { BY_SELECTOR, FORWARD4, BACKWARD4, REPLICATE8, EDGE_LEFT, EDGE_RIGHT, REPLICATE16 };
INLINE u32 permute_bytes(u32 a, u32 b, u32 c, PermuteMode mode) {
  static const u16 table[6][4] = {{0x3210, 0x4321, 0x5432, 0x6543}, {0x5670, 0x6701, 0x7012, 0x0123},
                                  {0x0000, 0x1111, 0x2222, 0x3333}, {0x3210, 0x3211, 0x3222, 0x3333},
                                  {0x0000, 0x1110, 0x2210, 0x3210}, {0x1010, 0x3232, 0x1010, 0x3232}};
  const u64 bytes = (u64)b << 32 | a;
  const u32 selector = mode == BY_SELECTOR ? c : table[mode - 1][c & 3];
  u32 r = 0;
  for (int i = 0; i < 4; i++) {
    const u32 pick = selector >> (4 * i) & 15;
    u32 byte = (u32)(bytes >> (8 * (pick & 7))) & 255;
    if (pick & 8) byte = byte & 128 ? 255 : 0;
    r |= byte << (8 * i);
  }
  return r;
}
// Four products of bytes (dp4a) or two of 16 bits with bytes (dp2a), added to c.
template <class A, class B> INLINE u32 dot4(u32 a, u32 b, u32 c) {
  for (int i = 0; i < 4; i++) c += (u32)((s32)(typename A::number)(u8)(a >> 8 * i) * (s32)(typename B::number)(u8)(b >> 8 * i));
  return c;
}
template <class A, class B> INLINE u32 dot2(u32 a, u32 b, u32 c, bool high) {
  for (int i = 0; i < 2; i++) c += (u32)((s32)(typename A::number)(u16)(a >> 16 * i) * (s32)(typename B::number)(u8)(b >> (8 * i + (high ? 16 : 0))));
  return c;
}
#undef OP
