/* A child that a program forks cannot use the driver: it gets an error at once. The parent goes on. */
#include <cuda.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

/* child_answer forks a child that calls the driver, and returns the code it got there, or -1 if the child died. */
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
		/* Nor must it hang in a call that does not work at all, or at its end. */
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
