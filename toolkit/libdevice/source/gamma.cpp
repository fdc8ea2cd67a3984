// The gamma function.
#include "functions.h"
#include "power.h"

// between returns gamma(x), x at most 12: by gamma(x + 1) = x gamma(x) from 1 to 2.
template <typename T> static T between(T x) {
    T y = 1;
    for (; x > 2; y *= x)
        x -= 1;
    if (x < 1)
        y = 1 / x, x += 1;
    return y * polynomial(gamma_p<T>, x - T(1.5));
}

// positive returns gamma(x) as y 2^n. Above 5 gamma is root(2 pi) x^(x - 1/2) e^-x (1 + ...).
static Power positive(float x) {
    if (x < 5)
        return {between(x), 0};
    Pair<float> e = product(logarithm2(x), {x - 0.5f, 0});
    Pair<float> less = product(Pair<float>{x, 0}, {-0x1.715476p+0f, -0x1.4ae0cp-26f});
    Pair<float> s = sum(e.high, less.high);
    Power p = power2(ordered(s.high, s.low + (e.low + less.low)));
    float u = 1 / x;
    p.y *= 0x1.40d932p+1f;
    p.y += p.y * u * polynomial(stirling_p<float>, u);
    return p;
}

// By reflection: gamma(x) = pi / (x sin(pi x) gamma(-x)) times -1, of a negative x.
API float __nv_tgammaf(float x) {
    float a = magnitude(x);
    if (a < 0x1p-30f)
        return 1 / x;
    if (x != x || x == infinity<float>)
        return x;
    if (x == -infinity<float> || (x < 0 && __builtin_truncf(x) == x))
        return notANumber<float>;
    if (a > 60)
        return x > 0 ? infinity<float> : 0;
    Power p = positive(a);
    return x > 0 ? scaled(p.y, p.n) : scaled(-0x1.921fb6p+1f / (a * sinpi(a) * p.y), -p.n);
}

// ofDouble returns gamma(x) / scale, for a scale that keeps it in range.
static double ofDouble(double x, double scale) {
    if (x < 12)
        return between(x) / scale;
    double u = 1 / x, half = __nv_pow(x, 0.5 * x - 0.25), y = half * exp(-x) / scale * half;
    y *= 2.5066282746310005024;
    return __builtin_fma(y * u, polynomial(stirling_p<double>, u), y);
}

API double __nv_tgamma(double x) {
    double a = magnitude(x);
    if (a < 0x1p-60)
        return 1 / x;
    if (x != x || x == infinity<double>)
        return x;
    if (x == -infinity<double> || (x < 0 && __builtin_trunc(x) == x))
        return notANumber<double>;
    if (a > 190)
        return x > 0 ? infinity<double> : 0;
    if (x > 0)
        return ofDouble(x, 1);
    return -0x1.921fb54442d18p+1 / (a * sinpi(a) * ofDouble(a, 0x1p100)) * 0x1p-100;
}

// logarithmOf returns log(gamma(x)), x positive.
static float logarithmOf(float x) {
    if (x < 0.5f)
        return x * polynomial(lgamma_one_p<float>, x) - log(x);
    if (x < 1.5f)
        return (x - 1) * polynomial(lgamma_one_p<float>, x - 1) + 0; // no -0
    if (x < 3)
        return (x - 2) * polynomial(lgamma_two_p<float>, x - 2);
    if (x < 7.5f)
        return (x - 2) * polynomial(lgamma_middle_p<float>, x - 5.25f);
    float u = 1 / x, rest = u * polynomial(lgamma_stirling_p<float>, u * u);
    return (x - 0.5f) * (log(x) - 1) + (0x1.acfe3ap-2f + rest);
}

API float __nv_lgammaf(float x) {
    float a = magnitude(x);
    if (x != x || a == infinity<float>)
        return a;
    if (x > 0)
        return logarithmOf(x);
    if (__builtin_truncf(x) == x)
        return infinity<float>;
    if (a < 0x1p-20f)
        return -log(a);
    return log(0x1.921fb6p+1f / magnitude(a * sinpi(a))) - logarithmOf(a);
}

API double _Z6lgammad(double);

// libclc's function has an error of 5 ulp between -2.26 and 0. Arguments in this range become
// positive, by gamma(x + 1) = x gamma(x).
API double __nv_lgamma(double x) {
    if (!(x > -2.26 && x < 0))
        return _Z6lgammad(x);
    if (x > -1)
        return _Z6lgammad(x + 1) - log(-x);
    return _Z6lgammad(x + 3) - log(magnitude(__builtin_fma(x, x, x) * (x + 2)));
}
