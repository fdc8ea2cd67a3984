// What the host's processor does without a simulator: how long 32 lanes of an operation take
// in a plain loop, and how long the benchmark's algorithms take on one core.
//
//	host ops ROUNDS < TABLE                prints a line "NAME NANOSECONDS" for each operation
//	host do NAME < TABLE OPERANDS > ANSWER does one operation on a row, so that it can be checked
//	host KERNEL WORDS... < BUFFERS > ANSWER
//
// The table holds the coefficients of the reciprocal, three words for each of its 128
// intervals. Operands are six rows of 32 words; the answer two rows.
//
// A kernel's words are its parameters: a number of bytes for each buffer, then the values.
// The buffers come in on standard input one after the other. The answer is the least time in
// seconds as an f64, then the buffers.

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint32_t u32;
typedef uint64_t u64;

static double now(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

static float as_float(u32 x) { float f; memcpy(&f, &x, 4); return f; }
static u32 as_word(float f) { u32 x; memcpy(&x, &f, 4); return x; }

// ---- operations on 32 lanes ----

enum { LANES = 32, REGISTERS = 64, SOURCES = 6, RESULTS = 2 }; // 8 KB of registers stay in the first cache

typedef u32 row[LANES];
static row registers[REGISTERS] __attribute__((aligned(64)));

// The operations do what the simulated machine does, to the bit (a test looks), except for
// denormals and NaN in fadd and fmul, dadd and dfma: those of the machine would be slower.
// Sources follow each other in s, results in d; numbers of 64 bits are a row of low words
// and one of high words.
#define ROW(name, ...) \
	static inline void name(row *restrict d, const row *restrict s) { \
		for (int i = 0; i < LANES; i++) __VA_ARGS__ \
	}

ROW(copy, d[0][i] = s[0][i];)
ROW(add, d[0][i] = s[0][i] + s[1][i];)
ROW(mul24, d[0][i] = (s[0][i] & 0xffffff) * (s[1][i] & 0xffffff);)
ROW(mad24, d[0][i] = (s[0][i] & 0xffffff) * (s[1][i] & 0xffffff) + s[2][i];)
ROW(and, d[0][i] = s[0][i] & s[1][i];)
ROW(shl, d[0][i] = s[1][i] < 32 ? s[0][i] << (s[1][i] & 31) : 0;)
ROW(fadd, d[0][i] = as_word(as_float(s[0][i]) + as_float(s[1][i]));)
ROW(fmul, d[0][i] = as_word(as_float(s[0][i]) * as_float(s[1][i]));)
ROW(itof, d[0][i] = as_word((float)(int32_t)s[0][i]);)
ROW(ftoi, {
	float x = as_float(s[0][i]);
	float n = rintf(x);
	n = x == x ? n : 0;
	int32_t r = n >= 0x1p31f ? INT32_MAX : n < -0x1p31f ? INT32_MIN : (int32_t)n;
	d[0][i] = r;
})

static inline double as_double(u32 low, u32 high) {
	u64 w = (u64)high << 32 | low;
	double x;
	memcpy(&x, &w, 8);
	return x;
}

static inline u64 bits_of(double x) {
	u64 w;
	memcpy(&w, &x, 8);
	return w;
}

ROW(dadd, {
	u64 w = bits_of(as_double(s[0][i], s[1][i]) + as_double(s[2][i], s[3][i]));
	d[0][i] = w, d[1][i] = w >> 32;
})
ROW(dfma, {
	u64 w = bits_of(fma(as_double(s[0][i], s[1][i]), as_double(s[2][i], s[3][i]), as_double(s[4][i], s[5][i])));
	d[0][i] = w, d[1][i] = w >> 32;
})

enum { SIGN = 0x80000000, INFINITE = 0x7f800000, NOT_A_NUMBER = 0x7fffffff };

static inline u32 flush(u32 x) { return x & INFINITE ? x : x & SIGN; }
static inline u32 canonical(u32 x) { return (x & ~(u32)SIGN) > INFINITE ? NOT_A_NUMBER : x; }

// The multiply-add of the machine: the product is cut to 24 bits, unless the addend is zero;
// then it is rounded, and what is less than half a place below the least number is zero.
ROW(fmad, {
	u32 c = flush(s[2][i]);
	double p = (double)as_float(flush(s[0][i])) * as_float(flush(s[1][i]));
	int zero = !(c << 1);
	u64 keep = zero ? ~(u64)0 : ~(u64)0x1fffffff;
	u64 w = bits_of(p) & keep;
	p = zero && fabs(p) < 0x1.ffffffp-127 ? p * 0 : as_double(w, w >> 32);
	d[0][i] = canonical(flush(as_word((float)(p + as_float(c)))));
})

// A reciprocal as the special function unit makes it: a quadratic whose coefficients a table
// holds, with a square whose partial products lose their low bits.
static int32_t table[128][3];

static inline u32 corner(u32 x, u32 y) { return (x >> 3 & 1) * (y >> 1) + (x >> 2 & 1) * (y >> 2) + (x >> 1 & 1) * (y >> 3); }

ROW(rcp, {
	u32 a = s[0][i];
	u32 e = a & INFINITE;
	u32 x = a & 0xffff;
	u32 f = x >> 4 & 15;
	u32 q = ((x >> 8) * (x >> 8) >> 1) + (x >> 12) * f + corner(x >> 8 & 15, f) + corner(x >> 12, x & 15);
	const int32_t *t = table[a >> 16 & 127];
	int64_t m = ((int64_t)t[0] << 13) + (int64_t)t[1] * x + (int64_t)t[2] * q + 0x47e7;
	int32_t r = (int32_t)(m >> 15) + ((253 << 23) - (1 << 23)) - (int32_t)e;
	r = r > 0x7fffff ? r : 0;
	r = e == INFINITE ? 0 : e == 0 ? INFINITE : r;
	d[0][i] = (a & ~(u32)SIGN) > INFINITE ? NOT_A_NUMBER : (u32)r | (a & SIGN);
})

typedef void operation(row *restrict, const row *restrict);

// OPERATIONS lists the operations, the one that results are set against first.
#define OPERATIONS(X) \
	X(add) X(copy) X(mul24) X(mad24) X(and) X(shl) X(itof) X(ftoi) X(fadd) X(fmul) X(fmad) X(rcp) X(dadd) X(dfma)

// once returns the nanoseconds of an operation as one short measurement shows it. The operation is
// inlined: a simulator's overhead is not compared with that of calls.
static inline __attribute__((always_inline)) double once(operation *op) {
	enum { CALLS = 2000 };
	double start = now();
	for (int k = 0; k < CALLS; k++) {
		row *r = registers + k % 8 * 8;
		op(r, r + RESULTS);
		__asm__ volatile("" ::: "memory");
	}
	return (now() - start) / CALLS * 1e9;
}

#define ONCE(name) static __attribute__((noinline, aligned(64))) double once_##name(void) { return once(name); }
OPERATIONS(ONCE)

// operations times all in turn, several rounds, and prints the least of each: what the machine does
// besides, and how fast its clock runs, falls on all alike.
static int operations(int rounds) {
	static struct {
		const char *name;
		double (*once)(void);
		double least;
	} timed[] = {
#define TIMED(name) {#name, once_##name, 1e9},
		OPERATIONS(TIMED)
	};
	enum { TIMED_LEN = sizeof timed / sizeof *timed };
	if (fread(table, sizeof table, 1, stdin) != 1) return 1;
	for (int r = 0; r < REGISTERS; r++)
		for (int i = 0; i < LANES; i++) registers[r][i] = as_word(1 + (r * LANES + i) * 0.0001f);
	for (int n = 0; n < rounds; n++)
		for (int k = 0; k < TIMED_LEN; k++) timed[k].least = fmin(timed[k].least, timed[k].once());
	for (int k = 0; k < TIMED_LEN; k++) printf("%s %.4f\n", timed[k].name, timed[k].least);
	return 0;
}

static const struct {
	const char *name;
	operation *op;
} named[] = {
#define NAME(name) {#name, name},
	OPERATIONS(NAME)
};

// check does the operation called name on the row that comes in.
static int check(const char *name) {
	if (fread(table, sizeof table, 1, stdin) != 1 || fread(registers[RESULTS], sizeof(row), SOURCES, stdin) != SOURCES) return 1;
	for (size_t k = 0; k < sizeof named / sizeof *named; k++)
		if (!strcmp(name, named[k].name)) {
			named[k].op(registers, (const row *)registers + RESULTS);
			return fwrite(registers, sizeof(row), RESULTS, stdout) != RESULTS;
		}
	fprintf(stderr, "host: no such operation\n");
	return 2;
}

// ---- the benchmark's kernels ----

static void vecadd(void **p, const u32 *v, const size_t *size) {
	const float *a = p[0], *b = p[1];
	float *c = p[2];
	for (u32 i = 0; i < v[0]; i++) c[i] = a[i] + b[i];
}

static void saxpy(void **p, const u32 *v, const size_t *size) {
	const float *x = p[0];
	float *y = p[1], a = as_float(v[0]);
	for (u32 i = 0; i < v[1]; i++) y[i] = a * x[i] + y[i];
}

static void matmul(void **p, const u32 *v, const size_t *size) {
	const float *a = p[0], *b = p[1];
	float *c = p[2];
	u32 n = v[0];
	for (u32 i = 0; i < n; i++)
		for (u32 j = 0; j < n; j++) {
			float sum = 0;
			for (u32 k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
			c[i * n + j] = sum;
		}
}

static void transpose(void **p, const u32 *v, const size_t *size) {
	const u32 *a = p[0];
	u32 *b = p[1], w = v[0], h = v[1];
	for (u32 y = 0; y < h; y++)
		for (u32 x = 0; x < w; x++) b[x * h + y] = a[y * w + x];
}

static void mandelbrot(void **p, const u32 *v, const size_t *size) {
	u32 *o = p[0], w = v[0], h = v[1], most = v[2];
	float x0 = as_float(v[3]), y0 = as_float(v[4]), dx = as_float(v[5]), dy = as_float(v[6]);
	for (u32 y = 0; y < h; y++)
		for (u32 x = 0; x < w; x++) {
			float cx = x0 + x * dx, cy = y0 + y * dy, zx = 0, zy = 0;
			u32 n = 0;
			for (; n < most; n++) {
				float xx = zx * zx, yy = zy * zy;
				if (xx + yy > 4) break;
				zy = 2 * zx * zy + cy;
				zx = xx - yy + cx;
			}
			o[y * w + x] = n;
		}
}

static void nested(void **p, const u32 *v, const size_t *size) {
	const u32 *a = p[0];
	u32 *o = p[1];
	for (u32 i = 0; i < v[0]; i++) {
		u32 x = a[i], acc = 0;
		for (u32 k = 0; k < 12; k++) {
			if (!(x & 1)) {
				x = x >> 1 ^ k * 0x9e37;
				if ((x & 6) == 4) continue;
				acc += 3;
			} else if (x & 2) {
				for (u32 j = k; j < 20; j++) {
					acc += j ^ x;
					if ((acc >> 3 & 3) == 3) break;
					if (acc & 1) { x += 7; continue; }
					x = x * 5 + 1;
					if (x > 0xf0000000) { acc ^= 0x55; break; }
				}
			} else {
				if (acc & 0x40) { acc += 1000; break; }
				x = x * 3 + i;
			}
			acc = acc << 1 | acc >> 31;
		}
		o[i] = acc ^ x;
	}
}

static void collatz(void **p, const u32 *v, const size_t *size) {
	const u32 *a = p[0];
	u32 *o = p[1];
	for (u32 i = 0; i < v[0]; i++) {
		u32 x = a[i], n = 0;
		for (; x > 1; n++) x = x & 1 ? 3 * x + 1 : x >> 1;
		o[i] = n;
	}
}

static void xorshift(void **p, const u32 *v, const size_t *size) {
	const u32 *seed = p[0];
	u32 *o = p[1];
	for (u32 i = 0; i < v[0]; i++) {
		u32 x = seed[i] | 1, s = 0, rounds = 8 + (x & 31);
		for (u32 k = 0; k < rounds; k++) {
			x ^= x << 13, x ^= x >> 17, x ^= x << 5;
			u32 n = x;
			n -= n >> 1 & 0x55555555;
			n = (n & 0x33333333) + (n >> 2 & 0x33333333);
			n = (n + (n >> 4)) & 0x0f0f0f0f;
			s = s * 33 + (n * 0x01010101 >> 24);
			s = s << 7 | s >> 25;
		}
		o[i] = s ^ x;
	}
}

static void crc32(void **p, const u32 *v, const size_t *size) {
	const uint8_t *a = p[0];
	u32 *o = p[1], len = v[0], threads = size[1] / sizeof *o;
	for (u32 i = 0; i < threads; i++) {
		u32 c = ~(u32)0;
		for (u32 k = 0; k < len; k++) {
			c ^= a[i * len + k];
			for (int b = 0; b < 8; b++) c = c & 1 ? c >> 1 ^ 0xedb88320 : c >> 1;
		}
		o[i] = ~c;
	}
}

static void i64mix(void **p, const u32 *v, const size_t *size) {
	const u64 *a = p[0], *b = p[1];
	u64 *o = p[2];
	for (u32 i = 0; i < v[0]; i++, o += 7) {
		u64 x = a[i], y = b[i], q = 0, r = 0, d = y >> 40 | 1;
		o[0] = x + y;
		o[1] = x - y;
		o[2] = x * y;
		o[3] = x << (y & 63);
		o[4] = (u64)((int64_t)x >> (y & 63));
		o[5] = x < y ? x ^ y : x & y;
		for (int k = 63; k >= 0; k--) {
			r = r << 1 | (x >> k & 1);
			q <<= 1;
			if (r >= d) r -= d, q |= 1;
		}
		o[6] = q ^ r << 32;
	}
}

static void sfumix(void **p, const u32 *v, const size_t *size) {
	const float *a = p[0];
	float *o = p[1];
	for (u32 i = 0; i < v[0]; i++, o += 8) {
		float f = a[i], m = fabsf(f);
		o[0] = sinf(f);
		o[1] = cosf(f);
		o[2] = exp2f(f);
		o[3] = log2f(m + 0.5f);
		o[4] = 1 / f;
		o[5] = 1 / sqrtf(m);
		o[6] = sqrtf(m);
		o[7] = powf(m, 1.5f) + expf(-m);
	}
}

static void nbody(void **p, const u32 *v, const size_t *size) {
	typedef struct { float x, y, z, mass; } body;
	const body *all = p[0], *mine = p[1];
	body *o = p[2];
	u32 bodies = v[0] * 64;
	for (size_t i = 0; i < size[1] / sizeof *mine; i++) {
		body sum = {0, 0, 0, 0};
		for (u32 k = 0; k < bodies; k++) {
			float x = all[k].x - mine[i].x, y = all[k].y - mine[i].y, z = all[k].z - mine[i].z;
			float inverse = 1 / sqrtf(x * x + y * y + z * z + 0.01f);
			float factor = inverse * inverse * inverse * all[k].mass;
			sum.x += x * factor, sum.y += y * factor, sum.z += z * factor;
		}
		o[i] = sum;
	}
}

typedef void kernel(void **buffers, const u32 *values, const size_t *size);

static const struct {
	const char *name;
	kernel *run;
	int buffers, values;
} kernels[] = {
	{"vecadd", vecadd, 3, 1}, {"saxpy", saxpy, 2, 2}, {"matmul", matmul, 3, 1}, {"transpose", transpose, 2, 2},
	{"mandelbrot", mandelbrot, 1, 7}, {"nested", nested, 2, 1}, {"collatz", collatz, 2, 1}, {"xorshift", xorshift, 2, 1},
	{"crc32", crc32, 2, 1}, {"i64mix", i64mix, 3, 1}, {"sfumix", sfumix, 2, 1}, {"nbody", nbody, 3, 1},
};

enum { MOST = 8, RUNS = 9 };

// measure runs a kernel on fresh copies of its buffers and writes the answer.
static int measure(kernel *run, int buffers, char **words) {
	void *given[MOST], *used[MOST];
	size_t size[MOST];
	u32 values[MOST];
	double least = 1e9;
	for (int i = 0; i < buffers; i++) {
		size[i] = strtoul(*words++, NULL, 10);
		given[i] = malloc(size[i]);
		used[i] = malloc(size[i]);
		if (!given[i] || !used[i] || fread(given[i], 1, size[i], stdin) != size[i]) return 1;
	}
	for (int i = 0; *words; i++) values[i] = strtoul(*words++, NULL, 10);
	for (int n = 0; n < RUNS; n++) {
		for (int i = 0; i < buffers; i++) memcpy(used[i], given[i], size[i]);
		double start = now();
		run(used, values, size);
		least = fmin(least, now() - start);
	}
	fwrite(&least, sizeof least, 1, stdout);
	for (int i = 0; i < buffers; i++) fwrite(used[i], 1, size[i], stdout);
	return fflush(stdout) != 0;
}

int main(int argc, char **argv) {
	if (argc == 3 && !strcmp(argv[1], "ops")) return operations(atoi(argv[2]));
	if (argc == 3 && !strcmp(argv[1], "do")) return check(argv[2]);
	for (size_t k = 0; argc > 1 && k < sizeof kernels / sizeof *kernels; k++)
		if (!strcmp(argv[1], kernels[k].name) && argc == 2 + kernels[k].buffers + kernels[k].values)
			return measure(kernels[k].run, kernels[k].buffers, argv + 2);
	fprintf(stderr, "host: no such kernel, or not its parameters\n");
	return 2;
}
