// The error function and the normal distribution, with their inverses.
#include "exponential.h"
#include "functions.h"

// timesExp returns y e^(x + low).
static float timesExp(float y, float x, float low) {
    if (magnitude(x) > 200)
        return x > 0 ? infinity<float> : 0;
    Scaled e = exponential(x, low);
    return scaled(y * e.y, e.n);
}
static double timesExp(double y, double x, double low) {
    double e = exp(x);
    return y * (e < infinity<double> ? mad(e, low, e) : e);
}

// beyond returns erfcx(x), x not less than 1/2.
template <typename T> static T beyond(T x) {
    if (x > T(0x1p60)) // 1 / (root(pi) x)
        return quotient(T(0.5641895835477562869), x);
    return polynomial(erfcx_p<T>, quotient(x - 3, x + 3)) / (1 + 2 * x);
}

// complement returns erfc(x + low), x not less than 1/2.
template <typename T> static T complement(T x, T low = 0) {
    if (x > 30)
        return 0;
    Pair<T> square = product(x, x);
    return timesExp(beyond(x), -square.high, -mad(2 * x, low, square.low));
}

// inner returns erf(x), |x| at most 1. Products of a tiny x would be lost below the normal numbers.
static float inner(float x) {
    float y = x * polynomial(erf_p<float>, x * x);
    return magnitude(x) < 0x1p-60f ? x * 0x1.20dd76p+0f : x + y;
}

API float __nv_erff(float x) {
    float a = magnitude(x);
    if (a < 1)
        return inner(x);
    return x != x ? x : withSign(a > 4 ? 1 : 1 - complement(a), x);
}

API float __nv_erfcf(float x) {
    if (magnitude(x) < 0.5f)
        return 1 - inner(x);
    return x > 0 ? complement(x) : x < 0 ? 2 - complement(-x) : x;
}

template <typename T> static T scaledComplement(T x) {
    Pair<T> square = product(x, x);
    if (magnitude(x) < T(0.5))
        return timesExp(1 - erf(x), square.high, square.low);
    if (x > 0)
        return beyond(x);
    if (x < -30)
        return infinity<T>;
    return timesExp(T(2), square.high, square.low) - beyond(-x);
}

API float __nv_erfcxf(float x) { return x != x ? x : scaledComplement(x); }
API double __nv_erfcx(double x) { return x != x ? x : scaledComplement(x); }

static float farther(float) { return infinity<float>; } // no float is so small
static double farther(double s) { return polynomial(erfinv_farther_p<double>, s - 18.6); }

// times returns x times a polynomial, without the rounding of the polynomial's last sum.
template <typename T, int n> static T times(T x, const T (&c)[n], T u) {
    Pair<T> p = ordered(c[0], u * polynomial((const T (&)[n - 1])c[1], u));
    return x * p.high + x * p.low;
}

// inverse returns erfinv(x), of which small is (1 - x)(1 + x).
template <typename T> static T inverse(T x, T small) {
    T w = -log(small);
    if (w < T(6.25))
        return times(x, erfinv_p<T>, w - T(3.125));
    T s = root(w);
    if (s < T(4.2))
        return x * polynomial(erfinv_tail_p<T>, s - T(3.35));
    return x * (s < T(9.6) ? polynomial(erfinv_far_p<T>, s - T(6.9)) : farther(s));
}

template <typename T> static T inverseError(T y) {
    T a = magnitude(y);
    if (!(a < 1))
        return a == 1 ? withSign(infinity<T>, y) : notANumber<T>;
    return inverse(y, (1 - a) * (1 + a));
}

template <typename T> static T inverseComplement(T y) {
    if (!(y > 0 && y < 2))
        return y == 0 ? infinity<T> : y == 2 ? -infinity<T> : notANumber<T>;
    return inverse(1 - y, y * (2 - y));
}

API float __nv_erfinvf(float y) { return inverseError(y); }
API double __nv_erfinv(double y) { return inverseError(y); }
API float __nv_erfcinvf(float y) { return inverseComplement(y); }
API double __nv_erfcinv(double y) { return inverseComplement(y); }

template <typename T> inline constexpr T rootOfHalf[2];
template <> inline constexpr float rootOfHalf<float>[] = {0x1.6a09e6p-1f, 0x1.9fcef4p-27f};
template <> inline constexpr double rootOfHalf<double>[] = {0x1.6a09e667f3bcdp-1,
                                                            -0x1.bdd3413b26456p-55};

// normal returns erfc(-x / root(2)) / 2. The quotient must be exact to more digits than x has.
template <typename T> static T normal(T x) {
    if (!(magnitude(x) < 60))
        return x < 0 ? 0 : x > 0 ? 1 : x;
    Pair<T> z = product(-x, rootOfHalf<T>[0]);
    z.low = mad(-x, rootOfHalf<T>[1], z.low);
    if (magnitude(z.high) < T(0.5))
        return T(0.5) - T(0.5) * erf(z.high);
    if (z.high > 0)
        return T(0.5) * complement(z.high, z.low);
    return 1 - T(0.5) * complement(-z.high, -z.low);
}

API float __nv_normcdff(float x) { return normal(x); }
API double __nv_normcdf(double x) { return normal(x); }

API float __nv_normcdfinvf(float p) { return -0x1.6a09e6p+0f * inverseComplement(2 * p); }
API double __nv_normcdfinv(double p) { return -0x1.6a09e667f3bcdp+0 * inverseComplement(2 * p); }
