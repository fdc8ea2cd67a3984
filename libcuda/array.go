package main

// #include "abi_gen.h"
import "C"

import "jacquard/libcuda/driver"

//export goArrayCreate
func goArrayCreate(thread C.uint64_t, array *C.CUarray, desc *C.CUDA_ARRAY_DESCRIPTOR_v1) C.CUresult {
	if desc == nil {
		return invalidValue
	}
	return arrayCreate(thread, array, planeOfV1(desc))
}

//export goArrayCreateV2
func goArrayCreateV2(thread C.uint64_t, array *C.CUarray, desc *C.CUDA_ARRAY_DESCRIPTOR) C.CUresult {
	if desc == nil {
		return invalidValue
	}
	return arrayCreate(thread, array, planeOf(desc))
}

func arrayCreate(thread C.uint64_t, array *C.CUarray, desc driver.ArrayDescriptor) C.CUresult {
	return get(thread, array, func(t *driver.Thread) (driver.Array, error) { return t.ArrayCreate(desc) })
}

// planeOf converts a descriptor of at most two dimensions.
func planeOf(d *C.CUDA_ARRAY_DESCRIPTOR) driver.ArrayDescriptor {
	return driver.ArrayDescriptor{
		Width: uint64(d.Width), Height: uint64(d.Height),
		Format: driver.ArrayFormat(d.Format), Channels: uint32(d.NumChannels),
	}
}

func planeOfV1(d *C.CUDA_ARRAY_DESCRIPTOR_v1) driver.ArrayDescriptor {
	return planeOf(&C.CUDA_ARRAY_DESCRIPTOR{
		Width: C.size_t(d.Width), Height: C.size_t(d.Height), Format: d.Format, NumChannels: d.NumChannels,
	})
}

//export goArrayGetDescriptor
func goArrayGetDescriptor(thread C.uint64_t, desc *C.CUDA_ARRAY_DESCRIPTOR_v1, array C.CUarray) C.CUresult {
	return arrayDescriptor(thread, desc, array, (*driver.Thread).ArrayGetDescriptor, func(d *driver.ArrayDescriptor) C.CUDA_ARRAY_DESCRIPTOR_v1 {
		return C.CUDA_ARRAY_DESCRIPTOR_v1{
			Width: C.uint(d.Width), Height: C.uint(d.Height),
			Format: C.CUarray_format(d.Format), NumChannels: C.uint(d.Channels),
		}
	})
}

//export goArrayGetDescriptorV2
func goArrayGetDescriptorV2(thread C.uint64_t, desc *C.CUDA_ARRAY_DESCRIPTOR, array C.CUarray) C.CUresult {
	return arrayDescriptor(thread, desc, array, (*driver.Thread).ArrayGetDescriptor, func(d *driver.ArrayDescriptor) C.CUDA_ARRAY_DESCRIPTOR {
		return C.CUDA_ARRAY_DESCRIPTOR{
			Width: C.size_t(d.Width), Height: C.size_t(d.Height),
			Format: C.CUarray_format(d.Format), NumChannels: C.uint(d.Channels),
		}
	})
}

// arrayDescriptor stores what get says of an array in the form that convert makes.
func arrayDescriptor[T any](thread C.uint64_t, out *T, array C.CUarray, get func(*driver.Thread, driver.Array) (driver.ArrayDescriptor, error), convert func(*driver.ArrayDescriptor) T) C.CUresult {
	if out == nil {
		return invalidValue
	}
	return do(thread, func(t *driver.Thread) error {
		d, err := get(t, driver.Array(array))
		if err == nil {
			*out = convert(&d)
		}
		return err
	})
}

//export goArray3DCreate
func goArray3DCreate(thread C.uint64_t, array *C.CUarray, d *C.CUDA_ARRAY3D_DESCRIPTOR_v1) C.CUresult {
	if d == nil {
		return invalidValue
	}
	return goArray3DCreateV2(thread, array, &C.CUDA_ARRAY3D_DESCRIPTOR{
		Width: C.size_t(d.Width), Height: C.size_t(d.Height), Depth: C.size_t(d.Depth),
		Format: d.Format, NumChannels: d.NumChannels, Flags: d.Flags,
	})
}

//export goArray3DCreateV2
func goArray3DCreateV2(thread C.uint64_t, array *C.CUarray, d *C.CUDA_ARRAY3D_DESCRIPTOR) C.CUresult {
	if d == nil {
		return invalidValue
	}
	desc := driver.ArrayDescriptor{
		Width: uint64(d.Width), Height: uint64(d.Height), Depth: uint64(d.Depth),
		Format: driver.ArrayFormat(d.Format), Channels: uint32(d.NumChannels), Flags: uint32(d.Flags),
	}
	return get(thread, array, func(t *driver.Thread) (driver.Array, error) { return t.Array3DCreate(desc) })
}

//export goArray3DGetDescriptor
func goArray3DGetDescriptor(thread C.uint64_t, desc *C.CUDA_ARRAY3D_DESCRIPTOR_v1, array C.CUarray) C.CUresult {
	return arrayDescriptor(thread, desc, array, (*driver.Thread).Array3DGetDescriptor, func(d *driver.ArrayDescriptor) C.CUDA_ARRAY3D_DESCRIPTOR_v1 {
		return C.CUDA_ARRAY3D_DESCRIPTOR_v1{
			Width: C.uint(d.Width), Height: C.uint(d.Height), Depth: C.uint(d.Depth),
			Format: C.CUarray_format(d.Format), NumChannels: C.uint(d.Channels), Flags: C.uint(d.Flags),
		}
	})
}

//export goArray3DGetDescriptorV2
func goArray3DGetDescriptorV2(thread C.uint64_t, desc *C.CUDA_ARRAY3D_DESCRIPTOR, array C.CUarray) C.CUresult {
	return arrayDescriptor(thread, desc, array, (*driver.Thread).Array3DGetDescriptor, func(d *driver.ArrayDescriptor) C.CUDA_ARRAY3D_DESCRIPTOR {
		return C.CUDA_ARRAY3D_DESCRIPTOR{
			Width: C.size_t(d.Width), Height: C.size_t(d.Height), Depth: C.size_t(d.Depth),
			Format: C.CUarray_format(d.Format), NumChannels: C.uint(d.Channels), Flags: C.uint(d.Flags),
		}
	})
}

//export goArrayDestroy
func goArrayDestroy(thread C.uint64_t, array C.CUarray) C.CUresult {
	return do(thread, func(t *driver.Thread) error { return t.ArrayDestroy(driver.Array(array)) })
}
