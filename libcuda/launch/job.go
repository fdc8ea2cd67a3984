package launch

import (
	"jacquard/cubin"
	"jacquard/libcuda/events"
	"jacquard/simt"
)

// Job is one kernel launch with all that goes into it.
type Job struct {
	Image  []byte        // the cubin; or
	Images []cubin.Entry // the same for several architectures, of which the best for the device is taken
	Kernel string
	Grid   [2]int
	Block  [3]int
	Shared int // bytes of dynamic shared memory
	Params []Param

	Placed  bool // Params have their offsets; else Run places them as the kernel declares its parameters
	Pointer int  // bytes of an address among the parameters if the image does not say: 4 or 8; 0 if it is unknown

	Observer simt.Observer // watches the launch; may be nil
	Program  string        // the kernel's origin, for records; may be empty
	Device   string        // runs the kernel if settings name no device; "" is the driver's default
}

// Param is one kernel parameter: a value, or the address of a buffer.
type Param struct {
	Name   string
	Offset int    // bytes from the start of the parameters
	Value  []byte // little-endian; of a buffer, room for its address, or nil for 4 bytes
	Buffer []byte // content before the launch; not empty

	// Address says that Value is a device address, which zeros widen to what the image gives an
	// address. That of a buffer always is one.
	Address bool
}

// Result is what a launch left.
type Result struct {
	Buffers map[string][]byte // content after the launch, by the parameter's name
	Launch  events.Launch
}
