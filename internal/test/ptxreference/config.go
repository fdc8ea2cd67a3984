package ptxreference

import "jacquard/ptx"

// Config is the machine that a program is loaded into.
type Config struct {
	// Memory is global memory. Load adds the module's variables. Nil: a new one.
	Memory *Memory
	// Approx computes the approximate functions. Nil: Accurate.
	Approx Approx
	// Texture answers instructions on textures and surfaces. Nil: kernels with them fail to start.
	Texture func(s Sample) (texel [4]uint64, err error)
	// Print is told of every call of vprintf. Nil: output is lost.
	Print func(p Printed)
}

// Sample is one texture or surface instruction of one thread. Numbers are bits.
type Sample struct {
	Op      ptx.Op // tex, tld4, suld, sust or sured
	Texture string // the name of the texture or surface, "" if there is a handle
	Sampler string // the name of a separate sampler
	Handle  uint64 // the value of a register that stands instead of a name
	Geom    ptx.Geom
	Type    ptx.Type // of the texel
	From    ptx.Type // of the coordinates
	Mode    ptx.Mode
	Atom    ptx.AtomOp // of sured
	Mods    ptx.Mods
	Coords  []uint64 // in the order of the text, then a level, gradients or offsets
	Data    []uint64 // what sust and sured store
}

// Printed is one call of vprintf.
type Printed struct {
	Format string
	Args   []byte // as the format's conversions lay them out
}

// Launch is one run of a kernel. Dimensions of 0 count as 1.
type Launch struct {
	Grid, Block [3]int
	Params      []byte // laid out by their alignments; see Program.Params
	Shared      int    // bytes of dynamic shared memory
	// StepLimit bounds the instructions of all threads together. 0: 1<<30.
	StepLimit uint64
	// Alone runs a thread until it ends or waits before the next one runs. Otherwise the threads
	// of a warp run in lockstep, as some programs need. The threads at the lowest place in the
	// deepest call run first.
	Alone bool
}

// Approx computes f32 functions that PTX leaves inexact. Operands and results are bits. Subnormal
// operands and results are flushed by the caller where PTX says so, and NaN operands do not
// arrive.
type Approx interface {
	Div(a, b uint32) uint32     // div.approx
	DivFull(a, b uint32) uint32 // div.full
	Rcp(x uint32) uint32
	Rsqrt(x uint32) uint32
	Sqrt(x uint32) uint32
	Sin(x uint32) uint32
	Cos(x uint32) uint32
	Lg2(x uint32) uint32
	Ex2(x uint32) uint32
	Tanh(x uint32) uint32
	Rcp64(x uint64) uint64   // rcp.approx.ftz.f64
	Rsqrt64(x uint64) uint64 // rsqrt.approx.f64, rsqrt.approx.ftz.f64
}
