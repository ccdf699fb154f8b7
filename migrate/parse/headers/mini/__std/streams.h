// Streams.
#pragma once

namespace std {
struct ios_base {
  enum openmode { in = 1, out = 2, binary = 4, app = 8, ate = 16, trunc = 32 };
  enum fmtflags {
    fixed_ = 1,
    left_,
  };
  enum seekdir { beg, cur, end };
  static bool sync_with_stdio(bool);
  static const fmtflags fixed = fixed_, left = fixed_, right = fixed_, scientific = fixed_, dec = fixed_, hex = fixed_;
};
inline constexpr ios_base::openmode operator|(ios_base::openmode a, ios_base::openmode b) {
  return ios_base::openmode(int(a) | int(b));
}
struct ios : ios_base {
  explicit operator bool() const;
  bool operator!() const;
  bool good() const;
  bool fail() const;
  bool eof() const;
  bool bad() const;
  void clear();
  int precision(int);
  int precision() const;
  int width(int);
  char fill(char);
  int setf(int, int = 0);
  template <class T> T rdbuf(T);
  void *rdbuf() const;
  int flags();
  void unsetf(int);
  void copyfmt(ios &);
};
struct ostream : ios {
  template <class T> ostream &operator<<(const T &);
  ostream &operator<<(ostream &(*)(ostream &));
  ostream &operator<<(ios_base &(*)(ios_base &));
  ostream &write(const char *, long);
  ostream &flush();
  ostream &put(char);
  long tellp();
  ostream &seekp(long);
};
template <class T> ostream &operator<<(ostream &&, const T &);
struct istream : ios {
  template <class T> istream &operator>>(T &&);
  istream &read(char *, long);
  int get();
  istream &get(char &);
  istream &getline(char *, long, char = '\n');
  istream &seekg(long);
  istream &seekg(long, ios_base::seekdir);
  long tellg();
  istream &ignore(long = 1, int = 0);
  int peek();
  long gcount() const;
};
struct iostream : ostream {
  template <class T> iostream &operator>>(T &&);
};
extern ostream cout, cerr, clog;
extern istream cin;
ostream &endl(ostream &);
ostream &flush(ostream &);
ostream &ends(ostream &);
struct __manip {};
__manip setw(int);
__manip setprecision(int);
__manip setfill(char);
ios_base &fixed(ios_base &);
ios_base &scientific(ios_base &);
ios_base &left(ios_base &);
ios_base &right(ios_base &);
ios_base &hex(ios_base &);
ios_base &dec(ios_base &);
ios_base &boolalpha(ios_base &);
ios_base &defaultfloat(ios_base &);
ios_base &showpoint(ios_base &);
struct ofstream : ostream {
  ofstream();
  ofstream(const char *, int = 0);
  ofstream(const string &, int = 0);
  bool is_open() const;
  void close();
  void open(const string &, int = 0);
};
struct ifstream : istream {
  ifstream();
  ifstream(const char *, int = 0);
  ifstream(const string &, int = 0);
  bool is_open() const;
  void close();
  void open(const string &, int = 0);
};
struct fstream : iostream {
  fstream();
  fstream(const string &, int = 0);
  bool is_open() const;
  void close();
  void open(const string &, int = 0);
  istream &read(char *, long);
};
struct stringstream : iostream {
  stringstream();
  stringstream(const string &);
  string str() const;
  void str(const string &);
};
struct ostringstream : ostream {
  string str() const;
  void str(const string &);
};
struct istringstream : istream {
  istringstream(const string &);
  string str() const;
  void str(const string &);
};
istream &getline(istream &, string &, char = '\n');
iostream &getline(iostream &, string &, char = '\n');
} // namespace std
