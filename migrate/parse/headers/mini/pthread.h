#pragma once
#include <__mini_std.h>
typedef unsigned long pthread_t;
typedef struct {
  int __opaque[10];
} pthread_mutex_t, pthread_cond_t, pthread_attr_t, pthread_barrier_t;
#define PTHREAD_MUTEX_INITIALIZER {{0}}
template <class... A> int pthread_create(pthread_t *, A &&...);
template <class... A> int pthread_join(A &&...);
template <class... A> int pthread_mutex_init(A &&...);
template <class... A> int pthread_mutex_lock(A &&...);
template <class... A> int pthread_mutex_unlock(A &&...);
template <class... A> int pthread_mutex_destroy(A &&...);
template <class... A> int pthread_cond_init(A &&...);
template <class... A> int pthread_cond_wait(A &&...);
template <class... A> int pthread_cond_signal(A &&...);
template <class... A> int pthread_cond_broadcast(A &&...);
template <class... A> int pthread_cond_destroy(A &&...);
