#include "release.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A program registers images of code, and their symbols, at its start. A module is loaded when one
// of its symbols is first used in a context.

struct module {
	CUcontext context;
	CUmodule handle;
	struct module *next;
};

struct image {
	const void *code;
	struct symbol *symbols;
	struct module *modules;
	int textures; // how many of the symbols
	struct image *next; // that the program registered before
};

// The registered images. A program may unregister an image twice.
static struct image *images;

enum { BUCKETS = 4096 };
static struct symbol *table[BUCKETS];

static struct symbol **bucket(const void *host)
{
	uintptr_t n = (uintptr_t)host;
	return &table[(n >> 3 ^ n >> 15) % BUCKETS];
}

// The start of a wrapper around a flat fat binary. The older structure has no wrapper.
struct wrapper {
	uint32_t magic;
	uint32_t version;
	const void *code;
};
enum { WRAPPER_MAGIC = 0x466243b1 };

void **__cudaRegisterFatBinary(void *fatCubin)
{
	struct image *image = calloc(1, sizeof *image);
	const struct wrapper *wrapper = fatCubin;
	if (image == NULL)
		return NULL;
	image->code = wrapper != NULL && wrapper->magic == WRAPPER_MAGIC ? wrapper->code : fatCubin;
	runtime_see_release(image->code);
	if (runtime_lock() != cudaSuccess) {
		free(image);
		return NULL;
	}
	image->next = images;
	images = image;
	runtime_unlock();
	return (void **)image;
}

// link_of returns the link to a registered image, or NULL. The caller has the lock.
static struct image **link_of(void **handle)
{
	struct image **link = &images;
	while (*link != NULL && *link != (struct image *)handle)
		link = &(*link)->next;
	return *link != NULL ? link : NULL;
}

#if CUDART_VERSION >= 10000
void __cudaRegisterFatBinaryEnd(void **fatCubinHandle)
{
	(void)fatCubinHandle; // modules are loaded when they are needed, complete or not
}
#endif

// drop removes a symbol's records of all contexts.
static void drop(struct loaded *list)
{
	while (list != NULL) {
		struct loaded *next = list->next;
		free(list);
		list = next;
	}
}

// unload unloads an image's modules. Unloading needs no current context, but the driver requires
// one.
static void unload(struct image *image)
{
	while (image->modules != NULL) {
		struct module *m = image->modules;
		CUcontext popped;
		image->modules = m->next;
		if (driver.cuCtxPushCurrent(m->context) == CUDA_SUCCESS) {
			driver.cuModuleUnload(m->handle);
			driver.cuCtxPopCurrent(&popped);
		}
		free(m);
	}
}

void __cudaUnregisterFatBinary(void **fatCubinHandle)
{
	if (runtime_lock() != cudaSuccess)
		return;
	struct image **place = link_of(fatCubinHandle);
	if (place == NULL) {
		runtime_unlock();
		return;
	}
	struct image *image = *place;
	*place = image->next;
	while (image->symbols != NULL) {
		struct symbol *s = image->symbols;
		struct symbol **link = bucket(s->host);
		image->symbols = s->sibling;
		while (*link != s)
			link = &(*link)->next;
		*link = s->next;
		drop(s->loaded);
		free(s);
	}
	unload(image);
	runtime_unlock();
	free(image);
}

static void add(void **handle, enum symbol_kind kind, const void *host, const char *name, int normalized)
{
	struct symbol *s = calloc(1, sizeof *s);
	struct symbol **head = bucket(host);
	if (s == NULL || runtime_lock() != cudaSuccess) {
		free(s);
		return;
	}
	struct image **place = link_of(handle), *image = place == NULL ? NULL : *place;
	if (image == NULL) { // no image, or one that is gone
		runtime_unlock();
		free(s);
		return;
	}
	*s = (struct symbol){kind, host, name, image, normalized, *head, image->symbols, NULL};
	*head = s;
	image->symbols = s;
	image->textures += kind == SYMBOL_TEXTURE;
	runtime_unlock();
}

void __cudaRegisterFunction(void **fatCubinHandle, const char *hostFun, char *deviceFun, const char *deviceName,
	int thread_limit, uint3 *tid, uint3 *bid, dim3 *bDim, dim3 *gDim, int *wSize)
{
	(void)deviceFun, (void)thread_limit, (void)tid, (void)bid, (void)bDim, (void)gDim, (void)wSize;
	add(fatCubinHandle, SYMBOL_FUNCTION, hostFun, deviceName, 0);
}

