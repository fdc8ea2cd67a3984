#include "driver.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>

#include "runtime.h"

// cuda.h names some calls by macros; a call's symbol is its macro's expansion.
#define SYMBOL(name) SYMBOL_TEXT(name)
#define SYMBOL_TEXT(name) #name

static const char *const symbols[] = {
#define DRIVER_SYMBOL(name) SYMBOL(name),
	DRIVER_CALLS(DRIVER_SYMBOL)
#undef DRIVER_SYMBOL
};

struct driver driver;
const struct driver_checks *_Atomic driver_checks;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int found; // whether all calls are there

// find loads the driver. Its calls stay loaded: nothing closes the library.
static void find(void)
{
	void **call = (void **)&driver;
	void *library = dlopen("libcuda.so.1", RTLD_NOW);
	if (library == NULL)
		library = dlopen("libcuda.so", RTLD_NOW);
	if (library == NULL)
		return;
	for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
		call[i] = dlsym(library, symbols[i]);
		if (call[i] == NULL)
			return;
	}
	found = 1;
}

// A signal handler that makes calls would wait for the search that it interrupted.
cudaError_t runtime_finds_driver(void)
{
	static _Atomic int searched;
	if (!searched) {
		sigset_t all, before;
		sigfillset(&all);
		pthread_sigmask(SIG_SETMASK, &all, &before);
		pthread_once(&once, find);
		searched = 1;
		pthread_sigmask(SIG_SETMASK, &before, NULL);
	}
	return found ? cudaSuccess : runtime_error(cudaErrorInsufficientDriver);
}

// The name of Jacquard's table of struct driver_checks, which the driver answers if it checks calls.
static const CUuuid checks_name = {{0x4a, 0x51, 0x63, 0x68, 0x65, 0x63, 0x6b, 0x73, 0x9d, 0x11, 0x47, 0x5e, 0x2c, 0x80, 0xb6, 0x35}};

cudaError_t runtime_needs_driver(void)
{
	static _Thread_local int initialized;
	if (initialized)
		return cudaSuccess;
	cudaError_t error = runtime_finds_driver();
	if (error == cudaSuccess)
		error = runtime_result(driver.cuInit(0));
	initialized = error == cudaSuccess;
	const void *checks = NULL;
	if (initialized && driver.cuGetExportTable(&checks, &checks_name) == CUDA_SUCCESS)
		driver_checks = checks;
	return error;
}
