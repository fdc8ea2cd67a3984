package optimize

import (
	"jacquard/ptx"
	"jacquard/ptx/compile/ir"
)

// Locks builds atomic operations on shared memory. The machine has none, but can lock a word: lanes
// that get the lock store the new word, which unlocks it, and the others try again. For 64 bits the
// lower word is locked.
func Locks(f *ir.Func) {
	var all []*ir.Value
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			if (v.Op == ir.Atom || v.Op == ir.Red) && v.Space == ptx.Shared {
				all = append(all, v)
			}
		}
	}
	for _, v := range all {
		underLock(f, v)
	}
	if len(all) > 0 {
		Simplify(f)
	}
}

func underLock(f *ir.Func, v *ir.Value) {
	before := v.Block
	after := split(f, v)
	try, locked, tried := f.NewBlock(), f.NewBlock(), f.NewBlock()
	u := update{f, v, locked}
	before.Jump(try)
	// Lanes meet in front of the loop's branch, so that none waits for a lock that another lane of
	// its warp holds outside of the loop.
	old := []*ir.Value{u.access(try, ir.Load, ir.Word, 0)}
	old[0].Lock = true
	if v.Sub.Bits() == 64 {
		old = append(old, u.access(try, ir.Load, ir.Word, 4))
	}
	won := try.Add(f.New(ir.Locked, ir.Pred, old[0]))
	try.Branch(won, locked, tried)
	next := u.next(old)
	if len(next) > 1 {
		u.access(locked, ir.Store, ir.None, 4).AddArg(next[1])
	}
	unlock := u.access(locked, ir.Store, ir.None, 0)
	unlock.AddArg(next[0])
	unlock.Lock = true
	locked.Jump(tried)
	tried.Branch(won, after, try)
	tried.Line, try.Line = v.Line, v.Line
	switch v.Kind {
	case ir.None:
		after.Values = after.Values[1:]
		for _, a := range v.Args {
			a.Uses--
		}
		v.Args = nil
	case ir.Long:
		v.Become(ir.Pack, old...)
	default:
		v.CopyOf(old[0])
	}
}

// update builds the new value of an atomic operation.
type update struct {
	f  *ir.Func
	v  *ir.Value
	at *ir.Block
}

// access adds an access to a word of the memory that the operation changes.
func (u *update) access(at *ir.Block, op ir.Op, k ir.Kind, offset uint64) *ir.Value {
	a := u.f.New(op, k, u.v.Args[0])
	a.Space, a.Sub, a.Count, a.Volatile = ptx.Shared, ptx.B32, 1, true
	a.Imm, a.Line = u.v.Imm+offset, u.v.Line
	return at.Add(a)
}

func (u *update) do(op ir.Op, args ...*ir.Value) *ir.Value {
	x := u.f.New(op, ir.Word, args...)
	x.Sub, x.Line = u.v.Sub, u.v.Line
	return u.at.Add(x)
}

func (u *update) compare(c ptx.Cmp, a, b *ir.Value) *ir.Value {
	p := u.f.New(ir.ICmp, ir.Pred, a, b)
	p.Cmp, p.Sub, p.Line = c, ptx.U32, u.v.Line
	return u.at.Add(p)
}

// operand returns the words of operand i after the address.
func (u *update) operand(i, words int) []*ir.Value {
	x := u.v.Args[i]
	if words == 1 {
		return []*ir.Value{x}
	}
	return []*ir.Value{u.do(ir.Low, x), u.do(ir.High, x)}
}

// next returns the words of the new value.
func (u *update) next(old []*ir.Value) []*ir.Value {
	x := u.operand(1, len(old))
	switch u.v.Atom {
	case ptx.AtomExch:
		return x
	case ptx.AtomCas:
		same := u.compare(ptx.Eq, old[0], x[0])
		if len(old) > 1 {
			same = u.at.Add(u.f.New(ir.And, ir.Pred, same, u.compare(ptx.Eq, old[1], x[1])))
		}
		next := u.operand(2, len(old))
		for i := range next {
			next[i] = u.do(ir.Select, same, next[i], old[i])
		}
		return next
	case ptx.AtomAdd:
		if u.v.Sub == ptx.F32 {
			sum := u.do(ir.FAdd, old[0], x[0])
			sum.Round = ptx.RN // no rounding of the text: it stays a sum
			return []*ir.Value{sum}
		}
		next := []*ir.Value{u.do(ir.Add, old[0], x[0])}
		next[0].Sub = ptx.U32
		if len(old) > 1 {
			next = append(next, u.do(ir.AddC, old[1], x[1], next[0]))
		}
		return next
	}
	return []*ir.Value{u.nextWord(old[0], x[0])}
}

// nextWord returns the new word of an operation of 32 bits.
func (u *update) nextWord(old, x *ir.Value) *ir.Value {
	one := u.f.Word(1)
	switch u.v.Atom {
	case ptx.AtomInc:
		return u.do(ir.Select, u.compare(ptx.Ge, old, x), u.f.Word(0), u.do(ir.Add, old, one))
	case ptx.AtomDec: // zero, less one, is above all
		less := u.do(ir.Sub, old, one)
		return u.do(ir.Select, u.compare(ptx.Ge, less, x), x, less)
	}
	return u.do(words[u.v.Atom], old, x)
}

// words are the operations that are one on Words, too.
var words = map[ptx.AtomOp]ir.Op{
	ptx.AtomMin: ir.Min, ptx.AtomMax: ir.Max, ptx.AtomAnd: ir.And, ptx.AtomOr: ir.Or,
	ptx.AtomXor: ir.Xor,
}
