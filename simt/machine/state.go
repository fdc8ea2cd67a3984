package machine

import (
	"math/bits"
	"slices"
	"unsafe"

	"jacquard/simt/lane"
	"jacquard/simt/mem"
	"jacquard/simt/mem/texture"
	"jacquard/simt/program"
)

// State is the state of one block. An engine changes it for its owner, the caller.
type State struct {
	Program *program.Program
	Grid    // shared by all blocks of the launch
	*Block
	File                // registers and local memory
	Warps    int        // of the block
	Counts   *Counts    // of the engine
	Clock    uint64     // time minus index: an instruction at index i issues at Clock+i
	Mixed    bool       // all lanes of a selection are one warp-instruction: see branch.Policy
	Lanes    int        // of a warp: see branch.Widths
	Hook     AccessHook // nil: accesses are not watched
	Recorder Recorder   // nil: not recorded
	Seen     bool       // a listener looks at registers: see Reset
	Kept     *Kept      // to which values of instructions are added; nil: none are kept

	Raised   *Fault                   // the fault of the current instruction
	Indirect [lane.MaxWarps]Departure // by warp: how lanes leave the last indirect branch
}

// Grid is what all blocks of a launch share.
type Grid struct {
	Global   *mem.Space
	Const    *[16][]byte       // constant banks; nil is an unbound bank
	Textures []texture.Texture // by texture unit
	Rows     []lane.Row        // Program.Rows with their values
	// Launch differs for every launch of the process: an engine may reuse only results with the
	// same Launch.
	Launch uint64
	Alone  bool // neither another worker nor the host accesses Global during the launch
}

// Block is the part of a resident block that is not the registers of its warps.
type Block struct {
	Number  int    // place in the grid, x fastest
	Index   [2]int // the same as x and y
	Slot    int    // number among the blocks of its wave
	Shared  mem.Shared
	Overrun *Overrun // the first overrun of the block; nil: none yet
}

// Departure is how the lanes of a warp leave an indirect branch.
type Departure struct {
	Target uint32
	Lanes  lane.Mask // lanes that go to Target
	Stay   lane.Mask // lanes that issue the instruction again
}

// Recorder is told what registers do not show later.
type Recorder interface {
	// Partial says that only lanes executed, of the lanes of, execute the instruction at an index.
	Partial(index int, of, executed *lane.Sel)
}

// File holds the registers of warps, and their memory.
type File struct {
	Step  int             // rows of one warp
	Regs  []lane.Row      // by warp: general registers, then the address registers that the kernel uses, 16-bit values
	Flags [4][]lane.Flags // condition registers
	Local mem.Local       // of every warp in turn
}

// NewState returns a state of a number of warps, all zero.
func NewState(p *program.Program, warps int) *State {
	step := p.Kernel.Registers + bits.OnesCount8(p.Addresses)
	f := File{
		Step: step, Regs: lane.NewRows(step * warps),
		Local: make(mem.Local, warps*mem.LocalRows(p.Kernel.Local)),
	}
	f.Flags = flags(warps)
	return &State{Program: p, Block: &Block{}, Warps: warps, File: f, Lanes: lane.Width}
}

// FlagStep is the distance in memory of a warp's condition registers.
const FlagStep = lane.MaxWarps * unsafe.Sizeof(lane.Flags{})

// flags returns the condition registers of warps, FlagStep bytes apart.
func flags(warps int) (f [4][]lane.Flags) {
	all := make([]lane.Flags, len(f)*lane.MaxWarps)
	for i := range f {
		f[i] = all[i*lane.MaxWarps:][:warps]
	}
	return f
}

// Clone returns a copy of registers and local memory.
func (f *File) Clone() File {
	c := *f
	c.Regs, c.Local, c.Flags = slices.Clone(f.Regs), slices.Clone(f.Local), flags(len(f.Flags[0]))
	for i := range c.Flags {
		copy(c.Flags[i], f.Flags[i])
	}
	return c
}