void __cudaRegisterVar(void **fatCubinHandle, char *hostVar, char *deviceAddress, const char *deviceName, int ext,
	size_t size, int constant, int global)
{
	(void)deviceAddress, (void)ext, (void)size, (void)constant, (void)global;
	add(fatCubinHandle, SYMBOL_VARIABLE, hostVar, deviceName, 0);
}

void __cudaRegisterTexture(void **fatCubinHandle, const struct textureReference *hostVar, const void **deviceAddress,
	const char *deviceName, int dim, int norm, int ext)
{
	(void)deviceAddress, (void)dim, (void)ext;
	add(fatCubinHandle, SYMBOL_TEXTURE, hostVar, deviceName, norm);
}

#if CUDART_VERSION >= 3010
void __cudaRegisterSurface(void **fatCubinHandle, const struct surfaceReference *hostVar, const void **deviceAddress,
	const char *deviceName, int dim, int ext)
{
	(void)deviceAddress, (void)dim, (void)ext;
	add(fatCubinHandle, SYMBOL_SURFACE, hostVar, deviceName, 0);
}
#endif

// Shared memory needs no registration: its size is in the code.
void __cudaRegisterShared(void **fatCubinHandle, void **devicePtr)
{
	(void)fatCubinHandle, (void)devicePtr;
}

void __cudaRegisterSharedVar(void **fatCubinHandle, void **devicePtr, size_t size, size_t alignment, int storage)
{
	(void)fatCubinHandle, (void)devicePtr, (void)size, (void)alignment, (void)storage;
}

// has_name reports whether bytes of the program are a name. The bytes may be no text.
static int has_name(const char *text, const char *name)
{
	size_t size = strlen(name) + 1;
	char copy[256];
	return size <= sizeof copy && runtime_read(copy, text, size) == cudaSuccess && memcmp(copy, name, size) == 0;
}

// named returns the symbol of a name. Programs before release 5.0 may give a name instead of a
// symbol, and their sources are compiled for release 10.0, too. So any pointer may come here. A
// symbol registered under the name precedes a symbol with that name in the source.
static struct symbol *named(enum symbol_kind kind, const char *name)
{
	struct symbol *found = NULL;
	if (name == NULL)
		return NULL;
	for (int i = 0; i < BUCKETS; i++)
		for (struct symbol *s = table[i]; s != NULL; s = s->next) {
			if (s->kind != kind)
				continue;
			if (has_name(name, s->name))
				return s;
			const char *source = kind == SYMBOL_FUNCTION ? s->name : runtime_source_name(s->name);
			if (found == NULL && source != s->name && has_name(name, source))
				found = s;
		}
	return found;
}

// is_text reports whether a pointer, which may be any bytes, points to a text. The system call
// access reads the text whatever its result, and answers EFAULT for a pointer that cannot be read.
static int is_text(const char *text)
{
	return text != NULL && (access(text, F_OK) == 0 || errno != EFAULT);
}

// named_by_pointer returns the variable whose name a pointer at an address points to. The C++
// headers pass the address of the program's argument, which may be a pointer to a name.
static struct symbol *named_by_pointer(const void *address)
{
	const char *name;
	if (address == NULL || runtime_read(&name, address, sizeof name) != cudaSuccess || !is_text(name))
		return NULL;
	return named(SYMBOL_VARIABLE, name);
}

static struct symbol *find(enum symbol_kind kind, const void *host)
{
	for (struct symbol *s = *bucket(host); s != NULL; s = s->next)
		if (s->kind == kind && s->host == host)
			return s;
	struct symbol *s = named(kind, host);
	return s == NULL && kind == SYMBOL_VARIABLE ? named_by_pointer(host) : s;
}

struct symbol *runtime_find(enum symbol_kind kind, const void *host)
{
	if (runtime_lock() != cudaSuccess)
		return NULL;
	struct symbol *s = find(kind, host);
	runtime_unlock();
	return s;
}

// module returns the image's module in the current context.
static CUresult module(CUmodule *handle, struct image *image, CUcontext context)
{
	for (struct module *m = image->modules; m != NULL; m = m->next)
		if (m->context == context) {
			*handle = m->handle;
			return CUDA_SUCCESS;
		}
	struct module *m = calloc(1, sizeof *m);
	if (m == NULL)
		return CUDA_ERROR_OUT_OF_MEMORY;
	CUresult result = driver.cuModuleLoadFatBinary(&m->handle, image->code);
	if (result != CUDA_SUCCESS) {
		free(m);
		return result;
	}
	m->context = context;
	m->next = image->modules;
	image->modules = m;
	*handle = m->handle;
	return CUDA_SUCCESS;
}

