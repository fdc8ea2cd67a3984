// Modified Bessel functions of the first kind.
#include "exponential.h"
#include "functions.h"

// grown returns y e^x, where e^x alone may be beyond the range.
static float grown(float y, float x) {
    if (x > 100)
        return infinity<float>;
    Scaled e = exponential(x);
    return scaled(y * e.y, e.n);
}
static double grown(double y, double x) {
    return x > 700 ? y * exp(x - 32) * 0x1.1f43fcc4b662cp+46 : y * exp(x); // e^32
}

template <typename T> static T order0(T x) {
    x = magnitude(x);
    if (x < 8)
        return mad(x * x, polynomial(i0_p<T>, x * x), T(1));
    if (x == infinity<T>)
        return x;
    return x != x ? x : grown(polynomial(i0_far_p<T>, 1 / x) / root(x), x);
}

template <typename T> static T order1(T x) {
    T a = magnitude(x), y = a;
    if (a < 8)
        y = mad(a * a * a, polynomial(i1_p<T>, a * a), T(0.5) * a);
    else if (a < infinity<T>)
        y = grown(polynomial(i1_far_p<T>, 1 / a) / root(a), a);
    return x < 0 ? -y : y;
}

API float __nv_cyl_bessel_i0f(float x) { return order0(x); }
API double __nv_cyl_bessel_i0(double x) { return order0(x); }
API float __nv_cyl_bessel_i1f(float x) { return order1(x); }
API double __nv_cyl_bessel_i1(double x) { return order1(x); }
