package ptx

import (
	"cmp"
	"fmt"
)

// check reports an operand that does not fit its shape, and converts an immediate to its type.
func (p *parser) check(ins *Instr, s *shape, o *Operand) {
	switch s.role {
	case roleValue, roleResult:
		p.checkPair(s, o)
		p.checkValue(ins, s, o)
	case roleAddress:
		p.checkAddress(cmp.Or(s.space, ins.Space), o)
	case roleConst:
		if o.Kind != Immediate {
			p.misfit(o, "a number")
			return
		}
		p.convert(o, s.typeOf(ins))
	case roleTexture, roleSampler:
		if o.Kind != Address {
			p.misfit(o, "a texture or surface such as [t, {%f1}]")
		}
	case roleCoords:
		p.checkCoords(ins, s, o)
	case roleTail:
		p.checkTail(ins, s, o)
	}
}

func (p *parser) checkPair(s *shape, o *Operand) {
	if o.Pair != nil && !s.pair {
		p.errorAt(o.Pos, "found a second result; expected one")
	}
}

// checkValue checks a value that is read or written.
func (p *parser) checkValue(ins *Instr, s *shape, o *Operand) {
	t := s.elementType(ins, o, 0)
	if o.Kind != List {
		whole := o.Kind == Register && o.Var.Vector == ins.Vector && o.Part == 0
		if s.vector && ins.Vector > 1 && !whole {
			p.misfit(o, fmt.Sprintf("%d elements", ins.Vector))
			return
		}
		p.checkOne(s, o, t, ins.Vector)
		return
	}
	if t == NoType || len(o.List) == 0 {
		want := "a single operand"
		if s.vector && ins.Vector > 1 {
			want = fmt.Sprintf("%d elements", ins.Vector)
		}
		p.misfit(o, want)
		return
	}
	for i := range o.List {
		p.checkOne(s, &o.List[i], t, 1)
	}
}

// checkOne checks an operand that is no list. Vector is the number of elements that it may have.
func (p *parser) checkOne(s *shape, o *Operand, t Type, vector int) {
	if o.Kind != Register && (o.Not || o.Neg) || o.Not && (t != Pred || s.role == roleResult) {
		p.errorAt(o.Pos, "found \"!\" or \"-\" before an operand that takes none")
	}
	result := s.role == roleResult
	switch o.Kind {
	case Register:
		p.checkRegister(s, o, t, vector)
		if o.Value != 0 && (result || t == Pred || t.Float() || o.Var.Type.Float() || o.Neg || o.Var.Vector > 1 && o.Part == 0) {
			p.errorAt(o.Pos, "found a sum with %s; expected the register alone", quote(o.Var.Name))
		}
	case Discard:
		if !result {
			p.misfit(o, "a value")
		}
	case Immediate:
		if result {
			p.misfit(o, "a register")
			return
		}
		p.convert(o, t)
	case Symbol:
		o.lit = noLiteral
		if result || t.Bits() < 32 || t.Float() {
			p.misfit(o, expected(t))
		}
	case SpecialReg:
		if result || t == Pred || !o.Special.readable(t.Bits()) {
			p.misfit(o, expected(t))
		}
	default:
		p.misfit(o, expected(t))
	}
}

// checkRegister checks that a register has a type.
func (p *parser) checkRegister(s *shape, o *Operand, t Type, vector int) {
	have := o.Var.Type
	if o.Var.Vector > 1 && o.Part == 0 {
		whole := s.parts && bitsType(t, o.Var.Vector).Bits() == have.Bits()
		if !whole && o.Var.Vector != vector {
			p.misfit(o, expected(t))
			return
		}
		if whole {
			return
		}
	}
	if s.typing == byAddr && have.Bits() >= 32 && !have.Float() {
		return
	}
	if !fits(t, have, s.wider) {
		p.misfit(o, expected(t))
	}
}

// fits reports whether a register of a type may stand where another is wanted. Sizes must be equal,
// or the register's larger if wider; a float and an integer do not mix, but types of bits mix with
// all.
func fits(want, have Type, wider bool) bool {
	if want == Pred || have == Pred {
		return want == have
	}
	if have.Opaque() || have.Bits() != want.Bits() && !(wider && have.Bits() > want.Bits()) {
		return false
	}
	if want.Bits() == 16 || want == F16x2 || want == BF16x2 || have == F16x2 || have == BF16x2 {
		return true
	}
	integer := func(t Type) bool { return t.Signed() || t.Unsigned() }
	return !(want.Float() && integer(have) || have.Float() && integer(want))
}

// checkAddress checks an address of a space in brackets, or a variable with an index.
func (p *parser) checkAddress(space Space, o *Operand) {
	if o.Kind == Symbol && o.lit == intLiteral {
		o.Kind, o.lit = Address, noLiteral
	}
	if o.Kind != Address {
		p.misfit(o, "an address such as [%r1+4]")
		return
	}
	v := o.Var
	switch {
	case v == nil:
	case v.Space == Reg:
		bits := v.Type.Bits()
		if bits < 32 || bits > 64 || v.Type.Float() {
			p.misfit(o, "an address of 32 or 64 bits")
		}
		p.widest = max(p.widest, bits)
	case space != Generic && space != v.Space:
		p.errorAt(o.Pos, "%s is in .%v; the instruction accesses .%v", quote(v.Name), v.Space,
			space)
	}
}

