/* No program, but a shared object with kernels of its own, for runtime_process.c. */
#include "runtime_check.h"

unsigned run_plugin(void);

static unsigned more = 22;

unsigned run_plugin(void)
{
	unsigned n;

	OK(launch_bump());
	OK(cudaMemcpyFromSymbol(&n, &counter, 4, 0, cudaMemcpyDeviceToHost));
	return n + more;
}
