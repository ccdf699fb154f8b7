// cvt. Source: PTX ISA 9.0, "Data Movement and Conversion Instructions: cvt".
template <class To, class From> INLINE typename To::raw int_to_int(typename From::raw a) {
  return (typename To::raw)(typename From::number)a;
}
template <class To, class From> INLINE typename To::raw int_to_int_sat(typename From::raw a) {
  return clamped<To>((s128)(typename From::number)a);
}
// To a whole number of the same format, as .rni, .rzi, .rmi, .rpi do; the sign of zero stays.
template <Rounding MODE> INLINE double integral(double x) {
  const double a = magnitude(x);
  if (!(a < 0x1p52)) return x;
  const double r = (double)whole(a, MODE, sign_of(x));
  return sign_of(x) ? -r : r;
}
// Saturates. NaN gives 0, or the highest bit alone where a double or a 64-bit integer takes part (docs/semantics.md).
template <class To, class From, Rounding MODE, bool FTZ> INLINE typename To::raw float_to_int(typename From::raw a) {
  typedef typename To::raw raw;
  const double x = (double)taken<From, FTZ>(a);
  if (is_nan(x)) return From::bits == 64 || To::bits == 64 ? (raw)((raw)1 << (To::bits - 1)) : (raw)0;
  const double r = integral<MODE>(x);
  const bool is_signed = (typename To::number)-1 < (typename To::number)0;
  const double top = power_of_two(To::bits - is_signed);
  if (r >= top) return clamped<To>((s128)1 << 100);
  if (r < (is_signed ? -top : 0.0)) return clamped<To>(-((s128)1 << 100));
  return (raw)(s128)r;
}
INLINE u32 round_to_f32(double x, Rounding mode) {
  if (mode == NEAREST) return F32::put((float)x);
  return F32::put((float)under_mode(mode, x, 0.0, 0.0, [](double v, double, double) -> double { return (double)(float)v; }));
}
template <class To, class From, Rounding MODE> struct FromInt {
  INLINE u16 run(typename From::raw a) {
    const s128 v = (typename From::number)a;
    return To::put(odd_sum((double)(s64)(v >> 32) * 0x1p32, (double)(u32)v), MODE);
  }
};
template <class From, Rounding MODE> struct FromInt<F64, From, MODE> {
  INLINE u64 run(typename From::raw a) {
    const typename From::number n = (typename From::number)a;
    if (MODE == NEAREST) return bits_as<u64>((double)n);
    const s128 v = n;  // exact as a sum of two doubles; the addition rounds
    const double high = (double)(s64)(v >> 32) * 0x1p32, low = (double)(u32)v;
    return bits_as<u64>(under_mode(MODE, high, low, 0.0, plain<ADD, double>));
  }
};
template <class From, Rounding MODE> struct FromInt<F32, From, MODE> {
  INLINE u32 run(typename From::raw a) {
    const typename From::number n = (typename From::number)a;
    if (MODE == NEAREST) return bits_as<u32>((float)n);
    const s128 v = n;
    const double exact = odd_sum((double)(s64)(v >> 32) * 0x1p32, (double)(u32)v);
    return round_to_f32(exact, MODE);
  }
};
template <class To, class From, Rounding MODE> INLINE typename To::raw int_to_float(typename From::raw a) {
  return FromInt<To, From, MODE>::run(a);
}
// Between formats: one rounding, none when widening.
template <class To, class From, Rounding MODE, bool FTZ> struct Between {
  INLINE typename To::raw run(typename From::raw a) { return To::put((double)taken<From, FTZ>(a), MODE); }
};
template <class From, Rounding MODE, bool FTZ> struct Between<F32, From, MODE, FTZ> {
  INLINE u32 run(typename From::raw a) { return given<F32, FTZ>(round_to_f32((double)taken<From, FTZ>(a), MODE)); }
};
template <class From, Rounding MODE, bool FTZ> struct Between<F64, From, MODE, FTZ> {
  INLINE u64 run(typename From::raw a) { return F64::put((double)taken<From, FTZ>(a)); }
};
template <class To, class From, Rounding MODE, bool FTZ> INLINE typename To::raw float_to_float(typename From::raw a) {
  return Between<To, From, MODE, FTZ>::run(a);
}
template <class T, Rounding MODE, bool FTZ> INLINE typename T::raw float_integral(typename T::raw a) {
  return T::put((typename T::number)integral<MODE>((double)taken<T, FTZ>(a)));
}
// Ten mantissa bits, ties away from zero (.rna) or to even (.rn); the rest of the register is zero.
template <Rounding MODE> INLINE u32 to_tf32(u32 a) {
  if ((a & 0x7f800000u) == 0x7f800000u) return a & 0x7fffffu ? 0x7fffffffu : a;
  if (MODE == AWAY) return (a + 0x1000u) & 0xffffe000u;
  return (a + 0xfffu + (a >> 13 & 1)) & 0xffffe000u;
}
