// Blocks of 64 threads that work together in shared memory. n is a multiple of 64.
#include "device.h"

KERNEL reduction(const u32 *in, u32 *out, u32 n) {
    __shared__ u32 sums[64], mosts[64];
    u32 t = threadIdx.x;
    sums[t] = mosts[t] = in[item()];
    __syncthreads();
    for (u32 half = 32; half > 0; half /= 2) {
        if (t < half) {
            sums[t] += sums[t + half];
            mosts[t] = mosts[t] < mosts[t + half] ? mosts[t + half] : mosts[t];
        }
        __syncthreads();
    }
    if (t < 2)
        out[64 * blockIdx.x + t] = t ? mosts[0] : sums[0];
}

// Inclusive sums, in steps that double.
KERNEL scanByDoubling(const u32 *in, u32 *out, u32 n) {
    __shared__ u32 s[2][64];
    u32 t = threadIdx.x, now = 0;
    s[0][t] = in[item()];
    __syncthreads();
    for (u32 by = 1; by < 64; by *= 2) {
        s[1 - now][t] = t >= by ? s[now][t] + s[now][t - by] : s[now][t];
        now = 1 - now;
        __syncthreads();
    }
    out[item()] = s[now][t];
}

// Exclusive sums by a tree, up and down.
KERNEL scanByTree(const u32 *in, u32 *out, u32 n) {
    __shared__ u32 s[64];
    u32 t = threadIdx.x, by = 1;
    s[t] = in[item()];
    for (u32 d = 32; d > 0; d /= 2, by *= 2) {
        __syncthreads();
        if (t < d)
            s[by * (2 * t + 2) - 1] += s[by * (2 * t + 1) - 1];
    }
    if (t == 0)
        s[63] = 0;
    for (u32 d = 1; d < 64; d *= 2) {
        by /= 2;
        __syncthreads();
        if (t < d) {
            u32 a = by * (2 * t + 1) - 1, b = by * (2 * t + 2) - 1, v = s[a];
            s[a] = s[b];
            s[b] += v;
        }
    }
    __syncthreads();
    out[item()] = s[t];
}

KERNEL transpose(const u32 *in, u32 *out, u32 n) {
    __shared__ u32 tile[8][9];
    u32 t = threadIdx.x, at = 64 * blockIdx.x;
    tile[t / 8][t % 8] = in[at + t];
    __syncthreads();
    out[at + t] = tile[t % 8][t / 8];
}

KERNEL bitonic(const u32 *in, u32 *out, u32 n) {
    __shared__ u32 s[64];
    u32 t = threadIdx.x;
    s[t] = in[item()];
    __syncthreads();
    for (u32 size = 2; size <= 64; size *= 2)
        for (u32 by = size / 2; by > 0; by /= 2) {
            u32 other = t ^ by;
            if (other > t && (s[t] > s[other]) == ((t & size) == 0)) {
                u32 v = s[t];
                s[t] = s[other];
                s[other] = v;
            }
            __syncthreads();
        }
    out[item()] = s[t];
}

// Sorts signed bytes: neighbours change places in turns. Without volatile, clang 14 keeps s[t] in a
// register across barriers: llvm-project issue 58626.
KERNEL oddEven(const u32 *in, u32 *out, u32 n) {
    __shared__ volatile s8 s[64];
    u32 t = threadIdx.x;
    s[t] = (s8)in[item()];
    for (u32 round = 0; round < 64; round++) {
        __syncthreads();
        if ((t & 1) == (round & 1) && t < 63 && s[t] > s[t + 1]) {
            s8 v = s[t];
            s[t] = s[t + 1];
            s[t + 1] = v;
        }
    }
    __syncthreads();
    out[item()] = (u32)(s32)s[t];
}

// The product of two matrices of 8 x 8, for each block.
KERNEL matrixProduct(const u32 *in, u32 *out, u32 n) {
    __shared__ u32 a[8][8], b[8][8];
    u32 x = threadIdx.x % 8, y = threadIdx.x / 8, sum = 0;
    const u32 *m = in + 128 * blockIdx.x;
    a[y][x] = m[threadIdx.x];
    b[y][x] = m[64 + threadIdx.x];
    __syncthreads();
    for (u32 k = 0; k < 8; k++)
        sum += a[y][k] * b[k][x];
    out[item()] = sum;
}

// Sums of seven neighbours with weights; the block's edges have no neighbours.
KERNEL stencil(const u32 *in, u32 *out, u32 n) {
    __shared__ s32 s[64 + 6];
    u32 t = threadIdx.x;
    const s32 weights[7] = {1, -6, 15, -20, 15, -6, 1};
    s[t + 3] = (s32)(in[item()] >> 8);
    if (t < 3)
        s[t] = s[67 + t] = 0;
    __syncthreads();
    s32 sum = 0;
    for (int k = 0; k < 7; k++)
        sum += weights[k] * s[t + k];
    out[item()] = (u32)sum;
}

// Conway's Game of Life for n / 32 generations, on a torus of 8 x 8 per block.
KERNEL life(const u32 *in, u32 *out, u32 n) {
    __shared__ bool cells[64];
    u32 t = threadIdx.x, x = t % 8, y = t / 8;
    bool alive = in[item()] & 1;
    for (int generation = 0; generation < (int)n / 32; generation++) {
        cells[t] = alive;
        __syncthreads();
        int around = 0;
        for (u32 dy = 7; dy <= 9; dy++)
            for (u32 dx = 7; dx <= 9; dx++)
                around += cells[(y + dy) % 8 * 8 + (x + dx) % 8];
        alive = around == 3 || (around == 4 && alive);
        __syncthreads();
    }
    out[item()] = alive;
}

// How often each of eight values occurs. Each thread has counters of its own.
KERNEL histogram(const u32 *in, u32 *out, u32 n) {
    __shared__ u8 counts[64][8];
    u32 t = threadIdx.x;
    for (u32 k = 0; k < 8; k++)
        counts[t][k] = 0;
    for (u32 k = 0; k < 10; k++)
        counts[t][in[item()] >> 3 * k & 7]++;
    __syncthreads();
    if (t >= 8)
        return;
    u32 sum = 0;
    for (u32 k = 0; k < 64; k++)
        sum += counts[k][t];
    out[64 * blockIdx.x + t] = sum;
}

// The lanes of a half-warp run in step: they need no barrier, if the memory is volatile.
KERNEL halfWarps(const u32 *in, u32 *out, u32 n) {
    __shared__ volatile u32 s[64];
    u32 t = threadIdx.x, lane = t % 16;
    s[t] = in[item()];
    u32 turned = s[t - lane + (lane + 5) % 16];
    s[t] = turned ^ lane;
    if (lane < 8)
        s[t] = s[t] + s[t + 8];
    if (lane < 4)
        s[t] = s[t] + s[t + 4];
    if (lane < 2)
        s[t] = s[t] + s[t + 2];
    out[item()] = lane == 0 ? s[t] + s[t + 1] : turned;
}
