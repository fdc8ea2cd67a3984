// Powers of float with whole and other exponents.
#include "functions.h"
#include "power.h"

// power returns a^y, a ordinary.
static float power(float a, Pair<float> y) {
    Pair<float> l = logarithm2(a);
    float about = l.high * y.high;
    if (!(magnitude(about) < 200))
        return about > 0 ? infinity<float> : 0;
    Power e = power2(product(l, y));
    return scaled(e.y, e.n);
}

API float __nv_powf(float x, float y) {
    if (y == 0 || x == 1)
        return 1;
    if (x != x || y != y)
        return notANumber<float>;
    float a = magnitude(x), b = magnitude(y), r;
    bool whole = __builtin_truncf(y) == y, odd = whole && b < 0x1p24f && ((int)b & 1);
    if (b == infinity<float>)
        return a == 1 ? 1 : (a > 1) == (y > 0) ? b : 0;
    if (!ordinary(a))
        r = (a == 0) == (y < 0) ? infinity<float> : 0;
    else if (x < 0 && !whole)
        return notANumber<float>;
    else
        r = power(a, {b > 0x1p60f ? withSign(0x1p60f, y) : y, 0});
    return odd ? withSign(r, x) : r;
}

API float __nv_powif(float x, int n) {
    float a = magnitude(x), high = (float)(n & ~0xff), r;
    if (n == 0 || x == 1)
        return 1;
    if (x != x)
        return x;
    if (!ordinary(a))
        r = (a == 0) == (n < 0) ? infinity<float> : 0;
    else
        r = power(a, sum(high, (float)(n & 0xff)));
    return n & 1 ? withSign(r, x) : r;
}

API double __nv_powi(double x, int n) { return __nv_pow(x, n); }
