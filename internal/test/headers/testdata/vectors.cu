// Vector types, their functions, complex numbers and the formats of texels, on both sides.
#include "check.h"

#include "cuComplex.h"

#include <cstddef>

/* Sizes and alignments are those of every CUDA compiler. */
#define LAYOUT(type, size, alignment) \
	static_assert(sizeof(type) == size && alignof(type) == alignment, #type);

LAYOUT(char1, 1, 1)
LAYOUT(uchar2, 2, 2)
LAYOUT(char3, 3, 1)
LAYOUT(uchar4, 4, 4)
LAYOUT(short2, 4, 4)
LAYOUT(ushort3, 6, 2)
LAYOUT(short4, 8, 8)
LAYOUT(int2, 8, 8)
LAYOUT(uint3, 12, 4)
LAYOUT(int4, 16, 16)
LAYOUT(float1, 4, 4)
LAYOUT(float2, 8, 8)
LAYOUT(float3, 12, 4)
LAYOUT(float4, 16, 16)
LAYOUT(longlong2, 16, 16)
LAYOUT(ulong4, 32, 16)
LAYOUT(double1, 8, 8)
LAYOUT(double2, 16, 16)
LAYOUT(double3, 24, 8)
LAYOUT(double4, 32, 16)
LAYOUT(dim3, 12, 4)

/* The offsets of a structure are the same on both sides. */
struct Mixed {
	char a;
	float4 b;
	short c;
	double2 d;
	uchar3 e;
	int2 f;
};

__host__ __device__ int offsets(int i) {
	const size_t all[] = {offsetof(Mixed, b), offsetof(Mixed, d), offsetof(Mixed, e),
	                      offsetof(Mixed, f), sizeof(Mixed)};
	return (int)all[i];
}

__host__ __device__ double sums(int i) {
	int4 a = make_int4(1, 2, 3, 4);
	uchar4 b = make_uchar4(255, 1, 2, 3);
	double3 c = make_double3(0.5, 1.5, 2.5);
	longlong2 d = make_longlong2(1ll << 40, -1);
	dim3 e(7), f(make_uint3(1, 2, 3));
	uint3 g = f;
	cuDoubleComplex x = make_cuDoubleComplex(3, 4), y = cuCdiv(x, make_cuDoubleComplex(1, -2));
	cuFloatComplex z = cuCmulf(make_cuFloatComplex(1, 2), cuConjf(make_cuComplex(3, -1)));
	const double all[] = {a.x + 10 * a.y + 100 * a.z + 1000.0 * a.w, b.x + b.y + b.z + b.w,
	                      c.x * c.y * c.z, (double)d.x + d.y, e.x + e.y + e.z, g.x + 2 * g.y + g.z,
	                      cuCabs(x), y.x, y.y, z.x, z.y,
	                      cuCreal(cuCfma(x, x, y)), cuCimag(cuCsub(cuCadd(x, y), y))};
	return all[i];
}

__global__ void compute(int *layout, double *values) {
	if (threadIdx.x < 5) {
		layout[threadIdx.x] = offsets(threadIdx.x);
	}
	values[threadIdx.x] = sums(threadIdx.x);
}

template <class T>
void format(int x, int y, int z, int w, cudaChannelFormatKind kind) {
	cudaChannelFormatDesc f = cudaCreateChannelDesc<T>();
	same(true, f.x == x && f.y == y && f.z == z && f.w == w && f.f == kind);
}

int main() {
	Shared<int> layout(5);
	Shared<double> values(13);
	compute<<<1, 13>>>(layout.device, values.device);
	finish();
	for (int i = 0; i < 5; i++) {
		same(offsets(i), layout[i]);
	}
	const double want[] = {4321, 261, 1.875, 1099511627775.0, 9, 8, 5, -1, 2, 1, 7, -8, 4};
	for (int i = 0; i < 13; i++) {
		same(true, fabs(want[i] - values[i]) < 1e-12);
		same(true, fabs(want[i] - sums(i)) < 1e-12);
	}
	format<char>(8, 0, 0, 0, cudaChannelFormatKindSigned);
	format<uchar4>(8, 8, 8, 8, cudaChannelFormatKindUnsigned);
	format<ushort2>(16, 16, 0, 0, cudaChannelFormatKindUnsigned);
	format<int1>(32, 0, 0, 0, cudaChannelFormatKindSigned);
	format<float4>(32, 32, 32, 32, cudaChannelFormatKindFloat);
	format<double>(0, 0, 0, 0, cudaChannelFormatKindNone);
	return verdict();
}
