// Multiplies two matrices, tile by tile: each word of a tile is read once from global memory and
// sixteen times from shared memory.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <cuda_runtime.h>

const int side = 16;

// multiply makes the rows x columns matrix c of a and b, whose common length is inner. All three
// lengths are multiples of side.
__global__ void multiply(const float *a, const float *b, float *c, int inner, int columns) {
	__shared__ float tileA[side][side], tileB[side][side];
	int row = blockIdx.y * side + threadIdx.y, column = blockIdx.x * side + threadIdx.x;
	float sum = 0;
	for (int first = 0; first < inner; first += side) {
		tileA[threadIdx.y][threadIdx.x] = a[row * inner + first + threadIdx.x];
		tileB[threadIdx.y][threadIdx.x] = b[(first + threadIdx.y) * columns + column];
		__syncthreads(); // both tiles are complete
		for (int k = 0; k < side; k++) {
			sum += tileA[threadIdx.y][k] * tileB[k][threadIdx.x];
		}
		__syncthreads(); // nobody reads them any more
	}
	c[row * columns + column] = sum;
}

// check ends the program if a call of the runtime has failed.
static void check(cudaError_t result, const char *what) {
	if (result != cudaSuccess) {
		printf("%s: %s\nFAILED\n", what, cudaGetErrorString(result));
		exit(1);
	}
}

// copyOf returns a copy of host memory on the device.
static float *copyOf(const float *host, int bytes) {
	float *device;
	check(cudaMalloc(&device, bytes), "cudaMalloc");
	check(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice), "copy to the device");
	return device;
}

int main() {
	const int rows = 48, inner = 64, columns = 80;
	static float a[rows * inner], b[inner * columns], c[rows * columns];
	for (int i = 0; i < rows * inner; i++) {
		a[i] = (i % 17 - 8) / 8.0f;
	}
	for (int i = 0; i < inner * columns; i++) {
		b[i] = (i % 23 - 11) / 4.0f;
	}
	float *deviceA = copyOf(a, sizeof a), *deviceB = copyOf(b, sizeof b), *deviceC;
	check(cudaMalloc(&deviceC, sizeof c), "cudaMalloc");
	dim3 grid(columns / side, rows / side), block(side, side);
	multiply<<<grid, block>>>(deviceA, deviceB, deviceC, inner, columns);
	check(cudaGetLastError(), "launch");
	check(cudaMemcpy(c, deviceC, sizeof c, cudaMemcpyDeviceToHost), "copy to the host");

	float worst = 0;
	for (int row = 0; row < rows; row++) {
		for (int column = 0; column < columns; column++) {
			float want = 0;
			for (int k = 0; k < inner; k++) {
				want += a[row * inner + k] * b[k * columns + column];
			}
			worst = fmaxf(worst, fabsf(want - c[row * columns + column]));
		}
	}
	printf("%d x %d times %d x %d: largest error %g\n", rows, inner, inner, columns, worst);
	printf(worst < 1e-4f ? "PASSED\n" : "FAILED\n");
	return worst >= 1e-4f;
}
