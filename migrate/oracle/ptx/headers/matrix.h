// Matrix instructions of a warp. Layouts of mma and ldmatrix fragments: PTX ISA 9.0, "Matrix Fragments for mma", "ldmatrix".
// Fragments of wmma have no stated layout: ours is elements in row order, repeated where lanes hold more than there are.
// Values: products exact, their sum over k in double, one rounding to the accumulator (docs/semantics.md).
enum { FRAGMENT_WORDS = 24 };
static u32 exchanged[ORACLE_MAX_THREADS / 32][2][32][FRAGMENT_WORDS];
static unsigned char exchange_turn[ORACLE_MAX_THREADS];
typedef const u32 (*Words)[FRAGMENT_WORDS];
// Everyone's words. Two buffers in turn: nobody can be two exchanges ahead of a lane that still reads.
INLINE Words exchange(const u32* mine, int count, int line) {
  const u32 rank = thread_rank(), warp = rank >> 5, turn = exchange_turn[rank] ^= 1;
  u32* slot = exchanged[warp][turn][lane_index()];
  for (int i = 0; i < count; i++) slot[i] = mine[i];
  sync_warp(~0u, line);
  return exchanged[warp][turn];
}

// Element types of operands: how many a register holds, and their value. Integers are exact in double too.
struct M16 { enum { per = 2 }; INLINE double get(u32 w, int i) { return F16::get((u16)(w >> 16 * i)); } };
struct MB16 { enum { per = 2 }; INLINE double get(u32 w, int i) { return BF16::get((u16)(w >> 16 * i)); } };
struct MTF32 { enum { per = 1 }; INLINE double get(u32 w, int) { return bits_as<float>(w & 0xffffe000u); } };
struct MS8 { enum { per = 4 }; INLINE double get(u32 w, int i) { return (s8)(w >> 8 * i); } };
struct MU8 { enum { per = 4 }; INLINE double get(u32 w, int i) { return (u8)(w >> 8 * i); } };
struct MS4 { enum { per = 8 }; INLINE double get(u32 w, int i) { return (s32)(w >> 4 * i << 28) >> 28; } };
struct MU4 { enum { per = 8 }; INLINE double get(u32 w, int i) { return w >> 4 * i & 15; } };
// Accumulators: registers of a lane hold `per` elements each.
struct AF32 {
  enum { per = 1 };
  INLINE double get(u32 w, int) { return bits_as<float>(w); }
  INLINE void put(u32& w, int, double v, bool) { w = F32::put((float)v); }
};
struct AF16 {
  enum { per = 2 };
  INLINE double get(u32 w, int i) { return F16::get((u16)(w >> 16 * i)); }
  INLINE void put(u32& w, int i, double v, bool) { w = i ? (w & 0xffffu) | (u32)F16::put(v) << 16 : (w & 0xffff0000u) | F16::put(v); }
};
struct AS32 {
  enum { per = 1 };
  INLINE double get(u32 w, int) { return (s32)w; }
  INLINE void put(u32& w, int, double v, bool finite) { w = finite ? clamped<S32>((s128)v) : (u32)(s64)v; }
};

