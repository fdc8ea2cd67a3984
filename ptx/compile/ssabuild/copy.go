package ssabuild

import (
	"fmt"

	"jacquard/ptx"
	"jacquard/ptx/compile/ir"
)

// copyAsync builds cp.async as a copy that is done at once, as PTX allows. What commits and waits has
// nothing to do.
func (b *builder) copyAsync(in *ptx.Instr) {
	if in.Mode != ptx.NoMode {
		return
	}
	n := in.Args[2].Value
	if n != 16 && (n != 4 && n != 8 || in.Cache == ptx.CacheGlobal) {
		b.fail("cp.async.%v of %d bytes; .ca copies 4, 8 or 16, .cg 16", in.Cache, n)
		return
	}
	from, to := b.copied(in, &in.Args[1], ptx.Global), b.copied(in, &in.Args[0], ptx.Shared)
	if len(in.Args) == 4 && in.Mods&ptx.CacheHint == 0 && !(in.Args[3].Kind == ptx.Immediate && in.Args[3].Value >= n) {
		part := b.value(&in.Args[3], ptx.B32)
		b.call(fmt.Sprintf("cp_async_%d", n), []*ir.Value{b.plus(to.base, to.imm), b.plus(from.base, from.imm), part}, 0)
		return
	}
	words := *in
	words.Type, words.Vector = ptx.B32, int(n/4)
	b.put(&words, to, b.fetch(&words, from))
}

// copied returns the memory of a space that one side of a copy names.
func (b *builder) copied(in *ptx.Instr, o *ptx.Operand, space ptx.Space) where {
	side := *in
	side.Space = space
	return b.address(&side, o)
}
