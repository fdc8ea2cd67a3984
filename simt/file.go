package simt

import (
	"jacquard/simt/lane"
	"jacquard/simt/mem"
)

// file holds the registers of warps, [register][warp], and what memory is theirs: those of a
// block, or of several blocks that go together, each of which then has a part of it.
type file struct {
	step  int             // rows from a register of a warp to its next
	regs  []lane.Row      // general registers
	tmp   []lane.Row      // scratch rows
	same  []lane.Row      // by operand in s[]: the word that all warps read there last, in all lanes; the parts have it together
	addrs [8][]lane.Row   // address registers the kernel uses, 16-bit values
	flags [4][]lane.Flags // condition registers
	local mem.Local       // of every warp in turn
	banks []*mem.Shared   // by warp: the shared memory of its block
}

func newFile(p *Program, warps int) file {
	f := file{step: warps, regs: lane.NewRows(p.Kernel.Registers * warps), tmp: lane.NewRows(tmpRows * warps), same: lane.NewRows(len(p.words))}
	for i := range f.addrs {
		if p.addrs>>i&1 != 0 {
			f.addrs[i] = lane.NewRows(warps)
		}
	}
	for i := range f.flags {
		f.flags[i] = make([]lane.Flags, warps)
	}
	f.local = make(mem.Local, warps*mem.LocalRows(p.Kernel.Local))
	f.banks = make([]*mem.Shared, warps)
	return f
}

// part returns the file of the warps from first up to but not including last.
func (f *file) part(first, last int) file {
	rows := len(f.local) / f.step
	p := file{step: f.step, tmp: f.tmp[first:], same: f.same, local: f.local[first*rows : last*rows], banks: f.banks[first:last]}
	if len(f.regs) > 0 {
		p.regs = f.regs[first:]
	}
	for i, a := range f.addrs {
		if a != nil {
			p.addrs[i] = a[first:last]
		}
	}
	for i := range f.flags {
		p.flags[i] = f.flags[i][first:last]
	}
	return p
}

// reset makes everything in a whole file zero but the scratch rows and shared memory.
func (f *file) reset() {
	clear(f.regs)
	clear(f.local)
	for i := range f.addrs {
		clear(f.addrs[i])
	}
	for i := range f.flags {
		clear(f.flags[i])
	}
}
