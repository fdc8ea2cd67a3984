/* jacquard/occupancy.h: the block size that fills a multiprocessor best. */
#ifndef __JACQUARD_OCCUPANCY_H__
#define __JACQUARD_OCCUPANCY_H__

template <class T>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, T func,
                                                                        int blockSize,
                                                                        size_t dynamicSMemSize) {
	return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(numBlocks, (const void *)func, blockSize,
	                                                       dynamicSMemSize);
}

template <class T>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *numBlocks, T func, int blockSize, size_t dynamicSMemSize, unsigned int flags) {
	return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
	    numBlocks, (const void *)func, blockSize, dynamicSMemSize, flags);
}

/*
 * Tries all block sizes of whole warps, largest first, and takes the first size with the most
 * threads on a multiprocessor. memory returns the shared memory of a block of that size. A limit of
 * 0 means no limit.
 */
template <class __Memory, class T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *minGridSize,
                                                                         int *blockSize, T func,
                                                                         __Memory __memory,
                                                                         int blockSizeLimit = 0) {
	struct cudaFuncAttributes __kernel;
	struct cudaDeviceProp __device;
	int __number, __best = 0;
	cudaError_t __e = ::cudaFuncGetAttributes(&__kernel, (const void *)func);
	if (__e == cudaSuccess) {
		__e = ::cudaGetDevice(&__number);
	}
	if (__e == cudaSuccess) {
		__e = ::cudaGetDeviceProperties(&__device, __number);
	}
	if (__e != cudaSuccess) {
		return __e;
	}
	int size = __kernel.maxThreadsPerBlock;
	if (blockSizeLimit > 0 && blockSizeLimit < size) {
		size = blockSizeLimit;
	}
	/* A limit between two multiples of the warp size is tried first, then only multiples. */
	for (; size > 0; size = (size - 1) / __device.warpSize * __device.warpSize) {
		int __blocks;
		__e = ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(&__blocks, (const void *)func, size,
		                                                    __memory(size));
		if (__e != cudaSuccess) {
			return __e;
		}
		if (__blocks * size > __best) {
			__best = __blocks * size;
			*blockSize = size;
			*minGridSize = __blocks * __device.multiProcessorCount;
		}
	}
	return __best > 0 ? cudaSuccess : cudaErrorInvalidConfiguration;
}

/* The memory of a block that is the same for all sizes. */
struct __cudaSameMemory {
	size_t size;
	size_t operator()(int) const { return size; }
};

template <class T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize,
                                                             T func, size_t dynamicSMemSize = 0,
                                                             int blockSizeLimit = 0) {
	__cudaSameMemory __memory = {dynamicSMemSize};
	return cudaOccupancyMaxPotentialBlockSizeVariableSMem(minGridSize, blockSize, func, __memory,
	                                                      blockSizeLimit);
}

#endif
