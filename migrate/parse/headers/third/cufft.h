// cuFFT. Host code only: any call type-checks.
#pragma once
#include <__cushim.h>

#define _CUFFT_H_
typedef int cufftHandle;
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuFloatComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;
#define CUFFT_FORWARD -1
#define CUFFT_INVERSE 1
enum cufftResult {
  CUFFT_SUCCESS,
  CUFFT_INVALID_PLAN,
  CUFFT_ALLOC_FAILED,
  CUFFT_INVALID_TYPE,
  CUFFT_INVALID_VALUE,
  CUFFT_INTERNAL_ERROR,
  CUFFT_EXEC_FAILED,
  CUFFT_SETUP_FAILED,
  CUFFT_INVALID_SIZE,
  CUFFT_UNALIGNED_DATA,
  CUFFT_INCOMPLETE_PARAMETER_LIST,
  CUFFT_INVALID_DEVICE,
  CUFFT_PARSE_ERROR,
  CUFFT_NO_WORKSPACE,
  CUFFT_NOT_IMPLEMENTED,
  CUFFT_LICENSE_ERROR,
  CUFFT_NOT_SUPPORTED
};
enum cufftType {
  CUFFT_R2C = 0x2a,
  CUFFT_C2R = 0x2c,
  CUFFT_C2C = 0x29,
  CUFFT_D2Z = 0x6a,
  CUFFT_Z2D = 0x6c,
  CUFFT_Z2Z = 0x69
};

#define LIBRARY_CALL(NAME) template <class... A> cufftResult NAME(A &&...);
LIBRARY_CALL(cufftPlan1d)
LIBRARY_CALL(cufftPlan2d)
LIBRARY_CALL(cufftPlan3d)
LIBRARY_CALL(cufftPlanMany)
LIBRARY_CALL(cufftCreate)
LIBRARY_CALL(cufftDestroy)
LIBRARY_CALL(cufftMakePlan1d)
LIBRARY_CALL(cufftMakePlan2d)
LIBRARY_CALL(cufftMakePlan3d)
LIBRARY_CALL(cufftMakePlanMany)
LIBRARY_CALL(cufftExecC2C)
LIBRARY_CALL(cufftExecR2C)
LIBRARY_CALL(cufftExecC2R)
LIBRARY_CALL(cufftExecZ2Z)
LIBRARY_CALL(cufftExecD2Z)
LIBRARY_CALL(cufftExecZ2D)
LIBRARY_CALL(cufftSetStream)
LIBRARY_CALL(cufftSetWorkArea)
LIBRARY_CALL(cufftSetAutoAllocation)
LIBRARY_CALL(cufftGetSize)
LIBRARY_CALL(cufftEstimate1d)
LIBRARY_CALL(cufftXtSetGPUs)
LIBRARY_CALL(cufftXtMalloc)
LIBRARY_CALL(cufftXtMemcpy)
LIBRARY_CALL(cufftXtExecDescriptorC2C)
LIBRARY_CALL(cufftXtExecDescriptorZ2Z)
LIBRARY_CALL(cufftXtFree)
LIBRARY_CALL(cufftXtSetCallback)
LIBRARY_CALL(cufftXtQueryPlan)
LIBRARY_CALL(cufftXtMakePlanMany)
LIBRARY_CALL(cufftXtExec)
LIBRARY_CALL(cufftXtGetSizeMany)
#undef LIBRARY_CALL
