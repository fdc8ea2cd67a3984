package count

import (
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

// device returns where accesses of an operation to device memory are counted, nil if it makes none
// that are.
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
