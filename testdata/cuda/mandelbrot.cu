// Draws the Mandelbrot set in letters. Points need different numbers of steps, so the lanes of a
// warp leave the loop at different times, and the warp runs until its last lane has left.
#include <stdio.h>
#include <stdlib.h>

#include <cuda_runtime.h>

const int width = 76, height = 32, limit = 200;

// escape returns after how many steps of z = z*z + c the point c is known to be outside. Both sides
// compute it from the same sums and products of float.
__host__ __device__ int escape(int column, int row) {
	float real = -2.2f + 3.0f / width * column, imaginary = -1.2f + 2.4f / height * row;
	float x = 0, y = 0;
	int steps = 0;
	for (; steps < limit && x * x + y * y < 4; steps++) {
		float next = x * x - y * y + real;
		y = 2 * x * y + imaginary;
		x = next;
	}
	return steps;
}

__global__ void draw(unsigned char *steps) {
	int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
	if (column < width && row < height) {
		steps[row * width + column] = escape(column, row);
	}
}

// check ends the program if a call of the runtime has failed.
static void check(cudaError_t result, const char *what) {
	if (result != cudaSuccess) {
		printf("%s: %s\nFAILED\n", what, cudaGetErrorString(result));
		exit(1);
	}
}

int main() {
	unsigned char *device, steps[height][width];
	check(cudaMalloc(&device, sizeof steps), "cudaMalloc");
	dim3 block(16, 8); // neighbours in the picture need about as many steps: they share a warp
	dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
	draw<<<grid, block>>>(device);
	check(cudaGetLastError(), "launch");
	check(cudaMemcpy(steps, device, sizeof steps, cudaMemcpyDeviceToHost), "copy to the host");
	cudaFree(device);

	int differ = 0;
	for (int row = 0; row < height; row++) {
		for (int column = 0; column < width; column++) {
			int n = steps[row][column];
			putchar(n == limit ? '#' : " .,:;+*"[n < 28 ? n / 4 : 6]);
			differ += n != escape(column, row);
		}
		putchar('\n');
	}
	// The device may make one operation of a product and a sum, whose rounding differs: a point on
	// the edge may take other steps there.
	printf("%d of %d points differ from the host's\n", differ, width * height);
	if (differ > width * height / 50) {
		printf("FAILED\n");
		return 1;
	}
	printf("PASSED\n");
	return 0;
}
