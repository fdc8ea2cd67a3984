/* Host memory that kernels reach. For both interfaces. */
#include <cuda.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "check.h"

static CUfunction increment;

/* run has a kernel add 1 to a word of device memory. */
static void run(CUdeviceptr at)
{
	OK(cuParamSeti(increment, 0, (unsigned int)at));
	OK(cuParamSetSize(increment, 4));
	OK(cuFuncSetBlockShape(increment, 1, 1, 1));
	OK(cuLaunch(increment));
	OK(cuCtxSynchronize());
}

int main(int argc, char **argv)
{
	CUcontext context;
	CUmodule module;
	CUdeviceptr device;
	unsigned int flags;
	int *host, can;

	REQUIRE(argc == 2);
	OK(cuInit(0));
	OK(cuDeviceGetAttribute(&can, CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY, 0));
	REQUIRE(can);
	OK(cuCtxCreate(&context, CU_CTX_MAP_HOST, 0));
	OK(cuModuleLoad(&module, argv[1]));
	OK(cuModuleGetFunction(&increment, module, "increment"));

	OK(cuMemHostAlloc((void **)&host, 4096, CU_MEMHOSTALLOC_DEVICEMAP));
	OK(cuMemHostGetFlags(&flags, host));
	REQUIRE(flags == CU_MEMHOSTALLOC_DEVICEMAP);
	OK(cuMemHostGetDevicePointer(&device, host, 0));
	host[10] = 41;
	run(device + 40);
	REQUIRE(host[10] == 42);
	EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemFree(device));
	EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemHostGetDevicePointer(NULL, host, 0));
	EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemHostGetDevicePointer(&device, &can, 0));
	OK(cuMemFreeHost(host));
	EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemFreeHost(host));
	EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemHostGetFlags(&flags, host));

#if CUDA_VERSION >= 4000
	{
		int *own = (int *)malloc(100000);
		CUmemorytype type;
		CUcontext owner;
		void *same;

		REQUIRE(own != NULL);
		EXPECT(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister(own));
		OK(cuMemHostRegister(own, 100000, CU_MEMHOSTREGISTER_DEVICEMAP));
		EXPECT(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, cuMemHostRegister(own + 1, 4, 0));
		OK(cuMemHostGetDevicePointer(&device, own + 1000, 0));
		own[1000] = 6;
		run(device);
		REQUIRE(own[1000] == 7);
		OK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, device));
		REQUIRE(type == CU_MEMORYTYPE_HOST);
		OK(cuPointerGetAttribute(&same, CU_POINTER_ATTRIBUTE_HOST_POINTER, device));
		REQUIRE(same == own + 1000);
		OK(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, device));
		REQUIRE(owner == context);
		EXPECT(CUDA_ERROR_INVALID_VALUE, cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, 1));
		OK(cuMemHostUnregister(own));
		EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemsetD8(device, 0, 1));
		EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemHostRegister(NULL, 4, 0));
		/* no memory there */
		EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemHostRegister((void *)4096, 4096, 0));
		free(own);

		/* A program that unmaps registered memory harms only itself. */
		own = (int *)mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		REQUIRE(own != (int *)MAP_FAILED);
		OK(cuMemHostRegister(own, 4096, CU_MEMHOSTREGISTER_DEVICEMAP));
		OK(cuMemHostGetDevicePointer(&device, own, 0));
		run(device);
		REQUIRE(own[0] == 1);
		REQUIRE(munmap(own, 4096) == 0);
		EXPECT(CUDA_ERROR_INVALID_VALUE, cuLaunch(increment));
		OK(cuMemHostUnregister(own));

		/* A call whose result cannot be written does nothing. */
		size_t before, after, total;
		void *sealed = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		REQUIRE(sealed != MAP_FAILED);
		OK(cuMemGetInfo(&before, &total));
		EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemAlloc((CUdeviceptr *)sealed, 1 << 20));
		EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemAllocPitch((CUdeviceptr *)sealed, &total, 1 << 10, 1 << 10, 4));
		EXPECT(CUDA_ERROR_INVALID_VALUE, cuCtxPopCurrent((CUcontext *)sealed));
		OK(cuMemGetInfo(&after, &total));
		REQUIRE(before == after);
	}
#endif
	OK(cuCtxDetach(context));
	return passed();
}
