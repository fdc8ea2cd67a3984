// Variables and accesses of every kind.
#include "device.h"

// Loads and stores of bytes and halves, with and without signs.
KERNEL narrow(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    const s8 *bytes = (const s8 *)in;
    const s16 *halves = (const s16 *)in;
    s32 sum = bytes[4 * i] - bytes[4 * i + 3] + halves[2 * i + 1];
    u8 *o = (u8 *)(out + 2 * i);
    o[0] = (u8)sum;
    o[1] = (u8)(((const u8 *)in)[4 * i + 2] >> 1);
    ((s16 *)o)[1] = (s16)(sum * 5);
    ((u16 *)o)[2] = (u16)(((const u16 *)in)[2 * i] + 1);
    o[6] = (u8)(bytes[4 * i + 1] >> 2);
    o[7] = 0x5a;
}

struct alignas(16) Four { u32 x, y, z, w; };
struct alignas(8) Two { u32 x, y; };

// Loads and stores of 8 and 16 bytes at once.
KERNEL wide(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    Four a = ((const Four *)in)[i], b = {a.w + 1, a.z ^ a.x, a.y, a.x * 3};
    ((Four *)out)[2 * i] = b;
    Two c = ((const Two *)in)[2 * i + 1], d = {c.y, c.x};
    ((Two *)out)[4 * i + 2] = d;
    ((u64 *)out)[4 * i + 3] = ((const u64 *)in)[2 * i] + 0x100000001;
}

struct Rule { u8 from, to; s16 bonus; u32 mask; };

__constant__ Rule rules[4] = {
    {1, 2, -30, 0xff}, {3, 0, 500, 0xff00}, {2, 2, 7, 0x0f0f0f}, {0, 1, -1, ~0u}};
__constant__ u64 primes[5] = {2, 3, 5, 7, 0x1fffffffffffffffull};
__device__ s32 offsets[6] = {10, -20, 30, -40, 50, -60};
__device__ u32 scratch[256];

KERNEL tables(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    const Rule &r = rules[in[i] & 3];
    u32 v = (in[i] & r.mask) << r.from >> r.to;
    out[4 * i] = v + (u32)(s32)r.bonus;
    out[4 * i + 1] = (u32)offsets[in[i] % 6];
    put64(out + 4 * i + 2, primes[i % 5] * in[i]);
}

// Threads exchange words through a global variable.
KERNEL variables(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    scratch[i] = in[i] + 1;
    __syncthreads();
    out[i] = scratch[i ^ 21] - scratch[i];
}

// Pointers that may lead to shared, local, constant or global memory.
__attribute__((noinline)) __device__ u32 summed(const u32 *at, u32 by) {
    u32 s = 0;
    for (u32 k = 0; k < 4; k++)
        s = s * by + at[k];
    return s;
}

KERNEL pointers(const u32 *in, u32 *out, u32 n) {
    __shared__ u32 together[64 + 3];
    u32 own[4] = {1, 2, 3, 4}, i = item(), t = threadIdx.x;
    together[t] = in[i];
    if (t < 3)
        together[64 + t] = t;
    own[in[i] & 3] = i;
    __syncthreads();
    const u32 *at = in + (i & ~3u);
    if (in[i] & 16)
        at = own;
    else if (in[i] & 32)
        at = together + t;
    out[2 * i] = summed(at, 3);
    out[2 * i + 1] = summed(own, 5);
}

struct Block { u32 words[10]; u8 tail[6]; };

KERNEL copies(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    Block a, b;
    __builtin_memset(&a, 0xa5, sizeof a);
    __builtin_memcpy(a.words + 2, in + 8 * i, 32);
    a.tail[in[8 * i] % 6] = 7;
    b = a;
    b.words[in[8 * i + 1] % 10]++;
    u32 sum = 0;
    for (int k = 0; k < 10; k++)
        sum = sum * 3 + (a.words[k] ^ b.words[9 - k]);
    for (int k = 0; k < 6; k++)
        sum = sum * 3 + b.tail[k];
    out[i] = sum;
}

// Every access of a volatile variable happens.
KERNEL volatiles(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    volatile u32 *o = out + 2 * i;
    volatile u64 own = in[i];
    for (u32 k = 0; k < 5; k++) {
        *o = *o + in[i];
        own = own * own + k;
    }
    o[1] = (u32)(own >> 32) ^ (u32)own;
}
