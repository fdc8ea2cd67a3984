// Checksums, hashes and random numbers.
#include "device.h"

// Each item is a message of 16 bytes.
__device__ inline const u8 *message(const u32 *in, u32 i) { return (const u8 *)(in + 4 * i); }

KERNEL crc32(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    const u8 *m = message(in, i);
    u32 crc = ~0u;
    for (int k = 0; k < 16; k++) {
        crc ^= m[k];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (0xedb88320u & (0u - (crc & 1)));
    }
    out[i] = ~crc;
}

// The CRC of each of the sixteen numbers of four bits.
__constant__ u32 nibbles[16] = {
    0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
    0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
};

KERNEL crc32ByTable(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    const u8 *m = message(in, i);
    u32 crc = ~0u;
    for (int k = 0; k < 16; k++) {
        crc = crc >> 4 ^ nibbles[(crc ^ m[k]) & 15];
        crc = crc >> 4 ^ nibbles[(crc ^ m[k] >> 4) & 15];
    }
    out[i] = ~crc;
}

KERNEL fnv(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    const u8 *m = message(in, i);
    u32 narrow = 2166136261u;
    u64 wide = 14695981039346656037ull;
    for (int k = 0; k < 16; k++) {
        narrow = (narrow ^ m[k]) * 16777619u;
        wide = (wide ^ m[k]) * 1099511628211ull;
    }
    out[3 * i] = narrow;
    put64(out + 3 * i + 1, wide);
}

KERNEL adler(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    const u8 *m = message(in, i);
    u32 a = 1, b = 0;
    for (int k = 0; k < 16; k++) {
        a = (a + m[k]) % 65521;
        b = (b + a) % 65521;
    }
    out[i] = b << 16 | a;
}

__device__ inline u32 rotated(u32 a, int by) { return a << by | a >> (32 - by); }

// Multiplications, rotations and shifts, in the manner of the fast hashes of tables.
KERNEL mixed(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    u32 h = n;
    for (int k = 0; k < 4; k++) {
        u32 w = rotated(in[4 * i + k] * 0xcc9e2d51u, 15) * 0x1b873593u;
        h = rotated(h ^ w, 13) * 5 + 0xe6546b64u;
    }
    h ^= 16;
    h = (h ^ h >> 16) * 0x85ebca6bu;
    h = (h ^ h >> 13) * 0xc2b2ae35u;
    out[i] = h ^ h >> 16;
}

struct State {
    u64 a, b, c, d;
    static __device__ u64 turned(u64 v, int by) { return v << by | v >> (64 - by); }
    __device__ void round() {
        a += b, b = turned(b, 13) ^ a, a = turned(a, 32);
        c += d, d = turned(d, 16) ^ c;
        a += d, d = turned(d, 21) ^ a;
        c += b, b = turned(b, 17) ^ c, c = turned(c, 32);
    }
};

// Sums, rotations and exclusive ors of 64 bits, with a key.
KERNEL keyed(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    u64 key = 0x0706050403020100ull + n;
    State s = {key ^ 0x736f6d6570736575ull, ~key, key * 3, key >> 7};
    for (int k = 0; k < 2; k++) {
        u64 w = get64(in + 4 * i + 2 * k);
        s.d ^= w;
        s.round();
        s.round();
        s.a ^= w;
    }
    s.c ^= 0xff;
    for (int k = 0; k < 4; k++)
        s.round();
    put64(out + 2 * i, s.a ^ s.b ^ s.c ^ s.d);
}

// Five generators of random numbers, eight steps each.
KERNEL generators(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    u32 x = in[i] | 1, lcg = in[i], weyl = 0, lagged[4] = {1, in[i], 3, in[i] >> 5};
    u64 split = in[i];
    for (u32 k = 0; k < 8; k++) {
        x ^= x << 13, x ^= x >> 17, x ^= x << 5;
        lcg = lcg * 1664525 + 1013904223;
        weyl = (weyl + 0x9e3779b9u) * 0x2545f491u;
        lagged[k & 3] += lagged[(k + 1) & 3] ^ lagged[(k + 2) & 3];
        split += 0x9e3779b97f4a7c15ull;
        split = (split ^ split >> 30) * 0xbf58476d1ce4e5b9ull;
    }
    u32 *o = out + 6 * i;
    o[0] = x, o[1] = lcg, o[2] = weyl;
    o[3] = lagged[0] ^ lagged[1] ^ lagged[2] ^ lagged[3];
    put64(o + 4, split);
}
