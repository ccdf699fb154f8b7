// Containers, declared for host code.
#pragma once

namespace std {
template <class T> struct allocator {};
template <class T> struct char_traits {};
template <class T, size_t N> struct array {
  T d[N ? N : 1];
  constexpr T &operator[](size_t i) { return d[i]; }
  constexpr const T &operator[](size_t i) const { return d[i]; }
  constexpr size_t size() const { return N; }
  T *begin();
  T *end();
  const T *begin() const;
  const T *end() const;
  T *data();
  const T *data() const;
  void fill(const T &);
  T &front();
  T &back();
  typedef T value_type;
};
#define SEQ(C)                                                                                                         \
  C();                                                                                                                 \
  C(size_t);                                                                                                           \
  C(size_t, const T &);                                                                                                \
  C(initializer_list<T>);                                                                                              \
  template <class I, class = decltype(*declval<I>())> C(I, I);                                                         \
  typedef T value_type;                                                                                                \
  typedef T *iterator;                                                                                                 \
  typedef const T *const_iterator;                                                                                     \
  typedef size_t size_type;                                                                                            \
  typedef T &reference;                                                                                                \
  typedef const T &const_reference;                                                                                    \
  T &operator[](size_t);                                                                                               \
  const T &operator[](size_t) const;                                                                                   \
  T &at(size_t);                                                                                                       \
  const T &at(size_t) const;                                                                                           \
  size_t size() const;                                                                                                 \
  bool empty() const;                                                                                                  \
  T *begin();                                                                                                          \
  T *end();                                                                                                            \
  const T *begin() const;                                                                                              \
  const T *end() const;                                                                                                \
  const T *cbegin() const;                                                                                             \
  const T *cend() const;                                                                                               \
  T *rbegin();                                                                                                         \
  T *rend();                                                                                                           \
  T *data();                                                                                                           \
  const T *data() const;                                                                                               \
  void push_back(const T &);                                                                                           \
  template <class... A_> T &emplace_back(A_ &&...);                                                                    \
  void pop_back();                                                                                                     \
  void push_front(const T &);                                                                                          \
  void pop_front();                                                                                                    \
  void resize(size_t);                                                                                                 \
  void resize(size_t, const T &);                                                                                      \
  void reserve(size_t);                                                                                                \
  void clear();                                                                                                        \
  T &front();                                                                                                          \
  T &back();                                                                                                           \
  const T &front() const;                                                                                              \
  const T &back() const;                                                                                               \
  template <class... A_> iterator insert(const_iterator, A_ &&...);                                                    \
  iterator erase(const_iterator);                                                                                      \
  iterator erase(const_iterator, const_iterator);                                                                      \
  void assign(size_t, const T &);                                                                                      \
  template <class I> void assign(I, I);                                                                                \
  size_t capacity() const;                                                                                             \
  void swap(C &);                                                                                                      \
  void shrink_to_fit();                                                                                                \
  bool operator==(const C &) const;                                                                                    \
  bool operator!=(const C &) const;                                                                                    \
  bool operator<(const C &) const;
template <class T, class A = allocator<T>> struct vector {
  SEQ(vector)
};
template <class T, class A = allocator<T>> struct deque {
  SEQ(deque)
};
template <class T, class A = allocator<T>> struct list {
  SEQ(list)
};
template <class K, class C = void, class A = void> struct set {
  set();
  typedef K *iterator;
  typedef const K *const_iterator;
  set(initializer_list<K>);
  pair<iterator, bool> insert(const K &);
  template <class... P> pair<iterator, bool> emplace(P &&...);
  iterator lower_bound(const K &) const;
  iterator upper_bound(const K &) const;
  void erase(iterator);
  size_t count(const K &) const;
  size_t size() const;
  iterator begin() const;
  iterator end() const;
  iterator find(const K &) const;
  void clear();
  bool empty() const;
  void erase(const K &);
};
template <class K, class C = void, class A = void, class D = void> using unordered_set = set<K>;
template <class K, class C = void> using multiset = set<K>;
template <class K, class V, class C = void, class A = void> struct map {
  map();
  map(initializer_list<pair<const K, V>>);
  typedef pair<const K, V> *iterator;
  typedef const pair<const K, V> *const_iterator;
  iterator lower_bound(const K &) const;
  iterator upper_bound(const K &) const;
  pair<iterator, iterator> equal_range(const K &) const;
  V &operator[](const K &);
  V &at(const K &);
  const V &at(const K &) const;
  size_t count(const K &) const;
  size_t size() const;
  iterator begin() const;
  iterator end() const;
  iterator find(const K &) const;
  template <class P> pair<iterator, bool> insert(P &&);
  template <class... P> pair<iterator, bool> emplace(P &&...);
  void clear();
  bool empty() const;
  void erase(const K &);
  void erase(iterator);
};
template <class K, class V, class C = void, class A = void, class D = void> using unordered_map = map<K, V>;
template <class K, class V> using multimap = map<K, V>;
} // namespace std
