// Work-groups of 64 that work together in local memory. n is a multiple of 64.
#include "opencl.h"

constant int weights[5] = {-1, 4, 10, 4, -1};
constant uchar order[16] = {3, 9, 15, 0, 1, 8, 2, 14, 5, 4, 11, 6, 13, 7, 10, 12};

kernel void groupSum(global const uint *in, global uint *out, uint n) {
    local ulong s[64];
    uint t = get_local_id(0);
    s[t] = (ulong)in[get_global_id(0)] * in[get_global_id(0)];
    for (uint half_ = 32; half_ > 0; half_ >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t < half_)
            s[t] += s[t + half_];
    }
    if (t == 0)
        ((global ulong *)out)[get_group_id(0)] = s[0];
}

kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void groupScan(global const uint *in, global uint *out, uint n) {
    local int s[64];
    uint t = get_local_id(0);
    int most = (int)in[get_global_id(0)];
    s[t] = most;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint by = 1; by < 64; by <<= 1) {
        int other = t >= by ? s[t - by] : most;
        barrier(CLK_LOCAL_MEM_FENCE);
        most = other > most ? other : most;
        s[t] = most;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = (uint)most;
}

kernel void convolution(global const uint *in, global uint *out, uint n) {
    local int s[68];
    uint t = get_local_id(0), last = n - 1, first = get_group_id(0) * 64;
    for (uint k = t; k < 68; k += 64) {
        int at = (int)(first + k) - 2;
        at = at < 0 ? 0 : at > (int)last ? (int)last : at;
        s[k] = (int)in[at] >> 8;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = 8;
    for (int k = 0; k < 5; k++)
        sum += weights[k] * s[t + k];
    out[get_global_id(0)] = (uint)(sum >> 4);
}

// A permutation of each sixteen words, by a table of bytes.
kernel void permutation(global const uint *in, global uint *out, uint n) {
    local uint s[64];
    uint t = get_local_id(0);
    s[t] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s[(t & ~15u) + order[t & 15]];
}

// The rank of a word among its group, which sorts.
kernel void ranks(global const uint *in, global uint *out, uint n) {
    local uint s[64];
    uint t = get_local_id(0), v = in[get_global_id(0)], rank = 0;
    s[t] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < 64; k++)
        rank += s[k] < v || (s[k] == v && k < t);
    out[get_group_id(0) * 64 + rank] = v;
}

// The product of a matrix of 8 x 8 with its transpose, in numbers of 32 bits.
kernel void gram(global const uint *in, global uint *out, uint n) {
    local float m[8][8];
    uint t = get_local_id(0), x = t & 7, y = t >> 3;
    m[y][x] = (float)((int)in[get_global_id(0)] >> 20);
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0.5f;
    for (int k = 0; k < 8; k++)
        sum += m[y][k] * m[x][k];
    out[get_global_id(0)] = as_uint(sum);
}

// Rule 110 on a ring of 64 cells.
kernel void automaton(global const uint *in, global uint *out, uint n) {
    local uchar cells[64];
    uint t = get_local_id(0), history = 0;
    cells[t] = in[get_global_id(0)] & 1;
    for (int k = 0; k < 20; k++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint around = cells[(t + 63) & 63] << 2 | cells[t] << 1 | cells[(t + 1) & 63];
        barrier(CLK_LOCAL_MEM_FENCE);
        cells[t] = 110 >> around & 1;
        history = history << 1 | cells[t];
    }
    out[get_global_id(0)] = history;
}

// Walks a list of words whose links are in local memory.
kernel void links(global const uint *in, global uint *out, uint n) {
    local struct { uint next, word; } list[64];
    uint t = get_local_id(0), at = t, sum = 0;
    list[t].next = in[get_global_id(0)] % 64;
    list[t].word = in[get_global_id(0)] >> 6;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k <= t % 7; k++) {
        sum = sum * 5 + list[at].word;
        at = list[at].next;
        if (at == t)
            break;
    }
    out[get_global_id(0)] = sum;
}
