package launch

import (
	"jacquard/cubin"
	"jacquard/libcuda/driver"
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

	Observer simt.Observer // watches the launch; nil for nobody
	Program  string        // what the kernel comes from, for records; may be empty
}

// Param is one kernel parameter: a value, or the address of a buffer.
type Param struct {
	Name   string
	Offset int    // bytes from the start of the parameters
	Value  []byte // little-endian; ignored if Buffer is there
	Buffer []byte // content before the launch; not empty
}

// addressSize is what a device address takes among the parameters.
const addressSize = 4

func (p *Param) size() int {
	if p.Buffer != nil {
		return addressSize
	}
	return len(p.Value)
}

// Place sets the offsets of params as a compiler does: in order, each aligned to its size.
func Place(params []Param) {
	at := 0
	for i := range params {
		size := params[i].size()
		at = (at + size - 1) / size * size
		params[i].Offset = at
		at += size
	}
}

// Result is what a launch left behind.
type Result struct {
	Buffers map[string][]byte // content after the launch, by the parameter's name
	Launch  driver.LaunchEvent
}
