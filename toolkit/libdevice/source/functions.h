// Functions of the library that other functions use, under one name for float and double.
#pragma once
#include "device.h"

#define FUNCTION(name)                                     \
    API float __nv_##name##f(float);                       \
    API double __nv_##name(double);                        \
    inline float name(float x) { return __nv_##name##f(x); } \
    inline double name(double x) { return __nv_##name(x); }

FUNCTION(exp)
FUNCTION(log)
FUNCTION(log1p)
FUNCTION(sin)
FUNCTION(cos)
FUNCTION(sinpi)
FUNCTION(erf)
FUNCTION(erfc)
FUNCTION(erfcx)
FUNCTION(erfcinv)
FUNCTION(j0)
FUNCTION(j1)
FUNCTION(y0)
FUNCTION(y1)

API double __nv_pow(double, double);
