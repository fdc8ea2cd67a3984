package ssabuild

import (
	"jacquard/ptx"
	"jacquard/ptx/compile/ir"
)

// pairs builds add, min and max of the two 16-bit integers of a word.
func (b *builder) pairs(in *ptx.Instr) {
	t, upper := ptx.U16, ir.ShrU
	if in.Type == ptx.S16x2 {
		t, upper = ptx.S16, ir.ShrS
	}
	op := map[ptx.Op]ir.Op{ptx.OpAdd: ir.Add, ptx.OpMin: ir.Min, ptx.OpMax: ir.Max}[in.Op]
	x, y, n := b.value(&in.Args[1], ptx.B32), b.value(&in.Args[2], ptx.B32), b.word(16)
	low := b.relu(in, b.typed(op, t, b.extend(x, t), b.extend(y, t)))
	high := b.relu(in, b.typed(op, t, b.do(upper, x, n), b.do(upper, y, n)))
	b.result(in, b.do(ir.Or, b.do(ir.Shl, high, n), b.extend(low, ptx.U16)))
}

// cvtPack builds cvt.pack: two integers, clamped, below the lower bits of a third.
func (b *builder) cvtPack(in *ptx.Instr) {
	n := uint32(in.Type.Bits())
	mask := uint32(1)<<n - 1
	least, most := uint32(0), mask
	if in.Type.Signed() {
		least, most = ^(mask >> 1), mask>>1
	}
	one := func(i int) *ir.Value {
		v := b.typed(ir.Min, ptx.S32, b.value(&in.Args[i], ptx.S32), b.word(most))
		return b.do(ir.And, b.typed(ir.Max, ptx.S32, v, b.word(least)), b.word(mask))
	}
	v := b.do(ir.Or, b.do(ir.Shl, one(1), b.word(n)), one(2))
	if len(in.Args) > 3 {
		v = b.do(ir.Or, v, b.do(ir.Shl, b.value(&in.Args[3], ptx.B32), b.word(2*n)))
	}
	b.assign(&in.Args[0], ptx.U32, v, nil)
}
