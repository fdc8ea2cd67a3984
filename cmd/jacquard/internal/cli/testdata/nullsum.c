// Adds vectors through null pointers, and does not look whether that works. An argument is the exit
// status; "kill" ends the program by a signal.
#include <cuda.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
	CUcontext context;
	CUmodule module;
	CUfunction add;
	if (cuInit(0) || cuCtxCreate(&context, 0, 0) || cuModuleLoad(&module, argv[1]) || cuModuleGetFunction(&add, module, "vecadd"))
		return 9;
	unsigned n = 9;
	unsigned char params[16] = {0};
	memcpy(params + 12, &n, 4);
	size_t size = sizeof params;
	void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, params, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
	cuLaunchKernel(add, 1, 1, 1, 64, 1, 1, 0, NULL, NULL, extra);
	if (argc > 2 && !strcmp(argv[2], "kill"))
		raise(SIGKILL);
	return argc < 3 ? 0 : atoi(argv[2]);
}
