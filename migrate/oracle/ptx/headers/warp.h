// Barriers and warp collectives, on the runner's threads. Source: PTX ISA 9.0, "Parallel Synchronization and
// Communication Instructions".
INLINE u32 lane_index(void) { return (u32)oracle_lane(); }
INLINE u32 thread_rank(void) {
  return oracle_thread_index.x + oracle_block_extent.x * (oracle_thread_index.y + oracle_block_extent.y * oracle_thread_index.z);
}
INLINE u32 taken_from(u32 mask, u32 value, u32 source, int line) {
  return load<u32>((u64)(uintptr_t)oracle_collective(ORACLE_SHUFFLE, mask, &value, 4, (int)source, line));
}
enum ShuffleMode { SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_BUTTERFLY, SHUFFLE_INDEX };
INLINE u32 shuffle(ShuffleMode mode, u32 a, u32 b, u32 c, u32 mask, bool* inside, int line) {
  const u32 lane = lane_index(), segment = c >> 8 & 31, bound = c & 31, delta = b & 31;
  const int limit = (int)((lane & segment) | (bound & ~segment));
  int source;
  bool valid;
  if (mode == SHUFFLE_UP) source = (int)lane - (int)delta, valid = source >= limit;
  else if (mode == SHUFFLE_DOWN) source = (int)(lane + delta), valid = source <= limit;
  else if (mode == SHUFFLE_BUTTERFLY) source = (int)(lane ^ delta), valid = source <= limit;
  else source = (int)((lane & segment) | (delta & ~segment)), valid = source <= limit;
  if (inside) *inside = valid;
  return taken_from(mask, a, valid ? (u32)source : lane, line);
}
INLINE u32 ballot(bool set, u32 mask, int line) {
  const unsigned char value = set;
  return load<u32>((u64)(uintptr_t)oracle_collective(ORACLE_BALLOT, mask, &value, 1, 0, line));
}
enum Vote { VOTE_ALL, VOTE_ANY, VOTE_UNIFORM };
INLINE bool vote(Vote kind, bool set, u32 mask, int line) {
  const u32 yes = ballot(set, mask, line), members = mask & oracle_live_lanes();
  return kind == VOTE_ANY ? yes != 0 : kind == VOTE_ALL ? yes == members : yes == 0 || yes == members;
}
template <class R> INLINE u32 match(bool all, R value, u32 mask, bool* same, int line) {
  const int kind = all ? ORACLE_MATCH_ALL : ORACLE_MATCH_ANY;
  const u32 r = load<u32>((u64)(uintptr_t)oracle_collective(kind, mask, &value, sizeof value, 0, line));
  if (same) *same = r != 0;
  return r;
}
// Integers, so that no order of combining can be seen.
template <class F> INLINE u32 reduce_lanes(u32 value, u32 mask, int line, F join) {
  u32 r = 0;
  bool first = true;
  for (u32 members = mask & oracle_live_lanes(); members; members &= members - 1) {
    const u32 other = taken_from(mask, value, (u32)__builtin_ctz(members), line);
    r = first ? other : join(r, other);
    first = false;
  }
  return r;
}
INLINE void sync_warp(u32 mask, int line) { oracle_collective(ORACLE_SYNC, mask, 0, 0, 0, line); }
static u64 ticks;
INLINE u64 clock_ticks(void) { return ++ticks; }
