/* Modules in every container, each at the end of readable memory: a reader that goes too far
   crashes. */
#include <cuda.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"

#define THREADS 64 /* the kernel is compiled for it */

/* The struct of CUDA 1.x .. 3.x, version 3. */
struct oldfat {
	unsigned long magic, version, stamp;
	const char *key, *ident, *usage;
	const char *const *ptx, *const *cubins, *const *debug;
	void *info;
	unsigned int flags;
	void *exported, *imported, *dependants;
};

/* The struct of CUDA 4.0 and later. */
struct wrapper {
	uint32_t magic, version;
	const void *container;
	const void *name;
};

/* at_the_edge copies bytes to the end of a page; the next page is not readable. */
static char *at_the_edge(const void *data, size_t bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), size = (bytes + page - 1) / page * page;
	char *memory = (char *)mmap(NULL, size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	REQUIRE(memory != MAP_FAILED);
	REQUIRE(mprotect(memory + size, page, PROT_NONE) == 0);
	memcpy(memory + size - bytes, data, bytes);
	return memory + size - bytes;
}

static void *read_file(const char *path, size_t *size)
{
	static char buffer[65536];
	FILE *file = fopen(path, "rb");

	REQUIRE(file != NULL);
	*size = fread(buffer, 1, sizeof buffer - 1, file);
	REQUIRE(*size > 0);
	buffer[*size] = 0;
	fclose(file);
	return buffer;
}

/* add runs the module's kernel, by kernelParams if the container describes the parameters. */
static void add(CUmodule module, int described)
{
	CUfunction kernel;
	CUdeviceptr da, db, dc;
	float a[THREADS], b[THREADS], c[THREADS];
	uint32_t packed[4];
	void *params[] = {&packed[0], &packed[1], &packed[2], &packed[3]};
	size_t size = sizeof packed;
	void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
	int i;

	for (i = 0; i < THREADS; i++) {
		a[i] = (float)i;
		b[i] = 0.5f;
	}
	OK(cuModuleGetFunction(&kernel, module, "vecadd"));
	OK(cuMemAlloc(&da, sizeof a));
	OK(cuMemAlloc(&db, sizeof b));
	OK(cuMemAlloc(&dc, sizeof c));
	OK(cuMemcpyHtoD(da, a, sizeof a));
	OK(cuMemcpyHtoD(db, b, sizeof b));
	packed[0] = (uint32_t)da;
	packed[1] = (uint32_t)db;
	packed[2] = (uint32_t)dc;
	packed[3] = THREADS;
	OK(cuLaunchKernel(kernel, 1, 1, 1, THREADS, 1, 1, 0, NULL, described ? params : NULL, described ? NULL : extra));
	OK(cuMemcpyDtoH(c, dc, sizeof c));
	for (i = 0; i < THREADS; i++)
		REQUIRE(c[i] == a[i] + b[i]);
	OK(cuMemFree(da));
	OK(cuMemFree(db));
	OK(cuMemFree(dc));
	OK(cuModuleUnload(module));
}

/* load loads an image by every call for images. */
static void load(const void *image, int described)
{
	CUmodule module;

	OK(cuModuleLoadData(&module, image));
	add(module, described);
	OK(cuModuleLoadDataEx(&module, image, 0, NULL, NULL));
	add(module, described);
	OK(cuModuleLoadFatBinary(&module, image));
	add(module, described);
}

/* logs reads the driver's logs of an image. */
static void logs(const void *image, CUresult want, const char *info, const char *error)
{
	char info_log[256], error_log[256], tiny[8];
	float time = 1;
	CUmodule module;
	CUjit_option options[] = {CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, CU_JIT_ERROR_LOG_BUFFER,
		CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_MAX_REGISTERS, CU_JIT_WALL_TIME};
	void *values[] = {info_log, (void *)sizeof info_log, error_log, (void *)sizeof error_log, (void *)16, NULL};

	memcpy(&values[5], &time, sizeof time);
	memset(info_log, 'x', sizeof info_log);
	memset(error_log, 'x', sizeof error_log);
	EXPECT(want, cuModuleLoadDataEx(&module, image, 6, options, values));
	REQUIRE(strcmp(info_log, info) == 0);
	REQUIRE((size_t)values[1] == strlen(info));
	REQUIRE(strcmp(error_log, error) == 0);
	REQUIRE((size_t)values[3] == strlen(error));
	memcpy(&time, &values[5], sizeof time);
	REQUIRE(time == 0);

	values[0] = values[2] = tiny; /* both logs are truncated */
	values[1] = (void *)(want == CUDA_SUCCESS ? sizeof tiny : 0);
	values[3] = (void *)(want == CUDA_SUCCESS ? 0 : sizeof tiny);
	EXPECT(want, cuModuleLoadDataEx(&module, image, 4, options, values));
	REQUIRE(strncmp(tiny, want == CUDA_SUCCESS ? info : error, 7) == 0 && tiny[7] == 0);
}

int main(int argc, char **argv)
{
	CUdevice device;
	CUcontext context;
	CUmodule module;
	size_t size;
	void *data;
	char *text, *elf, *flat;
	struct wrapper wrapper = {0x466243b1, 1, NULL, NULL};
	struct oldfat old = {0x1ee55a01, 3, 0, "key", "vecadd.cu", " ", NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL};
	const char *pairs[] = {"sm_10", NULL, NULL, NULL}, *none[] = {NULL, NULL};

	REQUIRE(argc == 4);
	OK(cuInit(0));
	OK(cuDeviceGet(&device, 0));
	OK(cuCtxCreate(&context, 0, device));

	data = read_file(argv[1], &size);
	text = at_the_edge(data, size + 1);
	load(text, 0);
	/* no NUL */
	EXPECT(CUDA_ERROR_INVALID_IMAGE, cuModuleLoadData(&module, at_the_edge(data, size)));

	data = read_file(argv[2], &size);
	elf = at_the_edge(data, size);
	load(elf, 1);
	EXPECT(CUDA_ERROR_INVALID_IMAGE, cuModuleLoadData(&module, at_the_edge(data, size - 1)));
	EXPECT(CUDA_ERROR_INVALID_IMAGE, cuModuleLoadData(&module, at_the_edge(data, 20)));
	/* nothing can be read */
	EXPECT(CUDA_ERROR_INVALID_IMAGE, cuModuleLoadFatBinary(&module, elf + size));

	data = read_file(argv[3], &size);
	flat = at_the_edge(data, size);
	load(flat, 1);
	EXPECT(CUDA_ERROR_INVALID_IMAGE, cuModuleLoadFatBinary(&module, at_the_edge(data, size - 1)));
	OK(cuModuleLoad(&module, argv[3]));
	add(module, 1);

	wrapper.container = flat;
	load(at_the_edge(&wrapper, sizeof wrapper), 1);
	wrapper.container = elf;
	EXPECT(CUDA_ERROR_INVALID_IMAGE, cuModuleLoadFatBinary(&module, &wrapper));

	pairs[1] = text;
	old.cubins = (const char *const *)at_the_edge(pairs, sizeof pairs);
	old.ptx = old.debug = none;
	load(at_the_edge(&old, sizeof old), 0);
	old.cubins = none;
	EXPECT(CUDA_ERROR_NO_BINARY_FOR_GPU, cuModuleLoadFatBinary(&module, &old));

	logs(elf, CUDA_SUCCESS, "module for sm_10: 1 kernels, 0 variables", "");
	logs(&old, CUDA_ERROR_NO_BINARY_FOR_GPU, "", "module: no machine code for sm_13 or an earlier architecture: found only nothing");
	OK(cuCtxDestroy(context));
	return passed();
}
