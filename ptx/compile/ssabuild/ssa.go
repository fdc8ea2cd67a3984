package ssabuild

import (
	"slices"

	"jacquard/ptx"
	"jacquard/ptx/compile/ir"
)

// variable is a Word or a predicate that the text assigns to. A register of 64 bits is two.
type variable int32

// ssa turns assignments into values, block by block. A block is sealed when all its predecessors
// are known and complete.
type ssa struct {
	kinds   []ir.Kind // by variable
	defs    []map[variable]*ir.Value
	open    [][]openPhi // of blocks that are not sealed
	sealed  []bool
	missing []int // predecessors of a block that are not complete
	// starts are the values that go in front of the others of a block, the last one first.
	starts [][]*ir.Value
	// completing are the phis that get their operands now, with whether another value has taken one.
	completing map[*ir.Value]bool
	// entries are the first blocks of functions with a stack, resumes the blocks behind their calls.
	entries map[*ir.Block]*activation
	resumes map[*ir.Block]*resume
}

// openPhi is a phi without operands.
type openPhi struct {
	x   variable
	phi *ir.Value
}

// grow makes room for the blocks of f.
func (s *ssa) grow(n int) {
	for len(s.defs) < n {
		s.defs = append(s.defs, nil)
		s.open = append(s.open, nil)
		s.sealed = append(s.sealed, false)
		s.missing = append(s.missing, 0)
		s.starts = append(s.starts, nil)
	}
}

// variable makes a variable.
func (b *builder) variable(k ir.Kind) variable {
	b.ssa.kinds = append(b.ssa.kinds, k)
	return variable(len(b.ssa.kinds) - 1)
}

// set assigns to a variable in the current block.
func (b *builder) set(x variable, v *ir.Value) {
	if b.changes != nil {
		b.changes = append(b.changes, change{x, b.get(x)})
	}
	b.define(b.at, x, v)
}

func (b *builder) define(at *ir.Block, x variable, v *ir.Value) {
	b.ssa.grow(at.ID + 1)
	if b.ssa.defs[at.ID] == nil {
		b.ssa.defs[at.ID] = map[variable]*ir.Value{}
	}
	b.ssa.defs[at.ID][x] = v
}

// get returns the value of a variable in the current block.
func (b *builder) get(x variable) *ir.Value { return b.read(b.at, x) }

// read returns the value of a variable at the end of a block so far.
func (b *builder) read(at *ir.Block, x variable) *ir.Value {
	b.ssa.grow(len(b.f.Blocks))
	if v := b.ssa.definition(at, x); v != nil {
		return v
	}
	// A chain of blocks with one predecessor is followed without recursion. One without an end is a
	// loop that no way enters: the text stops in front of it.
	from := at
	for n := 0; b.ssa.sealed[from.ID] && len(from.Preds) == 1 && !b.ssa.limits(from); n++ {
		if from = from.Preds[0]; n > len(b.f.Blocks) {
			v := b.unset(at, x)
			b.define(at, x, v)
			return v
		}
		if v := b.ssa.definition(from, x); v != nil {
			b.define(at, x, v)
			return v
		}
	}
	v := b.join(from, x)
	b.define(from, x, v)
	b.define(at, x, v)
	return v
}

// join makes the value of a variable at the start of a block.
func (b *builder) join(at *ir.Block, x variable) *ir.Value {
	if r := b.ssa.resumes[at]; r != nil {
		return b.resumed(at, r, x)
	}
	if a := b.ssa.entries[at]; a != nil && !a.incoming[x] {
		return b.f.Const(b.ssa.kinds[x], 0) // the text uses a register that it has not set
	}
	if len(at.Preds) == 0 && b.ssa.sealed[at.ID] {
		return b.unset(at, x)
	}
	phi := b.f.New(ir.Phi, b.ssa.kinds[x])
	phi.Block = at
	b.define(at, x, phi)
	if !b.ssa.sealed[at.ID] {
		b.start(phi)
		b.ssa.open[at.ID] = append(b.ssa.open[at.ID], openPhi{x, phi})
		return phi
	}
	b.ssa.completing[phi] = false
	b.complete(phi, x)
	taken := b.ssa.completing[phi]
	delete(b.ssa.completing, phi)
	if v := phi.Args[0]; !taken && !slices.ContainsFunc(phi.Args, func(a *ir.Value) bool { return a != v }) {
		phi.SetArgs()
		return v
	}
	b.start(phi)
	return phi
}

