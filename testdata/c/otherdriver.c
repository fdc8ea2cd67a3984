/* A libcuda that is no simulator, to cross-check against. Device memory is the host's, so addresses
   have 64 bits. The only code it takes is PTX; it finds the kernels of testdata/ptx by their names.
   Macros:
     VERSION=N     the version of cuDriverGetVersion
     INIT=N        the result of cuInit, with the name UNLIKELY
     DEVICES=N     the number of devices
     REFUSE=N      the result for other code
     MEMORY=N      the bytes that can be allocated in all
     CONTEXT=N     the result of cuCtxCreate
     FAULT         one sum is off by one in the last place
     BROKEN=N      the Nth launch fails, and all calls after it */
#include <cuda.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifndef VERSION
#define VERSION 12040
#endif
#ifndef INIT
#define INIT CUDA_SUCCESS
#endif
#ifndef DEVICES
#define DEVICES 1
#endif
#ifndef REFUSE
#define REFUSE CUDA_ERROR_NO_BINARY_FOR_GPU
#endif
#ifndef MEMORY
#define MEMORY (1 << 30)
#endif
#ifndef CONTEXT
#define CONTEXT CUDA_SUCCESS
#endif
#ifndef BROKEN
#define BROKEN 0
#endif

/* The state of a launch: a grid of one dimension. */
struct work {
	unsigned int blocks, threads;
	const unsigned char *params;
};

/* param copies a parameter from its offset in PTX for 64-bit programs. */
static void param(const struct work *w, void *to, size_t offset, size_t bytes) { memcpy(to, w->params + offset, bytes); }

static float float_of(uint32_t bits)
{
	float f;
	memcpy(&f, &bits, sizeof f);
	return f;
}

static uint32_t bits_of(float f)
{
	uint32_t bits;
	memcpy(&bits, &f, sizeof bits);
	return bits;
}

static void vecadd(const struct work *w)
{
	const float *a, *b;
	float *c;
	uint32_t n, i;

	param(w, &a, 0, 8), param(w, &b, 8, 8), param(w, &c, 16, 8), param(w, &n, 24, 4);
	for (i = 0; i < n && i < w->blocks * w->threads; i++)
		c[i] = a[i] + b[i];
#ifdef FAULT
	c[103] = float_of(bits_of(c[103]) + 1);
#endif
}

/* truncated is the product of two numbers, truncated to 24 bits. */
static float truncated(float a, float b)
{
	double exact = (double)a * b;
	uint32_t bits = bits_of((float)exact);

	if (float_of(bits & 0x7fffffff) > (exact < 0 ? -exact : exact))
		bits--;
	return float_of(bits);
}

static void saxpy(const struct work *w)
{
	const float *x;
	float *y, alpha;
	uint32_t n, i;

	param(w, &x, 0, 8), param(w, &y, 8, 8), param(w, &alpha, 16, 4), param(w, &n, 20, 4);
	for (i = 0; i < n && i < w->blocks * w->threads; i++) {
		float product = bits_of(y[i]) << 1 == 0 ? alpha * x[i] : truncated(alpha, x[i]);
		y[i] = product + y[i];
	}
}

static void collatz(const struct work *w)
{
	const uint32_t *a;
	uint32_t *o, n, i;

	param(w, &a, 0, 8), param(w, &o, 8, 8), param(w, &n, 16, 4);
	for (i = 0; i < n && i < w->blocks * w->threads; i++) {
		uint32_t x = a[i], steps = 0;
		for (; x > 1; steps++)
			x = x & 1 ? 3 * x + 1 : x >> 1;
		o[i] = steps;
	}
}

static void reduce(const struct work *w)
{
	const uint32_t *x;
	uint32_t *y, n, i;

	param(w, &x, 0, 8), param(w, &y, 8, 8), param(w, &n, 16, 4);
	for (i = 0; i < w->blocks * w->threads; i++) {
		if (i % w->threads == 0)
			y[i / w->threads] = 0;
		y[i / w->threads] += i < n ? x[i] : 0;
	}
}

static void crc32(const struct work *w)
{
	const unsigned char *a;
	uint32_t *o, len, i, k;
	int bit;

	param(w, &a, 0, 8), param(w, &o, 8, 8), param(w, &len, 16, 4);
	for (i = 0; i < w->blocks * w->threads; i++) {
		uint32_t sum = 0xffffffff;
		for (k = 0; k < len; k++) {
			sum ^= a[i * len + k];
			for (bit = 0; bit < 8; bit++)
				sum = sum & 1 ? sum >> 1 ^ 0xedb88320 : sum >> 1;
		}
		o[i] = ~sum;
	}
}

static const struct kernel {
	const char *name;
	size_t params; /* bytes */
	void (*run)(const struct work *);
} kernels[] = {
	{"vecadd", 28, vecadd}, {"saxpy", 24, saxpy}, {"collatz", 20, collatz}, {"reduce", 20, reduce}, {"crc32", 20, crc32},
};

struct module {
	char *text;
};

