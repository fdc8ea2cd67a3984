/* common_functions.h: printf, malloc, clock and their like come with cuda_runtime.h. */
#include "math_functions.h"
