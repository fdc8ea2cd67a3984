/* Memory of the device and the host, and copies of bytes, rows and volumes between all of it. */
#include <sys/mman.h>

#include "runtime_check.h"

#define N 4096
#define INVALID_PITCH (CUDART_VERSION < 5000 ? cudaErrorInvalidValue : cudaErrorInvalidPitchValue)

static unsigned char bytes[N], back[N];

static void fill_bytes(void)
{
	int i;

	for (i = 0; i < N; i++)
		bytes[i] = (unsigned char)(i * 7 + i / 256);
	memset(back, 0, sizeof back);
}

static void linear(void)
{
	unsigned char *p, *q, *none = (unsigned char *)&p;

	OK(cudaMalloc((void **)&p, N));
	OK(cudaMalloc((void **)&q, N));
	REQUIRE(p != q && (uintptr_t)p % 256 == 0);
	fill_bytes();
	OK(cudaMemcpy(p, bytes, N, cudaMemcpyHostToDevice));
	OK(cudaMemcpy(q + 1, p, N - 1, cudaMemcpyDeviceToDevice));
	OK(cudaMemcpy(q, p + N - 1, 1, cudaMemcpyDeviceToDevice));
	OK(cudaMemcpy(back, q, N, cudaMemcpyDeviceToHost));
	REQUIRE(back[0] == bytes[N - 1] && memcmp(back + 1, bytes, N - 1) == 0);
	OK(cudaMemcpy(back, bytes, N, cudaMemcpyHostToHost));
	REQUIRE(memcmp(back, bytes, N) == 0);
	OK(cudaMemcpy(p, bytes, 0, cudaMemcpyHostToDevice));

	OK(cudaMemset(p, 0x15a, N)); /* the low byte counts */
	OK(cudaMemset(p + 3, 9, 5));
	OK(cudaMemset(p, 1, 0));
	OK(cudaMemcpy(back, p, N, cudaMemcpyDeviceToHost));
	REQUIRE(back[2] == 0x5a && back[3] == 9 && back[7] == 9 && back[8] == 0x5a && back[N - 1] == 0x5a);

	FAILS(cudaErrorInvalidMemcpyDirection, cudaMemcpy(p, bytes, N, (enum cudaMemcpyKind)5));
	FAILS(cudaErrorInvalidMemcpyDirection, cudaMemcpy(p, bytes, N, (enum cudaMemcpyKind)-1));
	FAILS(cudaErrorInvalidValue, cudaMemset(p, 0, (size_t)1 << 31));
	FAILS(cudaErrorInvalidDevicePointer, cudaFree(p + 4));
	FAILS(cudaErrorMemoryAllocation, cudaMalloc((void **)&none, (size_t)-1 / 2));
	REQUIRE(none == (unsigned char *)&p);
	OK(cudaFree(p));
	FAILS(cudaErrorInvalidDevicePointer, cudaFree(p));
	OK(cudaFree(q));
	OK(cudaFree(NULL));
	FAILS(cudaErrorInvalidValue, cudaMalloc(NULL, 4));
}

#if CUDART_VERSION >= 10000
/* ambiguous_direction copies where the program has memory at an address of the device, as programs
   at fixed addresses may have. */
