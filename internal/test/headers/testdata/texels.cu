// Texels of every type, from linear memory.
#include "check.h"

const int width = 8;

// A texture cannot be an argument, so each combination has a texture and a kernel of its own.
#define LINEAR(name, texel) \
	texture<texel, 1, cudaReadModeElementType> name##Linear; \
	__global__ void name##Fetch(texel *out) { \
		out[threadIdx.x] = tex1Dfetch(name##Linear, threadIdx.x); \
	} \
	void name##Test() { \
		Shared<texel> out(width); \
		texel in[width], *device; \
		unsigned char *bytes = (unsigned char *)in; \
		for (unsigned i = 0; i < sizeof in; i++) { \
			bytes[i] = (unsigned char)(i * 37 + 5) & 0xbf; \
		} \
		succeed(cudaMalloc(&device, sizeof in)); \
		succeed(cudaMemcpy(device, in, sizeof in, cudaMemcpyHostToDevice)); \
		succeed(cudaBindTexture(0, name##Linear, device, sizeof in)); \
		name##Fetch<<<1, width>>>(out.device); \
		finish(); \
		same(0, memcmp(in, out.host, sizeof in)); \
		succeed(cudaUnbindTexture(name##Linear)); \
		succeed(cudaFree(device)); \
	}

#define LINEARS(name, element) \
	LINEAR(name, element) \
	LINEAR(name##1, name##1) \
	LINEAR(name##2, name##2) \
	LINEAR(name##4, name##4)

LINEAR(plain, char)
LINEAR(char1, signed char)
LINEARS(uchar, unsigned char)
LINEAR(char2, char2)
LINEAR(char4, char4)
LINEARS(short, short)
LINEARS(ushort, unsigned short)
LINEARS(int, int)
LINEARS(uint, unsigned int)
LINEARS(float, float)

#define TEST(name) name##Test(), name##1Test(), name##2Test(), name##4Test()

int main() {
	plainTest();
	char1Test();
	char2Test();
	char4Test();
	TEST(uchar);
	TEST(short);
	TEST(ushort);
	TEST(int);
	TEST(uint);
	TEST(float);
	return verdict();
}
