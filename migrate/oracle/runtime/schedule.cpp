// The schedule contract: blocks one after the other; between block barriers warp by warp; between warp collectives each
// thread runs on until it waits or ends, threads ascending. Reversed and seeded schedules permute blocks, warps, lanes.
//
// Threads are kept by *position* (the order in which they run), not by index: bit p of a warp's mask is its p-th lane to
// run. "The next thread" is then one count-trailing-zeros whatever the schedule.
//
// Warp-synchronous code: volatile writes to shared memory are steps of the warp. A lane waits before such a write until
// no lane of its warp can run on, then all write; and before its next access to shared memory until all have written.
#include <string.h>
#include <sys/mman.h>

#include <vector>

#include "context.h"
#include "runner.h"

extern "C" {
oracle_uint3 oracle_thread_index, oracle_block_index, oracle_block_extent, oracle_grid_extent;
unsigned oracle_dynamic_bytes;
}
uint32_t barrier_epoch, warp_epoch[32];  // of warps by index, not by position
int wrote_count;

namespace {
constexpr size_t STACK_BYTES = 256 * 1024, PAGE = 4096;
constexpr int LIMIT = ORACLE_MAX_THREADS;

struct Lane {  // what a thread left at a warp collective
  unsigned mask;
  int kind, source, bytes, line;
  alignas(16) unsigned char value[ORACLE_VALUE_BYTES], result[ORACLE_VALUE_BYTES];
};

Context contexts[LIMIT], main_context;
oracle_uint3 indices[LIMIT];  // by position
Lane lanes[LIMIT];            // by position
unsigned char* stacks;
unsigned ready[32], at_barrier[32], alive[32], waiting[32], before_write[32], after_write[32];  // by warp position; bits are lane positions
uintptr_t step_counter[LIMIT];  // by position: the volatile write that a lane stands before
bool wrote[LIMIT];              // by position: a volatile write, and no step since
unsigned lane_at[32], position_of_lane[32], warp_at[32];
bool identity_lanes = true;
int warps, current, live, arrived, barrier_line, accumulated, reduced;
bool failed;
char failure[1024];
void (*thread_function)(void**);
void** thread_arguments;
std::vector<unsigned> block_order;
unsigned long block_count, running_block;
ScheduleKind schedule;

uint64_t random_state;
uint64_t next_random() {  // splitmix64
  uint64_t z = (random_state += 0x9e3779b97f4a7c15ull);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}
template <class T> void shuffle(T* values, size_t count) {
  for (size_t i = count; i > 1; i--) {
    size_t j = next_random() % i;
    T kept = values[i - 1];
    values[i - 1] = values[j];
    values[j] = kept;
  }
}

unsigned to_positions(unsigned lane_mask) {
  if (identity_lanes) return lane_mask;
  unsigned result = 0;
  for (unsigned m = lane_mask; m; m &= m - 1) result |= 1u << position_of_lane[__builtin_ctz(m)];
  return result;
}
unsigned to_lanes(unsigned positions) {
  if (identity_lanes) return positions;
  unsigned result = 0;
  for (unsigned m = positions; m; m &= m - 1) result |= 1u << lane_at[__builtin_ctz(m)];
  return result;
}

// No lane of the warp can run on. Lanes that have written go on first, up to their next write; then all write together.
void release_steps(int warp) {
  warp_epoch[warp_at[warp]]++;
  if (after_write[warp]) {
    ready[warp] |= after_write[warp];
    after_write[warp] = 0;
    return;
  }
  const unsigned group = before_write[warp];
  const uintptr_t first = step_counter[warp * 32 + __builtin_ctz(group)];
  bool together = !(at_barrier[warp] | waiting[warp]);
  uintptr_t other = 0;
  for (unsigned m = group; m; m &= m - 1) {
    const int position = warp * 32 + __builtin_ctz(m);
    wrote[position] = true;
    if (step_counter[position] != first) other = step_counter[position];
  }
  if (other || !together)
    add_finding("warp_divergence", {first, 0}, {other, 0}, "", "only some lanes of a warp write volatile shared memory together");
  wrote_count += __builtin_popcount(group);
  ready[warp] |= group;
  before_write[warp] = 0;
}

inline int next_ready(int position) {
  int warp = position >> 5;
  if (__builtin_expect(!ready[warp] && (before_write[warp] | after_write[warp]), 0)) release_steps(warp);
  unsigned mask = ready[warp] & (~1u << (position & 31));
  if (!mask) mask = ready[warp];
  if (mask) return warp << 5 | __builtin_ctz(mask);
  for (int step = 1; step < warps; step++) {
    int other = warp + step < warps ? warp + step : warp + step - warps;
    if (ready[other]) return other << 5 | __builtin_ctz(ready[other]);
  }
  return -1;
}
int first_ready() {
  for (int warp = 0; warp < warps; warp++)
    if (ready[warp]) return warp << 5 | __builtin_ctz(ready[warp]);
  return -1;
}

void describe_deadlock() {
  failed = true;
  int n = snprintf(failure, sizeof failure, "deadlock in block (%u,%u,%u): %d threads alive, %d at a block barrier",
                   oracle_block_index.x, oracle_block_index.y, oracle_block_index.z, live, arrived);
  if (arrived) n += snprintf(failure + n, sizeof failure - n, " (line %d)", barrier_line);
  for (int warp = 0; warp < warps && n < 800; warp++) {
    if (!waiting[warp]) continue;
    const Lane& lane = lanes[warp * 32 + __builtin_ctz(waiting[warp])];
    n += snprintf(failure + n, sizeof failure - n, "; warp %u: lanes %08x wait at a warp collective (mask %08x, line %d)",
                  warp_at[warp], to_lanes(waiting[warp]), lane.mask, lane.line);
  }
}

inline void go(int next) {
  int previous = current;
  if (next == previous) return;
  if (__builtin_expect(next < 0, 0)) {
    describe_deadlock();
    SWITCH_CONTEXT(&contexts[previous], &main_context);
    __builtin_trap();
  }
  current = next;
  oracle_thread_index = indices[next];
#ifdef STACK_TOP
  // Most likely the one after the next: its stack's hot lines come in while the next thread runs.
  const char* soon = (const char*)STACK_TOP(contexts[next + 2 < LIMIT ? next + 2 : next]);
  __builtin_prefetch(soon);
  __builtin_prefetch(soon + 64);
#endif
  SWITCH_CONTEXT(&contexts[previous], &contexts[next]);
}

void release_barrier() {
  for (int warp = 0; warp < warps; warp++) {
    ready[warp] |= at_barrier[warp];
    at_barrier[warp] = 0;
  }
  arrived = 0;
  reduced = accumulated;
  barrier_epoch++;
}

void complete(int warp, unsigned group) {  // group: lane positions, all waiting at the same collective
  Lane* all = lanes + warp * 32;
  int kind = all[__builtin_ctz(group)].kind;
  warp_epoch[warp_at[warp]]++;
  if (kind == ORACLE_SYNC) return;
  for (unsigned m = group; m; m &= m - 1) {
    Lane& mine = all[__builtin_ctz(m)];
    if (kind == ORACLE_SHUFFLE) {
      unsigned source = position_of_lane[mine.source & 31];
      if (!(group >> source & 1)) {
        char text[160];
        snprintf(text, sizeof text, "lane %u reads lane %d, which does not take part", lane_at[__builtin_ctz(m)], mine.source);
        add_finding("inactive_lane", {0, mine.line}, {0, 0}, "", text);
        source = __builtin_ctz(m);
      }
      memcpy(mine.result, all[source].value, ORACLE_VALUE_BYTES);
      continue;
    }
    unsigned result = 0;
    bool same = true;
    for (unsigned q = group; q; q &= q - 1) {
      const Lane& other = all[__builtin_ctz(q)];
      bool set = kind == ORACLE_BALLOT ? other.value[0] != 0 : memcmp(other.value, mine.value, mine.bytes) == 0;
      if (set) result |= 1u << lane_at[__builtin_ctz(q)];
      same = same && set;
    }
    if (kind == ORACLE_MATCH_ALL && !same) result = 0;
    memcpy(mine.result, &result, 4);
  }
}

bool try_collective(int warp, unsigned lane_mask) {
  unsigned needed = to_positions(lane_mask) & alive[warp];
  if (!needed || (waiting[warp] & needed) != needed) return false;
  int kind = -1;
  for (unsigned m = needed; m; m &= m - 1) {
    const Lane& lane = lanes[warp * 32 + __builtin_ctz(m)];
    if ((to_positions(lane.mask) & alive[warp]) != needed) return false;
    if (kind < 0) kind = lane.kind;
    if (lane.kind != kind) return false;
  }
  complete(warp, needed);
  waiting[warp] &= ~needed;
  ready[warp] |= needed;
  return true;
}

void thread_entry() {
  thread_function(thread_arguments);
  int warp = current >> 5;
  unsigned bit = 1u << (current & 31);
  ready[warp] &= ~bit;
  alive[warp] &= ~bit;
  live--;
  // The end of this thread may complete collectives of its warp: it leaves their masks.
  for (bool progress = true; progress;) {
    progress = false;
    for (unsigned m = waiting[warp]; m && !progress; m &= m - 1)
      progress = try_collective(warp, lanes[warp * 32 + __builtin_ctz(m)].mask);
  }
  int next = next_ready(current);
  if (arrived && arrived == live) {
    release_barrier();
    next = first_ready();
  }
  if (!live) {
    SWITCH_CONTEXT(&contexts[current], &main_context);
    __builtin_trap();
  }
  go(next);
  __builtin_trap();
}

bool reserve_stacks(unsigned threads) {
  if (!stacks) {
    void* found = mmap(nullptr, LIMIT * STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (found == MAP_FAILED) return false;
    stacks = (unsigned char*)found;
    // An overflowing stack faults at its guard page instead of changing its neighbour.
    for (unsigned t = 0; t < threads; t++) mprotect(stacks + t * STACK_BYTES, PAGE, PROT_NONE);
  }
  return true;
}
}  // namespace

void set_schedule(ScheduleKind kind, uint64_t seed, unsigned long blocks, unsigned threads) {
  schedule = kind;
  random_state = seed;
  block_count = blocks;
  warps = (int)((threads + 31) / 32);
  for (unsigned i = 0; i < 32; i++) lane_at[i] = i;
  for (int i = 0; i < warps; i++) warp_at[i] = i;
  block_order.clear();
  if (kind == REVERSED) {
    for (unsigned i = 0; i < 32; i++) lane_at[i] = 31 - i;
    for (int i = 0; i < warps; i++) warp_at[i] = warps - 1 - i;
  } else if (kind == SEEDED) {
    shuffle(lane_at, 32);
    shuffle(warp_at, warps);
    block_order.resize(blocks);
    for (unsigned long i = 0; i < blocks; i++) block_order[i] = (unsigned)i;
    shuffle(block_order.data(), blocks);
  }
  for (unsigned i = 0; i < 32; i++) position_of_lane[lane_at[i]] = i;
  identity_lanes = kind == CONTRACT;
}

bool run_blocks(void (*thread)(void**), void** arguments, unsigned long blocks, unsigned threads) {
  if (!reserve_stacks(threads)) {
    snprintf(failure, sizeof failure, "no memory for %u stacks", threads);
    return false;
  }
  thread_function = thread;
  thread_arguments = arguments;
  const oracle_uint3 extent = oracle_block_extent;
  unsigned existing[32];
  for (int warp = 0; warp < warps; warp++) {
    existing[warp] = 0;
    for (unsigned p = 0; p < 32; p++) {
      unsigned index = warp_at[warp] * 32 + lane_at[p];
      if (index >= threads) continue;
      existing[warp] |= 1u << p;
      indices[warp * 32 + p] = {index % extent.x, index / extent.x % extent.y, index / (extent.x * extent.y)};
    }
  }
  for (unsigned long k = 0; k < blocks; k++) {
    running_block = oracle_block_at(k);
    const oracle_uint3 grid = oracle_grid_extent;
    oracle_block_index = {(unsigned)(running_block % grid.x), (unsigned)(running_block / grid.x % grid.y),
                          (unsigned)(running_block / ((unsigned long)grid.x * grid.y))};
    live = (int)threads;
    arrived = 0;
    if (wrote_count) memset(wrote, 0, sizeof wrote);
    wrote_count = 0;
    barrier_epoch++;
    unsigned stack = 0;
    for (int warp = 0; warp < warps; warp++) {
      ready[warp] = alive[warp] = existing[warp];
      at_barrier[warp] = waiting[warp] = before_write[warp] = after_write[warp] = 0;
      warp_epoch[warp_at[warp]]++;
      for (unsigned p = 0; p < 32; p++) {
        if (!(existing[warp] >> p & 1)) continue;
        // Coloured, so that the stacks' hot lines do not all fall into the same cache sets.
        size_t shift = (size_t)(stack * 5 % 64) * 192;
        prepare_context(&contexts[warp * 32 + p], stacks + stack * STACK_BYTES + PAGE, STACK_BYTES - PAGE - shift, thread_entry);
        stack++;
      }
    }
    oracle_block_starts();
    current = first_ready();
    oracle_thread_index = indices[current];
    SWITCH_CONTEXT(&main_context, &contexts[current]);
    if (failed) return false;
    oracle_block_ends();
  }
  return true;
}

const char* run_failure(void) { return failure; }
void step_with_warp(bool write, uintptr_t counter) {
  const int warp = current >> 5;
  const unsigned bit = 1u << (current & 31);
  if (wrote[current]) {
    wrote[current] = false;
    wrote_count--;
    if (!write) {
      ready[warp] &= ~bit;
      after_write[warp] |= bit;
      go(next_ready(current));
      return;
    }
  }
  if (!write) return;
  step_counter[current] = counter;
  ready[warp] &= ~bit;
  before_write[warp] |= bit;
  go(next_ready(current));
}
unsigned current_thread(void) { return warp_at[current >> 5] * 32 + lane_at[current & 31]; }
unsigned long current_block(void) { return running_block; }

extern "C" {
void oracle_barrier(int line) {
  if (!arrived) {
    barrier_line = line;
  } else if (__builtin_expect(barrier_line != line, 0)) {
    char text[128];
    snprintf(text, sizeof text, "threads of one block wait at barriers of lines %d and %d", barrier_line, line);
    add_finding("barrier_divergence", {0, line}, {0, barrier_line}, "", text);
  }
  int warp = current >> 5;
  unsigned bit = 1u << (current & 31);
  ready[warp] &= ~bit;
  at_barrier[warp] |= bit;
  if (++arrived == live) {
    release_barrier();
    go(first_ready());
  } else {
    go(next_ready(current));
  }
}

int oracle_barrier_reduce(int predicate, int kind, int line) {
  if (!arrived) accumulated = kind == ORACLE_AND;
  int value = predicate != 0;
  if (kind == ORACLE_COUNT) accumulated += value;
  else if (kind == ORACLE_AND) accumulated &= value;
  else accumulated |= value;
  oracle_barrier(line);
  return reduced;
}

const void* oracle_collective(int kind, unsigned mask, const void* value, int bytes, int source, int line) {
  int warp = current >> 5;
  Lane& lane = lanes[current];
  lane.kind = kind;
  lane.mask = mask;
  lane.source = source;
  lane.bytes = bytes;
  lane.line = line;
  if (bytes) memcpy(lane.value, value, bytes);
  unsigned bit = 1u << (current & 31);
  if (!(to_positions(mask) & bit)) {
    char text[128];
    snprintf(text, sizeof text, "lane %u calls a collective whose mask %08x leaves it out", lane_at[current & 31], mask);
    add_finding("inactive_lane", {0, line}, {0, 0}, "", text);
  }
  ready[warp] &= ~bit;
  waiting[warp] |= bit;
  try_collective(warp, mask);
  go(next_ready(current));
  return lane.result;
}

unsigned oracle_live_lanes(void) { return to_lanes(alive[current >> 5]); }
int oracle_lane(void) { return (int)lane_at[current & 31]; }
void oracle_fence(void) {
  if (access_checks) note_fence();
}

unsigned long oracle_block_at(unsigned long position) {
  if (schedule == CONTRACT) return position;
  if (schedule == REVERSED) return block_count - 1 - position;
  return block_order[position];
}
unsigned oracle_thread_at(unsigned position) {
  // For plain loops: positions run over whole warps; the caller skips indices past the block's end.
  return warp_at[position >> 5] * 32 + lane_at[position & 31];
}
int oracle_ascending(void) { return schedule == CONTRACT; }
}
