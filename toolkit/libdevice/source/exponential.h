// The exponential function of float as a number near 1 and a power of two.
#pragma once
#include "device.h"
#include "polynomials_gen.h"

struct Scaled {
    float y;
    int n;
};

// exponential returns e^(x + low), |x| at most 200, |low| small.
inline Scaled exponential(float x, float low = 0) {
    const float ln2High = 0x1.62ep-1f, ln2Low = 0x1.0bfbe8p-15f; // k ln2High is exact
    float k = nearest(x * 0x1.715476p+0f), high = x - k * ln2High;
    low = k * ln2Low - low;
    float r = high - low;
    return {1 + (high + (r * r * polynomial(exp_p<float>, r) - low)), (int)k};
}
