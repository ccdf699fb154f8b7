// numeric_limits. Types without a specialisation have no values, so that nothing folds to a wrong one.
#pragma once

namespace std {
enum float_round_style {
  round_indeterminate = -1,
  round_toward_zero,
  round_to_nearest,
  round_toward_infinity,
  round_toward_neg_infinity
};

template <class T> struct numeric_limits {
  static constexpr bool is_specialized = false;
  static constexpr T min() noexcept;
  static constexpr T max() noexcept;
  static constexpr T lowest() noexcept;
  static constexpr T epsilon() noexcept;
  static constexpr T infinity() noexcept;
  static constexpr T quiet_NaN() noexcept;
  static constexpr T denorm_min() noexcept;
};
template <class T> struct numeric_limits<const T> : numeric_limits<T> {};
template <class T> struct numeric_limits<volatile T> : numeric_limits<T> {};

#define MINISTD_INTEGER_LIMITS(T, SIGNED, DIGITS, DIGITS10, MIN, MAX)                                                  \
  template <> struct numeric_limits<T> {                                                                               \
    static constexpr bool is_specialized = true, is_signed = SIGNED, is_integer = true, is_exact = true,               \
                          has_infinity = false, has_quiet_NaN = false, is_iec559 = false, is_bounded = true,           \
                          is_modulo = !SIGNED;                                                                         \
    static constexpr int digits = DIGITS, digits10 = DIGITS10, radix = 2;                                              \
    static constexpr T min() noexcept { return MIN; }                                                                  \
    static constexpr T max() noexcept { return MAX; }                                                                  \
    static constexpr T lowest() noexcept { return MIN; }                                                               \
    static constexpr T epsilon() noexcept { return 0; }                                                                \
    static constexpr T infinity() noexcept { return 0; }                                                               \
    static constexpr T quiet_NaN() noexcept { return 0; }                                                              \
    static constexpr T denorm_min() noexcept { return 0; }                                                             \
  };

MINISTD_INTEGER_LIMITS(bool, false, 1, 0, false, true)
MINISTD_INTEGER_LIMITS(char, true, 7, 2, (-127 - 1), 127)
MINISTD_INTEGER_LIMITS(signed char, true, 7, 2, (-127 - 1), 127)
MINISTD_INTEGER_LIMITS(unsigned char, false, 8, 2, 0, 255)
MINISTD_INTEGER_LIMITS(short, true, 15, 4, (-32767 - 1), 32767)
MINISTD_INTEGER_LIMITS(unsigned short, false, 16, 4, 0, 65535)
MINISTD_INTEGER_LIMITS(int, true, 31, 9, (-2147483647 - 1), 2147483647)
MINISTD_INTEGER_LIMITS(unsigned int, false, 32, 9, 0, 4294967295U)
MINISTD_INTEGER_LIMITS(long, true, 63, 18, (-9223372036854775807L - 1), 9223372036854775807L)
MINISTD_INTEGER_LIMITS(unsigned long, false, 64, 19, 0, 18446744073709551615UL)
MINISTD_INTEGER_LIMITS(long long, true, 63, 18, (-9223372036854775807LL - 1), 9223372036854775807LL)
MINISTD_INTEGER_LIMITS(unsigned long long, false, 64, 19, 0, 18446744073709551615ULL)
#undef MINISTD_INTEGER_LIMITS

template <> struct numeric_limits<float> {
  static constexpr bool is_specialized = true, is_signed = true, is_integer = false, is_exact = false,
                        has_infinity = true, has_quiet_NaN = true, is_iec559 = true, is_bounded = true;
  static constexpr int digits = __FLT_MANT_DIG__, digits10 = __FLT_DIG__, max_digits10 = 9, radix = 2,
                       min_exponent = __FLT_MIN_EXP__, max_exponent = __FLT_MAX_EXP__;
  static constexpr float min() noexcept { return __FLT_MIN__; }
  static constexpr float max() noexcept { return __FLT_MAX__; }
  static constexpr float lowest() noexcept { return -__FLT_MAX__; }
  static constexpr float epsilon() noexcept { return __FLT_EPSILON__; }
  static constexpr float round_error() noexcept { return 0.5f; }
  static constexpr float infinity() noexcept { return __builtin_huge_valf(); }
  static constexpr float quiet_NaN() noexcept { return __builtin_nanf(""); }
  static constexpr float signaling_NaN() noexcept { return __builtin_nansf(""); }
  static constexpr float denorm_min() noexcept { return __FLT_DENORM_MIN__; }
};

template <> struct numeric_limits<double> {
  static constexpr bool is_specialized = true, is_signed = true, is_integer = false, is_exact = false,
                        has_infinity = true, has_quiet_NaN = true, is_iec559 = true, is_bounded = true;
  static constexpr int digits = __DBL_MANT_DIG__, digits10 = __DBL_DIG__, max_digits10 = 17, radix = 2,
                       min_exponent = __DBL_MIN_EXP__, max_exponent = __DBL_MAX_EXP__;
  static constexpr double min() noexcept { return __DBL_MIN__; }
  static constexpr double max() noexcept { return __DBL_MAX__; }
  static constexpr double lowest() noexcept { return -__DBL_MAX__; }
  static constexpr double epsilon() noexcept { return __DBL_EPSILON__; }
  static constexpr double round_error() noexcept { return 0.5; }
  static constexpr double infinity() noexcept { return __builtin_huge_val(); }
  static constexpr double quiet_NaN() noexcept { return __builtin_nan(""); }
  static constexpr double signaling_NaN() noexcept { return __builtin_nans(""); }
  static constexpr double denorm_min() noexcept { return __DBL_DENORM_MIN__; }
};
} // namespace std
