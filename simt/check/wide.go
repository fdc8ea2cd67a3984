package check

import (
	"slices"

	"jacquard/internal/debuginfo"
	"jacquard/simt/branch"
	"jacquard/simt/lane"
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

// fits reports whether the addresses of lanes are surely those that they would be with 32 bits.
func (x *wideAddress) fits(s *machine.State, w int, a program.Addressing, addr *lane.Row, m lane.Mask) bool {
	if !x.known || a.Post {
		return true
	}
	for ; m != 0; m &= m - 1 {
		l := lowest(m)
		if whole, ok := x.value(s, w, l, a); ok && whole != addr[l] {
			return false
		}
	}
	return true
}

// most returns what no address of the warp exceeds, whatever lanes access; ok is false if that is
// more than address registers hold, or not known so fast.
func (x *wideAddress) most(s *machine.State, w int, a program.Addressing) (most uint32, ok bool) {
	if !x.known || a.Post || x.of.Mode != program.SrcReg || x.of.Fix != 0 || x.of.Half {
		return 0, false
	}
	for _, v := range s.Register(x.of.Index).At(w) {
		most |= v
	}
	end := uint64(most)<<x.shift + uint64(a.Offset)
	return uint32(end), end < 1<<16
}

// indexedAccess is an access to shared memory, local memory or constants by an address register.
type indexedAccess struct {
	program.Addressing
	bank       uint8 // of constants
	from       wideAddress
	beyondHead bool // an access to the header of shared memory is a mistake
	there      bool
}

// indexedSpaces are the spaces that address registers access.
var indexedSpaces = [...]program.Space{program.SpaceShared, program.SpaceLocal, program.SpaceConst}

// accessAt returns the access of an instruction to a space in the list of indexedAccesses, nil if
// there is none.
func accessAt(list []indexedAccess, at int32, space program.Space) *indexedAccess {
	for i, s := range indexedSpaces {
		if x := &list[int(at)*len(indexedSpaces)+i]; s == space && x.there {
			return x
		}
	}
	return nil
}

// indexedAccesses returns the accesses by address registers of all instructions, and where straight
// code shows what the registers were made of. Shared memory begins with head bytes that nobody
// writes.
func indexedAccesses(p *program.Program, head uint32) []indexedAccess {
	list := make([]indexedAccess, len(p.Code)*len(indexedSpaces))
	targets := entries(p)
	for i := range p.Instructions() {
		for k, space := range indexedSpaces {
			a, bank, ok := addressing(&p.Code[i], space)
			if !ok || p.Code[i].Refusal != nil {
				continue
			}
			x := &list[i*len(indexedSpaces)+k]
			*x = indexedAccess{Addressing: a, bank: bank, there: true}
			if targets != nil {
				x.from = originOf(p, i, int(a.Base), targets, head)
			}
			x.beyondHead = x.from.known || p.Code[i].Ins.Op == tesla.OpStShared
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
