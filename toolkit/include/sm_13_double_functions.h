/* sm_13_double_functions.h: an old name of device_functions.h. */
#include "device_functions.h"
