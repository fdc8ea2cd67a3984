/* cublas_v2.h: the second interface of cuBLAS has the same names and types. */
#include "cublas.h"
