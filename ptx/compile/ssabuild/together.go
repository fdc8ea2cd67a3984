package ssabuild

import (
	"jacquard/ptx"
	"jacquard/ptx/compile/ir"
	"jacquard/tesla"
)

// together builds an instruction whose result depends on other lanes of the warp: a vote where the
// device has them, else a function of the library.
func (b *builder) together(in *ptx.Instr) {
	b.meet(in)
	if in.Op != ptx.OpVote || in.Mode == ptx.VoteBallot || b.target.Arch < tesla.SM12 {
		b.missing(in)
		return
	}
	p := b.predicate(&in.Args[1])
	vote := func(all uint64, p *ir.Value) *ir.Value {
		v := b.add(ir.Vote, ir.Pred, p)
		v.Imm = all
		return v
	}
	switch in.Mode {
	case ptx.VoteAny:
		p = vote(0, p)
	case ptx.VoteAll:
		p = vote(1, p)
	default:
		none := b.add(ir.Not, ir.Pred, vote(0, p))
		p = b.add(ir.Or, ir.Pred, vote(1, p), none)
	}
	b.set(b.first(in.Args[0].Var), p)
}

// meet has the lanes of a warp come together before they look at each other. The mask of an
// instruction with .sync, its last operand, says which lanes come there.
func (b *builder) meet(in *ptx.Instr) {
	if in.Mods&ptx.Sync == 0 {
		b.add(ir.Meet, ir.None)
		return
	}
	b.add(ir.Meet, ir.None, b.value(&in.Args[len(in.Args)-1], ptx.B32))
}

// bar builds the barriers. One of a warp only has its lanes meet, and orders accesses: lanes that
// are together are in step.
func (b *builder) bar(in *ptx.Instr) {
	first := 0
	switch in.Mode {
	case ptx.BarWarp:
		b.meet(in)
		b.order()
		return
	case ptx.BarArrive:
		b.fail("bar.arrive is not supported: the device's barriers stop all warps of the block")
		return
	case ptx.BarRed:
		first = 1
	}
	id, ok := b.value(&in.Args[first], ptx.U32).IsConst()
	if !ok || id > 15 || len(in.Args) > 1+2*first {
		b.fail("only barriers of the whole block with a constant number are supported")
		return
	}
	if in.Mode == ptx.BarRed {
		b.barRed(in, id)
		return
	}
	b.barrier(id)
}

func (b *builder) barrier(id uint64) { b.add(ir.Bar, ir.None).Imm = id }

// barRed builds bar.red: a barrier between the steps of the library.
func (b *builder) barRed(in *ptx.Instr, id uint64) {
	b.meet(in)
	p := b.predicate(&in.Args[2])
	if in.Atom == ptx.AtomAnd { // none of the opposite
		p = b.add(ir.Not, ir.Pred, p)
	}
	b.call("bar_red_clear", nil, 0)
	b.barrier(id)
	b.call("bar_red_count", []*ir.Value{p}, 0)
	b.barrier(id)
	sum := b.call("bar_red_sum", nil, 1)[0]
	b.barrier(id)
	switch in.Atom {
	case ptx.AtomAnd:
		b.set(b.first(in.Args[0].Var), b.compare(ptx.Eq, ptx.U32, sum, b.word(0)))
	case ptx.AtomOr:
		b.set(b.first(in.Args[0].Var), b.compare(ptx.Ne, ptx.U32, sum, b.word(0)))
	default:
		b.result(in, sum)
	}
}

// fence builds membar and fence. Accesses to shared memory are seen in the order of the code.
func (b *builder) fence(in *ptx.Instr) {
	if in.Mode == ptx.FenceCTA {
		b.order()
		return
	}
	b.add(ir.Fence, ir.None)
}

// order keeps accesses before it in front of accesses after it, in the code alone.
func (b *builder) order() { b.add(ir.Fence, ir.None).Imm = ir.InCode }
