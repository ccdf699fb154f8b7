// Tile matrix products: products are exact, the sum over one instruction's k is taken in float64 in ascending order and
// rounded once to the accumulator. Instruction depth: 8 for TF32, 16 for 16-bit floats; integers wrap.
#include "kernel.h"
#include <stdlib.h>

enum GemmKind { GEMM_F32 = 0, GEMM_F16, GEMM_BF16, GEMM_F64, GEMM_I8, GEMM_U8, GEMM_I32 };
enum Accumulator { ACC_F32 = 0, ACC_F16 = 16, ACC_F64 = 32, ACC_I32 = 48, ACC_BF16 = 64 };

// To TF32 (10 fraction bits), to nearest, ties away from zero, as cvt.rna.tf32 does.
static inline f32 to_tf32(f32 x) {
  u32 b = bits_of<u32>(x);
  if ((b & 0x7f800000) == 0x7f800000) return x;
  return bits_of<f32>((b + 0x1000) & ~0x1fffu);
}
static f64 read_element(i32 kind, const void* p, i64 i) {
  switch (kind) {
    case GEMM_F32: return to_tf32(((const f32*)p)[i]);
    case GEMM_F16: return half_to_float(((const u16*)p)[i]);
    case GEMM_BF16: return bfloat_to_float(((const u16*)p)[i]);
    default: return ((const f64*)p)[i];
  }
}
static i64 read_integer(i32 kind, const void* p, i64 i) {
  return kind == GEMM_I8 ? ((const i8*)p)[i] : kind == GEMM_U8 ? ((const u8*)p)[i] : ((const i32*)p)[i];
}
static f64 read_accumulator(i32 kind, const void* p, i64 i) {
  switch (kind) {
    case ACC_F32: return ((const f32*)p)[i];
    case ACC_F16: return half_to_float(((const u16*)p)[i]);
    case ACC_BF16: return bfloat_to_float(((const u16*)p)[i]);
    default: return ((const f64*)p)[i];
  }
}
static void write_accumulator(i32 kind, void* p, i64 i, f64 value) {
  switch (kind) {
    case ACC_F32: ((f32*)p)[i] = (f32)value; break;
    case ACC_F16: ((u16*)p)[i] = float_to_half(round_to_odd(value)); break;
    case ACC_BF16: ((u16*)p)[i] = float_to_bfloat(round_to_odd(value)); break;
    default: ((f64*)p)[i] = value;
  }
}
static f64 round_accumulator(i32 kind, f64 value) {
  return kind == ACC_F32 ? (f32)value : kind == ACC_F16 ? to_half_f64(value) : kind == ACC_BF16 ? to_bfloat_f64(value) : value;
}

typedef f64 Lane4 __attribute__((vector_size(32), aligned(8), may_alias));
typedef f32 Float4 __attribute__((vector_size(16), aligned(4), may_alias));

// One instruction where there is one; the same value without, because the product is exact.
static inline __attribute__((always_inline)) Lane4 multiply_add(Lane4 a, Lane4 b, Lane4 c) {
#if defined(__FMA__)
  typedef f64 Full __attribute__((vector_size(32)));
  return (Lane4)__builtin_ia32_vfmaddpd256((Full)a, (Full)b, (Full)c);
#else
  return a * b + c;
#endif
}

static inline __attribute__((always_inline)) Lane4 widen(Float4 x) {
#if defined(__AVX__)
  typedef f32 Full __attribute__((vector_size(16)));
  return (Lane4)__builtin_ia32_cvtps2pd256((Full)x);  // GCC goes through memory otherwise
#else
  return __builtin_convertvector(x, Lane4);
#endif
}

