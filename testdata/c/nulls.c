/* NULL, and absent memory, where a call needs memory of the program. */
#include <cuda.h>
#include <sys/mman.h>

#include "check.h"

int main(int argc, char **argv)
{
	CUcontext context;
	CUmodule module;
	CUfunction kernel;
	CUdeviceptr p;
	CUjit_option option = CU_JIT_TARGET;
	size_t size = 16, bytes;
	void *no_buffer[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, NULL, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
	void *no_size[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &size, CU_LAUNCH_PARAM_BUFFER_SIZE, NULL, CU_LAUNCH_PARAM_END};
	void *no_end[] = {CU_LAUNCH_PARAM_END};
	char *gone;
	int byte = 0;

	REQUIRE(argc == 2);
	OK(cuInit(0));
	OK(cuCtxCreate(&context, 0, 0));
	OK(cuMemAlloc(&p, 4096));
	OK(cuModuleLoad(&module, argv[1]));
	OK(cuModuleGetFunction(&kernel, module, "vecadd"));

	EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD(p, NULL, 4));
	EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH(NULL, p, 4));
	EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoDAsync(p, NULL, 4, NULL));
	EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoHAsync(NULL, p, 4, NULL));
	OK(cuMemcpyHtoD(p, NULL, 0));
	OK(cuMemcpyDtoH(NULL, p, 0));
	EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemAlloc(NULL, 4));
	EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemGetInfo(NULL, &bytes));
	EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemGetInfo(&bytes, NULL));
	EXPECT(CUDA_ERROR_INVALID_VALUE, cuDeviceGetName(NULL, 10, 0));
	EXPECT(CUDA_ERROR_INVALID_VALUE, cuDeviceGetName((char *)&byte, 0, 0));
	EXPECT(CUDA_ERROR_INVALID_VALUE, cuModuleLoad(&module, NULL));
	EXPECT(CUDA_ERROR_INVALID_VALUE, cuModuleLoadData(&module, NULL));
	EXPECT(CUDA_ERROR_INVALID_VALUE, cuModuleLoadDataEx(&module, "x", 1, NULL, NULL));
	EXPECT(CUDA_ERROR_INVALID_VALUE, cuModuleLoadDataEx(&module, "x", 1, &option, NULL));
	EXPECT(CUDA_ERROR_INVALID_VALUE, cuModuleGetFunction(NULL, module, "vecadd"));
	EXPECT(CUDA_ERROR_INVALID_VALUE, cuModuleGetFunction(&kernel, module, NULL));
	EXPECT(CUDA_ERROR_INVALID_VALUE, cuParamSetv(kernel, 0, NULL, 4));
	EXPECT(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(kernel, 1, 1, 1, 64, 1, 1, 0, NULL, NULL, no_buffer));
	EXPECT(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(kernel, 1, 1, 1, 64, 1, 1, 0, NULL, NULL, no_size));
	EXPECT(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(kernel, 1, 1, 1, 64, 1, 1, 0, NULL, NULL, no_end));
	OK(cuMemGetAddressRange(NULL, NULL, p));

	/* Memory that the program has unmapped. */
	gone = (char *)mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	REQUIRE(gone != (char *)MAP_FAILED);
	REQUIRE(munmap(gone, 4096) == 0);
	EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD(p, gone, 4096));
	EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH(gone, p, 4096));
	EXPECT(CUDA_ERROR_INVALID_VALUE, cuModuleGetFunction(&kernel, module, gone));
	EXPECT(CUDA_ERROR_INVALID_VALUE, cuDeviceGetCount((int *)gone));

	/* The context still works. */
	OK(cuMemsetD32(p, 42, 1));
	OK(cuMemcpyDtoH(&byte, p, 4));
	REQUIRE(byte == 42);
	OK(cuCtxDestroy(context));
	return passed();
}
