// cuda::atomic and cuda::atomic_ref.
#pragma once

namespace cuda {
enum memory_order {
  memory_order_relaxed,
  memory_order_consume,
  memory_order_acquire,
  memory_order_release,
  memory_order_acq_rel,
  memory_order_seq_cst
};
namespace std {
using ::cuda::memory_order;
using ::cuda::memory_order_acq_rel;
using ::cuda::memory_order_acquire;
using ::cuda::memory_order_relaxed;
using ::cuda::memory_order_release;
using ::cuda::memory_order_seq_cst;
} // namespace std

#define SCOPED_ATOMIC_MEMBERS                                                                                          \
  HD T load(memory_order = memory_order_seq_cst) const;                                                                \
  HD void store(T, memory_order = memory_order_seq_cst) const;                                                         \
  HD T exchange(T, memory_order = memory_order_seq_cst) const;                                                         \
  HD T fetch_add(T, memory_order = memory_order_seq_cst) const;                                                        \
  HD T fetch_sub(T, memory_order = memory_order_seq_cst) const;                                                        \
  HD T fetch_and(T, memory_order = memory_order_seq_cst) const;                                                        \
  HD T fetch_or(T, memory_order = memory_order_seq_cst) const;                                                         \
  HD T fetch_xor(T, memory_order = memory_order_seq_cst) const;                                                        \
  HD T fetch_min(T, memory_order = memory_order_seq_cst) const;                                                        \
  HD T fetch_max(T, memory_order = memory_order_seq_cst) const;                                                        \
  HD bool compare_exchange_strong(T &, T, memory_order = memory_order_seq_cst) const;                                  \
  HD bool compare_exchange_strong(T &, T, memory_order, memory_order) const;                                           \
  HD bool compare_exchange_weak(T &, T, memory_order = memory_order_seq_cst) const;                                    \
  HD bool compare_exchange_weak(T &, T, memory_order, memory_order) const;                                             \
  HD T operator++() const;                                                                                             \
  HD T operator++(int) const;                                                                                          \
  HD T operator--() const;                                                                                             \
  HD T operator--(int) const;                                                                                          \
  HD T operator+=(T) const;                                                                                            \
  HD T operator-=(T) const;                                                                                            \
  HD operator T() const;

template <class T, thread_scope S = thread_scope_system> struct atomic {
  atomic() = default;
  HD constexpr atomic(T value) : __value(value) {}
  HD T operator=(T) const;
  SCOPED_ATOMIC_MEMBERS
  T __value;
};
template <class T, thread_scope S = thread_scope_system> struct atomic_ref {
  HD explicit atomic_ref(T &);
  HD T operator=(T) const;
  SCOPED_ATOMIC_MEMBERS
  T *__pointer;
};
#undef SCOPED_ATOMIC_MEMBERS

HD void atomic_thread_fence(memory_order, thread_scope = thread_scope_system);
} // namespace cuda
