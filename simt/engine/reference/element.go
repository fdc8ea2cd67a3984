package reference

import (
	"encoding/binary"

	"jacquard/simt/mem"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// element is the data of one lane's access: up to 16 bytes, as little-endian words.
type element [4]uint32

const fenceBytes = 4096 // of the fence window (docs/isa/memory.md, The fence window)

// extended returns an element of up to 32 bits as a register (docs/isa/memory.md, Sizes).
func (e element) extended(t tesla.Type) uint32 {
	switch t {
	case tesla.S8:
		return uint32(int32(int8(e[0])))
	case tesla.S16:
		return uint32(int32(int16(e[0])))
	}
	return e[0]
}

// probe returns the violation of a thread's access at an address, or 0.
func (a *access) probe(t thread, addr uint32) mem.Kind {
	end := uint64(addr) + uint64(a.size)
	switch {
	case a.space == program.SpaceUnmapped:
		return mem.Unmapped
	case a.space == program.SpaceFence && a.stores:
		return mem.ReadOnly
	case addr%uint32(a.size) != 0 && !(a.fixed && a.space == program.SpaceConst):
		return mem.Misaligned
	case a.space == program.SpaceGlobal:
		return a.probeGlobal(addr)
	case a.space == program.SpaceFence && end > fenceBytes,
		a.space == program.SpaceShared && end > uint64(len(a.Shared.Bytes())),
		a.space == program.SpaceLocal && end > uint64((a.Program.Kernel.Local+15)/16*16):
		return mem.OutOfRange
	}
	return 0
}

// probeGlobal finds the allocation of an address. Beyond its end there may be slack.
func (a *access) probeGlobal(addr uint32) mem.Kind {
	base, size, ok := a.Global.Owner(addr)
	end := uint64(addr-base) + uint64(a.size)
	switch {
	case !ok:
		return mem.Unmapped
	case end <= size:
		return 0
	case end <= uint64(len(a.Global.Reach(base))):
		return mem.Overrun
	}
	return mem.OutOfRange
}

// element reads the element of a thread at an address that was probed.
func (a *access) element(t thread, addr uint32) element {
	var b [16]byte
	switch a.space {
	case program.SpaceGlobal:
		return element(a.Global.Read(addr, a.t))
	case program.SpaceFence:
		mem.Fence()
	case program.SpaceConst: // bytes beyond the bank are 0
		if bank := a.Const[a.bank]; int(addr) < len(bank) {
			copy(b[:a.size], bank[addr:])
		}
	case program.SpaceShared:
		copy(b[:a.size], a.Shared.Bytes()[addr:])
	case program.SpaceLocal:
		for i := range a.size {
			b[i] = byte(*t.local(addr + uint32(i)) >> (8 * (addr + uint32(i)) % 32))
		}
	}
	var e element
	for i := range e {
		e[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return e
}

// put writes the element of a thread at an address that was probed.
func (a *access) put(t thread, addr uint32, e element) {
	var b [16]byte
	for i := range e {
		binary.LittleEndian.PutUint32(b[4*i:], e[i])
	}
	switch a.space {
	case program.SpaceGlobal:
		a.Global.Write(addr, a.t, mem.Element(e))
	case program.SpaceShared:
		copy(a.Shared.Bytes()[addr:], b[:a.size])
	case program.SpaceLocal:
		for i, v := range b[:a.size] {
			word, shift := t.local(addr+uint32(i)), 8*(addr+uint32(i))%32
			*word = *word&^(0xff<<shift) | uint32(v)<<shift
		}
	}
}

// local returns the word of the thread's local memory that holds a byte.
func (t thread) local(addr uint32) *uint32 { return &t.st.LocalOf(t.warp)[addr/4][t.lane] }