// Reset makes everything zero except shared memory. It clears registers that code writes before it
// reads them only if all is set, or Seen.
func (s *State) Reset(all bool) {
	p, b := s.Program, &s.Program.Blank
	all = all || s.Seen
	clear(s.Local)
	if all || b.Conditions {
		for i := range s.Flags {
			clear(s.Flags[i])
		}
	}
	if all || 2*len(b.General) > p.Kernel.Registers {
		clear(s.Regs)
		return
	}
	for w := range s.Warps {
		for _, n := range b.General {
			*s.RegisterRow(n, w) = lane.Row{}
		}
		for _, a := range b.Addresses {
			if WritableAddress(uint8(a)) {
				*s.RegisterRow(AddressRow(p, uint8(a)), w) = lane.Row{}
			}
		}
	}
}

// PhysicalID returns the value of %physid in lane l of warp w: its lane and its warp on the
// multiprocessor.
func (s *State) PhysicalID(w, l int) uint32 {
	warp := (s.Slot*s.Warps+w)*(lane.Width/s.Lanes) + l/s.Lanes
	return uint32(l%s.Lanes | warp<<8)
}

// OneWarp reports whether the lanes of s, some or all lanes of one warp, are issued as that warp
// would be. Mixed lanes are if they stand in their places.
func (s *State) OneWarp(l *lane.Sel) bool {
	m := l.Mask[0]
	return l.N == 1 && m != 0 && (!s.Mixed || m&^lane.Group(m, s.Lanes) == 0)
}

// Places is the most lanes that an access of a Mixed issue can have: lane l is at place l%Places.
// Lanes of narrow warps share a half-warp.
func (s *State) Places() int {
	if s.Lanes < lane.Width {
		return lane.Width / 2
	}
	return lane.Width
}

// zeroRow stands for registers that a kernel does not own. It is never written.
var zeroRow lane.Row

// Register returns the rows of register n, for reading only: zeros if the kernel does not own it.
func (s *State) Register(n int32) lane.Rows {
	if int(n) >= s.Program.Kernel.Registers {
		return lane.RowsOf(&zeroRow, 0)
	}
	return s.RegisterRows(int(n))
}

// RegistersOf returns the rows of a warp.
func (f *File) RegistersOf(w int) []lane.Row { return f.Regs[w*f.Step:][:f.Step] }

// RegisterRows returns the rows of a general register that the kernel owns.
func (f *File) RegisterRows(n int) lane.Rows { return lane.RowsOf(&f.Regs[n], f.Step) }

// RegisterRow is the row of one warp.
func (f *File) RegisterRow(n, w int) *lane.Row { return &f.Regs[w*f.Step+n] }

// Address registers: $a1 to $a4 hold 16 bits per lane; $a0 reads 0, $a5 and $a6 do not exist.
// Unverified: $a7 is said to be one per warp; here it is one per lane like the others.

// WritableAddress reports whether address register i keeps written values.
func WritableAddress(i uint8) bool { return i != 0 && i != 5 && i != 6 }

// Address returns address register i of every warp, or zeros.
func (s *State) Address(i uint8) lane.Rows {
	if !WritableAddress(i) {
		return lane.RowsOf(&zeroRow, 0)
	}
	return s.RegisterRows(AddressRow(s.Program, i))
}

// AddressRow returns the index of address register i, which the kernel uses, among the rows of a
// warp.
func AddressRow(p *program.Program, i uint8) int {
	return p.Kernel.Registers + bits.OnesCount8(p.Addresses&(1<<i-1))
}

// AddressesOf returns the addresses of warp w for the load, store or atomic u: a register, or row,
// where they are computed. It changes no register.
func (s *State) AddressesOf(u *program.Op, w int, row *lane.Row) *lane.Row {
	o := &u.Ins.Src[0]
	if u.Space >= program.SpaceGlobal {
		return s.Register(int32(o.Value)).At(w)
	}
	at := s.Address(o.Base).At(w)
	if o.Post || o.Value == 0 {
		return at
	}
	for i, a := range at {
		row[i] = (a + o.Value) & 0xffff
	}
	return row
}

// LocalOf returns the local memory of a warp.
func (s *State) LocalOf(w int) mem.Local {
	rows := mem.LocalRows(s.Program.Kernel.Local)
	return s.Local[w*rows : (w+1)*rows]
}
