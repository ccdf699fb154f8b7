// Floating-point instructions. Source: PTX ISA 9.0, "Floating Point Instructions", "Half Precision Floating Point
// Instructions", "Comparison and Selection". Values of .approx functions: docs/semantics.md, "Fast-math formulas".
extern "C" {
float fmaf(float, float, float) noexcept;
double fma(double, double, double) noexcept;
float exp2f(float) noexcept;
float log2f(float) noexcept;
float sinf(float) noexcept;
float cosf(float) noexcept;
float tanhf(float) noexcept;
int fesetround(int) noexcept;
int fegetround(void) noexcept;
}
#if defined(__x86_64__)
enum { HOST_NEAREST = 0, HOST_DOWN = 0x400, HOST_UP = 0x800, HOST_TO_ZERO = 0xc00 };
#else
enum { HOST_NEAREST = 0, HOST_UP = 0x400000, HOST_DOWN = 0x800000, HOST_TO_ZERO = 0xc00000 };
#endif
INLINE int host_mode(Rounding mode) {
  return mode == DOWN ? HOST_DOWN : mode == UP ? HOST_UP : mode == TO_ZERO ? HOST_TO_ZERO : HOST_NEAREST;
}
// Runs `compute` under a rounding mode. Operands pass through volatile, so that nothing is computed before or after.
template <class F, class N> static __attribute__((noinline)) N under_mode(Rounding mode, N a, N b, N c, F compute) {
  const int before = fegetround();
  volatile N x = a, y = b, z = c;
  fesetround(host_mode(mode));
  volatile N r = compute((N)x, (N)y, (N)z);
  fesetround(before);
  return r;
}

// x + y in double, its last bit set when the sum is not exact: a later rounding to a narrower format is then right.
INLINE double odd_sum(double x, double y) {
  const double s = x + y;
  if (!(magnitude(s) < __builtin_inf())) return s;
  const double back = s - x, rest = (x - (s - back)) + (y - back);
  u64 bits = bits_as<u64>(s);
  if (rest == 0 || (bits & 1)) return s;
  return bits_as<double>((rest > 0) == !sign_of(s) ? bits + 1 : bits - 1);
}

#define OP template <class T, bool FTZ> INLINE typename T::raw
template <class T, bool FTZ> INLINE NUMBER taken(RAW r) { return T::get(FTZ ? T::flush(r) : r); }
template <class T, bool FTZ> INLINE RAW given(RAW r) { return FTZ ? T::flush(r) : r; }

enum Arithmetic { ADD, SUB, MUL, DIV, FMA, SQRT };
template <Arithmetic KIND, class N> INLINE N plain(N a, N b, N c) {
  if (KIND == ADD) return a + b;
  if (KIND == SUB) return a - b;
  if (KIND == MUL) return a * b;
  if (KIND == DIV) return a / b;
  if (KIND == SQRT) return sizeof(N) == 4 ? (N)__builtin_sqrtf((float)a) : (N)__builtin_sqrt((double)a);
  return sizeof(N) == 4 ? (N)fmaf((float)a, (float)b, (float)c) : (N)fma((double)a, (double)b, (double)c);
}
template <class T, Arithmetic KIND, Rounding MODE, bool FTZ> struct Compute {
  INLINE RAW run(RAW a, RAW b, RAW c) {
    const NUMBER x = taken<T, FTZ>(a), y = taken<T, FTZ>(b), z = taken<T, FTZ>(c);
    if (MODE == NEAREST) return given<T, FTZ>(T::put(plain<KIND, NUMBER>(x, y, z)));
    return given<T, FTZ>(T::put(under_mode(MODE, x, y, z, plain<KIND, NUMBER>)));
  }
};
// 16 bits: products are exact in double, sums are rounded to odd there.
template <class T, Arithmetic KIND> INLINE RAW half_compute(RAW a, RAW b, RAW c) {
  const double x = T::get(a), y = T::get(b), z = T::get(c);
  if (KIND == ADD) return T::put(odd_sum(x, y));
  if (KIND == SUB) return T::put(odd_sum(x, -y));
  if (KIND == MUL) return T::put(x * y);
  return T::put(odd_sum(x * y, z));
}
template <Arithmetic KIND, bool FTZ> struct Compute<F16, KIND, NEAREST, FTZ> {
  INLINE u16 run(u16 a, u16 b, u16 c) {
    return given<F16, FTZ>(half_compute<F16, KIND>(given<F16, FTZ>(a), given<F16, FTZ>(b), given<F16, FTZ>(c)));
  }
};
template <Arithmetic KIND, bool FTZ> struct Compute<BF16, KIND, NEAREST, FTZ> {
  INLINE u16 run(u16 a, u16 b, u16 c) {
    return given<BF16, FTZ>(half_compute<BF16, KIND>(given<BF16, FTZ>(a), given<BF16, FTZ>(b), given<BF16, FTZ>(c)));
  }
};
template <class T, Arithmetic KIND, Rounding MODE, bool FTZ> INLINE RAW float_compute(RAW a, RAW b = 0, RAW c = 0) {
  return Compute<T, KIND, MODE, FTZ>::run(a, b, c);
}
template <class T> INLINE RAW saturated(RAW r) {  // to [0, 1]; NaN and -0 give +0
  const NUMBER x = T::get(r);
  return x > 0 ? x < 1 ? r : T::put((NUMBER)1) : (RAW)0;
}
template <class T> INLINE RAW rectified(RAW r) {  // .relu: below 0 gives +0, NaN stays (one pattern)
  const NUMBER x = T::get(r);
  return x != x ? T::put(x) : x > 0 ? r : (RAW)0;
}

