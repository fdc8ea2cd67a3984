/* A libcuda that is no simulator, to cross-check against: device memory is the host's, so that addresses have 64 bits,
   and the only code it takes is PTX, of which it reads the names of kernels it knows. By macros:
     VERSION=N     what cuDriverGetVersion answers
     INIT=N        what cuInit answers
     FAULT         one sum is off by one in the last place */
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

struct module {
	char *text;
};

static int handle;
static float scale[64]; /* the variable of the module below */

CUresult cuInit(unsigned int flags) { return flags == 0 ? (CUresult)INIT : CUDA_ERROR_INVALID_VALUE; }

CUresult cuDriverGetVersion(int *version)
{
	*version = VERSION;
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count)
{
	*count = 1;
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
	return CUDA_SUCCESS;
}

CUresult cuCtxDestroy(CUcontext context) { return context == (CUcontext)&handle ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT; }
CUresult cuCtxSetCurrent(CUcontext context) { return context == (CUcontext)&handle ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT; }
CUresult cuCtxSynchronize(void) { return CUDA_SUCCESS; }

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int count, CUjit_option *options, void **values)
{
	struct module *m;

	(void)options;
	if (strstr((const char *)image, ".entry") == NULL) {
		if (count > 0)
			strcpy((char *)values[0], "device kernel image is invalid");
		return CUDA_ERROR_NO_BINARY_FOR_GPU;
	}
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
	if (strstr(((struct module *)module)->text, name) == NULL || strcmp(name, "vecadd") != 0)
		return CUDA_ERROR_NOT_FOUND;
	*function = (CUfunction)module;
	return CUDA_SUCCESS;
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
	memcpy(to, (const void *)(uintptr_t)from, bytes);
	return CUDA_SUCCESS;
}

CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, size_t count)
{
	memset((void *)(uintptr_t)to, value, count);
	return CUDA_SUCCESS;
}

/* vecadd with the parameters that PTX for 64-bit programs declares. */
CUresult cuLaunchKernel(CUfunction function, unsigned int gridX, unsigned int gridY, unsigned int gridZ, unsigned int blockX,
	unsigned int blockY, unsigned int blockZ, unsigned int shared, CUstream stream, void **params, void **extra)
{
	struct {
		const float *a, *b;
		float *sum;
		uint32_t n;
	} p;
	uint32_t i;

	(void)function, (void)gridY, (void)gridZ, (void)blockY, (void)blockZ, (void)shared, (void)stream, (void)params;
	if (extra[0] != CU_LAUNCH_PARAM_BUFFER_POINTER || *(size_t *)extra[3] != 3 * 8 + 4)
		return CUDA_ERROR_INVALID_VALUE;
	memcpy(&p, extra[1], 3 * 8 + 4);
	for (i = 0; i < p.n && i < gridX * blockX; i++)
		p.sum[i] = p.a[i] + p.b[i];
#ifdef FAULT
	memcpy(&i, &p.sum[103], sizeof i);
	i++;
	memcpy(&p.sum[103], &i, sizeof i);
#endif
	return CUDA_SUCCESS;
}
