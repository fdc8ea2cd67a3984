// Threads call random symbols of the interface, with arguments that sometimes make sense and are
// often another thread's. No call crashes or faults inside the library, and at the end the library
// still works. It uses the library's own types, because cuda.h offers only one of the two
// interfaces at a time.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "abi_gen.h"
#include "check.h"

/* Results that abi_gen.h leaves out. */
#define CUDA_SUCCESS 0
#define CUDA_ERROR_NOT_PERMITTED 800

#define OWN (64 << 10)    /* bytes of memory that calls may use */
#define BEYOND (64 << 20) /* least bytes around it that no call may use */
#define KEPT 16           /* of each kind */
#define THREADS 8

static __thread uint64_t state; /* of the random numbers */
static long count; /* calls per thread */
static char *memory_start, *image_start;
static size_t image_size;
static const char *image_path;
static CUdeviceptr kept_addresses[KEPT];

static unsigned chance(unsigned n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(state >> 33) % n;
}

/* own returns size bytes of the program's memory, but sometimes NULL or unreadable memory. */
static void *own(size_t size)
{
	if (size == 1 && chance(8) == 0)
		return chance(2) ? NULL : memory_start + OWN;
	return memory_start + chance((unsigned)(OWN - size) / 8) * 8;
}

static unsigned small(void)
{
	static const unsigned values[] = {0, 0, 0, 0, 1, 1, 2, 3, 4, 8, 10, 16, 31, 32};

	return values[chance(sizeof values / sizeof values[0])];
}

static long long number(void)
{
	static const long long values[] = {64, 100, 255, 256, 512, 4096, 65535, 65536, 1 << 20, 0x7fffffff, -1};

	return chance(3) ? small() : values[chance(sizeof values / sizeof values[0])];
}

static CUdeviceptr address(void)
{
	CUdeviceptr a = kept_addresses[chance(KEPT)];

	return chance(4) ? a : a + (CUdeviceptr)number();
}

static void keep_address(CUdeviceptr a) { kept_addresses[chance(KEPT)] = a; }

static const char *text(void)
{
	static const char *const values[] = {"vecadd", "sample", "image", "", "cuMemAlloc", "0000:01:00.0", "/nonexistent"};

	switch (chance(5)) {
	case 0:
		return image_path;
	case 1:
		return own(1);
	}
	return values[chance(sizeof values / sizeof values[0])];
}

static const void *data(void) { return chance(3) ? own(1) : image_start + chance(2) * chance((unsigned)image_size); }

/* memory returns a place that a call may write, with random content. */
static void *memory(void);

static uintptr_t handle(int kind);
static void keep(int kind, uintptr_t h);
static void called_back(CUstream stream, CUresult result, void *user);
static size_t shared_size(int block);

#include "random_gen.h"

static uintptr_t kept[KINDS][KEPT];

static uintptr_t handle(int kind)
{
	return kept[chance(16) ? kind : (int)chance(KINDS)][chance(KEPT)];
}

static void keep(int kind, uintptr_t h) { kept[kind][chance(KEPT)] = h; }

static void *memory(void)
{
	uintptr_t *words = own(1);
	int i;

	if (words && (char *)words < memory_start + OWN - 64)
		for (i = 0; i < 8; i++)
			words[i] = chance(4) == 0 ? (uintptr_t)own(1) : chance(3) == 0 ? (uintptr_t)address() : small();
	return words;
}

static void called_back(CUstream stream, CUresult result, void *user)
{
	(void)stream;
	(void)result;
	(void)user;
	EXPECT(CUDA_ERROR_NOT_PERMITTED, cuCtxSynchronize());
}

static size_t shared_size(int block) { return (size_t)block * chance(64); }

/* context makes sure that most calls find a sound context with a module in it. It returns whether
   the context survived: another thread may destroy it meanwhile. */
static int context(void)
{
	CUcontext c;
	CUmodule module;
	CUfunction kernel;
	CUdeviceptr a;

	OK(cuInit(0));
	OK(cuCtxCreate_v2(&c, 0, 0));
	keep(KIND_CUcontext, c);
	if (cuModuleLoad(&module, image_path) != 0 || cuModuleGetFunction(&kernel, module, "vecadd") != 0 || cuMemAlloc_v2(&a, 1 << 16) != 0)
		return 0;
	keep(KIND_CUmodule, module);
	keep(KIND_CUfunction, kernel);
	keep_address(a);
	return 1;
}

/* leave destroys the known contexts and checks that a new one has all its memory. */
static void leave(void)
{
	CUcontext c;
	size_t left, all;
	int i;

	for (;;) {
		OK(cuCtxGetCurrent(&c));
		if (!c)
			break;
		OK(cuCtxPopCurrent_v2(NULL));
	}
	for (i = 0; i < KEPT; i++)
		cuCtxDestroy_v2(kept[KIND_CUcontext][i]); /* some are destroyed already */
	OK(cuDevicePrimaryCtxReset(0));
	OK(cuCtxCreate_v2(&c, 0, 0));
	OK(cuMemGetInfo_v2(&left, &all));
	REQUIRE(left == all);
	OK(cuCtxDestroy_v2(c));
}

static void *body(void *seed)
{
	const char *name;
	long i;

	state = (uintptr_t)seed;
	for (i = 0; i < count; i++) {
		int symbol = (int)chance(SYMBOLS);
		CUresult r;

		if (i % 50 == 20)
			context();
		r = call(symbol);
		if (r == CUDA_ERROR_UNKNOWN || cuGetErrorName(r, &name) != 0) {
			printf("symbol %d answered %d\n", symbol, r);
			exit(1);
		}
	}
	return NULL;
}

/* reserve returns an address for memory that calls use. Another thread's call may leave a 32-bit
   result in half of a pointer there. Such a pointer must not reach other memory, so all addresses
   with that half are reserved. */
static char *reserve(void)
{
	const size_t half = sizeof(void *) == 8 ? (size_t)1 << (4 * sizeof(void *)) : BEYOND;
	char *all = mmap(NULL, 2 * half, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	REQUIRE(all != (char *)MAP_FAILED);
	return (char *)(((uintptr_t)all + half - 1) & ~(half - 1)) + half / 2;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	FILE *image;
	int i, running;

	REQUIRE(argc == 5);
	image_path = argv[1];
	running = atoi(argv[3]);
	count = atol(argv[4]);
	REQUIRE(running <= THREADS);
	memory_start = reserve();
	REQUIRE(mprotect(memory_start, OWN, PROT_READ | PROT_WRITE) == 0);
	image_start = calloc(1, 1 << 16);
	image = fopen(image_path, "r");
	REQUIRE(image_start != NULL && image != NULL);
	image_size = fread(image_start, 1, (1 << 16) - 1, image);
	fclose(image);

	for (i = 0; i < running; i++)
		REQUIRE(pthread_create(&threads[i], NULL, body, (void *)(strtoul(argv[2], NULL, 0) + (uintptr_t)i)) == 0);
	for (i = 0; i < running; i++)
		REQUIRE(pthread_join(threads[i], NULL) == 0);
	REQUIRE(context());
	leave();
	return passed();
}
