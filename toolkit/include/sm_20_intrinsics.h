/* sm_20_intrinsics.h: an old name of device_functions.h. */
#include "device_functions.h"