static int handle;
static size_t used;     /* bytes */
static int launches;
static float scale[64]; /* the variable of the module below */

CUresult cuInit(unsigned int flags) { return flags == 0 ? (CUresult)INIT : CUDA_ERROR_INVALID_VALUE; }

CUresult cuGetErrorName(CUresult error, const char **name)
{
	if (error != (CUresult)INIT)
		return CUDA_ERROR_INVALID_VALUE;
	*name = "CUDA_ERROR_UNLIKELY";
	return CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int *version)
{
	*version = VERSION;
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count)
{
	*count = DEVICES;
	return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
	*device = ordinal;
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char *name, int size, CUdevice device)
{
	strncpy(name, device == 0 ? "Another GPU" : "", (size_t)size);
	return CUDA_SUCCESS;
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device)
{
	*major = 9;
	*minor = device;
	return CUDA_SUCCESS;
}

CUresult cuCtxCreate(CUcontext *context, unsigned int flags, CUdevice device)
{
	(void)flags, (void)device;
	*context = (CUcontext)&handle;
	return (CUresult)CONTEXT;
}

CUresult cuCtxDestroy(CUcontext context) { return context == (CUcontext)&handle ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT; }
CUresult cuCtxSetCurrent(CUcontext context) { return context == (CUcontext)&handle ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT; }
CUresult cuCtxSynchronize(void) { return launches >= BROKEN && BROKEN > 0 ? CUDA_ERROR_LAUNCH_FAILED : CUDA_SUCCESS; }

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int count, CUjit_option *options, void **values)
{
	struct module *m;

	(void)options;
	if (strstr((const char *)image, ".entry") == NULL) {
		if (count > 0)
			strcpy((char *)values[0], "device kernel image is invalid");
		return (CUresult)REFUSE;
	}
	if (strstr((const char *)image, ".target sm_20") == NULL)
		return CUDA_ERROR_INVALID_PTX;
	m = (struct module *)malloc(sizeof *m);
	m->text = (char *)malloc(strlen((const char *)image) + 1);
	strcpy(m->text, (const char *)image);
	*module = (CUmodule)m;
	return CUDA_SUCCESS;
}

CUresult cuModuleUnload(CUmodule module)
{
	free(((struct module *)module)->text);
	free(module);
	return CUDA_SUCCESS;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
	size_t i;

	for (i = 0; i < sizeof kernels / sizeof *kernels; i++) {
		if (strcmp(name, kernels[i].name) == 0 && strstr(((struct module *)module)->text, name) != NULL) {
			*function = (CUfunction)&kernels[i];
			return CUDA_SUCCESS;
		}
	}
	return CUDA_ERROR_NOT_FOUND;
}

CUresult cuModuleGetGlobal(CUdeviceptr *address, size_t *bytes, CUmodule module, const char *name)
{
	if (strstr(((struct module *)module)->text, name) == NULL)
		return CUDA_ERROR_NOT_FOUND;
	*address = (CUdeviceptr)(uintptr_t)scale;
	*bytes = sizeof scale;
	return CUDA_SUCCESS;
}

CUresult cuMemAlloc(CUdeviceptr *address, size_t bytes)
{
	if (bytes > MEMORY - used)
		return CUDA_ERROR_OUT_OF_MEMORY;
	used += bytes;
	*address = (CUdeviceptr)(uintptr_t)malloc(bytes);
	return *address != 0 ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuMemFree(CUdeviceptr address)
{
	free((void *)(uintptr_t)address);
	return CUDA_SUCCESS;
}

CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t bytes)
{
	memcpy((void *)(uintptr_t)to, from, bytes);
	return CUDA_SUCCESS;
}

CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t bytes)
{
	if (launches >= BROKEN && BROKEN > 0)
		return CUDA_ERROR_LAUNCH_FAILED;
	memcpy(to, (const void *)(uintptr_t)from, bytes);
	return CUDA_SUCCESS;
}

CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, size_t count)
{
	memset((void *)(uintptr_t)to, value, count);
	return CUDA_SUCCESS;
}

CUresult cuLaunchKernel(CUfunction function, unsigned int gridX, unsigned int gridY, unsigned int gridZ, unsigned int blockX,
	unsigned int blockY, unsigned int blockZ, unsigned int shared, CUstream stream, void **params, void **extra)
{
	const struct kernel *k = (const struct kernel *)function;
	struct work w;

	(void)gridY, (void)gridZ, (void)blockY, (void)blockZ, (void)shared, (void)stream, (void)params;
	if (++launches >= BROKEN && BROKEN > 0)
		return CUDA_ERROR_LAUNCH_FAILED;
	if (extra[0] != CU_LAUNCH_PARAM_BUFFER_POINTER || *(size_t *)extra[3] != k->params)
		return CUDA_ERROR_INVALID_VALUE;
	w.blocks = gridX, w.threads = blockX, w.params = (const unsigned char *)extra[1];
	k->run(&w);
	return CUDA_SUCCESS;
}
