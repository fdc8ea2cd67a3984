// Integer intrinsics: the device's results and those of plain C for the same words.
#include "check.h"

typedef unsigned int uint;
typedef unsigned long long ull;

static int low24(int x) { return (int)((uint)x << 8) >> 8; }
static ull wide(int a, int b) { return (ull)(uint)a << 32 | (uint)b; }

static int leading(ull x, int bits) {
	int n = 0;
	while (n < bits && !(x >> (bits - 1 - n) & 1)) {
		n++;
	}
	return n;
}

static int ones(ull x) { return x ? (int)(x & 1) + ones(x >> 1) : 0; }

static int firstOne(ull x) {
	int n = 1;
	while (x && !(x & 1)) {
		x >>= 1;
		n++;
	}
	return x ? n : 0;
}

static ull reversed(ull x, int bits) {
	ull r = 0;
	for (int i = 0; i < bits; i++) {
		r |= (x >> i & 1) << (bits - 1 - i);
	}
	return r;
}

static uint permuted(uint a, uint b, uint selector) {
	uint r = 0;
	for (int i = 0; i < 4; i++) {
		r |= (uint)((wide(b, a) >> 8 * (selector >> 4 * i & 7)) & 0xff) << 8 * i;
	}
	return r;
}

static uint distance(long long x, long long y) { return (uint)(x > y ? x - y : y - x); }
static ull product(uint a, uint b) { return (ull)a * b; }

/* The device's expression beside the host's, of ints a, b and c. */
#define CASES(same_as) \
	same_as(__mul24(a, b), (uint)low24(a) * (uint)low24(b)) \
	same_as(__umul24(a, b), ((uint)a & 0xffffff) * ((uint)b & 0xffffff)) \
	same_as(__mulhi(a, b), (uint)((long long)a * b >> 32)) \
	same_as(__umulhi(a, b), product(a, b) >> 32) \
	same_as(__mul64hi(wide64(a, b), c), (ull)((__int128)(long long)wide(a, b) * c >> 64)) \
	same_as(__umul64hi(wide64(a, b), wide64(c, a)), \
	        (ull)((unsigned __int128)wide(a, b) * wide(c, a) >> 64)) \
	same_as(__sad(a, b, (uint)c), distance(a, b) + (uint)c) \
	same_as(__usad((uint)a, (uint)b, (uint)c), distance((uint)a, (uint)b) + (uint)c) \
	same_as(__clz(a), leading((uint)a, 32)) \
	same_as(__clzll(wide64(a, b)), leading(wide(a, b), 64)) \
	same_as(__popc(a), ones((uint)a)) \
	same_as(__popcll(wide64(a, b)), ones(wide(a, b))) \
	same_as(__ffs(a), firstOne((uint)a)) \
	same_as(__ffsll(wide64(a, 0)), firstOne(wide(a, 0))) \
	same_as(__brev(a), reversed((uint)a, 32)) \
	same_as(__brevll(wide64(a, b)), reversed(wide(a, b), 64)) \
	same_as(__byte_perm(a, b, c & 0x7777), permuted(a, b, c)) \
	same_as(__hadd(a, b), (uint)(((long long)a + b) >> 1)) \
	same_as(__rhadd(a, b), (uint)(((long long)a + b + 1) >> 1)) \
	same_as(__uhadd(a, b), ((ull)(uint)a + (uint)b) >> 1) \
	same_as(abs(c), c < 0 ? 0u - (uint)c : (uint)c) \
	same_as(min(a, b), (uint)(a < b ? a : b)) \
	same_as(max(a, b), (uint)(a > b ? a : b)) \
	same_as(umin(a, b), (uint)a < (uint)b ? (uint)a : (uint)b) \
	same_as(min((uint)a, (uint)b), (uint)a < (uint)b ? (uint)a : (uint)b) \
	same_as(max(a, (uint)b), (uint)a > (uint)b ? (uint)a : (uint)b) \
	same_as(min((long long)a, (long long)b), (ull)(long long)(a < b ? a : b)) \
	same_as(max(wide64(a, b), wide64(b, a)), wide(a, b) > wide(b, a) ? wide(a, b) : wide(b, a))

static __device__ ull wide64(int a, int b) { return (ull)(uint)a << 32 | (uint)b; }

/* Results of 32 bits are compared as such, without their sign. */
template <class T>
static __host__ __device__ ull bits(T x) { return sizeof x == 8 ? (ull)x : (uint)x; }

enum { count = 28 };

__global__ void compute(int a, int b, int c, ull *out) {
	int n = 0;
#define DEVICE(device, host) out[n++] = bits(device);
	CASES(DEVICE)
}

void test(int a, int b, int c) {
	Shared<ull> out(count);
	compute<<<1, 1>>>(a, b, c, out.device);
	finish();
	int n = 0;
#define HOST(device, host) sameAs(bits(host), out[n++], #device, __LINE__);
	CASES(HOST)
	same((int)count, n);
}

int main() {
	test(0, 0, 0);
	test(1, -1, 0x3210);
	test(-7, 1000003, 0x7531);
	test(0x12345678, (int)0x9abcdef0, 0x4602);
	test((int)0x80000000, 0x7fffffff, -5);
	test(0xffffff, 0x800000, 0x5050);
	return verdict();
}
