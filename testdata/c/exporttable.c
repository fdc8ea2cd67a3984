/* The calls of the runtime libraries 4.0 and 4.2 on the tables of cuGetExportTable, at their start
   and at a program's end. */
#include <cuda.h>
#include <stdint.h>
#include <string.h>

#include "check.h"

typedef void (*function)(void);
typedef CUresult (*retain_fn)(CUcontext *, CUdevice);
typedef CUresult (*load_fn)(CUmodule *, const void *);
struct setting {
	size_t key;
	const void *value;
};
typedef CUresult (*configure_fn)(CUdevice, const struct setting *);
typedef CUresult (*begin_fn)(int, int, void *);
typedef CUresult (*end_fn)(int, CUcontext);
typedef CUresult (*hooks_fn)(uintptr_t **, size_t *);
typedef CUresult (*put_fn)(CUcontext, void *key, void *value, void (*destructor)(CUcontext, void *, void *));
typedef CUresult (*delete_fn)(CUcontext, void *key);
typedef CUresult (*get_fn)(void **, CUcontext, void *key);
typedef CUresult (*unknown_fn)(void);

static const char runtime_interface[] = "\x6b\xd5\xfb\x6c\x5b\xf4\xe7\x4a\x89\x87\xd9\x39\x12\xfd\x9d\xf9";
static const char tool_hooks[] = "\xa0\x94\x79\x8c\x2e\x74\x2e\x74\x93\xf2\x08\x00\x20\x0c\x0a\x66";
static const char tool_storage[] = "\x42\xd8\x5a\x81\x23\xf6\xcb\x47\x82\x98\xf6\xe7\x8a\x3a\xec\xdc";
static const char context_storage[] = "\xc6\x93\x33\x6e\x11\x21\xdf\x11\xa8\xc3\x68\xf3\x55\xd8\x95\x93";

static const void *const *table(const char *bytes)
{
	const void *found = NULL;
	CUuuid id;

	memcpy(&id, bytes, sizeof id);
	OK(cuGetExportTable(&found, &id));
	REQUIRE(found != NULL);
	return found;
}

/* Slot n of a table whose first word is its size. */
static const void *const *sized(const void *const *t, unsigned n)
{
	REQUIRE((size_t)t[0] % sizeof *t == 0 && (size_t)t[0] / sizeof *t > n);
	REQUIRE(t[n] != NULL);
	return t + n;
}

/* ISO C has no cast between object and function pointers. */
#define CALL(type, slot) (*(const type *)(const void *)(slot))

static CUcontext destroyed;
static void *last_key, *last_value;

static void destructor(CUcontext context, void *key, void *value)
{
	destroyed = context;
	last_key = key;
	last_value = value;
}

