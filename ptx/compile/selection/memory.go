package selection

import (
	"fmt"

	"jacquard/ptx"
	"jacquard/ptx/compile/code"
	"jacquard/ptx/compile/ir"
	"jacquard/tesla"
)

// globalWindow is the number of g[] that reaches all of global memory.
const globalWindow = 14

// fetch selects loads.
func (s *selector) fetch(v *ir.Value) {
	switch {
	case v.Op == ir.Param:
		s.fetchParam(v)
	case v.Op == ir.Header:
		in := instr(tesla.OpCvt, tesla.U32)
		in.In.From = tesla.U16
		put(&in, s.target(v), operand{t: sharedAt(uint32(v.Imm), tesla.U16)})
		s.emit(in)
	case v.Space == ptx.Shared:
		s.fetchShared(v)
	case v.Space == ptx.Const:
		s.fetchConst(v)
	case v.Space == ptx.Local:
		in := instr(tesla.OpLdLocal, wideType(v))
		put(&in, s.vector(v), operand{tesla.Operand{Kind: tesla.Local, Value: uint32(v.Imm)}, code.Operand{Base: s.base(v.Args[0])}})
		s.emit(in)
	default:
		in := instr(tesla.OpLdGlobal, wideType(v))
		put(&in, s.vector(v), s.global(v))
		s.emit(in)
	}
}

// fetchParam loads a parameter from s[].
func (s *selector) fetchParam(v *ir.Value) {
	t := memoryType(v.Sub)
	offset := uint32(v.Imm) + paramStart
	o := operand{t: sharedAt(offset, sharedType(t))}
	if !inReach(offset, sharedType(t)) {
		o = s.far(0, offset, sharedType(t))
	}
	s.fromShared(v, t, o)
}

// sharedType returns the type of an access of s[], which has no signed bytes.
func sharedType(t tesla.Type) tesla.Type {
	if t == tesla.S8 {
		return tesla.U8
	}
	return t
}

// fetchShared loads from s[].
func (s *selector) fetchShared(v *ir.Value) {
	t := memoryType(v.Sub)
	if v.Lock {
		if s.out.Arch < tesla.SM12 {
			s.errs = append(s.errs, fmt.Errorf("%s has no atomic operations on shared memory, which "+
				"a generic address leads to", s.out.Arch))
		}
		in := instr(tesla.OpLdShared, tesla.B32)
		in.In.Mods, in.CDst = tesla.Lock, s.flags[v.ID]
		put(&in, s.target(v), operand{sharedAt(uint32(v.Imm), t), code.Operand{Base: s.base(v.Args[0])}})
		s.emit(in)
		return
	}
	o := operand{sharedAt(uint32(v.Imm), sharedType(t)), code.Operand{Base: s.base(v.Args[0])}}
	if !inReach(uint32(v.Imm), sharedType(t)) {
		o = s.far(o.c.Base, uint32(v.Imm), sharedType(t))
	}
	s.fromShared(v, t, o)
}

// far is an operand in s[] beyond the reach of an offset: the offset goes into an address register.
func (s *selector) far(base code.Reg, offset uint32, t tesla.Type) operand {
	d := s.newReg(code.Addr)
	s.addAddr(d, base, offset)
	return operand{sharedAt(0, t), code.Operand{Base: d}}
}

// addAddr is d = base + offset between address registers; base 0 is $a0, which is zero.
func (s *selector) addAddr(d, base code.Reg, offset uint32) {
	in := instr(tesla.OpAddAddr, tesla.B16)
	in.In.Dst, in.Dst.Regs[0] = tesla.Operand{Kind: tesla.AddrReg}, d
	in.In.Src[0], in.Src[0].Regs[0] = tesla.Operand{Kind: tesla.AddrReg}, base
	in.In.Src[1] = tesla.Operand{Kind: tesla.Imm, Value: offset & 0xffff}
	s.emit(in)
}

// fromShared moves or extends the value of an operand in s[].
func (s *selector) fromShared(v *ir.Value, t tesla.Type, o operand) {
	in := instr(tesla.OpMov, tesla.B32)
	if t != tesla.B32 {
		in = instr(tesla.OpCvt, tesla.U32)
		in.In.From = t
		if t == tesla.S8 || t == tesla.S16 {
			in.In.Type = tesla.S32
		}
	}
	put(&in, s.target(v), o)
	s.emit(in)
}

// fetchConst loads from c0[].
func (s *selector) fetchConst(v *ir.Value) {
	t := memoryType(v.Sub)
	in := instr(tesla.OpLdConst, sharedType(t))
	o := operand{tesla.Operand{Kind: tesla.Const, Index: 0, Type: sharedType(t), Value: uint32(v.Imm)}, code.Operand{Base: s.base(v.Args[0])}}
	if o.t.Value%uint32(t.Bytes()) != 0 { // the offset counts units of the type
		d := s.newReg(code.Addr)
		s.addAddr(d, o.c.Base, o.t.Value)
		o.t.Value, o.c.Base = 0, d
	}
	if t != tesla.S8 {
		put(&in, s.target(v), o)
		s.emit(in)
		return
	}
	byteReg := s.newReg(code.Word)
	put(&in, operand{tesla.Operand{Kind: tesla.Reg}, code.Operand{Regs: [4]code.Reg{byteReg}}}, o)
	s.emit(in)
	ext := instr(tesla.OpCvt, tesla.S32)
	ext.In.From = tesla.S8W
	put(&ext, s.target(v), operand{tesla.Operand{Kind: tesla.Reg}, code.Operand{Regs: [4]code.Reg{byteReg}}})
	s.emit(ext)
}

