// What a compiled kernel and the runner that loads it share. No CUDA semantics here.
#pragma once
#include <stddef.h>
#include <stdint.h>

struct oracle_uint3 {
  unsigned x, y, z;
};

enum oracle_collective_kind { ORACLE_SYNC, ORACLE_SHUFFLE, ORACLE_BALLOT, ORACLE_MATCH_ANY, ORACLE_MATCH_ALL };
enum oracle_barrier_kind { ORACLE_COUNT, ORACLE_AND, ORACLE_OR };
enum { ORACLE_DYNAMIC_LIMIT = 228 * 1024, ORACLE_VALUE_BYTES = 32, ORACLE_WARP = 32, ORACLE_MAX_THREADS = 1024 };

extern "C" {
// The running thread. Kernels that never synchronise use their own copies (see cuda_language.h).
extern oracle_uint3 oracle_thread_index, oracle_block_index, oracle_block_extent, oracle_grid_extent;
extern unsigned oracle_dynamic_bytes;

void oracle_barrier(int line);
int oracle_barrier_reduce(int predicate, int kind, int line);
// Deposits `bytes` of value, waits for the lanes of mask, returns this lane's result (ORACLE_VALUE_BYTES long).
const void* oracle_collective(int kind, unsigned mask, const void* value, int bytes, int source, int line);
unsigned oracle_live_lanes(void);
int oracle_lane(void);
void oracle_fence(void);
[[noreturn]] void oracle_trap(const char* what, int line);
// Counts an operation that hardware and this reference may do differently; `what` is a literal.
void oracle_note(const char* what);

// The schedule: which block or thread (linear index) comes at a position, and whether that is plain ascending order.
unsigned long oracle_block_at(unsigned long position);
unsigned oracle_thread_at(unsigned position);
int oracle_ascending(void);
void oracle_block_starts(void);
void oracle_block_ends(void);
}

// What a texture or surface object points to. The numbers are those of running.py.
struct oracle_texture {
  unsigned char* data;
  int extent[3];
  int address[3];
  int format, linear, normalized, scaled;
};

struct oracle_symbol {
  const char* name;
  void* address;  // null: a constant, which no case may set
  size_t bytes;
};

// The one thing a kernel library exports.
struct oracle_kernel {
  int parameters;
  const size_t* sizes;
  const char* const* types;
  int synchronises;
  void (*thread)(void** arguments);  // one thread, for fibers
  void (*plain)(void** arguments);   // all blocks and threads; null when the kernel synchronises or in check builds
  unsigned char* dynamic_shared;
  const oracle_symbol* symbols;
  int symbol_count;
  // Counters of branch outcomes that the library itself keeps; none where the compiler's are used.
  const uint64_t* outcomes;
  int outcome_count;
};
