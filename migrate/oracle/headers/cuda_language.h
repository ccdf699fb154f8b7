// CUDA's keywords, built-in variables, barriers and fences.
#pragma once
#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __shared__ static __attribute__((used))
#define __forceinline__ inline
#define __inline_hint__
#define __noinline__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __maxnreg__(...)
#define __block_size__(...)
#define __grid_constant__
#define __nv_pure__
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __restrict __restrict__
#define __CUDACC__ 1
#define __NVCC__ 1

// Own names: kernels may call a variable dim3.
typedef uint3 oracle_cuda_uint3;
typedef dim3 oracle_cuda_dim3;
#ifdef ORACLE_PLAIN  // nothing synchronises: one loop over all threads, which the compiler may vectorise
static uint3 oracle_plain_thread, oracle_plain_block;
static dim3 oracle_plain_block_extent, oracle_plain_grid_extent;
#define threadIdx ((const oracle_cuda_uint3&)oracle_plain_thread)
#define blockIdx ((const oracle_cuda_uint3&)oracle_plain_block)
#define blockDim ((const oracle_cuda_dim3&)oracle_plain_block_extent)
#define gridDim ((const oracle_cuda_dim3&)oracle_plain_grid_extent)
#else
#define threadIdx ((const oracle_cuda_uint3&)oracle_thread_index)
#define blockIdx ((const oracle_cuda_uint3&)oracle_block_index)
#define blockDim ((const oracle_cuda_dim3&)oracle_block_extent)
#define gridDim ((const oracle_cuda_dim3&)oracle_grid_extent)
#endif
static constexpr int warpSize = 32;

// One buffer a library, so that 32-bit shared addresses work and declarations at namespace scope are constants.
alignas(1024) static unsigned char oracle_dynamic_shared[ORACLE_DYNAMIC_LIMIT];

#define ORACLE_LINE int line = __builtin_LINE()
static inline void __syncthreads(ORACLE_LINE) { oracle_barrier(line); }
static inline int __syncthreads_count(int p, ORACLE_LINE) { return oracle_barrier_reduce(p, ORACLE_COUNT, line); }
static inline int __syncthreads_and(int p, ORACLE_LINE) { return oracle_barrier_reduce(p, ORACLE_AND, line); }
static inline int __syncthreads_or(int p, ORACLE_LINE) { return oracle_barrier_reduce(p, ORACLE_OR, line); }
static inline void __threadfence() { oracle_fence(); }
static inline void __threadfence_block() { oracle_fence(); }
static inline void __threadfence_system() { oracle_fence(); }
static inline void __nanosleep(unsigned) {}
[[noreturn]] static inline void __trap(ORACLE_LINE) { oracle_trap("__trap", line); }
static inline void __brkpt() {}
static inline void __prof_trigger(int) {}
#define __builtin_assume(x) ((void)0)
#define __assume(x) ((void)0)
static inline size_t __cvta_generic_to_shared(const void* p) {
  return (size_t)((const unsigned char*)p - oracle_dynamic_shared) + 0x10000000;
}
static inline unsigned __isShared(const void* p) {
  return (size_t)((const unsigned char*)p - oracle_dynamic_shared) < ORACLE_DYNAMIC_LIMIT;
}

// Cache hints are plain loads and stores.
#define ORACLE_LOAD(NAME) template <class T> static inline T NAME(const T* p) { return *p; }
ORACLE_LOAD(__ldg) ORACLE_LOAD(__ldcs) ORACLE_LOAD(__ldca) ORACLE_LOAD(__ldcg) ORACLE_LOAD(__ldcv) ORACLE_LOAD(__ldlu)
#define ORACLE_STORE(NAME) template <class T> static inline void NAME(T* p, T v) { *p = v; }
ORACLE_STORE(__stcs) ORACLE_STORE(__stcg) ORACLE_STORE(__stwb) ORACLE_STORE(__stwt)
#undef ORACLE_LOAD
#undef ORACLE_STORE

// Host names that appear in declarations a kernel needs (aliases, members), never called.
typedef int cudaError_t;
typedef struct CUstream_st* cudaStream_t;
typedef struct CUevent_st* cudaEvent_t;
enum { cudaSuccess = 0 };

// Stands where the original has inline assembly: an error only where the compiler really has to emit it.
extern "C" void oracle_inline_assembly() __attribute__((error("inline assembly")));
namespace nvcuda { namespace wmma {} }
namespace cooperative_groups {}
