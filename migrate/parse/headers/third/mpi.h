// MPI. Host code only: any call type-checks.
#pragma once
#include <__cushim.h>

typedef int MPI_Comm, MPI_Datatype, MPI_Op, MPI_Request, MPI_Info;
struct MPI_Status {
  int MPI_SOURCE, MPI_TAG, MPI_ERROR;
};
double MPI_Wtime();
#define MPI_SUCCESS 0
#define MPI_MAX_ERROR_STRING 512
#define MPI_MAX_PROCESSOR_NAME 256
#define MPI_IN_PLACE ((void *)1)
#define MPI_STATUS_IGNORE ((MPI_Status *)0)
#define MPI_STATUSES_IGNORE ((MPI_Status *)0)
enum __mpi_constant {
  MPI_COMM_WORLD,
  MPI_COMM_SELF,
  MPI_COMM_NULL,
  MPI_BYTE,
  MPI_CHAR,
  MPI_INT,
  MPI_LONG,
  MPI_FLOAT,
  MPI_DOUBLE,
  MPI_UNSIGNED,
  MPI_DATATYPE_NULL,
  MPI_SUM,
  MPI_MAX,
  MPI_MIN,
  MPI_INFO_NULL,
  MPI_REQUEST_NULL,
  MPI_COMM_TYPE_SHARED
};

#define LIBRARY_CALL(NAME) template <class... A> int NAME(A &&...);
LIBRARY_CALL(MPI_Init)
LIBRARY_CALL(MPI_Init_thread)
LIBRARY_CALL(MPI_Finalize)
LIBRARY_CALL(MPI_Comm_rank)
LIBRARY_CALL(MPI_Comm_size)
LIBRARY_CALL(MPI_Comm_split)
LIBRARY_CALL(MPI_Comm_free)
LIBRARY_CALL(MPI_Barrier)
LIBRARY_CALL(MPI_Bcast)
LIBRARY_CALL(MPI_Reduce)
LIBRARY_CALL(MPI_Allreduce)
LIBRARY_CALL(MPI_Allgather)
LIBRARY_CALL(MPI_Allgatherv)
LIBRARY_CALL(MPI_Gather)
LIBRARY_CALL(MPI_Gatherv)
LIBRARY_CALL(MPI_Scatter)
LIBRARY_CALL(MPI_Scatterv)
LIBRARY_CALL(MPI_Alltoall)
LIBRARY_CALL(MPI_Send)
LIBRARY_CALL(MPI_Recv)
LIBRARY_CALL(MPI_Isend)
LIBRARY_CALL(MPI_Irecv)
LIBRARY_CALL(MPI_Wait)
LIBRARY_CALL(MPI_Waitall)
LIBRARY_CALL(MPI_Sendrecv)
LIBRARY_CALL(MPI_Abort)
LIBRARY_CALL(MPI_Error_string)
LIBRARY_CALL(MPI_Get_processor_name)
LIBRARY_CALL(MPI_Comm_split_type)
LIBRARY_CALL(MPI_Initialized)
#undef LIBRARY_CALL
