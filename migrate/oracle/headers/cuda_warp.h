// Warp collectives. 32 lanes; a width splits the warp into independent segments.
#pragma once
static inline void __syncwarp(unsigned mask = 0xffffffffu, ORACLE_LINE) { oracle_collective(ORACLE_SYNC, mask, 0, 0, 0, line); }
static inline unsigned __activemask() { return oracle_live_lanes(); }
static inline unsigned __lane_id() { return (unsigned)oracle_lane(); }

// CUDA has no overloads for types narrower than int: those values are promoted.
template <class T> struct oracle_lane_type {
  typedef typename std::conditional<std::is_integral<T>::value && sizeof(T) < 4, int, T>::type type;
};
template <class T> static inline T oracle_take(unsigned mask, T value, int source, int line) {
  static_assert(sizeof(T) <= ORACLE_VALUE_BYTES, "value too large for a shuffle");
  T result;
  __builtin_memcpy((void*)&result, oracle_collective(ORACLE_SHUFFLE, mask, &value, sizeof(T), source, line), sizeof(T));
  return result;
}
#define ORACLE_LANE_T typename oracle_lane_type<T>::type
template <class T> static inline ORACLE_LANE_T __shfl_sync(unsigned mask, T value, int source, int width = 32, ORACLE_LINE) {
  int lane = oracle_lane();
  return oracle_take<ORACLE_LANE_T>(mask, value, (lane & ~(width - 1)) + (source & (width - 1)), line);
}
template <class T> static inline ORACLE_LANE_T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32, ORACLE_LINE) {
  int lane = oracle_lane(), first = lane & ~(width - 1), source = lane - (int)delta;
  return oracle_take<ORACLE_LANE_T>(mask, value, source < first ? lane : source, line);
}
template <class T> static inline ORACLE_LANE_T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32, ORACLE_LINE) {
  int lane = oracle_lane(), last = lane | (width - 1), source = lane + (int)delta;
  return oracle_take<ORACLE_LANE_T>(mask, value, source > last ? lane : source, line);
}
template <class T> static inline ORACLE_LANE_T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = 32, ORACLE_LINE) {
  int lane = oracle_lane(), last = lane | (width - 1), source = lane ^ lane_mask;
  return oracle_take<ORACLE_LANE_T>(mask, value, source > last ? lane : source, line);
}
template <class T> static inline ORACLE_LANE_T __shfl(T value, int source, int width = 32, ORACLE_LINE) { return __shfl_sync(__activemask(), value, source, width, line); }
template <class T> static inline ORACLE_LANE_T __shfl_up(T value, unsigned delta, int width = 32, ORACLE_LINE) { return __shfl_up_sync(__activemask(), value, delta, width, line); }
template <class T> static inline ORACLE_LANE_T __shfl_down(T value, unsigned delta, int width = 32, ORACLE_LINE) { return __shfl_down_sync(__activemask(), value, delta, width, line); }
template <class T> static inline ORACLE_LANE_T __shfl_xor(T value, int lane_mask, int width = 32, ORACLE_LINE) { return __shfl_xor_sync(__activemask(), value, lane_mask, width, line); }
#undef ORACLE_LANE_T

static inline unsigned __ballot_sync(unsigned mask, int predicate, ORACLE_LINE) {
  unsigned char set = predicate != 0;
  unsigned result;
  __builtin_memcpy(&result, oracle_collective(ORACLE_BALLOT, mask, &set, 1, 0, line), 4);
  return result;
}
static inline int __any_sync(unsigned mask, int predicate, ORACLE_LINE) { return __ballot_sync(mask, predicate, line) != 0; }
static inline int __all_sync(unsigned mask, int predicate, ORACLE_LINE) { return __ballot_sync(mask, !predicate, line) == 0; }
static inline int __uni_sync(unsigned mask, int predicate, ORACLE_LINE) {
  unsigned set = __ballot_sync(mask, predicate, line);
  return set == 0 || set == (mask & oracle_live_lanes());
}
static inline unsigned __ballot(int predicate, ORACLE_LINE) { return __ballot_sync(__activemask(), predicate, line); }
static inline int __any(int predicate, ORACLE_LINE) { return __any_sync(__activemask(), predicate, line); }
static inline int __all(int predicate, ORACLE_LINE) { return __all_sync(__activemask(), predicate, line); }
template <class T> static inline unsigned __match_any_sync(unsigned mask, T value, ORACLE_LINE) {
  unsigned result;
  __builtin_memcpy(&result, oracle_collective(ORACLE_MATCH_ANY, mask, &value, sizeof value, 0, line), 4);
  return result;
}
template <class T> static inline unsigned __match_all_sync(unsigned mask, T value, int* predicate, ORACLE_LINE) {
  unsigned result;
  __builtin_memcpy(&result, oracle_collective(ORACLE_MATCH_ALL, mask, &value, sizeof value, 0, line), 4);
  *predicate = result != 0;
  return result;
}
// __reduce_*_sync: integers only, so the order cannot be seen.
template <class T, class F> static inline T oracle_reduce_lanes(unsigned mask, T value, F join, int line) {
  unsigned members = mask & oracle_live_lanes();
  T result{};
  bool first = true;
  for (unsigned m = members; m; m &= m - 1) {
    T other = oracle_take(mask, value, __builtin_ctz(m), line);
    result = first ? other : join(result, other);
    first = false;
  }
  return result;
}
#define ORACLE_REDUCE(NAME, TYPE, EXPRESSION)                                                     \
  static inline TYPE NAME(unsigned mask, TYPE value, ORACLE_LINE) {                               \
    return oracle_reduce_lanes(mask, value, [](TYPE a, TYPE b) -> TYPE { return EXPRESSION; }, line); \
  }
ORACLE_REDUCE(__reduce_add_sync, unsigned, a + b)
ORACLE_REDUCE(__reduce_add_sync, int, (int)((unsigned)a + (unsigned)b))
ORACLE_REDUCE(__reduce_min_sync, unsigned, a < b ? a : b)
ORACLE_REDUCE(__reduce_min_sync, int, a < b ? a : b)
ORACLE_REDUCE(__reduce_max_sync, unsigned, a > b ? a : b)
ORACLE_REDUCE(__reduce_max_sync, int, a > b ? a : b)
ORACLE_REDUCE(__reduce_and_sync, unsigned, a & b)
ORACLE_REDUCE(__reduce_or_sync, unsigned, a | b)
ORACLE_REDUCE(__reduce_xor_sync, unsigned, a ^ b)
#undef ORACLE_REDUCE
