// Barriers, fences, votes and reductions over a warp.
#pragma once

DV void __syncthreads();
DV int __syncthreads_count(int);
DV int __syncthreads_and(int);
DV int __syncthreads_or(int);
DV void __syncwarp(unsigned m = 0xffffffffu);
DV void __threadfence();
DV void __threadfence_block();
DV void __threadfence_system();
DV void __nanosleep(unsigned);
DV void __trap();
DV void __brkpt();
DV void __prof_trigger(int);
DV unsigned __activemask();
DV unsigned __ballot_sync(unsigned, int);
DV int __any_sync(unsigned, int);
DV int __all_sync(unsigned, int);
DV unsigned __ballot(int);
DV int __any(int);
DV int __all(int);
template <class T> DV unsigned __match_any_sync(unsigned, T);
template <class T> DV unsigned __match_all_sync(unsigned, T, int *);
#define REDUCE(T)                                                                                                      \
  DV T __reduce_add_sync(unsigned, T);                                                                                 \
  DV T __reduce_min_sync(unsigned, T);                                                                                 \
  DV T __reduce_max_sync(unsigned, T);
REDUCE(unsigned)
REDUCE(int)
#undef REDUCE
DV unsigned __reduce_and_sync(unsigned, unsigned);
DV unsigned __reduce_or_sync(unsigned, unsigned);
DV unsigned __reduce_xor_sync(unsigned, unsigned);
