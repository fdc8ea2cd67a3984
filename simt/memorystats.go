package simt

import (
	"jacquard/simt/lane"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// MemoryStats counts the accesses of a launch to memory by what they would cost on hardware.
// Device memory is counted by the rules of both generations, whatever the device.
type MemoryStats struct {
	GlobalLoads, GlobalStores mem.Traffic // through g[]
	LocalLoads, LocalStores   mem.Traffic // l[], which lies in device memory
	SharedLoads, SharedStores mem.Steps   // s[]; operands of other instructions are loads
	Const                     mem.Steps   // c[] at an address register; at a fixed address it is one word for all, and not counted
	Atomics                   uint64      // lanes that performed one, each of which is a transaction
	Texels                    uint64      // lanes that fetched from a texture
}

// Add counts what the issues of an instruction cost, whose operation is op.
func (s *MemoryStats) Add(op tesla.Op, in *InstructionStats) {
	shared := &s.SharedLoads
	switch op {
	case tesla.OpRed, tesla.OpAtom:
		s.Atomics += in.Threads
	case tesla.OpTexFetch, tesla.OpTexAuto, tesla.OpTexBias, tesla.OpTexLod:
		s.Texels += in.Threads
	case tesla.OpStShared:
		shared = &s.SharedStores
	}
	if device := s.device(op); device != nil {
		device.Add(&in.Memory.Device)
	}
	shared.Add(&in.Memory.Shared)
	s.Const.Add(&in.Memory.Const)
}

// device returns where accesses of an operation to device memory are counted, nil if it makes none that are.
func (s *MemoryStats) device(op tesla.Op) *mem.Traffic {
	switch op {
	case tesla.OpLdGlobal:
		return &s.GlobalLoads
	case tesla.OpStGlobal:
		return &s.GlobalStores
	case tesla.OpLdLocal:
		return &s.LocalLoads
	case tesla.OpStLocal:
		return &s.LocalStores
	}
	return nil
}

// cost returns what the access of each warp of s to memory is to be counted in, nil if there is nothing
// left to count: nobody wants to know, or the policy mixes warps. Then the access of all of s is
// one, and counted here. Local memory is apart for every home warp.
func (b *Block) cost(u *uop, to space, at lane.Rows, t tesla.Type, s *lane.Sel) *mem.Cost {
	if !b.priced {
		return nil
	}
	c := &b.access[u.slot].Cost
	if !b.convoy.mixes || to == spaceLocal {
		return c
	}
	var addr lane.Row
	for k, m := range s.Mask[:s.N] {
		for i, a := range at.At(int(s.Warp[k])) {
			if m>>i&1 != 0 {
				addr[i] = a
			}
		}
	}
	switch m, size := s.Columns(), uint32(mem.Size(t)); to {
	case spaceShared:
		c.Shared.CountShared(&addr, m, size)
	case spaceConst:
		c.Const.CountConst(&addr, m)
	default:
		c.Device.Count(&addr, m, size)
	}
	return nil
}

// countWord counts that the lanes of s read one word of s[], the same for all.
func (b *Block) countWord(u *uop, s *lane.Sel) {
	if !b.priced {
		return
	}
	n := 2 * s.N
	switch {
	case b.convoy.mixes:
		n = mem.HalfWarps(s.Columns())
	case !s.Full:
		n = halfWarps(s)
	}
	b.access[u.slot].Shared.AddSingle(n)
}

// halfWarps returns how many half-warps have a lane in s.
func halfWarps(s *lane.Sel) (n int) {
	for _, m := range s.Mask[:s.N] {
		n += mem.HalfWarps(m)
	}
	return n
}
