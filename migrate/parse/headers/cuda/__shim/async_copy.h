// Asynchronous copies, barriers and pipelines: the primitives and those of namespace cuda.
#pragma once

DV void __pipeline_memcpy_async(void *, const void *, size_t, size_t zero_fill = 0);
DV void __pipeline_commit();
DV void __pipeline_wait_prior(size_t);
DV void __pipeline_arrive_on(unsigned long long *);

typedef unsigned long long __mbarrier_t;
typedef unsigned long long __mbarrier_token_t;
DV unsigned __mbarrier_maximum_count();
DV void __mbarrier_init(__mbarrier_t *, unsigned);
DV void __mbarrier_inval(__mbarrier_t *);
DV __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *);
DV __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *);
DV bool __mbarrier_test_wait(__mbarrier_t *, __mbarrier_token_t);

namespace cuda {
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };

namespace std {
using namespace ::std;
struct __no_completion {};
} // namespace std

// Defaulted constructors: __shared__ objects of these types stand in kernels.
template <thread_scope S, class F = std::__no_completion> struct barrier {
  struct arrival_token {};
  barrier() = default;
  HD constexpr barrier(long, F = F()) : __opaque(0) {}
  DV arrival_token arrive(long n = 1);
  DV void wait(arrival_token &&) const;
  DV void wait_parity(bool) const;
  DV bool try_wait(arrival_token &&) const;
  DV bool try_wait_parity(bool) const;
  DV void arrive_and_wait();
  DV void arrive_and_drop();
  unsigned long long __opaque;
};
template <thread_scope S> DV void init(barrier<S> *, long);

template <thread_scope S, unsigned char N = 1> struct pipeline_shared_state {
  unsigned long long __opaque[2 * N + 1];
};
enum class pipeline_role { producer, consumer };
template <thread_scope S> struct pipeline {
  DV void producer_acquire();
  DV void producer_commit();
  DV void consumer_wait();
  DV void consumer_release();
  DV bool quit();
};
DV pipeline<thread_scope_thread> make_pipeline();
template <class G, thread_scope S, unsigned char N>
DV pipeline<S> make_pipeline(const G &, pipeline_shared_state<S, N> *);
template <class G, thread_scope S, unsigned char N>
DV pipeline<S> make_pipeline(const G &, pipeline_shared_state<S, N> *, size_t producers);
template <class G, thread_scope S, unsigned char N>
DV pipeline<S> make_pipeline(const G &, pipeline_shared_state<S, N> *, pipeline_role);
template <unsigned char N, thread_scope S> DV void pipeline_consumer_wait_prior(pipeline<S> &);

template <size_t N> struct aligned_size_t {
  static constexpr size_t align = N;
  size_t value;
  HD constexpr explicit aligned_size_t(size_t size) : value(size) {}
  HD constexpr operator size_t() const { return value; }
};
template <class... A> DV void memcpy_async(A &&...);
} // namespace cuda
