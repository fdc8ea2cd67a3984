// NaN, and the parts of numbers for which libclc's functions do not follow Tesla.
#include "device.h"

// nan reads a payload like strtoull: digits of base 8, 10 or 16.
static ullong payload(const char *s) {
    uint base = 10;
    ullong n = 0;
    if (*s == '0')
        base = *++s == 'x' || *s == 'X' ? (s++, 16) : 8;
    for (; *s; s++) {
        uint digit = *s <= '9' ? *s - '0' : (*s | 32) - 'a' + 10;
        if (digit >= base)
            return 0;
        n = base == 8 ? n << 3 | digit : base == 16 ? n << 4 | digit : (n << 3) + (n << 1) + digit;
    }
    return n;
}

API double __nv_nan(const char *s) {
    return number(0x7ff8000000000000 | (payload(s) & 0x7ffffffffffff));
}
API float __nv_nanf(const char *s) { return number(0x7fc00000 | (uint)(payload(s) & 0x3fffff)); }

// power returns 2^n.
static float power(int n) { return number((uint)(n + 127) << 23); }
static double power2(int n) { return number((ullong)(n + 1023) << 52); }

// Three factors reach from the greatest number to the least.
static float shifted(float x, int n) {
    n = n > 300 ? 300 : n < -300 ? -300 : n;
    int third = n / 3;
    return x * power(third) * power(third) * power(n - 2 * third);
}

// Only the last factor may make a subnormal number, so that the result is rounded once.
static double shifted(double x, int n) {
    const int far = 1022, near = 1022 - 53;
    for (int i = 0; i < 2 && n > far; i++, n -= far)
        x *= power2(far);
    for (int i = 0; i < 2 && n < -far; i++, n += near)
        x *= power2(-near);
    return x * power2(n > far ? far : n < -far ? -far : n);
}

API float __nv_ldexpf(float x, int n) { return shifted(x, n); }
API double __nv_ldexp(double x, int n) { return shifted(x, n); }
API float __nv_scalbnf(float x, int n) { return shifted(x, n); }
API double __nv_scalbn(double x, int n) { return shifted(x, n); }
