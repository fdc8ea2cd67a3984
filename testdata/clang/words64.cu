// Integers of 64 bits and longer.
#include "device.h"

KERNEL divide64(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    u64 a = get64(in + 4 * i), b = get64(in + 4 * i + 2);
    s64 c = (s64)a, d = (s64)b;
    if (b == 0)
        b = 10;
    if (d == 0 || d == -1)
        d = -3;
    u32 *o = out + 8 * i;
    put64(o, a / b);
    put64(o + 2, a % b);
    put64(o + 4, (u64)(c / d));
    put64(o + 6, (u64)(c % d));
}

KERNEL shifts64(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    u64 a = get64(in + 3 * i);
    u32 by = in[3 * i + 2] % 64;
    u32 *o = out + 8 * i;
    put64(o, a << by);
    put64(o + 2, a >> by);
    put64(o + 4, (u64)((s64)a >> by));
    put64(o + 6, a << by | a >> (64 - by) % 64);
}

KERNEL bits64(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    u64 a = get64(in + 2 * i);
    u32 *o = out + 5 * i;
    o[0] = (u32)__builtin_popcountll(a);
    o[1] = a ? (u32)__builtin_clzll(a) : 64;
    o[2] = a ? (u32)__builtin_ctzll(a) : 64;
    put64(o + 3, __builtin_bswap64(a));
}

// One bit for each comparison.
KERNEL compare64(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    u64 a = get64(in + 4 * i), b = get64(in + 4 * i + 2);
    s64 c = (s64)a, d = (s64)b;
    u32 r = 0;
    r |= (u32)(a < b) | (u32)(a <= b) << 1 | (u32)(a == b) << 2 | (u32)(a > b) << 3;
    r |= (u32)(c < d) << 4 | (u32)(c <= d) << 5 | (u32)(c != d) << 6 | (u32)(c >= d) << 7;
    out[3 * i] = r;
    put64(out + 3 * i + 1, c < d ? a - b : b - a);
}

// Products of 128 bits: by the type that clang has, and of four products of 64 bits.
KERNEL product128(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    u64 a = get64(in + 4 * i), b = get64(in + 4 * i + 2);
    unsigned __int128 whole = (unsigned __int128)a * b;
    u64 low = (a & 0xffffffff) * (b & 0xffffffff);
    u64 mid1 = (a >> 32) * (b & 0xffffffff) + (low >> 32);
    u64 mid2 = (a & 0xffffffff) * (b >> 32) + (mid1 & 0xffffffff);
    put64(out + 6 * i, (u64)whole);
    put64(out + 6 * i + 2, (u64)(whole >> 64));
    put64(out + 6 * i + 4, (a >> 32) * (b >> 32) + (mid1 >> 32) + (mid2 >> 32));
}

// Sum and difference of numbers of 256 bits.
KERNEL longSum(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    const u32 *a = in + 16 * i, *b = a + 8;
    u32 carry = 0, borrow = 0;
    for (int k = 0; k < 8; k++) {
        u64 s = (u64)a[k] + b[k] + carry;
        u64 d = (u64)a[k] - b[k] - borrow;
        out[18 * i + k] = (u32)s;
        out[18 * i + 9 + k] = (u32)d;
        carry = (u32)(s >> 32);
        borrow = (u32)(d >> 63);
    }
    out[18 * i + 8] = carry;
    out[18 * i + 17] = borrow;
}

// The product of two numbers of 96 bits.
KERNEL longProduct(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    u32 r[6] = {};
    for (int k = 0; k < 3; k++) {
        u32 carry = 0;
        for (int m = 0; m < 3; m++) {
            u64 p = (u64)in[6 * i + k] * in[6 * i + 3 + m] + r[k + m] + carry;
            r[k + m] = (u32)p;
            carry = (u32)(p >> 32);
        }
        r[k + 3] = carry;
    }
    for (int k = 0; k < 6; k++)
        out[6 * i + k] = r[k];
}

// The greatest number whose square is not above a.
KERNEL root64(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    u64 left = get64(in + 2 * i), root = 0, bit = 1ull << 62;
    while (bit > left)
        bit >>= 2;
    for (; bit != 0; bit >>= 2) {
        if (left >= root + bit) {
            left -= root + bit;
            root = (root >> 1) + bit;
        } else {
            root >>= 1;
        }
    }
    out[i] = (u32)root;
}

// A power modulo an odd number of 31 bits.
KERNEL powerModulo(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    u64 base = in[3 * i], modulus = in[3 * i + 2] >> 1 | 1, power = 1 % modulus;
    for (u32 e = in[3 * i + 1] & 0xffff; e != 0; e >>= 1) {
        base %= modulus;
        if (e & 1)
            power = power * base % modulus;
        base *= base;
    }
    out[i] = (u32)power;
}

// Numbers with 32 bits after the point: products, quotients, and a logarithm bit by bit.
KERNEL fixedPoint(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    s64 a = (s64)(s32)in[2 * i] * 0x10001, b = (s64)(in[2 * i + 1] >> 8) + 1;
    put64(out + 5 * i, (u64)((a >> 16) * (b >> 4) >> 12));
    put64(out + 5 * i + 2, (u64)(a * 256 / b));
    u32 x = in[2 * i] | 0x80000000u, log = 0;
    for (int k = 0; k < 8; k++) {
        u64 square = (u64)x * x;
        u32 one = (u32)(square >> 63);
        log = log << 1 | one;
        x = (u32)(square >> (31 + one));
    }
    out[5 * i + 4] = log;
}
