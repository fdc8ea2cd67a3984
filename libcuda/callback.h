// Calls of the program's own functions.
#ifndef JACQUARD_CALLBACK_H
#define JACQUARD_CALLBACK_H

#include "abi_gen.h"

// jacquard_call_stream_callback tells the program that a stream's work is done.
void jacquard_call_stream_callback(CUstreamCallback callback, CUstream stream, CUresult status, uintptr_t data);

// jacquard_call_block_size asks the program for the dynamic shared memory of a block.
size_t jacquard_call_block_size(CUoccupancyB2DSize callback, int threads);

#endif
