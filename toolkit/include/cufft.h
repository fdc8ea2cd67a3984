/* cufft.h: names and types of cuFFT, for programs that mention them. There is no library. */
#ifndef __CUFFT_H__
#define __CUFFT_H__

#include "cuComplex.h"
#include "driver_types.h"

enum cufftResult_t {
	CUFFT_SUCCESS = 0,
	CUFFT_INVALID_PLAN = 1,
	CUFFT_ALLOC_FAILED = 2,
	CUFFT_INVALID_TYPE = 3,
	CUFFT_INVALID_VALUE = 4,
	CUFFT_INTERNAL_ERROR = 5,
	CUFFT_EXEC_FAILED = 6,
	CUFFT_SETUP_FAILED = 7,
	CUFFT_INVALID_SIZE = 8,
	CUFFT_UNALIGNED_DATA = 9,
	CUFFT_INCOMPLETE_PARAMETER_LIST = 10,
	CUFFT_INVALID_DEVICE = 11,
	CUFFT_PARSE_ERROR = 12,
	CUFFT_NO_WORKSPACE = 13,
	CUFFT_NOT_IMPLEMENTED = 14,
	CUFFT_LICENSE_ERROR = 15,
	CUFFT_NOT_SUPPORTED = 16
};
typedef enum cufftResult_t cufftResult;

typedef int cufftHandle;
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;

#endif
