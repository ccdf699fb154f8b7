// move, swap, initializer_list, min, max, pair, tuple, integer_sequence.
#pragma once

namespace std {
template <class T> constexpr remove_reference_t<T> &&move(T &&t) noexcept {
  return static_cast<remove_reference_t<T> &&>(t);
}
template <class T> constexpr T &&forward(remove_reference_t<T> &t) noexcept { return static_cast<T &&>(t); }
template <class T> T &&declval() noexcept;
template <class T> void swap(T &, T &);
template <class T, class U = T> T exchange(T &, U &&);
template <class T> constexpr T *addressof(T &t) { return __builtin_addressof(t); }
template <class E> class initializer_list {
  const E *b;
  size_t n;
  constexpr initializer_list(const E *b, size_t n) : b(b), n(n) {}

public:
  constexpr initializer_list() : b(nullptr), n(0) {}
  constexpr size_t size() const { return n; }
  constexpr const E *begin() const { return b; }
  constexpr const E *end() const { return b + n; }
};
template <class T> constexpr const T &min(const T &a, const T &b) { return b < a ? b : a; }
template <class T> constexpr const T &max(const T &a, const T &b) { return a < b ? b : a; }
template <class T> constexpr T min(initializer_list<T>);
template <class T> constexpr T max(initializer_list<T>);
template <class T, class C> const T &min(const T &, const T &, C);
template <class T, class C> const T &max(const T &, const T &, C);
template <class T> constexpr const T &clamp(const T &v, const T &l, const T &h) { return v < l ? l : h < v ? h : v; }
template <class A, class B> struct pair {
  A first;
  B second;
  constexpr pair() : first(), second() {}
  constexpr pair(const A &a, const B &b) : first(a), second(b) {}
  template <class U, class V> pair(const pair<U, V> &);
  typedef A first_type;
  typedef B second_type;
  bool operator<(const pair &) const;
  bool operator==(const pair &) const;
};
template <class A, class B> pair<decay_t<A>, decay_t<B>> make_pair(A &&, B &&);
template <class... T> struct tuple {
  tuple();
  tuple(const T &...);
};
template <class T> struct tuple_size;
template <class... T> tuple<decay_t<T>...> make_tuple(T &&...);
template <size_t I, class... T> struct __telem;
template <class H, class... T> struct __telem<0, H, T...> {
  typedef H type;
};
template <size_t I, class H, class... T> struct __telem<I, H, T...> : __telem<I - 1, T...> {};
template <size_t I, class... T> typename __telem<I, T...>::type &get(tuple<T...> &);
template <size_t I, class... T> const typename __telem<I, T...>::type &get(const tuple<T...> &);
template <class... T> tuple<T &...> tie(T &...);
template <size_t I, class T> struct tuple_element;
template <size_t I, class... T> struct tuple_element<I, tuple<T...>> : __telem<I, T...> {};
template <class... T> struct tuple_size<tuple<T...>> : integral_constant<size_t, sizeof...(T)> {};
template <class T, T... I> struct integer_sequence {
  typedef T value_type;
  static constexpr size_t size() { return sizeof...(I); }
};
template <size_t... I> using index_sequence = integer_sequence<size_t, I...>;
template <class T, T N> using make_integer_sequence = __make_integer_seq<integer_sequence, T, N>;
template <size_t N> using make_index_sequence = make_integer_sequence<size_t, N>;
} // namespace std
