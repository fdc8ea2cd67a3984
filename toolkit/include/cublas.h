/* cublas.h: names of cuBLAS, for programs that mention them. There is no library. */
#ifndef __CUBLAS_H__
#define __CUBLAS_H__

#include "cuComplex.h"
#include "driver_types.h"

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
typedef enum cublasStatus_t cublasStatus_t;
typedef cublasStatus_t cublasStatus;

#endif
