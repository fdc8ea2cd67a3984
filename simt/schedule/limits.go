package schedule

import (
	"fmt"

	"jacquard/simt/program"
	"jacquard/tesla"
)

// Limits are what one multiprocessor and one launch may use (docs/isa/launch.md, Limits).
type Limits struct {
	ThreadsPerBlock int
	BlockDim        [3]int
	GridDim         [2]int
	Blocks          int // resident
	Warps           int // resident
	Threads         int // resident
	Registers       int
	RegisterUnit    int // registers are handed to a block in multiples of this
	Shared          int // bytes
	SharedUnit      int // bytes
	Local           int // bytes a thread
	Params          int // bytes
}

// LimitsOf returns the limits of a target.
func LimitsOf(a tesla.Arch) Limits {
	l := Limits{
		ThreadsPerBlock: 512,
		BlockDim:        [3]int{512, 512, 64},
		GridDim:         [2]int{65535, 65535},
		Blocks:          8,
		Warps:           24,
		Threads:         768,
		Registers:       8192,
		RegisterUnit:    256,
		Shared:          16384,
		SharedUnit:      512,
		Local:           16384,
		Params:          256,
	}
	if a >= tesla.SM12 {
		l.Warps, l.Threads, l.Registers, l.RegisterUnit = 32, 1024, 16384, 512
	}
	return l
}

func roundUp(x, unit int) int { return (x + unit - 1) / unit * unit }

// BlocksPerWave returns how many blocks of the given shape are resident at once; 0 if not
// even one fits.
func (l Limits) BlocksPerWave(threads, registers, shared int) int {
	warps := (threads + 31) / 32
	n := min(l.Blocks, l.Warps/warps, l.Threads/threads)
	if r := roundUp(roundUp(warps, 2)*32*registers, l.RegisterUnit); r > 0 {
		n = min(n, l.Registers/r)
	}
	if s := roundUp(shared, l.SharedUnit); s > 0 {
		n = min(n, l.Shared/s)
	}
	return n
}

// Check reports whether the device can run the launch, as a *program.LaunchError.
func (l *Launch) Check() error {
	k := &l.Program.Kernel
	lim := LimitsOf(k.Arch)
	threads := 1
	for i, d := range l.Block {
		if d < 1 || d > lim.BlockDim[i] {
			return &program.LaunchError{Resources: false, Reason: fmt.Sprintf("block %v: dimension %d must be 1 to %d", l.Block, i, lim.BlockDim[i])}
		}
		threads *= d
	}
	if threads > lim.ThreadsPerBlock {
		return &program.LaunchError{Resources: false, Reason: fmt.Sprintf("block %v has %d threads: the most is %d", l.Block, threads, lim.ThreadsPerBlock)}
	}
	for i, d := range l.Grid {
		if d < 1 || d > lim.GridDim[i] {
			return &program.LaunchError{Resources: false, Reason: fmt.Sprintf("grid %v: dimension %d must be 1 to %d", l.Grid, i, lim.GridDim[i])}
		}
	}
	if len(l.Params) > lim.Params {
		return &program.LaunchError{Resources: false, Reason: fmt.Sprintf("%d bytes of parameters: the most is %d", len(l.Params), lim.Params)}
	}
	if l.Dynamic < 0 || l.sharedBytes() > lim.Shared {
		return &program.LaunchError{Resources: false, Reason: fmt.Sprintf("%d bytes of shared memory a block (%d of them dynamic): the most is %d", l.sharedBytes(), l.Dynamic, lim.Shared)}
	}
	if k.Local > lim.Local {
		return &program.LaunchError{Resources: true, Reason: fmt.Sprintf("%d bytes of local memory a thread: the most is %d", k.Local, lim.Local)}
	}
	if lim.BlocksPerWave(threads, k.Registers, l.sharedBytes()) == 0 {
		return &program.LaunchError{Resources: true, Reason: fmt.Sprintf("a block of %d threads with %d registers each does not fit the %d registers of an %s multiprocessor", threads, k.Registers, lim.Registers, k.Arch)}
	}
	return nil
}

// headerBytes is the launch header at the start of shared memory (docs/isa/launch.md, Shared
// memory).
const headerBytes = 16

// sharedBytes returns the shared memory of a block. Kernel.Shared counts header and
// parameters, but a caller may pass more parameters than the kernel declares.
func (l *Launch) sharedBytes() int {
	return max(l.Program.Kernel.Shared, headerBytes+len(l.Params)) + l.Dynamic
}
