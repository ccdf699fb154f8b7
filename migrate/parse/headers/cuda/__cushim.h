#ifndef CUSHIM_H
#define CUSHIM_H
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device)) __attribute__((annotate("managed")))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __grid_constant__
#define __cluster_dims__(...)
#define __maxnreg__(...)
#define __block_size__(...)
#define __nv_pure__
#define __device_builtin__
#define __cudart_builtin__
#define CUDARTAPI
#define __nanosleep_shim
#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 4
#define __CUDACC_VER_BUILD__ 0
#define __CUDACC_EXTENDED_LAMBDA__ 1
#define __CUDACC_RELAXED_CONSTEXPR__ 1
#define CUDART_VERSION 12040
#define CUDA_VERSION 12040
#define CUDNN_VERSION 8900
#define CUDA_DOUBLE_MATH_FUNCTIONS 1
#ifdef CUSHIM_SYS
#include <new>
#endif
#pragma clang force_cuda_host_device begin
#ifdef CUSHIM_SYS
#include <stddef.h>
#include <stdint.h>
#include <limits.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <assert.h>
#include <time.h>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <cstdio>
#include <utility>
#include <type_traits>
#include <limits>
#include <algorithm>
#include <functional>
#include <numeric>
#include <array>
#include <tuple>
#include <initializer_list>
#include <complex>
#include <memory>
#include <string>
#include <vector>
#include <iterator>
#include <random>
#else
#include <__mini_std.h>
#endif
#pragma clang force_cuda_host_device end
#undef assert
#define assert(...) ((void)(__VA_ARGS__))

struct  char1 { signed char x; };
static __host__ __device__ inline char1 make_char1(signed char x) { return char1{x}; }
struct __align__(2) char2 { signed char x; signed char y; };
static __host__ __device__ inline char2 make_char2(signed char x, signed char y) { return char2{x, y}; }
struct  char3 { signed char x; signed char y; signed char z; };
static __host__ __device__ inline char3 make_char3(signed char x, signed char y, signed char z) { return char3{x, y, z}; }
struct __align__(4) char4 { signed char x; signed char y; signed char z; signed char w; };
static __host__ __device__ inline char4 make_char4(signed char x, signed char y, signed char z, signed char w) { return char4{x, y, z, w}; }
struct  uchar1 { unsigned char x; };
static __host__ __device__ inline uchar1 make_uchar1(unsigned char x) { return uchar1{x}; }
struct __align__(2) uchar2 { unsigned char x; unsigned char y; };
static __host__ __device__ inline uchar2 make_uchar2(unsigned char x, unsigned char y) { return uchar2{x, y}; }
struct  uchar3 { unsigned char x; unsigned char y; unsigned char z; };
static __host__ __device__ inline uchar3 make_uchar3(unsigned char x, unsigned char y, unsigned char z) { return uchar3{x, y, z}; }
struct __align__(4) uchar4 { unsigned char x; unsigned char y; unsigned char z; unsigned char w; };
static __host__ __device__ inline uchar4 make_uchar4(unsigned char x, unsigned char y, unsigned char z, unsigned char w) { return uchar4{x, y, z, w}; }
struct  short1 { short x; };
static __host__ __device__ inline short1 make_short1(short x) { return short1{x}; }
struct __align__(4) short2 { short x; short y; };
static __host__ __device__ inline short2 make_short2(short x, short y) { return short2{x, y}; }
struct  short3 { short x; short y; short z; };
static __host__ __device__ inline short3 make_short3(short x, short y, short z) { return short3{x, y, z}; }
struct __align__(8) short4 { short x; short y; short z; short w; };
static __host__ __device__ inline short4 make_short4(short x, short y, short z, short w) { return short4{x, y, z, w}; }
struct  ushort1 { unsigned short x; };
static __host__ __device__ inline ushort1 make_ushort1(unsigned short x) { return ushort1{x}; }
struct __align__(4) ushort2 { unsigned short x; unsigned short y; };
static __host__ __device__ inline ushort2 make_ushort2(unsigned short x, unsigned short y) { return ushort2{x, y}; }
struct  ushort3 { unsigned short x; unsigned short y; unsigned short z; };
static __host__ __device__ inline ushort3 make_ushort3(unsigned short x, unsigned short y, unsigned short z) { return ushort3{x, y, z}; }
struct __align__(8) ushort4 { unsigned short x; unsigned short y; unsigned short z; unsigned short w; };
static __host__ __device__ inline ushort4 make_ushort4(unsigned short x, unsigned short y, unsigned short z, unsigned short w) { return ushort4{x, y, z, w}; }
struct  int1 { int x; };
static __host__ __device__ inline int1 make_int1(int x) { return int1{x}; }
struct __align__(8) int2 { int x; int y; };
static __host__ __device__ inline int2 make_int2(int x, int y) { return int2{x, y}; }
struct  int3 { int x; int y; int z; };
static __host__ __device__ inline int3 make_int3(int x, int y, int z) { return int3{x, y, z}; }
struct __align__(16) int4 { int x; int y; int z; int w; };
static __host__ __device__ inline int4 make_int4(int x, int y, int z, int w) { return int4{x, y, z, w}; }
struct  uint1 { unsigned int x; };
static __host__ __device__ inline uint1 make_uint1(unsigned int x) { return uint1{x}; }
struct __align__(8) uint2 { unsigned int x; unsigned int y; };
static __host__ __device__ inline uint2 make_uint2(unsigned int x, unsigned int y) { return uint2{x, y}; }
struct  uint3 { unsigned int x; unsigned int y; unsigned int z; };
static __host__ __device__ inline uint3 make_uint3(unsigned int x, unsigned int y, unsigned int z) { return uint3{x, y, z}; }
struct __align__(16) uint4 { unsigned int x; unsigned int y; unsigned int z; unsigned int w; };
static __host__ __device__ inline uint4 make_uint4(unsigned int x, unsigned int y, unsigned int z, unsigned int w) { return uint4{x, y, z, w}; }
struct  long1 { long x; };
static __host__ __device__ inline long1 make_long1(long x) { return long1{x}; }
struct __align__(16) long2 { long x; long y; };
static __host__ __device__ inline long2 make_long2(long x, long y) { return long2{x, y}; }
struct  long3 { long x; long y; long z; };
static __host__ __device__ inline long3 make_long3(long x, long y, long z) { return long3{x, y, z}; }
struct __align__(16) long4 { long x; long y; long z; long w; };
static __host__ __device__ inline long4 make_long4(long x, long y, long z, long w) { return long4{x, y, z, w}; }
struct  ulong1 { unsigned long x; };
static __host__ __device__ inline ulong1 make_ulong1(unsigned long x) { return ulong1{x}; }
struct __align__(16) ulong2 { unsigned long x; unsigned long y; };
static __host__ __device__ inline ulong2 make_ulong2(unsigned long x, unsigned long y) { return ulong2{x, y}; }
struct  ulong3 { unsigned long x; unsigned long y; unsigned long z; };
static __host__ __device__ inline ulong3 make_ulong3(unsigned long x, unsigned long y, unsigned long z) { return ulong3{x, y, z}; }
struct __align__(16) ulong4 { unsigned long x; unsigned long y; unsigned long z; unsigned long w; };
static __host__ __device__ inline ulong4 make_ulong4(unsigned long x, unsigned long y, unsigned long z, unsigned long w) { return ulong4{x, y, z, w}; }
struct  longlong1 { long long x; };
static __host__ __device__ inline longlong1 make_longlong1(long long x) { return longlong1{x}; }
struct __align__(16) longlong2 { long long x; long long y; };
static __host__ __device__ inline longlong2 make_longlong2(long long x, long long y) { return longlong2{x, y}; }
struct  longlong3 { long long x; long long y; long long z; };
static __host__ __device__ inline longlong3 make_longlong3(long long x, long long y, long long z) { return longlong3{x, y, z}; }
struct __align__(16) longlong4 { long long x; long long y; long long z; long long w; };
static __host__ __device__ inline longlong4 make_longlong4(long long x, long long y, long long z, long long w) { return longlong4{x, y, z, w}; }
struct  ulonglong1 { unsigned long long x; };
static __host__ __device__ inline ulonglong1 make_ulonglong1(unsigned long long x) { return ulonglong1{x}; }
struct __align__(16) ulonglong2 { unsigned long long x; unsigned long long y; };
static __host__ __device__ inline ulonglong2 make_ulonglong2(unsigned long long x, unsigned long long y) { return ulonglong2{x, y}; }
struct  ulonglong3 { unsigned long long x; unsigned long long y; unsigned long long z; };
static __host__ __device__ inline ulonglong3 make_ulonglong3(unsigned long long x, unsigned long long y, unsigned long long z) { return ulonglong3{x, y, z}; }
struct __align__(16) ulonglong4 { unsigned long long x; unsigned long long y; unsigned long long z; unsigned long long w; };
static __host__ __device__ inline ulonglong4 make_ulonglong4(unsigned long long x, unsigned long long y, unsigned long long z, unsigned long long w) { return ulonglong4{x, y, z, w}; }
struct  float1 { float x; };
static __host__ __device__ inline float1 make_float1(float x) { return float1{x}; }
struct __align__(8) float2 { float x; float y; };
static __host__ __device__ inline float2 make_float2(float x, float y) { return float2{x, y}; }
struct  float3 { float x; float y; float z; };
static __host__ __device__ inline float3 make_float3(float x, float y, float z) { return float3{x, y, z}; }
struct __align__(16) float4 { float x; float y; float z; float w; };
static __host__ __device__ inline float4 make_float4(float x, float y, float z, float w) { return float4{x, y, z, w}; }
struct  double1 { double x; };
static __host__ __device__ inline double1 make_double1(double x) { return double1{x}; }
struct __align__(16) double2 { double x; double y; };
static __host__ __device__ inline double2 make_double2(double x, double y) { return double2{x, y}; }
struct  double3 { double x; double y; double z; };
static __host__ __device__ inline double3 make_double3(double x, double y, double z) { return double3{x, y, z}; }
struct __align__(16) double4 { double x; double y; double z; double w; };
static __host__ __device__ inline double4 make_double4(double x, double y, double z, double w) { return double4{x, y, z, w}; }

