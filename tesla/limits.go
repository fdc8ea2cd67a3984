package tesla

import "fmt"

// What no target exceeds (docs/isa/launch.md, Limits).
const (
	WarpThreads  = 32
	MaxThreads   = 512      // of a block
	MaxRegisters = 124      // of a thread; registers from 124 on read as zero
	SharedBytes  = 16 << 10 // of a multiprocessor, and so of a block
	LocalBytes   = 16 << 10 // of a thread
	HeaderBytes  = 16       // of shared memory, before the parameters: the launch's shape
	ParamBytes   = 256      // of a launch, in shared memory
	BankBytes    = 64 << 10 // of a constant bank
	Banks        = 16       // of constant memory
	TextureUnits = 128
	GridBlocks   = 65535 // in each direction
	BlockDepth   = 64    // threads of a block along z
)

// Limits are the resources of one multiprocessor and one launch (docs/isa/launch.md, Limits).
type Limits struct {
	ThreadsPerBlock int
	BlockDim        [3]int
	GridDim         [2]int
	Blocks          int // resident
	Warps           int // resident
	Threads         int // resident
	Registers       int
	RegisterUnit    int // a block gets registers in multiples of this
	Shared          int // bytes
	SharedUnit      int // bytes
	Local           int // bytes per thread
	Params          int // bytes
}

// Limits returns the limits of a target.
func (a Arch) Limits() Limits {
	l := Limits{
		ThreadsPerBlock: MaxThreads,
		BlockDim:        [3]int{MaxThreads, MaxThreads, BlockDepth},
		GridDim:         [2]int{GridBlocks, GridBlocks},
		Blocks:          8,
		Warps:           24,
		Threads:         768,
		Registers:       8192,
		RegisterUnit:    256,
		Shared:          SharedBytes,
		SharedUnit:      512,
		Local:           LocalBytes,
		Params:          ParamBytes,
	}
	if a >= SM12 {
		l.Warps, l.Threads, l.Registers, l.RegisterUnit = 32, 1024, 16384, 512
	}
	return l
}

// CheckShape returns an error if no device runs blocks of these sizes, or so many of them.
func (l Limits) CheckShape(grid [2]int, block [3]int) error {
	threads, fits := 1, true
	for i, n := range block {
		fits = fits && n >= 1 && n <= l.BlockDim[i]
		threads *= n
	}
	if !fits || threads > l.ThreadsPerBlock {
		return fmt.Errorf("blocks of %v threads: no device runs them", block)
	}
	for i, n := range grid {
		if n < 1 || n > l.GridDim[i] {
			return fmt.Errorf("a grid of %v blocks: no device runs it", grid)
		}
	}
	return nil
}

func roundUp(x, unit int) int { return (x + unit - 1) / unit * unit }

// BlocksPerWave returns how many blocks of a shape are resident at once, 0 if not even one fits:
// threads a block, registers a thread and bytes of shared memory a block.
func (l Limits) BlocksPerWave(threads, registers, shared int) int {
	warps := (threads + WarpThreads - 1) / WarpThreads
	n := min(l.Blocks, l.Warps/warps, l.Threads/threads)
	if r := roundUp(roundUp(warps, 2)*WarpThreads*registers, l.RegisterUnit); r > 0 {
		n = min(n, l.Registers/r)
	}
	if s := roundUp(shared, l.SharedUnit); s > 0 {
		n = min(n, l.Shared/s)
	}
	return n
}

// MostRegisters returns the most registers per thread with which a block fits a multiprocessor, 0 if
// it fits with none.
func (l Limits) MostRegisters(threads, shared int) int {
	most := MaxRegisters
	for most > 0 && l.BlocksPerWave(threads, most, shared) == 0 {
		most--
	}
	return most
}