// checkCoords checks the coordinates of a texture or surface. The first of an array is its layer.
func (p *parser) checkCoords(ins *Instr, s *shape, o *Operand) {
	if o.Kind != List || len(o.List) == 0 || len(o.List) > 4 {
		p.misfit(o, "one to four coordinates")
		return
	}
	for i := range o.List {
		p.checkOne(s, &o.List[i], s.elementType(ins, o, i), 1)
	}
}

// checkTail checks the operands behind the coordinates of tex.
func (p *parser) checkTail(ins *Instr, s *shape, o *Operand) {
	if o.Kind != List {
		p.checkOne(s, o, s.elementType(ins, o, 0), 1)
		return
	}
	for i := range o.List {
		p.checkOne(s, &o.List[i], s.elementType(ins, o, i), 1)
	}
}

// checkCall checks the callee of a call, and notes a call with immediate arguments.
func (p *parser) checkCall(ins *Instr) {
	callee := &ins.Args[1]
	if callee.Func == nil && callee.Kind != Register {
		p.misfit(callee, "a function or a register")
		return
	}
	if f := callee.Func; f != nil {
		p.checkElements(f.Returns, ins.Args[0].List)
		p.checkElements(f.Params, ins.Args[2].List)
	}
	for i := range ins.Args[2].List {
		if ins.Args[2].List[i].Kind == Immediate {
			p.calls = append(p.calls, ins)
			return
		}
	}
}

// checkElements reports vectors of another length than the registers that a function has for them.
func (p *parser) checkElements(params []*Var, list []Operand) {
	for i := range min(len(params), len(list)) {
		o, n := &list[i], 1
		switch {
		case params[i].Space != Reg:
			continue
		case o.Kind == List:
			n = len(o.List)
		case o.Var != nil && o.Var.Space != Reg || o.Kind == Discard:
			continue
		case o.Kind == Register && o.Part == 0:
			n = o.Var.Vector
		}
		if n != params[i].Vector {
			p.errorAt(o.Pos, "found %d elements; expected %d for %s", n, params[i].Vector, variable(params[i]))
		}
	}
}

// convertArguments makes the immediate arguments of calls the bits of their parameters' types, when
// all prototypes of a body are known.
func (p *parser) convertArguments() {
	for _, ins := range p.calls {
		params := ins.signature()
		for i := range ins.Args[2].List {
			if o := &ins.Args[2].List[i]; o.Kind == Immediate {
				p.convert(o, paramType(params, i))
			}
		}
	}
	p.calls = p.calls[:0]
}

// signature returns the parameters of the function that a call calls, nil if they are not known.
func (ins *Instr) signature() []*Var {
	if f := ins.Args[1].Func; f != nil {
		return f.Params
	}
	if len(ins.Args) < 4 {
		return nil
	}
	switch o := &ins.Args[3]; {
	case o.Proto != nil:
		return o.Proto.Params
	case o.Targets != nil && len(o.Targets.Funcs) > 0:
		return o.Targets.Funcs[0].Params
	}
	return nil
}

// paramType returns the type of a parameter, B64 if it is not known.
func paramType(params []*Var, i int) Type {
	if i < len(params) {
		return params[i].Type
	}
	return B64
}

// convert makes an immediate the bits of a type.
func (p *parser) convert(o *Operand, t Type) {
	bits, ok := constant{lit: o.lit, bits: o.Value}.convert(t)
	if !ok {
		p.errorAt(o.Pos, "found a float; expected %s", expected(t))
	}
	o.Value, o.lit = bits, noLiteral
}

// expected names a type for a message.
func expected(t Type) string {
	if t == Pred {
		return "a predicate"
	}
	return "a value of type ." + t.String()
}

// misfit reports an operand that is something else than expected.
func (p *parser) misfit(o *Operand, want string) {
	found := ""
	switch o.Kind {
	case Register, Symbol, Address:
		switch {
		case o.Var != nil:
			found = variable(o.Var)
		case o.Func != nil:
			found = "the function " + quote(o.Func.Name)
		default:
			found = "an address"
		}
	case Immediate:
		found = "a number"
	case SpecialReg:
		found = o.Special.String()
	case List:
		found = fmt.Sprintf("a list of %d", len(o.List))
	case Discard:
		found = quote("_")
	default:
		return // a mistake that is reported already
	}
	p.errorAt(o.Pos, "found %s; expected %s", found, want)
}

// variable describes a variable for a message.
func variable(v *Var) string {
	if v.Space == Reg {
		vector := ""
		if v.Vector > 1 {
			vector = fmt.Sprintf(".v%d", v.Vector)
		}
		return fmt.Sprintf("%s, a register of type %s.%v", quote(v.Name), vector, v.Type)
	}
	return fmt.Sprintf("%s, a variable in .%v", quote(v.Name), v.Space)
}
