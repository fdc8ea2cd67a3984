#include "entry.h"

#include <stddef.h>

// The tables of functions that runtime libraries get from cuGetExportTable. exporttable.go of the
// driver gives the source of this knowledge. A function without a known caller logs its number when
// called, because a caller must not jump to NULL.

CUresult cuModuleLoadFatBinary(CUmodule *module, const void *fatCubin);
CUresult cuDevicePrimaryCtxRetain(CUcontext *pctx, CUdevice dev);

enum { RUNTIME_INTERFACE, TOOL_HOOKS, TOOL_STORAGE, CONTEXT_STORAGE, CALL_CHECKS }; // the driver's numbers

#define UNKNOWN(name, table, slot) static CUresult name(void) { return jacquard_no_such_entry(table, slot); }

// Table 1: functions for the runtime's own calls. Its modules and contexts are those of the public
// interface.

// setting is one setting for configure. A list of settings ends with key 0.
struct setting {
	uintptr_t key;
	const void *value;
};
enum {
	CONTEXT_FLAGS = 1, // the value points to an unsigned int
	GRAPHICS = 2,      // the value is a number: 5 has been seen, for OpenGL
};

// configure is called by cudaSetDeviceFlags and cudaGLSetGLDevice, before the context is made
// current. No other key has been seen. No context needs preparation for graphics.
static CUresult configure(CUdevice device, const struct setting *settings)
{
	CUresult result = 0;
	for (; settings->key != 0 && result == 0; settings++) {
		if (settings->key == CONTEXT_FLAGS)
			result = jacquard_set_runtime_flags(device, *(const unsigned int *)settings->value);
		else if (settings->key != GRAPHICS)
			result = jacquard_no_such_entry(RUNTIME_INTERFACE, 3);
	}
	return result;
}

// begin_context is called with (0, 0, pointer) when the runtime has made its context current.
// Unverified: its purpose; answering success is enough for the runtime libraries 4.0 and 4.2.
static CUresult begin_context(void) { return 0; }

// end_context is called with (0, context) when the program no longer needs the runtime's context,
// for now.
static CUresult end_context(uintptr_t zero, CUcontext context)
{
	(void)zero;
	return jacquard_end_runtime_context(context);
}

UNKNOWN(runtime_6, RUNTIME_INTERFACE, 6)
UNKNOWN(runtime_7, RUNTIME_INTERFACE, 7)
UNKNOWN(runtime_8, RUNTIME_INTERFACE, 8)
UNKNOWN(runtime_9, RUNTIME_INTERFACE, 9)

static void *const runtime_interface[10] = {
	(void *)sizeof runtime_interface,
	(void *)cuModuleLoadFatBinary,
	(void *)cuDevicePrimaryCtxRetain,
	(void *)configure,
	(void *)begin_context,
	(void *)end_context,
	(void *)runtime_6,
	(void *)runtime_7,
	(void *)runtime_8,
	(void *)runtime_9,
};

// Table 2: buffers in which tools note the runtime calls that they watch. There are no tools, so
// the buffers stay zero, but the runtime reads the buffers at every call.

enum { HOOKS = 1024 }; // words; enough for the runtime libraries 4.0 and 4.2
static uintptr_t first_hooks[HOOKS], second_hooks[HOOKS];

static CUresult hand_out(uintptr_t *hooks, void **buffer, size_t *size)
{
	*buffer = hooks;
	*size = HOOKS;
	return 0;
}

static CUresult hooks_2(void **buffer, size_t *size) { return hand_out(first_hooks, buffer, size); }
static CUresult hooks_6(void **buffer, size_t *size) { return hand_out(second_hooks, buffer, size); }

UNKNOWN(hooks_1, TOOL_HOOKS, 1)
UNKNOWN(hooks_3, TOOL_HOOKS, 3)
UNKNOWN(hooks_4, TOOL_HOOKS, 4)
UNKNOWN(hooks_5, TOOL_HOOKS, 5)
UNKNOWN(hooks_7, TOOL_HOOKS, 7)

static void *const tool_hooks[8] = {
	(void *)sizeof tool_hooks,
	(void *)hooks_1,
	(void *)hooks_2,
	(void *)hooks_3,
	(void *)hooks_4,
	(void *)hooks_5,
	(void *)hooks_6,
	(void *)hooks_7,
};

// Table 3: no call of its functions has been seen.

UNKNOWN(storage_1, TOOL_STORAGE, 1)
UNKNOWN(storage_2, TOOL_STORAGE, 2)
UNKNOWN(storage_3, TOOL_STORAGE, 3)

static void *const tool_storage[4] = {
	(void *)sizeof tool_storage,
	(void *)storage_1,
	(void *)storage_2,
	(void *)storage_3,
};

// Table 4: values that the runtime keeps with a context. This table has no size.

UNKNOWN(context_3, CONTEXT_STORAGE, 3)

static void *const context_storage[4] = {
	(void *)jacquard_context_storage_put,
	(void *)jacquard_context_storage_delete,
	(void *)jacquard_context_storage_get,
	(void *)context_3,
};

// Table 5: Jacquard's own. Its runtime libraries tell of calls that fail, and of programs that ask
// for the last error.
static void *const call_checks[3] = {
	(void *)sizeof call_checks,
	(void *)jacquard_runtime_failed,
	(void *)jacquard_error_asked,
};

static const void *const tables[] = {
	[RUNTIME_INTERFACE] = runtime_interface,
	[TOOL_HOOKS] = tool_hooks,
	[TOOL_STORAGE] = tool_storage,
	[CONTEXT_STORAGE] = context_storage,
	[CALL_CHECKS] = call_checks,
};

const void *jacquard_export_table(int table) { return tables[table]; }
