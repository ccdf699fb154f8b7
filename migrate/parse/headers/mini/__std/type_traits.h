// Type traits from the compiler's own.
#pragma once

namespace std {
template <class T, T v> struct integral_constant {
  static constexpr T value = v;
  typedef T value_type;
  typedef integral_constant type;
  constexpr operator T() const { return v; }
  constexpr T operator()() const { return v; }
};
typedef integral_constant<bool, true> true_type;
typedef integral_constant<bool, false> false_type;
template <bool B> using bool_constant = integral_constant<bool, B>;
template <bool B, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> {
  typedef T type;
};
template <bool B, class T = void> using enable_if_t = typename enable_if<B, T>::type;
template <bool B, class T, class F> struct conditional {
  typedef T type;
};
template <class T, class F> struct conditional<false, T, F> {
  typedef F type;
};
template <bool B, class T, class F> using conditional_t = typename conditional<B, T, F>::type;
template <class T> struct remove_reference {
  typedef T type;
};
template <class T> struct remove_reference<T &> {
  typedef T type;
};
template <class T> struct remove_reference<T &&> {
  typedef T type;
};
template <class T> using remove_reference_t = typename remove_reference<T>::type;
template <class T> struct remove_const {
  typedef T type;
};
template <class T> struct remove_const<const T> {
  typedef T type;
};
template <class T> using remove_const_t = typename remove_const<T>::type;
template <class T> struct remove_cv {
  typedef __remove_cv(T) type;
};
template <class T> using remove_cv_t = __remove_cv(T);
template <class T> struct remove_pointer {
  typedef __remove_pointer(T) type;
};
template <class T> using remove_pointer_t = __remove_pointer(T);
template <class T> struct add_pointer {
  typedef T *type;
};
template <class T> struct decay {
  typedef __decay(T) type;
};
template <class T> using decay_t = __decay(T);
template <class T> using remove_cvref_t = __remove_cvref(T);
template <class T> struct make_unsigned {
  typedef __make_unsigned(T) type;
};
template <class T> using make_unsigned_t = __make_unsigned(T);
template <class T> struct make_signed {
  typedef __make_signed(T) type;
};
template <class T> struct add_const {
  typedef const T type;
};
template <class T> struct add_lvalue_reference {
  typedef T &type;
};
template <class T> struct underlying_type {
  typedef __underlying_type(T) type;
};
template <class T> struct remove_extent {
  typedef __remove_extent(T) type;
};
template <class T> using remove_extent_t = __remove_extent(T);
template <class...> using void_t = void;

template <class T> struct is_integral : integral_constant<bool, __is_integral(T)> {};
template <class T> constexpr bool is_integral_v = __is_integral(T);
template <class T> struct is_floating_point : integral_constant<bool, __is_floating_point(T)> {};
template <class T> constexpr bool is_floating_point_v = __is_floating_point(T);
template <class T> struct is_arithmetic : integral_constant<bool, __is_arithmetic(T)> {};
template <class T> constexpr bool is_arithmetic_v = __is_arithmetic(T);
template <class T> struct is_signed : integral_constant<bool, __is_signed(T)> {};
template <class T> constexpr bool is_signed_v = __is_signed(T);
template <class T> struct is_unsigned : integral_constant<bool, __is_unsigned(T)> {};
template <class T> constexpr bool is_unsigned_v = __is_unsigned(T);
template <class T> struct is_pointer : integral_constant<bool, __is_pointer(T)> {};
template <class T> constexpr bool is_pointer_v = __is_pointer(T);
template <class T> struct is_array : integral_constant<bool, __is_array(T)> {};
template <class T> constexpr bool is_array_v = __is_array(T);
template <class T> struct is_class : integral_constant<bool, __is_class(T)> {};
template <class T> constexpr bool is_class_v = __is_class(T);
template <class T> struct is_enum : integral_constant<bool, __is_enum(T)> {};
template <class T> constexpr bool is_enum_v = __is_enum(T);
template <class T> struct is_const : integral_constant<bool, __is_const(T)> {};
template <class T> constexpr bool is_const_v = __is_const(T);
template <class T> struct is_void : integral_constant<bool, __is_void(T)> {};
template <class T> constexpr bool is_void_v = __is_void(T);
template <class T> struct is_trivially_copyable : integral_constant<bool, __is_trivially_copyable(T)> {};
template <class T> constexpr bool is_trivially_copyable_v = __is_trivially_copyable(T);
template <class T> struct is_reference : integral_constant<bool, __is_reference(T)> {};
template <class T> constexpr bool is_reference_v = __is_reference(T);
template <class T> struct is_function : integral_constant<bool, __is_function(T)> {};
template <class T> constexpr bool is_function_v = __is_function(T);
template <class T> struct is_standard_layout : integral_constant<bool, __is_standard_layout(T)> {};
template <class T> constexpr bool is_standard_layout_v = __is_standard_layout(T);
template <class T> struct is_empty : integral_constant<bool, __is_empty(T)> {};
template <class T> constexpr bool is_empty_v = __is_empty(T);
template <class T> struct is_pod : integral_constant<bool, __is_pod(T)> {};
template <class T> constexpr bool is_pod_v = __is_pod(T);
template <class T> struct is_scalar : integral_constant<bool, __is_scalar(T)> {};
template <class T> constexpr bool is_scalar_v = __is_scalar(T);
template <class T, class U> struct is_same : integral_constant<bool, __is_same(T, U)> {};
template <class T, class U> constexpr bool is_same_v = __is_same(T, U);
template <class T, class U> struct is_base_of : integral_constant<bool, __is_base_of(T, U)> {};
template <class T, class U> constexpr bool is_base_of_v = __is_base_of(T, U);
template <class T, class U> struct is_convertible : integral_constant<bool, __is_convertible(T, U)> {};
template <class T, class U> constexpr bool is_convertible_v = __is_convertible(T, U);
template <class T, class U> struct is_assignable : integral_constant<bool, __is_assignable(T, U)> {};
template <class T, class U> constexpr bool is_assignable_v = __is_assignable(T, U);

template <class T, class... A> struct is_constructible : integral_constant<bool, __is_constructible(T, A...)> {};
} // namespace std
