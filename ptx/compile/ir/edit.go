package ir

// SetArg makes a the operand i of v.
func (v *Value) SetArg(i int, a *Value) {
	a.Uses++
	v.Args[i].Uses--
	v.Args[i] = a
}

// SetArgs makes args the operands of v.
func (v *Value) SetArgs(args ...*Value) {
	for _, a := range args {
		a.Uses++
	}
	for _, a := range v.Args {
		a.Uses--
	}
	v.Args = append(v.room[:0:len(v.room)], args...)
}

// AddArg appends an operand.
func (v *Value) AddArg(a *Value) {
	a.Uses++
	v.Args = append(v.Args, a)
}

// Become makes v an operation on args; its users see the new result.
func (v *Value) Become(op Op, args ...*Value) {
	v.Op = op
	v.SetArgs(args...)
}

// CopyOf makes v a copy of a, which optimize.Clean removes.
func (v *Value) CopyOf(a *Value) {
	v.Become(Copy, a)
	v.Imm, v.Sym, v.Sat = 0, nil, false
}

// Resolve follows copies to the value that they copy.
func Resolve(v *Value) *Value {
	for v.Op == Copy {
		v = v.Args[0]
	}
	return v
}

// RemovePred removes one edge from p to b, with the operands of phis that belong to it.
func (b *Block) RemovePred(p *Block) {
	for i, q := range b.Preds {
		if q != p {
			continue
		}
		b.Preds = append(b.Preds[:i:i], b.Preds[i+1:]...)
		for _, v := range b.Values {
			if v.Op == Phi {
				v.Args[i].Uses--
				v.Args = append(v.Args[:i:i], v.Args[i+1:]...)
			}
		}
		return
	}
}

// ReplacePred makes q the predecessor of b where p was.
func (b *Block) ReplacePred(p, q *Block) {
	for i := range b.Preds {
		if b.Preds[i] == p {
			b.Preds[i] = q
			return
		}
	}
}

// ToJump replaces the branch at the end of b by a jump to the successor i.
func (b *Block) ToJump(i int) {
	b.Control.Uses--
	b.Control = nil
	b.To[1-i].RemovePred(b)
	b.End, b.To = Jump, [2]*Block{b.To[i], nil}
}
