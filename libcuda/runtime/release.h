// Programs of release 4.0 on the library of release 4.2: both releases have one name.
#ifndef JACQUARD_RUNTIME_RELEASE_H
#define JACQUARD_RUNTIME_RELEASE_H

#include "runtime.h"

#if CUDART_VERSION == 4020

// runtime_see_release reads the release in an image that the program registers.
void runtime_see_release(const void *code);

// runtime_is_4_0 tells whether an image was made by the compiler of release 4.0.
int runtime_is_4_0(void);

#else

static inline void runtime_see_release(const void *code) { (void)code; }

#endif

#endif
