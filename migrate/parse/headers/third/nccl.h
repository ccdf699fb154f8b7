// NCCL. Host code only: any call type-checks.
#pragma once
#include <__cushim.h>

typedef struct ncclComm *ncclComm_t;
struct ncclUniqueId {
  char internal[128];
};
enum ncclResult_t { ncclSuccess, ncclUnhandledCudaError, ncclSystemError, ncclInternalError, ncclInvalidArgument };
enum ncclDataType_t {
  ncclInt8 = 0,
  ncclChar = 0,
  ncclUint8 = 1,
  ncclInt32 = 2,
  ncclInt = 2,
  ncclUint32 = 3,
  ncclInt64 = 4,
  ncclUint64 = 5,
  ncclFloat16 = 6,
  ncclHalf = 6,
  ncclFloat32 = 7,
  ncclFloat = 7,
  ncclFloat64 = 8,
  ncclDouble = 8,
  ncclBfloat16 = 9
};
enum ncclRedOp_t { ncclSum, ncclProd, ncclMax, ncclMin, ncclAvg };

#define LIBRARY_CALL(NAME) template <class... A> ncclResult_t NAME(A &&...);
LIBRARY_CALL(ncclGetUniqueId)
LIBRARY_CALL(ncclCommInitRank)
LIBRARY_CALL(ncclCommInitAll)
LIBRARY_CALL(ncclCommDestroy)
LIBRARY_CALL(ncclCommAbort)
LIBRARY_CALL(ncclCommCount)
LIBRARY_CALL(ncclAllReduce)
LIBRARY_CALL(ncclReduce)
LIBRARY_CALL(ncclBroadcast)
LIBRARY_CALL(ncclBcast)
LIBRARY_CALL(ncclAllGather)
LIBRARY_CALL(ncclReduceScatter)
LIBRARY_CALL(ncclSend)
LIBRARY_CALL(ncclRecv)
LIBRARY_CALL(ncclGroupStart)
LIBRARY_CALL(ncclGroupEnd)
LIBRARY_CALL(ncclCommUserRank)
LIBRARY_CALL(ncclCommCuDevice)
#undef LIBRARY_CALL
const char *ncclGetErrorString(ncclResult_t);
