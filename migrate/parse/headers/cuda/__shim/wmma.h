// Tensor core fragments.
#pragma once

namespace nvcuda {
namespace wmma {
struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32 {};
struct u4 {};
struct s4 {};
struct b1 {};
} // namespace precision
namespace experimental {
namespace precision {
struct u4 {};
struct s4 {};
struct b1 {};
} // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
} // namespace experimental
template <class T> struct __fs {
  typedef T type;
};
template <> struct __fs<precision::tf32> {
  typedef float type;
};
// How many elements a thread holds is only known for accumulators (they are not duplicated); the other counts have no
// value, so that nothing folds to a wrong one.
template <class U, int m, int n, int k, class T, class L = void> struct fragment {
  typedef typename __fs<T>::type element_type;
  DV static const int num_elements;
  DV static const int num_storage_elements;
  element_type x[16];
};
template <int m, int n, int k, class T> struct fragment<accumulator, m, n, k, T, void> {
  typedef typename __fs<T>::type element_type;
  static const int num_elements = m * n / 32;
  static const int num_storage_elements = m * n / 32;
  element_type x[m * n / 32];
};
template <class F, class T> DV void load_matrix_sync(F &, const T *, unsigned);
template <class F, class T> DV void load_matrix_sync(F &, const T *, unsigned, layout_t);
template <class F, class T> DV void store_matrix_sync(T *, const F &, unsigned, layout_t);
template <class F, class T> DV void fill_fragment(F &, const T &);
template <class D, class A, class B, class C> DV void mma_sync(D &, const A &, const B &, const C &, bool s = false);
template <class D, class A, class B, class C> DV void bmma_sync(D &, const A &, const B &, const C &, ...);
DV float __float_to_tf32(float);
} // namespace wmma
} // namespace nvcuda
