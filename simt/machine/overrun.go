package machine

import (
	"fmt"

	"jacquard/simt/lane"
	"jacquard/simt/mem"
	"jacquard/simt/program"
)

// Overrun is an access of a kernel beyond the end of an allocation, into the slack after it or into
// the allocation that follows. It happens and is reported: hardware does not notice it either.
type Overrun struct {
	Kernel string
	Block  [2]int    // block index x, y
	Warp   int       // warp within the block
	Lanes  lane.Mask // lanes that passed the end
	PC     uint32    // byte address of the instruction
	Source string    // as in Fault
	Text   string    // the instruction, disassembled
	Addr   uint32    // address of the lowest of these lanes
	Beyond uint64    // bytes from the end of the allocation to the end of that lane's access
	Base   uint32    // of the allocation
	Size   uint64    // of the allocation
}

// String returns one line that names kernel, block, warp, lanes, pc, instruction and allocation.
func (o *Overrun) String() string {
	return fmt.Sprintf("kernel %s reaches beyond an allocation: block (%d,%d), warp %d, lanes %08x, %s: %s, address g[0x%x], "+
		"%d bytes beyond the %d bytes at 0x%x",
		o.Kernel, o.Block[0], o.Block[1], o.Warp, uint32(o.Lanes), program.Place(o.PC, o.Source), o.Text, o.Addr, o.Beyond, o.Size, o.Base)
}

// Overran reports whether v is an overrun of warp w, whose access happened. It keeps the first of a
// block: the accesses of a block are in the reference order.
func (s *State) Overran(u *program.Op, w int, v *mem.Violation) bool {
	if v.Kind != mem.Overrun {
		return false
	}
	if s.Overrun != nil {
		return true
	}
	base, size, _ := s.Global.Owner(v.Addr)
	if uint64(v.Addr-base)+uint64(mem.Size(u.Ins.Type)) <= size { // inside the next allocation
		base, size, _ = s.Global.Owner(base - 1)
	}
	s.Overrun = &Overrun{
		Kernel: s.Program.Kernel.Name, Block: s.Index, Warp: w, Lanes: v.Lanes,
		PC: u.PC, Source: s.Program.Kernel.SourceOf(u.PC), Text: u.Ins.String(), Addr: v.Addr,
		Beyond: uint64(v.Addr-base) + uint64(mem.Size(u.Ins.Type)) - size, Base: base, Size: size,
	}
	return true
}
