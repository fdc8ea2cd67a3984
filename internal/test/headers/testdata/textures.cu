// Fetches from memory and from arrays of one to three dimensions, in both read modes.
#include "check.h"

const int width = 8, height = 4, depth = 2;

// Normalised texels are fractions of their type's largest value.
texture<unsigned char, 1, cudaReadModeNormalizedFloat> fractions;
texture<short2, 1, cudaReadModeNormalizedFloat> signedFractions;

__global__ void readFractions(float *one, float2 *two) {
	one[threadIdx.x] = tex1Dfetch(fractions, threadIdx.x);
	two[threadIdx.x] = tex1Dfetch(signedFractions, threadIdx.x);
}

void testFractions() {
	Shared<float> one(2);
	Shared<float2> two(2);
	Shared<unsigned char> bytes(2);
	Shared<short2> pairs(2);
	bytes[0] = 51;
	bytes[1] = 255;
	pairs[0] = make_short2(32767, 0);
	pairs[1] = make_short2(-32767, 16384);
	size_t offset;
	succeed(cudaBindTexture(&offset, fractions, bytes.device, 2));
	same((size_t)0, offset);
	succeed(cudaBindTexture(0, signedFractions, pairs.device, 8));
	readFractions<<<1, 2>>>(one.device, two.device);
	finish();
	same(0.2f, one[0]);
	same(1.0f, one[1]);
	same(1.0f, two[0].x);
	same(0.0f, two[0].y);
	same(-1.0f, two[1].x);
	same(true, two[1].y > 0.5f && two[1].y < 0.50002f);
}

// Arrays of one to three dimensions, at the centres of texels and between them.
texture<float> line;
texture<float, 2> plane;
texture<float, 3, cudaReadModeElementType> space;

__global__ void readLine(float *out, float step) {
	out[threadIdx.x] = tex1D(line, (threadIdx.x + 0.5f) * step);
}

__global__ void readPlane(float *out) {
	out[threadIdx.y * blockDim.x + threadIdx.x] =
	    tex2D(plane, threadIdx.x + 1.0f, threadIdx.y + 0.5f);
}

__global__ void readSpace(float *out) {
	int i = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
	out[i] = tex3D(space, threadIdx.x + 0.5f, threadIdx.y + 0.5f, threadIdx.z + 0.5f);
}

float value(int x, int y, int z) { return 100 * z + 10 * y + x; }

void testArrays() {
	Shared<float> out(width * height * depth);
	float in[depth][height][width];
	for (int i = 0; i < width * height * depth; i++) {
		in[0][0][i] = value(i % width, i / width % height, i / (width * height));
	}
	cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
	cudaArray *flat, *solid;
	succeed(cudaMallocArray(&flat, &format, width, height));
	succeed(cudaMemcpyToArray(flat, 0, 0, in, sizeof in / depth, cudaMemcpyHostToDevice));

	succeed(cudaBindTextureToArray(plane, flat));
	plane.filterMode = cudaFilterModeLinear;
	succeed(cudaBindTextureToArray(plane, flat, format));
	readPlane<<<1, dim3(width - 1, height)>>>(out.device);
	finish();
	for (int i = 0; i < (width - 1) * height; i++) {
		same(value(i % (width - 1), i / (width - 1), 0) + 0.5f, out[i]);
	}

	cudaArray *row;
	succeed(cudaMallocArray(&row, &format, width));
	succeed(cudaMemcpyToArray(row, 0, 0, in, sizeof in[0][0], cudaMemcpyHostToDevice));
	line.normalized = true;
	line.addressMode[0] = cudaAddressModeWrap;
	succeed(cudaBindTextureToArray(line, row));
	readLine<<<1, 2 * width>>>(out.device, 1.0f / width);
	finish();
	for (int i = 0; i < 2 * width; i++) {
		same(value(i % width, 0, 0), out[i]);
	}

	cudaExtent extent = make_cudaExtent(width, height, depth);
	succeed(cudaMalloc3DArray(&solid, &format, extent));
	cudaMemcpy3DParms copy = {0};
	copy.srcPtr = make_cudaPitchedPtr(in, width * sizeof(float), width, height);
	copy.dstArray = solid;
	copy.extent = extent;
	copy.kind = cudaMemcpyHostToDevice;
	succeed(cudaMemcpy3D(&copy));
	succeed(cudaBindTextureToArray(space, solid, format));
	readSpace<<<1, dim3(width, height, depth)>>>(out.device);
	finish();
	for (int i = 0; i < width * height * depth; i++) {
		same(in[0][0][i], out[i]);
	}
	succeed(cudaFreeArray(flat));
	succeed(cudaFreeArray(row));
	succeed(cudaFreeArray(solid));
}

// Memory with a pitch, and the address that a texture cannot begin at.
texture<uchar4, 2, cudaReadModeElementType> picture;

__global__ void readPicture(uchar4 *out) {
	out[threadIdx.y * blockDim.x + threadIdx.x] = tex2D(picture, threadIdx.x, threadIdx.y);
}

void testPitch() {
	Shared<uchar4> out(width * height);
	uchar4 in[height][width], *device;
	for (int i = 0; i < width * height; i++) {
		in[0][i] = make_uchar4(i, 2 * i, 255 - i, 7);
	}
	size_t pitch, offset;
	succeed(cudaMallocPitch(&device, &pitch, sizeof in[0], height));
	succeed(cudaMemcpy2D(device, pitch, in, sizeof in[0], sizeof in[0], height,
	                     cudaMemcpyHostToDevice));
	succeed(cudaBindTexture2D(0, picture, device, width, height, pitch));
	succeed(cudaBindTexture2D(&offset, picture, device, cudaCreateChannelDesc<uchar4>(), width,
	                          height, pitch));
	same((size_t)0, offset);
	succeed(cudaGetTextureAlignmentOffset(&offset, picture));
	same((size_t)0, offset);
	readPicture<<<1, dim3(width, height)>>>(out.device);
	finish();
	same(0, memcmp(in, out.host, sizeof in));
	succeed(cudaFree(device));
}

int main() {
	testFractions();
	testArrays();
	testPitch();
	return verdict();
}
