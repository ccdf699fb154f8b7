// Tile matrix products: products are exact, the sum over one instruction's k is taken in float64 in ascending order and
// rounded once to the accumulator. Instruction depth: 8 for TF32, 16 for 16-bit floats; integers wrap.
#include "gemm.h"
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

// --- float32 accumulators -------------------------------------------------------------------------------------------
// The operands are widened to float64 a chunk of k at a time: left by rows of CHUNK, right by panels of 8 columns, k
// slowest. Rows, columns and k are padded; a padded product is -0, which leaves every sum as it is.
typedef f64 Lane4 __attribute__((vector_size(32), aligned(8), may_alias));
typedef f32 Float4 __attribute__((vector_size(16), aligned(4), may_alias));

static const i32 CHUNK = 64, COLUMNS = 8, TALLEST = 6;
static const i32 RESIDENT_ROWS = 48;  // rows of left that stay in the first-level cache while a panel passes

// One instruction where there is one; the same value without, because the product is exact.
INLINE Lane4 multiply_add(Lane4 a, Lane4 b, Lane4 c) {
#if defined(__FMA__)
  typedef f64 Full __attribute__((vector_size(32)));
  return (Lane4)__builtin_ia32_vfmaddpd256((Full)a, (Full)b, (Full)c);
#else
  return a * b + c;
#endif
}
INLINE Lane4 widen(Float4 x) {
#if defined(__AVX__) && !defined(__clang__)  // clang has no such builtin and needs none
  typedef f32 Full __attribute__((vector_size(16)));
  return (Lane4)__builtin_ia32_cvtps2pd256((Full)x);  // GCC goes through memory otherwise
#else
  return __builtin_convertvector(x, Lane4);
#endif
}

INLINE Float4 narrow(Lane4 x) { return __builtin_convertvector(x, Float4); }

// HEIGHT rows and 8 columns of accumulators over depth k, a multiple of STEP, the depth of one instruction.
template <int HEIGHT, int STEP>
static void block(const f64* left, const f64* right, f32* c, i64 c_row, i32 depth) {
  Lane4 sum[HEIGHT][2];
#pragma GCC unroll 6
  for (int r = 0; r < HEIGHT; r++)
#pragma GCC unroll 2
    for (int v = 0; v < 2; v++) sum[r][v] = widen(*(const Float4*)(c + r * c_row + 4 * v));
  for (const f64* end = left + depth;;) {
#pragma GCC unroll 16
    for (int k = 0; k < STEP; k++) {
      Lane4 b0 = *(const Lane4*)(right + COLUMNS * k), b1 = *(const Lane4*)(right + COLUMNS * k + 4);
#pragma GCC unroll 6
      for (int r = 0; r < HEIGHT; r++) {
        f64 a = left[r * CHUNK + k];
        Lane4 a4 = {a, a, a, a};
        sum[r][0] = multiply_add(a4, b0, sum[r][0]);
        sum[r][1] = multiply_add(a4, b1, sum[r][1]);
      }
    }
    left += STEP, right += COLUMNS * STEP;
    if (left == end) break;  // what is stored is rounded once
#pragma GCC unroll 6
    for (int r = 0; r < HEIGHT; r++)
#pragma GCC unroll 2
      for (int v = 0; v < 2; v++) sum[r][v] = widen(narrow(sum[r][v]));
  }
#pragma GCC unroll 6
  for (int r = 0; r < HEIGHT; r++)
#pragma GCC unroll 2
    for (int v = 0; v < 2; v++) *(Float4*)(c + r * c_row + 4 * v) = narrow(sum[r][v]);
}

struct Target {
  f32* c;
  i64 row, column;
  i32 m, n;
};
template <int HEIGHT, int STEP>
static void block_at(const f64* left, const f64* right, const Target& t, i32 i, i32 j, i32 depth) {
  f32* out = t.c + i * t.row + j * t.column;
  i32 rows = t.m - i, columns = t.n - j;
  if (t.column == 1 && rows >= HEIGHT && columns >= COLUMNS) return block<HEIGHT, STEP>(left, right, out, t.row, depth);
  rows = rows < HEIGHT ? rows : HEIGHT, columns = columns < COLUMNS ? columns : COLUMNS;
  f32 edge[HEIGHT * COLUMNS] = {};
  for (i32 r = 0; r < rows; r++)
    for (i32 v = 0; v < columns; v++) edge[r * COLUMNS + v] = out[r * t.row + v * t.column];
  block<HEIGHT, STEP>(left, right, edge, COLUMNS, depth);
  for (i32 r = 0; r < rows; r++)
    for (i32 v = 0; v < columns; v++) out[r * t.row + v * t.column] = edge[r * COLUMNS + v];
}
template <int STEP> static void blocks(const f64* left, const f64* right, const Target& t, i32 depth) {
  for (i32 top = 0; top < t.m; top += RESIDENT_ROWS)
    for (i32 j = 0; j < t.n; j += COLUMNS) {
      const f64* panel = right + (size_t)j * CHUNK;
      i32 bottom = t.m - top > RESIDENT_ROWS ? top + RESIDENT_ROWS : t.m;
      for (i32 i = top; i < bottom;) {
        const f64* rows = left + (size_t)i * CHUNK;
        bool low = bottom - i <= 4 || bottom - i == 8;
        if (low) block_at<4, STEP>(rows, panel, t, i, j, depth);
        else block_at<6, STEP>(rows, panel, t, i, j, depth);
        i += low ? 4 : 6;
      }
    }
}

