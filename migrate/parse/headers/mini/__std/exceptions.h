// Exceptions.
#pragma once

namespace std {
struct exception {
  virtual ~exception();
  virtual const char *what() const noexcept;
};
struct runtime_error : exception {
  runtime_error(const string &);
};
struct logic_error : exception {
  logic_error(const string &);
};
struct invalid_argument : logic_error {
  invalid_argument(const string &);
};
struct out_of_range : logic_error {
  out_of_range(const string &);
};
struct bad_alloc : exception {};
struct domain_error : logic_error {
  domain_error(const string &);
};
struct length_error : logic_error {
  length_error(const string &);
};
} // namespace std
