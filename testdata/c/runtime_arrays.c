/* Arrays: copies of rows, and of bytes that go on in the next row; volumes; descriptions. */
#include "runtime_check.h"

#define WIDTH 10 /* floats of a row */
#define ROW (WIDTH * 4)
#define HEIGHT 6

static unsigned char bytes[4096], back[4096];
static const struct cudaChannelFormatDesc floats = {32, 0, 0, 0, cudaChannelFormatKindFloat};
static const struct cudaChannelFormatDesc pairs = {32, 32, 0, 0, cudaChannelFormatKindFloat};
static const struct cudaChannelFormatDesc shorts = {16, 16, 0, 0, cudaChannelFormatKindSigned};

/* make returns an array. The flags came in release 3.1. */
static cudaArray_t make(const struct cudaChannelFormatDesc *d, size_t width, size_t height)
{
	cudaArray_t a;

	OK(cudaMallocArray(&a, d, width, height, 0));
	return a;
}

static void read_all(cudaArray_t a)
{
	memset(back, 0xee, sizeof back);
	OK(cudaMemcpy2DFromArray(back, ROW, a, 0, 0, ROW, HEIGHT, cudaMemcpyDeviceToHost));
	REQUIRE(back[ROW * HEIGHT] == 0xee);
}

static void whole_and_parts(void)
{
	cudaArray_t a = make(&floats, WIDTH, HEIGHT), b = make(&floats, WIDTH, HEIGHT);
	unsigned char *p;
	size_t offset, count;

	OK(cudaMalloc((void **)&p, 4096));
	OK(cudaMemcpyToArray(a, 0, 0, bytes, ROW * HEIGHT, cudaMemcpyHostToDevice));
	read_all(a);
	REQUIRE(memcmp(back, bytes, ROW * HEIGHT) == 0);

	/* Copies that begin within a row and span some. */
	for (offset = 0; offset < ROW * 2; offset += 12)
		for (count = 4; offset + count <= ROW * HEIGHT; count += 28) {
			OK(cudaMemcpy2DToArray(b, 0, 0, bytes + 1000, ROW, ROW, HEIGHT, cudaMemcpyHostToDevice));
			OK(cudaMemcpyToArray(b, offset % ROW, offset / ROW, bytes, count, cudaMemcpyHostToDevice));
			read_all(b);
			REQUIRE(memcmp(back + offset, bytes, count) == 0);
			REQUIRE(memcmp(back, bytes + 1000, offset) == 0);
			REQUIRE(memcmp(back + offset + count, bytes + 1000 + offset + count, ROW * HEIGHT - offset - count) == 0);
			memset(back, 0, sizeof back);
			OK(cudaMemcpyFromArray(back, b, offset % ROW, offset / ROW, count, cudaMemcpyDeviceToHost));
			REQUIRE(memcmp(back, bytes, count) == 0 && back[count] == 0);
		}

	/* An offset beyond a row goes on in the next one. */
	OK(cudaMemcpyToArray(b, ROW, 1, bytes, 16, cudaMemcpyHostToDevice));
	OK(cudaMemcpyFromArray(back, b, 0, 2, 16, cudaMemcpyDeviceToHost));
	REQUIRE(memcmp(back, bytes, 16) == 0);

	/* Through device memory, and between arrays at different offsets. */
	OK(cudaMemcpyFromArray(p, a, 8, 1, 100, cudaMemcpyDeviceToDevice));
	OK(cudaMemcpyToArray(b, 20, 2, p, 100, cudaMemcpyDeviceToDevice));
	OK(cudaMemcpyFromArray(back, b, 20, 2, 100, cudaMemcpyDeviceToHost));
	REQUIRE(memcmp(back, bytes + ROW + 8, 100) == 0);
	OK(cudaMemcpyArrayToArray(b, 4, 0, a, 16, 1, 96, cudaMemcpyDeviceToDevice));
	OK(cudaMemcpyFromArray(back, b, 4, 0, 96, cudaMemcpyDeviceToHost));
	REQUIRE(memcmp(back, bytes + ROW + 16, 96) == 0);
	OK(cudaMemcpy2DArrayToArray(b, 8, 1, a, 0, 2, 12, 3, cudaMemcpyDeviceToDevice));
	OK(cudaMemcpy2DFromArray(back, 100, b, 8, 1, 12, 3, cudaMemcpyDeviceToHost));
	REQUIRE(memcmp(back + 100, bytes + ROW * 3, 12) == 0);
	OK(cudaMemcpyToArrayAsync(b, 0, 0, bytes + 500, ROW * HEIGHT, cudaMemcpyHostToDevice, 0));
	OK(cudaMemcpyFromArrayAsync(back, b, 0, 0, ROW * HEIGHT, cudaMemcpyDeviceToHost, 0));
	OK(synchronize());
	REQUIRE(memcmp(back, bytes + 500, ROW * HEIGHT) == 0);

	FAILS(cudaErrorInvalidMemcpyDirection, cudaMemcpyToArray(a, 0, 0, bytes, 8, cudaMemcpyDeviceToHost));
	FAILS(cudaErrorInvalidMemcpyDirection, cudaMemcpyToArray(a, 0, 0, bytes, 8, cudaMemcpyHostToHost));
	FAILS(cudaErrorInvalidMemcpyDirection, cudaMemcpyFromArray(back, a, 0, 0, 8, cudaMemcpyHostToDevice));
	FAILS(cudaErrorInvalidMemcpyDirection, cudaMemcpy2DToArray(a, 0, 0, bytes, 8, 8, 1, cudaMemcpyDeviceToHost));
	FAILS(cudaErrorInvalidValue, cudaMemcpy2DToArray(a, 4, 0, bytes, ROW, ROW, HEIGHT, cudaMemcpyHostToDevice));
	FAILS(cudaErrorInvalidValue, cudaMemcpyToArray(a, 0, HEIGHT, bytes, 4, cudaMemcpyHostToDevice));
	FAILS(cudaErrorInvalidValue, cudaMemcpyToArray(a, 4, 0, bytes, ROW * HEIGHT, cudaMemcpyHostToDevice));
	OK(cudaFreeArray(a));
	OK(cudaFreeArray(b));
	OK(cudaFreeArray(NULL));
	OK(cudaFree(p));
}

