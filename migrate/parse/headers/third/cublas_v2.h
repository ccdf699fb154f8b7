// cuBLAS. Host code only: any call type-checks.
#pragma once
#include <__cushim.h>

#define CUBLAS_API_H_
#define CUBLAS_V2_H_
typedef struct cublasContext *cublasHandle_t;
enum cublasStatus_t {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
  CUBLAS_STATUS_LICENSE_ERROR = 16
};
typedef cublasStatus_t cublasStatus;
enum cudaDataType_t {
  CUDA_R_32F = 0,
  CUDA_R_64F = 1,
  CUDA_R_16F = 2,
  CUDA_R_8I = 3,
  CUDA_C_32F = 4,
  CUDA_C_64F = 5,
  CUDA_R_8U = 8,
  CUDA_R_32I = 10,
  CUDA_R_16BF = 14,
  CUDA_R_8F_E4M3 = 28,
  CUDA_R_8F_E5M2 = 29
};
typedef cudaDataType_t cudaDataType;
typedef cudaDataType_t cublasDataType_t;
const char *cublasGetStatusString(cublasStatus_t);
const char *cublasGetStatusName(cublasStatus_t);
enum cublasOperation_t { CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C };
enum cublasFillMode_t { CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER };
enum cublasSideMode_t { CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT };
enum cublasDiagType_t { CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT };
enum cublasPointerMode_t { CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE };
enum cublasComputeType_t {
  CUBLAS_COMPUTE_16F = 64,
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_FAST_16F = 74,
  CUBLAS_COMPUTE_32F_FAST_16BF = 75,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_32I = 72
};
enum cublasGemmAlgo_t {
  CUBLAS_GEMM_DFALT = -1,
  CUBLAS_GEMM_DEFAULT = -1,
  CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
  CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99
};
enum cublasMath_t { CUBLAS_DEFAULT_MATH, CUBLAS_TENSOR_OP_MATH, CUBLAS_PEDANTIC_MATH, CUBLAS_TF32_TENSOR_OP_MATH };
enum cublasAtomicsMode_t { CUBLAS_ATOMICS_NOT_ALLOWED, CUBLAS_ATOMICS_ALLOWED };

