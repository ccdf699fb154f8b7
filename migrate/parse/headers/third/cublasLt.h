// cuBLASLt. Host code only: any call type-checks.
#pragma once
#include <cublas_v2.h>

typedef struct cublasLtContext *cublasLtHandle_t;
typedef struct cublasLtMatmulDescOpaque *cublasLtMatmulDesc_t;
typedef struct cublasLtMatrixLayoutOpaque *cublasLtMatrixLayout_t;
typedef struct cublasLtMatmulPreferenceOpaque *cublasLtMatmulPreference_t;
struct cublasLtMatmulAlgo_t {
  unsigned long data[8];
};
struct cublasLtMatmulHeuristicResult_t {
  cublasLtMatmulAlgo_t algo;
  size_t workspaceSize;
  cublasStatus_t state;
  float wavesCount;
  int reserved[4];
};
enum cublasLtEpilogue_t {
  CUBLASLT_EPILOGUE_DEFAULT = 1,
  CUBLASLT_EPILOGUE_RELU = 2,
  CUBLASLT_EPILOGUE_BIAS = 4,
  CUBLASLT_EPILOGUE_RELU_BIAS = 6,
  CUBLASLT_EPILOGUE_GELU = 32,
  CUBLASLT_EPILOGUE_GELU_BIAS = 36,
  CUBLASLT_EPILOGUE_GELU_AUX = 160,
  CUBLASLT_EPILOGUE_GELU_AUX_BIAS = 164,
  CUBLASLT_EPILOGUE_DGELU = 192,
  CUBLASLT_EPILOGUE_DGELU_BGRAD = 208,
  CUBLASLT_EPILOGUE_BGRADA = 256,
  CUBLASLT_EPILOGUE_BGRADB = 512
};
enum cublasLtMatmulDescAttributes_t {
  CUBLASLT_MATMUL_DESC_COMPUTE_TYPE,
  CUBLASLT_MATMUL_DESC_SCALE_TYPE,
  CUBLASLT_MATMUL_DESC_POINTER_MODE,
  CUBLASLT_MATMUL_DESC_TRANSA,
  CUBLASLT_MATMUL_DESC_TRANSB,
  CUBLASLT_MATMUL_DESC_TRANSC,
  CUBLASLT_MATMUL_DESC_EPILOGUE,
  CUBLASLT_MATMUL_DESC_BIAS_POINTER,
  CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE,
  CUBLASLT_MATMUL_DESC_A_SCALE_POINTER,
  CUBLASLT_MATMUL_DESC_B_SCALE_POINTER,
  CUBLASLT_MATMUL_DESC_D_SCALE_POINTER,
  CUBLASLT_MATMUL_DESC_FAST_ACCUM
};
enum cublasLtMatrixLayoutAttribute_t {
  CUBLASLT_MATRIX_LAYOUT_TYPE,
  CUBLASLT_MATRIX_LAYOUT_ORDER,
  CUBLASLT_MATRIX_LAYOUT_ROWS,
  CUBLASLT_MATRIX_LAYOUT_COLS,
  CUBLASLT_MATRIX_LAYOUT_LD,
  CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT,
  CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET
};
enum cublasLtOrder_t { CUBLASLT_ORDER_COL, CUBLASLT_ORDER_ROW };
enum cublasLtMatmulPreferenceAttributes_t {
  CUBLASLT_MATMUL_PREF_SEARCH_MODE,
  CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
  CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK
};

#define LIBRARY_CALL(NAME) template <class... A> cublasStatus_t NAME(A &&...);
LIBRARY_CALL(cublasLtCreate)
LIBRARY_CALL(cublasLtDestroy)
LIBRARY_CALL(cublasLtMatmul)
LIBRARY_CALL(cublasLtMatmulAlgoGetHeuristic)
LIBRARY_CALL(cublasLtMatmulDescInit)
LIBRARY_CALL(cublasLtMatrixTransform)
LIBRARY_CALL(cublasLtMatmulDescCreate)
LIBRARY_CALL(cublasLtMatmulDescDestroy)
LIBRARY_CALL(cublasLtMatmulDescSetAttribute)
LIBRARY_CALL(cublasLtMatmulDescGetAttribute)
LIBRARY_CALL(cublasLtMatrixLayoutCreate)
LIBRARY_CALL(cublasLtMatrixLayoutDestroy)
LIBRARY_CALL(cublasLtMatrixLayoutSetAttribute)
LIBRARY_CALL(cublasLtMatrixLayoutGetAttribute)
LIBRARY_CALL(cublasLtMatmulPreferenceCreate)
LIBRARY_CALL(cublasLtMatmulPreferenceDestroy)
LIBRARY_CALL(cublasLtMatmulPreferenceSetAttribute)
LIBRARY_CALL(cublasLtMatmulPreferenceGetAttribute)
LIBRARY_CALL(cublasLtMatrixTransformDescCreate)
LIBRARY_CALL(cublasLtMatrixTransformDescDestroy)
LIBRARY_CALL(cublasLtMatrixTransformDescSetAttribute)
LIBRARY_CALL(cublasLtMatrixTransformDescGetAttribute)
#undef LIBRARY_CALL
