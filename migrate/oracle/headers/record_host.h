// Host code under observation: CUDA's runtime API backed by plain memory; kernels are replaced by functions that write
// down how they were launched (hosting.py). Here <cmath> is welcome: nothing numeric is judged.
#pragma once
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <type_traits>
#include <utility>
#include "cuda_vectors.h"

#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __shared__ static
#define __forceinline__ inline
#define __noinline__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __grid_constant__
#define __align__(n) __attribute__((aligned(n)))
#define __CUDACC__ 1

#ifdef ORACLE_USES_HALF  // with what cuda_half.h takes from the other headers, none of which may meet <cmath>
#define oracle_update(p, change) oracle_update_plain(p, change)
template <class T, class F> static inline T oracle_update_plain(T* p, F change) { T old = *p; *p = change(old); return old; }
static inline float __saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }
static inline int __float2int_rn(float x) { return (int)rintf(x); }
static inline int __float2int_rz(float x) { return (int)x; }
static inline int __float2int_rd(float x) { return (int)floorf(x); }
static inline int __float2int_ru(float x) { return (int)ceilf(x); }
static inline unsigned __float2uint_rn(float x) { return (unsigned)rintf(x); }
static inline unsigned __float2uint_rz(float x) { return (unsigned)x; }
static inline long long __float2ll_rn(float x) { return (long long)rintf(x); }
static inline long long __float2ll_rz(float x) { return (long long)x; }
static inline unsigned long long __float2ull_rn(float x) { return (unsigned long long)rintf(x); }
static inline unsigned long long __float2ull_rz(float x) { return (unsigned long long)x; }
#include "cuda_half.h"
#undef oracle_update
#endif

struct oracle_area {
  unsigned char* base;
  size_t bytes;
  char origin[64];
};
static oracle_area oracle_areas[4096];
static int oracle_area_count;
static FILE* oracle_record_file;
static struct {
  dim3 grid, block;
  size_t shared;
} oracle_configuration;

static inline void* oracle_new_area(size_t bytes, const char* kind, int number) {
  if (oracle_area_count == 4096) return nullptr;
  void* base = calloc(bytes ? bytes : 1, 1);
  if (!base) return nullptr;
  oracle_area& area = oracle_areas[oracle_area_count++];
  area.base = (unsigned char*)base;
  area.bytes = bytes;
  snprintf(area.origin, sizeof area.origin, "%s:%d", kind, number);
  return base;
}
static inline void oracle_configure(dim3 grid, dim3 block, size_t shared = 0, const void* = nullptr) {
  oracle_configuration.grid = grid;
  oracle_configuration.block = block;
  oracle_configuration.shared = shared;
}
static inline void oracle_begin_launch(const char* function) {
  const dim3 &g = oracle_configuration.grid, &b = oracle_configuration.block;
  fprintf(oracle_record_file, "launch\t%u\t%u\t%u\t%u\t%u\t%u\t%zu\t%s\n", g.x, g.y, g.z, b.x, b.y, b.z, oracle_configuration.shared, function);
  fflush(oracle_record_file);
}
template <class T> static const char* oracle_type_text() { return __PRETTY_FUNCTION__; }
template <class T> static void oracle_record_argument(const T& value) {
  const unsigned char* raw = (const unsigned char*)&value;
  fprintf(oracle_record_file, "argument\t");
  for (size_t i = 0; i < sizeof value; i++) fprintf(oracle_record_file, "%02x", raw[i]);
  const char* origin = "";
  long long offset = 0;
  size_t bytes = 0;
  if (std::is_pointer<T>::value) {
    unsigned char* pointer;
    memcpy(&pointer, raw, sizeof pointer);
    for (int i = 0; i < oracle_area_count; i++) {
      const oracle_area& area = oracle_areas[i];
      if (pointer >= area.base && pointer <= area.base + area.bytes) {
        origin = area.origin;
        offset = pointer - area.base;
        bytes = area.bytes;
        if (pointer < area.base + area.bytes) break;
      }
    }
  }
  fprintf(oracle_record_file, "\t%s\t%lld\t%zu\t%s\n", origin, offset, bytes, oracle_type_text<T>());
  fflush(oracle_record_file);
}
template <class... A> static void oracle_record(const char* function, const A&... arguments) {
  oracle_begin_launch(function);
  int order[] = {0, (oracle_record_argument(arguments), 0)...};
  (void)order;
}
// A pointer argument of the observed function.
struct oracle_pointer {
  void* address;
  template <class T> operator T*() const { return (T*)address; }
};