// A block of 4 rows and 4 * VECTORS columns of float32 accumulators. left: depth x 4, right: depth x 4 * VECTORS, both
// float64 and k slowest. STEP is the depth of one instruction.
template <int VECTORS, int STEP>
static void block(const f64* left, const f64* right, f32* c, i64 c_row, i32 depth) {
  Lane4 sum[4][VECTORS];
  for (int r = 0; r < 4; r++)
    for (int v = 0; v < VECTORS; v++) sum[r][v] = widen(*(const Float4*)(c + r * c_row + 4 * v));
  for (i64 first = 0; first < depth; first += STEP) {
    i64 end = first + STEP < depth ? first + STEP : depth;
    for (i64 k = first; k < end; k++, left += 4, right += 4 * VECTORS) {
      Lane4 b[VECTORS];
#pragma GCC unroll 4
      for (int v = 0; v < VECTORS; v++) b[v] = *(const Lane4*)(right + 4 * v);
#pragma GCC unroll 4
      for (int r = 0; r < 4; r++) {
        f64 a = left[r];
        Lane4 a4 = {a, a, a, a};
#pragma GCC unroll 4
        for (int v = 0; v < VECTORS; v++) sum[r][v] = multiply_add(a4, b[v], sum[r][v]);
      }
    }
#pragma GCC unroll 4
    for (int r = 0; r < 4; r++)
#pragma GCC unroll 4
      for (int v = 0; v < VECTORS; v++)
        sum[r][v] = widen(__builtin_convertvector(sum[r][v], Float4));
  }
  for (int r = 0; r < 4; r++)
    for (int v = 0; v < VECTORS; v++) *(Float4*)(c + r * c_row + 4 * v) = __builtin_convertvector(sum[r][v], Float4);
}
template <int STEP>
static void blocks(const f64* left, const f64* right, f32* c, i64 c_row, i32 m, i32 n, i32 k) {
  for (i32 j = 0; j < n;) {
    i32 width = n - j >= 12 ? 12 : n - j >= 8 ? 8 : 4;
    for (i32 i = 0; i < m; i += 4) {
      const f64 *a = left + (size_t)i * k, *b = right + (size_t)j * k;
      f32* out = c + i * c_row + j;
      if (width == 12) block<3, STEP>(a, b, out, c_row, k);
      else if (width == 8) block<2, STEP>(a, b, out, c_row, k);
      else block<1, STEP>(a, b, out, c_row, k);
    }
    j += width;
  }
}

extern "C" void tilelang_gemm(i32 kind, const void* a, i64 a_row, i64 a_column, const void* b, i64 b_row, i64 b_column,
                              void* c, i64 c_row, i64 c_column, i32 m, i32 n, i32 k, i32 clear) {
  i32 input = kind & 15, accumulator = kind & ~15;
  if (accumulator == ACC_I32) {
    for (i32 i = 0; i < m; i++)
      for (i32 j = 0; j < n; j++) {
        i32* out = (i32*)c + i * c_row + j * c_column;
        u32 sum = clear ? 0 : (u32)*out;
        for (i32 x = 0; x < k; x++)
          sum += (u32)(read_integer(input, a, i * a_row + x * a_column) * read_integer(input, b, x * b_row + j * b_column));
        *out = (i32)sum;
      }
    return;
  }
  i32 step = input == GEMM_F32 ? 8 : input == GEMM_F64 ? 1 : 16;
  if (accumulator == ACC_F32 && input != GEMM_F64 && c_column == 1 && n % 4 == 0 && m % 4 == 0) {
    static thread_local f64* left;
    static thread_local f64* right;
    static thread_local size_t left_room, right_room;
    size_t need = (size_t)m * k, wide = (size_t)k * n;
    if (left_room < need) free(left), left = (f64*)aligned_alloc(64, (need * 8 + 63) / 64 * 64), left_room = need;
    if (right_room < wide) free(right), right = (f64*)aligned_alloc(64, (wide * 8 + 63) / 64 * 64), right_room = wide;
    const bool single = input == GEMM_F32;
    for (i32 i = 0; i < m; i += 4)
      for (i32 x = 0; x < k; x++)
        for (i32 r = 0; r < 4; r++) {
          i64 from = (i + r) * a_row + x * a_column;
          left[(size_t)i * k + x * 4 + r] = single ? to_tf32(((const f32*)a)[from]) : read_element(input, a, from);
        }
    for (i32 j = 0; j < n;) {
      i32 width = n - j >= 12 ? 12 : n - j >= 8 ? 8 : 4;
      f64* to = right + (size_t)j * k;
      for (i32 x = 0; x < k; x++)
        for (i32 v = 0; v < width; v++) {
          i64 from = x * b_row + (j + v) * b_column;
          *to++ = single ? to_tf32(((const f32*)b)[from]) : read_element(input, b, from);
        }
      j += width;
    }
    f32* out = (f32*)c;
    if (clear)
      for (i32 i = 0; i < m; i++) memset(out + i * c_row, 0, (size_t)n * 4);
    if (step == 8) blocks<8>(left, right, out, c_row, m, n, k);
    else blocks<16>(left, right, out, c_row, m, n, k);
    return;
  }
  for (i32 i = 0; i < m; i++)
    for (i32 j = 0; j < n; j++) {
      i64 place = i * c_row + j * c_column;
      f64 sum = clear ? 0 : read_accumulator(accumulator, c, place);
      for (i32 first = 0; first < k; first += step) {
        i32 end = first + step < k ? first + step : k;
        for (i32 x = first; x < end; x++) {
          f64 left = read_element(input, a, i * a_row + x * a_column);
          f64 right = read_element(input, b, x * b_row + j * b_column);
          sum = input == GEMM_F64 ? __builtin_fma(left, right, sum) : sum + left * right;
        }
        sum = round_accumulator(accumulator, sum);
      }
      write_accumulator(accumulator, c, place, sum);
    }
}
