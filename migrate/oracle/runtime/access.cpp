// Access checks: our own implementation of the callbacks that -fsanitize=thread puts before every memory access.
// Per root: extents (also beyond its size), reads before writes, races between barriers. Per block: shared memory
// that is read before anything was written to it, and dynamic shared memory beyond the launch's size.
#include <string.h>
#include <sys/mman.h>

#include "runner.h"

bool access_checks;

namespace {
struct Access {  // who touched a cell last
  uint32_t block, epoch, lane_epoch, counter;
  uint16_t thread;
  uint8_t bytes, flags;  // bytes: which of the 4; flags below
};
enum { ATOMIC = 1, SEVERAL = 2, VALID = 4 };
struct Cell {
  Access write, read;
};
struct Region {
  RootArea area;
  uintptr_t low, high;       // reserved range
  uint8_t* state;            // per byte: 1 written during the launch
  Cell* cells;               // per 4 bytes of the root
  uint8_t* dirty_pages;      // bits: pages written outside the root
  long dirty_count;
  int64_t read_low = INT64_MAX, read_high = INT64_MIN, write_low = INT64_MAX, write_high = INT64_MIN;
  bool read_first = false, outside = false;
};
Region regions[72];
int region_count, last_region;
struct SharedVariable {
  uintptr_t low, high, red;  // red: end of the bytes behind it that belong to nothing
};
SharedVariable shared[256];
int shared_count;
uintptr_t shared_low = UINTPTR_MAX, shared_high, dynamic_low, dynamic_high;
uint8_t* shared_state;  // 1 written in this block, 2 belongs to a variable, 4 stands between variables
Cell* shared_cells;
uintptr_t library_code;
constexpr long DIRTY_LIMIT = 65536;

void* reserve(size_t bytes) {
  void* found = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (found == MAP_FAILED) stop_run("out_of_memory", "no address space for the access checks", 0);
  return found;
}

// A plain store that may be a race is judged at the next access: did it change the bytes?
struct Deferred {
  bool set;
  uintptr_t address;
  int bytes;
  unsigned char before[16];
  Place place, other;
  char root[128];
  const char* kind;
} deferred;

// Blocks have no barrier: what one published by a fence, and another found out about, is in order.
const char* race_kind(const Access& earlier, uint32_t block) {
  if (earlier.block == block) return "race";
  return fenced_since(earlier.block, earlier.epoch, earlier.lane_epoch, earlier.thread) ? "fenced_race" : "race";
}

void flush_deferred() {
  deferred.set = false;
  bool changed = memcmp((void*)deferred.address, deferred.before, deferred.bytes) != 0;
  if (changed)
    add_finding(deferred.kind, deferred.place, deferred.other, deferred.root, "two threads write the same bytes without a barrier between");
  else
    add_finding("benign_race", deferred.place, deferred.other, deferred.root, "two threads write the same value without a barrier between");
}

inline bool ordered(const Access& other, uint32_t block, uint32_t thread, bool is_shared) {
  if (!(other.flags & VALID)) return true;
  if (other.block != block) return is_shared;
  if (other.thread == thread || other.epoch != barrier_epoch) return true;
  return other.thread >> 5 == thread >> 5 && other.lane_epoch != warp_epoch[thread >> 5];
}

void check_race(Cell* cells, uintptr_t offset, int bytes, bool write, bool atomic, uintptr_t counter, uintptr_t address,
                bool is_shared, const char* root) {
  const uint32_t block = (uint32_t)current_block(), thread = current_thread(), lane_epoch = warp_epoch[thread >> 5];
  const uint32_t code = (uint32_t)(counter - library_code);
  for (uintptr_t g = offset >> 2; g <= (offset + bytes - 1) >> 2; g++) {
    Cell& cell = cells[g];
    uintptr_t low = g * 4 > offset ? g * 4 : offset, high = g * 4 + 4 < offset + bytes ? g * 4 + 4 : offset + bytes;
    uint8_t mask = (uint8_t)(((1u << (high - low)) - 1) << (low & 3));
    if ((cell.write.bytes & mask) && !ordered(cell.write, block, thread, is_shared) && !(atomic && (cell.write.flags & ATOMIC))) {
      Place other = {library_code + cell.write.counter, 0};
      if (write && !atomic && bytes <= 16) {
        if (deferred.set) flush_deferred();
        deferred.set = true;
        deferred.address = address;
        deferred.bytes = bytes;
        memcpy(deferred.before, (void*)address, bytes);
        deferred.place = {counter, 0};
        deferred.other = other;
        deferred.kind = race_kind(cell.write, block);
        snprintf(deferred.root, sizeof deferred.root, "%s", root);
      } else {
        add_finding(race_kind(cell.write, block), {counter, 0}, other, root, write ? "two threads write the same bytes without a barrier between" : "a thread reads what another wrote without a barrier between");
      }
    }
    if (write) {
      if ((cell.read.bytes & mask) && !(atomic && (cell.read.flags & ATOMIC))) {
        const Access& read = cell.read;
        bool safe = ordered(read, block, thread, is_shared);
        bool passed = read.thread >> 5 == thread >> 5 && read.lane_epoch != lane_epoch;
        if ((read.flags & SEVERAL) && (read.block == block ? read.epoch == barrier_epoch && !passed : !is_shared)) safe = false;
        if (!safe)
          add_finding(race_kind(read, block), {counter, 0}, {library_code + read.counter, 0}, root, "a thread writes what another reads without a barrier between");
      }
      const uint8_t flags = (uint8_t)(VALID | (atomic ? ATOMIC : 0));
      // What the same thread wrote beside it just before (the bytes of a pixel) stays known.
      const Access& last = cell.write;
      bool same = last.flags == flags && last.block == block && last.thread == thread && last.epoch == barrier_epoch && last.lane_epoch == lane_epoch;
      cell.write = {block, barrier_epoch, lane_epoch, code, (uint16_t)thread, (uint8_t)(mask | (same ? last.bytes : 0)), flags};
      if (!atomic) cell.read = {};
    } else {
      bool same = (cell.read.flags & VALID) && cell.read.block == block && cell.read.epoch == barrier_epoch;
      uint8_t flags = VALID | (atomic ? ATOMIC : 0);
      if (same && cell.read.thread != thread && !(cell.read.thread >> 5 == thread >> 5 && cell.read.lane_epoch != lane_epoch)) flags |= SEVERAL;
      else if (same) flags |= cell.read.flags & SEVERAL;
      cell.read = {block, barrier_epoch, lane_epoch, code, (uint16_t)thread, (uint8_t)(mask | (same ? cell.read.bytes : 0)), flags};
    }
  }
}

void outside_root(Region& region, int64_t offset, int bytes, bool write, uintptr_t counter) {
  char text[160];
  snprintf(text, sizeof text, "%s of %d bytes at offset %lld of a root of %zu bytes", write ? "write" : "read", bytes, (long long)offset, region.area.bytes);
  add_finding("out_of_bounds", {counter, 0}, {0, write}, region.area.name, text);
  region.outside = true;
  if (!write || region.area.mapping == region.area.base) return;
  size_t page = ((uintptr_t)region.area.base + offset - region.low) >> 12;
  if (region.dirty_pages[page >> 3] >> (page & 7) & 1) return;
  region.dirty_pages[page >> 3] |= 1u << (page & 7);
  if (++region.dirty_count > DIRTY_LIMIT) stop_run("out_of_bounds", "more than 256 MiB written outside a root", counter);
}

void check_root(Region& region, uintptr_t address, int bytes, bool write, bool atomic, bool reads, uintptr_t counter) {
  int64_t offset = (int64_t)(address - (uintptr_t)region.area.base);
  if (write) {
    if (offset < region.write_low) region.write_low = offset;
    if (offset + bytes > region.write_high) region.write_high = offset + bytes;
  }
  if (reads) {
    if (offset < region.read_low) region.read_low = offset;
    if (offset + bytes > region.read_high) region.read_high = offset + bytes;
  }
  if (offset < 0 || offset + bytes > (int64_t)region.area.bytes) {
    if (reads) region.read_first = true;
    outside_root(region, offset, bytes, write, counter);
    return;
  }
  if (reads && !region.read_first)
    for (int i = 0; i < bytes; i++)
      if (!region.state[offset + i]) region.read_first = true;
  if (write) memset(region.state + offset, 1, bytes);
  check_race(region.cells, offset, bytes, write, atomic, counter, address, false, region.area.name);
}

void check_shared(uintptr_t address, int bytes, bool write, bool atomic, bool reads, uintptr_t counter) {
  uintptr_t offset = address - shared_low;
  if (address >= dynamic_low && address < dynamic_high) {
    if (address - dynamic_low + bytes > oracle_dynamic_bytes) {
      char text[160];
      snprintf(text, sizeof text, "%s of %d bytes at offset %lu of %u bytes of dynamic shared memory", write ? "write" : "read", bytes, (unsigned long)(address - dynamic_low), oracle_dynamic_bytes);
      add_finding("out_of_bounds", {counter, 0}, {0, write}, "shared", text);
      return;
    }
  } else if ((shared_state[offset] | shared_state[offset + bytes - 1]) & 4) {
    char text[160];
    snprintf(text, sizeof text, "%s of %d bytes beyond the end of a shared array", write ? "write" : "read", bytes);
    add_finding("out_of_bounds", {counter, 0}, {0, write}, "shared", text);
    return;
  } else if (!(shared_state[offset] & 2)) {
    return;  // some other static of the library
  }
  if (reads) {
    bool written = true;
    for (int i = 0; i < bytes; i++) written = written && (shared_state[offset + i] & 1);
    if (!written) add_finding("uninitialised_read", {counter, 0}, {0, 0}, "shared", "shared memory is read before anything was written to it in this block");
  }
  if (write)
    for (int i = 0; i < bytes; i++) shared_state[offset + i] |= 1;
  check_race(shared_cells, offset, bytes, write, atomic, counter, address, true, "shared");
}

inline void check(const volatile void* pointer, int bytes, bool write, bool atomic, bool reads, void* code) {
  if (!access_checks) return;
  if (__builtin_expect(deferred.set, 0)) flush_deferred();
  uintptr_t address = (uintptr_t)pointer;
  uintptr_t counter = (uintptr_t)code - 1;
  Region* region = &regions[last_region];
  if (address - region->low >= region->high - region->low) {
    region = nullptr;
    for (int i = 0; i < region_count; i++)
      if (address >= regions[i].low && address < regions[i].high) {
        region = &regions[last_region = i];
        break;
      }
  }
  if (region) check_root(*region, address, bytes, write, atomic, reads, counter);
  else if (address >= shared_low && address < shared_high) check_shared(address, bytes, write, atomic, reads, counter);
}
}  // namespace

