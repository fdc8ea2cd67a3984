/* host_config.h: which host compilers will do. clang says itself what it lacks. */
#ifndef __HOST_CONFIG_H__
#define __HOST_CONFIG_H__

#include <features.h>

#endif
