package code

import (
	"slices"

	"jacquard/decoder"
	"jacquard/tesla"
)

// host chooses the instructions that carry joins: the first of a block that can, if it can come
// first. A join that no instruction carries costs a nop.
func host(f *Func) {
	for _, b := range f.Blocks {
		b.hosted = b.joins > 0 && !b.partly && f.findHost(b)
	}
}

// maxAhead is the number of instructions that a host may overtake.
const maxAhead = 6

// findHost brings an instruction that can be a join to the start of the block.
func (f *Func) findHost(b *Block) bool {
	for i := range min(len(b.Code), maxAhead+1) {
		if f.canHost(&b.Code[i].In, tesla.MarkerJoin) && overtakes(b.Code, i) {
			x := b.Code[i]
			b.Code = slices.Insert(slices.Delete(b.Code, i, i+1), 0, x)
			return true
		}
	}
	for i := range min(len(b.Code), maxAhead+1) {
		x := b.Code[i]
		join := func(in *tesla.Instruction) bool { return f.canHost(in, tesla.MarkerJoin) && overtakes(b.Code, i) }
		if f.useLiteral(&x.In, join) {
			b.Code = slices.Insert(slices.Delete(b.Code, i, i+1), 0, x)
			return true
		}
	}
	return false
}

// canHost reports whether an instruction can carry a marker.
func (f *Func) canHost(in *tesla.Instruction, m tesla.Marker) bool {
	if in.Guard.Cond != tesla.CondAlways || in.Marker != tesla.MarkerNone {
		return false
	}
	x := *in
	x.Size, x.Marker = 8, m
	return f.encodes(&x)
}

// encodes reports whether an instruction has an encoding.
func (f *Func) encodes(in *tesla.Instruction) bool {
	_, _, err := decoder.Encode(f.Arch, *in)
	return err == nil
}

// overtakes reports whether instruction i can be executed before all that come first in its block.
func overtakes(code []Instr, i int) bool {
	if i == 0 {
		return true
	}
	x := &code[i].In
	if touchesMemory(x) {
		return false
	}
	reads, writes := registersOf(x.Uses()), registersOf(x.Defs())
	for k := range code[:i] {
		y := &code[k].In
		if y.Op == tesla.OpBar || y.Op == tesla.OpVote {
			return false
		}
		r, w := registersOf(y.Uses()), registersOf(y.Defs())
		if w.clash(&reads) || w.clash(&writes) || r.clash(&writes) {
			return false
		}
	}
	return true
}

// touchesMemory reports whether an instruction reads or writes memory that may change, or acts on
// other lanes.
func touchesMemory(in *tesla.Instruction) bool {
	switch in.Op.Class() {
	case tesla.ClassMove, tesla.ClassInteger, tesla.ClassFloat, tesla.ClassDouble, tesla.ClassSpecial,
		tesla.ClassConvert, tesla.ClassConstant:
	default:
		return true
	}
	return in.Op.DependsOnLane() || in.Src[0].Kind == tesla.Shared
}

// physicals is a set of physical registers of all classes.
type physicals [3]uint64

// registersOf returns a set that can be compared fast.
func registersOf(s tesla.Registers) physicals {
	var p physicals
	for r := range s.General() {
		p[r>>6] |= 1 << (r & 63)
	}
	for r := range s.Addresses() {
		p[2] |= 1 << r
	}
	for r := range s.Conditions() {
		p[2] |= 1 << (8 + r)
	}
	return p
}

func (p *physicals) clash(o *physicals) bool {
	return p[0]&o[0]|p[1]&o[1]|p[2]&o[2] != 0
}
