#include "runtime.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

// A context that the runtime has made or met. Destroyed contexts stay in the list, because they may
// be current in other threads.
struct context {
	CUcontext handle;
	int gone;
	struct context *next;
};

enum { MAX_DEVICES = 64 };

static struct context *contexts;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// Whether the calling thread has the lock or waits for it. A signal handler may make calls in between.
static _Thread_local volatile sig_atomic_t locked;

// The calling thread's device, and its context.
static _Thread_local struct {
	int device;
	CUcontext left; // was current when device was set, and is not to be used
	unsigned int flags; // of the contexts that the thread makes
	CUcontext own;
	struct context *context;
} thread;

// runtime_lock answers an error to a signal handler that interrupted the lock's holder. The
// thread's own flag detects that case: an error-checking mutex is held for an instant before it
// names its holder.
cudaError_t runtime_lock(void)
{
	if (locked)
		return cudaErrorUnknown;
	locked = 1;
	pthread_mutex_lock(&lock);
	return cudaSuccess;
}

void runtime_unlock(void)
{
	pthread_mutex_unlock(&lock);
	locked = 0;
}

// A forked child cannot use the driver, but its end unregisters its images. The lock may be held by
// a thread that the child does not have.
static void unlock_child(void)
{
	lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}

__attribute__((constructor)) static void prepare_forks(void)
{
	pthread_atfork(NULL, NULL, unlock_child);
}

CUcontext runtime_context(void)
{
	return thread.context->handle;
}

int runtime_device(void)
{
	return thread.device;
}

// met returns the entry of a context, with the lock held.
static struct context *met(CUcontext handle)
{
	struct context *c;
	for (c = contexts; c != NULL; c = c->next)
		if (c->handle == handle)
			return c;
	c = calloc(1, sizeof *c);
	if (c != NULL) {
		c->handle = handle;
		c->next = contexts;
		contexts = c;
	}
	return c;
}

#if CONTEXT_PER_THREAD

static pthread_key_t thread_end;
static pthread_once_t thread_end_once = PTHREAD_ONCE_INIT;

// leave ends the context of a thread that ends.
static void leave(void *own)
{
	driver.cuCtxDestroy(own);
	if (runtime_lock() == cudaSuccess) {
		runtime_forget(own);
		runtime_unlock();
	}
}

static void make_thread_end(void)
{
	pthread_key_create(&thread_end, leave);
}

// enter gives the thread a context of its own.
static CUresult enter(CUcontext *current)
{
	CUdevice device;
	CUresult result = driver.cuDeviceGet(&device, thread.device);
	if (result == CUDA_SUCCESS)
		result = driver.cuCtxCreate(current, thread.flags, device);
	if (result != CUDA_SUCCESS)
		return result;
	pthread_once(&thread_end_once, make_thread_end);
	pthread_setspecific(thread_end, *current);
	thread.own = *current;
	return CUDA_SUCCESS;
}

static CUresult destroy(void)
{
	pthread_setspecific(thread_end, NULL);
	return driver.cuCtxDestroy(thread.own);
}

#else

static CUcontext primaries[MAX_DEVICES]; // retained ones, with the lock held

// primary retains a device's primary context once, with the lock held.
static CUresult primary(CUcontext *context, int number)
{
	CUdevice device;
	CUresult result = driver.cuDeviceGet(&device, number);
	if (result == CUDA_SUCCESS && primaries[number] == NULL)
		result = driver.cuDevicePrimaryCtxRetain(&primaries[number], device);
	if (result == CUDA_SUCCESS)
		*context = primaries[number];
	return result;
}

CUresult runtime_primary(CUcontext *context, int device)
{
	if (device < 0 || device >= MAX_DEVICES)
		return CUDA_ERROR_INVALID_DEVICE;
	if (runtime_lock() != cudaSuccess)
		return CUDA_ERROR_UNKNOWN;
	CUresult result = primary(context, device);
	runtime_unlock();
	return result;
}

// enter makes the device's primary context current.
static CUresult enter(CUcontext *current)
{
	CUresult result = primary(current, thread.device);
	if (result == CUDA_SUCCESS)
		result = driver.cuCtxSetCurrent(*current);
	if (result == CUDA_SUCCESS)
		thread.own = *current;
	return result;
}

static CUresult destroy(void)
{
	CUdevice device;
	CUresult result = driver.cuDeviceGet(&device, thread.device);
	if (result != CUDA_SUCCESS)
		return result;
	thread.own = primaries[thread.device];
	primaries[thread.device] = NULL;
	result = driver.cuDevicePrimaryCtxReset(device);
	return result == CUDA_SUCCESS && thread.own != NULL ? driver.cuDevicePrimaryCtxRelease(device) : result;
}

#endif

