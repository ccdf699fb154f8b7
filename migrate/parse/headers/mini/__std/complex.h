// complex.
#pragma once

namespace std {
template <class T> struct complex {
  T r, i;
  constexpr complex(T a = T(), T b = T()) : r(a), i(b) {}
  template <class U> constexpr complex(const complex<U> &o) : r(o.r), i(o.i) {}
  constexpr T real() const { return r; }
  constexpr T imag() const { return i; }
  void real(T);
  void imag(T);
  complex &operator+=(const complex &);
  complex &operator-=(const complex &);
  complex &operator*=(const complex &);
  complex &operator/=(const complex &);
};
template <class T> complex<T> operator+(const complex<T> &, const complex<T> &);
template <class T> complex<T> operator-(const complex<T> &, const complex<T> &);
template <class T> complex<T> operator*(const complex<T> &, const complex<T> &);
template <class T> complex<T> operator/(const complex<T> &, const complex<T> &);
template <class T> complex<T> operator*(const T &, const complex<T> &);
template <class T> complex<T> operator*(const complex<T> &, const T &);
template <class T> complex<T> operator/(const complex<T> &, const T &);
template <class T> complex<T> operator-(const complex<T> &);
template <class T> T abs(const complex<T> &);
template <class T> T norm(const complex<T> &);
template <class T> T real(const complex<T> &);
template <class T> T imag(const complex<T> &);
template <class T> complex<T> conj(const complex<T> &);
template <class T> complex<T> exp(const complex<T> &);
template <class T> complex<T> sqrt(const complex<T> &);
} // namespace std
