package reference

import (
	"iter"

	"jacquard/simt/lane"
	"jacquard/simt/machine"
)

// thread is one lane of a warp of a state (docs/isa/machine.md).
type thread struct {
	st   *machine.State
	warp int
	lane int
}

// threads yields the threads of a selection, and the positions of their warps in it: warp by warp,
// the lowest lane first.
func threads(st *machine.State, s *lane.Sel) iter.Seq2[int, thread] {
	return func(yield func(int, thread) bool) {
		for k := range s.N {
			for i := range lane.Width {
				if s.Mask[k]>>i&1 != 0 && !yield(k, thread{st, int(s.Warp[k]), i}) {
					return
				}
			}
		}
	}
}

// reg reads a register. Registers beyond the kernel's read 0.
func (t thread) reg(n int) uint32 {
	if n >= t.st.Program.Kernel.Registers {
		return 0
	}
	return t.st.RegisterRow(n, t.warp)[t.lane]
}

// setReg writes a register. Writes beyond the kernel's registers are dropped.
func (t thread) setReg(n int, v uint32) {
	if n < t.st.Program.Kernel.Registers {
		t.st.RegisterRow(n, t.warp)[t.lane] = v
	}
}

// half reads a half register: 2N is the low half of register N, 2N+1 the high one.
func (t thread) half(n int) uint32 { return t.reg(n/2) >> (16 * (n % 2)) & 0xffff }

// setHalf writes a half register and keeps the other half.
func (t thread) setHalf(n int, v uint32) {
	shift := 16 * (n % 2)
	t.setReg(n/2, t.reg(n/2)&^(0xffff<<shift)|v&0xffff<<shift)
}

// pair reads a register pair, the low word first.
func (t thread) pair(n int) uint64 { return uint64(t.reg(n+1))<<32 | uint64(t.reg(n)) }

// setPair writes a register pair.
func (t thread) setPair(n int, v uint64) {
	t.setReg(n, uint32(v))
	t.setReg(n+1, uint32(v>>32))
}

// addr reads an address register. $a0, $a5 and $a6 read 0.
func (t thread) addr(n uint8) uint32 {
	if n == 0 || n == 5 || n == 6 {
		return 0
	}
	return t.st.Address(uint8(n)).At(t.warp)[t.lane]
}

// setAddr writes 16 bits to an address register, if it exists.
func (t thread) setAddr(n uint8, v uint32) {
	if n != 0 && n != 5 && n != 6 {
		t.st.Address(uint8(n)).At(t.warp)[t.lane] = v & 0xffff
	}
}

// cond reads the four bits of a condition register.
func (t thread) cond(n uint8) (v uint8) {
	f := &t.st.Flags[n][t.warp]
	for bit, m := range [...]lane.Mask{f.Z, f.S, f.C, f.O} {
		v |= uint8(m>>t.lane&1) << bit
	}
	return v
}

// setCond writes the four bits of a condition register.
func (t thread) setCond(n, v uint8) {
	f := &t.st.Flags[n][t.warp]
	for bit, m := range [...]*lane.Mask{&f.Z, &f.S, &f.C, &f.O} {
		*m = *m&^(1<<t.lane) | lane.Mask(v>>bit&1)<<t.lane
	}
}
