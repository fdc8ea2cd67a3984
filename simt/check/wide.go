package check

import (
	"slices"

	"jacquard/internal/debuginfo"
	"jacquard/simt/branch"
	"jacquard/simt/machine"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// wideAddress is what the address register of an access was made of: a word, shifted to the left.
type wideAddress struct {
	known bool
	of    *program.Source
	shift uint32
}

// value returns the address of a lane that the access would have if address registers had 32 bits.
// Differences that fit count as negative numbers, which an offset makes positive.
func (x *wideAddress) value(s *machine.State, w, l int, a program.Addressing) (addr uint32, ok bool) {
	if !x.known || a.Post {
		return 0, false
	}
	v := uint32(0)
	if x.of.Mode == program.SrcReg {
		v = s.Register(x.of.Index).At(w)[l]
	} else if v, ok = s.Shared.LoadWord(x.of.Offset, x.of.Type); !ok {
		return 0, false
	}
	v = x.of.Apply(v) << x.shift
	if p := debuginfo.InSpace(uint64(v)); p.Space != debuginfo.Global && p.Offset>>16 == 0 {
		v = uint32(p.Offset) // a generic address: the compiler lets the base of its window go
	}
	// The offset is a 16-bit number with or without a sign.
	if whole := v + a.Offset; whole>>16 == 0 {
		return whole, true
	}
	if whole := v + uint32(int32(int16(a.Offset))); whole>>16 == 0 {
		return whole, true
	}
	return v + a.Offset, true
}

// wideAddresses returns the origins of the address registers of all accesses, where straight code
// shows them. Shared memory begins with head bytes that nobody writes.
func wideAddresses(p *program.Program, head uint32) []wideAddress {
	list := make([]wideAddress, len(p.Code))
	targets := entries(p)
	for i := range p.Instructions() {
		for _, space := range []program.Space{program.SpaceShared, program.SpaceLocal, program.SpaceConst} {
			if a, _, ok := addressing(&p.Code[i], space); ok && targets != nil {
				list[i] = originOf(p, i, int(a.Base), targets, head)
			}
		}
	}
	return list
}

// entries returns for each instruction whether code may come there that does not come from the one
// before; nil if that is not known.
func entries(p *program.Program) []bool {
	list := make([]bool, len(p.Code))
	for i := range p.Code {
		u := &p.Code[i]
		if u.Ins.Op == tesla.OpBraIndirect {
			return nil
		}
		if u.Control && u.To >= 0 {
			list[u.To] = true
		}
		if u.Event == branch.Call {
			list[min(i+1, len(list)-1)] = true
		}
	}
	return list
}

// originOf returns what the address register of the instruction at an index was made of.
func originOf(p *program.Program, at, register int, targets []bool, head uint32) (none wideAddress) {
	for i := at - 1; i >= 0 && !targets[i+1]; i-- {
		u := &p.Code[i]
		if !slices.Contains(p.Effects(i).AddressRegisters, register) {
			continue
		}
		x := &u.Src[0]
		shift, fixed := shiftOf(p, u)
		if !fixed || u.Guarded || x.Mode != program.SrcReg && (x.Mode != program.SrcShared || x.Offset+4 > head) || x.Half {
			return none
		}
		for j := i; j < at; j++ {
			if x.Mode == program.SrcReg && slices.Contains(p.Effects(j).Registers, int(x.Index)) {
				return none
			}
		}
		return wideAddress{true, x, shift}
	}
	return none
}

// shiftOf returns by how many bits u shifts a word to the left into an address register.
func shiftOf(p *program.Program, u *program.Op) (bits uint32, ok bool) {
	if u.Ins.Op != tesla.OpShlToAddr || u.Src[1].Mode != program.SrcRow {
		return 0, false
	}
	r := &p.Rows[u.Src[1].Index]
	return r.Word, r.Bank < 0 && r.Word < 32
}
