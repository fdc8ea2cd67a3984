// Bessel functions. Up to 8 a polynomial beside each zero, beyond 8 an amplitude and an angle.
#include "angle.h"
#include "functions.h"

API void __nv_sincosf(float, float *, float *);
API void __nv_sincos(double, double *, double *);
static void circle(float x, float *s, float *c) { __nv_sincosf(x, s, c); }
static void circle(double x, double *s, double *c) { __nv_sincos(x, s, c); }

// little is circle of an angle below pi/4.
static void little(float x, float *s, float *c) { *s = sine(x, x * x), *c = cosine(x * x); }
static void little(double x, double *s, double *c) { __nv_sincos(x, s, c); }

// from returns x - zero.
template <typename T> static T from(const T (&zero)[2], T x) { return (x - zero[0]) - zero[1]; }

template <typename T, int n> static T beside(const T (&zero)[2], const T (&c)[n], T x) {
    T u = from(zero, x);
    return u * polynomial(c, u);
}

// wave returns root(2 / pi x) m cos(x - pi/4 - quarters pi/2 + p), of m and p at 1/x^2.
template <typename T, int n, int k>
static T wave(const T (&amplitude)[n], const T (&angle)[k], T x, int quarters) {
    if (x == infinity<T>)
        return 0;
    T u = 1 / x, z = u * u, s, c, sp, cp;
    circle(x, &s, &c);
    little(u * polynomial(angle, z), &sp, &cp);
    T plus = s + c, minus = s - c; // root(2) cos(x - pi/4) and root(2) sin(x - pi/4)
    T cos = mad(plus, cp, -(minus * sp)), sin = mad(minus, cp, plus * sp);
    T y = quarters == 0 ? cos : quarters == 1 ? sin : -cos;
    return root(T(0.31830988618379067154) * u) * polynomial(amplitude, z) * y;
}

template <typename T> static T firstKind0(T x) {
    x = magnitude(x);
    if (x < 2)
        return mad(x * x, polynomial(j0_p<T>, x * x), T(1));
    if (x < 4)
        return beside(j0_first<T>, j0_first_p<T>, x);
    if (x < 7)
        return beside(j0_second<T>, j0_second_p<T>, x);
    if (x < 8)
        return beside(j0_third<T>, j0_third_p<T>, x);
    return wave(amplitude0_p<T>, angle0_p<T>, x, 0);
}

template <typename T> static T firstKind1(T x) {
    T a = magnitude(x), y;
    if (a < 2)
        y = mad(a * a * a, polynomial(j1_p<T>, a * a), T(0.5) * a);
    else if (a < T(5.4))
        y = beside(j1_first<T>, j1_first_p<T>, a);
    else if (a < 8)
        y = beside(j1_second<T>, j1_second_p<T>, a);
    else
        y = wave(amplitude1_p<T>, angle1_p<T>, a, 1);
    return x < 0 ? -y : y;
}

template <typename T> static constexpr T twoByPi = T(0.63661977236758134308);

// pole returns the value of functions of the second kind at x not positive.
template <typename T> static T pole(T x) { return x == 0 ? -infinity<T> : notANumber<T>; }

template <typename T> static T secondKind0(T x) {
    if (!(x > 0))
        return pole(x);
    if (x < T(0.5))
        return mad(twoByPi<T> * log(x), firstKind0(x), polynomial(y0_p<T>, x * x));
    if (x < 2) {
        T u = from(y0_zero<T>, x);
        T l = log1p(u / y0_zero<T>[0]);
        return mad(twoByPi<T> * l, firstKind0(x), u * polynomial(y0_zero_p<T>, u));
    }
    if (x < T(5.5))
        return beside(y0_first<T>, y0_first_p<T>, x);
    if (x < 8)
        return beside(y0_second<T>, y0_second_p<T>, x);
    return wave(amplitude0_p<T>, angle0_p<T>, x, 1);
}

