// queue, priority_queue, stack.
#pragma once

namespace std {
template <class T, class C = vector<T>> struct queue {
  void push(const T &);
  void pop();
  T &front();
  T &back();
  bool empty() const;
  size_t size() const;
  template <class... A> void emplace(A &&...);
};
template <class T, class C = vector<T>, class L = less<T>> struct priority_queue {
  void push(const T &);
  void pop();
  const T &top() const;
  bool empty() const;
  size_t size() const;
  template <class... A> void emplace(A &&...);
};
template <class T, class C = vector<T>> struct stack {
  void push(const T &);
  void pop();
  T &top();
  bool empty() const;
  size_t size() const;
};
} // namespace std
