/* device_launch_parameters.h: threadIdx and its like come with cuda_runtime.h. */
#include "vector_types.h"
