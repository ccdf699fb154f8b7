// Runs the blocks of a launch: one worker in ascending order (the schedule contract), one that mirrors blocks, warps and
// lanes (the reversed schedule), or several at a time.
// Threads of a block are plain loop rounds when nothing synchronises, else stacks that switch at barriers and
// warp collectives: warp by warp between block barriers, lanes ascending between collectives.
#include "gemm.h"
#include "switch.h"
#include <atomic>
#include <mutex>
#include <stdlib.h>
#include <sys/mman.h>
#include <thread>

#define EXPORT extern "C" __attribute__((visibility("default")))

struct Wait { i32 site, kind, count, thread; };
struct Launch {  // mirrored in native/engine.py
  void (*grid)(Context*, void**, i64*);
  void (*block)(Context*, void**);   // runs a whole block, or null
  void (*thread)(Context*, void**);  // runs one thread
  void** arguments;
  i64* counts;   // two a site: reads or lanes, writes or barriers
  i64* indices;  // four a site: of the first note
  i64 shared_bytes, stack_bytes;
  i32 threads[3], unguarded, workers, reversed;
  i32 failed, fail_kind, fail_site, fail_thread;
  i64 fail_detail, fail_index[4];
  i32 fail_block[3], wait_count;
  Wait waits[8];
};

static const size_t PAGE = 65536;
static const int LIMIT = 1024;

struct Worker : Context {
  Launch* launch = nullptr;
  void* leave[8];  // for __builtin_longjmp
  bool on_stack = false, stopped = false;
  Stack home, stacks[LIMIT];
  u8* memory = nullptr;
  size_t stack_bytes = 0, shared_capacity = 0;
  int guarded = 0;  // stacks with a guard page below
  u8* shared_memory = nullptr;
  GemmRoom room;
  int threads = 0, warps = 0, current = 0, alive_count = 0, arrived = 0, barrier_site = 0;
  u32 ready[32], alive[32], waiting[32], held[32];
  i32 vote = VOTE_NONE, votes = 0, result = 0;
  struct Lane { i32 site, kind, source; u32 mask; u64 value, result; } lanes[LIMIT];
};
static thread_local Worker* self;
static std::mutex failing;

// --- errors and notes -----------------------------------------------------------------------------------------------
static void stop(Worker* w) __attribute__((noreturn));
static void stop(Worker* w) {
  w->stopped = true;
  if (w->on_stack) {
    change(&w->stacks[w->current], &w->home);
    abort();
  }
  __builtin_longjmp(w->leave, 1);
}
static void fail(Context* c, i32 kind, i32 site, i64 detail) {
  Worker* w = (Worker*)c;
  Launch* l = w->launch;
  {
    std::lock_guard<std::mutex> guard(failing);
    if (!l->failed) {
      l->fail_kind = kind, l->fail_site = site, l->fail_thread = c->thread, l->fail_detail = detail;
      for (int i = 0; i < 4; i++) l->fail_index[i] = c->index[i];
      for (int i = 0; i < 3; i++) l->fail_block[i] = c->block[i];
      __atomic_store_n(&l->failed, 1, __ATOMIC_SEQ_CST);
    }
  }
  stop(w);
}
static void note(Context* c, i32 kind, i32 site) {
  Launch* l = ((Worker*)c)->launch;
  i64* count = &l->counts[2 * site + (kind == NOTE_WRITE || kind == NOTE_BARRIER)];
  if (__atomic_fetch_add(count, 1, __ATOMIC_RELAXED) == 0)
    for (int i = 0; i < 4; i++) l->indices[4 * site + i] = c->index[i];
}

