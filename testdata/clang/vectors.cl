// Vectors of OpenCL C.
#include "opencl.h"

kernel void sums(global const uint *in, global uint *out, uint n) {
    uint i = get_global_id(0);
    if (i >= n)
        return;
    uint4 a = ((global const uint4 *)in)[2 * i], b = ((global const uint4 *)in)[2 * i + 1];
    ((global uint4 *)out)[i] = a * 3 + (b ^ a.wzyx) - (uint4)(1, 2, 3, i);
}

kernel void swizzles(global const uint *in, global uint *out, uint n) {
    uint i = get_global_id(0);
    if (i >= n)
        return;
    uint4 a = ((global const uint4 *)in)[i];
    a.xz = a.yw + a.zx;
    a.lo = a.hi * a.odd;
    a.s3 = a.even.x;
    ((global uint4 *)out)[i] = a.zxyw;
}

// Bytes: sums that stop at 255, means, and differences.
kernel void pixels(global const uint *in, global uint *out, uint n) {
    uint i = get_global_id(0);
    if (i >= n)
        return;
    uchar4 a = as_uchar4(in[2 * i]), b = as_uchar4(in[2 * i + 1]);
    ushort4 sum = __builtin_convertvector(a, ushort4) + __builtin_convertvector(b, ushort4);
    ushort4 full = sum > (ushort4)255 ? (ushort4)255 : sum;
    out[3 * i] = as_uint(__builtin_convertvector(full, uchar4));
    out[3 * i + 1] = as_uint(__builtin_convertvector(sum >> (ushort4)1, uchar4));
    out[3 * i + 2] = as_uint((uchar4)(a > b ? a - b : b - a));
}

// Comparisons of vectors make masks.
kernel void masks(global const uint *in, global uint *out, uint n) {
    uint i = get_global_id(0);
    if (i >= n)
        return;
    int4 a = ((global const int4 *)in)[2 * i], b = ((global const int4 *)in)[2 * i + 1];
    int4 less = a < b, odd = (a & 1) != 0;
    ((global int4 *)out)[i] = (less & ~odd) | (odd & (a - b)) | (int4)(less.x & 1, 0, 2, 4);
}

kernel void longs(global const uint *in, global uint *out, uint n) {
    uint i = get_global_id(0);
    if (i >= n)
        return;
    ulong2 a = ((global const ulong2 *)in)[i];
    long2 b = __builtin_convertvector(a, long2);
    ulong2 r = a * a.yx + (a >> (ulong2)(7, 40));
    ((global ulong2 *)out)[2 * i] = r;
    ((global long2 *)out)[2 * i + 1] = (b >> 3) % (long2)(1000, -77);
}

kernel void shorts(global const uint *in, global uint *out, uint n) {
    uint i = get_global_id(0);
    if (i >= n)
        return;
    short8 a = ((global const short8 *)in)[i];
    a += (short8)(1, -2, 3, -4, 5, -6, 7, -8) * (short)2;
    uint sum = 0;
    for (int k = 0; k < 8; k++)
        sum = sum * 7 + (uint)a[k];
    out[i] = sum;
}

// The length of a product of vectors, and the product with a matrix.
kernel void geometry(global const uint *in, global uint *out, uint n) {
    uint i = get_global_id(0);
    if (i >= n)
        return;
    int4 w = ((global const int4 *)in)[2 * i], v = ((global const int4 *)in)[2 * i + 1];
    float4 a = __builtin_convertvector(w >> 8, float4), b = __builtin_convertvector(v >> 8, float4);
    float4 c = a.yzxw * b.zxyw - a.zxyw * b.yzxw;
    float dot = a.x * b.x + a.y * b.y + a.z * b.z;
    ((global uint4 *)out)[2 * i] = as_uint4((float4)(c.xyz, dot));
    ((global uint4 *)out)[2 * i + 1] = as_uint4(a / (b * b + 1.0f));
}

typedef struct { uchar kind; ushort4 sides; int2 at; } shape;

uint area(const shape *s) {
    return s->kind & 1 ? (uint)s->sides.x * s->sides.y : s->sides.z + s->sides.w;
}

kernel void shapes(global const uint *in, global uint *out, uint n) {
    uint i = get_global_id(0);
    if (i >= n)
        return;
    shape s[2];
    for (int k = 0; k < 2; k++) {
        uint w = in[2 * i + k];
        s[k].kind = (uchar)w;
        s[k].sides = (ushort4)((ushort)(w >> 3), (ushort)(w >> 9), (ushort)w, 77);
        s[k].at = (int2)((int)w >> 20, -k);
    }
    int2 apart = s[0].at - s[1].at;
    out[2 * i] = area(&s[0]) * 3 + area(&s[1]);
    out[2 * i + 1] = (uint)(apart.x * 1000 + apart.y);
}
