// Iterator categories and traits.
#pragma once

namespace std {
struct input_iterator_tag {};
struct output_iterator_tag {};
struct forward_iterator_tag : input_iterator_tag {};
struct bidirectional_iterator_tag : forward_iterator_tag {};
struct random_access_iterator_tag : bidirectional_iterator_tag {};
template <class I> struct iterator_traits {
  typedef typename I::value_type value_type;
  typedef typename I::difference_type difference_type;
  typedef typename I::reference reference;
  typedef typename I::pointer pointer;
  typedef typename I::iterator_category iterator_category;
};
template <class T> struct iterator_traits<T *> {
  typedef __remove_cv(T) value_type;
  typedef ptrdiff_t difference_type;
  typedef T &reference;
  typedef T *pointer;
  typedef random_access_iterator_tag iterator_category;
};
} // namespace std
