/* sm_32_atomic_functions.h: an old name of device_atomic_functions.h. */
#include "device_atomic_functions.h"
