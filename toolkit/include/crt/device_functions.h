/* crt/device_functions.h: the place of device_functions.h from release 9 on. */
#include "../device_functions.h"
