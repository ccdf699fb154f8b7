// Between the scheduler and the tile products.
#pragma once
#include "kernel.h"

// Room for widened operands. It belongs to a worker, so that later launches find its pages mapped.
struct GemmRoom {
  f64* data = nullptr;
  unsigned long count = 0;
};
extern thread_local GemmRoom* tilelang_gemm_room;  // of the running worker

extern "C" void tilelang_gemm(i32 kind, const void* a, i64 a_row, i64 a_column, const void* b, i64 b_row, i64 b_column,
                              void* c, i64 c_row, i64 c_column, i32 m, i32 n, i32 k, i32 clear);
