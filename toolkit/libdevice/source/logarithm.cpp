// Logarithms, and inverse hyperbolic functions of float.
#include "logarithm.h"

API float __nv_logf(float x) {
    if (!ordinary(x))
        return logarithmOfRest(x);
    Parts p = parts(x);
    return logarithm(p.m - 1, p.k);
}

// libclc's function has an error of 1.5 ulp.
API double __nv_log(double x) {
    const double ln2High = 0x1.62e42fefap-1, ln2Low = 0x1.cf79abc9e3b3ap-40;
    if (!(x > 0 && x < infinity<double>))
        return x == 0 ? -infinity<double> : x > 0 ? x : notANumber<double>;
    double low = x < 0x1p-1022 ? 54 : 0;
    if (low != 0)
        x *= 0x1p54;
    int e = (int)((bits(x) >> 32) - 0x3fe6a09e) >> 20;
    double f = number(bits(x) - ((ullong)(uint)e << 52)) - 1, k = e - low, square = f * f;
    double y = __builtin_fma(f * square, polynomial(log_p<double>, f), k * ln2Low);
    double half = 0.5 * square, lost = __builtin_fma(0.5 * f, f, -half);
    return __builtin_fma(k, ln2High, f - (half - (y - lost)));
}

API float __nv_log2f(float x) {
    if (!ordinary(x))
        return logarithmOfRest(x);
    Parts p = parts(x);
    float f = p.m - 1, square = f * f;
    float y = f * square * polynomial(log_p<float>, f) - 0.5f * square; // log(1 + f) - f
    return p.k + (f + (0x1.c551dap-2f * f + 0x1.715476p+0f * y));
}

API float __nv_log10f(float x) {
    if (!ordinary(x))
        return logarithmOfRest(x);
    Parts p = parts(x);
    const float lg2High = 0x1.344p-2f, lg2Low = 0x1.3509f8p-18f;
    float f = p.m - 1, square = f * f;
    float y = f * square * polynomial(log_p<float>, f) - 0.5f * square;
    return p.k * lg2High + (0.5f * f + (-0x1.0d213ap-4f * f + (0x1.bcb7b2p-2f * y + p.k * lg2Low)));
}

// near returns log(1 + x) of an x greater than -1.
static float near(float x) {
    if (x > -0.29f && x < 0.41f)
        return logarithm(x, 0);
    float u = 1 + x, lost = x < 1 ? x - (u - 1) : 1 - (u - x);
    Parts p = parts(u);
    return logarithm(p.m - 1, p.k, quotient(lost, u));
}

API float __nv_log1pf(float x) {
    if (!(x > -1 && x < infinity<float>))
        return logarithmOfRest(x == -1 ? 0 : x);
    return x == 0 ? x : near(x);
}

// Above 4096 the square root is x, so that the result is log(2x).
static float ofTwice(float x) {
    if (x == infinity<float>)
        return x;
    Parts p = parts(x);
    return logarithm(p.m - 1, p.k + 1);
}

API float __nv_asinhf(float x) {
    float a = magnitude(x), z = x * x;
    if (a < 0.5f)
        return withSign(x + x * z * polynomial(asinh_p<float>, z), x);
    if (a != a)
        return x;
    return withSign(a > 4096 ? ofTwice(a) : near(a + quotient(z, 1 + root(1 + z))), x);
}

API float __nv_acoshf(float x) {
    if (!(x >= 1))
        return notANumber<float>;
    float t = x - 1;
    return x > 4096 ? ofTwice(x) : near(t + root(t * (t + 2)));
}

API float __nv_atanhf(float x) {
    float a = magnitude(x), z = x * x;
    if (a < 0.5f)
        return x + x * z * polynomial(atanh_p<float>, z);
    if (!(a < 1))
        return a == 1 ? withSign(infinity<float>, x) : notANumber<float>;
    return withSign(0.5f * near(quotient(2 * a, 1 - a)), x);
}
