#include "release.h"

#if CUDART_VERSION == 4020

#include <stdatomic.h>
#include <string.h>

// NVIDIA's releases 4.0 and 4.2 have one name for the library and two layouts of cudaDeviceProp,
// and no call tells the layout of a program. But the images of a program hold their PTX, which
// begins with a comment on the compiler and its release. A program without images counts as a
// program of 4.2, as on NVIDIA's library: the SDK's deviceQuery of 4.2 has no images, and reads all
// of the structure.

static atomic_int old;

// The starts of a flat fat binary and of an entry in it (../../cubin/fatflat.go reads all of them).
struct container {
	uint32_t magic;
	uint16_t version, header;
	uint64_t size; // of the entries
};
struct entry {
	uint16_t kind, flags;
	uint32_t header;
	uint64_t size;
};
enum { CONTAINER_MAGIC = 0xba55ed50, ENTRY_PTX = 1 };

void runtime_see_release(const void *code)
{
	struct container c;
	if (runtime_read(&c, code, sizeof c) != cudaSuccess || c.magic != CONTAINER_MAGIC)
		return;
	const char *at = (const char *)code + c.header, *end = at + c.size;
	while (at < end && !old) {
		struct entry e;
		char text[512] = "";
		if (runtime_read(&e, at, sizeof e) != cudaSuccess || e.header < sizeof e || e.size > (uint64_t)(end - at))
			return;
		if (e.kind == ENTRY_PTX && e.size >= sizeof text &&
		    runtime_read(text, at + e.header, sizeof text - 1) == cudaSuccess && strstr(text, "// nvopencc 4.0 ") != NULL)
			old = 1;
		at += e.header + e.size;
	}
}

int runtime_is_4_0(void)
{
	return old;
}

#endif