#define LIBRARY_CALL(NAME) template <class... A> cublasStatus_t NAME(A &&...);
LIBRARY_CALL(cublasSgemm)
LIBRARY_CALL(cublasDgemm)
LIBRARY_CALL(cublasCgemm)
LIBRARY_CALL(cublasZgemm)
LIBRARY_CALL(cublasHgemm)
LIBRARY_CALL(cublasSgemv)
LIBRARY_CALL(cublasDgemv)
LIBRARY_CALL(cublasCgemv)
LIBRARY_CALL(cublasZgemv)
LIBRARY_CALL(cublasHgemv)
LIBRARY_CALL(cublasSgemmBatched)
LIBRARY_CALL(cublasDgemmBatched)
LIBRARY_CALL(cublasCgemmBatched)
LIBRARY_CALL(cublasZgemmBatched)
LIBRARY_CALL(cublasHgemmBatched)
LIBRARY_CALL(cublasSgemmStridedBatched)
LIBRARY_CALL(cublasDgemmStridedBatched)
LIBRARY_CALL(cublasCgemmStridedBatched)
LIBRARY_CALL(cublasZgemmStridedBatched)
LIBRARY_CALL(cublasHgemmStridedBatched)
LIBRARY_CALL(cublasSaxpy)
LIBRARY_CALL(cublasDaxpy)
LIBRARY_CALL(cublasCaxpy)
LIBRARY_CALL(cublasZaxpy)
LIBRARY_CALL(cublasHaxpy)
LIBRARY_CALL(cublasSdot)
LIBRARY_CALL(cublasDdot)
LIBRARY_CALL(cublasCdot)
LIBRARY_CALL(cublasZdot)
LIBRARY_CALL(cublasHdot)
LIBRARY_CALL(cublasSnrm2)
LIBRARY_CALL(cublasDnrm2)
LIBRARY_CALL(cublasCnrm2)
LIBRARY_CALL(cublasZnrm2)
LIBRARY_CALL(cublasHnrm2)
LIBRARY_CALL(cublasSscal)
LIBRARY_CALL(cublasDscal)
LIBRARY_CALL(cublasCscal)
LIBRARY_CALL(cublasZscal)
LIBRARY_CALL(cublasHscal)
LIBRARY_CALL(cublasSasum)
LIBRARY_CALL(cublasDasum)
LIBRARY_CALL(cublasCasum)
LIBRARY_CALL(cublasZasum)
LIBRARY_CALL(cublasHasum)
LIBRARY_CALL(cublasScopy)
LIBRARY_CALL(cublasDcopy)
LIBRARY_CALL(cublasCcopy)
LIBRARY_CALL(cublasZcopy)
LIBRARY_CALL(cublasHcopy)
LIBRARY_CALL(cublasSswap)
LIBRARY_CALL(cublasDswap)
LIBRARY_CALL(cublasCswap)
LIBRARY_CALL(cublasZswap)
LIBRARY_CALL(cublasHswap)
LIBRARY_CALL(cublasSger)
LIBRARY_CALL(cublasDger)
LIBRARY_CALL(cublasCger)
LIBRARY_CALL(cublasZger)
LIBRARY_CALL(cublasHger)
LIBRARY_CALL(cublasSgeam)
LIBRARY_CALL(cublasDgeam)
LIBRARY_CALL(cublasCgeam)
LIBRARY_CALL(cublasZgeam)
LIBRARY_CALL(cublasHgeam)
LIBRARY_CALL(cublasStrsm)
LIBRARY_CALL(cublasDtrsm)
LIBRARY_CALL(cublasCtrsm)
LIBRARY_CALL(cublasZtrsm)
LIBRARY_CALL(cublasHtrsm)
LIBRARY_CALL(cublasSsymm)
LIBRARY_CALL(cublasDsymm)
LIBRARY_CALL(cublasCsymm)
LIBRARY_CALL(cublasZsymm)
LIBRARY_CALL(cublasHsymm)
LIBRARY_CALL(cublasSsyrk)
LIBRARY_CALL(cublasDsyrk)
LIBRARY_CALL(cublasCsyrk)
LIBRARY_CALL(cublasZsyrk)
LIBRARY_CALL(cublasHsyrk)
LIBRARY_CALL(cublasStrsv)
LIBRARY_CALL(cublasDtrsv)
LIBRARY_CALL(cublasCtrsv)
LIBRARY_CALL(cublasZtrsv)
LIBRARY_CALL(cublasHtrsv)
LIBRARY_CALL(cublasCreate)
LIBRARY_CALL(cublasDestroy)
LIBRARY_CALL(cublasCreate_v2)
LIBRARY_CALL(cublasDestroy_v2)
LIBRARY_CALL(cublasInit)
LIBRARY_CALL(cublasShutdown)
LIBRARY_CALL(cublasGetError)
LIBRARY_CALL(cublasGetVersion)
LIBRARY_CALL(cublasGemmEx)
LIBRARY_CALL(cublasGemmBatchedEx)
LIBRARY_CALL(cublasGemmStridedBatchedEx)
LIBRARY_CALL(cublasSgemmEx)
LIBRARY_CALL(cublasSetMathMode)
LIBRARY_CALL(cublasSetStream)
LIBRARY_CALL(cublasGetStream)
LIBRARY_CALL(cublasSetPointerMode)
LIBRARY_CALL(cublasGetPointerMode)
LIBRARY_CALL(cublasSetWorkspace)
LIBRARY_CALL(cublasSetVector)
LIBRARY_CALL(cublasGetVector)
LIBRARY_CALL(cublasSetMatrix)
LIBRARY_CALL(cublasGetMatrix)
LIBRARY_CALL(cublasSetAtomicsMode)
LIBRARY_CALL(cublasIsamax)
LIBRARY_CALL(cublasIdamax)
LIBRARY_CALL(cublasIsamin)
LIBRARY_CALL(cublasIdamin)
LIBRARY_CALL(cublasAlloc)
LIBRARY_CALL(cublasFree)
LIBRARY_CALL(cublasAxpyEx)
LIBRARY_CALL(cublasDotEx)
LIBRARY_CALL(cublasScalEx)
LIBRARY_CALL(cublasNrm2Ex)
#undef LIBRARY_CALL
