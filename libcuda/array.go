package main

// #include "abi_gen.h"
import "C"

import "jacquard/libcuda/driver"

//export goArrayCreate
func goArrayCreate(thread C.uint64_t, array *C.CUarray, desc *C.CUDA_ARRAY_DESCRIPTOR_v1) C.CUresult {
	return arrayCreate(thread, array, desc, planeOfV1, (*driver.Thread).ArrayCreate)
}

//export goArrayCreateV2
func goArrayCreateV2(thread C.uint64_t, array *C.CUarray, desc *C.CUDA_ARRAY_DESCRIPTOR) C.CUresult {
	return arrayCreate(thread, array, desc, planeOf, (*driver.Thread).ArrayCreate)
}

// arrayCreate reads the descriptor with convert and makes the array with create.
func arrayCreate[T any](thread C.uint64_t, array *C.CUarray, desc *T, convert func(*T) driver.ArrayDescriptor, create func(*driver.Thread, driver.ArrayDescriptor) (driver.Array, error)) C.CUresult {
	if desc == nil {
		return invalidValue
	}
	return get(thread, array, func(t *driver.Thread) (driver.Array, error) { return create(t, convert(desc)) })
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

// arrayDescriptor reads an array's descriptor with get and stores it in the form that convert
// makes.
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
func goArray3DCreate(thread C.uint64_t, array *C.CUarray, desc *C.CUDA_ARRAY3D_DESCRIPTOR_v1) C.CUresult {
	return arrayCreate(thread, array, desc, volumeOfV1, (*driver.Thread).Array3DCreate)
}

//export goArray3DCreateV2
func goArray3DCreateV2(thread C.uint64_t, array *C.CUarray, desc *C.CUDA_ARRAY3D_DESCRIPTOR) C.CUresult {
	return arrayCreate(thread, array, desc, volumeOf, (*driver.Thread).Array3DCreate)
}

// volumeOf converts a descriptor of up to three dimensions.
func volumeOf(d *C.CUDA_ARRAY3D_DESCRIPTOR) driver.ArrayDescriptor {
	return driver.ArrayDescriptor{
		Width: uint64(d.Width), Height: uint64(d.Height), Depth: uint64(d.Depth),
		Format: driver.ArrayFormat(d.Format), Channels: uint32(d.NumChannels), Flags: uint32(d.Flags),
	}
}

func volumeOfV1(d *C.CUDA_ARRAY3D_DESCRIPTOR_v1) driver.ArrayDescriptor {
	return volumeOf(&C.CUDA_ARRAY3D_DESCRIPTOR{
		Width: C.size_t(d.Width), Height: C.size_t(d.Height), Depth: C.size_t(d.Depth),
		Format: d.Format, NumChannels: d.NumChannels, Flags: d.Flags,
	})
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
