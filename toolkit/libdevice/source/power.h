// Logarithms of float to base 2 as pairs, and powers of two of pairs.
#pragma once
#include "logarithm.h"

// logarithm2 returns the logarithm of an ordinary x to base 2, with a relative error of 2^-33. With
// s = (m - 1) / (m + 1), log(m) = s (2 + 2/3 s^2 + s^4 ...).
inline Pair<float> logarithm2(float x) {
    Parts p = parts(x);
    float f = p.m - 1;
    Pair<float> d = sum(p.m, 1.0f);
    float r = rcp(d.high);
    Pair<float> s{f * r, 0}, back = product(s.high, d.high);
    s.low = r * (((f - back.high) - back.low) - s.high * d.low);
    Pair<float> z = product(s, s), c = product(z, {0x1.555556p-1f, -0x1.555556p-26f});
    c = ordered(c.high, c.low + z.high * z.high * polynomial(log2_p<float>, z.high));
    Pair<float> t = ordered(2.0f, c.high);
    t.low += c.low;
    Pair<float> y = product(product(s, t), {0x1.715476p+0f, 0x1.4ae0cp-26f});
    Pair<float> whole = sum(p.k, y.high);
    return ordered(whole.high, whole.low + y.low);
}

struct Power {
    float y;
    int n;
};

// power2 returns 2^e as y 2^n, |e| at most 1000.
inline Power power2(Pair<float> e) {
    float k = nearest(e.high), r = (e.high - k) + e.low;
    return {1 + r * polynomial(exp2_p<float>, r), (int)k};
}
