// Exponentials and hyperbolic functions of float.
#include "exponential.h"

// bounded limits x to the range where results are neither zero nor infinity, or just beyond. NaN
// stays.
static float bounded(float x, float most) { return x > most ? most : x < -most ? -most : x; }

API float __nv_expf(float x) {
    Scaled e = exponential(bounded(x, 105));
    return scaled(e.y, e.n);
}

API float __nv_exp2f(float x) {
    x = bounded(x, 160);
    float k = nearest(x), r = x - k;
    return scaled(1 + r * polynomial(exp2_p<float>, r), (int)k);
}

API float __nv_exp10f(float x) {
    const float lg2High = 0x1.344p-2f, lg2Low = 0x1.3509f8p-18f; // the logarithm of 2 to base 10
    x = bounded(x, 46);
    float k = nearest(x * 0x1.a934f0p+1f), r = (x - k * lg2High) - k * lg2Low;
    return scaled(1 + r * polynomial(exp10_p<float>, r), (int)k);
}

API float __nv_expm1f(float x) {
    const float ln2High = 0x1.62ep-1f, ln2Low = 0x1.0bfbe8p-15f;
    float t = bounded(x, 105);
    float k = nearest(t * 0x1.715476p+0f), high = t - k * ln2High, low = k * ln2Low;
    float r = high - low, rest = r * r * polynomial(exp_p<float>, r) - low;
    if (k == 0)
        return x == 0 ? x : high + rest;
    if (k < 25) { // 2^k (high + rest) + (2^k - 1)
        float scale = number((uint)((int)(k < -30 ? -30 : k) + 127) << 23);
        Pair<float> s = sum(scale * high, scale - 1);
        return s.high + (s.low + scale * rest);
    }
    return scaled(1 + (high + rest), (int)k);
}

API float __nv_sinhf(float x) {
    float a = magnitude(x), z = x * x;
    if (a < 1)
        return x + x * z * polynomial(sinh_p<float>, z);
    Scaled e = exponential(bounded(a, 105));
    return withSign(scaled(e.y, e.n - 1) - scaled(rcp(e.y), -e.n - 1), x);
}

API float __nv_coshf(float x) {
    Scaled e = exponential(bounded(magnitude(x), 105));
    return scaled(e.y, e.n - 1) + scaled(rcp(e.y), -e.n - 1);
}

API float __nv_tanhf(float x) {
    float a = magnitude(x), z = x * x;
    if (a < 0.55f)
        return withSign(x + x * z * polynomial(tanh_p<float>, z), x);
    Scaled e = exponential(2 * (a > 20 ? 20 : a));
    return withSign(1 - 2 * rcp(scaled(e.y, e.n) + 1), x);
}
