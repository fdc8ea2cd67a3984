/* crt/host_defines.h: the place of host_defines.h from release 9 on. */
#include "../host_defines.h"
