//go:build cgo

#include "callback.h"

void jacquard_call_stream_callback(CUstreamCallback callback, CUstream stream, CUresult status, uintptr_t data)
{
	((void (*)(CUstream, CUresult, void *))callback)(stream, status, (void *)data);
}

size_t jacquard_call_block_size(CUoccupancyB2DSize callback, int threads)
{
	return ((size_t (*)(int))callback)(threads);
}
