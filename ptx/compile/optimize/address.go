package optimize

import (
	"jacquard/ptx"
	"jacquard/ptx/compile/ir"
)

// Addresses gives accesses of shared, constant and local memory the form of the machine: an address
// register, or none, and an offset.
func Addresses(f *ir.Func) {
	s := &simplifier{f: f, carried: carried(f)}
	for _, b := range f.Blocks {
		s.at, s.out = b, nil
		for _, v := range b.Values {
			s.line = v.Line
			if (v.Op == ir.Load || v.Op == ir.Store) && indexed(v.Space) {
				s.address(v)
			}
			s.out = append(s.out, v)
		}
		b.Values = s.out
	}
}

// indexed reports whether a space is reached through address registers.
func indexed(s ptx.Space) bool { return s == ptx.Shared || s == ptx.Const || s == ptx.Local }

// address splits the address of an access. Addresses have 16 bits: the upper bits of generic
// addresses are dropped.
func (s *simplifier) address(v *ir.Value) {
	base, offset := v.Args[0], uint32(v.Imm)
	if base.Kind == ir.Addr {
		return
	}
	for base.Op == ir.Add && base.Args[1].Op == ir.Const && !base.Sat {
		offset += uint32(base.Args[1].Imm)
		base = base.Args[0]
	}
	reg := s.f.Const(ir.Addr, 0)
	if c, ok := constant(base); ok {
		offset += c
	} else {
		reg = s.register(base)
	}
	if far := offset & 0xffff &^ reach(v); far != 0 {
		reg = s.offset(reg, far)
	}
	v.SetArg(0, reg)
	v.Imm = uint64(offset & reach(v))
}

// reach returns the largest offset that an access takes, one less than a power of two: 32 units of
// the type in shared loads, which are operands of ordinary instructions.
func reach(v *ir.Value) uint32 {
	if v.Op == ir.Load && v.Space == ptx.Shared {
		return uint32(32*min(v.Sub.Bits(), 32)/8 - 1)
	}
	if v.Space == ptx.Shared {
		return 1<<14 - 1
	}
	return 1<<16 - 1
}

// register moves a Word to an address register.
func (s *simplifier) register(base *ir.Value) *ir.Value {
	n := uint32(0)
	if base.Op == ir.Shl {
		if c, ok := constant(base.Args[1]); ok && c < 16 {
			base, n = base.Args[0], c
		}
	}
	v := s.new(ir.Shl16, ir.Addr, base)
	v.Imm = uint64(n)
	return v
}

// offset adds to an address register, modulo 2^16.
func (s *simplifier) offset(reg *ir.Value, offset uint32) *ir.Value {
	v := s.new(ir.AddrTo, ir.Addr, reg)
	v.Imm = uint64(uint16(offset))
	return v
}
