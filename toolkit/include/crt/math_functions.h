/* crt/math_functions.h: the place of math_functions.h from release 9 on. */
#include "../math_functions.h"
