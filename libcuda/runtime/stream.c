#include "runtime.h"

#include <stdlib.h>

// give_stream and give_event write a handle to the program. Before release 3.0 handles are ints,
// which hold all handles of this library's driver.
static cudaError_t give_stream(cudaStream_t *program, CUstream made)
{
	cudaStream_t stream = (cudaStream_t)(uintptr_t)made;
	cudaError_t error = stream_of(stream) == made ? runtime_write(program, &stream, sizeof stream) : cudaErrorUnknown;
	if (error != cudaSuccess)
		driver.cuStreamDestroy(made);
	return error;
}

static cudaError_t give_event(cudaEvent_t *program, CUevent made)
{
	cudaEvent_t event = (cudaEvent_t)(uintptr_t)made;
	cudaError_t error = event_of(event) == made ? runtime_write(program, &event, sizeof event) : cudaErrorUnknown;
	if (error != cudaSuccess)
		driver.cuEventDestroy(made);
	return error;
}

cudaError_t runtime_StreamCreate(cudaStream_t *pStream)
{
	CUstream made;
	CUresult result = driver.cuStreamCreate(&made, 0);
	return result != CUDA_SUCCESS ? runtime_result(result) : give_stream(pStream, made);
}

cudaError_t runtime_StreamDestroy(cudaStream_t stream)
{
	return runtime_result(driver.cuStreamDestroy(stream_of(stream)));
}

cudaError_t runtime_StreamSynchronize(cudaStream_t stream)
{
	return runtime_result(driver.cuStreamSynchronize(stream_of(stream)));
}

cudaError_t runtime_StreamQuery(cudaStream_t stream)
{
	return runtime_result(driver.cuStreamQuery(stream_of(stream)));
}

#if CUDART_VERSION >= 3020
cudaError_t runtime_StreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags)
{
	return runtime_result(driver.cuStreamWaitEvent(stream_of(stream), event_of(event), flags));
}
#endif

#if CUDART_VERSION >= 5000
cudaError_t runtime_StreamCreateWithFlags(cudaStream_t *pStream, unsigned int flags)
{
	CUstream made;
	CUresult result = driver.cuStreamCreate(&made, flags);
	return result != CUDA_SUCCESS ? runtime_result(result) : give_stream(pStream, made);
}

// A callback of the program, and its arguments.
struct callback {
	cudaStreamCallback_t function;
	cudaStream_t stream;
	void *data;
};

static void call(CUstream stream, CUresult status, void *data)
{
	struct callback c = *(struct callback *)data;
	(void)stream; // the program gets the handle that it gave
	free(data);
	c.function(c.stream, runtime_result(status), c.data);
}

cudaError_t runtime_StreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *userData,
	unsigned int flags)
{
	struct callback *c = malloc(sizeof *c);
	if (callback == NULL || c == NULL) {
		free(c);
		return callback == NULL ? cudaErrorInvalidValue : cudaErrorMemoryAllocation;
	}
	*c = (struct callback){callback, stream, userData};
	CUresult result = driver.cuStreamAddCallback(stream_of(stream), call, c, flags);
	if (result != CUDA_SUCCESS)
		free(c);
	return runtime_result(result);
}
#endif

#if CUDART_VERSION >= 5050
// Priorities are clamped to the device's range, which is only 0 before compute capability 3.5.
cudaError_t runtime_StreamCreateWithPriority(cudaStream_t *pStream, unsigned int flags, int priority)
{
	(void)priority;
	return runtime_StreamCreateWithFlags(pStream, flags);
}

cudaError_t runtime_StreamGetPriority(cudaStream_t hStream, int *priority)
{
	unsigned int flags;
	int none = 0;
	CUresult result = driver.cuStreamGetFlags(stream_of(hStream), &flags);
	return result != CUDA_SUCCESS ? runtime_result(result) : runtime_write(priority, &none, sizeof none);
}

cudaError_t runtime_StreamGetFlags(cudaStream_t hStream, unsigned int *flags)
{
	return runtime_result(driver.cuStreamGetFlags(stream_of(hStream), flags));
}
#endif

cudaError_t runtime_EventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
	CUevent made;
	CUresult result = driver.cuEventCreate(&made, flags);
	return result != CUDA_SUCCESS ? runtime_result(result) : give_event(event, made);
}

cudaError_t runtime_EventCreate(cudaEvent_t *event)
{
	return runtime_EventCreateWithFlags(event, 0);
}

cudaError_t runtime_EventRecord(cudaEvent_t event, cudaStream_t stream)
{
	return runtime_result(driver.cuEventRecord(event_of(event), stream_of(stream)));
}

cudaError_t runtime_EventQuery(cudaEvent_t event)
{
	return runtime_result(driver.cuEventQuery(event_of(event)));
}

cudaError_t runtime_EventSynchronize(cudaEvent_t event)
{
	return runtime_result(driver.cuEventSynchronize(event_of(event)));
}

cudaError_t runtime_EventDestroy(cudaEvent_t event)
{
	return runtime_result(driver.cuEventDestroy(event_of(event)));
}

cudaError_t runtime_EventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end)
{
	return runtime_result(driver.cuEventElapsedTime(ms, event_of(start), event_of(end)));
}