struct dim3 { unsigned int x,y,z; constexpr __host__ __device__ dim3(unsigned a=1,unsigned b=1,unsigned c=1):x(a),y(b),z(c){} constexpr __host__ __device__ dim3(uint3 v):x(v.x),y(v.y),z(v.z){} constexpr __host__ __device__ operator uint3() const { return uint3{x,y,z}; } };
extern const __device__ uint3 threadIdx; extern const __device__ uint3 blockIdx; extern const __device__ dim3 blockDim; extern const __device__ dim3 gridDim; extern const __device__ int warpSize;
extern const __device__ dim3 clusterDim_shim;
typedef struct CUstream_st *cudaStream_t; typedef struct CUevent_st *cudaEvent_t; typedef struct CUgraph_st *cudaGraph_t; typedef struct CUgraphExec_st *cudaGraphExec_t; typedef struct CUgraphNode_st *cudaGraphNode_t;
typedef struct cudaArray *cudaArray_t; typedef const struct cudaArray *cudaArray_const_t; struct cudaMipmappedArray; typedef cudaMipmappedArray *cudaMipmappedArray_t;
typedef struct CUmemPoolHandle_st *cudaMemPool_t; typedef unsigned long long cudaGraphConditionalHandle; template<class...A> __attribute__((device)) void cudaGraphSetConditional(A...); typedef struct cudaGraphicsResource *cudaGraphicsResource_t; struct cudaGraphicsResource; struct cudaKernelNodeParams{void*func; int gridDim_,blockDim_; unsigned sharedMemBytes; void**kernelParams; void**extra;}; struct cudaMemsetParams{void*dst; unsigned elementSize; size_t width,height,pitch; unsigned value;}; struct cudaHostNodeParams{ void(*fn)(void*); void*userData;}; struct cudaLaunchMemSyncDomain_; 
typedef CUstream_st *CUstream; typedef CUevent_st *CUevent; typedef struct CUmod_st *CUmodule; typedef struct CUfunc_st *CUfunction; typedef struct CUctx_st *CUcontext; typedef int CUdevice; typedef unsigned long long CUdeviceptr; typedef int CUresult;
typedef enum cudaError { cudaSuccess=0, cudaErrorInvalidValue=1, cudaErrorMemoryAllocation=2, cudaErrorInitializationError=3, cudaErrorNotReady=600, cudaErrorNotSupported=801, cudaErrorPeerAccessAlreadyEnabled=704, cudaErrorNoDevice=100, cudaErrorInvalidDevice=101, cudaErrorInvalidConfiguration=9, cudaErrorUnknown=999, cudaErrorLaunchFailure=719, cudaErrorCooperativeLaunchTooLarge=720, cudaErrorInvalidDeviceFunction=98, cudaErrorInsufficientDriver=35, cudaErrorMissingConfiguration=52, cudaErrorLaunchOutOfResources=701, cudaErrorInvalidResourceHandle=400, cudaErrorAssert=710 } cudaError_t;
#define CUDA_SUCCESS 0
enum cudaMemcpyKind { cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice, cudaMemcpyDefault };
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize=8, cudaFuncAttributePreferredSharedMemoryCarveout=9, cudaFuncAttributeNonPortableClusterSizeAllowed=13 };
enum cudaFuncCache { cudaFuncCachePreferNone, cudaFuncCachePreferShared, cudaFuncCachePreferL1, cudaFuncCachePreferEqual };
enum cudaSharedMemConfig { cudaSharedMemBankSizeDefault, cudaSharedMemBankSizeFourByte, cudaSharedMemBankSizeEightByte };
enum cudaLimit { cudaLimitStackSize, cudaLimitPrintfFifoSize, cudaLimitMallocHeapSize, cudaLimitDevRuntimeSyncDepth, cudaLimitDevRuntimePendingLaunchCount, cudaLimitMaxL2FetchGranularity, cudaLimitPersistingL2CacheSize };
enum cudaChannelFormatKind { cudaChannelFormatKindSigned, cudaChannelFormatKindUnsigned, cudaChannelFormatKindFloat, cudaChannelFormatKindNone };
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
enum cudaTextureAddressMode { cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder };
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
enum cudaResourceType { cudaResourceTypeArray, cudaResourceTypeMipmappedArray, cudaResourceTypeLinear, cudaResourceTypePitch2D };
enum cudaMemoryType { cudaMemoryTypeUnregistered, cudaMemoryTypeHost, cudaMemoryTypeDevice, cudaMemoryTypeManaged };
enum cudaMemoryAdvise { cudaMemAdviseSetReadMostly=1, cudaMemAdviseUnsetReadMostly, cudaMemAdviseSetPreferredLocation, cudaMemAdviseUnsetPreferredLocation, cudaMemAdviseSetAccessedBy, cudaMemAdviseUnsetAccessedBy };
enum cudaStreamCaptureMode { cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed };
enum cudaDeviceAttr { cudaDevAttrMaxThreadsPerBlock=1, cudaDevAttrMultiProcessorCount=16, cudaDevAttrMaxSharedMemoryPerBlock=8, cudaDevAttrMaxSharedMemoryPerBlockOptin=97, cudaDevAttrMaxSharedMemoryPerMultiprocessor=81, cudaDevAttrComputeCapabilityMajor=75, cudaDevAttrComputeCapabilityMinor=76, cudaDevAttrCooperativeLaunch=95, cudaDevAttrClockRate=13, cudaDevAttrConcurrentManagedAccess=89, cudaDevAttrManagedMemory=83, cudaDevAttrMemoryPoolsSupported=115, cudaDevAttrMaxThreadsPerMultiProcessor=39, cudaDevAttrWarpSize=10, cudaDevAttrL2CacheSize=38, cudaDevAttrMaxGridDimX=5,cudaDevAttrMaxGridDimY=6, cudaDevAttrPageableMemoryAccess=88, cudaDevAttrHostNativeAtomicSupported=86 , cudaDevAttrMaxRegistersPerBlock=12, cudaDevAttrMaxBlockDimX=2, cudaDevAttrUnifiedAddressing=41, cudaDevAttrMaxBlocksPerMultiprocessor=106};
struct cudaDeviceProp { char name[256]; size_t totalGlobalMem, sharedMemPerBlock, sharedMemPerMultiprocessor, sharedMemPerBlockOptin, memPitch, totalConstMem, textureAlignment, texturePitchAlignment; int regsPerBlock, warpSize, maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate, major, minor, deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory, computeMode, concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver, asyncEngineCount, unifiedAddressing, memoryClockRate, memoryBusWidth, l2CacheSize, maxThreadsPerMultiProcessor, managedMemory, concurrentManagedAccess, cooperativeLaunch, cooperativeMultiDeviceLaunch, regsPerMultiprocessor, streamPrioritiesSupported, globalL1CacheSupported, localL1CacheSupported, isMultiGpuBoard, hostNativeAtomicSupported, pageableMemoryAccess, persistingL2CacheMaxSize, accessPolicyMaxWindowSize, maxTexture1D, maxTexture2D[2], maxTexture3D[3], maxTexture1DLayered[2], maxTexture2DLayered[3], computePreemptionSupported,maxBlocksPerMultiProcessor,singleToDoublePrecisionPerfRatio,directManagedMemAccessFromHost; };
struct cudaChannelFormatDesc { int x,y,z,w; cudaChannelFormatKind f; };
struct cudaExtent { size_t width,height,depth; }; struct cudaPos { size_t x,y,z; }; struct cudaPitchedPtr { void*ptr; size_t pitch,xsize,ysize; };
struct cudaMemcpy3DParms { cudaArray_t srcArray; cudaPos srcPos; cudaPitchedPtr srcPtr; cudaArray_t dstArray; cudaPos dstPos; cudaPitchedPtr dstPtr; cudaExtent extent; cudaMemcpyKind kind; };
struct cudaResourceDesc { cudaResourceType resType; union { struct { cudaArray_t array; } array; struct { cudaMipmappedArray_t mipmap; } mipmap; struct { void*devPtr; cudaChannelFormatDesc desc; size_t sizeInBytes; } linear; struct { void*devPtr; cudaChannelFormatDesc desc; size_t width,height,pitchInBytes; } pitch2D; } res; };
struct cudaTextureDesc { cudaTextureAddressMode addressMode[3]; cudaTextureFilterMode filterMode; cudaTextureReadMode readMode; int sRGB; float borderColor[4]; int normalizedCoords; unsigned maxAnisotropy; cudaTextureFilterMode mipmapFilterMode; float mipmapLevelBias,minMipmapLevelClamp,maxMipmapLevelClamp; };
struct cudaPointerAttributes { cudaMemoryType type; int device; void*devicePointer; void*hostPointer; };
struct cudaFuncAttributes { size_t sharedSizeBytes,constSizeBytes,localSizeBytes; int maxThreadsPerBlock,numRegs,ptxVersion,binaryVersion,cacheModeCA,maxDynamicSharedSizeBytes; };
struct cudaLaunchAttributeValue { int priority; struct {unsigned x,y,z;} clusterDim; int cooperative; int programmaticStreamSerializationAllowed; };
struct cudaLaunchAttribute { int id; cudaLaunchAttributeValue val; };
enum { cudaLaunchAttributeClusterDimension=4, cudaLaunchAttributeCooperative=2, cudaLaunchAttributeProgrammaticStreamSerialization=6 };
struct cudaLaunchConfig_t { dim3 gridDim, blockDim; size_t dynamicSmemBytes; cudaStream_t stream; cudaLaunchAttribute*attrs; unsigned numAttrs; };
struct cudaLaunchParams { void*func; dim3 gridDim,blockDim; void**args; size_t sharedMem; cudaStream_t stream; };
struct cudaUUID_t { char bytes[16]; };
struct cudaIpcMemHandle_t { char reserved[64]; }; struct cudaIpcEventHandle_t { char reserved[64]; };
typedef unsigned long long cudaTextureObject_t; typedef unsigned long long cudaSurfaceObject_t;
typedef void (*cudaHostFn_t)(void*); typedef void (*cudaStreamCallback_t)(cudaStream_t, cudaError_t, void*);
#define cudaHostAllocDefault 0
#define cudaHostAllocPortable 1
#define cudaHostAllocMapped 2
#define cudaHostAllocWriteCombined 4
#define cudaHostRegisterDefault 0
#define cudaHostRegisterPortable 1
#define cudaHostRegisterMapped 2
#define cudaMemAttachGlobal 1
#define cudaMemAttachHost 2
#define cudaMemAttachSingle 4
#define cudaStreamDefault 0
#define cudaStreamNonBlocking 1
#define cudaStreamLegacy ((cudaStream_t)0x1)
#define cudaStreamPerThread ((cudaStream_t)0x2)
#define cudaEventDefault 0
#define cudaEventBlockingSync 1
#define cudaEventDisableTiming 2
#define cudaDeviceScheduleAuto 0
#define cudaDeviceScheduleSpin 1
#define cudaDeviceScheduleBlockingSync 4
#define cudaDeviceMapHost 8
#define cudaCpuDeviceId (-1)
#define cudaInvalidDeviceId (-2)
#define cudaArrayDefault 0
#define cudaArrayLayered 1
#define cudaArraySurfaceLoadStore 2
#define cudaArrayCubemap 4
#define cudaArrayTextureGather 8
#define cudaOccupancyDefault 0
#define cudaIpcMemLazyEnablePeerAccess 1
#define CUDA_ARRAY3D_SURFACE_LDST 2
#define cudaTextureType1D 1
#define cudaTextureType2D 2
#define cudaTextureType3D 3
#define cudaTextureType1DLayered 0xF1
#define cudaTextureType2DLayered 0xF2
#define cudaTextureTypeCubemap 0xC
#define cudaSurfaceType2D 2

