// Asynchronous copies, barriers, pipelines and atomics of namespace cuda.
#pragma once

DV void __pipeline_memcpy_async(void *, const void *, size_t, size_t z = 0);
DV void __pipeline_commit();
DV void __pipeline_wait_prior(size_t);
namespace cuda {
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };
template <thread_scope S> struct barrier {
  struct arrival_token {};
  DV barrier();
  DV arrival_token arrive(int n = 1);
  DV void wait(arrival_token &&) const;
  DV void arrive_and_wait();
  DV void arrive_and_drop();
};
template <thread_scope S> DV void init(barrier<S> *, int);
template <thread_scope S, int N = 1> struct pipeline_shared_state {};
template <thread_scope S> struct pipeline {
  DV void producer_acquire();
  DV void producer_commit();
  DV void consumer_wait();
  DV void consumer_release();
};
template <class... A> DV pipeline<thread_scope_block> make_pipeline(A &&...);
template <class... A> DV void memcpy_async(A &&...);
template <unsigned N, class P> DV void pipeline_consumer_wait_prior(P &);
template <size_t N> struct aligned_size_t {
  size_t v;
  HD aligned_size_t(size_t);
  HD operator size_t() const;
};
namespace std {
using namespace ::std;
enum memory_order_ {};
} // namespace std
template <class T, thread_scope S = thread_scope_system> struct atomic {
  HD atomic(T = T());
  HD T load(int o = 5) const;
  HD void store(T, int o = 5);
  HD T fetch_add(T, int o = 5);
  HD T fetch_sub(T, int o = 5);
  HD T exchange(T, int o = 5);
  HD bool compare_exchange_strong(T &, T, int o = 5);
  HD bool compare_exchange_weak(T &, T, int o = 5);
  HD T operator++();
  HD T operator++(int);
  HD operator T() const;
};
template <class T, thread_scope S = thread_scope_system> struct atomic_ref {
  HD atomic_ref(T &);
  HD T load(int o = 5) const;
  HD void store(T, int o = 5);
  HD T fetch_add(T, int o = 5) const;
  HD T fetch_min(T, int o = 5) const;
  HD T fetch_max(T, int o = 5) const;
  HD T exchange(T, int o = 5) const;
  HD bool compare_exchange_strong(T &, T, int o = 5);
};
enum {
  memory_order_relaxed,
  memory_order_consume,
  memory_order_acquire,
  memory_order_release,
  memory_order_acq_rel,
  memory_order_seq_cst
};
template <class... A> DV void atomic_thread_fence(A...);
} // namespace cuda
#define QUALIFIERS static __inline__ __device__