void watch_root(const RootArea& area, bool symbol) {
  Region& region = regions[region_count++];
  region.area = area;
  region.low = (uintptr_t)area.mapping;
  region.high = region.low + area.mapping_bytes;
  region.state = (uint8_t*)reserve(area.bytes + 16);
  region.cells = (Cell*)reserve((area.bytes / 4 + 2) * sizeof(Cell));
  region.dirty_pages = symbol ? nullptr : (uint8_t*)reserve(area.mapping_bytes / 4096 / 8 + 16);
}

bool in_kernel_memory(uintptr_t address) {
  for (int i = 0; i < region_count; i++)
    if (address >= regions[i].low && address < regions[i].high) return true;
  return address >= dynamic_low && address < dynamic_high;
}

bool in_shared_memory(uintptr_t address) {
  if (address >= dynamic_low && address < dynamic_high) return true;
  for (int i = 0; i < shared_count; i++)
    if (address >= shared[i].low && address < shared[i].high) return true;
  return false;
}

static void step(const void* pointer, bool write, const void* code) {
  if (in_shared_memory((uintptr_t)pointer)) step_with_warp(write, (uintptr_t)code - 1);
}

static void widen(uintptr_t low, uintptr_t high) {
  if (low < shared_low) shared_low = low & ~(uintptr_t)15;
  if (high > shared_high) shared_high = high;
}
void watch_shared(unsigned char* address, size_t bytes, size_t apart) {
  if (shared_count == 256) return;
  const uintptr_t low = (uintptr_t)address;
  shared[shared_count++] = {low, low + bytes, low + bytes + apart};
  widen(low, low + bytes + apart);
}
void watch_dynamic(unsigned char* address, size_t bytes) {
  dynamic_low = (uintptr_t)address;
  dynamic_high = dynamic_low + bytes;
  widen(dynamic_low, dynamic_high);
  library_code = dynamic_low & ~(uintptr_t)0x3fffffff;  // counters are kept as 32 bits from here
}

