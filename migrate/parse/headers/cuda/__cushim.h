// The header that is included before everything else: all of CUDA that device code can see.
//
// Declarations only, except where a body is needed for constant evaluation or for types. Return types are exact, as
// types of expressions are read from the tree.
#ifndef CUSHIM_H
#define CUSHIM_H

#include "__shim/keywords.h"

#pragma clang force_cuda_host_device begin
#include <__mini_std.h>
#pragma clang force_cuda_host_device end
#undef assert
__host__ __device__ constexpr void __cushim_assert(bool) {}
#define assert(...) __cushim_assert(static_cast<bool>(__VA_ARGS__))

#define DV __device__
#define HD __host__ __device__

#include "__shim/vector_types.h"
#include "__shim/builtin_variables.h"
#include "__shim/runtime_types.h"
#include "__shim/runtime_api.h"
#include "__shim/synchronization.h"
#include "__shim/shuffle.h"
#include "__shim/memory.h"
#include "__shim/integer_intrinsics.h"
#include "__shim/simd_intrinsics.h"
#include "__shim/rounding_intrinsics.h"
#include "__shim/math.h"
#include "__shim/min_max.h"
#include "__shim/atomics.h"
#include "__shim/half.h"
#include "__shim/bfloat16.h"
#include "__shim/float16_names.h"
#include "__shim/fp8.h"
#include "__shim/complex.h"
#include "__shim/textures.h"

SHUFFLE(__half)
SHUFFLE(__half2)
SHUFFLE(__nv_bfloat16)
SHUFFLE(__nv_bfloat162)
#undef SHUFFLE

#include "cooperative_groups/__groups.h"
#include "__shim/wmma.h"
#include "__shim/curand.h"
#include "__shim/async_copy.h"
#include "__shim/scoped_atomics.h"

#undef HD
#undef DV

#include "__shim/constants.h"

#endif
