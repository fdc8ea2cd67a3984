// Cubic roots, reciprocal roots, and lengths of vectors.
#include "device.h"

// thirds splits a positive x into m 8^k, m between 1 and 8. 129 is 127 and two thirds of 3.
struct Thirds {
    float m;
    int k;
};

static Thirds thirds(float x) {
    uint e = (bits(x) >> 23) + 2, third = e * 171 >> 9;
    return {number((bits(x) & 0x7fffff) | (127 + e - 3 * third) << 23), (int)third - 43};
}

static bool finite(float x) { return magnitude(x) < infinity<float>; }

API float __nv_cbrtf(float x) {
    float a = magnitude(x);
    if (!finite(x) || x == 0)
        return x;
    Thirds t = thirds(a);
    float y = exp2Fast(log2Fast(t.m) * 0x1.555556p-2f); // and a step of Newton's method
    Pair<float> square = product(y, y), cube = product(square.high, y);
    float lost = (t.m - cube.high) - (cube.low + square.low * y);
    return withSign(scaled(y + lost * rcp(3 * square.high), t.k), x);
}

API float __nv_rcbrtf(float x) {
    float a = magnitude(x);
    if (!finite(x) || x == 0)
        return x == 0 ? withSign(infinity<float>, x) : x != x ? x : withSign(0.0f, x);
    Thirds t = thirds(a);
    float y = exp2Fast(log2Fast(t.m) * -0x1.555556p-2f);
    Pair<float> square = product(y, y), cube = product(square.high, y);
    Pair<float> one = product(t.m, cube.high);
    float lost = ((1 - one.high) - one.low) - t.m * (cube.low + square.low * y);
    return withSign(scaled(y + y * lost * 0x1.555556p-2f, -t.k), x);
}

API double __nv_cbrt(double);

API double __nv_rcbrt(double x) {
    if (!(magnitude(x) < infinity<double>) || x == 0)
        return 1 / x;
    bool great = magnitude(x) > 0x1p900; // y^3 would be below the normal numbers
    if (great)
        x *= 0x1p-600;
    bool small = magnitude(x) < 0x1p-900; // y^3 would be above all numbers
    if (small)
        x *= 0x1p600;
    double y = 1 / __nv_cbrt(x); // and a step of Newton's method for x y^3 = 1
    Pair<double> square = product(y, y), cube = product(square.high, y);
    double lost = __builtin_fma(-x, cube.high, 1) - x * __builtin_fma(square.low, y, cube.low);
    return __builtin_fma(y * lost, 1.0 / 3, y) * (great ? 0x1p-200 : small ? 0x1p200 : 1);
}

// The reciprocal root, correctly rounded: TestReciprocalRoot tries every x between 1 and 4.
API float __nv_frsqrt_rn(float x) {
    if (!(x > 0 && finite(x)))
        return x == 0 ? withSign(infinity<float>, x) : x > 0 ? 0 : notANumber<float>;
    int k = ((int)(bits(x) >> 23) - 127) >> 1;
    float m = number(bits(x) - ((uint)k << 24)), y = rsqrtFast(m);
    Pair<float> square = product(y, y), one = product(m, square.high);
    float lost = ((1 - one.high) - one.low) - m * square.low;
    return scaled(y + y * lost * (0.5f + 0.375f * lost), -k);
}

// Lengths of vectors. Components are divided by a power of two near the greatest. exponent returns
// the power of two in x, limited to powers whose reciprocal is a normal number, too.
static float exponent(float x) {
    uint e = bits(x) & 0x7f800000;
    return number(e < 0x08000000 ? 0x08000000 : e > 0x7e000000 ? 0x7e000000 : e);
}
static double exponent(double x) {
    ullong e = bits(x) & 0x7ff0000000000000, least = 0x0100000000000000, most = 0x7fd0000000000000;
    return number(e < least ? least : e > most ? most : e);
}