static void ambiguous_direction(unsigned char *p)
{
	unsigned char *page = (unsigned char *)((uintptr_t)p & ~(uintptr_t)4095);
	struct cudaMemcpy3DParms c;

	REQUIRE(mmap(page, 2 * N, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == page);
	FAILS(cudaErrorInvalidMemcpyDirection, cudaMemcpy(p, bytes, N, cudaMemcpyDefault));
	FAILS(cudaErrorInvalidMemcpyDirection, cudaMemcpy(back, p, N, cudaMemcpyDefault));
	FAILS(cudaErrorInvalidMemcpyDirection, cudaMemcpyAsync(p, bytes, N, cudaMemcpyDefault, 0));
	FAILS(cudaErrorInvalidMemcpyDirection, cudaMemcpy2D(back, 64, p, 64, 64, 2, cudaMemcpyDefault));
	FAILS(cudaErrorInvalidMemcpyDirection, cudaMemcpyToSymbol(&counter, p, 4, 0, cudaMemcpyDefault));
	memset(&c, 0, sizeof c);
	c.srcPtr.ptr = bytes;
	c.dstPtr.ptr = p;
	c.extent.width = c.extent.height = c.extent.depth = 1;
	c.kind = cudaMemcpyDefault;
	FAILS(cudaErrorInvalidMemcpyDirection, cudaMemcpy3D(&c));
	OK(cudaMemcpy(back, p, N, cudaMemcpyDeviceToHost));
	REQUIRE(munmap(page, 2 * N) == 0);

	/* A symbol is the device's, wherever it lies. */
	OK(cudaGetSymbolAddress((void **)&p, &counter));
	page = (unsigned char *)((uintptr_t)p & ~(uintptr_t)4095);
	REQUIRE(mmap(page, N, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == page);
	OK(cudaMemcpyToSymbol(&counter, bytes, 4, 0, cudaMemcpyDefault));
	OK(cudaMemcpyFromSymbol(back, &counter, 4, 0, cudaMemcpyDefault));
	REQUIRE(memcmp(back, bytes, 4) == 0);
	REQUIRE(munmap(page, N) == 0);
}
#endif

#if CUDART_VERSION >= 4000
static void default_direction(void)
{
	unsigned char *p;

	OK(cudaMalloc((void **)&p, N));
	fill_bytes();
#if CUDART_VERSION >= 10000 /* these devices have no unified addressing: NVIDIA's libraries refuse */
	OK(cudaMemcpy(p, bytes, N, cudaMemcpyDefault));
	OK(cudaMemcpy(back, p, N, cudaMemcpyDefault));
	REQUIRE(memcmp(back, bytes, N) == 0);
	ambiguous_direction(p);
#endif
	OK(cudaFree(p));
}

static void information(void)
{
	size_t before, after, all;
	void *p;

	OK(cudaMemGetInfo(&before, &all));
	OK(cudaMalloc(&p, 1 << 20));
	OK(cudaMemGetInfo(&after, &all));
	REQUIRE(before - after == 1 << 20 && after < all);
	OK(cudaFree(p));
	OK(cudaMemGetInfo(&after, &all));
	REQUIRE(before == after);
}
#endif

/* Rows of 50 bytes at pitches of 64 on the host and the device's own pitch. */
static void rows(void)
{
	unsigned char *p, *q;
	size_t pitch, other;
	int y;

	OK(cudaMallocPitch((void **)&p, &pitch, 50, 10));
	OK(cudaMallocPitch((void **)&q, &other, 50, 10));
	REQUIRE(pitch >= 50 && pitch % 64 == 0 && other == pitch);
	fill_bytes();
	OK(cudaMemset2D(p, pitch, 0x33, 50, 10));
	OK(cudaMemcpy2D(p + pitch + 5, pitch, bytes, 64, 40, 8, cudaMemcpyHostToDevice));
	OK(cudaMemcpy2D(q, other, p, pitch, 50, 10, cudaMemcpyDeviceToDevice));
	OK(cudaMemcpy2D(back, 51, q, other, 50, 10, cudaMemcpyDeviceToHost));
	for (y = 0; y < 10; y++) {
		const unsigned char *row = back + 51 * y;
		int inside = y >= 1 && y < 9;

		REQUIRE(row[4] == 0x33 && row[45] == 0x33);
		REQUIRE(inside ? memcmp(row + 5, bytes + 64 * (y - 1), 40) == 0 : row[5] == 0x33);
		REQUIRE(y == 9 || row[50] == 0);
	}
	memset(back, 0, sizeof back);
	OK(cudaMemcpy2D(back, 60, bytes, 64, 40, 8, cudaMemcpyHostToHost));
	REQUIRE(memcmp(back + 60, bytes + 64, 40) == 0 && back[40] == 0);

	FAILS(INVALID_PITCH, cudaMemcpy2D(p, 30, bytes, 64, 40, 8, cudaMemcpyHostToDevice));
	FAILS(INVALID_PITCH, cudaMemcpy2D(p, pitch, bytes, 39, 40, 8, cudaMemcpyHostToDevice));
	FAILS(cudaErrorInvalidMemcpyDirection, cudaMemcpy2D(p, pitch, bytes, 64, 40, 8, (enum cudaMemcpyKind)77));
	OK(cudaMemcpy2D(p, pitch, bytes, 64, 0, 8, cudaMemcpyHostToDevice));
	OK(cudaMemcpy2D(p, pitch, bytes, 64, 40, 0, cudaMemcpyHostToDevice));
	OK(cudaFree(p));
	OK(cudaFree(q));
}

static struct cudaPitchedPtr host_volume(void *p, size_t pitch, size_t rows)
{
	struct cudaPitchedPtr h;

	h.ptr = p;
	h.pitch = pitch;
	h.xsize = pitch;
	h.ysize = rows;
	return h;
}

/* A volume of 20 x 6 x 4 bytes, of which a part is replaced. */
static void volumes(void)
{
	struct cudaExtent all = {20, 6, 4}, part = {7, 3, 2}, none = {0, 6, 4};
	struct cudaPitchedPtr p;
	struct cudaMemcpy3DParms c;
	int x, y, z;

	OK(cudaMalloc3D(&p, all));
	REQUIRE(p.ptr != NULL && p.pitch >= 20 && p.xsize == 20 && p.ysize == 6);
	OK(cudaMemset3D(p, 0x44, all));
	OK(cudaMemset3D(p, 0x55, none));
	fill_bytes();
	memset(&c, 0, sizeof c);
	c.srcPtr = host_volume(bytes, 16, 8);
	c.srcPos.x = 1, c.srcPos.y = 2, c.srcPos.z = 3;
	c.dstPtr = p;
	c.dstPos.x = 4, c.dstPos.y = 1, c.dstPos.z = 2;
	c.extent = part;
	c.kind = cudaMemcpyHostToDevice;
	OK(cudaMemcpy3D(&c));
	memset(&c, 0, sizeof c);
	c.srcPtr = p;
	c.dstPtr = host_volume(back, 20, 6);
	c.extent = all;
	c.kind = cudaMemcpyDeviceToHost;
	OK(cudaMemcpy3D(&c));
	for (z = 0; z < 4; z++)
		for (y = 0; y < 6; y++)
			for (x = 0; x < 20; x++) {
				int inside = x >= 4 && x < 11 && y >= 1 && y < 4 && z >= 2;
				unsigned char want = inside ? bytes[(z - 2 + 3) * 128 + (y - 1 + 2) * 16 + x - 4 + 1] : 0x44;

				REQUIRE(back[(z * 6 + y) * 20 + x] == want);
			}
	c.kind = (enum cudaMemcpyKind)9;
	FAILS(cudaErrorInvalidMemcpyDirection, cudaMemcpy3D(&c));
	c.kind = cudaMemcpyDeviceToHost;
	c.dstPtr.pitch = 19;
	FAILS(INVALID_PITCH, cudaMemcpy3D(&c));
	memset(&c, 0, sizeof c);
	c.extent = all;
	FAILS(cudaErrorInvalidValue, cudaMemcpy3D(&c));
	OK(cudaFree(p.ptr));
}

/* Volumes that do not lie in memory. Their sizes may be such that products of them are small. */
static void hostile_volumes(void)
{
	struct cudaExtent all = {20, 6, 4}, endless = {20, 1, (size_t)-1}, deep = {20, 6, 5}, one = {20, 1, 1};
	struct cudaPitchedPtr p, turned;
	unsigned char byte;

	OK(cudaMalloc3D(&p, all));
	OK(cudaMemset3D(p, 0x11, all));
	turned = p;
	turned.pitch = turned.ysize = (size_t)1 << 4 * sizeof(size_t);
	FAILS(cudaErrorInvalidValue, cudaMemset3D(turned, 0x22, endless));
	FAILS(cudaErrorInvalidValue, cudaMemset3D(p, 0x22, endless));
	FAILS(cudaErrorInvalidValue, cudaMemset3D(p, 0x22, deep));
	turned = p;
	turned.ysize = 7;
	FAILS(cudaErrorInvalidValue, cudaMemset3D(turned, 0x22, all));
	OK(cudaMemcpy(&byte, p.ptr, 1, cudaMemcpyDeviceToHost));
	REQUIRE(byte == 0x11);
	turned = p;
	turned.pitch = 0; /* there is one row */
	OK(cudaMemset3D(turned, 0x22, one));
	turned.ptr = (char *)p.ptr + 24 * p.pitch - 20; /* the last of memory */
	OK(cudaMemset3D(turned, 0x33, one));
	turned.ptr = (char *)p.ptr + 24 * p.pitch - 19;
	FAILS(cudaErrorInvalidValue, cudaMemset3D(turned, 0x33, one));
	OK(cudaFree(p.ptr));
	FAILS(cudaErrorInvalidValue, cudaMemset3D(p, 0, all));
}

#if CUDART_VERSION >= 4000
/* expect_pointer wants a pointer's attributes. */
static void expect_pointer(const void *pointer, enum cudaMemoryType type, const void *host, const void *device)
{
	struct cudaPointerAttributes a;

	OK(cudaPointerGetAttributes(&a, pointer));
	REQUIRE(a.memoryType == type && a.hostPointer == host && a.devicePointer == device && a.device == 0);
}

/* What the runtime knows of pointers into each kind of memory. */
static void pointers(void)
{
	struct cudaPointerAttributes a;
	char *memory = malloc(3 << 12), *page = (char *)(((uintptr_t)memory + 4095) & ~(uintptr_t)4095);
	char *device, *plain, *mapped, *on_device;

	OK(cudaMalloc((void **)&device, N));
	expect_pointer(device + 5, cudaMemoryTypeDevice, NULL, device + 5);
	OK(cudaFree(device));
	OK(cudaHostAlloc((void **)&plain, N, 0));
	expect_pointer(plain + 5, cudaMemoryTypeHost, plain + 5, NULL);
	OK(cudaFreeHost(plain));
	OK(cudaHostAlloc((void **)&mapped, N, cudaHostAllocMapped));
	OK(cudaHostGetDevicePointer((void **)&on_device, mapped, 0));
	expect_pointer(mapped + 5, cudaMemoryTypeHost, mapped + 5, on_device + 5);
	expect_pointer(on_device + 5, cudaMemoryTypeHost, mapped + 5, on_device + 5);
	OK(cudaFreeHost(mapped));
	FAILS(cudaErrorInvalidValue, cudaPointerGetAttributes(&a, mapped));
	OK(cudaHostRegister(page, 4096, 0));
	expect_pointer(page + 5, cudaMemoryTypeHost, page + 5, NULL);
	OK(cudaHostUnregister(page));
	FAILS(cudaErrorInvalidValue, cudaPointerGetAttributes(&a, page));
	OK(cudaHostRegister(page, 4096, cudaHostRegisterMapped));
	OK(cudaHostGetDevicePointer((void **)&on_device, page, 0));
	expect_pointer(page + 5, cudaMemoryTypeHost, page + 5, on_device + 5);
	OK(cudaHostUnregister(page));
	free(memory);
}
#endif

static void host_memory(void)
{
	unsigned *p;
#if CUDART_VERSION >= 2020
	unsigned *on_device;
	void *q;
	unsigned flags;
	int i;
#endif

	OK(cudaMallocHost((void **)&p, N));
	p[0] = 1, p[N / 4 - 1] = 2;
	OK(cudaFreeHost(p));
	OK(cudaFreeHost(NULL));
#if CUDART_VERSION >= 2020
	OK(cudaHostAlloc(&q, N, cudaHostAllocWriteCombined | cudaHostAllocPortable));
	OK(cudaFreeHost(q));
	FAILS(cudaErrorInvalidValue, cudaHostAlloc(&q, N, 0x100));
	OK(cudaHostAlloc((void **)&p, N, cudaHostAllocMapped));
	OK(cudaHostGetDevicePointer((void **)&on_device, p, 0));
	OK(launch_fill(on_device, 100, 4, 64, 0));
	OK(synchronize());
	for (i = 0; i < 256; i++)
		REQUIRE(p[i] == 100u + (unsigned)i);
	OK(cudaHostGetFlags(&flags, p));
	REQUIRE(flags & cudaHostAllocMapped);
	OK(cudaFreeHost(p));
	FAILS(cudaErrorInvalidValue, cudaHostGetDevicePointer(&q, p, 0));
	FAILS(cudaErrorInvalidValue, cudaHostGetFlags(&flags, p));
#endif
#if CUDART_VERSION >= 4000
	pointers();
#endif
}

int main(void)
{
#if CUDART_VERSION >= 2020
	OK(cudaSetDeviceFlags(cudaDeviceMapHost));
#endif
	linear();
	rows();
	volumes();
	hostile_volumes();
	host_memory();
#if CUDART_VERSION >= 4000
	default_direction();
	information();
#endif
	return passed();
}
