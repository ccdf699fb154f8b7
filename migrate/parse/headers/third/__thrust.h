#pragma once
#include <__cushim.h>
namespace thrust {
template <class T> struct device_ptr {
  T *get() const;
  T &operator*() const;
  device_ptr operator+(long) const;
  device_ptr();
  explicit device_ptr(T *);
  T &operator[](long) const;
};
template <class T> T *raw_pointer_cast(device_ptr<T>);
template <class T> T *raw_pointer_cast(T *);
template <class T> device_ptr<T> device_pointer_cast(T *);
template <class T, class A = void> struct device_vector {
  device_vector();
  device_vector(size_t);
  device_vector(size_t, T);
  template <class C> device_vector(const C &);
  template <class I> device_vector(I, I);
  typedef device_ptr<T> iterator;
  typedef T value_type;
  iterator begin();
  iterator end();
  device_ptr<T> data();
  size_t size() const;
  T &operator[](size_t);
  void resize(size_t, T = T());
  void clear();
  template <class C> device_vector &operator=(const C &);
  void push_back(T);
};
template <class T, class A = void> struct host_vector {
  host_vector();
  host_vector(size_t);
  host_vector(size_t, T);
  template <class C> host_vector(const C &);
  template <class I> host_vector(I, I);
  typedef T *iterator;
  typedef T value_type;
  T *begin();
  T *end();
  T *data();
  size_t size() const;
  T &operator[](size_t);
  const T &operator[](size_t) const;
  void resize(size_t, T = T());
  void clear();
  template <class C> host_vector &operator=(const C &);
  void push_back(T);
};
struct P_ {
  template <class... A> P_ on(A...) const;
};
extern P_ device, host, seq;
namespace cuda {
extern P_ par;
}
namespace system {
namespace cuda {
extern P_ par;
}
} // namespace system
template <class T = void> struct plus {
  template <class U> __host__ __device__ U operator()(U a, U b) const { return a + b; }
};
template <class T = void> struct minus {
  template <class U> __host__ __device__ U operator()(U a, U b) const { return a - b; }
};
template <class T = void> struct multiplies {
  template <class U> __host__ __device__ U operator()(U a, U b) const { return a * b; }
};
template <class T = void> struct maximum {
  template <class U> __host__ __device__ U operator()(U a, U b) const { return a < b ? b : a; }
};
template <class T = void> struct minimum {
  template <class U> __host__ __device__ U operator()(U a, U b) const { return a < b ? a : b; }
};
template <class T = void> struct greater {
  template <class U> __host__ __device__ bool operator()(U a, U b) const { return a > b; }
};
template <class T = void> struct less {
  template <class U> __host__ __device__ bool operator()(U a, U b) const { return a < b; }
};
template <class T = void> struct identity {};
template <class A, class B> struct unary_function {};
template <class A, class B, class C> struct binary_function {};
#define TF(n) template <class... A> int n(A &&...);
TF(sort)
TF(stable_sort)
TF(sort_by_key)
TF(stable_sort_by_key)
TF(fill)
TF(fill_n)
TF(copy)
TF(copy_n)
TF(copy_if)
TF(transform)
TF(sequence)
TF(for_each)
TF(inclusive_scan)
TF(exclusive_scan)
TF(unique)
TF(remove_if)
TF(generate)
TF(gather)
TF(scatter)
TF(count)
TF(count_if)
TF(reduce_by_key)
TF(merge)
TF(adjacent_difference)
TF(tabulate)
TF(min_element)
TF(max_element)
TF(distance)
TF(transform_inclusive_scan)
TF(reverse)
TF(equal)
TF(lower_bound)
TF(upper_bound)
template <class T, class... A> T reduce_(A &&...);
template <class... A> double reduce(A &&...);
template <class... A> double transform_reduce(A &&...);
template <class... A> double inner_product(A &&...);
template <class T> struct counting_iterator {
  counting_iterator(T);
  counting_iterator operator+(long) const;
};
template <class T> counting_iterator<T> make_counting_iterator(T);
template <class... A> int make_zip_iterator(A &&...);
template <class... A> int make_transform_iterator(A &&...);
template <class... A> int make_tuple(A &&...);
template <class T> device_ptr<T> device_malloc(size_t);
template <class P> void device_free(P);
template <class T> struct complex {
  T r, i;
  __host__ __device__ complex(T a = T(), T b = T());
  __host__ __device__ T real() const;
  __host__ __device__ T imag() const;
  __host__ __device__ complex &operator+=(const complex &);
  __host__ __device__ complex &operator*=(const complex &);
};
template <class T> __host__ __device__ complex<T> operator+(const complex<T> &, const complex<T> &);
template <class T> __host__ __device__ complex<T> operator-(const complex<T> &, const complex<T> &);
template <class T> __host__ __device__ complex<T> operator*(const complex<T> &, const complex<T> &);
template <class T> __host__ __device__ complex<T> operator*(T, const complex<T> &);
template <class T> __host__ __device__ complex<T> operator/(const complex<T> &, T);
template <class T> __host__ __device__ T abs(const complex<T> &);
template <class T> __host__ __device__ complex<T> exp(const complex<T> &);
template <class T> __host__ __device__ complex<T> conj(const complex<T> &);
template <class A, class B> struct pair {
  A first;
  B second;
};
template <class... T> struct tuple {};
template <class T> __host__ __device__ void swap(T &, T &);
} // namespace thrust