OP float_neg(RAW a) { return given<T, FTZ>(a) ^ (RAW)((RAW)1 << (T::bits - 1)); }
OP float_abs(RAW a) { return given<T, FTZ>(a) & (RAW)~((RAW)1 << (T::bits - 1)); }
template <class T> INLINE RAW copied_sign(RAW sign, RAW value) {
  const RAW top = (RAW)((RAW)1 << (T::bits - 1));
  return (RAW)((sign & top) | (value & (RAW)~top));
}
// -0 below +0. NAN_WINS: .NaN. Both NaN: NaN.
template <class T, bool LARGER, bool FTZ, bool NAN_WINS> INLINE RAW float_extreme(RAW a, RAW b) {
  a = given<T, FTZ>(a), b = given<T, FTZ>(b);
  const NUMBER x = T::get(a), y = T::get(b);
  if (x != x) return NAN_WINS || y != y ? T::put(x) : b;
  if (y != y) return NAN_WINS ? T::put(y) : a;
  if (x == y) return ((a >> (T::bits - 1)) & 1) == (LARGER ? 1 : 0) ? b : a;
  return (x < y) == LARGER ? b : a;
}

// One formula each where hardware approximates (docs/semantics.md).
enum Function { RCP, RSQRT, EX2, LG2, SINE, COSINE, TANH };
template <Function F> INLINE float formula(float x) {
  if (F == RCP) return 1.0f / x;
  if (F == RSQRT) return 1.0f / __builtin_sqrtf(x);
  if (F == EX2) return exp2f(x);
  if (F == LG2) return log2f(x);
  if (F == SINE) return sinf(x);
  if (F == COSINE) return cosf(x);
  return tanhf(x);
}
template <class T, Function F, bool FTZ> struct Approximate {
  INLINE RAW run(RAW a) { return given<T, FTZ>(T::put((NUMBER)formula<F>((float)taken<T, FTZ>(a)))); }
};
template <Function F, bool FTZ> struct Approximate<F64, F, FTZ> {
  INLINE u64 run(u64 a) {
    const double x = F64::get(a);
    return F64::put(F == RCP ? 1.0 / x : 1.0 / __builtin_sqrt(x));
  }
};
template <class T, Function F, bool FTZ> INLINE RAW float_function(RAW a) { return Approximate<T, F, FTZ>::run(a); }

enum Relation { EQ, NE, LT, LE, GT, GE, EQU, NEU, LTU, LEU, GTU, GEU, NUM, NAN_EITHER };
template <class T, Relation R, bool FTZ> INLINE bool float_compare(RAW a, RAW b) {
  const NUMBER x = taken<T, FTZ>(a), y = taken<T, FTZ>(b);
  const bool unordered = x != x || y != y;
  switch (R) {
    case EQ: return x == y;
    case NE: return !unordered && x != y;
    case LT: return x < y;
    case LE: return x <= y;
    case GT: return x > y;
    case GE: return x >= y;
    case EQU: return unordered || x == y;
    case NEU: return x != y;
    case LTU: return unordered || x < y;
    case LEU: return unordered || x <= y;
    case GTU: return unordered || x > y;
    case GEU: return unordered || x >= y;
    case NUM: return !unordered;
    default: return unordered;
  }
}
template <class T, Relation R> INLINE bool int_compare(RAW a, RAW b) {
  const NUMBER x = (NUMBER)a, y = (NUMBER)b;
  switch (R) {
    case EQ: return x == y;
    case NE: return x != y;
    case LT: return x < y;
    case LE: return x <= y;
    case GT: return x > y;
    default: return x >= y;
  }
}
enum Property { FINITE, INFINITE, IS_NUMBER, NOT_A_NUMBER, NORMAL, SUBNORMAL };
template <class T, Property P> INLINE bool float_property(RAW a) {
  const double x = magnitude((double)T::get(a)), smallest = T::bits == 32 ? 0x1p-126 : 0x1p-1022;
  switch (P) {
    case FINITE: return x < __builtin_inf();
    case INFINITE: return x == __builtin_inf();
    case IS_NUMBER: return x == x;
    case NOT_A_NUMBER: return x != x;
    case NORMAL: return x >= smallest && x < __builtin_inf();
    default: return x > 0 && x < smallest;
  }
}
#undef OP
// Both halves of a register.
INLINE u32 pair_of(u16 low, u16 high) { return low | (u32)high << 16; }