// mma.sync.m{M}n8k{K}. `ra`, `rb`, `rc`: registers a lane has.
template <class A, class B, class C, class D, int M, int K>
static void multiply(u32* d, const u32* a, int ra, const u32* b, int rb, const u32* c, bool finite, int line) {
  u32 mine[FRAGMENT_WORDS];
  for (int i = 0; i < ra; i++) mine[i] = a[i];
  for (int i = 0; i < rb; i++) mine[ra + i] = b[i];
  const Words all = exchange(mine, ra + rb, line);
  const int lane = (int)lane_index(), group = lane >> 2, quarter = lane & 3, chunk = 4 * A::per, halves = M / 8;
  for (int e = 0; e < 2 * halves; e++) {
    const int row = group + 8 * (e >> 1), column = 2 * quarter + (e & 1);
    double sum = 0;
    for (int k = 0; k < K; k++) {
      const int within = k % chunk, step = k / chunk;
      const u32 wa = all[(row & 7) * 4 + within / A::per][step * halves + (row >> 3)];
      const u32 wb = all[column * 4 + within / B::per][ra + step];
      sum += A::get(wa, within % A::per) * B::get(wb, within % B::per);
    }
    D::put(d[e / D::per], e % D::per, sum + C::get(c[e / C::per], e % C::per), finite);
  }
}
// mma.sync.m8n8k4.f64: one element of A and B a lane, two of C.
static inline void multiply_f64(u64* d, u64 a, u64 b, const u64* c, int line) {
  const u32 mine[4] = {(u32)a, (u32)(a >> 32), (u32)b, (u32)(b >> 32)};
  const Words all = exchange(mine, 4, line);
  const int lane = (int)lane_index(), row = lane >> 2;
  for (int e = 0; e < 2; e++) {
    const int column = 2 * (lane & 3) + e;
    double sum = F64::get(c[e]);
    for (int k = 0; k < 4; k++) {
      const u32 *x = all[row * 4 + k], *y = all[column * 4 + k];
      sum = fma(F64::get((u64)x[1] << 32 | x[0]), F64::get((u64)y[3] << 32 | y[2]), sum);
    }
    d[e] = F64::put(sum);
  }
}
// ldmatrix: `count` 8x8 matrices of 16 bits; the lanes' addresses name rows. `check`: the access hook.
template <class F> INLINE void load_matrices(u32* d, int count, bool transposed, u64 address, int line, F check) {
  const u32 mine[2] = {(u32)address, (u32)(address >> 32)};
  const Words all = exchange(mine, 2, line);
  const int lane = (int)lane_index();
  auto row_of = [&](int m, int r) -> u64 { return (u64)all[8 * m + r][1] << 32 | all[8 * m + r][0]; };
  for (int m = 0; m < count; m++) {
    u32 halves[2];
    for (int z = 0; z < 2; z++) {
      const int row = transposed ? 2 * (lane & 3) + z : lane >> 2, column = transposed ? lane >> 2 : 2 * (lane & 3) + z;
      const u64 at = row_of(m, row) + 2 * column;
      check(at);
      halves[z] = load<u16>(at);
    }
    d[m] = halves[0] | halves[1] << 16;
  }
}

// wmma: element i of a lane that holds `held` is number lane * held + i, modulo the matrix, counted along rows.
INLINE void fragment_place(int held, int i, int rows, int columns, int* row, int* column) {
  const int number = ((int)lane_index() * held + i) % (rows * columns);
  *row = number / columns;
  *column = number % columns;
}
INLINE u64 element_address(u64 base, int row, int column, u32 stride, bool row_major, int bytes) {
  return base + (u64)bytes * (row_major ? (u64)row * stride + column : (u64)column * stride + row);
}
// Register r, part p of a fragment, found among all lanes' words.
template <class E> INLINE double fragment_value(Words all, int offset, int registers, int rows, int columns, int row, int column) {
  const int held = registers * E::per, number = row * columns + column;
  (void)rows;
  return E::get(all[number / held][offset + number % held / E::per], number % held % E::per);
}
template <class A, class B, class C, class D, int M, int N, int K>
static void multiply_fragments(u32* d, int rd, const u32* a, int ra, const u32* b, int rb, const u32* c, bool finite, int line) {
  u32 mine[FRAGMENT_WORDS];
  for (int i = 0; i < ra; i++) mine[i] = a[i];
  for (int i = 0; i < rb; i++) mine[ra + i] = b[i];
  const Words all = exchange(mine, ra + rb, line);
  const int held = rd * D::per;
  u32 result[8];
  for (int i = 0; i < held; i++) {
    int row, column;
    fragment_place(held, i, M, N, &row, &column);
    double sum = 0;
    for (int k = 0; k < K; k++)
      sum += fragment_value<A>(all, 0, ra, M, K, row, k) * fragment_value<B>(all, ra, rb, K, N, k, column);
    D::put(result[i / D::per], i % D::per, sum + C::get(c[i / C::per], i % C::per), finite);
  }
  for (int i = 0; i < rd; i++) d[i] = result[i];
}
#undef RAW
#undef NUMBER
