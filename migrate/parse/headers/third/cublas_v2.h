#pragma once
#include <__cushim.h>
typedef struct cublasContext *cublasHandle_t;
typedef enum { CUBLAS_STATUS_SUCCESS } cublasStatus_t;
typedef enum { CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C } cublasOperation_t;
template <class... A> cublasStatus_t cublasCreate(A &&...);
template <class... A> cublasStatus_t cublasDestroy(A &&...);
template <class... A> cublasStatus_t cublasSgemm(A &&...);
template <class... A> cublasStatus_t cublasGemmEx(A &&...);
template <class... A> cublasStatus_t cublasSetMathMode(A &&...);
template <class... A> cublasStatus_t cublasSetStream(A &&...);
template <class... A> cublasStatus_t cublasDgemm(A &&...);
template <class... A> cublasStatus_t cublasHgemm(A &&...);
template <class... A> cublasStatus_t cublasSgemv(A &&...);
template <class... A> cublasStatus_t cublasSgemmStridedBatched(A &&...);
template <class... A> cublasStatus_t cublasGemmStridedBatchedEx(A &&...);
enum cublasComputeType_t { CUBLAS_COMPUTE_32F, CUBLAS_COMPUTE_16F, CUBLAS_COMPUTE_32F_FAST_TF32 };
enum cudaDataType_t {
  CUDA_R_32F,
  CUDA_R_16F,
  CUDA_R_16BF,
  CUDA_R_8I,
  CUDA_R_32I,
  CUDA_R_64F,
  CUDA_R_8F_E4M3,
  CUDA_R_8F_E5M2
};
typedef cudaDataType_t cudaDataType;
enum cublasGemmAlgo_t { CUBLAS_GEMM_DEFAULT, CUBLAS_GEMM_DEFAULT_TENSOR_OP };
enum cublasMath_t { CUBLAS_DEFAULT_MATH, CUBLAS_TENSOR_OP_MATH, CUBLAS_TF32_TENSOR_OP_MATH, CUBLAS_PEDANTIC_MATH };
typedef struct cublasLtContext *cublasLtHandle_t;
typedef void *cublasLtMatmulDesc_t;
typedef void *cublasLtMatrixLayout_t;
typedef void *cublasLtMatmulPreference_t;
struct cublasLtMatmulHeuristicResult_t {
  int algo, state;
};