extern "C" cudaError_t cudaConfigureCall(dim3 g, dim3 b, size_t s=0, cudaStream_t st=0); extern "C" unsigned __cudaPushCallConfiguration(dim3 g, dim3 b, size_t s=0, void* st=0);
template<class... A> __host__ __device__ cudaError_t cudaMemset(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaMemsetAsync(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaMemset2D(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaMemset2DAsync(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaMemset3D(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaMemcpy(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaMemcpyAsync(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaMemcpy2D(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaMemcpy2DAsync(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaMemcpy3D(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaMemcpy3DAsync(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaMemcpyToArray(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaMemcpyFromArray(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaMemcpy2DToArray(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaMemcpy2DFromArray(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaMemcpyPeer(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaMemcpyPeerAsync(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaMemcpyToSymbolAsync_(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaFree(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaFreeHost(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaFreeAsync(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaFreeArray(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaFreeMipmappedArray(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaHostRegister(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaHostUnregister(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaDeviceSynchronize(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaThreadSynchronize(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaThreadExit(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaDeviceReset(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaSetDevice(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaGetDevice(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaGetDeviceCount(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaGetDeviceProperties(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaDeviceGetAttribute(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaSetDeviceFlags(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaDeviceSetLimit(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaDeviceGetLimit(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaDeviceSetCacheConfig(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaDeviceSetSharedMemConfig(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaDeviceGetByPCIBusId(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaDeviceGetPCIBusId(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaChooseDevice(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaDeviceCanAccessPeer(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaDeviceEnablePeerAccess(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaDeviceDisablePeerAccess(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaGetLastError(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaPeekAtLastError(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaStreamCreate(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaStreamCreateWithFlags(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaStreamCreateWithPriority(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaStreamDestroy(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaStreamSynchronize(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaStreamQuery(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaStreamWaitEvent(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaStreamAddCallback(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaStreamAttachMemAsync(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaStreamBeginCapture(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaStreamEndCapture(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaStreamIsCapturing(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaStreamSetAttribute(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaLaunchHostFunc(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaDeviceGetStreamPriorityRange(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaEventCreate(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaEventCreateWithFlags(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaEventRecord(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaEventSynchronize(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaEventElapsedTime(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaEventDestroy(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaEventQuery(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaFuncSetAttribute(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaFuncSetCacheConfig(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaFuncSetSharedMemConfig(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaFuncGetAttributes(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaLaunchKernel(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaLaunchCooperativeKernel(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaLaunchCooperativeKernelMultiDevice(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaLaunchKernelEx(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaLaunchKernelExC(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaOccupancyMaxPotentialBlockSize(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaOccupancyMaxActiveClusters(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaMemGetInfo(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaMemPrefetchAsync(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaMemAdvise(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaPointerGetAttributes(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaMemRangeGetAttribute(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaBindTexture(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaBindTexture2D(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaBindTextureToArray(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaUnbindTexture(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaBindSurfaceToArray(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaCreateTextureObject(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaDestroyTextureObject(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaCreateSurfaceObject(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaDestroySurfaceObject(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaGetChannelDesc(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaGetMipmappedArrayLevel(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaMallocMipmappedArray(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaMallocArray(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaMalloc3DArray(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaMalloc3D(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaGraphCreate(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaGraphInstantiate(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaGraphLaunch(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaGraphDestroy(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaGraphExecDestroy(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaGraphAddKernelNode(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaGraphAddMemcpyNode(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaGraphAddMemsetNode(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaGraphAddHostNode(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaGraphGetNodes(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaGraphUpload(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaGraphClone(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaGraphExecUpdate(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaStreamGetCaptureInfo(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaDriverGetVersion(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaRuntimeGetVersion(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaProfilerStart(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaProfilerStop(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaIpcGetMemHandle(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaIpcOpenMemHandle(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaIpcCloseMemHandle(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaIpcGetEventHandle(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaIpcOpenEventHandle(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaGetSymbolAddress(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaGetSymbolSize(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaMemcpyToSymbol(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaMemcpyToSymbolAsync(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaMemcpyFromSymbol(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaMemcpyFromSymbolAsync(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaHostGetDevicePointer(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaHostGetFlags(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaCtxResetPersistingL2Cache(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaMemPoolCreate(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaMemPoolSetAttribute(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaDeviceGetDefaultMemPool(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaDeviceGetMemPool(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaDeviceSetMemPool(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaMemPoolTrimTo(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaGetDeviceFlags(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaDeviceFlushGPUDirectRDMAWrites(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaImportExternalMemory(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaSignalExternalSemaphoresAsync(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaWaitExternalSemaphoresAsync(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaGraphicsGLRegisterBuffer(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaGraphicsMapResources(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaGraphicsUnmapResources(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaGraphicsResourceGetMappedPointer(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaGraphicsUnregisterResource(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaGraphicsGLRegisterImage(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaGraphicsSubResourceGetMappedArray(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaGetFuncBySymbol(A&&...);
template<class... A> __host__ __device__ cudaError_t cudaMallocFromPoolAsync(A&&...);

template<class T,class... A> __host__ __device__ cudaError_t cudaMalloc(T**, A&&...); template<class T,class... A> __host__ __device__ cudaError_t cudaMallocHost(T**, A&&...); template<class T,class... A> cudaError_t cudaMallocManaged(T**, A&&...); template<class T,class... A> cudaError_t cudaHostAlloc(T**, A&&...); template<class T,class... A> cudaError_t cudaMallocAsync(T**, A&&...); template<class T,class... A> cudaError_t cudaMallocPitch(T**, A&&...);
__host__ __device__ const char* cudaGetErrorString(cudaError_t); __host__ __device__ const char* cudaGetErrorName(cudaError_t);
template<class T> cudaChannelFormatDesc cudaCreateChannelDesc(); cudaChannelFormatDesc cudaCreateChannelDesc(int,int,int,int,cudaChannelFormatKind);
cudaExtent make_cudaExtent(size_t,size_t,size_t); cudaPos make_cudaPos(size_t,size_t,size_t); cudaPitchedPtr make_cudaPitchedPtr(void*,size_t,size_t,size_t);
template<class T=void> __device__ void* cudaGetParameterBuffer(size_t,size_t); template<class...A> __device__ cudaError_t cudaLaunchDevice(A...);
__device__ void cudaTriggerProgrammaticLaunchCompletion(); __device__ void cudaGridDependencySynchronize();
// ---- sync / fences / misc intrinsics
#define DV __device__
DV void __syncthreads(); DV int __syncthreads_count(int); DV int __syncthreads_and(int); DV int __syncthreads_or(int); DV void __syncwarp(unsigned m=0xffffffffu);
DV void __threadfence(); DV void __threadfence_block(); DV void __threadfence_system(); DV void __nanosleep(unsigned); DV void __trap(); DV void __brkpt(); DV void __prof_trigger(int);
DV unsigned __activemask(); DV unsigned __ballot_sync(unsigned,int); DV int __any_sync(unsigned,int); DV int __all_sync(unsigned,int); DV unsigned __ballot(int); DV int __any(int); DV int __all(int);
template<class T> DV unsigned __match_any_sync(unsigned,T); template<class T> DV unsigned __match_all_sync(unsigned,T,int*);
#define REDUCE(T) DV T __reduce_add_sync(unsigned,T); DV T __reduce_min_sync(unsigned,T); DV T __reduce_max_sync(unsigned,T);
REDUCE(unsigned) REDUCE(int)
#undef REDUCE
DV unsigned __reduce_and_sync(unsigned,unsigned); DV unsigned __reduce_or_sync(unsigned,unsigned); DV unsigned __reduce_xor_sync(unsigned,unsigned);
// overloads, no template: char, short and bool are promoted to int, structs are not taken
#define SHUFFLE(T) \
DV T __shfl_sync(unsigned,T,int,int=32); DV T __shfl_up_sync(unsigned,T,unsigned,int=32); DV T __shfl_down_sync(unsigned,T,unsigned,int=32); DV T __shfl_xor_sync(unsigned,T,int,int=32); \
DV T __shfl(T,int,int=32); DV T __shfl_up(T,unsigned,int=32); DV T __shfl_down(T,unsigned,int=32); DV T __shfl_xor(T,int,int=32);
SHUFFLE(int) SHUFFLE(unsigned) SHUFFLE(long) SHUFFLE(unsigned long) SHUFFLE(long long) SHUFFLE(unsigned long long) SHUFFLE(float) SHUFFLE(double)
DV long long clock64(); DV long clock(); DV unsigned long long __globaltimer();
DV unsigned __isShared(const void*); DV unsigned __isGlobal(const void*); DV size_t __cvta_generic_to_shared(const void*); DV size_t __cvta_generic_to_global(const void*); DV void* __cvta_shared_to_generic(size_t);
template<class T> DV T __ldg(const T*); template<class T> DV T __ldcg(const T*); template<class T> DV T __ldca(const T*); template<class T> DV T __ldcs(const T*); template<class T> DV T __ldlu(const T*); template<class T> DV T __ldcv(const T*);
template<class T> DV void __stcg(T*, T); template<class T> DV void __stcs(T*,T); template<class T> DV void __stwb(T*,T); template<class T> DV void __stwt(T*,T);
#define HD __host__ __device__
DV int __popc(unsigned); DV int __popcll(unsigned long long); DV int __clz(int); DV int __clzll(long long); DV int __ffs(int); DV int __ffsll(long long); DV unsigned __brev(unsigned); DV unsigned long long __brevll(unsigned long long); DV unsigned __byte_perm(unsigned,unsigned,unsigned); DV int __mulhi(int,int); DV unsigned __umulhi(unsigned,unsigned); DV long long __mul64hi(long long,long long); DV unsigned long long __umul64hi(unsigned long long,unsigned long long); DV int __mul24(int,int); DV unsigned __umul24(unsigned,unsigned); DV unsigned __sad(int,int,unsigned); DV unsigned __usad(unsigned,unsigned,unsigned); DV int __hadd(int,int); DV unsigned __funnelshift_l(unsigned,unsigned,unsigned); DV unsigned __funnelshift_r(unsigned,unsigned,unsigned); DV unsigned __funnelshift_lc(unsigned,unsigned,unsigned); DV unsigned __funnelshift_rc(unsigned,unsigned,unsigned);
DV int __dp4a(int,int,int); DV unsigned __dp4a(unsigned,unsigned,unsigned); DV int __dp2a_lo(int,int,int); DV int __dp2a_hi(int,int,int); DV unsigned __dp2a_lo(unsigned,unsigned,unsigned); DV unsigned __dp2a_hi(unsigned,unsigned,unsigned); DV int __float_as_int(float); DV unsigned __float_as_uint(float); DV float __int_as_float(int); DV float __uint_as_float(unsigned); DV long long __double_as_longlong(double); DV double __longlong_as_double(long long); DV int __double2hiint(double); DV int __double2loint(double); DV double __hiloint2double(int,int); HD int mul24(int,int); HD unsigned umul24(unsigned,unsigned); DV int __rhadd(int,int); DV unsigned __urhadd(unsigned,unsigned); DV unsigned __uhadd(unsigned,unsigned);
DV float saturate(float); DV float __saturatef(float);
DV unsigned __vadd4(unsigned,unsigned); DV unsigned __vsub4(unsigned,unsigned); DV unsigned __vsubss4(unsigned,unsigned); DV unsigned __vaddss4(unsigned,unsigned); DV unsigned __vcmpeq4(unsigned,unsigned); DV unsigned __vcmpgtu4(unsigned,unsigned); DV unsigned __vmaxu4(unsigned,unsigned); DV unsigned __vminu4(unsigned,unsigned); DV unsigned __vabsdiffu4(unsigned,unsigned); DV unsigned __vsadu4(unsigned,unsigned); DV unsigned __vabsdiffs4(unsigned,unsigned); DV unsigned __vseteq4(unsigned,unsigned); DV unsigned __vmaxs2(unsigned,unsigned); DV unsigned __vadd2(unsigned,unsigned); DV unsigned __vimax3_s32(int,int,int); DV unsigned __vcmpne4(unsigned,unsigned); DV unsigned __vcmpltu4(unsigned,unsigned); DV unsigned __vcmpgeu4(unsigned,unsigned); DV unsigned __vmaxs4(unsigned,unsigned); DV unsigned __vmins4(unsigned,unsigned); DV unsigned __vcmpgts4(unsigned,unsigned);
DV void* __nv_ptx_builtin_ocg_nop(); DV size_t __nv_cvta_generic_to_shared_impl(const void*);

DV float __fadd_rn(float,float); DV float __fsub_rn(float,float); DV float __fmul_rn(float,float); DV float __fmaf_rn(float,float,float); DV float __fdiv_rn(float,float); DV float __frcp_rn(float); DV float __fsqrt_rn(float);DV double __dadd_rn(double,double); DV double __dsub_rn(double,double); DV double __dmul_rn(double,double); DV double __fma_rn(double,double,double); DV double __ddiv_rn(double,double); DV double __drcp_rn(double); DV double __dsqrt_rn(double);
DV int __float2int_rn(float); DV unsigned __float2uint_rn(float); DV long long __float2ll_rn(float); DV unsigned long long __float2ull_rn(float);
DV float __int2float_rn(int); DV float __uint2float_rn(unsigned); DV float __ll2float_rn(long long); DV float __ull2float_rn(unsigned long long);
DV int __double2int_rn(double); DV unsigned __double2uint_rn(double); DV long long __double2ll_rn(double); DV unsigned long long __double2ull_rn(double);
DV double __int2double_rn(int); DV double __uint2double_rn(unsigned); DV double __ll2double_rn(long long); DV double __ull2double_rn(unsigned long long);
DV float __double2float_rn(double);
DV float __fadd_rz(float,float); DV float __fsub_rz(float,float); DV float __fmul_rz(float,float); DV float __fmaf_rz(float,float,float); DV float __fdiv_rz(float,float); DV float __frcp_rz(float); DV float __fsqrt_rz(float);DV double __dadd_rz(double,double); DV double __dsub_rz(double,double); DV double __dmul_rz(double,double); DV double __fma_rz(double,double,double); DV double __ddiv_rz(double,double); DV double __drcp_rz(double); DV double __dsqrt_rz(double);
DV int __float2int_rz(float); DV unsigned __float2uint_rz(float); DV long long __float2ll_rz(float); DV unsigned long long __float2ull_rz(float);
DV float __int2float_rz(int); DV float __uint2float_rz(unsigned); DV float __ll2float_rz(long long); DV float __ull2float_rz(unsigned long long);
DV int __double2int_rz(double); DV unsigned __double2uint_rz(double); DV long long __double2ll_rz(double); DV unsigned long long __double2ull_rz(double);
DV double __int2double_rz(int); DV double __uint2double_rz(unsigned); DV double __ll2double_rz(long long); DV double __ull2double_rz(unsigned long long);
DV float __double2float_rz(double);
DV float __fadd_ru(float,float); DV float __fsub_ru(float,float); DV float __fmul_ru(float,float); DV float __fmaf_ru(float,float,float); DV float __fdiv_ru(float,float); DV float __frcp_ru(float); DV float __fsqrt_ru(float);DV double __dadd_ru(double,double); DV double __dsub_ru(double,double); DV double __dmul_ru(double,double); DV double __fma_ru(double,double,double); DV double __ddiv_ru(double,double); DV double __drcp_ru(double); DV double __dsqrt_ru(double);
DV int __float2int_ru(float); DV unsigned __float2uint_ru(float); DV long long __float2ll_ru(float); DV unsigned long long __float2ull_ru(float);
DV float __int2float_ru(int); DV float __uint2float_ru(unsigned); DV float __ll2float_ru(long long); DV float __ull2float_ru(unsigned long long);
DV int __double2int_ru(double); DV unsigned __double2uint_ru(double); DV long long __double2ll_ru(double); DV unsigned long long __double2ull_ru(double);
DV double __int2double_ru(int); DV double __uint2double_ru(unsigned); DV double __ll2double_ru(long long); DV double __ull2double_ru(unsigned long long);
DV float __double2float_ru(double);
DV float __fadd_rd(float,float); DV float __fsub_rd(float,float); DV float __fmul_rd(float,float); DV float __fmaf_rd(float,float,float); DV float __fdiv_rd(float,float); DV float __frcp_rd(float); DV float __fsqrt_rd(float);DV double __dadd_rd(double,double); DV double __dsub_rd(double,double); DV double __dmul_rd(double,double); DV double __fma_rd(double,double,double); DV double __ddiv_rd(double,double); DV double __drcp_rd(double); DV double __dsqrt_rd(double);
DV int __float2int_rd(float); DV unsigned __float2uint_rd(float); DV long long __float2ll_rd(float); DV unsigned long long __float2ull_rd(float);
DV float __int2float_rd(int); DV float __uint2float_rd(unsigned); DV float __ll2float_rd(long long); DV float __ull2float_rd(unsigned long long);
DV int __double2int_rd(double); DV unsigned __double2uint_rd(double); DV long long __double2ll_rd(double); DV unsigned long long __double2ull_rd(double);
DV double __int2double_rd(int); DV double __uint2double_rd(unsigned); DV double __ll2double_rd(long long); DV double __ull2double_rd(unsigned long long);
DV float __double2float_rd(double);
DV float __frsqrt_rn(float); DV double __int2double_rn_(int); DV float __fdividef(float,float); DV float __expf(float); DV float __exp10f(float); DV float __logf(float); DV float __log2f(float); DV float __log10f(float); DV float __sinf(float); DV float __cosf(float); DV float __tanf(float); DV float __powf(float,float); DV void __sincosf(float,float*,float*); DV float __tanhf(float);

HD float rcbrt(float); HD float exp10(float); HD float sinpi(float); HD float cospi(float); HD float normcdf(float); HD float normcdfinv(float); HD float erfinv(float); HD float erfcinv(float); HD float erfcx(float);
HD float rsqrtf(float); HD double rsqrt(double); HD float rcbrtf(float); HD double rcbrt(double); HD float sinpif(float); HD float cospif(float); HD double sinpi(double); HD double cospi(double); HD void sincospif(float,float*,float*); HD void sincospi(double,double*,double*); HD float normcdff(float); HD double normcdf(double); HD float normcdfinvf(float); HD double normcdfinv(double); HD float erfinvf(float); HD double erfinv(double); HD float erfcinvf(float); HD double erfcinv(double); HD float erfcxf(float); HD double erfcx(double); HD float norm3df(float,float,float); HD double norm3d(double,double,double); HD float rnorm3df(float,float,float); HD float rhypotf(float,float); HD double rhypot(double,double); HD float norm4df(float,float,float,float); HD float fdividef(float,float); HD float exp10f(float); HD double exp10(double); HD float cyl_bessel_i0f(float); HD float rsqrt(float); HD float fdivide(float,float); HD float j0f(float); HD float j1f(float);

HD int min(int,int); HD int max(int,int);
HD unsigned min(unsigned,unsigned); HD unsigned max(unsigned,unsigned);
HD long min(long,long); HD long max(long,long);
HD unsigned long min(unsigned long,unsigned long); HD unsigned long max(unsigned long,unsigned long);
HD long long min(long long,long long); HD long long max(long long,long long);
HD unsigned long long min(unsigned long long,unsigned long long); HD unsigned long long max(unsigned long long,unsigned long long);
HD float min(float,float); HD float max(float,float);
HD double min(double,double); HD double max(double,double);
HD unsigned long min(long,unsigned long); HD unsigned long min(unsigned long,long); HD unsigned long long min(long long,unsigned long long); HD unsigned long long min(unsigned long long,long long); HD unsigned long max(long,unsigned long); HD unsigned long max(unsigned long,long); HD unsigned long long max(long long,unsigned long long); HD unsigned long long max(unsigned long long,long long); 
HD unsigned min(int,unsigned); HD unsigned max(int,unsigned); HD unsigned min(unsigned,int); HD unsigned max(unsigned,int); HD double max(float,double); HD double max(double,float); HD double min(float,double); HD double min(double,float); HD long long max(long long,int); HD long long min(long long,int); HD long long max(int,long long); HD long long min(int,long long); HD long min(long,int); HD long max(long,int); HD long min(int,long); HD long max(int,long); HD unsigned long min(unsigned long,unsigned); HD unsigned long max(unsigned long,unsigned);HD unsigned long min(unsigned,unsigned long); HD unsigned long max(unsigned,unsigned long); HD unsigned long long llmin(unsigned long long,unsigned long long); HD unsigned umin(unsigned,unsigned); HD unsigned umax(unsigned,unsigned); HD unsigned long min(unsigned long,int); HD unsigned long max(unsigned long,int); HD unsigned long min(int,unsigned long); HD unsigned long max(int,unsigned long); HD long long abs_shim(long long); HD long long llabs_shim(long long); HD float min(float,int); HD float max(float,int); HD float min(int,float); HD float max(int,float);HD double min(double,int); HD double max(double,int); HD double min(int,double); HD double max(int,double); HD long min(unsigned,long); HD long max(unsigned,long); HD long min(long,unsigned); HD long max(long,unsigned);
DV int atomicAdd(int*,int);
DV unsigned atomicAdd(unsigned*,unsigned);
DV unsigned long long atomicAdd(unsigned long long*,unsigned long long);
DV float atomicAdd(float*,float);
DV double atomicAdd(double*,double);
DV int atomicAdd_block(int*,int);
DV unsigned atomicAdd_block(unsigned*,unsigned);
DV unsigned long long atomicAdd_block(unsigned long long*,unsigned long long);
DV float atomicAdd_block(float*,float);
DV double atomicAdd_block(double*,double);
DV int atomicAdd_system(int*,int);
DV unsigned atomicAdd_system(unsigned*,unsigned);
DV unsigned long long atomicAdd_system(unsigned long long*,unsigned long long);
DV float atomicAdd_system(float*,float);
DV double atomicAdd_system(double*,double);
DV int atomicSub(int*,int);
DV unsigned atomicSub(unsigned*,unsigned);
DV int atomicSub_block(int*,int);
DV unsigned atomicSub_block(unsigned*,unsigned);
DV int atomicSub_system(int*,int);
DV unsigned atomicSub_system(unsigned*,unsigned);
DV int atomicExch(int*,int);
DV unsigned atomicExch(unsigned*,unsigned);
DV unsigned long long atomicExch(unsigned long long*,unsigned long long);
DV float atomicExch(float*,float);
DV int atomicExch_block(int*,int);
DV unsigned atomicExch_block(unsigned*,unsigned);
DV unsigned long long atomicExch_block(unsigned long long*,unsigned long long);
DV float atomicExch_block(float*,float);
DV int atomicExch_system(int*,int);
DV unsigned atomicExch_system(unsigned*,unsigned);
DV unsigned long long atomicExch_system(unsigned long long*,unsigned long long);
DV float atomicExch_system(float*,float);
DV int atomicMin(int*,int);
DV unsigned atomicMin(unsigned*,unsigned);
DV unsigned long long atomicMin(unsigned long long*,unsigned long long);
DV long long atomicMin(long long*,long long);
DV int atomicMin_block(int*,int);
DV unsigned atomicMin_block(unsigned*,unsigned);
DV unsigned long long atomicMin_block(unsigned long long*,unsigned long long);
DV long long atomicMin_block(long long*,long long);
DV int atomicMin_system(int*,int);
DV unsigned atomicMin_system(unsigned*,unsigned);
DV unsigned long long atomicMin_system(unsigned long long*,unsigned long long);
DV long long atomicMin_system(long long*,long long);
DV int atomicMax(int*,int);
DV unsigned atomicMax(unsigned*,unsigned);
DV unsigned long long atomicMax(unsigned long long*,unsigned long long);
DV long long atomicMax(long long*,long long);
DV int atomicMax_block(int*,int);
DV unsigned atomicMax_block(unsigned*,unsigned);
DV unsigned long long atomicMax_block(unsigned long long*,unsigned long long);
DV long long atomicMax_block(long long*,long long);
DV int atomicMax_system(int*,int);
DV unsigned atomicMax_system(unsigned*,unsigned);
DV unsigned long long atomicMax_system(unsigned long long*,unsigned long long);
DV long long atomicMax_system(long long*,long long);
DV int atomicAnd(int*,int); DV long long atomicAnd(long long*,long long);
DV unsigned atomicAnd(unsigned*,unsigned);
DV unsigned long long atomicAnd(unsigned long long*,unsigned long long);
DV int atomicAnd_block(int*,int); DV long long atomicAnd_block(long long*,long long);
DV unsigned atomicAnd_block(unsigned*,unsigned);
DV unsigned long long atomicAnd_block(unsigned long long*,unsigned long long);
DV int atomicAnd_system(int*,int); DV long long atomicAnd_system(long long*,long long);
DV unsigned atomicAnd_system(unsigned*,unsigned);
DV unsigned long long atomicAnd_system(unsigned long long*,unsigned long long);
DV int atomicOr(int*,int); DV long long atomicOr(long long*,long long);
DV unsigned atomicOr(unsigned*,unsigned);
DV unsigned long long atomicOr(unsigned long long*,unsigned long long);
DV int atomicOr_block(int*,int); DV long long atomicOr_block(long long*,long long);
DV unsigned atomicOr_block(unsigned*,unsigned);
DV unsigned long long atomicOr_block(unsigned long long*,unsigned long long);
DV int atomicOr_system(int*,int); DV long long atomicOr_system(long long*,long long);
DV unsigned atomicOr_system(unsigned*,unsigned);
DV unsigned long long atomicOr_system(unsigned long long*,unsigned long long);
DV int atomicXor(int*,int); DV long long atomicXor(long long*,long long);
DV unsigned atomicXor(unsigned*,unsigned);
DV unsigned long long atomicXor(unsigned long long*,unsigned long long);
DV int atomicXor_block(int*,int); DV long long atomicXor_block(long long*,long long);
DV unsigned atomicXor_block(unsigned*,unsigned);
DV unsigned long long atomicXor_block(unsigned long long*,unsigned long long);
DV int atomicXor_system(int*,int); DV long long atomicXor_system(long long*,long long);
DV unsigned atomicXor_system(unsigned*,unsigned);
DV unsigned long long atomicXor_system(unsigned long long*,unsigned long long);
DV unsigned atomicInc(unsigned*,unsigned);
DV unsigned atomicInc_block(unsigned*,unsigned);
DV unsigned atomicInc_system(unsigned*,unsigned);
DV unsigned atomicDec(unsigned*,unsigned);
DV unsigned atomicDec_block(unsigned*,unsigned);
DV unsigned atomicDec_system(unsigned*,unsigned);
DV int atomicCAS(int*,int,int);
DV unsigned atomicCAS(unsigned*,unsigned,unsigned);
DV unsigned long long atomicCAS(unsigned long long*,unsigned long long,unsigned long long);
DV unsigned short atomicCAS(unsigned short*,unsigned short,unsigned short);
DV int atomicCAS_block(int*,int,int);
DV unsigned atomicCAS_block(unsigned*,unsigned,unsigned);
DV unsigned long long atomicCAS_block(unsigned long long*,unsigned long long,unsigned long long);
DV unsigned short atomicCAS_block(unsigned short*,unsigned short,unsigned short);
DV int atomicCAS_system(int*,int,int);
DV unsigned atomicCAS_system(unsigned*,unsigned,unsigned);
DV unsigned long long atomicCAS_system(unsigned long long*,unsigned long long,unsigned long long);
DV unsigned short atomicCAS_system(unsigned short*,unsigned short,unsigned short);
DV float2 atomicAdd(float2*,float2); DV float4 atomicAdd(float4*,float4);
struct __half_raw { unsigned short x; }; struct __half2_raw { unsigned short x,y; };
struct __align__(2) __half { unsigned short __x; __half()=default; HD constexpr __half(const __half_raw&r):__x(r.x){} template<class V, class=typename std::enable_if<std::is_arithmetic<V>::value>::type> HD constexpr __half(V v):__x((unsigned short)v){}
HD operator float() const; HD explicit operator int() const; HD explicit operator unsigned() const; HD explicit operator short() const; HD explicit operator unsigned short() const; HD explicit operator char() const;HD explicit operator signed char() const; HD explicit operator unsigned char() const; HD explicit operator long long() const; HD explicit operator unsigned long long() const; HD explicit operator long() const; HD explicit operator unsigned long() const; HD explicit operator bool() const; HD operator __half_raw() const; HD __half& operator=(float); HD __half& operator=(double); HD __half& operator=(int); HD __half& operator=(unsigned); HD __half& operator=(long); HD __half& operator=(long long);HD __half& operator=(unsigned short);HD __half& operator=(short);HD __half& operator=(const __half_raw&); };
struct __align__(4) __half2 { __half x,y; __half2()=default; HD __half2(const __half2_raw&); HD constexpr __half2(const __half&a,const __half&b):x(a),y(b){} };
HD __half operator+(const __half&,const __half&); HD __half& operator+=(__half&,const __half&);
HD __half operator-(const __half&,const __half&); HD __half& operator-=(__half&,const __half&);
HD __half operator*(const __half&,const __half&); HD __half& operator*=(__half&,const __half&);
HD __half operator/(const __half&,const __half&); HD __half& operator/=(__half&,const __half&);
HD __half operator-(const __half&); HD __half operator+(const __half&); HD __half& operator++(__half&); HD __half& operator--(__half&); HD __half operator++(__half&,int);
HD bool operator<(const __half&,const __half&);
HD bool operator>(const __half&,const __half&);
HD bool operator<=(const __half&,const __half&);
HD bool operator>=(const __half&,const __half&);
HD bool operator==(const __half&,const __half&);
HD bool operator!=(const __half&,const __half&);
HD __half2 operator+(const __half2&,const __half2&); HD __half2& operator+=(__half2&,const __half2&);
HD __half2 operator-(const __half2&,const __half2&); HD __half2& operator-=(__half2&,const __half2&);
HD __half2 operator*(const __half2&,const __half2&); HD __half2& operator*=(__half2&,const __half2&);
HD __half2 operator/(const __half2&,const __half2&); HD __half2& operator/=(__half2&,const __half2&);
HD __half2 operator-(const __half2&); HD __half2 operator+(const __half2&); HD __half2& operator++(__half2&); HD __half2& operator--(__half2&); HD __half2 operator++(__half2&,int);
HD bool operator<(const __half2&,const __half2&);
HD bool operator>(const __half2&,const __half2&);
HD bool operator<=(const __half2&,const __half2&);
HD bool operator>=(const __half2&,const __half2&);
HD bool operator==(const __half2&,const __half2&);
HD bool operator!=(const __half2&,const __half2&);
DV __half hsqrt(__half);
DV __half hrsqrt(__half);
DV __half hrcp(__half);
DV __half hexp(__half);
DV __half hexp2(__half);
DV __half hexp10(__half);
DV __half hlog(__half);
DV __half hlog2(__half);
DV __half hlog10(__half);
DV __half hsin(__half);
DV __half hcos(__half);
DV __half htanh(__half);
DV __half hfloor(__half);
DV __half hceil(__half);
DV __half hrint(__half);
DV __half htrunc(__half);
DV __half __hneg(__half);
DV __half __habs(__half);
DV __half htanh_approx(__half);
DV __half2 h2sqrt(__half2);
DV __half2 h2rsqrt(__half2);
DV __half2 h2rcp(__half2);
DV __half2 h2exp(__half2);
DV __half2 h2exp2(__half2);
DV __half2 h2exp10(__half2);
DV __half2 h2log(__half2);
DV __half2 h2log2(__half2); DV __half2 h2log10(__half2);
DV __half2 h2sin(__half2);
DV __half2 h2cos(__half2);
DV __half2 h2tanh(__half2);
DV __half2 h2floor(__half2);
DV __half2 h2ceil(__half2);
DV __half2 h2rint(__half2);
DV __half2 h2trunc(__half2);
DV __half2 __hneg2(__half2);
DV __half2 __habs2(__half2);
HD __half __hadd(__half,__half);
HD __half __hsub(__half,__half);
HD __half __hmul(__half,__half);
HD __half __hdiv(__half,__half);
HD __half hdiv(__half,__half);
HD __half __hmax(__half,__half);
HD __half __hmin(__half,__half);
HD __half __hmax_nan(__half,__half);
HD __half __hmin_nan(__half,__half);
HD __half __hadd_sat(__half,__half);
HD __half __hsub_sat(__half,__half);
HD __half __hmul_sat(__half,__half);
HD __half __hadd_rn(__half,__half);
HD __half __hsub_rn(__half,__half);
HD __half __hmul_rn(__half,__half);
HD __half2 __hadd2(__half2,__half2);
HD __half2 __hsub2(__half2,__half2);
HD __half2 __hmul2(__half2,__half2);
HD __half2 __h2div(__half2,__half2);
HD __half2 __hmax2(__half2,__half2);
HD __half2 __hmin2(__half2,__half2);
HD __half2 __hadd2_sat(__half2,__half2);
HD __half2 __heq2(__half2,__half2);
HD __half2 __hgt2(__half2,__half2);
HD __half2 __hlt2(__half2,__half2);
HD __half2 __hge2(__half2,__half2);
HD __half2 __hle2(__half2,__half2);
HD __half2 __hne2(__half2,__half2);
HD __half2 __hadd2_rn(__half2,__half2);
HD __half2 __hmul2_rn(__half2,__half2);
HD __half2 __hsub2_rn(__half2,__half2);
HD __half2 __hmul2_sat(__half2,__half2);
HD __half2 __hsub2_sat(__half2,__half2);
HD __half2 __hmax2_nan(__half2,__half2);
HD __half2 __hmin2_nan(__half2,__half2);
HD __half2 __hequ2(__half2,__half2);
HD __half2 __hneu2(__half2,__half2);
HD __half2 __hltu2(__half2,__half2);
HD __half2 __hgtu2(__half2,__half2);
HD __half2 __hleu2(__half2,__half2);
HD __half2 __hgeu2(__half2,__half2);
HD __half2 __heq2_(__half2,__half2);
HD __half2 __hfma2_sat_(__half2,__half2);
HD bool __heq(__half,__half);
HD bool __hne(__half,__half);
HD bool __hgt(__half,__half);
HD bool __hlt(__half,__half);
HD bool __hge(__half,__half);
HD bool __hle(__half,__half);
HD bool __hltu(__half,__half);
HD bool __hgtu(__half,__half);
HD bool __hleu(__half,__half);
HD bool __hgeu(__half,__half);
HD bool __hequ(__half,__half);
HD bool __hneu(__half,__half);
HD bool __hbeq2(__half2,__half2);
HD bool __hbgt2(__half2,__half2);
HD bool __hblt2(__half2,__half2);
HD bool __hbge2(__half2,__half2);
HD bool __hble2(__half2,__half2);
HD bool __hbne2(__half2,__half2);
HD bool __hisnan(__half); HD int __hisinf(__half); HD __half __hfma(__half,__half,__half); HD __half2 __hfma2(__half2,__half2,__half2); HD __half __hfma_relu(__half,__half,__half); HD __half2 __hfma2_relu(__half2,__half2,__half2); HD __half2 __hisnan2(__half2); HD __half __hfma_sat(__half,__half,__half); HD __half2 __hfma2_sat(__half2,__half2,__half2); HD __half2 __hcmadd(__half2,__half2,__half2);
DV __half atomicAdd(__half*,__half); DV __half2 atomicAdd(__half2*,__half2);
DV __half atomicAdd_block(__half*,__half); DV __half2 atomicAdd_block(__half2*,__half2);
HD __half __float2half(float); HD __half __double2half(double); HD float __half2float(__half); HD __half2 __float2half2_rn(float); HD __half2 __floats2half2_rn(float,float); HD float2 __half22float2_(__half2); HD __half2 __float22half2_rn(float2); HD __half2 __half2half2(__half); HD __half2 __halves2half2(__half,__half); HD __half __low2half(__half2); HD __half __high2half(__half2); HD float __low2float(__half2); HD float __high2float(__half2); HD __half2 __low2half2(__half2); HD __half2 __high2half2(__half2); HD __half2 __lowhigh2highlow(__half2); HD __half2 __lows2half2(__half2,__half2); HD __half2 __highs2half2(__half2,__half2); HD __half2 make_half2(__half,__half);
HD __half __float2half_rn(float);
HD __half __int2half_rn(int); HD int __half2int_rn(__half);
HD __half __uint2half_rn(unsigned); HD unsigned __half2uint_rn(__half);
HD __half __short2half_rn(short); HD short __half2short_rn(__half);
HD __half __ushort2half_rn(unsigned short); HD unsigned short __half2ushort_rn(__half);
HD __half __ll2half_rn(long long); HD long long __half2ll_rn(__half);
HD __half __ull2half_rn(unsigned long long); HD unsigned long long __half2ull_rn(__half);
HD __half __float2half_rz(float);
HD __half __int2half_rz(int); HD int __half2int_rz(__half);
HD __half __uint2half_rz(unsigned); HD unsigned __half2uint_rz(__half);
HD __half __short2half_rz(short); HD short __half2short_rz(__half);
HD __half __ushort2half_rz(unsigned short); HD unsigned short __half2ushort_rz(__half);
HD __half __ll2half_rz(long long); HD long long __half2ll_rz(__half);
HD __half __ull2half_rz(unsigned long long); HD unsigned long long __half2ull_rz(__half);
HD __half __float2half_ru(float);
HD __half __int2half_ru(int); HD int __half2int_ru(__half);
HD __half __uint2half_ru(unsigned); HD unsigned __half2uint_ru(__half);
HD __half __short2half_ru(short); HD short __half2short_ru(__half);
HD __half __ushort2half_ru(unsigned short); HD unsigned short __half2ushort_ru(__half);
HD __half __ll2half_ru(long long); HD long long __half2ll_ru(__half);
HD __half __ull2half_ru(unsigned long long); HD unsigned long long __half2ull_ru(__half);
HD __half __float2half_rd(float);
HD __half __int2half_rd(int); HD int __half2int_rd(__half);
HD __half __uint2half_rd(unsigned); HD unsigned __half2uint_rd(__half);
HD __half __short2half_rd(short); HD short __half2short_rd(__half);
HD __half __ushort2half_rd(unsigned short); HD unsigned short __half2ushort_rd(__half);
HD __half __ll2half_rd(long long); HD long long __half2ll_rd(__half);
HD __half __ull2half_rd(unsigned long long); HD unsigned long long __half2ull_rd(__half);
HD short __half_as_short(__half); HD __half __short_as_half(short);
HD unsigned short __half_as_ushort(__half); HD __half __ushort_as_half(unsigned short);
struct __nv_bfloat16_raw { unsigned short x; }; struct __nv_bfloat162_raw { unsigned short x,y; };
struct __align__(2) __nv_bfloat16 { unsigned short __x; __nv_bfloat16()=default; HD constexpr __nv_bfloat16(const __nv_bfloat16_raw&r):__x(r.x){} template<class V, class=typename std::enable_if<std::is_arithmetic<V>::value>::type> HD constexpr __nv_bfloat16(V v):__x((unsigned short)v){}
HD operator float() const; HD explicit operator int() const; HD explicit operator unsigned() const; HD explicit operator short() const; HD explicit operator unsigned short() const; HD explicit operator char() const;HD explicit operator signed char() const; HD explicit operator unsigned char() const; HD explicit operator long long() const; HD explicit operator unsigned long long() const; HD explicit operator long() const; HD explicit operator unsigned long() const; HD explicit operator bool() const; HD operator __nv_bfloat16_raw() const; HD __nv_bfloat16& operator=(float); HD __nv_bfloat16& operator=(double); HD __nv_bfloat16& operator=(int); HD __nv_bfloat16& operator=(unsigned); HD __nv_bfloat16& operator=(long); HD __nv_bfloat16& operator=(long long);HD __nv_bfloat16& operator=(unsigned short);HD __nv_bfloat16& operator=(short);HD __nv_bfloat16& operator=(const __nv_bfloat16_raw&); };
struct __align__(4) __nv_bfloat162 { __nv_bfloat16 x,y; __nv_bfloat162()=default; HD __nv_bfloat162(const __nv_bfloat162_raw&); HD constexpr __nv_bfloat162(const __nv_bfloat16&a,const __nv_bfloat16&b):x(a),y(b){} };
HD __nv_bfloat16 operator+(const __nv_bfloat16&,const __nv_bfloat16&); HD __nv_bfloat16& operator+=(__nv_bfloat16&,const __nv_bfloat16&);
HD __nv_bfloat16 operator-(const __nv_bfloat16&,const __nv_bfloat16&); HD __nv_bfloat16& operator-=(__nv_bfloat16&,const __nv_bfloat16&);
HD __nv_bfloat16 operator*(const __nv_bfloat16&,const __nv_bfloat16&); HD __nv_bfloat16& operator*=(__nv_bfloat16&,const __nv_bfloat16&);
HD __nv_bfloat16 operator/(const __nv_bfloat16&,const __nv_bfloat16&); HD __nv_bfloat16& operator/=(__nv_bfloat16&,const __nv_bfloat16&);
HD __nv_bfloat16 operator-(const __nv_bfloat16&); HD __nv_bfloat16 operator+(const __nv_bfloat16&); HD __nv_bfloat16& operator++(__nv_bfloat16&); HD __nv_bfloat16& operator--(__nv_bfloat16&); HD __nv_bfloat16 operator++(__nv_bfloat16&,int);
HD bool operator<(const __nv_bfloat16&,const __nv_bfloat16&);
HD bool operator>(const __nv_bfloat16&,const __nv_bfloat16&);
HD bool operator<=(const __nv_bfloat16&,const __nv_bfloat16&);
HD bool operator>=(const __nv_bfloat16&,const __nv_bfloat16&);
HD bool operator==(const __nv_bfloat16&,const __nv_bfloat16&);
HD bool operator!=(const __nv_bfloat16&,const __nv_bfloat16&);
HD __nv_bfloat162 operator+(const __nv_bfloat162&,const __nv_bfloat162&); HD __nv_bfloat162& operator+=(__nv_bfloat162&,const __nv_bfloat162&);
HD __nv_bfloat162 operator-(const __nv_bfloat162&,const __nv_bfloat162&); HD __nv_bfloat162& operator-=(__nv_bfloat162&,const __nv_bfloat162&);
HD __nv_bfloat162 operator*(const __nv_bfloat162&,const __nv_bfloat162&); HD __nv_bfloat162& operator*=(__nv_bfloat162&,const __nv_bfloat162&);
HD __nv_bfloat162 operator/(const __nv_bfloat162&,const __nv_bfloat162&); HD __nv_bfloat162& operator/=(__nv_bfloat162&,const __nv_bfloat162&);
HD __nv_bfloat162 operator-(const __nv_bfloat162&); HD __nv_bfloat162 operator+(const __nv_bfloat162&); HD __nv_bfloat162& operator++(__nv_bfloat162&); HD __nv_bfloat162& operator--(__nv_bfloat162&); HD __nv_bfloat162 operator++(__nv_bfloat162&,int);
HD bool operator<(const __nv_bfloat162&,const __nv_bfloat162&);
HD bool operator>(const __nv_bfloat162&,const __nv_bfloat162&);
HD bool operator<=(const __nv_bfloat162&,const __nv_bfloat162&);
HD bool operator>=(const __nv_bfloat162&,const __nv_bfloat162&);
HD bool operator==(const __nv_bfloat162&,const __nv_bfloat162&);
HD bool operator!=(const __nv_bfloat162&,const __nv_bfloat162&);
DV __nv_bfloat16 hsqrt(__nv_bfloat16);
DV __nv_bfloat16 hrsqrt(__nv_bfloat16);
DV __nv_bfloat16 hrcp(__nv_bfloat16);
DV __nv_bfloat16 hexp(__nv_bfloat16);
DV __nv_bfloat16 hexp2(__nv_bfloat16);
DV __nv_bfloat16 hexp10(__nv_bfloat16);
DV __nv_bfloat16 hlog(__nv_bfloat16);
DV __nv_bfloat16 hlog2(__nv_bfloat16);
DV __nv_bfloat16 hlog10(__nv_bfloat16);
DV __nv_bfloat16 hsin(__nv_bfloat16);
DV __nv_bfloat16 hcos(__nv_bfloat16);
DV __nv_bfloat16 htanh(__nv_bfloat16);
DV __nv_bfloat16 hfloor(__nv_bfloat16);
DV __nv_bfloat16 hceil(__nv_bfloat16);
DV __nv_bfloat16 hrint(__nv_bfloat16);
DV __nv_bfloat16 htrunc(__nv_bfloat16);
DV __nv_bfloat16 __hneg(__nv_bfloat16);
DV __nv_bfloat16 __habs(__nv_bfloat16);
DV __nv_bfloat16 htanh_approx(__nv_bfloat16);
DV __nv_bfloat162 h2sqrt(__nv_bfloat162);
DV __nv_bfloat162 h2rsqrt(__nv_bfloat162);
DV __nv_bfloat162 h2rcp(__nv_bfloat162);
DV __nv_bfloat162 h2exp(__nv_bfloat162);
DV __nv_bfloat162 h2exp2(__nv_bfloat162);
DV __nv_bfloat162 h2exp10(__nv_bfloat162);
DV __nv_bfloat162 h2log(__nv_bfloat162);
DV __nv_bfloat162 h2log2(__nv_bfloat162); DV __nv_bfloat162 h2log10(__nv_bfloat162);
DV __nv_bfloat162 h2sin(__nv_bfloat162);
DV __nv_bfloat162 h2cos(__nv_bfloat162);
DV __nv_bfloat162 h2tanh(__nv_bfloat162);
DV __nv_bfloat162 h2floor(__nv_bfloat162);
DV __nv_bfloat162 h2ceil(__nv_bfloat162);
DV __nv_bfloat162 h2rint(__nv_bfloat162);
DV __nv_bfloat162 h2trunc(__nv_bfloat162);
DV __nv_bfloat162 __hneg2(__nv_bfloat162);
DV __nv_bfloat162 __habs2(__nv_bfloat162);
HD __nv_bfloat16 __hadd(__nv_bfloat16,__nv_bfloat16);
HD __nv_bfloat16 __hsub(__nv_bfloat16,__nv_bfloat16);
HD __nv_bfloat16 __hmul(__nv_bfloat16,__nv_bfloat16);
HD __nv_bfloat16 __hdiv(__nv_bfloat16,__nv_bfloat16);
HD __nv_bfloat16 hdiv(__nv_bfloat16,__nv_bfloat16);
HD __nv_bfloat16 __hmax(__nv_bfloat16,__nv_bfloat16);
HD __nv_bfloat16 __hmin(__nv_bfloat16,__nv_bfloat16);
HD __nv_bfloat16 __hmax_nan(__nv_bfloat16,__nv_bfloat16);
HD __nv_bfloat16 __hmin_nan(__nv_bfloat16,__nv_bfloat16);
HD __nv_bfloat16 __hadd_sat(__nv_bfloat16,__nv_bfloat16);
HD __nv_bfloat16 __hsub_sat(__nv_bfloat16,__nv_bfloat16);
HD __nv_bfloat16 __hmul_sat(__nv_bfloat16,__nv_bfloat16);
HD __nv_bfloat16 __hadd_rn(__nv_bfloat16,__nv_bfloat16);
HD __nv_bfloat16 __hsub_rn(__nv_bfloat16,__nv_bfloat16);
HD __nv_bfloat16 __hmul_rn(__nv_bfloat16,__nv_bfloat16);
HD __nv_bfloat162 __hadd2(__nv_bfloat162,__nv_bfloat162);
HD __nv_bfloat162 __hsub2(__nv_bfloat162,__nv_bfloat162);
HD __nv_bfloat162 __hmul2(__nv_bfloat162,__nv_bfloat162);
HD __nv_bfloat162 __h2div(__nv_bfloat162,__nv_bfloat162);
HD __nv_bfloat162 __hmax2(__nv_bfloat162,__nv_bfloat162);
HD __nv_bfloat162 __hmin2(__nv_bfloat162,__nv_bfloat162);
HD __nv_bfloat162 __hadd2_sat(__nv_bfloat162,__nv_bfloat162);
HD __nv_bfloat162 __heq2(__nv_bfloat162,__nv_bfloat162);
HD __nv_bfloat162 __hgt2(__nv_bfloat162,__nv_bfloat162);
HD __nv_bfloat162 __hlt2(__nv_bfloat162,__nv_bfloat162);
HD __nv_bfloat162 __hge2(__nv_bfloat162,__nv_bfloat162);
HD __nv_bfloat162 __hle2(__nv_bfloat162,__nv_bfloat162);
HD __nv_bfloat162 __hne2(__nv_bfloat162,__nv_bfloat162);
HD __nv_bfloat162 __hadd2_rn(__nv_bfloat162,__nv_bfloat162);
HD __nv_bfloat162 __hmul2_rn(__nv_bfloat162,__nv_bfloat162);
HD __nv_bfloat162 __hsub2_rn(__nv_bfloat162,__nv_bfloat162);
HD __nv_bfloat162 __hmul2_sat(__nv_bfloat162,__nv_bfloat162);
HD __nv_bfloat162 __hsub2_sat(__nv_bfloat162,__nv_bfloat162);
HD __nv_bfloat162 __hmax2_nan(__nv_bfloat162,__nv_bfloat162);
HD __nv_bfloat162 __hmin2_nan(__nv_bfloat162,__nv_bfloat162);
HD __nv_bfloat162 __hequ2(__nv_bfloat162,__nv_bfloat162);
HD __nv_bfloat162 __hneu2(__nv_bfloat162,__nv_bfloat162);
HD __nv_bfloat162 __hltu2(__nv_bfloat162,__nv_bfloat162);
HD __nv_bfloat162 __hgtu2(__nv_bfloat162,__nv_bfloat162);
HD __nv_bfloat162 __hleu2(__nv_bfloat162,__nv_bfloat162);
HD __nv_bfloat162 __hgeu2(__nv_bfloat162,__nv_bfloat162);
HD __nv_bfloat162 __heq2_(__nv_bfloat162,__nv_bfloat162);
HD __nv_bfloat162 __hfma2_sat_(__nv_bfloat162,__nv_bfloat162);
HD bool __heq(__nv_bfloat16,__nv_bfloat16);
HD bool __hne(__nv_bfloat16,__nv_bfloat16);
HD bool __hgt(__nv_bfloat16,__nv_bfloat16);
HD bool __hlt(__nv_bfloat16,__nv_bfloat16);
HD bool __hge(__nv_bfloat16,__nv_bfloat16);
HD bool __hle(__nv_bfloat16,__nv_bfloat16);
HD bool __hltu(__nv_bfloat16,__nv_bfloat16);
HD bool __hgtu(__nv_bfloat16,__nv_bfloat16);
HD bool __hleu(__nv_bfloat16,__nv_bfloat16);
HD bool __hgeu(__nv_bfloat16,__nv_bfloat16);
HD bool __hequ(__nv_bfloat16,__nv_bfloat16);
HD bool __hneu(__nv_bfloat16,__nv_bfloat16);
HD bool __hbeq2(__nv_bfloat162,__nv_bfloat162);
HD bool __hbgt2(__nv_bfloat162,__nv_bfloat162);
HD bool __hblt2(__nv_bfloat162,__nv_bfloat162);
HD bool __hbge2(__nv_bfloat162,__nv_bfloat162);
HD bool __hble2(__nv_bfloat162,__nv_bfloat162);
HD bool __hbne2(__nv_bfloat162,__nv_bfloat162);
HD bool __hisnan(__nv_bfloat16); HD int __hisinf(__nv_bfloat16); HD __nv_bfloat16 __hfma(__nv_bfloat16,__nv_bfloat16,__nv_bfloat16); HD __nv_bfloat162 __hfma2(__nv_bfloat162,__nv_bfloat162,__nv_bfloat162); HD __nv_bfloat16 __hfma_relu(__nv_bfloat16,__nv_bfloat16,__nv_bfloat16); HD __nv_bfloat162 __hfma2_relu(__nv_bfloat162,__nv_bfloat162,__nv_bfloat162); HD __nv_bfloat162 __hisnan2(__nv_bfloat162); HD __nv_bfloat16 __hfma_sat(__nv_bfloat16,__nv_bfloat16,__nv_bfloat16); HD __nv_bfloat162 __hfma2_sat(__nv_bfloat162,__nv_bfloat162,__nv_bfloat162); HD __nv_bfloat162 __hcmadd(__nv_bfloat162,__nv_bfloat162,__nv_bfloat162);
DV __nv_bfloat16 atomicAdd(__nv_bfloat16*,__nv_bfloat16); DV __nv_bfloat162 atomicAdd(__nv_bfloat162*,__nv_bfloat162);
DV __nv_bfloat16 atomicAdd_block(__nv_bfloat16*,__nv_bfloat16); DV __nv_bfloat162 atomicAdd_block(__nv_bfloat162*,__nv_bfloat162);
HD __nv_bfloat16 __float2bfloat16(float); HD __nv_bfloat16 __double2bfloat16(double); HD float __bfloat162float(__nv_bfloat16); HD __nv_bfloat162 __float2bfloat162_rn(float); HD __nv_bfloat162 __floats2bfloat162_rn(float,float); HD float2 __bfloat162float2_(__nv_bfloat162); HD __nv_bfloat162 __float22bfloat162_rn(float2); HD __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16); HD __nv_bfloat162 __halves2bfloat162(__nv_bfloat16,__nv_bfloat16); HD __nv_bfloat16 __low2bfloat16(__nv_bfloat162); HD __nv_bfloat16 __high2bfloat16(__nv_bfloat162); HD float __low2float(__nv_bfloat162); HD float __high2float(__nv_bfloat162); HD __nv_bfloat162 __low2bfloat162(__nv_bfloat162); HD __nv_bfloat162 __high2bfloat162(__nv_bfloat162); HD __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162); HD __nv_bfloat162 __lows2bfloat162(__nv_bfloat162,__nv_bfloat162); HD __nv_bfloat162 __highs2bfloat162(__nv_bfloat162,__nv_bfloat162); HD __nv_bfloat162 make_bfloat162(__nv_bfloat16,__nv_bfloat16);
HD __nv_bfloat16 __float2bfloat16_rn(float);
HD __nv_bfloat16 __int2bfloat16_rn(int); HD int __bfloat162int_rn(__nv_bfloat16);
HD __nv_bfloat16 __uint2bfloat16_rn(unsigned); HD unsigned __bfloat162uint_rn(__nv_bfloat16);
HD __nv_bfloat16 __short2bfloat16_rn(short); HD short __bfloat162short_rn(__nv_bfloat16);
HD __nv_bfloat16 __ushort2bfloat16_rn(unsigned short); HD unsigned short __bfloat162ushort_rn(__nv_bfloat16);
HD __nv_bfloat16 __ll2bfloat16_rn(long long); HD long long __bfloat162ll_rn(__nv_bfloat16);
HD __nv_bfloat16 __ull2bfloat16_rn(unsigned long long); HD unsigned long long __bfloat162ull_rn(__nv_bfloat16);
HD __nv_bfloat16 __float2bfloat16_rz(float);
HD __nv_bfloat16 __int2bfloat16_rz(int); HD int __bfloat162int_rz(__nv_bfloat16);
HD __nv_bfloat16 __uint2bfloat16_rz(unsigned); HD unsigned __bfloat162uint_rz(__nv_bfloat16);
HD __nv_bfloat16 __short2bfloat16_rz(short); HD short __bfloat162short_rz(__nv_bfloat16);
HD __nv_bfloat16 __ushort2bfloat16_rz(unsigned short); HD unsigned short __bfloat162ushort_rz(__nv_bfloat16);
HD __nv_bfloat16 __ll2bfloat16_rz(long long); HD long long __bfloat162ll_rz(__nv_bfloat16);
HD __nv_bfloat16 __ull2bfloat16_rz(unsigned long long); HD unsigned long long __bfloat162ull_rz(__nv_bfloat16);
HD __nv_bfloat16 __float2bfloat16_ru(float);
HD __nv_bfloat16 __int2bfloat16_ru(int); HD int __bfloat162int_ru(__nv_bfloat16);
HD __nv_bfloat16 __uint2bfloat16_ru(unsigned); HD unsigned __bfloat162uint_ru(__nv_bfloat16);
HD __nv_bfloat16 __short2bfloat16_ru(short); HD short __bfloat162short_ru(__nv_bfloat16);
HD __nv_bfloat16 __ushort2bfloat16_ru(unsigned short); HD unsigned short __bfloat162ushort_ru(__nv_bfloat16);
HD __nv_bfloat16 __ll2bfloat16_ru(long long); HD long long __bfloat162ll_ru(__nv_bfloat16);
HD __nv_bfloat16 __ull2bfloat16_ru(unsigned long long); HD unsigned long long __bfloat162ull_ru(__nv_bfloat16);
HD __nv_bfloat16 __float2bfloat16_rd(float);
HD __nv_bfloat16 __int2bfloat16_rd(int); HD int __bfloat162int_rd(__nv_bfloat16);
HD __nv_bfloat16 __uint2bfloat16_rd(unsigned); HD unsigned __bfloat162uint_rd(__nv_bfloat16);
HD __nv_bfloat16 __short2bfloat16_rd(short); HD short __bfloat162short_rd(__nv_bfloat16);
HD __nv_bfloat16 __ushort2bfloat16_rd(unsigned short); HD unsigned short __bfloat162ushort_rd(__nv_bfloat16);
HD __nv_bfloat16 __ll2bfloat16_rd(long long); HD long long __bfloat162ll_rd(__nv_bfloat16);
HD __nv_bfloat16 __ull2bfloat16_rd(unsigned long long); HD unsigned long long __bfloat162ull_rd(__nv_bfloat16);
HD short __bfloat16_as_short(__nv_bfloat16); HD __nv_bfloat16 __short_as_bfloat16(short);
HD unsigned short __bfloat16_as_ushort(__nv_bfloat16); HD __nv_bfloat16 __ushort_as_bfloat16(unsigned short);

HD float2 __half22float2(__half2); HD float2 __bfloat1622float2(__nv_bfloat162); HD float2 __bfloat16x2_shim(__nv_bfloat162); HD __half __low2half_(__half2); HD __half2 make_half2(float,float); HD __nv_bfloat162 __bfloat1622bfloat162_(__nv_bfloat16); HD __nv_bfloat162 __halves2bfloat162_(__nv_bfloat16,__nv_bfloat16);
typedef __half half; typedef __half2 half2; typedef __nv_bfloat16 nv_bfloat16; typedef __nv_bfloat162 nv_bfloat162; typedef __nv_bfloat16 __bfloat16_shim;
typedef unsigned char __nv_fp8_storage_t; typedef unsigned short __nv_fp8x2_storage_t; typedef unsigned int __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE }; enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };
struct __nv_fp8_e4m3 { __nv_fp8_storage_t __x; __nv_fp8_e4m3()=default; template<class T> HD explicit __nv_fp8_e4m3(T); HD explicit operator float() const; HD explicit operator __half() const; HD explicit operator __nv_bfloat16() const; };
struct __nv_fp8_e5m2 { __nv_fp8_storage_t __x; __nv_fp8_e5m2()=default; template<class T> HD explicit __nv_fp8_e5m2(T); HD explicit operator float() const; HD explicit operator __half() const; };
struct __nv_fp8x2_e4m3 { __nv_fp8x2_storage_t __x; __nv_fp8x2_e4m3()=default; template<class T> HD explicit __nv_fp8x2_e4m3(T); HD explicit operator float2() const; HD explicit operator __half2() const; }; struct __nv_fp8x4_e4m3 { __nv_fp8x4_storage_t __x; __nv_fp8x4_e4m3()=default; template<class T> HD explicit __nv_fp8x4_e4m3(T); HD explicit operator float4() const; };
struct __nv_fp8x2_e5m2 { __nv_fp8x2_storage_t __x; template<class T> HD explicit __nv_fp8x2_e5m2(T); HD explicit operator float2() const; };
HD __nv_fp8_storage_t __nv_cvt_float_to_fp8(float,__nv_saturation_t,__nv_fp8_interpretation_t); HD __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2,__nv_saturation_t,__nv_fp8_interpretation_t); HD __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t,__nv_fp8_interpretation_t); HD __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t,__nv_fp8_interpretation_t); HD __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw,__nv_saturation_t,__nv_fp8_interpretation_t);
// complex
typedef float2 cuFloatComplex; typedef double2 cuDoubleComplex; typedef cuFloatComplex cuComplex;

HD cuDoubleComplex make_cuDoubleComplex(double,double); HD double cuCreal(cuDoubleComplex); HD double cuCimag(cuDoubleComplex); HD cuDoubleComplex cuConj(cuDoubleComplex); HD double cuCabs(cuDoubleComplex);
HD cuDoubleComplex cuCadd(cuDoubleComplex,cuDoubleComplex);
HD cuDoubleComplex cuCsub(cuDoubleComplex,cuDoubleComplex);
HD cuDoubleComplex cuCmul(cuDoubleComplex,cuDoubleComplex);
HD cuDoubleComplex cuCdiv(cuDoubleComplex,cuDoubleComplex);
HD cuDoubleComplex cuCfma(cuDoubleComplex,cuDoubleComplex,cuDoubleComplex);
HD cuFloatComplex make_cuFloatComplex(float,float); HD float cuCrealf(cuFloatComplex); HD float cuCimagf(cuFloatComplex); HD cuFloatComplex cuConjf(cuFloatComplex); HD float cuCabsf(cuFloatComplex);
HD cuFloatComplex cuCaddf(cuFloatComplex,cuFloatComplex);
HD cuFloatComplex cuCsubf(cuFloatComplex,cuFloatComplex);
HD cuFloatComplex cuCmulf(cuFloatComplex,cuFloatComplex);
HD cuFloatComplex cuCdivf(cuFloatComplex,cuFloatComplex);
HD cuFloatComplex cuCfmaf(cuFloatComplex,cuFloatComplex,cuFloatComplex);
HD cuComplex make_cuComplex(float,float);

struct textureReference { int normalized; cudaTextureFilterMode filterMode; cudaTextureAddressMode addressMode[3]; cudaChannelFormatDesc channelDesc; int sRGB; unsigned maxAnisotropy; };
template<class T,int D=1,cudaTextureReadMode M=cudaReadModeElementType> struct texture : textureReference { texture()=default; texture(int,cudaTextureFilterMode,cudaTextureAddressMode,cudaChannelFormatDesc={}); };
struct surfaceReference { cudaChannelFormatDesc channelDesc; }; template<class T,int D=1> struct surface : surfaceReference {};
template<class T,cudaTextureReadMode M> struct __texret { typedef T type; }; template<> struct __texret<unsigned char,cudaReadModeNormalizedFloat> { typedef float type; }; template<> struct __texret<uchar4,cudaReadModeNormalizedFloat> { typedef float4 type; }; template<> struct __texret<unsigned short,cudaReadModeNormalizedFloat> { typedef float type; }; template<> struct __texret<char,cudaReadModeNormalizedFloat>{ typedef float type; };
#define TEXF(n) template<class T,int D,cudaTextureReadMode M,class... A> DV typename __texret<T,M>::type n(texture<T,D,M>,A...); template<class T,class... A> DV T n(cudaTextureObject_t,A...); template<class T,class... A> DV void n(T*,cudaTextureObject_t,A...);
TEXF(tex1D) TEXF(tex2D) TEXF(tex3D) TEXF(tex1Dfetch) TEXF(tex1DLayered) TEXF(tex2DLayered) TEXF(texCubemap) TEXF(tex1DLod) TEXF(tex2DLod) TEXF(tex3DLod) TEXF(tex2DGrad) TEXF(tex1DGrad) TEXF(tex2Dgather) TEXF(tex3DGrad)
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };
#define SURF(n) template<class T,class... A> DV T n(cudaSurfaceObject_t,A...); template<class T,class... A> DV void n(T*,cudaSurfaceObject_t,A...); template<class T,int D,class... A> DV void n(T*,surface<void,D>,A...); template<class T,int D,class...A> DV T n(surface<void,D>,A...);
SURF(surf1Dread) SURF(surf2Dread) SURF(surf3Dread) SURF(surf2DLayeredread)
template<class T,class... A> DV void surf1Dwrite(T,A...); template<class T,class... A> DV void surf2Dwrite(T,A...); template<class T,class... A> DV void surf3Dwrite(T,A...); template<class T,class... A> DV void surf2DLayeredwrite(T,A...);
SHUFFLE(__half) SHUFFLE(__half2) SHUFFLE(__nv_bfloat16) SHUFFLE(__nv_bfloat162)
#undef SHUFFLE
// cooperative groups
#include "cooperative_groups/__groups.h"
// wmma
namespace nvcuda { namespace wmma { struct matrix_a{}; struct matrix_b{}; struct accumulator{}; struct row_major{}; struct col_major{}; enum layout_t { mem_row_major, mem_col_major }; namespace precision { struct tf32{}; struct u4{}; struct s4{}; struct b1{}; } namespace experimental { namespace precision { struct u4{}; struct s4{}; struct b1{}; } enum bmmaBitOp { bmmaBitOpXOR=1, bmmaBitOpAND=2 }; enum bmmaAccumulateOp { bmmaAccumulateOpPOPC=1 }; }
template<class T> struct __fs { typedef T type; }; template<> struct __fs<precision::tf32> { typedef float type; };
template<class U,int m,int n,int k,class T,class L=void> struct fragment { typedef typename __fs<T>::type element_type; static const int num_elements=8; static const int num_storage_elements=8; element_type x[16]; };
template<class F,class T> DV void load_matrix_sync(F&,const T*,unsigned); template<class F,class T> DV void load_matrix_sync(F&,const T*,unsigned,layout_t); template<class F,class T> DV void store_matrix_sync(T*,const F&,unsigned,layout_t); template<class F,class T> DV void fill_fragment(F&,const T&); template<class D,class A,class B,class C> DV void mma_sync(D&,const A&,const B&,const C&,bool s=false); template<class D,class A,class B,class C> DV void bmma_sync(D&,const A&,const B&,const C&,...); DV float __float_to_tf32(float); } }
// curand
#define QUAL DV
struct curandStateXORWOW { unsigned d,v[5]; int f; float g; double h; }; typedef curandStateXORWOW curandState; typedef curandState curandState_t; typedef curandState curandStateXORWOW_t; struct curandStatePhilox4_32_10 { uint4 ctr,output; uint2 key; unsigned STATE; }; typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t; struct curandStateMRG32k3a { double s[6]; }; typedef curandStateMRG32k3a curandStateMRG32k3a_t; struct curandStateMtgp32 { int s; }; typedef curandStateMtgp32 curandStateMtgp32_t; struct curandStateSobol32 { int s; }; typedef curandStateSobol32 curandStateSobol32_t; struct curandStateScrambledSobol32{int s;}; struct curandStateSobol64{int s;};
template<class... A> DV void curand_init(A&&...); template<class S> DV unsigned curand(S*); template<class S> DV float curand_uniform(S*); template<class S> DV double curand_uniform_double(S*); template<class S> DV float curand_normal(S*); template<class S> DV double curand_normal_double(S*); template<class S> DV float2 curand_normal2(S*); template<class S> DV float curand_log_normal(S*,float,float); template<class S> DV unsigned curand_poisson(S*,double); template<class S> DV uint4 curand4(S*); template<class S> DV float4 curand_uniform4(S*); template<class S> DV float4 curand_normal4(S*); template<class S> DV double2 curand_normal2_double(S*); template<class S> DV void skipahead(unsigned long long,S*); template<class S> DV void skipahead_sequence(unsigned long long,S*); template<class S> DV double2 curand_uniform2_double(S*);
typedef struct curandGenerator_st *curandGenerator_t; typedef enum { CURAND_STATUS_SUCCESS } curandStatus_t; typedef enum { CURAND_RNG_PSEUDO_DEFAULT=100, CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_MTGP32=141, CURAND_RNG_PSEUDO_PHILOX4_32_10=161,CURAND_RNG_QUASI_DEFAULT=200,CURAND_RNG_QUASI_SOBOL32=201 } curandRngType_t;
// builtin pipeline primitives
DV void __pipeline_memcpy_async(void*,const void*,size_t,size_t z=0); DV void __pipeline_commit(); DV void __pipeline_wait_prior(size_t);
namespace cuda { enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };
template<thread_scope S> struct barrier { struct arrival_token{}; DV barrier(); DV arrival_token arrive(int n=1); DV void wait(arrival_token&&) const; DV void arrive_and_wait(); DV void arrive_and_drop(); }; template<thread_scope S> DV void init(barrier<S>*,int); template<thread_scope S,int N=1> struct pipeline_shared_state { }; template<thread_scope S> struct pipeline { DV void producer_acquire(); DV void producer_commit(); DV void consumer_wait(); DV void consumer_release(); }; template<class...A> DV pipeline<thread_scope_block> make_pipeline(A&&...); template<class...A> DV void memcpy_async(A&&...); template<unsigned N,class P> DV void pipeline_consumer_wait_prior(P&); template<size_t N> struct aligned_size_t { size_t v; HD aligned_size_t(size_t); HD operator size_t() const; };
namespace std { using namespace ::std; enum memory_order_ {}; }
template<class T,thread_scope S=thread_scope_system> struct atomic { HD atomic(T=T()); HD T load(int o=5) const; HD void store(T,int o=5); HD T fetch_add(T,int o=5); HD T fetch_sub(T,int o=5); HD T exchange(T,int o=5); HD bool compare_exchange_strong(T&,T,int o=5); HD bool compare_exchange_weak(T&,T,int o=5); HD T operator++(); HD T operator++(int);HD operator T() const; }; template<class T,thread_scope S=thread_scope_system> struct atomic_ref { HD atomic_ref(T&); HD T load(int o=5) const; HD void store(T,int o=5); HD T fetch_add(T,int o=5) const; HD T fetch_min(T,int o=5) const; HD T fetch_max(T,int o=5) const; HD T exchange(T,int o=5) const; HD bool compare_exchange_strong(T&,T,int o=5);  };
enum { memory_order_relaxed, memory_order_consume, memory_order_acquire, memory_order_release, memory_order_acq_rel, memory_order_seq_cst }; template<class...A> DV void atomic_thread_fence(A...);
}
#undef HD
#undef DV
#undef RS
#undef QUAL
#define QUALIFIERS static __inline__ __device__
#define CUDART_INF_F __int_as_float(0x7f800000)
#define CUDART_NAN_F __int_as_float(0x7fffffff)
#define CUDART_INF __longlong_as_double(0x7ff0000000000000ULL)
#define CUDART_PI_F 3.141592654f
#define CUDART_PI 3.1415926535897931e+0
#define CUDART_MAX_NORMAL_F __int_as_float(0x7f7fffff)
#define CUDART_SQRT_HALF_F 0.707106781f
#define CUDART_LN2_F 0.693147181f
#define CUDART_L2E_F 1.442695041f
#define CUDART_MIN_DENORM_F __int_as_float(0x00000001)
#define CUDART_ZERO_F 0.0f
#define CUDART_NEG_ZERO_F __int_as_float(0x80000000)
#define CUDART_TWO_TO_23_F 8388608.0f
#define CUDART_ONE 1.0
#define CUDART_ZERO 0.0
#define CUDART_SQRT_TWO_F 1.414213562f
#define CUDART_NAN __longlong_as_double(0xfff8000000000000ULL)
#define CUDART_SQRT_HALF 7.0710678118654757e-1
#define CUDART_PIO2_F 1.570796327f
#define CUDART_TWO_TO_M126_F 1.175494351e-38f
#define CUDART_ONE_F 1.0f
#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7C00U)
#define CUDA_CB
#define CUDART_CB
#endif