typedef int cudaError_t;
typedef struct CUstream_st* cudaStream_t;
typedef struct CUevent_st* cudaEvent_t;
enum { cudaSuccess = 0 };
enum cudaMemcpyKind { cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice, cudaMemcpyDefault };
enum { cudaStreamNonBlocking = 1, cudaEventDisableTiming = 2, cudaHostAllocDefault = 0, cudaMemAttachGlobal = 1,
       cudaFuncAttributeMaxDynamicSharedMemorySize = 8, cudaFuncAttributePreferredSharedMemoryCarveout = 9,
       cudaDevAttrMultiProcessorCount = 16, cudaDevAttrClockRate = 13, cudaDevAttrComputeMode = 20,
       cudaDevAttrComputeCapabilityMajor = 75, cudaDevAttrComputeCapabilityMinor = 76, cudaComputeModeDefault = 0,
       cudaComputeModeExclusive = 1, cudaComputeModeProhibited = 2, cudaComputeModeExclusiveProcess = 3,
       cudaDevAttrCooperativeLaunch = 95, cudaDevAttrConcurrentManagedAccess = 89, cudaEventDefault = 0,
       cudaEventBlockingSync = 1, cudaStreamDefault = 0, cudaDeviceMapHost = 8, cudaHostAllocMapped = 2,
       cudaHostAllocPortable = 1, cudaHostRegisterMapped = 2, cudaDeviceScheduleBlockingSync = 4, cudaErrorNotReady = 600,
       cudaErrorInvalidValue = 1, cudaErrorMemoryAllocation = 2, cudaErrorAssert = 710, cudaErrorUnknown = 999,
       cudaDeviceScheduleAuto = 0, cudaDeviceScheduleSpin = 1, cudaDeviceScheduleYield = 2, cudaDeviceBlockingSync = 4, cudaFuncCachePreferShared = 1, cudaFuncCachePreferL1 = 2 };
