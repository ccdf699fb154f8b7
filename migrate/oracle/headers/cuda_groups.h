// Cooperative groups that need no hardware support: blocks and tiles of a warp.
// reduce is an exclusive-or butterfly with offsets N/2 .. 1 (docs/semantics.md, Cooperative groups).
#pragma once
namespace cooperative_groups {
struct thread_block {
  static unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
  static unsigned num_threads() { return size(); }
  static unsigned thread_rank() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
  static void sync(ORACLE_LINE) { oracle_barrier(line); }
  static dim3 group_index() { return dim3(blockIdx); }
  static dim3 thread_index() { return dim3(threadIdx); }
  static dim3 group_dim() { return blockDim; }
  static dim3 dim_threads() { return blockDim; }
};
static inline thread_block this_thread_block() { return {}; }
// A group whose kind is known at run time only.
struct thread_group {
  unsigned lanes;  // 0: the block
  thread_group(thread_block) : lanes(0) {}
  explicit thread_group(unsigned n) : lanes(n) {}
  unsigned mask() const { return lanes == 32 ? ~0u : ((1u << lanes) - 1) << (oracle_lane() & ~(lanes - 1)); }
  unsigned size() const { return lanes ? lanes : thread_block::size(); }
  unsigned num_threads() const { return size(); }
  unsigned thread_rank() const { return lanes ? thread_block::thread_rank() % lanes : thread_block::thread_rank(); }
  void sync(ORACLE_LINE) const { if (lanes) __syncwarp(mask(), line); else oracle_barrier(line); }
};
template <unsigned N, class Parent = void> struct thread_block_tile {
  thread_block_tile() = default;
  template <class Other> thread_block_tile(const thread_block_tile<N, Other>&) {}
  operator thread_group() const { return thread_group(N); }
  static unsigned first() { return (unsigned)oracle_lane() & ~(N - 1); }
  static unsigned mask() { return N == 32 ? ~0u : ((1u << (N & 31)) - 1) << first(); }
  static constexpr unsigned size() { return N; }
  static constexpr unsigned num_threads() { return N; }
  static unsigned thread_rank() { return thread_block::thread_rank() % N; }
  static unsigned meta_group_rank() { return thread_block::thread_rank() / N; }
  static unsigned meta_group_size() { return (thread_block::size() + N - 1) / N; }
  static void sync(ORACLE_LINE) { __syncwarp(mask(), line); }
  template <class T> static T shfl(T v, int source, ORACLE_LINE) { return (T)__shfl_sync(mask(), v, source, N, line); }
  template <class T> static T shfl_down(T v, unsigned d, ORACLE_LINE) { return (T)__shfl_down_sync(mask(), v, d, N, line); }
  template <class T> static T shfl_up(T v, unsigned d, ORACLE_LINE) { return (T)__shfl_up_sync(mask(), v, d, N, line); }
  template <class T> static T shfl_xor(T v, unsigned m, ORACLE_LINE) { return (T)__shfl_xor_sync(mask(), v, (int)m, N, line); }
  static int any(int p, ORACLE_LINE) { return __any_sync(mask(), p, line); }
  static int all(int p, ORACLE_LINE) { return __all_sync(mask(), p, line); }
  static unsigned ballot(int p, ORACLE_LINE) { return (__ballot_sync(mask(), p, line) & mask()) >> first(); }
  template <class T> static unsigned match_all(T v, int& same, ORACLE_LINE) {
    return (__match_all_sync(mask(), v, &same, line) & mask()) >> first();
  }
  template <class T> static unsigned match_any(T v, ORACLE_LINE) { return (__match_any_sync(mask(), v, line) & mask()) >> first(); }
};
template <unsigned N, class G> static inline thread_block_tile<N, G> tiled_partition(const G&) {
  static_assert(N <= 32, "tiles larger than a warp are not supported");
  return {};
}
static inline thread_group tiled_partition(const thread_block&, unsigned n) { return thread_group(n); }
static inline thread_group tiled_partition(const thread_group&, unsigned n) { return thread_group(n); }
static inline void sync(const thread_block&, ORACLE_LINE) { oracle_barrier(line); }
static inline void sync(const thread_group& g, ORACLE_LINE) { g.sync(line); }
template <unsigned N, class P> static inline void sync(const thread_block_tile<N, P>& g, ORACLE_LINE) { g.sync(line); }

template <class T = void> struct plus { template <class U> U operator()(U a, U b) const { return a + b; } };
template <class T = void> struct less { template <class U> U operator()(U a, U b) const { return b < a ? b : a; } };
template <class T = void> struct greater { template <class U> U operator()(U a, U b) const { return a < b ? b : a; } };
template <class T = void> struct bit_and { template <class U> U operator()(U a, U b) const { return a & b; } };
template <class T = void> struct bit_or { template <class U> U operator()(U a, U b) const { return a | b; } };
template <class T = void> struct bit_xor { template <class U> U operator()(U a, U b) const { return a ^ b; } };
template <unsigned N, class P, class T, class F> static inline T reduce(const thread_block_tile<N, P>& g, T v, F join, ORACLE_LINE) {
  for (unsigned offset = N / 2; offset; offset >>= 1) v = join(v, g.shfl_xor(v, offset, line));
  return v;
}
}  // namespace cooperative_groups
