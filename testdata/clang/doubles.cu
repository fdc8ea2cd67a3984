// Numbers of 64 bits, which sm_13 has. All operations round to nearest.
#include "device.h"

__device__ inline double number(const u32 *w) { return (double)(s64)get64(w) * 0x1p-40; }
__device__ inline void put(u32 *at, double v) { put64(at, bitsAs<u64>(v)); }

KERNEL arithmetic64(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    double a = number(in + 4 * i), b = number(in + 4 * i + 2) + 0.5;
    u32 *o = out + 14 * i;
    put(o, a + b);
    put(o + 2, a - b);
    put(o + 4, a * b);
    put(o + 6, a / b);
    put(o + 8, __nvvm_sqrt_rn_d(a < 0 ? -a : a));
    put(o + 10, __builtin_fma(a, b, -1.0));
    put(o + 12, 1 / b);
}

KERNEL conversions64(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    u64 w = get64(in + 2 * i);
    double a = number(in + 2 * i), b = a < 0 ? -a : a;
    u32 *o = out + 16 * i;
    put(o, (double)w);
    put(o + 2, (double)(s64)w);
    put(o + 4, (double)(u32)w);
    put(o + 6, (double)(s16)w);
    put64(o + 8, (u64)(s64)a);
    put64(o + 10, (u64)(b * 1024));
    o[12] = (u32)(s32)a;
    o[13] = (u32)(u8)(b * 0x1p-16);
    o[14] = bitsAs<u32>((float)a);
    o[15] = bitsAs<u32>((float)((double)bitsAs<float>((in[2 * i] & 0x0fffffff) | 0x30000000) / 3));
}

KERNEL compare64Bits(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    double zero = (double)(in[2 * i] & 3), a = in[2 * i] & 4 ? 1 / zero : zero / zero;
    double b = (double)(in[2 * i + 1] % 3) - 1;
    u32 r = 0;
    r |= (u32)(a < b) | (u32)(a <= b) << 1 | (u32)(a == b) << 2 | (u32)(a != b) << 3;
    r |= (u32)(a > b) << 4 | (u32)(a >= b) << 5 | (u32)!(a < b) << 6 | (u32)!(a >= b) << 7;
    out[i] = r | (u32)__builtin_isunordered(a, b) << 8;
}

KERNEL roundings64(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    double a = number(in + 2 * i);
    u32 *o = out + 8 * i;
    put(o, __builtin_floor(a));
    put(o + 2, __builtin_ceil(a));
    put(o + 4, __builtin_trunc(a));
    put(o + 6, __builtin_fmax(__builtin_fabs(a), 1000.5));
}

// The determinant of a matrix of 3 x 3, and Simpson's rule for a cubic.
KERNEL matrices64(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    double m[3][3];
    for (int k = 0; k < 9; k++)
        m[k / 3][k % 3] = (double)(s32)in[9 * i + k] / 7;
    double det = 0;
    for (int k = 0; k < 3; k++) {
        int a = (k + 1) % 3, b = (k + 2) % 3;
        det += m[0][k] * (m[1][a] * m[2][b] - m[1][b] * m[2][a]);
    }
    put(out + 4 * i, det);
    double sum = 0;
    for (int k = 0; k <= 10; k++) {
        double x = m[0][0] + 0.1 * k, y = ((x * m[1][1] + 1) * x - m[2][2]) * x;
        sum += k == 0 || k == 10 ? y : k % 2 ? 4 * y : 2 * y;
    }
    put(out + 4 * i + 2, sum / 30);
}

// The logistic map, whose every bit matters, and a continued fraction.
KERNEL iterations64(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    double x = ((double)in[i] + 0.5) / 0x1p32, f = 1;
    for (int k = 0; k < 12; k++) {
        x = 3.9375 * x * (1 - x);
        f = 1 + x / f;
    }
    put(out + 4 * i, x);
    put(out + 4 * i + 2, f);
}
