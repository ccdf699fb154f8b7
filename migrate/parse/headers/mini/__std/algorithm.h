// Algorithms, for host code.
#pragma once

namespace std {
#define ALG(n, R) template <class... A> R n(A &&...);
ALG(sort, void)
ALG(stable_sort, void)
ALG(fill, void)
ALG(fill_n, void)
ALG(generate, void)
ALG(generate_n, void)
ALG(copy, void)
ALG(copy_n, void)
ALG(iota, void)
ALG(reverse, void)
ALG(shuffle, void)
ALG(random_shuffle, void)
ALG(nth_element, void)
ALG(partial_sort, void)
ALG(for_each, void)
ALG(partial_sum, void)
ALG(exclusive_scan, void)
ALG(inclusive_scan, void)
ALG(equal, bool)
ALG(is_sorted, bool)
ALG(all_of, bool)
ALG(any_of, bool)
ALG(none_of, bool)
ALG(make_heap, void)
ALG(push_heap, void)
ALG(pop_heap, void)
template <class I, class... A> I transform(I, A &&...);
template <class I, class... A> I find(I, A &&...);
template <class I, class... A> I find_if(I, A &&...);
template <class I, class... A> I max_element(I, A &&...);
template <class I, class... A> I min_element(I, A &&...);
template <class I, class... A> I unique(I, A &&...);
template <class I, class... A> I remove_if(I, A &&...);
template <class I, class... A> I lower_bound(I, A &&...);
template <class I, class... A> I upper_bound(I, A &&...);
template <class I, class T, class... A> T accumulate(I, I, T, A &&...);
template <class I, class J, class T, class... A> T inner_product(I, I, J, T, A &&...);
template <class I, class... A> long count(I, A &&...);
template <class I, class... A> long count_if(I, A &&...);
template <class I> long distance(I, I);
template <class I> I next(I, long = 1);
template <class C> auto begin(C &c) -> decltype(c.begin());
template <class C> auto end(C &c) -> decltype(c.end());
template <class T, size_t N> T *begin(T (&)[N]);
template <class T, size_t N> T *end(T (&)[N]);
template <class C> int back_inserter(C &);
template <class T, class U = char> struct ostream_iterator {
  ostream_iterator(ostream &, const char *);
};
template <class... A> int bind(A &&...);
namespace placeholders {
extern int _1, _2;
}
template <class T> T &ref(T &);
template <class T> const T &cref(const T &);
template <class T> T gcd(T, T);
template <class T> T lcm(T, T);
template <class F, class... A> auto invoke(F &&f, A &&...a) -> decltype(f(a...));
template <class F, class... A> struct result_of;
template <class F, class... A> using invoke_result_t = decltype(declval<F>()(declval<A>()...));
enum class memory_order { relaxed, acquire, release, seq_cst };
template <class T> constexpr T &&as_const_(T &&);
namespace this_thread {
template <class T> void sleep_for(T);
void yield();
} // namespace this_thread
namespace execution {
struct P {};
extern P par, seq, par_unseq;
} // namespace execution
template <class T> struct remove_all_extents {
  typedef __remove_all_extents(T) type;
};
} // namespace std
