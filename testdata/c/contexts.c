/* Contexts destroyed in any order, and handles of destroyed objects. */
#include <cuda.h>
#include <stdint.h>

#include "check.h"

#define CONTEXTS 4

int main(int argc, char **argv)
{
	static const int order[CONTEXTS] = {2, 0, 3, 1};
	CUcontext contexts[CONTEXTS], current;
	CUmodule module;
	CUfunction function;
	CUstream stream;
	CUevent event;
	CUdeviceptr memory[CONTEXTS];
	int i;

	REQUIRE(argc == 2);
	EXPECT(CUDA_ERROR_NOT_INITIALIZED, cuCtxGetCurrent(&current));
	OK(cuInit(0));
	EXPECT(CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc(&memory[0], 4));
	EXPECT(CUDA_ERROR_INVALID_DEVICE, cuCtxCreate(&current, 0, 1000));
	for (i = 0; i < CONTEXTS; i++) {
		OK(cuCtxCreate(&contexts[i], 0, 0));
		OK(cuMemAlloc(&memory[i], 1000 * (i + 1)));
	}
	for (i = 0; i < CONTEXTS; i++) {
		OK(cuCtxSetCurrent(contexts[order[i]]));
		OK(cuMemsetD8(memory[order[i]], 1, 1000));
		OK(cuCtxDestroy(contexts[order[i]]));
		EXPECT(CUDA_ERROR_INVALID_CONTEXT, cuCtxDestroy(contexts[order[i]]));
		EXPECT(CUDA_ERROR_INVALID_CONTEXT, cuCtxPushCurrent(contexts[order[i]]));
	}

	OK(cuCtxCreate(&current, 0, 0));
	OK(cuModuleLoad(&module, argv[1]));
	OK(cuModuleGetFunction(&function, module, "vecadd"));
	EXPECT(CUDA_ERROR_NOT_FOUND, cuModuleGetFunction(&function, module, "no such kernel"));
	OK(cuStreamCreate(&stream, 0));
	OK(cuEventCreate(&event, 0));
	OK(cuModuleUnload(module));
	EXPECT(CUDA_ERROR_INVALID_HANDLE, cuModuleUnload(module));
	EXPECT(CUDA_ERROR_INVALID_HANDLE, cuFuncSetBlockShape(function, 1, 1, 1));
	OK(cuStreamDestroy(stream));
	EXPECT(CUDA_ERROR_INVALID_HANDLE, cuStreamSynchronize(stream));
	OK(cuEventDestroy(event));
	EXPECT(CUDA_ERROR_INVALID_HANDLE, cuEventQuery(event));
	EXPECT(CUDA_ERROR_INVALID_HANDLE, cuModuleUnload((CUmodule)(uintptr_t)0x12345678));
	EXPECT(CUDA_ERROR_INVALID_HANDLE, cuModuleUnload((CUmodule)(uintptr_t)current));
	/* a handle of another library */
	EXPECT(CUDA_ERROR_INVALID_HANDLE, cuModuleUnload((CUmodule)&i));
	EXPECT(CUDA_ERROR_FILE_NOT_FOUND, cuModuleLoad(&module, "/no/such/file.cubin"));
	OK(cuCtxDestroy(current));
	EXPECT(CUDA_ERROR_INVALID_CONTEXT, cuMemFree(memory[0]));
	return passed();
}
