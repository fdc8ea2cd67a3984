/* The runtime of a random program, on the device and on the host. */
#if defined(__CUDA__) && !defined(PLAIN)
#define DEVICE __device__
#elif defined(PLAIN)
#define DEVICE __attribute__((device))
#define __global__ __attribute__((global))
#else
#define DEVICE
#include <stdio.h>
#include <stdlib.h>
#endif
#if defined(PLAIN)
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;
#else
#include <stdint.h>
#endif

#define WORDS 1024

#undef NULL
#define NULL nullptr

DEVICE static uint32_t table[256];
DEVICE static uint32_t crc32_context = 0xffffffffu;
DEVICE static uint32_t values;
DEVICE static uint32_t *result;
DEVICE static volatile uint32_t csmith_sink_;

/* Arithmetic without undefined results: sums and products wrap, and where a quotient or a shift is
 * not defined, the result is the first operand. */
#define WRAPS(name, op, type, wide, suffix) \
	DEVICE static type safe_##name##_func_##suffix(type a, type b) { return (type)((wide)a op (wide)b); }
#define QUOTIENTS(name, op, type, least, suffix) \
	DEVICE static type safe_##name##_func_##suffix(type a, type b) { \
		return b == 0 || (least != 0 && a == least && b == (type)-1) ? a : (type)(a op b); }
#define NEGATES(type, wide, suffix) \
	DEVICE static type safe_unary_minus_func_##suffix(type a) { return (type)(0 - (wide)a); }
#define SHIFTS(type, unsig, bits, suffix) \
	DEVICE static type safe_lshift_func_##suffix##_u(type a, unsigned n) { return n >= bits ? a : (type)((unsig)a << n); } \
	DEVICE static type safe_rshift_func_##suffix##_u(type a, unsigned n) { return n >= bits ? a : (type)(a >> n); } \
	DEVICE static type safe_lshift_func_##suffix##_s(type a, int n) { return n < 0 || n >= bits ? a : (type)((unsig)a << n); } \
	DEVICE static type safe_rshift_func_##suffix##_s(type a, int n) { return n < 0 || n >= bits ? a : (type)(a >> n); }
#define ALL(type, unsig, wide, least, bits, one, two) \
	WRAPS(add, +, type, wide, two) WRAPS(sub, -, type, wide, two) WRAPS(mul, *, type, wide, two) \
	QUOTIENTS(div, /, type, least, two) QUOTIENTS(mod, %, type, least, two) \
	NEGATES(type, wide, one) SHIFTS(type, unsig, bits, one)

ALL(int8_t, uint8_t, uint32_t, (-128), 8, int8_t_s, int8_t_s_s)
ALL(int16_t, uint16_t, uint32_t, (-32768), 16, int16_t_s, int16_t_s_s)
ALL(int32_t, uint32_t, uint32_t, (-2147483647 - 1), 32, int32_t_s, int32_t_s_s)
ALL(int64_t, uint64_t, uint64_t, (-9223372036854775807L - 1), 64, int64_t_s, int64_t_s_s)
ALL(uint8_t, uint8_t, uint32_t, 0, 8, uint8_t_u, uint8_t_u_u)
ALL(uint16_t, uint16_t, uint32_t, 0, 16, uint16_t_u, uint16_t_u_u)
ALL(uint32_t, uint32_t, uint32_t, 0, 32, uint32_t_u, uint32_t_u_u)
ALL(uint64_t, uint64_t, uint64_t, 0, 64, uint64_t_u, uint64_t_u_u)

DEVICE static void crc32_gentab(void) {
	for (uint32_t i = 0; i < 256; i++) {
		uint32_t c = i;
		for (int bit = 0; bit < 8; bit++)
			c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
		table[i] = c;
	}
}

/* A value of 64 bits goes into the checksum, which is kept for each of the first values. */
DEVICE static void check(uint64_t value) {
	for (int i = 0; i < 8; i++)
		crc32_context = crc32_context >> 8 ^ table[(crc32_context ^ value >> 8 * i) & 255];
	if (values + 2 < WORDS)
		result[2 + values] = crc32_context;
	values++;
}

#define transparent_crc(value, name, print) check((uint64_t)(value))
#define platform_main_begin()
#define platform_main_end(sum, print) (result[0] = (uint32_t)(sum), result[1] = values)
#define memcpy __builtin_memcpy

#ifdef __CUDA__
#define printf(...)
#define KERNEL(name) extern "C" __global__ void name(uint32_t *out) { result = out; program(); }
#define MAIN(...)
#else
#define KERNEL(name)
#define MAIN(...) int main(int, char **argv) { \
	static uint32_t out[WORDS]; \
	int (*programs[])() = { __VA_ARGS__ }; \
	result = out; \
	programs[strtoul(argv[1], 0, 10)](); \
	for (int i = 0; i < WORDS; i++) \
		printf("%u\n", out[i]); \
}
#endif
