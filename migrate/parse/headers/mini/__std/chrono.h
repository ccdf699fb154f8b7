// Time.
#pragma once

namespace std {
namespace chrono {
template <class R, class P = int> struct duration {
  R count() const;
  duration();
  template <class R2, class P2> duration(const duration<R2, P2> &);
  duration &operator+=(const duration &);
  duration operator/(int) const;
  explicit duration(R);
  duration operator-(const duration &) const;
  duration operator+(const duration &) const;
};
typedef duration<long, int> nanoseconds;
typedef duration<long, short> microseconds;
typedef duration<long, char> milliseconds;
typedef duration<long, long> seconds;
template <class C> struct time_point {
  nanoseconds operator-(const time_point &) const;
  nanoseconds time_since_epoch() const;
};
struct steady_clock {
  typedef time_point<steady_clock> time_point;
  typedef nanoseconds duration;
  static time_point now();
};
typedef steady_clock high_resolution_clock;
typedef steady_clock system_clock;
template <class D, class R, class P> D duration_cast(const duration<R, P> &);
} // namespace chrono
template <long N, long D = 1> struct ratio {};
typedef ratio<1, 1000> milli;
typedef ratio<1, 1000000> micro;
typedef ratio<1, 1000000000> nano;
typedef ratio<1000> kilo;
} // namespace std
