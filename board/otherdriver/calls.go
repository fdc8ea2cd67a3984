package otherdriver

import (
	"bytes"
	"runtime"
	"unsafe"

	"jacquard/libcuda/driver"
)

// Handles and addresses of the library.
type (
	Context  uintptr
	Module   uintptr
	Function uintptr
	TexRef   uintptr
	Array    uintptr
	Address  uintptr
)

// check returns the error for a function's result code.
func (d *Driver) check(call string, code int32) error {
	if code == 0 {
		return nil
	}
	return &Error{Call: call, Result: driver.Result(code), Name: d.nameOf(code)}
}

// nameOf returns the library's name of a code, because later drivers have new codes. It is "" if
// the library cannot tell, as before CUDA 6.0.
func (d *Driver) nameOf(code int32) string {
	var name *byte
	if d.api.GetErrorName == nil || d.api.GetErrorName(code, &name) != 0 || name == nil {
		return ""
	}
	return string(unsafe.Slice(name, length(name)))
}

// length returns the number of bytes before the NUL.
func length(text *byte) (n int) {
	for *(*byte)(unsafe.Add(unsafe.Pointer(text), n)) != 0 {
		n++
	}
	return n
}

func (d *Driver) Init() error { return d.check("cuInit", d.api.Init(0)) }

// Version returns the library's version of CUDA: 6050 for 6.5.
func (d *Driver) Version() (int, error) {
	var v int32
	err := d.check("cuDriverGetVersion", d.api.DriverGetVersion(&v))
	return int(v), err
}

// Devices returns the number of devices.
func (d *Driver) Devices() (int, error) {
	var n int32
	err := d.check("cuDeviceGetCount", d.api.DeviceGetCount(&n))
	return int(n), err
}

// Device is one device.
type Device struct {
	handle       int32
	Name         string
	Major, Minor int // compute capability
}

// Device returns device number ordinal.
func (d *Driver) Device(ordinal int) (dev Device, err error) {
	if err := d.check("cuDeviceGet", d.api.DeviceGet(&dev.handle, int32(ordinal))); err != nil {
		return dev, err
	}
	var name [256]byte
	if err := d.check("cuDeviceGetName", d.api.DeviceGetName(&name[0], int32(len(name)), dev.handle)); err != nil {
		return dev, err
	}
	text, _, _ := bytes.Cut(name[:], []byte{0})
	dev.Name = string(text)
	var major, minor int32
	err = d.check("cuDeviceComputeCapability", d.api.DeviceComputeCapability(&major, &minor, dev.handle))
	dev.Major, dev.Minor = int(major), int(minor)
	return dev, err
}

// CtxCreate makes a context on dev and makes it current to the thread.
func (d *Driver) CtxCreate(dev Device) (ctx Context, err error) {
	err = d.check("cuCtxCreate", d.api.CtxCreate(&ctx, 0, dev.handle))
	return ctx, err
}

// CtxDestroy destroys a context.
func (d *Driver) CtxDestroy(ctx Context) error {
	return d.check("cuCtxDestroy", d.api.CtxDestroy(ctx))
}

// CtxSetCurrent makes a context current to the thread.
func (d *Driver) CtxSetCurrent(ctx Context) error {
	return d.check("cuCtxSetCurrent", d.api.CtxSetCurrent(ctx))
}

// ModuleLoad loads an image: a cubin, a fat binary, or PTX. If the library refuses it, the error
// has the library's log.
func (d *Driver) ModuleLoad(image []byte) (m Module, err error) {
	const (
		errorLog     = 5 // CU_JIT_ERROR_LOG_BUFFER
		errorLogSize = 6 // CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES
	)
	var pin runtime.Pinner
	defer pin.Unpin()
	var log [8 << 10]byte
	pin.Pin(&log)
	image = append(bytes.Clone(image), 0) // text and PTX end with a NUL
	options := [...]int32{errorLog, errorLogSize}
	values := [...]uintptr{uintptr(unsafe.Pointer(&log)), uintptr(len(log))}
	err = d.check("cuModuleLoadDataEx", d.api.ModuleLoadDataEx(&m, &image[0], uint32(len(options)), &options[0], &values[0]))
	if e, ok := err.(*Error); ok {
		text, _, _ := bytes.Cut(log[:], []byte{0})
		e.Log = string(text)
	}
	return m, err
}

// ModuleUnload unloads a module.
func (d *Driver) ModuleUnload(m Module) error {
	return d.check("cuModuleUnload", d.api.ModuleUnload(m))
}

// Function returns a module's kernel.
func (d *Driver) Function(m Module, name string) (f Function, err error) {
	err = d.check("cuModuleGetFunction", d.api.ModuleGetFunction(&f, m, name))
	return f, err
}

// Global returns the address and size of a module's variable.
func (d *Driver) Global(m Module, name string) (at Address, size uint64, err error) {
	var bytes uintptr
	err = d.check("cuModuleGetGlobal", d.api.ModuleGetGlobal(&at, &bytes, m, name))
	return at, uint64(bytes), err
}

// MemAlloc allocates device memory with undefined content.
func (d *Driver) MemAlloc(size uint64) (at Address, err error) {
	err = d.check("cuMemAlloc", d.api.MemAlloc(&at, uintptr(size)))
	return at, err
}

// MemFree frees device memory.
func (d *Driver) MemFree(at Address) error { return d.check("cuMemFree", d.api.MemFree(at)) }

// Write copies b to device memory.
func (d *Driver) Write(at Address, b []byte) error {
	if len(b) == 0 {
		return nil
	}
	return d.check("cuMemcpyHtoD", d.api.MemcpyHtoD(at, &b[0], uintptr(len(b))))
}

// Read fills b from device memory.
func (d *Driver) Read(b []byte, at Address) error {
	if len(b) == 0 {
		return nil
	}
	return d.check("cuMemcpyDtoH", d.api.MemcpyDtoH(&b[0], at, uintptr(len(b))))
}

// Clear sets device memory to zeros.
func (d *Driver) Clear(at Address, size uint64) error {
	return d.check("cuMemsetD8", d.api.MemsetD8(at, 0, uintptr(size)))
}

// Launch runs a kernel to its end; params is the packed parameters.
func (d *Driver) Launch(f Function, grid [2]int, block [3]int, shared int, params []byte) error {
	const (
		end    = 0 // CU_LAUNCH_PARAM_END
		buffer = 1 // CU_LAUNCH_PARAM_BUFFER_POINTER
		bytes  = 2 // CU_LAUNCH_PARAM_BUFFER_SIZE
	)
	var pin runtime.Pinner
	defer pin.Unpin()
	size := uintptr(len(params))
	pin.Pin(&size)
	extra := [...]uintptr{bytes, uintptr(unsafe.Pointer(&size)), end, 0, end}
	if len(params) > 0 {
		pin.Pin(&params[0])
		extra = [...]uintptr{buffer, uintptr(unsafe.Pointer(&params[0])), bytes, uintptr(unsafe.Pointer(&size)), end}
	}
	pin.Pin(&extra)
	err := d.check("cuLaunchKernel", d.api.LaunchKernel(f, uint32(grid[0]), uint32(grid[1]), 1,
		uint32(block[0]), uint32(block[1]), uint32(block[2]), uint32(shared), 0, nil, unsafe.Pointer(&extra)))
	if err != nil {
		return err
	}
	return d.check("cuCtxSynchronize", d.api.CtxSynchronize())
}
