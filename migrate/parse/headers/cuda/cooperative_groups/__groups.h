#pragma once
// Cooperative groups, declared with CUDA's types. Every group declares all its members itself, so that the object of a
// member call keeps its own type (a tile knows its size and its parent).
namespace cooperative_groups {

struct thread_group {
  __device__ unsigned size() const;
  __device__ unsigned num_threads() const;
  __device__ unsigned long long thread_rank() const;
  __device__ void sync() const;
  __device__ bool is_valid() const;
};

struct thread_block : thread_group {
  __device__ static dim3 group_index();
  __device__ static dim3 thread_index();
  __device__ static dim3 group_dim();
  __device__ static dim3 dim_threads();
  __device__ static unsigned size();
  __device__ static unsigned num_threads();
  __device__ static unsigned thread_rank();
  __device__ static void sync();
  __device__ void barrier_arrive();
  __device__ void barrier_wait();
};

struct grid_group : thread_group {
  __device__ static unsigned long long size();
  __device__ static unsigned long long num_threads();
  __device__ static unsigned long long thread_rank();
  __device__ static unsigned long long block_rank();
  __device__ static unsigned long long num_blocks();
  __device__ static dim3 block_index();
  __device__ static dim3 dim_blocks();
  __device__ static dim3 group_dim();
  __device__ void sync() const;
  __device__ bool is_valid() const;
};

struct multi_grid_group : thread_group {
  __device__ unsigned grid_rank() const;
  __device__ unsigned num_grids() const;
  __device__ void sync() const;
};

struct cluster_group : thread_group {
  __device__ static void sync();
  __device__ static unsigned block_rank();
  __device__ static unsigned num_blocks();
  __device__ static dim3 block_index();
  __device__ static dim3 dim_blocks();
  __device__ static unsigned num_threads();
  __device__ static unsigned thread_rank();
  template <class T> __device__ T *map_shared_rank(T *, int) const;
  __device__ static void barrier_arrive();
  __device__ static void barrier_wait();
};

struct coalesced_group : thread_group {
  __device__ unsigned size() const;
  __device__ unsigned num_threads() const;
  __device__ unsigned thread_rank() const;
  __device__ void sync() const;
  __device__ unsigned meta_group_size() const;
  __device__ unsigned meta_group_rank() const;
  template <class T> __device__ T shfl(T, int) const;
  template <class T> __device__ T shfl_up(T, int) const;
  template <class T> __device__ T shfl_down(T, int) const;
  __device__ int any(int) const;
  __device__ int all(int) const;
  __device__ unsigned ballot(int) const;
  template <class T> __device__ unsigned match_any(T) const;
  template <class T> __device__ unsigned match_all(T, int &) const;
};

template <unsigned N, class Parent = void> struct thread_block_tile : thread_group {
  thread_block_tile() = default;
  template <class Other> __device__ thread_block_tile(const thread_block_tile<N, Other> &);
  __device__ static constexpr unsigned size() { return N; }
  __device__ static constexpr unsigned num_threads() { return N; }
  __device__ static unsigned thread_rank();
  __device__ static unsigned meta_group_size();
  __device__ static unsigned meta_group_rank();
  __device__ static void sync();
  template <class T> __device__ T shfl(T, int) const;
  template <class T> __device__ T shfl_up(T, int) const;
  template <class T> __device__ T shfl_down(T, int) const;
  template <class T> __device__ T shfl_xor(T, int) const;
  __device__ int any(int) const;
  __device__ int all(int) const;
  __device__ unsigned ballot(int) const;
  template <class T> __device__ unsigned match_any(T) const;
  template <class T> __device__ unsigned match_all(T, int &) const;
};

__device__ thread_block this_thread_block();
__device__ grid_group this_grid();
__device__ multi_grid_group this_multi_grid();
__device__ coalesced_group coalesced_threads();
__device__ cluster_group this_cluster();
__device__ thread_group this_thread();

template <unsigned N, class Parent> __device__ thread_block_tile<N, Parent> tiled_partition(const Parent &);
__device__ thread_group tiled_partition(const thread_group &, unsigned);
__device__ coalesced_group tiled_partition(const coalesced_group &, unsigned);
template <class G> __device__ coalesced_group binary_partition(const G &, bool);
template <class G, class L> __device__ coalesced_group labeled_partition(const G &, L);
template <class G> __device__ void sync(const G &);
template <class G> __device__ unsigned thread_rank(const G &);
template <class G> __device__ unsigned group_size(const G &);

template <class T = void> struct plus {
  template <class A> __device__ A operator()(A, A) const;
};
template <class T = void> struct less {
  template <class A> __device__ A operator()(A, A) const;
};
template <class T = void> struct greater {
  template <class A> __device__ A operator()(A, A) const;
};
template <class T = void> struct bit_and {
  template <class A> __device__ A operator()(A, A) const;
};
template <class T = void> struct bit_or {
  template <class A> __device__ A operator()(A, A) const;
};
template <class T = void> struct bit_xor {
  template <class A> __device__ A operator()(A, A) const;
};

template <class G, class T, class F> __device__ T reduce(const G &, T, F);
template <class G, class T, class F> __device__ T inclusive_scan(const G &, T, F);
template <class G, class T> __device__ T inclusive_scan(const G &, T);
template <class G, class T, class F> __device__ T exclusive_scan(const G &, T, F);
template <class G, class T> __device__ T exclusive_scan(const G &, T);

template <class... A> __device__ void memcpy_async(A &&...);
template <class... A> __device__ void wait(A &&...);
template <unsigned N, class... A> __device__ void wait_prior(A &&...);
template <class... A> __device__ void reduce_update_async(A &&...);
template <class... A> __device__ void reduce_store_async(A &&...);

namespace experimental {
template <class... A> __device__ void memcpy_async(A &&...);
using cooperative_groups::wait;
template <unsigned N, class Parent> __device__ thread_block_tile<N, Parent> tiled_partition(const Parent &);
template <unsigned N> struct block_tile_memory {
  char d[8 * N];
};
template <unsigned N, class... A> __device__ thread_block this_thread_block(A &&...);
} // namespace experimental

} // namespace cooperative_groups
