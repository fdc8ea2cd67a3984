/* What kernels print comes between what the program prints before and after the launch, though the
   program's output is still in its buffer. Argument: the file say.ptx. */
#include <cuda.h>
#include <string.h>

#include "check.h"

int main(int argc, char **argv)
{
	CUdevice device;
	CUcontext context;
	CUmodule module;
	CUfunction kernel;
	CUdeviceptr out;
	unsigned int threads = 2;
	void *params[] = {&out, &threads};

	REQUIRE(argc == 2);
	OK(cuInit(0));
	OK(cuDeviceGet(&device, 0));
	OK(cuCtxCreate(&context, 0, device));
	OK(cuModuleLoad(&module, argv[1]));
	OK(cuModuleGetFunction(&kernel, module, "say"));
	OK(cuMemAlloc(&out, 64));
	printf("before\n");
	OK(cuLaunchKernel(kernel, 1, 1, 1, 2, 1, 1, 0, NULL, params, NULL));
	return passed();
}
