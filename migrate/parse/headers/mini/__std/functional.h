// Function objects.
#pragma once

namespace std {
template <class T> struct less {
  typedef T x;
  bool operator()(const T &, const T &) const;
};
template <class T = void> struct greater {
  template <class U, class V> bool operator()(const U &, const V &) const;
};
template <class T = void> struct plus {
  template <class U> constexpr U operator()(const U &a, const U &b) const { return a + b; }
};
template <class T = void> struct multiplies {
  template <class U> U operator()(const U &, const U &) const;
};
template <class T> struct hash {
  size_t operator()(const T &) const;
};
} // namespace std
