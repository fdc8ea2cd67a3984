package x86

import (
	"iter"
	"slices"
)

// encoded is a way to encode an operation: with VEX or EVEX, of a width.
type encoded struct {
	evex bool
	l    Width
}

// encodingsOf returns the encodings of a row.
func encodingsOf(r *row) (all []encoded) {
	for l := X; l <= Z; l++ {
		if r.enc&(v1<<l) != 0 && l < Z {
			all = append(all, encoded{false, l})
		}
	}
	for l := X; l <= Z; l++ {
		if r.enc&(e1<<l) != 0 {
			all = append(all, encoded{true, l})
		}
	}
	return all
}

// Registers at the edges of what their fields hold.
var (
	edges16 = []uint8{0, 7, 8, 15}
	edges32 = []uint8{0, 7, 8, 15, 16, 31}
	edgesK  = []uint8{0, 1, 7}
	bases   = []Reg{RAX, RSP, RBP, RDI, R8, R12, R13, R15}
)

// forms returns instructions of a row in one encoding that together use every field: all triples of
// registers at the edges, addresses of all shapes, masks, broadcast, rounding. The row's valid does
// not choose them, so a row that forbids too much shows up as a panic.
func forms(r *row, e encoded) iter.Seq[Ins] {
	return func(yield func(Ins) bool) {
		n := uint8(0)
		put := func(i Ins) bool {
			i.Op, i.L = r.op, e.l
			if r.x&imm8 != 0 {
				n += 37
				i.Imm = n
				if r.op == VCMPPS || r.op == VCMPPD {
					i.Imm &= 31
				}
				if r.mem == mem16 || r.mem == mem32 || r.op >= VPCMPB && r.op <= VPCMPUQ {
					i.Imm &= 7 // of parts and relations; the mnemonics of relations 3 and 7 exist too
				}
			}
			if r.x&needK != 0 && e.evex && i.K == 0 {
				i.K = 5
			}
			return yield(i)
		}
		if r.form == nul {
			put(Ins{})
			return
		}
		_ = registers(r, e, put) && addresses(r, e, put) && decorations(r, e, put)
	}
}

// fieldEdges are the edges of the registers D, S and RM.
func fieldEdges(r *row, e encoded) (d, s, rm []uint8) {
	v := edges16
	if e.evex {
		v = edges32
	}
	d, s, rm = v, v, v
	if r.x&dR != 0 {
		d = edges16
	}
	if r.x&dK != 0 && (e.evex || r.enc&evex == 0) {
		d = edgesK
	}
	if r.x&sK != 0 {
		s = edgesK
	}
	if r.x&rmK != 0 {
		rm = edgesK
	}
	if r.x&rmR != 0 {
		rm = edges16
	}
	if !usesS(r, e) {
		s = []uint8{0}
	}
	if r.form == m {
		d = []uint8{0}
	}
	return d, s, rm
}

// usesS tells whether the field S counts.
func usesS(r *row, e encoded) bool {
	return r.form == rvm || r.form == rvmr || r.form == stv || r.form == gather && !e.evex
}

// hasRegRM tells whether RM can be a register.
func hasRegRM(r *row) bool {
	return r.x&memOnly == 0 && r.form != st && r.form != stv && r.form != gather
}

// regRM is RM as the register n.
func regRM(r *row, n uint8) Operand {
	switch {
	case r.x&rmK != 0:
		return K(n)
	case r.x&rmR != 0:
		return R(Reg(n))
	}
	return V(n)
}

// registers puts all triples of registers.
func registers(r *row, e encoded, put func(Ins) bool) bool {
	if !hasRegRM(r) {
		return true
	}
	ds, ss, rms := fieldEdges(r, e)
	for _, d := range ds {
		for _, s := range ss {
			for _, rm := range rms {
				if !put(Ins{D: d, S: s, RM: regRM(r, rm), M: s & 15}) {
					return false
				}
			}
		}
	}
	return true
}

// hasMemory tells whether RM can be memory.
func hasMemory(r *row, e encoded) bool {
	return r.mem != noMem && (e.evex || r.x&vexReg == 0)
}