#define CUDART_CB
typedef unsigned long long cudaTextureObject_t, cudaSurfaceObject_t;
typedef struct cudaArray* cudaArray_t;
template <class T> static inline T min(T a, T b) { return b < a ? b : a; }
template <class T> static inline T max(T a, T b) { return a < b ? b : a; }
struct cudaDeviceProp {
  char name[256];
  size_t totalGlobalMem, sharedMemPerBlock, sharedMemPerMultiprocessor, sharedMemPerBlockOptin;
  int major, minor, multiProcessorCount, warpSize, maxThreadsPerBlock, maxThreadsPerMultiProcessor, regsPerBlock, l2CacheSize, clockRate;
  int canMapHostMemory, integrated, concurrentKernels, computeMode, unifiedAddressing, managedMemory, concurrentManagedAccess;
  int cooperativeLaunch, asyncEngineCount, memoryBusWidth, memoryClockRate, pageableMemoryAccess;
  size_t totalConstMem, memPitch, textureAlignment, surfaceAlignment;
  int maxThreadsDim[3], maxGridSize[3];
};
#define ORACLE_LINE int line = __builtin_LINE()
template <class T> static cudaError_t cudaMalloc(T** p, size_t bytes, ORACLE_LINE) { *p = (T*)oracle_new_area(bytes, "cudaMalloc", line); return *p ? 0 : 2; }
template <class T> static cudaError_t cudaMallocManaged(T** p, size_t bytes, unsigned = 1, ORACLE_LINE) { *p = (T*)oracle_new_area(bytes, "cudaMallocManaged", line); return *p ? 0 : 2; }
template <class T> static cudaError_t cudaMallocAsync(T** p, size_t bytes, cudaStream_t, ORACLE_LINE) { *p = (T*)oracle_new_area(bytes, "cudaMallocAsync", line); return *p ? 0 : 2; }
template <class T> static cudaError_t cudaMallocHost(T** p, size_t bytes, unsigned = 0, ORACLE_LINE) { *p = (T*)oracle_new_area(bytes, "cudaMallocHost", line); return *p ? 0 : 2; }
template <class T> static cudaError_t cudaHostAlloc(T** p, size_t bytes, unsigned = 0, ORACLE_LINE) { *p = (T*)oracle_new_area(bytes, "cudaHostAlloc", line); return *p ? 0 : 2; }
static inline cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, int) { memmove(to, from, bytes); return 0; }
static inline cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, int, cudaStream_t = nullptr) { memmove(to, from, bytes); return 0; }
static inline cudaError_t cudaMemset(void* to, int value, size_t bytes) { memset(to, value, bytes); return 0; }
static inline cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t = nullptr) { memset(to, value, bytes); return 0; }
template <class S> static cudaError_t cudaMemcpyToSymbol(S& symbol, const void* from, size_t bytes, size_t offset = 0, int = 1) { memcpy((char*)&symbol + offset, from, bytes); return 0; }
template <class S> static cudaError_t cudaMemcpyFromSymbol(void* to, const S& symbol, size_t bytes, size_t offset = 0, int = 2) { memcpy(to, (const char*)&symbol + offset, bytes); return 0; }
static inline cudaError_t cudaFree(void*) { return 0; }
static inline const char* cudaGetErrorString(cudaError_t) { return "no error"; }
static inline const char* cudaGetErrorName(cudaError_t) { return "cudaSuccess"; }
static inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int) {
  memset((void*)p, 0, sizeof *p);  // an A100's figures (CUDA C++ Programming Guide, compute capability 8.0)
  strcpy(p->name, "recorded");
  p->totalGlobalMem = (size_t)40 << 30; p->sharedMemPerBlock = 48 << 10; p->sharedMemPerMultiprocessor = 164 << 10;
  p->sharedMemPerBlockOptin = 163 << 10; p->major = 8; p->multiProcessorCount = 108; p->canMapHostMemory = p->concurrentKernels = p->unifiedAddressing = p->managedMemory = 1;
  p->concurrentManagedAccess = p->cooperativeLaunch = 1; p->asyncEngineCount = 2; p->totalConstMem = 65536; p->warpSize = 32;
  p->maxThreadsPerBlock = 1024; p->maxThreadsPerMultiProcessor = 2048; p->regsPerBlock = 65536; p->l2CacheSize = 40 << 20; p->clockRate = 1410000;
  p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024; p->maxThreadsDim[2] = 64;
  p->maxGridSize[0] = 2147483647; p->maxGridSize[1] = p->maxGridSize[2] = 65535;
  return 0;
}
static inline cudaError_t cudaGetDevice(int* d) { *d = 0; return 0; }
static inline cudaError_t cudaGetDeviceCount(int* n) { *n = 1; return 0; }
static inline cudaError_t cudaDeviceGetAttribute(int* v, int which, int) { 
  *v = which == cudaDevAttrMultiProcessorCount ? 108 : which == cudaDevAttrComputeCapabilityMajor ? 8 : which == cudaDevAttrClockRate ? 1410000 : which == cudaDevAttrCooperativeLaunch || which == cudaDevAttrConcurrentManagedAccess ? 1 : 0;
  return 0;
}
template <class F> static cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* n, F, int block, size_t) { *n = block > 0 ? 2048 / block : 1; return 0; }
template <class F> static cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid, int* block, F, size_t = 0, int = 0) { *grid = 108; *block = 1024; return 0; }
template <class T> static cudaError_t cudaHostGetDevicePointer(T** d, void* h, unsigned) { *d = (T*)h; return 0; }
template <class T> static cudaError_t cudaMallocPitch(T** p, size_t* pitch, size_t width, size_t height, int line = __builtin_LINE()) {
  *pitch = (width + 511) / 512 * 512;
  *p = (T*)oracle_new_area(*pitch * height, "cudaMallocPitch", line);
  return *p ? 0 : 2;
}
static inline cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height, int) {
  for (size_t i = 0; i < height; i++) memmove((char*)to + i * to_pitch, (const char*)from + i * from_pitch, width);
  return 0;
}
static inline cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total) { *free_bytes = *total = (size_t)40 << 30; return 0; }
static inline cudaError_t cudaDriverGetVersion(int* v) { *v = 13000; return 0; }
static inline cudaError_t cudaRuntimeGetVersion(int* v) { *v = 13000; return 0; }
static inline cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t, cudaEvent_t) { *ms = 1.0f; return 0; }
#define ORACLE_IGNORED(NAME) template <class... A> static cudaError_t NAME(A&&...) { return 0; }
ORACLE_IGNORED(cudaSetDevice) ORACLE_IGNORED(cudaDeviceSynchronize) ORACLE_IGNORED(cudaGetLastError) ORACLE_IGNORED(cudaPeekAtLastError)
ORACLE_IGNORED(cudaFreeHost) ORACLE_IGNORED(cudaFreeAsync) ORACLE_IGNORED(cudaStreamCreate) ORACLE_IGNORED(cudaStreamCreateWithFlags)
ORACLE_IGNORED(cudaStreamDestroy) ORACLE_IGNORED(cudaStreamSynchronize) ORACLE_IGNORED(cudaStreamWaitEvent) ORACLE_IGNORED(cudaEventCreate)
ORACLE_IGNORED(cudaEventCreateWithFlags) ORACLE_IGNORED(cudaEventDestroy) ORACLE_IGNORED(cudaEventRecord) ORACLE_IGNORED(cudaEventSynchronize)
ORACLE_IGNORED(cudaFuncSetAttribute) ORACLE_IGNORED(cudaFuncSetCacheConfig) ORACLE_IGNORED(cudaDeviceReset) ORACLE_IGNORED(cudaDeviceSetLimit)
ORACLE_IGNORED(cudaHostRegister) ORACLE_IGNORED(cudaHostUnregister) ORACLE_IGNORED(cudaProfilerStart) ORACLE_IGNORED(cudaProfilerStop) ORACLE_IGNORED(cudaEventQuery)
ORACLE_IGNORED(cudaStreamQuery) ORACLE_IGNORED(cudaSetDeviceFlags) ORACLE_IGNORED(cudaStreamAttachMemAsync) ORACLE_IGNORED(cudaMemPrefetchAsync)
ORACLE_IGNORED(cudaMemAdvise) ORACLE_IGNORED(cudaStreamCreateWithPriority) ORACLE_IGNORED(cudaDeviceSetCacheConfig) ORACLE_IGNORED(cudaThreadSynchronize)
#undef ORACLE_IGNORED
// The kernel is given as a pointer; calling it with its arguments records them with their types.
template <class... A, size_t... I> static void oracle_call_packed(void (*kernel)(A...), void** arguments, std::integer_sequence<size_t, I...>) {
  kernel(*(typename std::decay<A>::type*)arguments[I]...);
}
template <class... A> static cudaError_t cudaLaunchKernel(void (*kernel)(A...), dim3 grid, dim3 block, void** arguments, size_t shared = 0, cudaStream_t = nullptr) {
  oracle_configure(grid, block, shared);
  oracle_call_packed(kernel, arguments, std::make_integer_sequence<size_t, sizeof...(A)>());
  return 0;
}
template <class... A> static cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(A...), dim3 grid, dim3 block, void** arguments, size_t shared = 0, cudaStream_t stream = nullptr) {
  return cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}
