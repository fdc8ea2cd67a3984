package launch

import (
	"io"

	"jacquard/cubin"
	"jacquard/libcuda/driver/events"
	"jacquard/libcuda/driver/sinks"
	"jacquard/simt"
)

// Job is one kernel launch with all its inputs.
type Job struct {
	Image []byte // the cubin; or
	// Images has images for several architectures; the driver takes the best for the device.
	Images []cubin.Entry
	PTX    []cubin.Entry // beside Images, to compile again for a block that they do not fit
	Kernel string
	Grid   [2]int
	Block  [3]int
	Shared int // bytes of dynamic shared memory
	Params []Param

	// Placed means that Params have their offsets; otherwise Run places them as the kernel
	// declares.
	Placed bool
	// Pointer is the bytes of an address among the parameters if the image does not say: 4, 8, or 0
	// if unknown.
	Pointer int

	Recorder simt.Recorder       // records the launch; may be nil
	Sinks    []sinks.Sink        // told of the launch
	Launched func(events.Launch) // told of its end, also of a failure or refusal; may be nil
	Program  string              // the kernel's origin, for records; may be empty
	Stdout   io.Writer           // takes what printf in the kernel prints; nil is standard output
	Stderr   io.Writer           // takes its assertions; nil is standard error
	Device   string              // runs the kernel if settings name no device; "" is the driver's default
}

// Param is one kernel parameter: a value, or the address of a buffer.
type Param struct {
	Name   string
	Offset int    // bytes from the start of the parameters
	Value  []byte // little-endian; for a buffer, room for its address, or nil for 4 bytes
	Buffer []byte // content before the launch; not empty

	// Address says that Value is a device address, which is extended by zeros to the image's width
	// of addresses. A buffer's Value always is an address.
	Address bool
}

// Result is the outcome of a launch.
type Result struct {
	Buffers map[string][]byte // content after the launch, by the parameter's name
	Launch  events.Launch
}
