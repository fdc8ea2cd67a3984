// Two halves or four bytes of a word at a time.
#include "device.h"

// lane returns one lane of a word, with its sign or without.
template <int width, bool withSign> static int lane(int word, int at) {
    int high = (int)((uint)word << (32 - width - at));
    return withSign ? high >> (32 - width) : (int)((uint)high >> (32 - width));
}

// lanes applies f to the lanes of two words.
template <int width, bool withSign, typename F> static int lanes(int a, int b, F f) {
    uint all = 0;
    for (int at = 0; at < 32; at += width) {
        uint y = (uint)f(lane<width, withSign>(a, at), lane<width, withSign>(b, at));
        all |= (y & ((1u << width) - 1)) << at;
    }
    return (int)all;
}

template <int width, bool withSign> static int clamp(int x) {
    int most = (1 << (withSign ? width - 1 : width)) - 1, least = withSign ? -most - 1 : 0;
    return x > most ? most : x < least ? least : x;
}

static int distance(int a, int b) { return a > b ? a - b : b - a; }

#define ONE(name, body)                                                                            \
    API int __nv_v##name##2(int a) {                                                               \
        return lanes<16, true>(a, 0, []<int n = 16>(int a, int) { return body; });                 \
    }                                                                                              \
    API int __nv_v##name##4(int a) {                                                               \
        return lanes<8, true>(a, 0, []<int n = 8>(int a, int) { return body; });                   \
    }

#define TWO(name, sign, body)                                                                      \
    API int __nv_v##name##2(int a, int b) {                                                        \
        return lanes<16, sign>(a, b, []<int n = 16>(int a, int b) { return body; });               \
    }                                                                                              \
    API int __nv_v##name##4(int a, int b) {                                                        \
        return lanes<8, sign>(a, b, []<int n = 8>(int a, int b) { return body; });                 \
    }

#define COMPARE(name, sign, operation)       \
    TWO(cmp##name, sign, a operation b ? -1 : 0) \
    TWO(set##name, sign, a operation b)

ONE(abs, a < 0 ? -a : a)
ONE(absss, (clamp<n, true>(a < 0 ? -a : a)))
ONE(neg, -a)
ONE(negss, (clamp<n, true>(-a)))

TWO(add, true, a + b)
TWO(addss, true, (clamp<n, true>(a + b)))
TWO(addus, false, (clamp<n, false>(a + b)))
TWO(sub, true, a - b)
TWO(subss, true, (clamp<n, true>(a - b)))
TWO(subus, false, (clamp<n, false>(a - b)))
TWO(absdiffs, true, distance(a, b))
TWO(absdiffu, false, distance(a, b))
TWO(avgs, true, (a + b + (a + b >= 0)) >> 1)
TWO(avgu, false, (a + b + 1) >> 1)
TWO(haddu, false, (a + b) >> 1)
TWO(maxs, true, a > b ? a : b)
TWO(maxu, false, a > b ? a : b)
TWO(mins, true, a < b ? a : b)
TWO(minu, false, a < b ? a : b)

COMPARE(eq, true, ==)
COMPARE(ne, true, !=)
COMPARE(ges, true, >=)
COMPARE(geu, false, >=)
COMPARE(gts, true, >)
COMPARE(gtu, false, >)
COMPARE(les, true, <=)
COMPARE(leu, false, <=)
COMPARE(lts, true, <)
COMPARE(ltu, false, <)

// distances sums the distances of lanes.
template <int width, bool withSign> static int distances(int a, int b) {
    int sum = 0;
    for (int at = 0; at < 32; at += width)
        sum += distance(lane<width, withSign>(a, at), lane<width, withSign>(b, at));
    return sum;
}

API int __nv_vsads2(int a, int b) { return distances<16, true>(a, b); }
API int __nv_vsads4(int a, int b) { return distances<8, true>(a, b); }
API int __nv_vsadu2(int a, int b) { return distances<16, false>(a, b); }
API int __nv_vsadu4(int a, int b) { return distances<8, false>(a, b); }
