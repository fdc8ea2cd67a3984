package trace

import (
	"fmt"

	"jacquard/observe/trace/codec"
	"jacquard/simt/branch"
	"jacquard/simt/lane"
)

// Launch is one launch of a trace.
type Launch struct {
	Number int // from 0; numbers of unrecorded launches are missing
	Kernel *Kernel
	Grid   [2]int
	Block  [3]int
	Policy string
	Device string // the model; "" if unknown
	Params string // the parameter block, in hexadecimal
	Shared int    // bytes of dynamic shared memory

	Ended bool   // recorded to its end
	Error string // its fault, "" if none
	Count uint64 // warp-instructions recorded

	frames []frame // by lowest block, then in the order of the file
}

// launchJSON is the payload of a launch frame.
type launchJSON struct {
	Kernel int    `json:"kernel"` // the kernel's number
	Grid   [2]int `json:"grid"`
	Block  [3]int `json:"block"`
	Policy string `json:"policy"`
	Device string `json:"device,omitempty"`
	Params string `json:"params"` // hexadecimal
	Shared int    `json:"shared"` // dynamic shared memory
}

// endJSON is the payload of an end frame.
type endJSON struct {
	Error string `json:"error,omitempty"` // why the launch ended early
}

// check refuses launches that no device can run.
func (j *launchJSON) check(k *Kernel) error {
	l := k.Arch.Limits()
	if err := l.CheckShape(j.Grid, j.Block); err != nil {
		return fmt.Errorf("a launch of %w", err)
	}
	switch {
	case j.Shared < 0 || j.Shared > l.Shared:
		return fmt.Errorf("a launch with %d bytes of shared memory: no device has them", j.Shared)
	case len(j.Params) > 2*l.Params:
		return fmt.Errorf("a launch with %d bytes of parameters: want at most %d", len(j.Params)/2, l.Params)
	case len(j.Policy) > codec.MostString:
		return fmt.Errorf("a launch with a policy whose name has %d bytes", len(j.Policy))
	case len(j.Device) > codec.MostString:
		return fmt.Errorf("a launch on a device whose name has %d bytes", len(j.Device))
	}
	return nil
}

// check returns the defect of a frame of issues of the launch, "" if there is none.
func (l *Launch) check(fr *frame) (why string) {
	threads := l.Block[0] * l.Block[1] * l.Block[2]
	warps := branch.WarpSet(1<<((threads+lane.Width-1)/lane.Width) - 1)
	blocks := uint64(l.Grid[0]) * uint64(l.Grid[1])
	if uint64(fr.Block)+uint64(fr.Blocks) >= blocks || fr.Warps&^warps != 0 {
		return "issues of blocks or warps that their launch does not have"
	}
	return ""
}
