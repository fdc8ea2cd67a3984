// What the host's processor does without a simulator: how long 32 lanes of an operation take
// in a plain loop, and how long the benchmark's algorithms take on one core.
//
//	host ops                      prints a line "NAME NANOSECONDS" for each operation
//	host KERNEL WORDS... < BUFFERS > ANSWER
//
// A kernel's words are its parameters: a number of bytes for each buffer, then the values.
// The buffers come in on standard input one after the other. The answer is the median time in
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

static int ascending(const void *a, const void *b) {
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static double median(double *t, int n) {
	qsort(t, n, sizeof *t, ascending);
	return t[n / 2];
}

static float as_float(u32 x) { float f; memcpy(&f, &x, 4); return f; }
static u32 as_word(float f) { u32 x; memcpy(&x, &f, 4); return x; }

// ---- operations on 32 lanes ----

enum { LANES = 32, REGISTERS = 64 }; // 8 KB of registers stay in the first cache

typedef u32 row[LANES];
static row registers[REGISTERS] __attribute__((aligned(64)));

static inline void add(u32 *restrict d, const u32 *a, const u32 *b, const u32 *c) {
	for (int i = 0; i < LANES; i++) d[i] = a[i] + b[i];
}

static inline void mul24(u32 *restrict d, const u32 *a, const u32 *b, const u32 *c) {
	for (int i = 0; i < LANES; i++) d[i] = (a[i] & 0xffffff) * (b[i] & 0xffffff);
}

static inline void fadd(u32 *restrict d, const u32 *a, const u32 *b, const u32 *c) {
	for (int i = 0; i < LANES; i++) {
		float r;
		memcpy(&r, &a[i], 4);
		float s;
		memcpy(&s, &b[i], 4);
		r += s;
		memcpy(&d[i], &r, 4);
	}
}

static inline void fmul(u32 *restrict d, const u32 *a, const u32 *b, const u32 *c) {
	for (int i = 0; i < LANES; i++) {
		float r, s;
		memcpy(&r, &a[i], 4);
		memcpy(&s, &b[i], 4);
		r *= s;
		memcpy(&d[i], &r, 4);
	}
}

// The multiply-add of the machine: the product is cut to 24 bits, not rounded.
static inline void fmad(u32 *restrict d, const u32 *a, const u32 *b, const u32 *c) {
	for (int i = 0; i < LANES; i++) {
		float x, y, z;
		memcpy(&x, &a[i], 4);
		memcpy(&y, &b[i], 4);
		memcpy(&z, &c[i], 4);
		double product = (double)x * y;
		u64 bits;
		memcpy(&bits, &product, 8);
		bits &= c[i] << 1 ? ~(u64)0x1fffffff : ~(u64)0;
		memcpy(&product, &bits, 8);
		float r = (float)(product + z);
		memcpy(&d[i], &r, 4);
	}
}

// A reciprocal as the special function unit makes it: a quadratic whose coefficients a table
// holds. What the table holds does not change the time.
static struct { int32_t c0, c1, c2; } table[128];

static inline void rcp(u32 *restrict d, const u32 *a, const u32 *b, const u32 *c) {
	for (int i = 0; i < LANES; i++) {
		u32 frac = a[i] & 0x7fffff, x = frac & 0xffff, k = frac >> 16;
		int64_t q = (int64_t)x * x >> 17;
		int64_t m = ((int64_t)table[k].c0 << 15) + (int64_t)table[k].c1 * x + (int64_t)table[k].c2 * q;
		u32 exp = 253 - (a[i] >> 23 & 0xff);
		d[i] = (a[i] & 0x80000000) | exp << 23 | ((u32)(m >> 17) & 0x7fffff);
	}
}

typedef void operation(u32 *restrict, const u32 *, const u32 *, const u32 *);

// best returns the nanoseconds of one operation, as the best of many short measurements
// shows it. The operation is inlined: a simulator's overhead is not compared with that of calls.
static inline __attribute__((always_inline)) double best(operation *op) {
	enum { CALLS = 4000, ROUNDS = 60 };
	double least = 1;
	for (int r = 0; r < REGISTERS; r++)
		for (int i = 0; i < LANES; i++) registers[r][i] = as_word(1 + (r * LANES + i) * 0.0001f);
	for (int n = 0; n < ROUNDS; n++) {
		double start = now();
		for (int k = 0; k < CALLS; k++) {
			int r = k % 16 * 4;
			op(registers[r], registers[r + 1], registers[r + 2], registers[r + 3]);
			__asm__ volatile("" ::: "memory");
		}
		double t = (now() - start) / CALLS;
		if (t < least) least = t;
	}
	return least * 1e9;
}

static int operations(void) {
	for (int k = 0; k < 128; k++) table[k].c0 = 1 << 24, table[k].c1 = -(k << 8), table[k].c2 = k;
	printf("add %.4f\n", best(add));
	printf("mul24 %.4f\n", best(mul24));
	printf("fadd %.4f\n", best(fadd));
	printf("fmul %.4f\n", best(fmul));
	printf("fmad %.4f\n", best(fmad));
	printf("rcp %.4f\n", best(rcp));
	return 0;
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

typedef void kernel(void **buffers, const u32 *values, const size_t *size);

static const struct {
	const char *name;
	kernel *run;
	int buffers, values;
} kernels[] = {
	{"vecadd", vecadd, 3, 1}, {"saxpy", saxpy, 2, 2}, {"matmul", matmul, 3, 1}, {"transpose", transpose, 2, 2},
	{"mandelbrot", mandelbrot, 1, 7}, {"nested", nested, 2, 1}, {"collatz", collatz, 2, 1}, {"xorshift", xorshift, 2, 1},
	{"crc32", crc32, 2, 1}, {"i64mix", i64mix, 3, 1}, {"sfumix", sfumix, 2, 1},
};

enum { MOST = 8, RUNS = 9 };

// measure runs a kernel on fresh copies of its buffers and writes the answer.
static int measure(kernel *run, int buffers, char **words) {
	void *given[MOST], *used[MOST];
	size_t size[MOST];
	u32 values[MOST];
	double seconds[RUNS];
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
		seconds[n] = now() - start;
	}
	double middle = median(seconds, RUNS);
	fwrite(&middle, sizeof middle, 1, stdout);
	for (int i = 0; i < buffers; i++) fwrite(used[i], 1, size[i], stdout);
	return fflush(stdout) != 0;
}

int main(int argc, char **argv) {
	if (argc == 2 && !strcmp(argv[1], "ops")) return operations();
	for (size_t k = 0; argc > 1 && k < sizeof kernels / sizeof *kernels; k++)
		if (!strcmp(argv[1], kernels[k].name) && argc == 2 + kernels[k].buffers + kernels[k].values)
			return measure(kernels[k].run, kernels[k].buffers, argv + 2);
	fprintf(stderr, "host: no such kernel, or not its parameters\n");
	return 2;
}
