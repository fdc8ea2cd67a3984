/*
 * math_functions.h: functions of CUDA's mathematics beyond the C library and clang's own headers.
 *
 * Three kinds: overloads for float that clang declares but does not define, CUDA's functions for
 * the host, and minima and maxima, which both sides have.
 */
#ifndef __MATH_FUNCTIONS_H__
#define __MATH_FUNCTIONS_H__

#if defined(__cplusplus) && defined(__CUDA__)

#include "jacquard/math_float.h"
#include "jacquard/math_host.h"
#include "jacquard/math_minmax.h"

#endif

#endif