extern "C" void oracle_block_starts(void) {
  poison_shared();
  if (!access_checks) return;
  size_t size = shared_high - shared_low;
  if (!shared_state) {
    shared_state = (uint8_t*)reserve(size + 16);
    shared_cells = (Cell*)reserve((size / 4 + 2) * sizeof(Cell));
  }
  for (int i = 0; i < shared_count; i++) {
    const SharedVariable& one = shared[i];
    memset(shared_state + (one.low - shared_low), 2, one.high - one.low);
    memset(shared_state + (one.high - shared_low), 4, one.red - one.high);
  }
  memset(shared_state + (dynamic_low - shared_low), 0, oracle_dynamic_bytes);
}
extern "C" void oracle_block_ends(void) { finish_accesses(); }

void finish_accesses(void) {
  if (deferred.set) flush_deferred();
}
bool any_out_of_bounds(void) {
  for (int i = 0; i < region_count; i++)
    if (regions[i].outside) return true;
  return false;
}
void write_extents(FILE* report) {
  for (int i = 0; i < region_count; i++) {
    const Region& r = regions[i];
    fprintf(report, "extent\t%s", r.area.name);
    if (r.read_high > r.read_low) fprintf(report, "\t%lld\t%lld", (long long)r.read_low, (long long)r.read_high);
    else fprintf(report, "\t-\t-");
    if (r.write_high > r.write_low) fprintf(report, "\t%lld\t%lld", (long long)r.write_low, (long long)r.write_high);
    else fprintf(report, "\t-\t-");
    fprintf(report, "\t%d\n", r.read_first ? 1 : 0);
  }
}

