// What C++ adds: templates, classes, lambdas, unions.
#include "device.h"

template <typename T, int N> struct Vec {
    T v[N];
    __device__ T &operator[](int k) { return v[k]; }
    __device__ const T &operator[](int k) const { return v[k]; }
    __device__ Vec operator+(const Vec &b) const {
        Vec r;
        for (int k = 0; k < N; k++)
            r[k] = T(v[k] + b[k]);
        return r;
    }
    __device__ T dot(const Vec &b) const {
        T s = 0;
        for (int k = 0; k < N; k++)
            s = T(s + (u64)v[k] * b[k]);
        return s;
    }
};

template <typename T> __device__ u32 vectorSum(const u32 *in) {
    Vec<T, 4> a, b;
    for (int k = 0; k < 4; k++) {
        a[k] = (T)in[k];
        b[k] = (T)in[k + 4];
    }
    return (u32)(a + b).dot(b);
}

KERNEL vectorTypes(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    out[4 * i] = vectorSum<u32>(in + 8 * i);
    out[4 * i + 1] = vectorSum<u16>(in + 8 * i);
    out[4 * i + 2] = vectorSum<u8>(in + 8 * i);
    out[4 * i + 3] = vectorSum<u64>(in + 8 * i);
}

template <u32 N> struct Fibonacci {
    static constexpr u32 value = Fibonacci<N - 1>::value + Fibonacci<N - 2>::value;
};
template <> struct Fibonacci<0> { static constexpr u32 value = 0; };
template <> struct Fibonacci<1> { static constexpr u32 value = 1; };

template <int N> __device__ u32 powered(u32 a) {
    if constexpr (N == 0)
        return 1;
    else if constexpr (N % 2)
        return a * powered<N - 1>(a);
    else
        return powered<N / 2>(a * a);
}

KERNEL metaprogram(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    out[2 * i] = powered<13>(in[i]);
    out[2 * i + 1] = in[i] % Fibonacci<20>::value;
}

template <typename F> __device__ u32 foldedBy(const u32 *in, u32 from, F f) {
    for (int k = 0; k < 5; k++)
        from = f(from, in[k]);
    return from;
}

KERNEL lambdas(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    const u32 *x = in + 5 * i;
    u32 calls = 0, key = x[0];
    out[3 * i] = foldedBy(x, 0, [](u32 a, u32 b) { return a + b; });
    out[3 * i + 1] = foldedBy(x, 1, [key](u32 a, u32 b) { return (a ^ key) * (b | 1); });
    foldedBy(x, 0, [&calls](u32 a, u32 b) {
        if (b > a)
            calls++;
        return b;
    });
    out[3 * i + 2] = calls;
}

// A mixed record, by value through functions.
struct Record {
    u8 kind;
    s16 small;
    u32 word;
    u64 wide;
};

__attribute__((noinline)) __device__ Record changed(Record r, u32 by) {
    r.kind = (u8)(r.kind + by);
    r.small = (s16)(r.small * 3 - (s16)by);
    r.word ^= by << 7;
    r.wide += (u64)r.word * by;
    return r;
}

KERNEL records(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    Record r = {(u8)in[2 * i], (s16)in[2 * i + 1], in[2 * i], 5};
    for (u32 k = 0; k < 3; k++)
        r = changed(r, k + i);
    out[4 * i] = (u32)r.kind << 16 | (u16)r.small;
    out[4 * i + 1] = r.word;
    put64(out + 4 * i + 2, r.wide);
}

// The parameters of all kernels here, as one.
struct Job {
    const u32 *in;
    u32 *out;
    u32 n;
};

__attribute__((noinline)) __device__ u32 taken(Job job, u32 i) {
    const u32 *pair = job.in + i % job.n;
    job.n -= i;
    return *pair * job.n;
}

KERNEL jobs(Job job) {
    u32 i = item();
    if (i >= job.n)
        return;
    job.out[i] = taken(job, i) + taken(job, i + 1);
}

union Word {
    u32 word;
    u16 halves[2];
    u8 bytes[4];
    struct { u32 low : 5, middle : 12; s32 high : 15; } fields;
};

KERNEL unions(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    Word w, v;
    w.word = in[i];
    v.word = 0;
    v.halves[0] = w.halves[1];
    v.bytes[3] = w.bytes[i & 3];
    out[3 * i] = v.word;
    out[3 * i + 1] = (u32)(w.fields.high * 7 + (s32)w.fields.middle - (s32)w.fields.low);
    w.fields.middle += 9;
    w.fields.high = -1;
    out[3 * i + 2] = w.word;
}

// A queue by classes that inherit, in local memory.
template <int N> class Ring {
    u32 at[N], first = 0, used = 0;

  public:
    __device__ bool push(u32 v) {
        if (used == N)
            return false;
        at[(first + used++) % N] = v;
        return true;
    }
    __device__ u32 pop() {
        u32 v = at[first];
        first = (first + 1) % N;
        used--;
        return v;
    }
    __device__ bool empty() const { return used == 0; }
};

struct Counted : Ring<5> {
    u32 lost = 0;
    __device__ void add(u32 v) {
        if (!push(v))
            lost += v;
    }
};

KERNEL queue(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    Counted q;
    u32 sum = 0;
    for (u32 k = 0; k < 16; k++) {
        if (in[i] >> 2 * k & 3)
            q.add(k * k + i);
        else if (!q.empty())
            sum = sum * 3 + q.pop();
    }
    while (!q.empty())
        sum = sum * 3 + q.pop();
    out[2 * i] = sum;
    out[2 * i + 1] = q.lost;
}

// Sorts eight numbers by insertion, in an array of the thread's own.
template <typename T> __device__ void sortLocal(T *a, int n) {
    for (int k = 1; k < n; k++) {
        T v = a[k];
        int at = k;
        for (; at > 0 && v < a[at - 1]; at--)
            a[at] = a[at - 1];
        a[at] = v;
    }
}

KERNEL insertion(const u32 *in, u32 *out, u32 n) {
    u32 i = item();
    if (i >= n)
        return;
    u32 a[8];
    s16 b[8];
    for (int k = 0; k < 8; k++) {
        a[k] = in[8 * i + k];
        b[k] = (s16)a[k];
    }
    sortLocal(a, 8);
    sortLocal(b, 8);
    for (int k = 0; k < 8; k++)
        out[8 * i + k] = a[k] ^ (u32)(s32)b[k];
}
