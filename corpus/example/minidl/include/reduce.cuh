// Reductions shared by the layers.
#pragma once

template <typename T>
__device__ __forceinline__ T warp_sum(T value) {
#pragma unroll
    for (int offset = 16; offset > 0; offset >>= 1) value += __shfl_xor_sync(0xffffffff, value, offset);
    return value;
}

template <typename T>
__device__ __forceinline__ T warp_max(T value) {
#pragma unroll
    for (int offset = 16; offset > 0; offset >>= 1) {
        T other = __shfl_xor_sync(0xffffffff, value, offset);
        value = other > value ? other : value;
    }
    return value;
}
