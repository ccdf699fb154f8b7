// function, atomic, threads, optional.
#pragma once

namespace std {
template <class S> struct function;
template <class R, class... A> struct function<R(A...)> {
  function();
  template <class F> function(F);
  R operator()(A...) const;
  explicit operator bool() const;
};
template <class T> struct atomic {
  atomic(T = T());
  T load() const;
  void store(T);
  operator T() const;
  T operator++();
  T operator++(int);
  T fetch_add(T);
  atomic &operator=(T);
};
struct mutex {
  void lock();
  void unlock();
};
template <class M> struct lock_guard {
  lock_guard(M &);
};
template <class M> struct unique_lock {
  unique_lock(M &);
  void unlock();
};
struct thread {
  thread();
  template <class F, class... A> thread(F &&, A &&...);
  void join();
  static unsigned hardware_concurrency();
};
template <class T> struct optional {
  optional();
  optional(const T &);
  T &value();
  explicit operator bool() const;
  bool has_value() const;
  T &operator*();
};
} // namespace std