#define CODE __builtin_return_address(0)
#define STEP(p, WRITE) step(p, WRITE, CODE)
#define FOLLOW(p) if (__builtin_expect(wrote_count, 0)) step(p, false, CODE)
#define PLAIN(N)                                                                                              \
  void __tsan_read##N(void* p) { FOLLOW(p); check(p, N, false, false, true, CODE); }                          \
  void __tsan_write##N(void* p) { FOLLOW(p); check(p, N, true, false, false, CODE); }                         \
  void __tsan_unaligned_read##N(void* p) { FOLLOW(p); check(p, N, false, false, true, CODE); }                \
  void __tsan_unaligned_write##N(void* p) { FOLLOW(p); check(p, N, true, false, false, CODE); }               \
  void __tsan_volatile_read##N(void* p) { FOLLOW(p); check(p, N, false, false, true, CODE); }                 \
  void __tsan_volatile_write##N(void* p) { STEP(p, true); check(p, N, true, false, false, CODE); }            \
  void __tsan_unaligned_volatile_read##N(void* p) { FOLLOW(p); check(p, N, false, false, true, CODE); }       \
  void __tsan_unaligned_volatile_write##N(void* p) { STEP(p, true); check(p, N, true, false, false, CODE); }
#define ATOMICS(N, T)                                                                                                  \
  T __tsan_atomic##N##_load(const volatile T* p, int) { check(p, N / 8, false, true, true, CODE); return *p; }         \
  void __tsan_atomic##N##_store(volatile T* p, T v, int) { check(p, N / 8, true, true, false, CODE); *p = v; }         \
  T __tsan_atomic##N##_exchange(volatile T* p, T v, int) { check(p, N / 8, true, true, true, CODE); T o = *p; *p = v; return o; } \
  T __tsan_atomic##N##_fetch_add(volatile T* p, T v, int) { check(p, N / 8, true, true, true, CODE); T o = *p; *p = o + v; return o; } \
  T __tsan_atomic##N##_fetch_sub(volatile T* p, T v, int) { check(p, N / 8, true, true, true, CODE); T o = *p; *p = o - v; return o; } \
  T __tsan_atomic##N##_fetch_and(volatile T* p, T v, int) { check(p, N / 8, true, true, true, CODE); T o = *p; *p = o & v; return o; } \
  T __tsan_atomic##N##_fetch_or(volatile T* p, T v, int) { check(p, N / 8, true, true, true, CODE); T o = *p; *p = o | v; return o; } \
  T __tsan_atomic##N##_fetch_xor(volatile T* p, T v, int) { check(p, N / 8, true, true, true, CODE); T o = *p; *p = o ^ v; return o; } \
  bool __tsan_atomic##N##_compare_exchange_strong(volatile T* p, T* c, T v, int, int) {                                \
    check(p, N / 8, true, true, true, CODE);                                                                           \
    T o = *p; if (o == *c) { *p = v; return true; } *c = o; return false; }                                            \
  bool __tsan_atomic##N##_compare_exchange_weak(volatile T* p, T* c, T v, int, int) {                                  \
    check(p, N / 8, true, true, true, CODE);                                                                           \
    T o = *p; if (o == *c) { *p = v; return true; } *c = o; return false; }                                            \
  T __tsan_atomic##N##_compare_exchange_val(volatile T* p, T c, T v, int, int) {                                       \
    check(p, N / 8, true, true, true, CODE);                                                                           \
    T o = *p; if (o == c) *p = v; return o; }
extern "C" {
PLAIN(1) PLAIN(2) PLAIN(4) PLAIN(8) PLAIN(16)
ATOMICS(8, uint8_t) ATOMICS(16, uint16_t) ATOMICS(32, uint32_t) ATOMICS(64, uint64_t)
void __tsan_read_range(void* p, size_t n) { check(p, (int)n, false, false, true, CODE); }
void __tsan_write_range(void* p, size_t n) { check(p, (int)n, true, false, false, CODE); }
void __tsan_init(void) {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit(void) {}
void __tsan_vptr_update(void*, void*) {}
void __tsan_vptr_read(void*) {}
void* __tsan_memcpy(void* d, const void* s, size_t n) {
  check(s, (int)n, false, false, true, CODE);
  check(d, (int)n, true, false, false, CODE);
  return memcpy(d, s, n);
}
void* __tsan_memmove(void* d, const void* s, size_t n) {
  check(s, (int)n, false, false, true, CODE);
  check(d, (int)n, true, false, false, CODE);
  return memmove(d, s, n);
}
void* __tsan_memset(void* d, int v, size_t n) {
  check(d, (int)n, true, false, false, CODE);
  return memset(d, v, n);
}
}
