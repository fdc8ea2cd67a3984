// Integers of 8, 16 and 32 bits.
#include "device.h"

template <typename T> __device__ T quotient(T a, T b) { return b == 0 ? T(0) : T(a / b); }
template <typename T> __device__ T rest(T a, T b) { return b == 0 ? a : T(a % b); }

KERNEL divide32(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    u32 a = in[2 * i], b = in[2 * i + 1];
    s32 c = (s32)a, d = (s32)b;
    if (d == -1)
        d = 1; // the least number has no opposite
    out[4 * i] = quotient(a, b);
    out[4 * i + 1] = rest(a, b);
    out[4 * i + 2] = (u32)quotient(c, d);
    out[4 * i + 3] = (u32)rest(c, d);
}

KERNEL divide16(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    u16 a = (u16)in[i], b = (u16)(in[i] >> 16);
    u8 e = (u8)in[i], f = (u8)(in[i] >> 8);
    out[4 * i] = (u32)quotient(a, b) << 16 | rest(a, b);
    out[4 * i + 1] = (u32)quotient((s16)a, (s16)b) << 16 | (u16)rest((s16)a, (s16)b);
    out[4 * i + 2] = (u32)quotient(e, f) << 8 | rest(e, f);
    out[4 * i + 3] = (u32)(u8)quotient((s8)e, (s8)f) << 8 | (u8)rest((s8)e, (s8)f);
}

KERNEL divideByNumbers(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    u32 a = in[i];
    s32 b = (s32)a;
    u32 *o = out + 8 * i;
    o[0] = a / 3;
    o[1] = a / 7 + a % 7;
    o[2] = a % 1000;
    o[3] = (u32)(b / 5);
    o[4] = (u32)(b % 10);
    o[5] = (u32)(b / 16);
    o[6] = (u32)(b % 64);
    o[7] = (u32)(b / -641);
}

KERNEL shifts(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    u32 a = in[2 * i], by = in[2 * i + 1] % 32;
    u16 h = (u16)a;
    u8 c = (u8)a;
    u32 *o = out + 6 * i;
    o[0] = a << by;
    o[1] = a >> by;
    o[2] = (u32)((s32)a >> by);
    o[3] = a << by | a >> (32 - by) % 32;
    o[4] = (u32)(u16)(h << by % 16) << 16 | (u16)((s16)h >> by % 16);
    o[5] = (u32)(u8)(c << by % 8) << 8 | (u8)((s8)c >> by % 8);
}

KERNEL bits(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    u32 a = in[i];
    u32 *o = out + 6 * i;
    o[0] = (u32)__builtin_popcount(a);
    o[1] = a ? (u32)__builtin_clz(a) : 32;
    o[2] = a ? (u32)__builtin_ctz(a) : 32;
    o[3] = __builtin_bitreverse32(a);
    o[4] = a & (0u - a);
    o[5] = a ^ a >> 1;
}

// The same by hand, as programs did before there were instructions for it.
KERNEL bitsByHand(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    u32 a = in[i], ones = 0, top = 0, back = 0;
    for (u32 b = a; b != 0; b &= b - 1)
        ones++;
    while (top < 32 && !(a & 0x80000000u >> top))
        top++;
    for (int b = 0; b < 32; b++)
        back = back << 1 | (a >> b & 1);
    out[3 * i] = ones;
    out[3 * i + 1] = top;
    out[3 * i + 2] = back;
}

// The bytes of a and b, chosen by the digits of which, as the instruction prmt chooses.
__device__ u32 chosen(u32 a, u32 b, u32 which) {
    u64 both = (u64)b << 32 | a;
    u32 r = 0;
    for (u32 k = 0; k < 4; k++)
        r |= (u32)(both >> 8 * (which >> 4 * k & 7) & 0xff) << 8 * k;
    return r;
}

KERNEL bytes(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    u32 a = in[2 * i], b = in[2 * i + 1];
    u32 *o = out + 5 * i;
    o[0] = __builtin_bswap32(a);
    o[1] = chosen(a, b, 0x6240);
    o[2] = chosen(a, b, b);
    o[3] = (u32)__builtin_bswap16((u16)a);
    u32 sum = 0;
    for (int k = 0; k < 4; k++) {
        s32 d = (s32)(a >> 8 * k & 0xff) - (s32)(b >> 8 * k & 0xff);
        sum += (u32)(d < 0 ? -d : d);
    }
    o[4] = sum;
}

template <typename T> __device__ T least(T a, T b) { return b < a ? b : a; }
template <typename T> __device__ T most(T a, T b) { return a < b ? b : a; }

KERNEL minMax(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    u32 a = in[2 * i], b = in[2 * i + 1];
    s32 c = (s32)a, d = (s32)b;
    u32 *o = out + 6 * i;
    o[0] = least(a, b);
    o[1] = most(a, b);
    o[2] = (u32)least(c, d);
    o[3] = (u32)most(c, d);
    o[4] = (u32)most(-100, least(c, 100));
    o[5] = (u32)(u16)least((s16)a, (s16)b) << 16 | most((u16)a, (u16)b);
}

// Sums that stop at the ends of the range, means without overflow, high halves of products.
KERNEL saturation(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    u32 a = in[2 * i], b = in[2 * i + 1];
    u32 *o = out + 6 * i;
    o[0] = a + b < a ? 0xffffffffu : a + b;
    s32 sum;
    if (__builtin_add_overflow((s32)a, (s32)b, &sum))
        sum = (s32)a < 0 ? -0x7fffffff - 1 : 0x7fffffff;
    o[1] = (u32)sum;
    o[2] = (a & b) + ((a ^ b) >> 1);
    o[3] = (u32)((u64)a * b >> 32);
    o[4] = (u32)((u64)((s64)(s32)a * (s32)b) >> 32);
    o[5] = (a & 0xffffff) * (b & 0xffffff);
}
