/* A program of release 4.0 on the library of release 4.2: its structure of properties is shorter. */
#include "runtime_check.h"

/* A flat fat binary with PTX that begins as that of NVIDIA's compiler does. */
static struct {
	uint32_t magic;
	uint16_t version, header;
	uint64_t size;
	struct {
		uint16_t kind, flags;
		uint32_t header;
		uint64_t size;
		char rest[48];
	} entry;
	char text[1024];
} container = {0xba55ed50, 1, 16, 64 + 1024, {1, 0, 64, 1024, ""},
	"\t.version 1.4\n\t.target sm_10, map_f64_to_f32\n\t// compiled with /usr/local/cuda/open64/lib//be\n"
	"\t// nvopencc 4.0 built on 2011-05-12\n"};

static struct {
	int magic, version;
	const void *code, *file;
} wrapper = {0x466243b1, 1, &container, NULL};

/* written returns how many bytes a call writes. */
static size_t written(void)
{
	static unsigned char bytes[2 * sizeof(struct cudaDeviceProp)];
	size_t n = sizeof bytes;

	memset(bytes, 0xaa, sizeof bytes);
	OK(cudaGetDeviceProperties((struct cudaDeviceProp *)bytes, 0));
	while (n > 0 && bytes[n - 1] == 0xaa)
		n--;
	return n;
}

int main(void)
{
	struct cudaDeviceProp wanted;
	void **handle;
	int device = 1;

	REQUIRE(written() == sizeof(struct cudaDeviceProp));
	handle = __cudaRegisterFatBinary(&wrapper);
	REQUIRE(written() == (sizeof(void *) == 8 ? 472 : 444));
	memset(&wanted, 0xaa, sizeof wanted);
	wanted.name[0] = 0;
	wanted.totalGlobalMem = 0;
	wanted.major = 1;
	wanted.minor = 1;
	OK(cudaChooseDevice(&device, &wanted));
	REQUIRE(device == 0);
	__cudaUnregisterFatBinary(handle);
	return passed();
}
