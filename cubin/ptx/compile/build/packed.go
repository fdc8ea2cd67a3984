package build

import (
	"jacquard/cubin/ptx"
	"jacquard/cubin/ptx/compile/ir"
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