template <typename T> static T secondKind1(T x) {
    if (!(x > 0))
        return pole(x);
    if (x < T(1.5))
        return mad(twoByPi<T>, mad(log(x), firstKind1(x), -1 / x), x * polynomial(y1_p<T>, x * x));
    if (x < T(3.8))
        return beside(y1_first<T>, y1_first_p<T>, x);
    if (x < 7)
        return beside(y1_second<T>, y1_second_p<T>, x);
    if (x < 8)
        return beside(y1_third<T>, y1_third_p<T>, x);
    return wave(amplitude1_p<T>, angle1_p<T>, x, 2);
}

// upwards goes from orders 0 and 1 to order n, by f(k+1) = 2k/x f(k) - f(k-1).
template <typename T> static T upwards(int n, T x, T f0, T f1) {
    T by = 2 / x;
    for (int k = 1; k < n; k++) {
        T next = mad(T(k) * by, f1, -f0);
        f0 = f1, f1 = next;
        if (f1 == -infinity<T>)
            return f1;
    }
    return n == 0 ? f0 : f1;
}

// downwards goes from a high order to 0, where 1 = j(0) + 2 j(2) + 2 j(4) + ... gives the scale.
template <typename T> static T downwards(int n, T x, int digits) {
    T by = 2 / x, above = 0, here = 1, sum = 0, y = 0;
    int top = 2 * ((n + (int)root(T(digits) * T(n)) + 8) / 2);
    for (int k = top; k > 0; k--) {
        T below = mad(T(k) * by, here, -above);
        above = here, here = below; // here is of order k - 1
        if (magnitude(here) > T(0x1p40)) {
            here *= T(0x1p-40), above *= T(0x1p-40), y *= T(0x1p-40), sum *= T(0x1p-40);
        }
        if (k % 2 == 1)
            sum += k == 1 ? here : 2 * here;
        if (k - 1 == n)
            y = here;
    }
    return y / sum;
}

// Below this bound the first term of the power series is the whole sum.
template <typename T> static constexpr T firstAlone = 0x1p-12f;
template <> constexpr double firstAlone<double> = 0x1p-27;

// first returns (x/2)^n / n!.
template <typename T> static T first(int n, T x) {
    T y = 1;
    for (int k = 1; k <= n && y != 0; k++)
        y *= T(0.5) * x / T(k);
    return y;
}

template <typename T> static T firstKind(int n, T x, int digits) {
    if (n < 0 || x != x)
        return notANumber<T>;
    T a = magnitude(x), y;
    if (n < 2)
        return n ? firstKind1(x) : firstKind0(x);
    if (a == 0 || a == infinity<T>)
        return 0;
    if (a > T(n))
        y = upwards(n, a, firstKind0(a), firstKind1(a));
    else if (a < firstAlone<T>)
        y = first(n, a);
    else
        y = downwards(n, a, digits);
    return x < 0 && n % 2 ? -y : y;
}

template <typename T> static T secondKind(int n, T x) {
    if (n < 0)
        return notANumber<T>;
    if (!(x > 0))
        return pole(x);
    return x == infinity<T> ? 0 : upwards(n, x, secondKind0(x), secondKind1(x));
}

API float __nv_j0f(float x) { return firstKind0(x); }
API double __nv_j0(double x) { return firstKind0(x); }
API float __nv_j1f(float x) { return firstKind1(x); }
API double __nv_j1(double x) { return firstKind1(x); }
API float __nv_jnf(int n, float x) { return firstKind(n, x, 60); }
API double __nv_jn(int n, double x) { return firstKind(n, x, 200); }
API float __nv_y0f(float x) { return secondKind0(x); }
API double __nv_y0(double x) { return secondKind0(x); }
API float __nv_y1f(float x) { return secondKind1(x); }
API double __nv_y1(double x) { return secondKind1(x); }
API float __nv_ynf(int n, float x) { return secondKind(n, x); }
API double __nv_yn(int n, double x) { return secondKind(n, x); }