// --- the threads of one block ---------------------------------------------------------------------------------------
static inline int last_lane(u32 mask) { return 31 - __builtin_clz(mask); }
static int first_ready_mirrored(Worker* w) {
  for (int warp = w->warps - 1; warp >= 0; warp--)
    if (w->ready[warp]) return warp << 5 | last_lane(w->ready[warp]);
  return -1;
}
static int next_ready_mirrored(Worker* w, int from) {
  int warp = from >> 5;
  u32 later = w->ready[warp] & ((1u << (from & 31)) - 1);
  u32 mask = later ? later : w->ready[warp];
  if (mask) return warp << 5 | last_lane(mask);
  for (int step = 1; step < w->warps; step++) {
    int other = (warp - step + w->warps) % w->warps;
    if (w->ready[other]) return other << 5 | last_lane(w->ready[other]);
  }
  return -1;
}
static inline int next_ready(Worker* w, int from) {
  if (__builtin_expect(w->reversed, 0)) return next_ready_mirrored(w, from);
  int warp = from >> 5;
  u32 later = (from & 31) == 31 ? 0 : w->ready[warp] & (~0u << ((from & 31) + 1));
  u32 mask = later ? later : w->ready[warp];
  if (mask) return warp << 5 | __builtin_ctz(mask);
  for (int step = 1; step < w->warps; step++) {
    int other = (warp + step) % w->warps;
    if (w->ready[other]) return other << 5 | __builtin_ctz(w->ready[other]);
  }
  return -1;
}
static int first_ready(Worker* w) {
  if (w->reversed) return first_ready_mirrored(w);
  for (int warp = 0; warp < w->warps; warp++)
    if (w->ready[warp]) return warp << 5 | __builtin_ctz(w->ready[warp]);
  return -1;
}
static void add_wait(Launch* l, i32 site, i32 kind, i32 thread) {
  for (int i = 0; i < l->wait_count; i++)
    if (l->waits[i].site == site && l->waits[i].kind == kind) {
      l->waits[i].count++;
      return;
    }
  if (l->wait_count < 8) l->waits[l->wait_count++] = {site, kind, 1, thread};
}
static void deadlock(Worker* w) __attribute__((noreturn));
static void deadlock(Worker* w) {
  Launch* l = w->launch;
  {
    std::lock_guard<std::mutex> guard(failing);
    if (!l->failed) {
      l->wait_count = 0;
      for (int t = 0; t < w->threads; t++) {
        u32 bit = 1u << (t & 31);
        if (w->held[t >> 5] & bit) add_wait(l, w->lanes[t].site, -1, t);
        else if (w->waiting[t >> 5] & bit) add_wait(l, w->lanes[t].site, w->lanes[t].kind, t);
      }
    }
  }
  fail(w, FAIL_DEADLOCK, w->lanes[w->current].site, w->alive_count);
}
static inline void go(Worker* w, int next) {
  if (next == w->current) return;
  if (__builtin_expect(next < 0, 0)) deadlock(w);
  int before = w->current;
  w->current = w->thread = next;
  change(&w->stacks[before], &w->stacks[next]);
}
static void release(Worker* w) {
  for (int warp = 0; warp < w->warps; warp++) {
    w->ready[warp] |= w->held[warp];
    w->held[warp] = 0;
  }
  w->arrived = 0;
  w->result = w->votes;
}
static i32 barrier(Context* c, i32 site, i32 vote, i32 predicate) {
  Worker* w = (Worker*)c;
  if (!w->arrived) {
    w->barrier_site = site;
    w->votes = vote == VOTE_AND;
  } else if (w->barrier_site != site) {
    note(c, NOTE_BARRIER, site);
  }
  if (vote == VOTE_COUNT) w->votes += predicate;
  else if (vote == VOTE_AND) w->votes &= predicate;
  else if (vote == VOTE_OR) w->votes |= predicate;
  u32 bit = 1u << (w->current & 31);
  w->lanes[w->current].site = site;
  w->ready[w->current >> 5] &= ~bit;
  w->held[w->current >> 5] |= bit;
  if (++w->arrived == w->alive_count) {
    release(w);
    go(w, first_ready(w));
  } else {
    go(w, next_ready(w, w->current));
  }
  return w->result;
}
static void complete(Worker* w, int warp, u32 group) {
  Worker::Lane* all = w->lanes + warp * 32;
  i32 kind = all[__builtin_ctz(group)].kind;
  if (kind == SYNC) return;
  for (u32 m = group; m; m &= m - 1) {
    int lane = __builtin_ctz(m);
    Worker::Lane& mine = all[lane];
    if (kind == SHUFFLE) {
      int source = mine.source;
      if (!(group >> source & 1)) {  // unspecified on hardware: the own value, and a note
        w->index[0] = lane, w->index[1] = source, w->index[2] = warp, w->index[3] = w->block[0];
        note(w, NOTE_LANE, mine.site);
        source = lane;
      }
      mine.result = all[source].value;
      continue;
    }
    u32 set = 0;
    for (u32 q = group; q; q &= q - 1) {
      int other = __builtin_ctz(q);
      if (kind == BALLOT ? all[other].value != 0 : all[other].value == mine.value) set |= 1u << other;
    }
    mine.result = kind == MATCH_ALL && set != group ? 0 : set;
  }
}
static bool try_collective(Worker* w, int warp, u32 mask) {
  u32 needed = mask & w->alive[warp];
  if (!needed || (w->waiting[warp] & needed) != needed) return false;
  Worker::Lane* all = w->lanes + warp * 32;
  i32 kind = all[__builtin_ctz(needed)].kind;
  for (u32 m = needed; m; m &= m - 1) {
    Worker::Lane& lane = all[__builtin_ctz(m)];
    if ((lane.mask & w->alive[warp]) != needed || lane.kind != kind) return false;
  }
  complete(w, warp, needed);
  w->waiting[warp] &= ~needed;
  w->ready[warp] |= needed;
  return true;
}
static u64 collective(Context* c, i32 site, i32 kind, u32 mask, u64 value, i32 source) {
  Worker* w = (Worker*)c;
  int me = w->current, warp = me >> 5;
  u32 bit = 1u << (me & 31);
  if (!(mask & bit)) fail(c, FAIL_MASK, site, mask);
  Worker::Lane& lane = w->lanes[me];
  lane.site = site, lane.kind = kind, lane.source = source, lane.mask = mask, lane.value = value;
  w->ready[warp] &= ~bit;
  w->waiting[warp] |= bit;
  try_collective(w, warp, mask);
  go(w, next_ready(w, me));
  return w->lanes[me].result;
}
static u32 live(Context* c) { return ((Worker*)c)->alive[((Worker*)c)->current >> 5]; }
static i32 first_live(Context* c) {
  Worker* w = (Worker*)c;
  for (int warp = 0; warp < w->warps; warp++)
    if (w->alive[warp]) return w->current == (warp << 5 | __builtin_ctz(w->alive[warp]));
  return 0;
}
static void entry() {
  Worker* w = self;
  w->launch->thread(w, w->launch->arguments);
  w = self;
  int warp = w->current >> 5;
  u32 bit = 1u << (w->current & 31);
  w->ready[warp] &= ~bit;
  w->alive[warp] &= ~bit;
  w->alive_count--;
  for (bool progress = true; progress;) {  // a collective may have waited for this thread only
    progress = false;
    for (u32 m = w->waiting[warp]; m && !progress; m &= m - 1)
      progress = try_collective(w, warp, w->lanes[warp * 32 + __builtin_ctz(m)].mask);
  }
  int next = next_ready(w, w->current);
  if (w->arrived && w->arrived == w->alive_count) {
    release(w);
    next = first_ready(w);
  }
  if (!w->alive_count) change(&w->stacks[w->current], &w->home);
  go(w, next);
  abort();
}