// look_up looks a symbol up in its module under a name.
static CUresult look_up(struct loaded *l, enum symbol_kind kind, CUmodule handle, const char *name)
{
	switch (kind) {
	case SYMBOL_FUNCTION:
		return driver.cuModuleGetFunction(&l->function, handle, name);
	case SYMBOL_VARIABLE:
		return driver.cuModuleGetGlobal(&l->address, &l->size, handle, name);
	case SYMBOL_TEXTURE:
		return driver.cuModuleGetTexRef(&l->texture, handle, name);
	case SYMBOL_SURFACE:
		return driver.cuModuleGetSurfRef(&l->surface, handle, name);
	}
	return CUDA_ERROR_INVALID_VALUE;
}

// resolve looks a symbol up under all names that a module may have for it. Kernels are registered by
// the module's names.
static CUresult resolve(struct loaded *l, const struct symbol *s, CUmodule handle)
{
	char room[512];
	const char *name;
	CUresult result = CUDA_ERROR_NOT_FOUND;
	for (int try = 0; result == CUDA_ERROR_NOT_FOUND; try++) {
		name = runtime_module_name(room, sizeof room, s->name, try);
		if (name == NULL || (try > 0 && s->kind == SYMBOL_FUNCTION))
			break;
		if (try == 0 || name != s->name)
			result = look_up(l, s->kind, handle, name);
	}
	return result;
}

// place returns a symbol's record of a context, or a free record, whose context is NULL. Records
// are used again and freed only with the symbol, because another thread may still read one.
static struct loaded *place(struct symbol *s, CUcontext context)
{
	struct loaded *room = NULL;
	for (struct loaded *l = s->loaded; l != NULL; l = l->next) {
		if (l->context == context)
			return l;
		if (l->context == NULL)
			room = l;
	}
	if (room == NULL && (room = malloc(sizeof *room)) != NULL) {
		*room = (struct loaded){.symbol = s, .next = s->loaded};
		s->loaded = room;
	}
	return room;
}

// load does the work of runtime_load, with the lock held and the context current.
static cudaError_t load(struct loaded **loaded, struct symbol *s, CUcontext context, cudaError_t unknown)
{
	struct loaded *l = *loaded = place(s, context);
	if (l == NULL)
		return cudaErrorMemoryAllocation;
	if (l->context == context)
		return cudaSuccess;
	CUmodule handle;
	CUresult result = module(&handle, s->image, context);
	if (result != CUDA_SUCCESS)
		return runtime_result(result);
	*l = (struct loaded){.symbol = s, .next = l->next};
	result = resolve(l, s, handle);
	if (result != CUDA_SUCCESS)
		return result == CUDA_ERROR_NOT_FOUND ? unknown : runtime_result(result);
	l->context = context;
	return cudaSuccess;
}

cudaError_t runtime_load(struct loaded **loaded, enum symbol_kind kind, const void *host, cudaError_t unknown)
{
	cudaError_t error = runtime_lock();
	if (error != cudaSuccess)
		return error;
	struct symbol *s = find(kind, host);
	error = s != NULL ? load(loaded, s, runtime_context(), unknown) : unknown;
	runtime_unlock();
	return error;
}

cudaError_t runtime_textures(const struct loaded *kernel)
{
	const struct image *image = kernel->symbol->image;
	if (image->textures == 0)
		return cudaSuccess;
	cudaError_t error = runtime_lock();
	if (error != cudaSuccess)
		return error;
	for (struct symbol *s = image->symbols; s != NULL && error == cudaSuccess; s = s->sibling)
		for (struct loaded *l = s->loaded; l != NULL && error == cudaSuccess; l = l->next)
			if (s->kind == SYMBOL_TEXTURE && l->context == kernel->context)
				error = runtime_modes(l);
	runtime_unlock();
	return error;
}

void runtime_forget(CUcontext context)
{
	for (int i = 0; i < BUCKETS; i++)
		for (struct symbol *s = table[i]; s != NULL; s = s->next) {
			for (struct module **m = &s->image->modules; *m != NULL;)
				if ((*m)->context == context) {
					struct module *gone = *m;
					*m = gone->next;
					free(gone);
				} else
					m = &(*m)->next;
			for (struct loaded *l = s->loaded; l != NULL; l = l->next)
				if (l->context == context)
					l->context = NULL;
		}
}
