package main

// #include "server.h"
import "C"

import (
	"unsafe"

	"jacquard/libcuda/driver"
)

//export goGetExportTable
func goGetExportTable(thread C.uint64_t, table *unsafe.Pointer, id *C.CUuuid) C.CUresult {
	if table == nil || id == nil {
		return invalidValue
	}
	return do(thread, func(t *driver.Thread) error {
		*table = nil
		found, err := t.GetExportTable(*(*driver.UUID)(unsafe.Pointer(id)))
		if err == nil {
			*table = unsafe.Pointer(C.jacquard_export_table(C.int(found)))
		}
		return err
	})
}

// The functions of the tables themselves (exporttable.c).

//export goNoSuchEntry
func goNoSuchEntry(thread C.uint64_t, table, slot C.int) C.CUresult {
	return do(thread, func(t *driver.Thread) error { return t.NoSuchEntry(driver.ExportTable(table), int(slot)) })
}

//export goSetRuntimeFlags
func goSetRuntimeFlags(thread C.uint64_t, dev C.CUdevice, flags C.uint) C.CUresult {
	return do(thread, func(t *driver.Thread) error {
		return t.SetRuntimeFlags(driver.Device(dev), driver.ContextFlags(flags))
	})
}

//export goEndRuntimeContext
func goEndRuntimeContext(thread C.uint64_t, context C.CUcontext) C.CUresult {
	return do(thread, func(t *driver.Thread) error { return t.EndRuntimeContext(driver.Context(context)) })
}

//export goContextStoragePut
func goContextStoragePut(thread C.uint64_t, context C.CUcontext, key, value, destructor C.uintptr_t) C.CUresult {
	var destroy driver.Destructor
	if destructor != 0 {
		destroy = func(ctx driver.Context, key, value uintptr) {
			C.jacquard_call_destructor(destructor, C.CUcontext(ctx), C.uintptr_t(key), C.uintptr_t(value))
		}
	}
	return do(thread, func(t *driver.Thread) error {
		return t.ContextStoragePut(driver.Context(context), uintptr(key), uintptr(value), destroy)
	})
}

//export goContextStorageDelete
func goContextStorageDelete(thread C.uint64_t, context C.CUcontext, key C.uintptr_t) C.CUresult {
	return do(thread, func(t *driver.Thread) error {
		return t.ContextStorageDelete(driver.Context(context), uintptr(key))
	})
}

//export goContextStorageGet
func goContextStorageGet(thread C.uint64_t, value *C.uintptr_t, context C.CUcontext, key C.uintptr_t) C.CUresult {
	return get(thread, value, func(t *driver.Thread) (uintptr, error) {
		return t.ContextStorageGet(driver.Context(context), uintptr(key))
	})
}
