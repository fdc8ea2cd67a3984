/* A program that brings PTX: every option of the compiler, both logs, and the linker. Arguments: a
   folder with vecadd.ptx, broken.ptx, main.ptx and scale.ptx. */
#include <cuda.h>
#include <stdint.h>
#include <string.h>

#include "check.h"

enum { N = 64 };

static char *read_file(const char *folder, const char *name, size_t *size)
{
	char path[1000];
	char *text;
	FILE *f;

	snprintf(path, sizeof path, "%s/%s", folder, name);
	f = fopen(path, "rb");
	REQUIRE(f != NULL);
	REQUIRE(fseek(f, 0, SEEK_END) == 0);
	*size = (size_t)ftell(f) + 1;
	rewind(f);
	text = calloc(1, *size);
	REQUIRE(text != NULL && fread(text, 1, *size - 1, f) == *size - 1);
	fclose(f);
	return text;
}

/* add runs the kernel vecadd of a module, and unloads the module. */
static void add(CUmodule module)
{
	static float sums[N];
	struct {
		uint32_t a, b, c, n;
	} params;
	size_t size = sizeof params;
	void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &params, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
	CUfunction kernel;
	CUdeviceptr a, c;
	int i;

	OK(cuModuleGetFunction(&kernel, module, "vecadd"));
	OK(cuFuncGetAttribute(&i, CU_FUNC_ATTRIBUTE_PTX_VERSION, kernel));
	REQUIRE(i == 10);
	OK(cuFuncGetAttribute(&i, CU_FUNC_ATTRIBUTE_BINARY_VERSION, kernel));
	REQUIRE(i == 13);
	OK(cuMemAlloc(&a, sizeof sums));
	OK(cuMemAlloc(&c, sizeof sums));
	OK(cuMemsetD32(a, 0x3f800000, N));
	params.a = params.b = (uint32_t)a, params.c = (uint32_t)c, params.n = N;
	OK(cuLaunchKernel(kernel, N / 32, 1, 1, 32, 1, 1, 0, 0, NULL, extra));
	OK(cuMemcpyDtoH(sums, c, sizeof sums));
	for (i = 0; i < N; i++)
		REQUIRE(sums[i] == 2);
	OK(cuMemFree(a));
	OK(cuMemFree(c));
	OK(cuModuleUnload(module));
}

static void load(const char *folder)
{
	char info[1024], error[1024], path[1000];
	size_t size;
	char *good = read_file(folder, "vecadd.ptx", &size), *bad = read_file(folder, "broken.ptx", &size);
	CUmodule module;
	float time;
	CUjit_option options[] = {CU_JIT_MAX_REGISTERS, CU_JIT_THREADS_PER_BLOCK, CU_JIT_WALL_TIME, CU_JIT_INFO_LOG_BUFFER,
		CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_OPTIMIZATION_LEVEL,
		CU_JIT_TARGET_FROM_CUCONTEXT, CU_JIT_FALLBACK_STRATEGY, CU_JIT_GENERATE_DEBUG_INFO, CU_JIT_LOG_VERBOSE,
		CU_JIT_GENERATE_LINE_INFO, CU_JIT_CACHE_MODE};
	void *values[] = {(void *)32, (void *)64, NULL, info, (void *)sizeof info, error, (void *)sizeof error, (void *)2, NULL,
		(void *)CU_PREFER_PTX, (void *)1, (void *)1, (void *)1, (void *)CU_JIT_CACHE_OPTION_CA};

	OK(cuModuleLoadDataEx(&module, good, sizeof options / sizeof *options, options, values));
	REQUIRE(strstr(info, "Compiling entry function 'vecadd' for 'sm_13'") != NULL);
	REQUIRE(strlen(info) == (size_t)values[4] && *error == 0 && values[6] == NULL);
	REQUIRE((size_t)values[1] == 64);
	memcpy(&time, &values[2], sizeof time);
	REQUIRE(time > 0);
	add(module);

	values[1] = NULL, values[4] = (void *)sizeof info, values[6] = (void *)sizeof error;
	EXPECT(CUDA_ERROR_INVALID_PTX, cuModuleLoadDataEx(&module, bad, sizeof options / sizeof *options, options, values));
	REQUIRE(strncmp(error, "PTX:6:", 6) == 0 && strstr(error, "\nPTX:7:") != NULL);
	REQUIRE(strlen(error) == (size_t)values[6] && *info == 0 && values[4] == NULL);

	values[3] = values[5] = (void *)4096; /* where no memory is */
	values[4] = values[6] = (void *)100;
	EXPECT(CUDA_ERROR_INVALID_VALUE, cuModuleLoadDataEx(&module, good, sizeof options / sizeof *options, options, values));

	snprintf(path, sizeof path, "%s/vecadd.ptx", folder);
	OK(cuModuleLoad(&module, path));
	add(module);
	OK(cuModuleLoadData(&module, good));
	add(module);
	OK(cuModuleLoadFatBinary(&module, good));
	add(module);
	free(good);
	free(bad);
}

