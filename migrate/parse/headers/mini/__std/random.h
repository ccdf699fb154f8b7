// Random numbers for host code.
#pragma once

namespace std {
struct random_device {
  unsigned operator()();
};
struct mt19937 {
  mt19937();
  template <class T> explicit mt19937(T);
  unsigned operator()();
  void seed(unsigned);
  typedef unsigned result_type;
  static unsigned max();
};
typedef mt19937 default_random_engine;
typedef mt19937 mt19937_64;
typedef mt19937 minstd_rand;
template <class T = double> struct __dist {
  __dist();
  __dist(T);
  __dist(T, T);
  template <class G> T operator()(G &);
  struct param_type {
    param_type(T, T);
  };
};
template <class T = double> struct uniform_real_distribution : __dist<T> {
  using __dist<T>::__dist;
};
template <class T = int> struct uniform_int_distribution : __dist<T> {
  using __dist<T>::__dist;
};
template <class T = double> struct normal_distribution : __dist<T> {
  using __dist<T>::__dist;
};
template <class T = double> struct exponential_distribution : __dist<T> {
  using __dist<T>::__dist;
};
struct bernoulli_distribution : __dist<double> {
  using __dist<double>::__dist;
};
template <class T = int> struct poisson_distribution : __dist<T> {
  using __dist<T>::__dist;
};
} // namespace std