// --- blocks ---------------------------------------------------------------------------------------------------------
// An overflowing stack faults instead of changing its neighbour.
static void guard_stacks(Worker* w, int threads) {
  for (; w->guarded < threads; w->guarded++) mprotect(w->memory + (size_t)w->guarded * w->stack_bytes, PAGE, PROT_NONE);
}
static bool reserve(Worker* w, size_t stack_bytes, int threads) {
  size_t wanted = (stack_bytes + 2 * PAGE - 1) / PAGE * PAGE + PAGE;
  if (w->memory && w->stack_bytes >= wanted) {
    guard_stacks(w, threads);
    return true;
  }
  if (w->memory) munmap(w->memory, w->stack_bytes * LIMIT);
  w->guarded = 0;
  void* found = mmap(nullptr, wanted * LIMIT, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  w->memory = nullptr;
  if (found == MAP_FAILED) return false;
  w->memory = (u8*)found;
  w->stack_bytes = wanted;
  guard_stacks(w, threads);
  return true;
}
static void run_block(Worker* w) {
  Launch* l = w->launch;
  if (l->shared_bytes) memset(w->shared, 0xff, l->shared_bytes);
  if (l->block) {
    w->on_stack = false;
    w->thread = 0;
    l->block(w, l->arguments);
    return;
  }
  w->threads = l->threads[0] * l->threads[1] * l->threads[2];
  w->warps = (w->threads + 31) / 32;
  for (int warp = 0; warp < w->warps; warp++) {
    int rest = w->threads - warp * 32;
    w->ready[warp] = w->alive[warp] = rest >= 32 ? ~0u : (1u << rest) - 1;
    w->waiting[warp] = w->held[warp] = 0;
  }
  w->alive_count = w->threads;
  w->arrived = 0;
  for (int t = 0; t < w->threads; t++) {
    size_t shift = (size_t)(t * 5 % 64) * 192;  // spread the hot lines over the cache's sets
    prepare(&w->stacks[t], w->memory + (size_t)t * w->stack_bytes + PAGE, w->stack_bytes - PAGE - shift, entry);
  }
  w->current = w->thread = first_ready(w);
  w->on_stack = true;
  change(&w->home, &w->stacks[w->current]);
  w->on_stack = false;
}
static void work(Worker* w, Launch* l, const i64* grid, std::atomic<i64>* next, i64 total) {
  self = w;
  tilelang_gemm_room = &w->room;
  w->launch = l;
  w->stopped = false;
  w->parallel = l->workers > 1;
  w->reversed = l->reversed;
  w->unguarded = l->unguarded;
  w->fail = fail, w->note = note, w->barrier = barrier, w->collective = collective;
  w->live = live, w->first_live = first_live, w->gemm = tilelang_gemm;
  if (!l->block && !reserve(w, l->stack_bytes, l->threads[0] * l->threads[1] * l->threads[2])) {
    w->on_stack = false;
    if (!__builtin_setjmp(w->leave)) fail(w, FAIL_STACK, 0, 0);
    return;
  }
  if (w->shared_capacity < (size_t)l->shared_bytes) {
    free(w->shared_memory);
    w->shared_capacity = (size_t)l->shared_bytes;
    w->shared_memory = (u8*)aligned_alloc(256, (w->shared_capacity + 255) / 256 * 256);
  }
  w->shared = w->shared_memory;
  i64 chunk = l->workers > 1 ? total / (l->workers * 8) : total;
  if (chunk < 1) chunk = 1;
  if (__builtin_setjmp(w->leave)) return;
  for (;;) {
    i64 start = next->fetch_add(chunk);
    if (start >= total) return;
    for (i64 at = start; at < start + chunk && at < total; at++) {
      if (__atomic_load_n(&l->failed, __ATOMIC_RELAXED)) return;
      i64 b = l->reversed ? total - 1 - at : at;
      w->block[0] = (i32)(b % grid[0]);
      w->block[1] = (i32)(b / grid[0] % grid[1]);
      w->block[2] = (i32)(b / (grid[0] * grid[1]));
      run_block(w);
      if (w->stopped) return;
    }
  }
}

static const int WORKERS = 256;
static Worker* pool[WORKERS];
static std::mutex running;

static void evaluate_grid(Worker* w, Launch* l, i64* grid) {
  self = w;
  w->launch = l;
  w->on_stack = false;
  w->fail = fail, w->note = note;
  w->thread = -1;
  if (!__builtin_setjmp(w->leave)) l->grid(w, l->arguments, grid);
}

// Runs a launch; 0, or 1 with the fields of the failure filled.
EXPORT i32 tilelang_run(Launch* l) {
  std::lock_guard<std::mutex> guard(running);
  if (l->workers < 1) l->workers = 1;
  if (l->workers > WORKERS) l->workers = WORKERS;
  for (int i = 0; i < l->workers; i++)
    if (!pool[i]) pool[i] = new Worker();
  l->failed = 0;
  l->wait_count = 0;
  i64 grid[3] = {1, 1, 1};
  evaluate_grid(pool[0], l, grid);
  if (l->failed) return 1;
  if (grid[0] <= 0 || grid[1] <= 0 || grid[2] <= 0) return 0;
  i64 total = grid[0] * grid[1] * grid[2];
  if (total < l->workers) l->workers = (i32)total;
  std::atomic<i64> next{0};
  if (l->workers == 1) {
    work(pool[0], l, grid, &next, total);
  } else {
    std::thread helpers[WORKERS];
    for (int i = 1; i < l->workers; i++) helpers[i] = std::thread(work, pool[i], l, grid, &next, total);
    work(pool[0], l, grid, &next, total);
    for (int i = 1; i < l->workers; i++) helpers[i].join();
  }
  return l->failed;
}
