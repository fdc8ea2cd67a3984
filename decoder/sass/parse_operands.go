package sass

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"jacquard/tesla"
)

// These functions reverse the functions of the same names in operands.go.

// usual is the destination and all sources.
func (r *reader) usual() bool { return r.destination() && r.sourcesOnly() }

// destination reads the destination; "o [0x7f]" is none, or a discarded one.
func (r *reader) destination() bool {
	if r.in.Form.Places(tesla.RoleDst) == nil {
		_, ok := r.word("o [0x7f]")
		return ok
	}
	return r.operand(tesla.RoleDst, &r.in.Dst)
}

// sourcesOnly reads the sources that the form prints; some are optional.
func (r *reader) sourcesOnly() bool {
	for i := range r.in.Src {
		places := r.in.Form.Places(i)
		if places == nil || r.at == len(r.list) && slices.Contains(places, tesla.Place{}) {
			continue
		}
		if !r.operand(i, &r.in.Src[i]) {
			return false
		}
	}
	return true
}

func (r *reader) nothing() bool { return true }

func (r *reader) flow() bool {
	if g, ok := parseGuard(r.next()); ok {
		r.in.Guard = g
		r.at++
	}
	return r.sourcesOnly()
}

func (r *reader) jump() bool {
	if !r.flow() {
		return false
	}
	text := r.next()
	if text == "" {
		return r.want("an address", "a label")
	}
	v, err := strconv.ParseUint(text, 0, 32)
	if r.in.Target = uint32(v); err != nil {
		r.label = text
	}
	r.at++
	return true
}

func (r *reader) barrierNumber() bool {
	id, ok := strings.CutPrefix(r.next(), "b")
	n, err := strconv.ParseUint(id, 10, 4)
	if !ok || err != nil {
		return r.want("a barrier b0")
	}
	r.at++
	if r.in.Barrier.ID = uint8(n); r.in.Barrier.All {
		return true
	}
	count, ok := r.number()
	r.in.Barrier.Count = uint16(count)
	return ok
}

func (r *reader) comparison() bool {
	if !r.usual() {
		return false
	}
	i, ok := r.word(comparisons[:]...)
	if r.in.Op == tesla.OpISet && i == len(comparisons)-1 {
		i &^= int(tesla.Unordered)
	}
	r.in.Cmp = tesla.Cmp(i)
	return ok
}

func (r *reader) sum() bool {
	if !r.usual() {
		return false
	}
	first, last := &r.in.Src[0], &r.in.Src[1]
	if r.in.Op == tesla.OpIMad {
		last = &r.in.Src[2]
	}
	negative := map[tesla.Arith][2]bool{tesla.Sub: {false, true}, tesla.SubR: {true, false}}[r.in.Arith]
	fits := [2]bool{first.Neg, last.Neg} == negative
	first.Neg, last.Neg = false, false
	return fits
}

func (r *reader) toMemory() bool { return r.sourcesOnly() }

func (r *reader) toCondition() bool { return r.condition() && r.sourcesOnly() }

// condition reads the condition register written.
func (r *reader) condition() bool {
	i, ok := r.word("o [0x7f]", "C0", "C1", "C2", "C3")
	r.in.CDst = tesla.CReg(i)
	return ok
}

func (r *reader) toAddress() bool {
	if len(r.list) == 2 {
		r.list = append(slices.Clip(r.list), part{"0x0", len(r.tokens) - 1})
	}
	return r.usual()
}

func (r *reader) reductionForEx2() bool { return r.usual() && r.is("EX2") }

func (r *reader) reductionForSin() bool { return r.usual() && r.is("SIN") }

func (r *reader) selection() bool { return r.usual() && r.is("GE") }

func (r *reader) is(word string) bool {
	_, ok := r.word(word)
	return ok
}

func (r *reader) swizzle() bool {
	if !r.usual() {
		return false
	}
	quadLane, ok := r.number()
	does := strings.Split(r.next(), ".")
	if !ok || len(does) != 4 {
		return r.want("four operations like ADD.SUB.SUBR.MOV")
	}
	r.in.QuadLane = uint8(quadLane)
	for i, d := range does {
		q := slices.Index(swizzles[:], d)
		if q < 0 {
			return r.want("four operations like ADD.SUB.SUBR.MOV")
		}
		r.in.Quad[i] = tesla.Arith(q)
	}
	r.at++
	return true
}

func (r *reader) voted() bool {
	if !r.condition() {
		return false
	}
	g, ok := parseGuard(r.next())
	if !ok && r.next() != "TRUE" {
		return r.want("a condition like C0.NE", "TRUE")
	}
	r.in.Guard = g
	r.at++
	return true
}

func (r *reader) texel() bool {
	k, index, ok := register(r.next())
	if !ok || k != tesla.Reg {
		return r.want("a register R0")
	}
	r.in.Dst = tesla.Operand{Kind: tesla.Reg, Index: index}
	r.at++
	unit, ok1 := r.number()
	sampler, ok2 := r.number()
	if !ok1 || !ok2 || !r.components() {
		return false
	}
	t := &r.in.Tex
	t.Unit, t.Sampler = uint8(unit), uint8(sampler)
	i, ok := r.word("1D", "2D", "3D", "4D")
	if t.Coords > 0 { // other operations print 1D
		t.Coords = uint8(i + 1)
	}
	if strings.HasPrefix(r.next(), "(") {
		var v [3]int8
		if _, err := fmt.Sscanf(r.next(), "(%d,%d,%d)", &v[0], &v[1], &v[2]); err != nil {
			return r.want("offsets like (0,1,-1)")
		}
		t.Offset = v
		r.at++
	}
	return ok && r.sourcesOnly()
}

// components reads the components of a fetch.
func (r *reader) components() bool {
	text := r.next()
	mask := uint8(0)
	for i, c := range "RGBA" {
		if strings.HasPrefix(text, string(c)) {
			mask, text = mask|1<<i, text[1:]
		}
	}
	if text != "" && (text != "NONE" || mask != 0) {
		return r.want("components like RGA")
	}
	r.in.Tex.Mask = mask
	r.at++
	return true
}
