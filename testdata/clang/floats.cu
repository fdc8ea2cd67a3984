// Numbers of 32 bits. All operations round to nearest: Tesla's own addition and product, and
// division and square root of the compiler's library. No result is below the normal range.
#include "device.h"

__device__ inline float small(u32 v) { return (float)(s32)v * 0x1p-20f; }

// One bit for each comparison. The words include NaN, infinity and both zeros.
KERNEL compareFloats(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    float a = bitsAs<float>(in[2 * i]), b = bitsAs<float>(in[2 * i + 1]);
    u32 r = 0;
    r |= (u32)(a < b) | (u32)(a <= b) << 1 | (u32)(a == b) << 2 | (u32)(a != b) << 3;
    r |= (u32)(a > b) << 4 | (u32)(a >= b) << 5 | (u32)!(a < b) << 6 | (u32)!(a >= b) << 7;
    r |= (u32)__builtin_isunordered(a, b) << 8 | (u32)(a != a) << 9;
    if (a < b || b == 0)
        r |= 1024;
    out[i] = r;
}

KERNEL arithmetic(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    float a = small(in[2 * i]), b = small(in[2 * i + 1] | 1);
    u32 *o = out + 6 * i;
    o[0] = bitsAs<u32>(a + b);
    o[1] = bitsAs<u32>(a - b);
    o[2] = bitsAs<u32>(a * b);
    o[3] = bitsAs<u32>(a / b);
    o[4] = bitsAs<u32>(__nvvm_sqrt_rn_f(a < 0 ? -a : a));
    o[5] = bitsAs<u32>(1 / b);
}

KERNEL fromIntegers(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    u32 a = in[2 * i];
    u64 b = get64(in + 2 * i);
    u32 *o = out + 8 * i;
    o[0] = bitsAs<u32>((float)a);
    o[1] = bitsAs<u32>((float)(s32)a);
    o[2] = bitsAs<u32>((float)(u16)a);
    o[3] = bitsAs<u32>((float)(s16)a);
    o[4] = bitsAs<u32>((float)(u8)a);
    o[5] = bitsAs<u32>((float)(s8)a);
    o[6] = bitsAs<u32>((float)b);
    o[7] = bitsAs<u32>((float)(s64)b);
}

KERNEL toIntegers(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    float a = small(in[i]), b = a < 0 ? -a : a;
    u32 *o = out + 8 * i;
    o[0] = (u32)(s32)a;
    o[1] = (u32)b;
    o[2] = (u32)(s16)a;
    o[3] = (u16)b;
    o[4] = (u32)(s8)(a * 0.03125f);
    o[5] = (u8)(b * 0.03125f);
    put64(o + 6, (u64)(s64)(a * 0x1p30f));
}

KERNEL roundings(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    float a = small(in[i]);
    u32 *o = out + 5 * i;
    o[0] = bitsAs<u32>(__builtin_floorf(a));
    o[1] = bitsAs<u32>(__builtin_ceilf(a));
    o[2] = bitsAs<u32>(__builtin_truncf(a));
    o[3] = bitsAs<u32>(__builtin_fabsf(a));
    o[4] = bitsAs<u32>(__builtin_copysignf(3, a));
}

// The lesser and the greater, where one may be NaN.
KERNEL extremes(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    float a = bitsAs<float>(in[2 * i]), b = bitsAs<float>(in[2 * i + 1]);
    if (a != a && b != b)
        b = 1;
    if (a == b)
        b = 2 * a; // the sign of a zero is left open
    out[3 * i] = bitsAs<u32>(__builtin_fminf(a, b));
    out[3 * i + 1] = bitsAs<u32>(__builtin_fmaxf(a, b));
    out[3 * i + 2] = bitsAs<u32>(a < b ? a : b) & 0x7f800000;
}

KERNEL polynomial(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    const float c[6] = {1, -0.5f, 0.25f, 3, -7.125f, 0.1f};
    float x = small(in[i]) * 0x1p-9f, y = 0;
    for (int k = 5; k >= 0; k--)
        y = y * x + c[k];
    out[i] = bitsAs<u32>(y);
}

KERNEL mandelbrot(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    float cx = (float)(in[i] & 1023) / 400 - 2, cy = (float)(in[i] >> 10 & 1023) / 512 - 1;
    float x = 0, y = 0;
    u32 steps = 0;
    for (; steps < 50; steps++) {
        float xx = x * x, yy = y * y;
        if (xx + yy > 4)
            break;
        y = 2 * x * y + cy;
        x = xx - yy + cx;
    }
    out[i] = steps;
}

struct Body { float x, y, z, mass; };

// The pull of eight bodies on one.
KERNEL bodies(const u32 *in, u32 *out, u32 n) {
    __shared__ Body others[8];
    u32 i = item();
    if (threadIdx.x < 8) {
        const u32 *w = in + 4 * threadIdx.x;
        others[threadIdx.x] = {small(w[0]), small(w[1]), small(w[2]), small(w[3] >> 1) + 1};
    }
    __syncthreads();
    if (i >= n)
        return;
    float x = small(in[4 * i]), y = small(in[4 * i + 1]), z = small(in[4 * i + 2]);
    float px = 0, py = 0, pz = 0;
    for (int k = 0; k < 8; k++) {
        Body b = others[k];
        float dx = b.x - x, dy = b.y - y, dz = b.z - z;
        float square = dx * dx + dy * dy + dz * dz + 0.25f;
        float pull = b.mass / (square * __nvvm_sqrt_rn_f(square));
        px += dx * pull, py += dy * pull, pz += dz * pull;
    }
    out[3 * i] = bitsAs<u32>(px);
    out[3 * i + 1] = bitsAs<u32>(py);
    out[3 * i + 2] = bitsAs<u32>(pz);
}

// A root by an integer's guess and Newton's steps, and a sum that carries its error along.
KERNEL guesses(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    float x = (float)(in[4 * i] >> 4) + 1, r = bitsAs<float>(0x5f3759df - (bitsAs<u32>(x) >> 1));
    for (int k = 0; k < 3; k++)
        r = r * (1.5f - 0.5f * x * r * r);
    out[2 * i] = bitsAs<u32>(r);
    float sum = 0, lost = 0;
    for (int k = 0; k < 4; k++) {
        float v = small(in[4 * i + k]) - lost, next = sum + v;
        lost = (next - sum) - v;
        sum = next;
    }
    out[2 * i + 1] = bitsAs<u32>(sum);
}
