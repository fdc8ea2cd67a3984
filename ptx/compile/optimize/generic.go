package optimize

import (
	"slices"

	"jacquard/ptx"
	"jacquard/ptx/compile/ir"
)

// tellApart replaces an access by one for each space that its address may be in, and branches.
func tellApart(f *ir.Func, v *ir.Value) {
	before := v.Block
	after := split(f, v)
	address := v.Args[0]
	if v.Imm != 0 { // the base alone may lie in another window
		address = f.New(ir.Add, ir.Word, address, f.Word(uint32(v.Imm)))
		address.Line = v.Line
		before.Add(address)
	}
	var results []*ir.Value
	arm := func(at *ir.Block, space ptx.Space) {
		c := copyOf(f, v, space)
		at.Add(c)
		at.Jump(after)
		results = append(results, c)
	}
	at := before
	for _, s := range []struct {
		from  uint32
		space ptx.Space
	}{{windowConst, ptx.Const}, {windowLocal, ptx.Local}, {windowShared, ptx.Shared}} {
		atomic := v.Op == ir.Atom || v.Op == ir.Red
		if s.space == ptx.Const && v.Op == ir.Store || s.space != ptx.Shared && atomic {
			continue
		}
		inside := f.New(ir.ICmp, ir.Pred, address, f.Word(s.from))
		inside.Cmp, inside.Sub, inside.Line = ptx.Ge, ptx.U32, v.Line
		at.Add(inside)
		then, other := f.NewBlock(), f.NewBlock()
		then.Line, other.Line = v.Line, v.Line
		at.Branch(inside, then, other)
		arm(then, s.space)
		at = other
	}
	arm(at, ptx.Global)
	if v.Kind == ir.None {
		after.Values = after.Values[1:]
		for _, a := range v.Args {
			a.Uses--
		}
		v.Args = nil
		return
	}
	joined(f, v, results)
}

// joined makes v the result of the arm that the lane took. Registers hold Words, so a Long has one
// phi for each half.
func joined(f *ir.Func, v *ir.Value, results []*ir.Value) {
	op := ir.Phi
	if v.Kind == ir.Long {
		lower, upper := halfOf(f, v, ir.Low, results), halfOf(f, v, ir.High, results)
		at := v.Block
		at.Values = slices.Insert(at.Values, 0, lower, upper)
		op, results = ir.Pack, []*ir.Value{lower, upper}
	}
	v.Become(op, results...)
	v.Space, v.Imm, v.Volatile = ptx.Generic, 0, false
}

// halfOf returns the phi of one half of the results, at the start of the block of v.
func halfOf(f *ir.Func, v *ir.Value, half ir.Op, results []*ir.Value) *ir.Value {
	phi := f.New(ir.Phi, ir.Word)
	phi.Block, phi.Line = v.Block, v.Line
	for _, r := range results {
		h := f.New(half, ir.Word, r)
		h.Line = v.Line
		phi.AddArg(r.Block.Add(h))
	}
	return phi
}

// copyOf returns an access like v in one space.
func copyOf(f *ir.Func, v *ir.Value, space ptx.Space) *ir.Value {
	c := f.New(v.Op, v.Kind, v.Args...)
	c.Sub, c.Count, c.Imm, c.Volatile, c.Line, c.Space = v.Sub, v.Count, v.Imm, v.Volatile, v.Line, space
	c.Atom = v.Atom
	return c
}

// split moves v and what follows in its block to a new block, which it returns.
func split(f *ir.Func, v *ir.Value) *ir.Block {
	b := v.Block
	i := slices.Index(b.Values, v)
	after := f.NewBlock()
	after.Values = slices.Clone(b.Values[i:])
	for _, x := range after.Values {
		x.Block = after
	}
	b.Values = b.Values[:i:i]
	after.End, after.Control, after.To, after.Uniform, after.Line = b.End, b.Control, b.To, b.Uniform, b.Line
	for _, s := range after.Succs() {
		s.ReplacePred(b, after)
	}
	b.End, b.Control, b.To, b.Line = ir.Open, nil, [2]*ir.Block{}, v.Line
	return after
}
