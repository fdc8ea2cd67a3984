package verify

import (
	"fmt"
	"strings"

	"jacquard/decoder/asm"
	"jacquard/fpu"
	"jacquard/tesla"
)

// form is the instruction that does what a row says, without its operands: their
// modifiers are in in.Src, their places are chosen later.
type form struct {
	in       tesla.Instruction
	flags    bool // it can write a condition register
	count    bool // the second operand is a constant within the instruction
	zeroWins bool // under the mode bit MUL_ZERO_WINS
}

// formOf returns the instruction that does what r says.
func formOf(r *Row) (form, error) {
	for _, f := range families() {
		for _, op := range f.ops {
			if op == r.Op {
				return f.form(r)
			}
		}
	}
	return form{}, fmt.Errorf("unknown operation %q", r.Op)
}

var integerForms = map[string]tesla.Instruction{
	"add": sum(tesla.OpIAdd, tesla.Add), "sub": sum(tesla.OpIAdd, tesla.Sub),
	"subr": sum(tesla.OpIAdd, tesla.SubR), "addc": sum(tesla.OpIAdd, tesla.AddC),
	"mad": sum(tesla.OpIMad, tesla.Add), "msub": sum(tesla.OpIMad, tesla.Sub),
	"msubr": sum(tesla.OpIMad, tesla.SubR), "madc": sum(tesla.OpIMad, tesla.AddC),
	"mul": asm.Plain(tesla.OpIMul), "sad": asm.Plain(tesla.OpISad),
	"shl": asm.Plain(tesla.OpShl), "shr": asm.Plain(tesla.OpShr),
	"set": asm.Plain(tesla.OpISet), "min": asm.Plain(tesla.OpIMin), "max": asm.Plain(tesla.OpIMax),
	"and": logic(tesla.And), "or": logic(tesla.Or), "xor": logic(tesla.Xor), "mov2": logic(tesla.Pass),
}

func sum(op tesla.Op, a tesla.Arith) tesla.Instruction {
	in := asm.Plain(op)
	in.Arith = a
	if a == tesla.AddC {
		in.CarryIn = tesla.C0
	}
	return in
}

func logic(l tesla.Logic) tesla.Instruction {
	in := asm.Plain(tesla.OpLogic)
	in.Logic = l
	return in
}

var integerTypes = map[string]tesla.Type{
	"b16": tesla.B16, "b32": tesla.B32, "u16": tesla.U16, "s16": tesla.S16,
	"u32": tesla.U32, "s32": tesla.S32, "u24": tesla.U24, "s24": tesla.S24,
}

func integerForm(r *Row) (form, error) {
	f := form{in: integerForms[r.Op], flags: true}
	types := 0
	for _, m := range r.Mods {
		t, isType := integerTypes[m]
		cond, isCond := conditions[m]
		switch {
		case isType:
			f.in.Type = t
			if types < 2 && (t == tesla.U16 || t == tesla.S16) && (f.in.Op == tesla.OpIMul || f.in.Op == tesla.OpIMad) {
				f.in.Src[types].As = t
			}
			types++
		case isCond && f.in.Op == tesla.OpISet:
			f.in.Cmp = tesla.Cmp(cond & 7) // integers are never unordered
		case m == "sat":
			f.in.Mods |= tesla.Sat
		case m == "high":
			f.in.Mods |= tesla.High
		case m == "shcnt":
			f.count = true
		case m == "not1":
			f.in.Src[0].Not = true
		case m == "not2":
			f.in.Src[1].Not = true
		default:
			return form{}, modError(r, m)
		}
	}
	if types == 0 {
		return form{}, fmt.Errorf("%s: no type among the modifiers %q", r.Op, r.Mods)
	}
	if as := f.in.Src[0].As; as != tesla.TypeNone {
		switch f.in.Op {
		case tesla.OpIMul:
			f.in.Type = tesla.B16
		case tesla.OpIMad:
			f.in.Src[1].As = as
		}
	}
	return f, nil
}

var floatOps = map[string]tesla.Op{
	"fadd": tesla.OpFAdd, "fmul": tesla.OpFMul, "fmad": tesla.OpFMad, "fmin": tesla.OpFMin, "fmax": tesla.OpFMax,
	"fset": tesla.OpFSet, "fslct": tesla.OpSlct, "quadop": tesla.OpQuadOp,
	"dadd": tesla.OpDAdd, "dmul": tesla.OpDMul, "dfma": tesla.OpDFma, "dmin": tesla.OpDMin, "dmax": tesla.OpDMax, "dset": tesla.OpDSet,
}

