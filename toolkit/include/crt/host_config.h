/* crt/host_config.h: the place of host_config.h from release 9 on. */
#include "../host_config.h"
