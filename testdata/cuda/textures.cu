// Turns a picture by textures: the hardware reads at any place between texels and beyond the edge.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <cuda_runtime.h>

const int side = 32;

// A texture belongs to the file. Its texels are bytes, which it makes fractions of 255.
texture<unsigned char, 2, cudaReadModeNormalizedFloat> picture;

// turn draws the picture at an angle about its centre.
__global__ void turn(float *out, float sine, float cosine) {
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	float fromX = x - side / 2 + 0.5f, fromY = y - side / 2 + 0.5f;
	// The centre of texel i is at i + 0.5.
	out[y * side + x] = tex2D(picture, cosine * fromX + sine * fromY + side / 2,
	                          cosine * fromY - sine * fromX + side / 2);
}

// check ends the program if a call of the runtime has failed.
static void check(cudaError_t result, const char *what) {
	if (result != cudaSuccess) {
		printf("%s: %s\nFAILED\n", what, cudaGetErrorString(result));
		exit(1);
	}
}

int main() {
	unsigned char in[side][side];
	float out[side][side], *device;
	for (int y = 0; y < side; y++) {
		for (int x = 0; x < side; x++) {
			in[y][x] = x >= 12 && x < 20 && y >= 4 && y < 28 ? 255 : 0; // an upright bar
		}
	}
	// Textures of two dimensions read arrays, which only copies and textures access.
	cudaChannelFormatDesc bytes = cudaCreateChannelDesc<unsigned char>();
	cudaArray *array;
	check(cudaMallocArray(&array, &bytes, side, side), "cudaMallocArray");
	check(cudaMemcpy2DToArray(array, 0, 0, in, side, side, side, cudaMemcpyHostToDevice), "copy");
	picture.filterMode = cudaFilterModeLinear;             // mix the four nearest texels
	picture.addressMode[0] = cudaAddressModeClamp;         // beyond the edge: the edge
	picture.addressMode[1] = cudaAddressModeClamp;
	check(cudaBindTextureToArray(picture, array), "cudaBindTextureToArray");
	check(cudaMalloc(&device, sizeof out), "cudaMalloc");

	int wrong = 0;
	for (int degrees = 0; degrees <= 90; degrees += 45) {
		// The sine and cosine of 90 degrees are 1 and 0, to the last bit.
		float sine = sinpif(degrees / 180.0f), cosine = cospif(degrees / 180.0f);
		turn<<<dim3(side / 16, side / 16), dim3(16, 16)>>>(device, sine, cosine);
		check(cudaMemcpy(out, device, sizeof out, cudaMemcpyDeviceToHost), "copy to the host");
		printf("%d degrees\n", degrees);
		for (int y = 0; y < side; y++) {
			for (int x = 0; x < side; x++) {
				putchar(" .:+#"[(int)(out[y][x] * 4)]);
				float want = degrees == 0 ? in[y][x] : in[side - 1 - x][y];
				wrong += degrees != 45 && out[y][x] != want / 255;
			}
			putchar('\n');
		}
	}
	cudaFreeArray(array);
	printf(wrong ? "FAILED\n" : "PASSED\n");
	return wrong != 0;
}