func floatForm(r *Row) (form, error) {
	f := form{in: asm.Plain(floatOps[r.Op]), flags: true}
	f.in.Type = tesla.F32
	var m floatMods
	var err error
	switch f.in.Op {
	case tesla.OpQuadOp:
		return quadForm(f, r)
	case tesla.OpSlct:
		f.in.Type = tesla.B32
	}
	if strings.HasPrefix(r.Op, "d") {
		f.in.Type = tesla.F64
	}
	if strings.HasSuffix(r.Op, "set") {
		var cond fpu.Relation
		cond, m, err = parseCompare(r)
		f.in.Cmp = tesla.Cmp(cond)
	} else {
		m, err = parseFloatMods(r, r.Mods)
	}
	f.in.Round = tesla.Round(m.round)
	for i := range f.in.Src {
		f.in.Src[i].Abs, f.in.Src[i].Neg = m.abs[i], m.neg[i]
	}
	if m.sat {
		f.in.Mods = tesla.Sat
	}
	f.zeroWins = m.zeroWins
	return f, err
}

var quadOps = map[string]tesla.Arith{"add": tesla.Add, "sub": tesla.Sub, "subr": tesla.SubR, "mov2": tesla.Mov2}

func quadForm(f form, r *Row) (form, error) {
	if len(r.Mods) != 1 {
		return f, fmt.Errorf("%s: want one modifier, not %q", r.Op, r.Mods)
	}
	op, ok := quadOps[r.Mods[0]]
	if !ok {
		return f, modError(r, r.Mods[0])
	}
	f.in.Quad = [4]tesla.Arith{op, op, op, op}
	return f, nil
}

var conversionTypes = map[fpu.Kind]tesla.Type{
	fpu.U8: tesla.U8, fpu.S8: tesla.S8, fpu.U8W: tesla.U8W, fpu.S8W: tesla.S8W,
	fpu.U16: tesla.U16, fpu.S16: tesla.S16, fpu.U32: tesla.U32, fpu.S32: tesla.S32,
	fpu.U64: tesla.U64, fpu.S64: tesla.S64, fpu.F16: tesla.F16, fpu.F32: tesla.F32, fpu.F64: tesla.F64,
}

func convertForm(r *Row) (form, error) {
	c, err := parseConversion(r)
	f := form{in: asm.Plain(tesla.OpCvt), flags: true}
	f.in.Type, f.in.From, f.in.Round = conversionTypes[c.To], conversionTypes[c.From], tesla.Round(c.Round)
	f.in.Src[0].Abs, f.in.Src[0].Neg = c.Abs, c.Neg
	if c.Sat {
		f.in.Mods |= tesla.Sat
	}
	if c.Integral {
		f.in.Mods |= tesla.Integral
	}
	return f, err
}

var specialForms = map[string]tesla.Op{
	"rcp": tesla.OpRcp, "rsqrt": tesla.OpRsqrt, "lg2": tesla.OpLg2, "sin": tesla.OpSin, "cos": tesla.OpCos,
	"ex2": tesla.OpEx2, "presin": tesla.OpPreSin, "preex2": tesla.OpPreEx2,
}

func specialForm(r *Row) (form, error) {
	f := form{in: asm.Plain(specialForms[r.Op])}
	f.in.Type = tesla.F32
	f.in.Src[0].Abs, f.in.Src[0].Neg = r.has("abs"), r.has("neg")
	if r.has("sat") {
		f.in.Mods = tesla.Sat
	}
	return f, checkMods(r, specialMods)
}

func atomicForm(r *Row) (form, error) {
	if len(r.Mods) != 1 {
		return form{}, fmt.Errorf("%s: want one type, not %q", r.Op, r.Mods)
	}
	t, ok := atomicTypes[r.Mods[0]]
	if !ok {
		return form{}, fmt.Errorf("%s: unknown type %q", r.Op, r.Mods[0])
	}
	f := form{in: asm.Plain(tesla.OpAtom)}
	f.in.Atom, f.in.Type = atomicCodes[r.Op], t
	return f, nil
}
