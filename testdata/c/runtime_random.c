/* Threads call random functions of the runtime, with arguments that sometimes make sense and are often
   another thread's. No call crashes, each answers an error that has a name, and at the end the library
   still works. */
#include <pthread.h>
#include <sys/mman.h>

#include "cuda_gl_interop.h"
#include "cuda_profiler_api.h"
#include "runtime_check.h"

#define OWN (64 << 10)        /* bytes of memory that calls may use */
#define BEYOND ((size_t)4 << 30) /* bytes on each side of it that none may */
#define KEPT 16               /* of each kind */
#define THREADS 8

enum kind { Stream, Event, Array, GraphicsResource, Address, KINDS };

static __thread uint64_t state; /* of the random numbers */
static long count;              /* calls per thread */
static char *memory;
static void *kept[KINDS][KEPT];

static unsigned chance(unsigned n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(state >> 33) % n;
}

static unsigned small(void)
{
	static const unsigned values[] = {0, 1, 1, 1, 1, 2, 2, 3, 4, 8, 16, 32};

	return values[chance(sizeof values / sizeof values[0])];
}

static long long number(void)
{
	static const long long values[] = {64, 100, 255, 256, 512, 4096, 65536, 1 << 20, 0x7fffffff, -1};

	return chance(3) ? small() : values[chance(sizeof values / sizeof values[0])];
}

static void *handle(enum kind k) { return kept[chance(16) ? k : chance(KINDS)][chance(KEPT)]; }

/* own returns memory that a call may use, with random content, and sometimes memory that it may not. */
static void *own(void)
{
	char *p = memory + chance(OWN / 8 - 64) * 8;
	int i;

	if (chance(8) == 0)
		return chance(2) ? NULL : memory + OWN;
	for (i = 0; i < 24; i++) {
		uintptr_t word = chance(4) == 0 ? (uintptr_t)handle((enum kind)chance(KINDS)) : small();

		memcpy(p + 8 * i, &word, sizeof word);
	}
	return p;
}

/* room is where a call leaves a handle for others. */
static void *room(enum kind k) { return chance(16) ? &kept[k][chance(KEPT)] : own(); }

static void *address(void)
{
	char *p = handle(Address);

	if (chance(2))
		return own();
	return chance(4) ? p : p + number() % (1 << 20);
}

static const void *symbol(void)
{
	static const void *const values[] = {&fill, &bump, &look, &mixed, &turn, &fetch, &sample, &counter, &table, &image, "bump"};

	return chance(8) ? values[chance(sizeof values / sizeof values[0])] : own();
}

static const struct textureReference *texture(void)
{
	return chance(8) ? chance(2) ? &line : &image : own();
}

static const char *text(void) { return chance(2) ? own() : "0000:01:00.0"; }

static struct cudaExtent extent(void)
{
	struct cudaExtent e = {(size_t)number(), small(), small()};

	return e;
}

static struct cudaPitchedPtr pitched(void)
{
	struct cudaPitchedPtr p = {NULL, (size_t)number(), (size_t)number(), small()};

	p.ptr = address();
	return p;
}

static void callback(cudaStream_t stream, cudaError_t status, void *data) { (void)stream, (void)status, (void)data; }
static void host_function(void *data) { (void)data; }

#include "runtime_random_gen.h"

static void *body(void *seed)
{
	long i;

	state = (uintptr_t)seed;
	for (i = 0; i < count; i++) {
		int function = (int)chance(FUNCTIONS);
		cudaError_t error = call(function);

		if (strncmp(cudaGetErrorName(error), "cudaError", 9) != 0 && error != cudaSuccess) {
			printf("function %d answered %d\n", function, error);
			exit(1);
		}
		if (error == cudaErrorLaunchFailure || error == cudaErrorIllegalAddress)
			cudaDeviceReset();
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	int i, running;

	REQUIRE(argc == 4);
	running = atoi(argv[2]);
	count = atol(argv[3]);
	REQUIRE(running <= THREADS);
	memory = mmap(NULL, 2 * BEYOND, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	REQUIRE(memory != (char *)MAP_FAILED);
	memory += BEYOND;
	REQUIRE(mprotect(memory, OWN, PROT_READ | PROT_WRITE) == 0);
	for (i = 0; i < running; i++)
		REQUIRE(pthread_create(&threads[i], NULL, body, (void *)(strtoul(argv[1], NULL, 0) + (uintptr_t)i)) == 0);
	for (i = 0; i < running; i++)
		REQUIRE(pthread_join(threads[i], NULL) == 0);
	cudaDeviceReset();
	cudaGetLastError();
	OK(launch_bump());
	OK(cudaDeviceSynchronize());
	return passed();
}
