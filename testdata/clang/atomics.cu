// Atomic operations on global memory. out begins as zeros; the order of threads does not matter.
#include "device.h"

__device__ inline u32 atomicAdd(u32 *p, u32 v) {
    return (u32)__nvvm_atom_add_gen_i((int *)p, (int)v);
}
__device__ inline u32 atomicCAS(u32 *p, u32 was, u32 v) {
    return (u32)__nvvm_atom_cas_gen_i((int *)p, (int)was, (int)v);
}

KERNEL histogramByAtomics(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i < n)
        for (int k = 0; k < 8; k++)
            atomicAdd(out + (in[i] >> 4 * k & 15), 1);
}

KERNEL operations(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    int *o = (int *)out;
    int v = (int)in[i];
    __nvvm_atom_max_gen_i(o, v);
    __nvvm_atom_min_gen_i(o + 1, v);
    __nvvm_atom_max_gen_ui(out + 2, in[i]);
    __nvvm_atom_or_gen_i(o + 3, 1 << (v & 31));
    __nvvm_atom_xor_gen_i(o + 4, v);
    __nvvm_atom_inc_gen_ui(out + 5, 6);
    __nvvm_atom_dec_gen_ui(out + 6, 9);
    atomicAdd(out + 7 + (v & 1), 0u - i);
}

// Each thread takes a place of its own.
KERNEL tickets(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    u32 place = atomicAdd(out, 1);
    out[1 + place] = in[place] ^ place;
}

// A product modulo a prime, by compare and swap. Zero stands for one.
KERNEL compareAndSwap(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    u32 *at = out + (i & 3), was = *(volatile u32 *)at, seen;
    for (;; was = seen) {
        u64 product = (u64)(was ? was : 1) * (in[i] % 65520 + 1) % 65521;
        seen = atomicCAS(at, was, (u32)product);
        if (seen == was)
            break;
    }
}
