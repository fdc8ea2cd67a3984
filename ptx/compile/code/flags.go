package code

import (
	"slices"

	"jacquard/tesla"
)

// foldFlags removes comparisons with zero of a value that an instruction shortly before makes: that
// instruction writes the flags itself. The guards change, since flags of a comparison say no more
// than true or false.
func foldFlags(f *Func) {
	s := findFlagUses(f)
	for _, b := range f.Blocks {
		for i := len(b.Code) - 1; i > 0; i-- {
			if s.fold(b, i) {
				b.Code[i] = Instr{}
			}
		}
	}
	for _, b := range f.Blocks {
		b.Code = slices.DeleteFunc(b.Code, func(in Instr) bool { return in.In.Op == tesla.OpInvalid })
	}
}

// flagUses describes the uses of flags.
type flagUses struct {
	f       *Func
	writers []int32    // by Reg: instructions that write it
	reads   []int32    // by Reg: how often instructions read it
	guards  [][]*Guard // by Reg: the guards that read it
	others  []bool     // by Reg: something else reads it
}

func findFlagUses(f *Func) *flagUses {
	n := len(f.Regs)
	s := &flagUses{f: f, writers: make([]int32, n), reads: make([]int32, n), guards: make([][]*Guard, n), others: make([]bool, n)}
	var list []Reg
	for _, b := range f.Blocks {
		for i := range b.Code {
			in := &b.Code[i]
			list = in.defs(list[:0])
			for _, r := range list {
				s.writers[r]++
			}
			list = in.uses(list[:0])
			guards := 0
			if !in.Guard.always() && in.In.Op.Guarded() {
				s.guards[in.Guard.Reg] = append(s.guards[in.Guard.Reg], &in.Guard)
				guards = 1
			}
			for _, r := range list {
				s.reads[r]++
				if r == in.Guard.Reg && guards > 0 {
					guards--
					continue
				}
				s.others[r] = true
			}
		}
		if !b.End.Guard.always() {
			s.guards[b.End.Guard.Reg] = append(s.guards[b.End.Guard.Reg], &b.End.Guard)
		}
	}
	return s
}

// foldDistance is the most instructions from what makes a value to its comparison.
const foldDistance = 12

// fold has the instruction that makes a value write the flags of comparison i of a block, and
// reports whether the comparison is not needed any more.
func (s *flagUses) fold(b *Block, i int) bool {
	in := &b.Code[i]
	if !isZeroTest(in) || s.writers[in.CDst] != 1 || s.others[in.CDst] {
		return false
	}
	v := in.Src[0].Regs[0]
	for k := i - 1; k >= 0 && k >= i-foldDistance; k-- {
		d := &b.Code[k]
		if slices.Contains(d.uses(nil), in.CDst) {
			return false
		}
		if !slices.Contains(d.defs(nil), v) {
			continue
		}
		return d.Dst.Regs[0] == v && s.foldInto(d, in)
	}
	return false
}

// isZeroTest reports whether an instruction only compares a Word with zero.
func isZeroTest(in *Instr) bool {
	t := &in.In
	switch {
	case t.Op == tesla.OpISet && (t.Type == tesla.S32 || t.Type == tesla.U32), t.Op == tesla.OpFSet:
	default:
		return false
	}
	return in.Guard.always() && in.CDst != 0 && in.Dst.Regs[0] == 0 &&
		t.Src[0] == tesla.Operand{Kind: tesla.Reg} && in.Src[0].Regs[0] != 0 &&
		t.Src[1].Kind == tesla.Reg && in.Src[1].Regs[0] == 0
}

// foldInto has instruction d write the flags of a comparison of its result, if all guards have a
// condition on these flags.
func (s *flagUses) foldInto(d, test *Instr) bool {
	if !d.Guard.always() || d.CDst != 0 || d.In.Dst.Kind != tesla.Reg || d.Copy || d.Parallel != 0 {
		return false
	}
	overflows, ok := flagged(&d.In)
	if !ok || (d.In.Op.Class() == tesla.ClassFloat) != (test.In.Op == tesla.OpFSet) {
		return false
	}
	guards := s.guards[test.CDst]
	conds := make([]tesla.Cond, len(guards))
	for i, g := range guards {
		if conds[i], ok = zeroCondition(&test.In, g.Cond, overflows); !ok {
			return false
		}
	}
	if !s.f.writesFlags(&d.In) {
		return false
	}
	for i, g := range guards {
		g.Cond = conds[i]
	}
	d.CDst = test.CDst
	if v := d.Dst.Regs[0]; s.reads[v] == 1 && s.writers[v] == 1 {
		d.In.Dst, d.Dst = tesla.Operand{Kind: tesla.Discard}, Operand{}
	}
	return true
}

// flagged reports whether an operation sets flags by its 32-bit result, and whether its O may be
// set.
func flagged(in *tesla.Instruction) (overflows, ok bool) {
	ok, overflows = in.Op.Flags()
	return overflows, ok && !(overflows && in.Type == tesla.B16)
}

// zeroCondition returns the condition on the flags of a value that is the same as a condition on
// the flags of its comparison with zero.
func zeroCondition(test *tesla.Instruction, c tesla.Cond, overflows bool) (tesla.Cond, bool) {
	if c == tesla.CondAlways || c >= tesla.CondNever {
		return 0, false
	}
	// A true comparison sets the flags of "less", a false one the flags of "equal".
	yes, no := c&tesla.CondL != 0, c&tesla.CondE != 0
	if yes == no {
		return 0, false
	}
	all := tesla.Less | tesla.Equal | tesla.Greater
	if test.Op == tesla.OpFSet {
		all |= tesla.Unordered
	}
	want := test.Cmp & all
	if no {
		want ^= all
	}
	if test.Type == tesla.U32 { // nothing is less than zero
		want &^= tesla.Less
		if want&tesla.Greater != 0 { // numbers with the sign bit, too
			want |= tesla.Less
		}
	}
	switch {
	case want == 0 || want == all:
		return 0, false
	case !overflows:
		return tesla.Cond(want), true
	}
	conds := map[tesla.Cmp]tesla.Cond{
		tesla.Equal: tesla.CondE, tesla.Less | tesla.Greater: tesla.CondLG,
		tesla.Less: tesla.CondS, tesla.Equal | tesla.Greater: tesla.CondNS,
	}
	cond, ok := conds[want]
	return cond, ok
}

// writesFlags reports whether an instruction has a form that writes flags, if need be with a
// literal instead of an immediate.
func (f *Func) writesFlags(in *tesla.Instruction) bool {
	can := func(in *tesla.Instruction) bool {
		x := *in
		x.Size, x.CDst = 8, tesla.C0
		return f.encodes(&x)
	}
	return can(in) || f.useLiteral(in, can)
}
