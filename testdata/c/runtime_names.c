/* Imports that say nothing about the program's release: HELPER is a library of the program's own, whose
   function has a name like those of the runtime, and a later release's function is imported weakly.
   TORN imports functions of which no release has both. */
#include "runtime_check.h"

void cudaMyHelper(void);

#ifdef HELPER

void cudaMyHelper(void)
{
}

#else

cudaError_t cudaDeviceReset(void) __attribute__((weak));
void __cudaSynchronizeThreads(void);
void cudaLaunchKernel(void);

int main(int count, char **names)
{
	int devices;

	(void)names;
	cudaMyHelper();
	if (cudaDeviceReset == NULL)
		return 1;
#ifdef TORN
	if (count > 9) {
		__cudaSynchronizeThreads();
		cudaLaunchKernel();
	}
#endif
	(void)count;
	OK(cudaGetDeviceCount(&devices));
	return passed();
}

#endif
