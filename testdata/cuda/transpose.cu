// Transposes a matrix through shared memory. A column of the tile lies in one bank if rows have 16
// words, so the 16 lanes of a half-warp wait for each other; a word more per row spreads them.
#include <stdio.h>
#include <stdlib.h>

#include <cuda_runtime.h>

const int side = 16;

// Reads and writes of global memory are rows in both kernels, so neighbours access neighbours.
template <int rowLength>
__global__ void transpose(const float *in, float *out, int width, int height) {
	__shared__ float tile[side][rowLength];
	int x = blockIdx.x * side + threadIdx.x, y = blockIdx.y * side + threadIdx.y;
	tile[threadIdx.y][threadIdx.x] = in[y * width + x];
	__syncthreads();
	x = blockIdx.y * side + threadIdx.x;
	y = blockIdx.x * side + threadIdx.y;
	out[y * height + x] = tile[threadIdx.x][threadIdx.y]; // a column of the tile
}

// check ends the program if a call of the runtime has failed.
static void check(cudaError_t result, const char *what) {
	if (result != cudaSuccess) {
		printf("%s: %s\nFAILED\n", what, cudaGetErrorString(result));
		exit(1);
	}
}

typedef void Kernel(const float *, float *, int, int);

// milliseconds launches a kernel and returns the time between two events around it. That is the
// simulator's own time; jacquard exec --stats counts the conflicts of banks.
static float milliseconds(Kernel *kernel, const float *in, float *out, int width, int height) {
	cudaEvent_t before, after;
	float time;
	check(cudaEventCreate(&before), "cudaEventCreate");
	check(cudaEventCreate(&after), "cudaEventCreate");
	check(cudaEventRecord(before), "cudaEventRecord");
	kernel<<<dim3(width / side, height / side), dim3(side, side)>>>(in, out, width, height);
	check(cudaEventRecord(after), "cudaEventRecord");
	check(cudaEventSynchronize(after), "the kernel");
	check(cudaEventElapsedTime(&time, before, after), "cudaEventElapsedTime");
	cudaEventDestroy(before);
	cudaEventDestroy(after);
	return time;
}

int main() {
	const int width = 128, height = 64, bytes = width * height * sizeof(float);
	static float host[width * height], back[width * height];
	float *in, *out;
	for (int i = 0; i < width * height; i++) {
		host[i] = i;
	}
	check(cudaMalloc(&in, bytes), "cudaMalloc");
	check(cudaMalloc(&out, bytes), "cudaMalloc");
	check(cudaMemcpy(in, host, bytes, cudaMemcpyHostToDevice), "copy to the device");
	for (int padded = 0; padded < 2; padded++) {
		check(cudaMemset(out, 0, bytes), "cudaMemset");
		Kernel *kernel = padded ? transpose<side + 1> : transpose<side>;
		float time = milliseconds(kernel, in, out, width, height);
		printf("rows of %d words: %.3f ms\n", side + padded, time);
		check(cudaMemcpy(back, out, bytes, cudaMemcpyDeviceToHost), "copy to the host");
		for (int i = 0; i < width * height; i++) {
			if (back[i % width * height + i / width] != host[i]) {
				printf("element %d is in the wrong place\nFAILED\n", i);
				return 1;
			}
		}
	}
	printf("PASSED\n");
	return 0;
}
