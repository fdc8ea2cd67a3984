package machine

import (
	"jacquard/simt/lane"
	"jacquard/simt/mem"
	"jacquard/simt/program"
)

// File holds the registers of warps, [register][warp], and what memory is theirs.
type File struct {
	Step  int             // rows from a register of a warp to its next
	Regs  []lane.Row      // general registers
	Addrs [8][]lane.Row   // address registers the kernel uses, 16-bit values
	Flags [4][]lane.Flags // condition registers
	Local mem.Local       // of every warp in turn
	Banks []*mem.Shared   // by warp: the shared memory of its block
}

func newFile(p *program.Program, warps int) File {
	f := File{Step: warps, Regs: lane.NewRows(p.Kernel.Registers * warps)}
	for i := range f.Addrs {
		if p.Addresses>>i&1 != 0 {
			f.Addrs[i] = lane.NewRows(warps)
		}
	}
	for i := range f.Flags {
		f.Flags[i] = make([]lane.Flags, warps)
	}
	f.Local = make(mem.Local, warps*mem.LocalRows(p.Kernel.Local))
	f.Banks = make([]*mem.Shared, warps)
	return f
}

// reset makes everything zero but shared memory.
func (f *File) reset() {
	clear(f.Regs)
	clear(f.Local)
	for i := range f.Addrs {
		clear(f.Addrs[i])
	}
	for i := range f.Flags {
		clear(f.Flags[i])
	}
}
