#pragma once
// Cooperative groups, declared with CUDA's types. Every group declares all its members itself, so that the object of a
// member call keeps its own type (a tile knows its size and its parent); none is static, so that there is an object.
namespace cooperative_groups {

struct thread_group {
  __device__ unsigned size() const;
  __device__ unsigned num_threads() const;
  __device__ unsigned long long thread_rank() const;
  __device__ void sync() const;
  __device__ bool is_valid() const;
};

struct thread_block : thread_group {
  __device__ dim3 group_index() const;
  __device__ dim3 thread_index() const;
  __device__ dim3 group_dim() const;
  __device__ dim3 dim_threads() const;
  __device__ unsigned size() const;
  __device__ unsigned num_threads() const;
  __device__ unsigned thread_rank() const;
  __device__ void sync() const;
  __device__ void barrier_arrive();
  __device__ void barrier_wait();
};

struct grid_group : thread_group {
  __device__ unsigned long long size() const;
  __device__ unsigned long long num_threads() const;
  __device__ unsigned long long thread_rank() const;
  __device__ unsigned long long block_rank() const;
  __device__ unsigned long long num_blocks() const;
  __device__ dim3 block_index() const;
  __device__ dim3 dim_blocks() const;
  __device__ dim3 group_dim() const;
  __device__ void sync() const;
  __device__ bool is_valid() const;
};

struct multi_grid_group : thread_group {
  __device__ unsigned grid_rank() const;
  __device__ unsigned num_grids() const;
  __device__ void sync() const;
};

struct cluster_group : thread_group {
  __device__ void sync() const;
  __device__ unsigned block_rank() const;
  __device__ unsigned num_blocks() const;
  __device__ dim3 block_index() const;
  __device__ dim3 dim_blocks() const;
  __device__ unsigned num_threads() const;
  __device__ unsigned thread_rank() const;
  template <class T> __device__ T *map_shared_rank(T *, int) const;
  __device__ void barrier_arrive() const;
  __device__ void barrier_wait() const;
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
  __device__ constexpr unsigned size() const { return N; }
  __device__ constexpr unsigned num_threads() const { return N; }
  __device__ unsigned thread_rank() const;
  __device__ unsigned meta_group_size() const;
  __device__ unsigned meta_group_rank() const;
  __device__ void sync() const;
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

template <unsigned N> struct block_tile_memory {
  char d[8 * N];
};
__device__ thread_block this_thread_block();
template <unsigned N> __device__ thread_block this_thread_block(block_tile_memory<N> &);
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
using cooperative_groups::block_tile_memory;
template <unsigned N, class... A> __device__ thread_block this_thread_block(A &&...);
} // namespace experimental

} // namespace cooperative_groups