// The program may have changed the current context through the driver, so each call asks for it.
cudaError_t runtime_needs_context(void)
{
	CUcontext current = NULL;
	cudaError_t error = runtime_needs_driver();
	if (error != cudaSuccess)
		return error;
	CUresult result = driver.cuCtxGetCurrent(&current);
	if (result != CUDA_SUCCESS)
		return runtime_result(result);
	if (current != NULL && current != thread.left && thread.context != NULL && thread.context->handle == current &&
	    !thread.context->gone)
		return cudaSuccess;
	error = runtime_lock();
	if (error != cudaSuccess)
		return error;
	struct context *c = current != NULL ? met(current) : NULL;
	if (current == NULL || current == thread.left || (c != NULL && c->gone)) {
		result = enter(&current);
		c = result == CUDA_SUCCESS ? met(current) : NULL;
	}
	if (c != NULL) {
		c->gone = 0;
		thread.context = c;
		thread.left = NULL;
	}
	runtime_unlock();
	if (result != CUDA_SUCCESS)
		return runtime_result(result);
	return c != NULL ? cudaSuccess : cudaErrorMemoryAllocation;
}

// end destroys the thread's context, or its device's, and forgets the modules loaded there.
static cudaError_t end(void)
{
	cudaError_t error = runtime_lock();
	if (error != cudaSuccess)
		return error;
	if (CONTEXT_PER_THREAD && thread.own == NULL) {
		runtime_unlock();
		return cudaSuccess;
	}
	CUresult result = destroy();
	if (thread.own != NULL) {
		struct context *c = met(thread.own);
		runtime_forget(thread.own);
		if (c != NULL)
			c->gone = 1;
		thread.own = NULL;
	}
	runtime_unlock();
	return runtime_result(result);
}

cudaError_t runtime_ThreadExit(void)
{
	return end();
}

cudaError_t runtime_ThreadSynchronize(void)
{
	return runtime_result(driver.cuCtxSynchronize());
}

#if CUDART_VERSION >= 4000
cudaError_t runtime_DeviceReset(void)
{
	return end();
}

cudaError_t runtime_DeviceSynchronize(void)
{
	return runtime_result(driver.cuCtxSynchronize());
}
#endif

// runtime_SetDevice chooses the device of the thread's next context. The next call leaves the
// current context if that context is another device's, or the program's own, unless the program
// makes a third context current. Before release 4.0 a thread with a context of its own keeps its
// device.
cudaError_t runtime_SetDevice(int device)
{
	CUcontext current = NULL;
	int count;
	CUresult result = driver.cuDeviceGetCount(&count);
	if (result != CUDA_SUCCESS)
		return runtime_result(result);
	if (device < 0 || device >= count || device >= MAX_DEVICES)
		return cudaErrorInvalidDevice;
	if (CONTEXT_PER_THREAD && thread.own != NULL)
		return device == thread.device ? cudaSuccess : runtime_error(cudaErrorSetOnActiveProcess);
	result = driver.cuCtxGetCurrent(&current);
	if (result != CUDA_SUCCESS)
		return runtime_result(result);
	if (device != thread.device || current != thread.own)
		thread.left = current;
	thread.device = device;
	return cudaSuccess;
}

// runtime_GetDevice answers the device of the current context, if there is one.
cudaError_t runtime_GetDevice(int *device)
{
	CUcontext current = NULL;
	CUdevice found;
	int number = thread.device;
	if (driver.cuCtxGetCurrent(&current) == CUDA_SUCCESS && current != NULL && current != thread.left &&
	    driver.cuCtxGetDevice(&found) == CUDA_SUCCESS)
		number = found;
	return runtime_write(device, &number, sizeof number);
}

// runtime_SetValidDevices moves the thread to the first of a list of devices.
cudaError_t runtime_SetValidDevices(int *devices, int count)
{
	int first = 0, all;
	CUresult result = driver.cuDeviceGetCount(&all);
	if (result != CUDA_SUCCESS)
		return runtime_result(result);
	if (count < 0 || count > all)
		return cudaErrorInvalidValue;
	if (count > 0) {
		cudaError_t error = runtime_read(&first, devices, sizeof first);
		if (error != cudaSuccess)
			return error;
	}
	return runtime_SetDevice(first);
}

cudaError_t runtime_SetDeviceFlags(unsigned int flags)
{
	if (flags & ~(unsigned int)cudaDeviceMask)
		return cudaErrorInvalidValue;
#if CONTEXT_PER_THREAD
	if (thread.own != NULL)
		return runtime_error(cudaErrorSetOnActiveProcess);
	thread.flags = flags;
	return cudaSuccess;
#else
	CUdevice device;
	CUresult result = driver.cuDeviceGet(&device, thread.device);
	if (result == CUDA_SUCCESS)
		result = driver.cuDevicePrimaryCtxSetFlags(device, flags);
	return runtime_result(result);
#endif
}

#if CUDART_VERSION >= 7000
cudaError_t runtime_GetDeviceFlags(unsigned int *flags)
{
	CUdevice device;
	int active;
	CUresult result = driver.cuDeviceGet(&device, thread.device);
	if (result == CUDA_SUCCESS)
		result = driver.cuDevicePrimaryCtxGetState(device, flags, &active);
	return runtime_result(result);
}
#endif
