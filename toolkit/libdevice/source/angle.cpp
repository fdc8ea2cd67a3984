// Trigonometric functions of float.
#include "angle.h"

static bool finite(float x) { return magnitude(x) < infinity<float>; }

// circle returns the sine of an angle plus k quarters.
static float circle(Angle a, int k) {
    float z = a.r * a.r;
    k += a.k;
    float y = k & 1 ? cosine(z) : sine(a.r, z);
    return k & 2 ? -y : y;
}

API float __nv_sinf(float x) {
    return finite(x) ? x == 0 ? x : circle(reduced(x), 0) : notANumber<float>;
}

API float __nv_cosf(float x) { return finite(x) ? circle(reduced(x), 1) : notANumber<float>; }

API void __nv_sincosf(float x, float *s, float *c) {
    Angle a = finite(x) ? reduced(x) : Angle{notANumber<float>, 0};
    float z = a.r * a.r, sin = x == 0 ? x : sine(a.r, z), cos = cosine(z);
    *s = a.k & 1 ? cos : sin;
    *c = a.k & 1 ? sin : cos;
    if (a.k & 2)
        *s = -*s;
    if ((a.k + 1) & 2)
        *c = -*c;
}

API float __nv_tanf(float x) {
    if (!finite(x) || x == 0)
        return x == 0 ? x : notANumber<float>;
    Angle a = reduced(x);
    float z = a.r * a.r, t = a.r + a.r * z * polynomial(tan_p<float>, z);
    return a.k & 1 ? quotient(-1, t) : t;
}

// Halves are exact, and so is the rest of x.
static float sinePi(float r, float z) {
    if (magnitude(r) < 0x1p-40f) // parts of a product would be lost below the normal numbers
        return 0x1.921fb6p+1f * r;
    float high = upper(r); // 3.140625 has 8 digits, so that the product is exact
    return 3.140625f * high + (3.140625f * (r - high) + r * polynomial(sinpi_p<float>, z));
}
static float cosinePi(float z) { return 1 + z * polynomial(cospi_p<float>, z); }

static Angle halves(float x) {
    if (!finite(x))
        return {notANumber<float>, 0};
    x -= 2 * __builtin_truncf(0.5f * x);
    float k = nearest(2 * x);
    return {x - 0.5f * k, (int)k};
}

API float __nv_sinpif(float x) {
    Angle a = halves(x);
    float z = a.r * a.r, y = a.k & 1 ? cosinePi(z) : sinePi(a.r, z);
    y = a.k & 2 ? -y : y;
    return y == 0 ? withSign(y, x) : y;
}

API float __nv_cospif(float x) {
    Angle a = halves(x);
    float z = a.r * a.r, y = a.k & 1 ? sinePi(a.r, z) : cosinePi(z);
    y = (a.k + 1) & 2 ? -y : y;
    return y == 0 ? 0 : y;
}

API void __nv_sincospif(float x, float *s, float *c) {
    *s = __nv_sinpif(x);
    *c = __nv_cospif(x);
}

static float small(float x, float z) { return x * z * polynomial(asin_p<float>, z); } // asin x - x

API float __nv_asinf(float x) {
    float a = magnitude(x), z = x * x;
    if (a <= 0.5f)
        return x + small(x, z);
    z = 0.5f - 0.5f * a;
    float s = root(z); // NaN for |x| > 1
    return withSign(0x1.921fb6p+0f - 2 * (s + (small(s, z) + 0x1.777a5cp-26f)), x);
}

API float __nv_acosf(float x) {
    float a = magnitude(x), z = x * x;
    if (a <= 0.5f)
        return 0x1.921fb6p+0f - (x + (small(x, z) + 0x1.777a5cp-25f));
    z = 0.5f - 0.5f * a;
    float s = root(z), y = 2 * (s + small(s, z));
    return x > 0 ? y : 0x1.921fb6p+1f - (y + 0x1.777a5cp-24f);
}

// The arc tangent of x between 0 and 1.
static float octant(float x) {
    float z = x * x;
    return x + x * z * polynomial(atan_p<float>, z);
}

API float __nv_atanf(float x) {
    float a = magnitude(x), y = octant(a > 1 ? 1 / a : a);
    return withSign(a > 1 ? 0x1.921fb6p+0f - (y + 0x1.777a5cp-25f) : y, x);
}

API float __nv_atan2f(float y, float x) {
    if (x != x || y != y)
        return x + y;
    float a = magnitude(x), b = magnitude(y), more = a > b ? a : b, less = a > b ? b : a;
    float r = more == 0 ? 0 : less == infinity<float> ? 1 : less / more;
    r = octant(r);
    if (b > a)
        r = 0x1.921fb6p+0f - (r + 0x1.777a5cp-25f);
    if (bits(x) >> 31)
        r = 0x1.921fb6p+1f - (r + 0x1.777a5cp-24f);
    return withSign(r, y);
}
