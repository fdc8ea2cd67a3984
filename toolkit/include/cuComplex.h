/* cuComplex.h: complex numbers as pairs of float or double, for C and C++. */
#ifndef CU_COMPLEX_H_
#define CU_COMPLEX_H_

#include <math.h>

#include "vector_types.h"

typedef float2 cuFloatComplex;
typedef cuFloatComplex cuComplex;
typedef double2 cuDoubleComplex;

static __inline__ __host__ __device__ float cuCrealf(cuFloatComplex x) { return x.x; }
static __inline__ __host__ __device__ float cuCimagf(cuFloatComplex x) { return x.y; }

static __inline__ __host__ __device__ cuFloatComplex make_cuFloatComplex(float r, float i) {
	cuFloatComplex z;
	z.x = r;
	z.y = i;
	return z;
}

static __inline__ __host__ __device__ cuFloatComplex cuConjf(cuFloatComplex x) {
	return make_cuFloatComplex(x.x, -x.y);
}

static __inline__ __host__ __device__ cuFloatComplex cuCaddf(cuFloatComplex x, cuFloatComplex y) {
	return make_cuFloatComplex(x.x + y.x, x.y + y.y);
}

static __inline__ __host__ __device__ cuFloatComplex cuCsubf(cuFloatComplex x, cuFloatComplex y) {
	return make_cuFloatComplex(x.x - y.x, x.y - y.y);
}

static __inline__ __host__ __device__ cuFloatComplex cuCmulf(cuFloatComplex x, cuFloatComplex y) {
	return make_cuFloatComplex(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);
}

/* The divisor is scaled to a size near 1, so that its square neither overflows nor vanishes. */
static __inline__ __host__ __device__ cuFloatComplex cuCdivf(cuFloatComplex x, cuFloatComplex y) {
	float scale = 1 / (fabsf(y.x) + fabsf(y.y));
	float a = x.x * scale, b = x.y * scale, c = y.x * scale, d = y.y * scale;
	float square = 1 / (c * c + d * d);
	return make_cuFloatComplex((a * c + b * d) * square, (b * c - a * d) * square);
}

static __inline__ __host__ __device__ float cuCabsf(cuFloatComplex x) {
	return hypotf(x.x, x.y);
}

static __inline__ __host__ __device__ cuFloatComplex cuCfmaf(cuFloatComplex x, cuFloatComplex y,
																cuFloatComplex d) {
	return make_cuFloatComplex(x.x * y.x + d.x - x.y * y.y, x.x * y.y + d.y + x.y * y.x);
}

static __inline__ __host__ __device__ double cuCreal(cuDoubleComplex x) { return x.x; }
static __inline__ __host__ __device__ double cuCimag(cuDoubleComplex x) { return x.y; }

static __inline__ __host__ __device__ cuDoubleComplex make_cuDoubleComplex(double r, double i) {
	cuDoubleComplex z;
	z.x = r;
	z.y = i;
	return z;
}

static __inline__ __host__ __device__ cuDoubleComplex cuConj(cuDoubleComplex x) {
	return make_cuDoubleComplex(x.x, -x.y);
}

static __inline__ __host__ __device__ cuDoubleComplex cuCadd(cuDoubleComplex x, cuDoubleComplex y) {
	return make_cuDoubleComplex(x.x + y.x, x.y + y.y);
}

static __inline__ __host__ __device__ cuDoubleComplex cuCsub(cuDoubleComplex x, cuDoubleComplex y) {
	return make_cuDoubleComplex(x.x - y.x, x.y - y.y);
}

static __inline__ __host__ __device__ cuDoubleComplex cuCmul(cuDoubleComplex x, cuDoubleComplex y) {
	return make_cuDoubleComplex(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);
}

/* The divisor is scaled to a size near 1, so that its square neither overflows nor vanishes. */
static __inline__ __host__ __device__ cuDoubleComplex cuCdiv(cuDoubleComplex x, cuDoubleComplex y) {
	double scale = 1 / (fabs(y.x) + fabs(y.y));
	double a = x.x * scale, b = x.y * scale, c = y.x * scale, d = y.y * scale;
	double square = 1 / (c * c + d * d);
	return make_cuDoubleComplex((a * c + b * d) * square, (b * c - a * d) * square);
}

static __inline__ __host__ __device__ double cuCabs(cuDoubleComplex x) {
	return hypot(x.x, x.y);
}

static __inline__ __host__ __device__ cuDoubleComplex cuCfma(cuDoubleComplex x, cuDoubleComplex y,
																cuDoubleComplex d) {
	return make_cuDoubleComplex(x.x * y.x + d.x - x.y * y.y, x.x * y.y + d.y + x.y * y.x);
}

static __inline__ __host__ __device__ cuComplex make_cuComplex(float x, float y) {
	return make_cuFloatComplex(x, y);
}

static __inline__ __host__ __device__ cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex c) {
	return make_cuDoubleComplex((double)c.x, (double)c.y);
}

static __inline__ __host__ __device__ cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex c) {
	return make_cuFloatComplex((float)c.x, (float)c.y);
}

#endif
