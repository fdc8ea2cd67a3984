/*
 * jacquard/launch.h: calls that take a kernel, for C++: kernels have a type, and C's calls take
 * void.
 *
 * Programs from before CUDA 5 may give the name of a kernel instead. The pointer goes to the
 * runtime unchanged, and the runtime looks up the name if it knows no kernel at that address.
 */
#ifndef __JACQUARD_LAUNCH_H__
#define __JACQUARD_LAUNCH_H__

template <class T>
static inline cudaError_t cudaLaunchKernel(T *func, dim3 gridDim, dim3 blockDim, void **args,
                                           size_t sharedMem = 0, cudaStream_t stream = 0) {
	return ::cudaLaunchKernel((const void *)func, gridDim, blockDim, args, sharedMem, stream);
}

template <class T>
static inline cudaError_t cudaSetupArgument(T arg, size_t offset) {
	return ::cudaSetupArgument((const void *)&arg, sizeof(T), offset);
}

template <class T>
static inline cudaError_t cudaLaunch(T *func) {
	return ::cudaLaunch((const void *)func);
}

template <class T>
static inline cudaError_t cudaFuncSetCacheConfig(T *func, enum cudaFuncCache cacheConfig) {
	return ::cudaFuncSetCacheConfig((const void *)func, cacheConfig);
}

template <class T>
static inline cudaError_t cudaFuncSetSharedMemConfig(T *func, enum cudaSharedMemConfig config) {
	return ::cudaFuncSetSharedMemConfig((const void *)func, config);
}

template <class T>
static inline cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attr, T *func) {
	return ::cudaFuncGetAttributes(attr, (const void *)func);
}

template <class T>
static inline cudaError_t cudaFuncSetAttribute(T *func, enum cudaFuncAttribute attr, int value) {
	return ::cudaFuncSetAttribute((const void *)func, attr, value);
}

static inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags) {
	return ::cudaEventCreateWithFlags(event, flags);
}

#endif
