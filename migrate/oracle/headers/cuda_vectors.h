// CUDA's built-in vector types: members, sizes and alignments of vector_types.h (CUDA C++ Programming Guide, table
// "Alignment Requirements"). Reads through reinterpreted pointers are common, hence may_alias.
#pragma once
#define ORACLE_VECTORS(NAME, TYPE, ALIGN2, ALIGN4)                                                                     \
  struct __attribute__((may_alias)) NAME##1 { TYPE x; };                                                               \
  struct __attribute__((may_alias, aligned(ALIGN2))) NAME##2 { TYPE x, y; };                                           \
  struct __attribute__((may_alias)) NAME##3 { TYPE x, y, z; };                                                         \
  struct __attribute__((may_alias, aligned(ALIGN4))) NAME##4 { TYPE x, y, z, w; };                                     \
  static inline NAME##1 make_##NAME##1(TYPE x) { return NAME##1{x}; }                                                  \
  static inline NAME##2 make_##NAME##2(TYPE x, TYPE y) { return NAME##2{x, y}; }                                       \
  static inline NAME##3 make_##NAME##3(TYPE x, TYPE y, TYPE z) { return NAME##3{x, y, z}; }                            \
  static inline NAME##4 make_##NAME##4(TYPE x, TYPE y, TYPE z, TYPE w) { return NAME##4{x, y, z, w}; }
ORACLE_VECTORS(char, signed char, 2, 4)
ORACLE_VECTORS(uchar, unsigned char, 2, 4)
ORACLE_VECTORS(short, short, 4, 8)
ORACLE_VECTORS(ushort, unsigned short, 4, 8)
ORACLE_VECTORS(int, int, 8, 16)
ORACLE_VECTORS(uint, unsigned int, 8, 16)
ORACLE_VECTORS(long, long, 16, 16)
ORACLE_VECTORS(ulong, unsigned long, 16, 16)
ORACLE_VECTORS(longlong, long long, 16, 16)
ORACLE_VECTORS(ulonglong, unsigned long long, 16, 16)
ORACLE_VECTORS(float, float, 8, 16)
ORACLE_VECTORS(double, double, 16, 16)
#undef ORACLE_VECTORS

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return uint3{x, y, z}; }
};
