// Warp shuffles.
#pragma once

// overloads, no template: char, short and bool are promoted to int, structs are not taken
#define SHUFFLE(T)                                                                                                     \
  DV T __shfl_sync(unsigned, T, int, int = 32);                                                                        \
  DV T __shfl_up_sync(unsigned, T, unsigned, int = 32);                                                                \
  DV T __shfl_down_sync(unsigned, T, unsigned, int = 32);                                                              \
  DV T __shfl_xor_sync(unsigned, T, int, int = 32);                                                                    \
  DV T __shfl(T, int, int = 32);                                                                                       \
  DV T __shfl_up(T, unsigned, int = 32);                                                                               \
  DV T __shfl_down(T, unsigned, int = 32);                                                                             \
  DV T __shfl_xor(T, int, int = 32);
SHUFFLE(int)
SHUFFLE(unsigned)
SHUFFLE(long)
SHUFFLE(unsigned long)
SHUFFLE(long long)
SHUFFLE(unsigned long long)
SHUFFLE(float)
SHUFFLE(double)
