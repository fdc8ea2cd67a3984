/* Streams, events and what waits for them; callbacks and host functions. */
#include <unistd.h>

#include "runtime_check.h"

static unsigned *out, *pinned;

static void streams(void)
{
	cudaStream_t s, t;
	int i;

	OK(cudaStreamCreate(&s));
	OK(cudaStreamCreate(&t));
	REQUIRE(s != t);
	OK(cudaMemcpyAsync(out, pinned, 1024, cudaMemcpyHostToDevice, s));
	OK(launch_fill(out, 50, 4, 64, s));
	OK(cudaMemcpyAsync(pinned, out, 1024, cudaMemcpyDeviceToHost, s));
	OK(cudaStreamSynchronize(s));
	EXPECT(cudaSuccess, cudaStreamQuery(s));
	for (i = 0; i < 256; i++)
		REQUIRE(pinned[i] == 50u + (unsigned)i);
	OK(cudaMemcpy2DAsync(out, 64, pinned + 16, 128, 64, 2, cudaMemcpyHostToDevice, t));
	OK(cudaMemcpyAsync(out + 100, out, 128, cudaMemcpyDeviceToDevice, t));
	OK(cudaMemcpyAsync(pinned, out + 100, 128, cudaMemcpyDeviceToHost, t));
	OK(cudaStreamSynchronize(t));
	REQUIRE(pinned[0] == 66 && pinned[16] == 98);
#if CUDART_VERSION >= 4000
	OK(cudaMemsetAsync(out, 1, 64, s));
	OK(cudaMemset2DAsync(out + 16, 32, 2, 16, 2, s));
	OK(cudaMemcpyAsync(pinned, out, 128, cudaMemcpyDeviceToHost, s));
	OK(cudaStreamSynchronize(s));
	REQUIRE(pinned[15] == 0x01010101 && pinned[16] == 0x02020202 && pinned[24] == 0x02020202);
#endif
	FAILS(cudaErrorInvalidMemcpyDirection, cudaMemcpyAsync(out, pinned, 4, (enum cudaMemcpyKind)6, s));
	OK(cudaStreamDestroy(s));
	OK(cudaStreamDestroy(t));
	FAILS(cudaErrorInvalidResourceHandle, cudaStreamSynchronize(s));
	FAILS(cudaErrorInvalidResourceHandle, cudaStreamQuery(s));
	OK(cudaStreamQuery(0));
	OK(cudaStreamSynchronize(0));
}

static void events(void)
{
	cudaEvent_t start, stop, untimed;
	cudaStream_t s;
	float ms = -1;

	OK(cudaStreamCreate(&s));
	OK(cudaEventCreate(&start));
#if CUDART_VERSION >= 2020
	OK(cudaEventCreateWithFlags(&stop, cudaEventBlockingSync));
#else
	OK(cudaEventCreate(&stop));
#endif
	OK(cudaEventRecord(start, s));
	OK(launch_fill(out, 1, 16, 64, s));
	OK(cudaEventRecord(stop, s));
	OK(cudaEventSynchronize(stop));
	EXPECT(cudaSuccess, cudaEventQuery(stop));
	OK(cudaEventElapsedTime(&ms, start, stop));
	REQUIRE(ms >= 0 && ms < 60000);
#if CUDART_VERSION >= 3020
	OK(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
	OK(cudaStreamWaitEvent(0, stop, 0));
	OK(cudaEventRecord(untimed, 0));
	OK(cudaEventSynchronize(untimed));
	FAILS(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, start, untimed));
#else
	OK(cudaEventCreate(&untimed));
	FAILS(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, start, untimed)); /* never recorded */
#endif
#if CUDART_VERSION >= 2020
	FAILS(cudaErrorInvalidValue, cudaEventCreateWithFlags(&untimed, 0x40));
#endif
	OK(cudaEventDestroy(start));
	OK(cudaEventDestroy(stop));
	FAILS(cudaErrorInvalidResourceHandle, cudaEventRecord(start, 0));
	OK(cudaStreamDestroy(s));
}

#if CUDART_VERSION >= 10000
static int order[8], calls;
static cudaError_t inner;

static void callback(cudaStream_t stream, cudaError_t status, void *data)
{
	(void)stream;
	order[calls++] = status == cudaSuccess ? *(int *)data : -1;
	inner = cudaMemset(out, 0, 4); /* not allowed here */
}

static void host_function(void *data) { order[calls++] = *(int *)data; }

static void callbacks(void)
{
	static int numbers[] = {1, 2, 3};
	cudaStream_t s;
	unsigned flags = 77;
	int priority = 77, least, greatest;

	OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
	OK(cudaStreamGetFlags(s, &flags));
	REQUIRE(flags == cudaStreamNonBlocking);
	OK(cudaStreamAddCallback(s, callback, &numbers[0], 0));
	OK(launch_fill(out, 1, 1, 32, s));
	OK(cudaLaunchHostFunc(s, host_function, &numbers[1]));
	OK(cudaStreamAddCallback(s, callback, &numbers[2], 0));
	OK(cudaStreamSynchronize(s));
	REQUIRE(calls == 3 && order[0] == 1 && order[1] == 2 && order[2] == 3);
	REQUIRE(inner == cudaErrorNotPermitted);
	FAILS(cudaErrorInvalidValue, cudaStreamAddCallback(s, NULL, NULL, 0));
	FAILS(cudaErrorInvalidValue, cudaLaunchHostFunc(s, NULL, NULL));
	OK(cudaStreamDestroy(s));
	OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
	OK(cudaStreamCreateWithPriority(&s, cudaStreamDefault, greatest));
	OK(cudaStreamGetPriority(s, &priority));
	REQUIRE(priority == greatest);
	OK(cudaStreamDestroy(s));
	OK(cudaStreamSynchronize(cudaStreamLegacy));
	OK(launch_fill(out, 9, 1, 32, cudaStreamPerThread));
	OK(cudaStreamSynchronize(cudaStreamPerThread));
}
#endif

int main(void)
{
	OK(cudaMalloc((void **)&out, 65536));
	OK(cudaMallocHost((void **)&pinned, 65536));
	streams();
	events();
#if CUDART_VERSION >= 10000
	callbacks();
#endif
	return passed();
}