static void volumes(void)
{
	struct cudaExtent size = {5, 4, 3}, part = {2, 2, 2};
	struct cudaMemcpy3DParms c;
	cudaArray_t a, b;
	int x, y, z;

	OK(cudaMalloc3DArray(&a, &shorts, size, 0));
	OK(cudaMalloc3DArray(&b, &shorts, size, 0));
	memset(&c, 0, sizeof c);
	c.srcPtr.ptr = bytes;
	c.srcPtr.pitch = 20, c.srcPtr.xsize = 5, c.srcPtr.ysize = 4;
	c.dstArray = a;
	c.extent = size;
	c.kind = cudaMemcpyHostToDevice;
	OK(cudaMemcpy3D(&c));
	memset(&c, 0, sizeof c);
	c.srcArray = a;
	c.dstArray = b;
	c.extent = size;
	c.kind = cudaMemcpyDeviceToDevice;
	OK(cudaMemcpy3D(&c));
	memset(&c, 0, sizeof c);
	c.srcArray = b;
	c.srcPos.x = 1, c.srcPos.y = 2, c.srcPos.z = 1; /* in elements */
	c.dstPtr.ptr = back;
	c.dstPtr.pitch = 16, c.dstPtr.xsize = 16, c.dstPtr.ysize = 3;
	c.dstPos.x = 1; /* in elements, because the other side is an array */
	c.extent = part;
	c.kind = cudaMemcpyDeviceToHost;
	memset(back, 0xee, sizeof back);
	OK(cudaMemcpy3D(&c));
	for (z = 0; z < 2; z++)
		for (y = 0; y < 2; y++) {
			const unsigned char *row = back + (z * 3 + y) * 16;

			REQUIRE(row[3] == 0xee && row[12] == 0xee);
			for (x = 0; x < 8; x++)
				REQUIRE(row[4 + x] == bytes[((z + 1) * 4 + y + 2) * 20 + 4 + x]);
		}
	c.dstPtr.ptr = NULL;
	c.dstArray = make(&floats, 8, 8);
	c.dstPos.x = 0;
	c.extent.depth = 1;
	c.kind = cudaMemcpyDeviceToDevice;
	OK(cudaMemcpy3D(&c));
	c.kind = cudaMemcpyHostToDevice;
	REQUIRE(cudaMemcpy3D(&c) != cudaSuccess);
	OK(cudaFreeArray(c.dstArray));
	c.dstArray = make(&pairs, 8, 8); /* elements of another size */
	c.kind = cudaMemcpyDeviceToDevice;
	cudaGetLastError();
	FAILS(cudaErrorInvalidValue, cudaMemcpy3D(&c));
	c.dstPtr.ptr = back; /* two destinations */
	FAILS(cudaErrorInvalidValue, cudaMemcpy3D(&c));
	OK(cudaFreeArray(c.dstArray));
	OK(cudaFreeArray(a));
	OK(cudaFreeArray(b));
}

static void descriptions(void)
{
	struct cudaChannelFormatDesc d = cudaCreateChannelDesc(8, 8, 8, 8, cudaChannelFormatKindUnsigned);
	struct cudaChannelFormatDesc bad = {8, 8, 8, 0, cudaChannelFormatKindUnsigned};
	cudaArray_t a = make(&d, 3, 0);

	REQUIRE(d.x == 8 && d.w == 8 && d.f == cudaChannelFormatKindUnsigned);
	memset(&d, 0, sizeof d);
	OK(cudaGetChannelDesc(&d, a));
	REQUIRE(d.x == 8 && d.y == 8 && d.z == 8 && d.w == 8 && d.f == cudaChannelFormatKindUnsigned);
#if CUDART_VERSION >= 4020
	{
		struct cudaExtent e;
		unsigned flags = 77;

		OK(cudaArrayGetInfo(&d, &e, &flags, a));
		REQUIRE(e.width == 3 && e.height == 0 && e.depth == 0 && flags == 0);
	}
#endif
	OK(cudaFreeArray(a));
	FAILS(cudaErrorInvalidChannelDescriptor, cudaMallocArray(&a, &bad, 4, 4, 0));
	bad.z = 0, bad.y = 16;
	FAILS(cudaErrorInvalidChannelDescriptor, cudaMallocArray(&a, &bad, 4, 4, 0));
}

int main(void)
{
	int i;

	for (i = 0; i < 4096; i++)
		bytes[i] = (unsigned char)(i * 7 + i / 256);
	whole_and_parts();
	volumes();
	descriptions();
	return passed();
}
