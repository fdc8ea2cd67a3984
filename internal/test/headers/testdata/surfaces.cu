// Functions of surfaces, in headers for later devices that programs include: no kernel calls one.
#include "check.h"

surface<void, cudaSurfaceType2D> flat;
surface<void, 3> deep;

extern "C" {
#include <surface_functions.h>
}

__device__ void store(float value, int x, int y) {
	surf2Dwrite(value, flat, x * sizeof value, y, cudaBoundaryModeClamp);
}

__device__ int load(int x, int y, int z) {
	int4 texel;
	surf3Dread(&texel, deep, x, y, z);
	return texel.w + surf3Dread<int>(deep, x, y, z, cudaBoundaryModeZero);
}

__global__ void keep(int *out) {
#ifdef CALL
	out[0] = load(1, 2, 3);
#else
	out[0] = 7;
#endif
}

int main() {
	Shared<int> out(1);
	keep<<<1, 1>>>(out.device);
	finish();
	same(7, out.host[0]);
	return verdict();
}