// addresses puts memory operands of all shapes.
func addresses(r *row, e encoded, put func(Ins) bool) bool {
	if !hasMemory(r, e) {
		return true
	}
	ds, ss, _ := fieldEdges(r, e)
	if r.x&dR != 0 && r.form == mr && e.evex {
		ds = edges32 // the vector stored
	}
	unit := int32(1) << r.mem.shift(e.l, false)
	n := 0
	one := func(o Operand) bool {
		n++
		i := Ins{D: ds[n%len(ds)], S: ss[n/2%len(ss)], RM: o, M: uint8(n) & 15}
		if r.form == gather && !e.evex && i.D == i.S {
			i.S = 9
		}
		return put(i)
	}
	indexed := func(o Operand, index, scale uint8) Operand {
		if r.form == gather {
			return o.Gather(index, scale)
		}
		return o.Index(Reg(index), scale)
	}
	for _, b := range bases {
		for _, disp := range []int32{0, 1, 127, 128, -128, -129, unit, 127 * unit, 128 * unit,
			-128 * unit, -129 * unit, unit / 2, 1 << 30, -1 << 31} {
			o := At(b, disp)
			if r.form == gather {
				v := otherThan(ds[(n+1)%len(ds)], ss[(n+1)/2%len(ss)], e)
				o = o.Gather(v, 1<<(n%4))
			}
			if !one(o) {
				return false
			}
		}
	}
	if r.form == gather {
		return true
	}
	for _, b := range bases {
		for k, x := range []uint8{0, 5, 7, 8, 12, 13, 15} {
			if !one(indexed(At(b, int32(k%3)*unit), x, 1<<(k&3))) {
				return false
			}
		}
	}
	return true
}

// otherThan returns an edge register for the indices of a gather, unlike its other two vectors.
func otherThan(d, s uint8, e encoded) uint8 {
	v := edges16
	if e.evex {
		v = edges32
	}
	n := slices.IndexFunc(v, func(x uint8) bool { return x != d && x != s && (int(x)+int(d))%3 != 0 })
	if n < 0 {
		return 3
	}
	return v[n]
}

// decorations puts opmasks, zeroing, broadcast and rounding.
func decorations(r *row, e encoded, put func(Ins) bool) bool {
	if !e.evex {
		return true
	}
	ds, ss, rms := fieldEdges(r, e)
	d, s := ds[len(ds)-1], ss[len(ss)-1]
	plain := Ins{D: d, S: s}
	for _, o := range operands(r, e, rms) {
		isMem := o.kind == memory
		for _, k := range []uint8{0, 1, 7} {
			if r.x&noK != 0 && k != 0 {
				continue
			}
			i := plain
			i.RM, i.K = o, k
			if isMem && r.x&dR != 0 && r.form == mr {
				i.D = 31
			}
			if !put(i) {
				return false
			}
			i.Zero = true
			stores := isMem && (r.form == mr || r.form == st)
			if k != 0 && !stores && r.x&(dK|needK) == 0 && !put(i) {
				return false
			}
			i.Zero = false
			if o.kind == vector && r.x&(er|sae) != 0 && (e.l == Z || r.x&lig != 0) {
				rounds := []Round{RN, RD, RU, RZ}
				if r.x&sae != 0 {
					rounds = []Round{SAE}
				}
				for _, i.Round = range rounds {
					if !put(i) {
						return false
					}
				}
			}
		}
	}
	return true
}

// operands are some operands RM, with broadcast ones if the row has them.
func operands(r *row, e encoded, rms []uint8) (all []Operand) {
	if hasRegRM(r) {
		all = append(all, regRM(r, rms[len(rms)-1]))
	}
	if !hasMemory(r, e) || r.form == gather {
		return all
	}
	all = append(all, At(RSI, 64))
	if r.mem.canBcst() {
		unit := int32(1) << r.mem.shift(e.l, true)
		all = append(all, At(RSI, unit).Bcst(), At(RBP, 0).Bcst(), At(R12, -128*unit).Bcst(),
			At(R13, 128*unit).Bcst(), At(R9, unit/2).Index(R14, 4).Bcst())
	}
	return all
}