// wideType returns the type of an access of l[] or g[].
func wideType(v *ir.Value) tesla.Type {
	switch {
	case v.Count == 2 || v.Sub.Bits() == 64:
		return tesla.B64
	case v.Count > 2:
		return tesla.B128
	}
	return memoryType(v.Sub)
}

// vector is the destination of a load.
func (s *selector) vector(v *ir.Value) operand { return vectorOf(s.words(v), v.Words()) }

func vectorOf(regs [4]code.Reg, n int) operand {
	kind := tesla.Reg
	switch {
	case n == 2:
		kind = tesla.Pair
	case n > 2:
		kind = tesla.Quadruple
	}
	return operand{tesla.Operand{Kind: kind}, code.Operand{Regs: regs}}
}

// global is the operand of an access of global memory. The machine has no offset there.
func (s *selector) global(v *ir.Value) operand {
	a := v.Args[0]
	r := code.Reg(0)
	if v.Imm == 0 {
		r = s.reg(a)
	} else {
		r = s.newReg(code.Word)
		in := into(instr(tesla.OpIAdd, tesla.B32), r)
		x, y, _ := s.two(a, s.f.Word(uint32(v.Imm)), forms{shared: true, konst: true, imm: true}, false)
		put(&in, operand{tesla.Operand{Kind: tesla.Reg}, code.Operand{Regs: [4]code.Reg{r}}}, x, y)
		s.emit(in)
	}
	return operand{tesla.Operand{Kind: tesla.Global, Index: globalWindow}, code.Operand{Regs: [4]code.Reg{r}}}
}

// store selects stores.
func (s *selector) store(v *ir.Value) {
	data := v.Args[1:]
	switch v.Space {
	case ptx.Shared:
		s.storeShared(v, data[0])
	case ptx.Local:
		in := instr(tesla.OpStLocal, wideType(v))
		m := operand{tesla.Operand{Kind: tesla.Local, Value: uint32(v.Imm)}, code.Operand{Base: s.base(v.Args[0])}}
		put(&in, operand{}, m, s.stored(data))
		s.emit(in)
	default:
		in := instr(tesla.OpStGlobal, wideType(v))
		x := s.stored(data)
		put(&in, operand{}, s.global(v), x)
		s.emit(in)
	}
}

// stored is the operand of the Words that a store writes.
func (s *selector) stored(data []*ir.Value) operand {
	if len(data) == 1 {
		return s.register(data[0])
	}
	var regs [4]code.Reg
	for i, d := range data {
		regs[i] = s.reg(d)
	}
	return vectorOf(regs, len(data))
}

// sharedStoreReach is the largest offset of a store to s[], in units of the access type.
const sharedStoreReach = 1<<14 - 1

func (s *selector) storeShared(v, data *ir.Value) {
	t := memoryType(v.Sub)
	switch t {
	case tesla.S8:
		t = tesla.U8
	case tesla.S16:
		t = tesla.U16
	}
	in := instr(tesla.OpStShared, t)
	if v.Lock {
		in.In.Mods = tesla.Unlock
	}
	m := operand{sharedAt(uint32(v.Imm), t), code.Operand{Base: s.base(v.Args[0])}}
	if uint32(v.Imm)%uint32(t.Bytes()) != 0 || uint32(v.Imm)/uint32(t.Bytes()) > sharedStoreReach {
		m = s.far(m.c.Base, uint32(v.Imm), t)
	}
	if t == tesla.B32 {
		put(&in, operand{}, m, s.register(data))
	} else {
		put(&in, operand{}, m, s.half(s.reg(data), false))
	}
	s.emit(in)
}

var atoms = map[ptx.AtomOp]tesla.AtomOp{
	ptx.AtomAdd: tesla.AtomAdd, ptx.AtomExch: tesla.AtomExch, ptx.AtomCas: tesla.AtomCas,
	ptx.AtomInc: tesla.AtomInc, ptx.AtomDec: tesla.AtomDec, ptx.AtomMax: tesla.AtomMax,
	ptx.AtomMin: tesla.AtomMin, ptx.AtomAnd: tesla.AtomAnd, ptx.AtomOr: tesla.AtomOr,
	ptx.AtomXor: tesla.AtomXor,
}

// atom selects atomic operations. One whose result nobody uses is a reduction.
func (s *selector) atom(v *ir.Value) {
	in := instr(tesla.OpAtom, atomType(v))
	in.In.Atom = atoms[v.Atom]
	red := v.Op == ir.Red || s.uses[v.ID] <= 0 && v.Atom != ptx.AtomCas
	var src []operand
	for _, a := range v.Args[1:] {
		if a.Kind == ir.Long {
			src = append(src, s.pair(a))
		} else {
			src = append(src, s.register(a))
		}
	}
	src = append([]operand{s.global(v)}, src...)
	if red {
		in.In.Op = tesla.OpRed
		put(&in, operand{}, src...)
	} else {
		put(&in, s.target(v), src...)
	}
	s.emit(in)
}

func atomType(v *ir.Value) tesla.Type {
	wide := v.Sub.Bits() == 64
	switch v.Atom {
	case ptx.AtomExch, ptx.AtomCas, ptx.AtomAnd, ptx.AtomOr, ptx.AtomXor:
		if wide {
			return tesla.B64
		}
		return tesla.B32
	}
	if wide {
		return tesla.U64
	}
	return signedType(v)
}
