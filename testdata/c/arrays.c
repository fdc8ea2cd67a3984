/* Arrays, copies of rows and slices, and textures over them. For both interfaces. */
#include <cuda.h>
#include <string.h>

#include "check.h"

#if CUDA_VERSION >= 3020
typedef size_t bytes_t;
#else
typedef unsigned int bytes_t;
#endif

#define W 8
#define H 4
#define D 3

static CUmodule module;
static CUfunction sample;
static CUtexref image;
static CUdeviceptr out;

/* texel samples the texture and returns the first component. */
static float texel(float x, float y, float z)
{
	float texel[4];
	unsigned int address = (unsigned int)out;
	OK(cuParamSetv(sample, 0, &address, sizeof address));
	OK(cuParamSetf(sample, 4, x));
	OK(cuParamSetf(sample, 8, y));
	OK(cuParamSetf(sample, 12, z));
	OK(cuParamSetSize(sample, 16));
	OK(cuFuncSetBlockShape(sample, 1, 1, 1));
	OK(cuParamSetTexRef(sample, CU_PARAM_TR_DEFAULT, image));
	OK(cuLaunch(sample));
	OK(cuMemcpyDtoH(texel, out, sizeof texel));
	return texel[0];
}

static void planes(void)
{
	CUDA_ARRAY_DESCRIPTOR desc, got;
	CUDA_MEMCPY2D copy;
	CUarray array;
	CUdeviceptr rows;
	CUfilter_mode filter;
	bytes_t pitch;
	float host[H][W], back[H][W];
	int x, y;

	for (y = 0; y < H; y++)
		for (x = 0; x < W; x++)
			host[y][x] = (float)(x + 10 * y);
	memset(&desc, 0, sizeof desc);
	desc.Width = W;
	desc.Height = H;
	desc.Format = CU_AD_FORMAT_FLOAT;
	desc.NumChannels = 1;
	EXPECT(CUDA_ERROR_INVALID_VALUE, cuArrayCreate(&array, NULL));
	EXPECT(CUDA_ERROR_INVALID_VALUE, cuArrayCreate(NULL, &desc));
	OK(cuArrayCreate(&array, &desc));
	OK(cuArrayGetDescriptor(&got, array));
	REQUIRE(got.Width == W && got.Height == H && got.Format == CU_AD_FORMAT_FLOAT && got.NumChannels == 1);

	/* The memory types do not use these members, so they may hold anything. */
	memset(&copy, 0xff, sizeof copy);
	copy.srcXInBytes = copy.srcY = copy.dstXInBytes = copy.dstY = 0;
	copy.srcMemoryType = CU_MEMORYTYPE_HOST;
	copy.srcHost = host;
	copy.srcPitch = sizeof host[0];
	copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
	copy.dstArray = array;
	copy.WidthInBytes = sizeof host[0];
	copy.Height = H;
	OK(cuMemcpy2D(&copy));
	EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D(NULL));
	copy.Height = H + 1;
	EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D(&copy));

	OK(cuMemAllocPitch(&rows, &pitch, sizeof host[0], H, 4));
	OK(cuMemsetD2D32(rows, pitch, 0x3f800000, W, H));
	copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
	copy.srcArray = array;
	copy.srcXInBytes = 4;
	copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
	copy.dstDevice = rows;
	copy.dstPitch = pitch;
	copy.dstY = 1;
	copy.WidthInBytes = sizeof host[0] - 4;
	copy.Height = H - 1;
	OK(cuMemcpy2DUnaligned(&copy));
	copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
	copy.srcDevice = rows;
	copy.srcXInBytes = 0;
	copy.srcPitch = pitch;
	copy.dstMemoryType = CU_MEMORYTYPE_HOST;
	copy.dstHost = back;
	copy.dstY = 0;
	copy.dstPitch = sizeof back[0];
	copy.WidthInBytes = sizeof back[0];
	copy.Height = H;
	OK(cuMemcpy2DAsync(&copy, NULL));
	for (y = 0; y < H; y++)
		for (x = 0; x < W; x++)
			REQUIRE(back[y][x] == (y == 0 || x == W - 1 ? 1.0f : host[y - 1][x + 1]));

	OK(cuTexRefSetArray(image, array, CU_TRSA_OVERRIDE_FORMAT));
	OK(cuTexRefSetAddressMode(image, 0, CU_TR_ADDRESS_MODE_CLAMP));
	OK(cuTexRefSetAddressMode(image, 1, CU_TR_ADDRESS_MODE_CLAMP));
	REQUIRE(texel(3.5f, 2.5f, 0) == 23);
	REQUIRE(texel(-7, 99, 0) == 30);
	OK(cuTexRefSetFilterMode(image, CU_TR_FILTER_MODE_LINEAR));
	OK(cuTexRefGetFilterMode(&filter, image));
	REQUIRE(filter == CU_TR_FILTER_MODE_LINEAR);
	REQUIRE(texel(4, 2.5f, 0) == 23.5f);
	OK(cuTexRefSetFlags(image, CU_TRSF_NORMALIZED_COORDINATES));
	REQUIRE(texel(0.5f, 0.5f, 0) == 18.5f);
	OK(cuTexRefSetFlags(image, 0));
	OK(cuTexRefSetFilterMode(image, CU_TR_FILTER_MODE_POINT));

	desc.Height = H;
	OK(cuTexRefSetAddress2D(image, &desc, rows, pitch));
	REQUIRE(texel(2, 1, 0) == 3);
	OK(cuMemFree(rows));
	OK(cuArrayDestroy(array));
	EXPECT(CUDA_ERROR_INVALID_HANDLE, cuArrayDestroy(array));
}