// definition returns the value of a variable that a block has, nil if it has none yet.
func (s *ssa) definition(at *ir.Block, x variable) *ir.Value {
	v := s.defs[at.ID][x]
	if v != nil && v.Op == ir.Phi {
		if _, ok := s.completing[v]; ok {
			s.completing[v] = true
		}
	}
	return v
}

// start puts a value in front of the others of its block.
func (b *builder) start(v *ir.Value) {
	at := v.Block.ID
	b.ssa.starts[at] = append(b.ssa.starts[at], v)
}

// placeStarts puts the values of starts into their blocks.
func (b *builder) placeStarts() {
	for i, list := range b.ssa.starts {
		slices.Reverse(list)
		b.f.Blocks[i].Values = append(list, b.f.Blocks[i].Values...)
	}
}

// limits reports whether variables change from the only predecessor of a block to the block.
func (s *ssa) limits(at *ir.Block) bool {
	return s.resumes[at] != nil || s.entries[at] != nil
}

// unset returns the value of a variable that nothing assigned to.
func (b *builder) unset(at *ir.Block, x variable) *ir.Value {
	if b.ssa.kinds[x] == ir.Pred {
		return b.f.Const(ir.Pred, 0)
	}
	v := b.f.New(ir.Undef, b.ssa.kinds[x])
	v.Block = at
	b.start(v)
	return v
}

// complete gives a phi its operands.
func (b *builder) complete(phi *ir.Value, x variable) {
	for _, p := range phi.Block.Preds {
		phi.AddArg(b.read(p, x))
	}
}

// expect says how many predecessors a block will get.
func (b *builder) expect(at *ir.Block, n int) {
	b.ssa.grow(len(b.f.Blocks))
	b.ssa.missing[at.ID] = n
	if n == 0 {
		b.seal(at)
	}
}

// arrived says that a predecessor of a block is complete.
func (b *builder) arrived(at *ir.Block) {
	b.ssa.missing[at.ID]--
	if b.ssa.missing[at.ID] == 0 {
		b.seal(at)
	}
}

// seal completes the phis of a block whose predecessors are all there.
func (b *builder) seal(at *ir.Block) {
	b.ssa.grow(len(b.f.Blocks))
	b.ssa.sealed[at.ID] = true
	for _, o := range b.ssa.open[at.ID] {
		b.complete(o.phi, o.x)
	}
	b.ssa.open[at.ID] = nil
}

// registers gives the registers of a function their variables.
func (b *builder) registers(fn *ptx.Func) []variable {
	first := make([]variable, len(fn.Regs))
	for i, r := range fn.Regs {
		first[i] = variable(len(b.ssa.kinds))
		for range max(r.Vector, 1) {
			b.register(b.typeOf(r.Type))
		}
	}
	return first
}

func (b *builder) register(t ptx.Type) {
	switch {
	case t == ptx.Pred:
		b.variable(ir.Pred)
	case t.Bits() == 64:
		b.variable(ir.Word)
		b.variable(ir.Word)
	default:
		b.variable(ir.Word)
	}
}

// typeOf returns the type that t stands for: f32 for f64 where the module asks for that.
func (b *builder) typeOf(t ptx.Type) ptx.Type {
	if t == ptx.F64 && b.m.Target.MapF64 {
		return ptx.F32
	}
	return t
}