int main(void)
{
	const void *const *runtime, *const *storage;
	const void *found = &found;
	CUcontext context = NULL, same = NULL, current = NULL;
	CUmodule module;
	uintptr_t *hooks = NULL;
	size_t size = 0, i, free_bytes, free_after, total;
	CUdeviceptr memory;
	struct setting settings[2] = {{0, NULL}, {0, NULL}};
	unsigned int flags = CU_CTX_SCHED_YIELD | CU_CTX_MAP_HOST, state = 0;
	int active = 0;
	CUuuid id;
	int version = 0, slot, key;
	void *value = NULL;

	memset(&id, 0xff, sizeof id);
	EXPECT(CUDA_ERROR_NOT_FOUND, cuGetExportTable(&found, &id));
	REQUIRE(found == NULL);
	EXPECT(CUDA_ERROR_INVALID_VALUE, cuGetExportTable(&found, NULL));
	EXPECT(CUDA_ERROR_INVALID_VALUE, cuGetExportTable(NULL, &id));
	runtime = table(runtime_interface);

	OK(cuInit(0));
	/* The runtime library 2.1. */
	OK(cuDeviceGetAttribute(&version, (CUdevice_attribute)0x20080403, 0));
	REQUIRE(version >= 2010);

	/* The runtime retains the primary context, and makes it current itself. */
	OK(CALL(retain_fn, sized(runtime, 2))(&context, 0));
	OK(cuCtxGetCurrent(&current));
	REQUIRE(context != NULL && current == NULL);
	OK(CALL(retain_fn, sized(runtime, 2))(&same, 0));
	REQUIRE(same == context);
	settings[0].key = 1;
	settings[0].value = &flags;
	OK(CALL(configure_fn, sized(runtime, 3))(0, settings));
	EXPECT(CUDA_ERROR_INVALID_DEVICE, CALL(configure_fn, sized(runtime, 3))(1, settings));
	OK(cuDevicePrimaryCtxGetState(0, &state, &active));
	REQUIRE(state == flags && active);
	flags = 3;
	EXPECT(CUDA_ERROR_INVALID_VALUE, CALL(configure_fn, sized(runtime, 3))(0, settings));
	settings[0].key = 2; /* cudaGLSetGLDevice: the value is no pointer */
	settings[0].value = (const void *)5;
	OK(CALL(configure_fn, sized(runtime, 3))(0, settings));
	OK(cuCtxSetCurrent(context));
	OK(CALL(begin_fn, sized(runtime, 4))(0, 0, &key));
	EXPECT(CUDA_ERROR_INVALID_VALUE, CALL(load_fn, sized(runtime, 1))(&module, NULL));

	/* Both buffers of the tool hooks: zero, and writable. */
	for (slot = 2; slot <= 6; slot += 4) {
		OK(CALL(hooks_fn, sized(table(tool_hooks), slot))(&hooks, &size));
		REQUIRE(hooks != NULL && size > 0);
		for (i = 0; i < size; i++)
			REQUIRE(hooks[i] == 0);
		hooks[0] = 0;
	}

	/* Functions without a known caller answer. */
	sized(table(tool_storage), 1);
	EXPECT(CUDA_ERROR_NOT_SUPPORTED, CALL(unknown_fn, sized(runtime, 6))());

	/* Values stored in a context. */
	storage = table(context_storage);
	EXPECT(CUDA_ERROR_INVALID_HANDLE, CALL(get_fn, storage + 2)(&value, context, &key));
	OK(CALL(put_fn, storage)(0, &key, &version, destructor));
	OK(CALL(get_fn, storage + 2)(&value, context, &key));
	REQUIRE(value == &version);
	OK(CALL(delete_fn, storage + 1)(context, &key));
	EXPECT(CUDA_ERROR_INVALID_HANDLE, CALL(get_fn, storage + 2)(&value, 0, &key));
	OK(CALL(put_fn, storage)(context, &key, &value, destructor));

	/* When the program no longer needs the context, it becomes empty, and the destructors of its
	   values are called. It can be used again. */
	OK(cuMemAlloc(&memory, 1 << 20));
	OK(cuMemGetInfo(&free_bytes, &total));
	REQUIRE(destroyed == NULL);
	OK(CALL(end_fn, sized(runtime, 5))(0, context));
	REQUIRE(destroyed == context && last_key == &key && last_value == &value);
	destroyed = NULL;
	OK(cuCtxSetCurrent(NULL));
	OK(cuCtxSetCurrent(context));
	OK(cuMemGetInfo(&free_after, &total));
	REQUIRE(free_after >= free_bytes + (1 << 20));
	EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemFree(memory));
	EXPECT(CUDA_ERROR_INVALID_HANDLE, CALL(get_fn, storage + 2)(&value, 0, &key));
	OK(CALL(put_fn, storage)(0, &key, NULL, destructor));
	OK(cuDevicePrimaryCtxReset(0));
	REQUIRE(destroyed == context && last_value == NULL);
	EXPECT(CUDA_ERROR_INVALID_CONTEXT, CALL(end_fn, sized(runtime, 5))(0, context));
	return passed();
}
