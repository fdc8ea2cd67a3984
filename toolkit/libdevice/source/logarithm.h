// The logarithm of float near 1, and the parts of a number.
#pragma once
#include "device.h"
#include "polynomials_gen.h"

struct Parts {
    float m, k; // m 2^k, m between root(1/2) and root(2)
};

inline Parts parts(float x) {
    int k = (int)(bits(x) - 0x3f3504f3) >> 23;
    return {number(bits(x) - ((uint)k << 23)), (float)k};
}

// ordinary reports whether x is positive and finite. A subnormal number is not ordinary: it is a
// zero.
inline bool ordinary(float x) { return bits(x) - 0x00800000 < 0x7f000000; }

// rest returns the logarithm of an x that is not ordinary.
inline float logarithmOfRest(float x) {
    return x == 0 ? -infinity<float> : x > 0 ? x : notANumber<float>;
}

// logarithm returns log(1 + f) + k log(2) + low.
inline float logarithm(float f, float k, float low = 0) {
    const float ln2High = 0x1.62ep-1f, ln2Low = 0x1.0bfbe8p-15f;
    float square = f * f, cube = f * square * polynomial(log_p<float>, f);
    return k * ln2High + (f - (0.5f * square - (cube + (k * ln2Low + low))));
}
