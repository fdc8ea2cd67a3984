#include "runtime.h"

#include <stdio.h>
#include <stdlib.h>

// Programs compiled for emulation by host threads, up to release 3.0, call these. Such a program has
// no machine code of a device, so it cannot go on.

#if CUDART_VERSION < 5000

static _Noreturn void refuse(void)
{
	fputs("jacquard: this program was compiled for device emulation; compile it for a device\n", stderr);
	abort();
}

CUDARTAPI void __cudaSynchronizeThreads(void **one, void *two)
{
	(void)one, (void)two;
	refuse();
}

CUDARTAPI void __cudaTextureFetch(const void *texture, void *index, int integer, void *value)
{
	(void)texture, (void)index, (void)integer, (void)value;
	refuse();
}

CUDARTAPI void __cudaMutexOperation(int lock)
{
	(void)lock;
	refuse();
}

#if CUDART_VERSION < 3000
CUDARTAPI uint3 *__cudaGetBlockIdxPtr(void)
{
	refuse();
}

CUDARTAPI void *__cudaGetSharedMem(void *variable)
{
	(void)variable;
	refuse();
}
#endif

#endif