/* scaled runs the kernel of main.ptx, linked with scale.ptx. */
static void scaled(const void *cubin)
{
	uint32_t results[N];
	CUmodule module;
	CUfunction kernel;
	CUdeviceptr out;
	void *params[] = {&out};
	unsigned i;

	OK(cuModuleLoadData(&module, cubin));
	OK(cuModuleGetFunction(&kernel, module, "compute"));
	OK(cuMemAlloc(&out, sizeof results));
	OK(cuLaunchKernel(kernel, 1, 1, 1, N, 1, 1, 0, 0, params, NULL));
	OK(cuMemcpyDtoH(results, out, sizeof results));
	for (i = 0; i < N; i++)
		REQUIRE(results[i] == 7 * i + 1100);
	OK(cuMemFree(out));
	OK(cuModuleUnload(module));
}

static void link_modules(const char *folder)
{
	char info[1024], error[1024], path[1000];
	size_t main_size, bad_size, size;
	char *text = read_file(folder, "main.ptx", &main_size), *bad = read_file(folder, "broken.ptx", &bad_size);
	CUlinkState state;
	void *cubin, *copy;
	float time;
	CUjit_option options[] = {CU_JIT_WALL_TIME, CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, CU_JIT_ERROR_LOG_BUFFER,
		CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_LOG_VERBOSE};
	void *values[] = {NULL, info, (void *)sizeof info, error, (void *)sizeof error, (void *)1};

	OK(cuLinkCreate(6, options, values, &state));
	EXPECT(CUDA_ERROR_INVALID_PTX, cuLinkAddData(state, CU_JIT_INPUT_PTX, bad, bad_size, "bad", 0, NULL, NULL));
	REQUIRE(strncmp(error, "bad:6:", 6) == 0 && strlen(error) == (size_t)values[4]);
	OK(cuLinkAddData(state, CU_JIT_INPUT_PTX, text, main_size, "main", 0, NULL, NULL));
	memset(text, 'x', main_size); /* the driver has kept nothing of it */
	snprintf(path, sizeof path, "%s/scale.ptx", folder);
	OK(cuLinkAddFile(state, CU_JIT_INPUT_PTX, path, 0, NULL, NULL));
	OK(cuLinkComplete(state, &cubin, &size));
	REQUIRE(strstr(info, "'compute' for 'sm_13'") != NULL && strlen(info) == (size_t)values[2]);
	memcpy(&time, &values[0], sizeof time);
	REQUIRE(time > 0);
	scaled(cubin);
	copy = malloc(size);
	REQUIRE(copy != NULL);
	memcpy(copy, cubin, size);
	OK(cuLinkDestroy(state));
	EXPECT(CUDA_ERROR_INVALID_HANDLE, cuLinkDestroy(state));
	scaled(copy);

	EXPECT(CUDA_ERROR_INVALID_VALUE, cuLinkCreate(1, NULL, NULL, &state));
	EXPECT(CUDA_ERROR_INVALID_VALUE, cuLinkCreate(0, NULL, NULL, NULL));
	OK(cuLinkCreate(0, NULL, NULL, &state));
	EXPECT(CUDA_ERROR_INVALID_VALUE, cuLinkAddData(state, CU_JIT_INPUT_PTX, NULL, 5, NULL, 0, NULL, NULL));
	EXPECT(CUDA_ERROR_INVALID_VALUE, cuLinkAddFile(state, CU_JIT_INPUT_PTX, NULL, 0, NULL, NULL));
	EXPECT(CUDA_ERROR_FILE_NOT_FOUND, cuLinkAddFile(state, CU_JIT_INPUT_PTX, "/nothing", 0, NULL, NULL));
	EXPECT(CUDA_ERROR_INVALID_VALUE, cuLinkComplete(state, NULL, &size));
	OK(cuLinkAddData(state, CU_JIT_INPUT_CUBIN, copy, size, NULL, 0, NULL, NULL));
	OK(cuLinkComplete(state, &cubin, NULL));
	scaled(cubin);
	/* The link ends with its context. */
	free(text);
	free(bad);
	free(copy);
}

int main(int argc, char **argv)
{
	CUcontext context;

	REQUIRE(argc == 2);
	OK(cuInit(0));
	OK(cuCtxCreate(&context, 0, 0));
	load(argv[1]);
	link_modules(argv[1]);
	OK(cuCtxDestroy(context));
	return passed();
}