static float inverse(float power) { return number(0x7f000000 - bits(power)); }
static double inverse(double power) { return number(0x7fe0000000000000 - bits(power)); }

static float larger(float x, float y) { return __builtin_fmaxf(x, y); }
static double larger(double x, double y) { return __builtin_fmax(x, y); }

// Squares is a sum of squares, as square times scale^2.
template <typename T> struct Squares {
    Pair<T> square;
    T scale;
    bool infinite;
};

// include adds the square of x. For double the sum keeps the rounding error.
static void include(Pair<float> &sum, float x) { sum.high = x * x + sum.high; }
static void include(Pair<double> &s, double x) {
    Pair<double> square = product(x, x), next = sum(s.high, square.high);
    s = {next.high, s.low + (next.low + square.low)};
}

template <typename T, typename... More> static Squares<T> squares(T x, More... more) {
    T most = magnitude(x);
    ((most = larger(most, magnitude((T)more))), ...);
    T scale = exponent(most), part = inverse(scale);
    Pair<T> s{0, 0};
    include(s, x * part);
    (include(s, (T)more * part), ...);
    return {s, scale, most == infinity<T>};
}

template <typename T> static Squares<T> squaresOf(int n, const T *x) {
    T most = 0;
    for (int i = 0; i < n; i++)
        most = larger(most, magnitude(x[i]));
    T scale = exponent(most), part = inverse(scale);
    Pair<T> s{0, 0};
    for (int i = 0; i < n; i++)
        include(s, x[i] * part);
    return {s, scale, most == infinity<T>};
}

template <typename T> static T length(Squares<T> s) {
    return s.infinite ? infinity<T> : root(s.square.high + s.square.low) * s.scale;
}

static float reciprocal(Squares<float> s) {
    return s.infinite ? 0 : __nv_frsqrt_rn(s.square.high) * inverse(s.scale);
}
static double reciprocal(Squares<double> s) {
    if (s.infinite || s.square.high == 0)
        return s.infinite ? 0 : infinity<double>;
    double y = 1 / root(s.square.high); // and a step of Newton's method for square y^2 = 1
    Pair<double> p = product(s.square.high, y);
    double lost = __builtin_fma(-p.high, y, 1) - (p.low + s.square.low * y) * y;
    return __builtin_fma(0.5 * y, lost, y) * inverse(s.scale);
}

API float __nv_hypotf(float x, float y) { return length(squares(x, y)); }
API double __nv_hypot(double x, double y) { return length(squares(x, y)); }
API float __nv_rhypotf(float x, float y) { return reciprocal(squares(x, y)); }
API double __nv_rhypot(double x, double y) { return reciprocal(squares(x, y)); }
API float __nv_norm3df(float x, float y, float z) { return length(squares(x, y, z)); }
API double __nv_norm3d(double x, double y, double z) { return length(squares(x, y, z)); }
API float __nv_rnorm3df(float x, float y, float z) { return reciprocal(squares(x, y, z)); }
API double __nv_rnorm3d(double x, double y, double z) { return reciprocal(squares(x, y, z)); }
API float __nv_norm4df(float x, float y, float z, float t) { return length(squares(x, y, z, t)); }
API double __nv_norm4d(double x, double y, double z, double t) {
    return length(squares(x, y, z, t));
}
API float __nv_rnorm4df(float x, float y, float z, float t) {
    return reciprocal(squares(x, y, z, t));
}
API double __nv_rnorm4d(double x, double y, double z, double t) {
    return reciprocal(squares(x, y, z, t));
}
API float __nv_normf(int n, const float *x) { return length(squaresOf(n, x)); }
API double __nv_norm(int n, const double *x) { return length(squaresOf(n, x)); }
API float __nv_rnormf(int n, const float *x) { return reciprocal(squaresOf(n, x)); }
API double __nv_rnorm(int n, const double *x) { return reciprocal(squaresOf(n, x)); }
