// Loops, jumps and small machines.
#include "device.h"

KERNEL collatz(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    u32 a = in[i] % 1000 + 1, steps = 0;
    while (a != 1 && steps < 60) {
        a = a & 1 ? 3 * a + 1 : a / 2;
        steps++;
    }
    out[i] = steps << 16 | (a & 0xffff);
}

// A machine with a stack: each nibble of the program is an instruction.
KERNEL stackMachine(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    u32 stack[8], top = 2, code = in[2 * i];
    stack[0] = in[2 * i + 1];
    stack[1] = i;
    for (int k = 0; k < 8; k++, code >>= 4) {
        u32 b = stack[top - 1], a = stack[top - 2];
        switch (code & 15) {
        case 0: stack[top - 2] = a + b, top--; break;
        case 1: stack[top - 2] = a - b, top--; break;
        case 2: stack[top - 2] = a * b, top--; break;
        case 3: stack[top - 2] = b ? a / b : 0, top--; break;
        case 4: stack[top - 2] = b, stack[top - 1] = a; break;
        case 5: stack[top - 1] = ~b; break;
        case 6: stack[top - 1] = b << (a & 7); break;
        case 7: stack[top - 1] = 0u - b; // and one more on the stack
        case 8: case 9: case 10: stack[top++] = (u32)k; break;
        case 11: stack[top - 1] = b ^ a; break;
        case 12: continue;
        default: stack[top++] = code & 0xff;
        }
        if (top < 2)
            stack[top++] = 7;
        if (top > 7)
            break;
    }
    u32 sum = top;
    for (u32 k = 0; k < top; k++)
        sum = sum * 31 + stack[k];
    out[i] = sum;
}

// Leaves inner loops early, by break, continue and goto.
KERNEL leavings(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    u32 a = in[i], found = 0, tries = 0;
    for (u32 x = 1; x < 20; x++) {
        if ((a + x) % 3 == 0)
            continue;
        for (u32 y = x; y < 20; y++) {
            tries++;
            if (((a >> (x & 15)) ^ y) % 11 == 4)
                break;
            if (x * y == (a & 63) + 20) {
                found = x << 8 | y;
                goto done;
            }
        }
    }
    tries += 1000;
done:
    out[2 * i] = found;
    out[2 * i + 1] = tries;
}

__device__ u32 twice(u32 a) { return 2 * a; }
__device__ u32 square(u32 a) { return a * a; }
__attribute__((noinline)) __device__ u32 folded(u32 a) { return (a >> 16) + (a & 0xffff); }

__device__ u32 applied(u32 which, u32 a) {
    switch (which) {
    case 0: return twice(a);
    case 1: return square(a);
    case 2: return folded(a);
    }
    return a + which;
}

KERNEL dispatch(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    u32 a = in[i];
    for (u32 k = 0; k < 6; k++)
        a = applied((in[i] >> 2 * k) & 3, a);
    out[i] = a;
}

// Lengths and values of runs of equal nibbles.
KERNEL runs(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    u32 *o = out + 8 * i, count = 0;
    for (u32 at = 0; at < 8;) {
        u32 v = in[i] >> 4 * at & 3, start = at;
        do
            at++;
        while (at < 8 && (in[i] >> 4 * at & 3) == v);
        o[count++] = v << 8 | (at - start);
    }
    while (count < 8)
        o[count++] = 0xffffffffu;
}

// Where a word of three letters begins in a text of twenty letters out of four.
KERNEL search(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    const u8 *text = (const u8 *)(in + 6 * i), *word = text + 20;
    u32 places = 0;
    for (int at = 0; at + 3 <= 20; at++) {
        int k = 0;
        for (; k < 3; k++)
            if ((text[at + k] & 3) != (word[k] & 3))
                break;
        if (k == 3)
            places |= 1u << at;
    }
    out[i] = places;
}

__constant__ s32 sorted[16] = {-900, -77, -50, -3, 0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 1000};

KERNEL binarySearch(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    s32 want = (s32)in[i] % 100;
    u32 low = 0, high = 16;
    while (low < high) {
        u32 middle = (low + high) / 2;
        if (sorted[middle] < want)
            low = middle + 1;
        else
            high = middle;
    }
    out[i] = low;
}

// Reads decimal numbers with signs, as a machine of four states.
KERNEL parser(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    enum { Between, Sign, Number, Skip } state = Between;
    s32 sum = 0, number = 0, sign = 1;
    for (int k = 0; k <= 16; k++) {
        char c = k == 16 ? ' ' : "0123456789-+ ,x7"[((const u8 *)(in + 4 * i))[k] & 15];
        bool digit = c >= '0' && c <= '9';
        if (state == Skip) {
            if (c == ' ' || c == ',')
                state = Between;
            continue;
        }
        if (digit) {
            number = (number * 10 + (c - '0')) % 100000;
            state = Number;
        } else if ((c == '-' || c == '+') && state == Between) {
            sign = c == '-' ? -1 : 1;
            state = Sign;
        } else if (c == ' ' || c == ',') {
            sum += sign * number;
            number = 0, sign = 1, state = Between;
        } else {
            number = 0, sign = 1, state = Skip;
        }
    }
    out[i] = (u32)sum;
}