// Widens float32 bits, rounded to TF32 first if asked. No branch, so that it becomes vector code.
template <bool TF32> INLINE void widen_line(const u32* from, f64* to, i32 count) {
  for (i32 i = 0; i < count; i++) {
    u32 b = from[i];
    if (TF32) b = (b & 0x7f800000) == 0x7f800000 ? b : (b + 0x1000) & ~0x1fffu;
    to[i] = bits_of<f32>(b);
  }
}
// Elements of data, from_step apart, as float32 bits to_step apart: the memory itself if it can be, else room.
INLINE const u32* line_of(i32 kind, const void* data, i64 first, i64 from_step, i32 count, i32 to_step, u32* room) {
  if (kind == GEMM_F32) {
    const u32* from = (const u32*)data + first;
    if (from_step == 1 && to_step == 1) return from;
    for (i32 i = 0; i < count; i++) room[i * to_step] = from[i * from_step];
  } else {
    const u16* from = (const u16*)data + first;
    if (kind == GEMM_F16)
      for (i32 i = 0; i < count; i++) room[i * to_step] = bits_of<u32>(half_to_float(from[i * from_step]));
    else
      for (i32 i = 0; i < count; i++) room[i * to_step] = (u32)from[i * from_step] << 16;
  }
  return room;
}
INLINE void widen_any(i32 kind, const u32* from, f64* to, i32 count) {
  if (kind == GEMM_F32) widen_line<true>(from, to, count);
  else widen_line<false>(from, to, count);
}

// Rows of left: CHUNK apart, columns first to first + depth of it, padded to padded.
static void pack_left(i32 kind, const void* a, i64 row, i64 column, i32 m, i32 first, i32 depth, i32 padded, f64* to) {
  u32 room[CHUNK];
  for (i32 i = 0; i < m + TALLEST - 1; i++, to += CHUNK) {
    if (i < m) widen_any(kind, line_of(kind, a, i * row + first * column, column, depth, 1, room), to, depth);
    for (i32 k = i < m ? depth : 0; k < padded; k++) to[k] = -0.0;
  }
}
// Panels of right, 8 columns each.
static void pack_right(i32 kind, const void* b, i64 row, i64 column, i32 n, i32 first, i32 depth, i32 padded, f64* to) {
  u32 room[CHUNK * COLUMNS];
  for (i32 j = 0; j < n; j += COLUMNS, to += CHUNK * COLUMNS) {
    i32 columns = n - j < COLUMNS ? n - j : COLUMNS;
    i64 corner = first * row + j * column;
    if (columns == COLUMNS && kind == GEMM_F32 && column == 1) {
      const u32* from = (const u32*)b + corner;
      for (i32 k = 0; k < depth; k++) widen_line<true>(from + k * row, to + k * COLUMNS, COLUMNS);
    } else {
      memset(room, 0, sizeof room);
      for (i32 v = 0; v < columns; v++) line_of(kind, b, corner + v * column, row, depth, COLUMNS, room + v);
      widen_any(kind, room, to, depth * COLUMNS);
    }
    for (i32 x = depth * COLUMNS; x < padded * COLUMNS; x++) to[x] = 0;
  }
}

thread_local GemmRoom* tilelang_gemm_room;
static f64* room_for(size_t count) {
  GemmRoom* room = tilelang_gemm_room;
  if (room->count < count) {
    free(room->data);
    room->data = (f64*)aligned_alloc(64, (count * 8 + 63) / 64 * 64);
    room->count = count;
  }
  return room->data;
}

static void gemm_f32(i32 kind, const void* a, i64 a_row, i64 a_column, const void* b, i64 b_row, i64 b_column, Target t,
                     i32 k) {
  size_t rows = (size_t)(t.m + TALLEST - 1), columns = (size_t)(t.n + COLUMNS - 1) / COLUMNS * COLUMNS;
  f64* left = room_for((rows + columns) * CHUNK);
  f64* right = left + rows * CHUNK;
  const i32 step = kind == GEMM_F32 ? 8 : 16;
  for (i32 first = 0; first < k; first += CHUNK) {
    i32 depth = k - first < CHUNK ? k - first : CHUNK, padded = (depth + step - 1) / step * step;
    pack_left(kind, a, a_row, a_column, t.m, first, depth, padded, left);
    pack_right(kind, b, b_row, b_column, t.n, first, depth, padded, right);
    if (step == 8) blocks<8>(left, right, t, padded);
    else blocks<16>(left, right, t, padded);
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
  if (accumulator == ACC_F32 && input != GEMM_F64) {
    f32* out = (f32*)c;
    for (i32 i = 0; i < m && clear; i++)
      for (i32 j = 0; j < n; j++) out[i * c_row + j * c_column] = 0;
    gemm_f32(input, a, a_row, a_column, b, b_row, b_column, {out, c_row, c_column, m, n}, k);
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
