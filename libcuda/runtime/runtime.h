// Declarations for all parts of the runtime library. A library is compiled for one release:
// CUDART_VERSION chooses its exports, its types and its errors.
#ifndef JACQUARD_RUNTIME_H
#define JACQUARD_RUNTIME_H

#include <stdatomic.h>
#include <stdint.h>

#include "calls_gen.h"
#include "driver.h"

// Before release 4.0 each thread has contexts of its own. Since then a device has one context, its
// primary context, for all threads.
#define CONTEXT_PER_THREAD (CUDART_VERSION < 4000)

// The error of a pitch that is too small. Up to release 4.2 the runtime answered as the driver
// does.
#define INVALID_PITCH (CUDART_VERSION < 5000 ? cudaErrorInvalidValue : cudaErrorInvalidPitchValue)

// errors.c

// runtime_error returns error, or this release's answer if error belongs to a later release.
cudaError_t runtime_error(cudaError_t error);

// runtime_result turns the driver's answer into an error.
cudaError_t runtime_result(CUresult result);

// runtime_end remembers error for cudaGetLastError, and returns it. It stands in the function that the
// program has called.
#define runtime_end(error) runtime_end_of(__func__, error)
cudaError_t runtime_end_of(const char *call, cudaError_t error);

// runtime_unsupported names a function that is not supported, unless told is set, and answers the
// error for such a call.
cudaError_t runtime_unsupported(const char *function, atomic_flag *told);

// driver.c

// runtime_finds_driver loads the driver. runtime_needs_driver also initializes the driver.
cudaError_t runtime_finds_driver(void);
cudaError_t runtime_needs_driver(void);

// context.c

// runtime_needs_context makes a context current if none is: the calling thread works in a context
// of its device, or in the context that the program made current through the driver.
cudaError_t runtime_needs_context(void);

// runtime_context returns the context that the last runtime_needs_context of the thread found.
CUcontext runtime_context(void);

// runtime_device returns the calling thread's device.
int runtime_device(void);

// runtime_primary returns the primary context of a device.
CUresult runtime_primary(CUcontext *context, int device);

// runtime_lock locks data that threads share. It fails in a signal handler that interrupted a
// locked part of the same thread.
cudaError_t runtime_lock(void);
void runtime_unlock(void);

// symbols.c

enum symbol_kind { SYMBOL_FUNCTION, SYMBOL_VARIABLE, SYMBOL_TEXTURE, SYMBOL_SURFACE };

// struct symbol is a kernel, variable, texture or surface that the program has registered.
struct symbol {
	enum symbol_kind kind;
	const void *host;   // stands for the symbol in the program
	const char *name;   // in the module
	struct image *image;
	int normalized;     // textures: integers are read as fractions
	struct symbol *next; // with the same hash
	struct symbol *sibling; // of the same image
	struct loaded *loaded;
};

// struct modes holds the driver's settings of a texture reference.
struct modes {
	int known; // whether the rest holds
	unsigned int flags;
	CUfilter_mode filter;
	CUaddress_mode address[3];
};

// struct loaded is a symbol in a context.
struct loaded {
	const struct symbol *symbol;
	CUcontext context;
	union {
		CUfunction function;
		CUtexref texture;
		CUsurfref surface;
		CUdeviceptr address;
	};
	size_t size;   // of a variable
	int in_memory; // whether a texture is bound to memory, not to an array
	size_t offset; // of that binding, in bytes
	int bound;     // whether a texture was ever bound
	int integers;  // whether its texels are read as integers
	struct modes modes;
	struct loaded *next;
};

// runtime_load finds the symbol that host stands for, or that host names, and loads its module into
// the thread's context. The answer is unknown if there is no such symbol.
cudaError_t runtime_load(struct loaded **loaded, enum symbol_kind kind, const void *host, cudaError_t unknown);

// runtime_textures prepares the textures of a kernel's module for a launch.
cudaError_t runtime_textures(const struct loaded *kernel);

// runtime_find returns the symbol, or NULL.
struct symbol *runtime_find(enum symbol_kind kind, const void *host);

// runtime_forget forgets the modules of a destroyed context. The caller has the lock.
void runtime_forget(CUcontext context);

// names.c

// runtime_source_name returns the name in the source of a symbol that is no kernel.
const char *runtime_source_name(const char *name);

// runtime_module_name returns the names that a module may have for a symbol, one for each try:
// first the registered name, NULL after the last. A name may come again. room is space for
// constructed names.
const char *runtime_module_name(char *room, size_t size, const char *name, int try);

// memory.c

// runtime_read and runtime_write copy from and to memory of the program, and answer
// cudaErrorInvalidValue if the program gave a pointer that cannot be used.
cudaError_t runtime_read(void *to, const void *program, size_t size);
cudaError_t runtime_write(void *program, const void *from, size_t size);

// runtime_memory tells the owner of the memory behind a pointer. These devices and the program have
// no common addresses, so a number may be an address of both: of device memory and of a program's
// memory in the first 4 GiB.
enum memory { MEMORY_HOST, MEMORY_DEVICE, MEMORY_EITHER };
enum memory runtime_memory(const void *pointer);

// runtime_allocated answers cudaErrorInvalidValue unless size bytes from a pointer on lie in one
// allocation of device memory.
cudaError_t runtime_allocated(const void *pointer, size_t size);

// The driver's handles. cudaStreamLegacy is the stream NULL. cudaStreamPerThread also becomes NULL,
// which waits for more than necessary.
static inline CUstream stream_of(cudaStream_t stream)
{
	uintptr_t number = (uintptr_t)stream;
	return number <= 2 ? NULL : (CUstream)number;
}
static inline CUevent event_of(cudaEvent_t event) { return (CUevent)(uintptr_t)event; }
static inline CUarray array_of(cudaArray_const_t array) { return (CUarray)(uintptr_t)array; }
static inline CUdeviceptr device_pointer(const void *pointer) { return (CUdeviceptr)(uintptr_t)pointer; }

// runtime_format turns a channel description into the driver's format and number of channels.
cudaError_t runtime_format(const struct cudaChannelFormatDesc *desc, CUarray_format *format, unsigned int *channels);

// runtime_modes gives the modes of the program's reference to the driver's reference.
cudaError_t runtime_modes(struct loaded *texture);

// runtime_element_size returns the bytes of an array's elements.
size_t runtime_element_size(const CUDA_ARRAY3D_DESCRIPTOR *array);

#endif
