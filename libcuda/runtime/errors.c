#include "errors.h"

#include <string.h>
#include <unistd.h>

#include "runtime.h"

static _Thread_local cudaError_t last_error;

static const struct runtime_error *find(int value)
{
	for (int i = 0; i < runtime_error_count; i++)
		if (runtime_errors[i].value == value)
			return &runtime_errors[i];
	return NULL;
}

cudaError_t runtime_error(cudaError_t error)
{
	const struct runtime_error *e = find(error);
	return e != NULL && CUDART_VERSION < e->since ? (cudaError_t)e->before : error;
}

cudaError_t runtime_result(CUresult result)
{
	if (result == CUDA_SUCCESS)
		return cudaSuccess;
	for (int i = 0; i < runtime_error_count; i++)
		if (runtime_errors[i].driver == (int)result)
			return runtime_error((cudaError_t)runtime_errors[i].value);
	return cudaErrorUnknown;
}

// Whether calls of this thread have failed since the program last asked for the last error.
static _Thread_local int failed;

// runtime_end_of remembers an error. A query that finds work under way has not failed.
cudaError_t runtime_end_of(const char *call, cudaError_t error)
{
	if (error == cudaSuccess || error == cudaErrorNotReady)
		return error;
	last_error = error;
	if (driver_checks != NULL) {
		failed = 1;
		const struct runtime_error *e = find(error);
		driver_checks->failed(call, e != NULL ? e->name : "");
	}
	return error;
}

// asked tells that the program asks for the last error.
static void asked(void)
{
	if (failed)
		driver_checks->asked();
	failed = 0;
}

// runtime_unsupported writes without stdio, whose locks a forked child may have inherited held.
cudaError_t runtime_unsupported(const char *function, atomic_flag *told)
{
	char line[160] = "jacquard: ";
	if (!atomic_flag_test_and_set(told)) {
		strncat(line, function, 80);
		strcat(line, " is not supported\n");
		if (write(STDERR_FILENO, line, strlen(line)) < 0)
			return runtime_end_of(function, cudaErrorUnknown); // the program has no standard error
	}
	return runtime_end_of(function, runtime_error(cudaErrorNotSupported));
}

cudaError_t cudaGetLastError(void)
{
	cudaError_t error = last_error;
	asked();
	last_error = cudaSuccess;
	return error;
}

#if CUDART_VERSION >= 3020
cudaError_t cudaPeekAtLastError(void)
{
	asked();
	return last_error;
}
#endif

const char *cudaGetErrorString(cudaError_t error)
{
	const struct runtime_error *e = find(error);
	return e != NULL ? e->text : "unrecognized error code";
}

#if CUDART_VERSION >= 6000
const char *cudaGetErrorName(cudaError_t error)
{
	const struct runtime_error *e = find(error);
	return e != NULL ? e->name : "unrecognized error code";
}
#endif
