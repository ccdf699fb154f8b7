// Smart pointers.
#pragma once

namespace std {
template <class T, class D = void> struct unique_ptr {
  unique_ptr();
  explicit unique_ptr(T *);
  unique_ptr(T *, D);
  T *get() const;
  T &operator*() const;
  T *operator->() const;
  T *release();
  void reset(T * = nullptr);
  explicit operator bool() const;
};
template <class T> struct unique_ptr<T[], void> {
  unique_ptr();
  explicit unique_ptr(T *);
  T *get() const;
  T &operator[](size_t) const;
  void reset(T * = nullptr);
};
template <class T> struct shared_ptr {
  shared_ptr();
  template <class U> shared_ptr(U *);
  T *get() const;
  T &operator*() const;
  T *operator->() const;
  explicit operator bool() const;
  void reset();
};
template <class T, class... A> unique_ptr<T> make_unique(A &&...);
template <class T, class... A> shared_ptr<T> make_shared(A &&...);
} // namespace std
