package selection

import (
	"errors"
	"fmt"
	"slices"

	"jacquard/ptx"
	"jacquard/ptx/compile/code"
	"jacquard/ptx/compile/ir"
	"jacquard/tesla"
)

// Layout is where the variables of a module are.
type Layout struct {
	// Slot returns the offset in bank 14 of the word that holds the address of a variable plus an
	// addend.
	Slot func(v *ptx.Var, addend uint32) uint32
	// Unit returns the texture unit of a texture reference.
	Unit func(v *ptx.Var) int
}

// Select returns the machine code of f with virtual registers.
func Select(f *ir.Func, arch tesla.Arch, layout Layout) (*code.Func, error) {
	splitEdges(f)
	s := &selector{
		f: f, layout: layout,
		out:     &code.Func{Name: f.Name, Arch: arch, Regs: make([]code.RegInfo, 1), Local: f.Local, MaxRegs: tesla.MaxRegisters},
		regs:    make([][4]code.Reg, f.MaxID()),
		conds:   make([]code.Guard, f.MaxID()),
		uses:    make([]int32, f.MaxID()),
		epochs:  make([]int32, f.MaxID()),
		places:  make([]int32, f.MaxID()),
		taken:   make([]bool, f.MaxID()),
		flags:   map[int32]code.Reg{},
		carries: map[int32]code.Reg{},
	}
	for _, b := range f.Blocks {
		s.out.Blocks = append(s.out.Blocks, &code.Block{ID: b.ID, Depth: b.Depth})
		s.count(b)
	}
	for _, b := range slices.Backward(f.Blocks) {
		s.selectBlock(b)
	}
	return s.out, errors.Join(s.errs...)
}

// selector holds the state of a selection.
type selector struct {
	f      *ir.Func
	out    *code.Func
	layout Layout
	regs   [][4]code.Reg // registers of a value, by ID
	conds  []code.Guard  // where and how a predicate holds, by ID
	uses   []int32       // users that still want the value itself, by ID
	epochs []int32       // writes of memory before the value in its block, by ID
	places []int32       // place of the value in its block, by ID
	taken  []bool        // values that their only user computes
	// flags are registers that a value's instruction sets as a by-product, by ID of the value.
	flags map[int32]code.Reg
	// sunk counts guarded operations: the immediate of each needs a literal later, for a guard and an
	// immediate do not fit one instruction.
	sunk     int
	carries  map[int32]code.Reg // flags that a sum sets for an AddC, by ID of the sum
	block    *code.Block
	at       *ir.Value
	sequence []code.Instr // of the current block, last to first, the current value's in order
	tid      code.Reg
	parallel int32
	line     code.Line
	errs     []error
}

// fail records a value that cannot be selected, a mistake of an earlier pass.
func (s *selector) fail(v *ir.Value) {
	s.errs = append(s.errs, fmt.Errorf("%s: no instruction for %s", s.f.Name, v.Op))
}

// count finds the users of values and the memory writes before them.
func (s *selector) count(b *ir.Block) {
	epoch := int32(0)
	for i, v := range b.Values {
		s.epochs[v.ID], s.places[v.ID] = epoch, int32(i)
		if v.Effect() == ir.Writes {
			epoch++
		}
		for _, a := range v.Args {
			s.uses[a.ID]++
		}
		if v.Op == ir.AddC {
			s.carry(v.Args[2])
			s.uses[v.Args[2].ID]--
		}
	}
	if b.Control != nil {
		s.uses[b.Control.ID]++
	}
}

// splitEdges puts a block on every edge from a branch to a block with phis and other predecessors,
// where the copies for the phis find a place.
func splitEdges(f *ir.Func) {
	for _, b := range f.Blocks {
		if b.End != ir.Branch {
			continue
		}
		for i, to := range b.To {
			if len(to.Preds) == 1 || len(to.Values) == 0 || to.Values[0].Op != ir.Phi {
				continue
			}
			edge := f.NewBlock()
			edge.End, edge.To[0], edge.Preds = ir.Jump, to, []*ir.Block{b}
			edge.Depth = min(b.Depth, to.Depth)
			b.To[i] = edge
			to.ReplacePred(b, edge)
		}
	}
}

// newReg makes a virtual register.
func (s *selector) newReg(c code.Class) code.Reg { return s.out.NewReg(c) }

// words makes the registers of a value.
func (s *selector) words(v *ir.Value) [4]code.Reg {
	r := &s.regs[v.ID]
	if r[0] != 0 {
		return *r
	}
	class := code.Word
	n := v.Words()
	if v.Kind == ir.Addr {
		class, n = code.Addr, 1
	}
	for i := range n {
		r[i] = s.newReg(class)
	}
	return *r
}

// emit appends an instruction to the current sequence.
func (s *selector) emit(in code.Instr) {
	in.Line = s.line
	s.sequence = append(s.sequence, in)
}
