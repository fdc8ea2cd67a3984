/* A forked child cannot use the driver: its calls return an error at once. The parent goes on. */
#include <cuda.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

/* child_answer forks a child that calls the driver, and returns the child's code, or -1 if the
   child died. */
static int child_answer(CUdeviceptr p)
{
	int status;
	pid_t child = fork();

	REQUIRE(child >= 0);
	if (child == 0) {
		CUdeviceptr q;
		int count, answer;

		alarm(300); /* it must not hang */
		answer = cuDeviceGetCount(&count);
		if (cuMemAlloc(&q, 100) != (CUresult)answer || cuMemsetD8(p, 1, 4) != (CUresult)answer)
			answer = 99;
		/* A call that is not supported must not hang either, nor the child's end. */
		if (cuArrayDestroy(NULL) != (CUresult)answer)
			answer = 98;
		exit(answer);
	}
	REQUIRE(waitpid(child, &status, 0) == child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(void)
{
	CUdevice device;
	CUcontext context;
	CUdeviceptr p;
	unsigned char byte = 0;
	int i;

	OK(cuInit(0));
	OK(cuDeviceGet(&device, 0));
	OK(cuCtxCreate(&context, 0, device));
	OK(cuMemAlloc(&p, 100));
	for (i = 0; i < 3; i++) {
		OK(cuMemsetD8(p, (unsigned char)(7 + i), 100));
		EXPECT(CUDA_ERROR_NOT_INITIALIZED, child_answer(p));
		OK(cuMemcpyDtoH(&byte, p + 99, 1));
		REQUIRE(byte == 7 + i);
	}
	OK(cuMemFree(p));
	OK(cuCtxDestroy(context));
	return passed();
}
