/* host_config.h: the supported host compilers. clang itself reports what it lacks. */
#ifndef __HOST_CONFIG_H__
#define __HOST_CONFIG_H__

#include <features.h>

#endif
