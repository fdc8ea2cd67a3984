// Declarations for all sources of the library: types, numbers as bits, instructions of the
// hardware.
//
// The library is bitcode that is compiled once and linked into programs that were compiled with any
// options. Products stay products in such programs: libdevice.sed.
#pragma once

#define API extern "C"

using uint = unsigned int;
using ushort = unsigned short;
using llong = long long;
using ullong = unsigned long long;

inline uint bits(float x) { return __builtin_bit_cast(uint, x); }
inline ullong bits(double x) { return __builtin_bit_cast(ullong, x); }
inline float number(uint b) { return __builtin_bit_cast(float, b); }
inline double number(ullong b) { return __builtin_bit_cast(double, b); }

inline float magnitude(float x) { return __builtin_fabsf(x); }
inline double magnitude(double x) { return __builtin_fabs(x); }
inline float withSign(float x, float sign) { return __builtin_copysignf(x, sign); }
inline double withSign(double x, double sign) { return __builtin_copysign(x, sign); }
inline float nearest(float x) { return __builtin_rintf(x); }
inline double nearest(double x) { return __builtin_rint(x); }

template <typename T> inline constexpr T infinity = T(__builtin_inff());
template <typename T> inline constexpr T notANumber = T(__builtin_nanf(""));

// The special function unit: an error of 1 ulp for rcp, 2 for rsqrt; 2^-22 for the others.
inline float rcp(float x) { return __nvvm_rcp_approx_ftz_f(x); }
inline float rsqrtFast(float x) { return __nvvm_rsqrt_approx_f(x); }
inline float exp2Fast(float x) { return __nvvm_ex2_approx_f(x); }
inline float log2Fast(float x) { return __nvvm_lg2_approx_f(x); }

// quotient has an error of 2 ulp for float, and is short; for double it is correctly rounded.
inline float quotient(float x, float y) {
    float q;
    asm("div.full.f32 %0, %1, %2;" : "=f"(q) : "f"(x), "f"(y));
    return q;
}
inline double quotient(double x, double y) { return x / y; }

// root is correctly rounded.
inline float root(float x) { return __nvvm_sqrt_rn_f(x); }
inline double root(double x) { return __nvvm_sqrt_rn_d(x); }

// mad is x y + z. Tesla fuses mad for double; for float a fused mad takes a hundred instructions.
inline float mad(float x, float y, float z) { return x * y + z; }
inline double mad(double x, double y, double z) { return __builtin_fma(x, y, z); }

// polynomial has the coefficients c, the lowest power first.
template <typename T, int n> inline T polynomial(const T (&c)[n], T x) {
    T y = c[n - 1];
#pragma clang loop unroll(full)
    for (int i = n - 2; i >= 0; i--)
        y = mad(y, x, c[i]);
    return y;
}

// Pair is the sum of two numbers, of which the first is the sum rounded.
template <typename T> struct Pair { T high, low; };

// sum of a and b, where |a| is not less than |b|.
template <typename T> inline Pair<T> ordered(T a, T b) {
    T s = a + b;
    return {s, b - (s - a)};
}

template <typename T> inline Pair<T> sum(T a, T b) {
    T s = a + b, t = s - a;
    return {s, (a - (s - t)) + (b - t)};
}

inline float upper(float x) { return number(bits(x) & 0xfffff000); }

inline Pair<float> product(float a, float b) {
    float p = a * b, ah = upper(a), al = a - ah, bh = upper(b), bl = b - bh;
    return {p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}
inline Pair<double> product(double a, double b) {
    double p = a * b;
    return {p, __builtin_fma(a, b, -p)};
}

template <typename T> inline Pair<T> product(Pair<T> a, Pair<T> b) {
    Pair<T> p = product(a.high, b.high);
    return ordered(p.high, p.low + (a.high * b.low + a.low * b.high));
}

// scaled returns x 2^n, x near 1: zero below the normal numbers, infinity above.
inline float scaled(float x, int n) {
    n = n < -252 ? -252 : n > 254 ? 254 : n; // both factors are finite normal numbers
    int half = n >> 1;
    return x * number((uint)(half + 127) << 23) * number((uint)(n - half + 127) << 23);
}
