// The game of life on a torus: one thread for each cell, two boards that take turns. A launch is
// the barrier between generations: its blocks start when those of the launch before have ended.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda_runtime.h>

const int width = 48, height = 32, generations = 4 * 32;

// live returns whether cell (x, y) lives in the next generation.
__host__ __device__ int live(const unsigned char *board, int x, int y) {
	int neighbours = 0;
	for (int dy = -1; dy <= 1; dy++) {
		for (int dx = -1; dx <= 1; dx++) {
			int column = (x + dx + width) % width, row = (y + dy + height) % height;
			neighbours += (dx != 0 || dy != 0) && board[row * width + column];
		}
	}
	return neighbours == 3 || (neighbours == 2 && board[y * width + x]);
}

__global__ void step(const unsigned char *now, unsigned char *next) {
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	next[y * width + x] = live(now, x, y);
}

// check ends the program if a call of the runtime has failed.
static void check(cudaError_t result, const char *what) {
	if (result != cudaSuccess) {
		printf("%s: %s\nFAILED\n", what, cudaGetErrorString(result));
		exit(1);
	}
}

static void show(const unsigned char *board) {
	for (int y = 0; y < 8; y++) {
		for (int x = 0; x < width; x++) {
			putchar(board[y * width + x] ? 'O' : '.');
		}
		putchar('\n');
	}
}

int main() {
	// A glider, which moves by a cell each way in four generations, and a pulsing row of three.
	unsigned char start[width * height] = {0}, host[2][width * height], got[width * height];
	const int cells[][2] = {{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}, {30, 5}, {31, 5}, {32, 5}};
	for (int i = 0; i < 8; i++) {
		start[cells[i][1] * width + cells[i][0]] = 1;
	}
	unsigned char *boards[2];
	for (int i = 0; i < 2; i++) {
		check(cudaMalloc(&boards[i], sizeof start), "cudaMalloc");
	}
	check(cudaMemcpy(boards[0], start, sizeof start, cudaMemcpyHostToDevice), "copy to the device");
	memcpy(host[0], start, sizeof start);
	show(start);
	for (int g = 0; g < generations; g++) {
		step<<<dim3(width / 16, height / 8), dim3(16, 8)>>>(boards[g % 2], boards[(g + 1) % 2]);
		check(cudaGetLastError(), "launch");
		for (int i = 0; i < width * height; i++) {
			host[(g + 1) % 2][i] = live(host[g % 2], i % width, i / width);
		}
	}
	const unsigned char *last = boards[generations % 2], *want = host[generations % 2];
	check(cudaMemcpy(got, last, sizeof got, cudaMemcpyDeviceToHost), "copy to the host");
	printf("after %d generations:\n", generations);
	show(got);
	int differs = memcmp(got, want, sizeof got) != 0;
	printf(differs ? "FAILED\n" : "PASSED\n");
	return differs;
}
