#pragma once
#include <__cushim.h>
namespace cub {
struct Sum {
  template <class T> __host__ __device__ T operator()(const T &a, const T &b) const { return a + b; }
};
struct Max {
  template <class T> __host__ __device__ T operator()(const T &a, const T &b) const { return a < b ? b : a; }
};
struct Min {
  template <class T> __host__ __device__ T operator()(const T &a, const T &b) const { return a < b ? a : b; }
};
enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_STRIPED
};
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE
};
enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS, BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY };
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_WARP_SCANS, BLOCK_SCAN_RAKING_MEMOIZE };
template <class T, int N = 32, int A = 0> struct WarpReduce {
  struct TempStorage {};
  __device__ WarpReduce(TempStorage &);
  template <class X> __device__ T Sum(X);
  template <class X, class F, class... R> __device__ T Reduce(X, F, R...);
};
template <class T, int N = 32> struct WarpScan {
  struct TempStorage {};
  __device__ WarpScan(TempStorage &);
  template <class... A> __device__ void InclusiveSum(A &&...);
  template <class... A> __device__ void ExclusiveSum(A &&...);
  template <class... A> __device__ void InclusiveScan(A &&...);
};
template <class T, int X, BlockReduceAlgorithm A = BLOCK_REDUCE_RAKING, int Y = 1, int Z = 1> struct BlockReduce {
  struct TempStorage {};
  __device__ BlockReduce();
  __device__ BlockReduce(TempStorage &);
  template <class... R> __device__ T Sum(R &&...);
  template <class V, class F, class... R> __device__ T Reduce(V &&, F, R...);
};
template <class T, int X, BlockScanAlgorithm A = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1> struct BlockScan {
  struct TempStorage {};
  __device__ BlockScan();
  __device__ BlockScan(TempStorage &);
  template <class... R> __device__ void InclusiveSum(R &&...);
  template <class... R> __device__ void ExclusiveSum(R &&...);
  template <class... R> __device__ void InclusiveScan(R &&...);
  template <class... R> __device__ void ExclusiveScan(R &&...);
};
template <class T, int X, int I, BlockLoadAlgorithm A = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1> struct BlockLoad {
  struct TempStorage {};
  __device__ BlockLoad();
  __device__ BlockLoad(TempStorage &);
  template <class... R> __device__ void Load(R &&...);
};
template <class T, int X, int I, BlockStoreAlgorithm A = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1> struct BlockStore {
  struct TempStorage {};
  __device__ BlockStore();
  __device__ BlockStore(TempStorage &);
  template <class... R> __device__ void Store(R &&...);
};
struct NullType {};
template <class K, int X, int I, class V = NullType, int R = 4> struct BlockRadixSort {
  struct TempStorage {};
  __device__ BlockRadixSort();
  __device__ BlockRadixSort(TempStorage &);
  template <class... A> __device__ void Sort(A &&...);
  template <class... A> __device__ void SortDescending(A &&...);
  template <class... A> __device__ void SortBlockedToStriped(A &&...);
};
#define CD(n)                                                                                                          \
  struct n {                                                                                                           \
    template <class... A> static cudaError_t Sum(A &&...);                                                             \
    template <class... A> static cudaError_t Reduce(A &&...);                                                          \
    template <class... A> static cudaError_t Min(A &&...);                                                             \
    template <class... A> static cudaError_t Max(A &&...);                                                             \
    template <class... A> static cudaError_t ArgMin(A &&...);                                                          \
    template <class... A> static cudaError_t ArgMax(A &&...);                                                          \
    template <class... A> static cudaError_t ExclusiveSum(A &&...);                                                    \
    template <class... A> static cudaError_t InclusiveSum(A &&...);                                                    \
    template <class... A> static cudaError_t InclusiveScan(A &&...);                                                   \
    template <class... A> static cudaError_t ExclusiveScan(A &&...);                                                   \
    template <class... A> static cudaError_t SortPairs(A &&...);                                                       \
    template <class... A> static cudaError_t SortPairsDescending(A &&...);                                             \
    template <class... A> static cudaError_t SortKeys(A &&...);                                                        \
    template <class... A> static cudaError_t Flagged(A &&...);                                                         \
    template <class... A> static cudaError_t If(A &&...);                                                              \
    template <class... A> static cudaError_t Unique(A &&...);                                                          \
    template <class... A> static cudaError_t HistogramEven(A &&...);                                                   \
    template <class... A> static cudaError_t Encode(A &&...);                                                          \
    template <class... A> static cudaError_t ReduceByKey(A &&...);                                                     \
  };
CD(DeviceReduce)
CD(DeviceScan)
CD(DeviceRadixSort)
CD(DeviceSelect)
CD(DeviceHistogram)
CD(DeviceRunLengthEncode)
CD(DeviceSegmentedReduce)
CD(DeviceSegmentedRadixSort)
CD(DeviceSegmentedSort)
CD(DeviceMergeSort)
CD(DevicePartition)
template <class K, class V> struct KeyValuePair {
  K key;
  V value;
};
struct ArgMax {
  template <class T> __device__ T operator()(const T &, const T &) const;
};
struct ArgMin {
  template <class T> __device__ T operator()(const T &, const T &) const;
};
template <class T> struct DoubleBuffer {
  DoubleBuffer(T *, T *);
  T *Current();
  T *Alternate();
  int selector;
};
} // namespace cub
