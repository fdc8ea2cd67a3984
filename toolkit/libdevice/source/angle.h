// Reduction of angles of float.
#pragma once
#include "device.h"
#include "polynomials_gen.h"

struct Angle {
    float r; // between -pi/4 and pi/4
    int k;   // how many quarters of the circle
};

// The digits of 2/pi behind 32 zeros.
inline constexpr uint digitsOfTwoByPi[] = {0,          0xa2f9836e, 0x4e441529,
                                           0xfc2757d1, 0xf534ddc0, 0xdb629599,
                                           0x3c439041, 0xfe5163ab, 0xdebbc561};

// far reduces a large angle: x 2/pi modulo 4 with 94 bits behind the point.
inline Angle far(float x) {
    uint m = (bits(x) & 0x7fffff) | 0x800000;
    int from = (int)(bits(x) >> 23 & 0xff) - 150 + 30; // the first digit that matters
    const uint *word = digitsOfTwoByPi + (from >> 5);
    int shift = from & 31;
    auto digits = [=](int i) {
        return shift ? word[i] << shift | word[i + 1] >> (32 - shift) : word[i];
    };
    uint a = digits(0), b = digits(1), c = digits(2);
    uint low = m * c, middle = m * b, carry = __nvvm_mulhi_ui(m, c);
    middle += carry;
    uint high = m * a + __nvvm_mulhi_ui(m, b) + (middle < carry);
    int k = (int)(high + 0x20000000) >> 30;
    high -= (uint)k << 30;
    bool negative = (int)high < 0;
    if (negative) {
        high = ~high, middle = ~middle, low = ~low; // less by one digit at the end
    }
    int zeros = 0;
    if (high < 0x100) { // rare: close to a multiple of pi/2
        zeros = 24;
        high = high << 24 | middle >> 8;
        middle = middle << 24 | low >> 8;
    }
    int more = high ? __builtin_clz(high) : 32;
    high = more ? high << more | middle >> (32 - more) : high;
    float unit = number((uint)(127 - 30 - zeros - more) << 23);
    float upper = (float)(high & ~0xffu), rest = (float)(high & 0xff); // exact both
    Pair<float> p = product(upper, 0x1.921fb6p+0f);
    float f = (p.high + (p.low + (upper * -0x1.777a5cp-25f + rest * 0x1.921fb6p+0f))) * unit;
    if (bits(x) >> 31)
        negative = !negative, k = -k;
    return {negative ? -f : f, k};
}

// reduced returns the angle of a finite x.
inline Angle reduced(float x) {
    if (magnitude(x) > 100)
        return far(x);
    float k = nearest(x * 0x1.45f306p-1f); // k times the first two parts of pi/2 is exact
    return {((x - k * 0x1.921f8p+0f) - k * 0x1.aa22p-19f) - k * 0x1.68c234p-39f, (int)k};
}

inline float sine(float r, float z) { return r + r * z * polynomial(sin_p<float>, z); }
inline float cosine(float z) { return 1 - (0.5f * z - z * z * polynomial(cos_p<float>, z)); }