static void volumes(void)
{
	CUDA_ARRAY3D_DESCRIPTOR desc, got;
	CUDA_MEMCPY3D copy;
	CUarray array, line;
	CUdeviceptr memory;
	float host[D][H][W], back[D][H][W];
	int x, y, z;

	for (z = 0; z < D; z++)
		for (y = 0; y < H; y++)
			for (x = 0; x < W; x++)
				host[z][y][x] = (float)(x + 10 * y + 100 * z);
	memset(&desc, 0, sizeof desc);
	desc.Width = W;
	desc.Height = H;
	desc.Depth = D;
	desc.Format = CU_AD_FORMAT_FLOAT;
	desc.NumChannels = 1;
	OK(cuArray3DCreate(&array, &desc));
	OK(cuArray3DGetDescriptor(&got, array));
	REQUIRE(got.Width == W && got.Height == H && got.Depth == D && got.Flags == 0);
	memset(&copy, 0, sizeof copy);
	copy.srcMemoryType = CU_MEMORYTYPE_HOST;
	copy.srcHost = host;
	copy.srcPitch = sizeof host[0][0];
	copy.srcHeight = H;
	copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
	copy.dstArray = array;
	copy.WidthInBytes = sizeof host[0][0];
	copy.Height = H;
	copy.Depth = D;
	OK(cuMemcpy3D(&copy));
	OK(cuTexRefSetArray(image, array, CU_TRSA_OVERRIDE_FORMAT));
	REQUIRE(texel(1.5f, 2.5f, 2.5f) == 221);

	copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
	copy.srcArray = array;
	copy.srcZ = 1;
	copy.dstMemoryType = CU_MEMORYTYPE_HOST;
	copy.dstHost = back;
	copy.dstPitch = sizeof back[0][0];
	copy.dstHeight = H;
	copy.Depth = D - 1;
	OK(cuMemcpy3DAsync(&copy, NULL));
	REQUIRE(memcmp(back, host[1], sizeof host - sizeof host[0]) == 0);
	copy.srcLOD = 1;
	EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemcpy3D(&copy));

	/* A line, as bytes. */
	desc.Height = desc.Depth = 0;
	OK(cuArray3DCreate(&line, &desc));
	OK(cuMemAlloc(&memory, sizeof host[0][0]));
	OK(cuMemcpyHtoA(line, 0, host[1][1], sizeof host[0][0]));
	OK(cuMemcpyAtoA(array, 0, line, 4, 8));
	OK(cuMemcpyAtoD(memory, array, 0, 8));
	OK(cuMemcpyDtoA(line, 0, memory, 8));
	OK(cuMemcpyAtoH(back, line, 0, sizeof host[0][0]));
	REQUIRE(back[0][0][0] == 111 && back[0][0][1] == 112 && back[0][0][2] == 112);
	EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoA(line, 4, host, sizeof host[0][0]));
	EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoA(line, 0, NULL, 4));
	OK(cuMemFree(memory));
	OK(cuArrayDestroy(line));
	OK(cuArrayDestroy(array));
}

int main(int argc, char **argv)
{
	CUcontext context;

	REQUIRE(argc == 2);
	OK(cuInit(0));
	OK(cuCtxCreate(&context, 0, 0));
	OK(cuModuleLoad(&module, argv[1]));
	OK(cuModuleGetFunction(&sample, module, "sample"));
	OK(cuModuleGetTexRef(&image, module, "image"));
	OK(cuMemAlloc(&out, 16));
	planes();
	volumes();
	OK(cuCtxDetach(context));
	return passed();
}
