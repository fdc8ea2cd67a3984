package optimize_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/ptx"
	"jacquard/ptx/compile/ir"
	"jacquard/ptx/compile/optimize"
)

// A branch on a word that all lanes of a warp read together is uniform: behind a barrier of the same
// block, at one address, where no lane arrives apart from others.
func TestUniformLoads(t *testing.T) {
	load := func(f *ir.Func, b *ir.Block, space ptx.Space, address *ir.Value) *ir.Value {
		v := b.Add(f.New(ir.Load, ir.Word, address))
		v.Space, v.Sub, v.Count = space, ptx.U32, 1
		p := b.Add(f.New(ir.ICmp, ir.Pred, v, f.Word(0)))
		p.Sub = ptx.U32
		return p
	}
	bar := func(f *ir.Func, b *ir.Block) { b.Add(f.New(ir.Bar, ir.None)) }
	tid := func(f *ir.Func, b *ir.Block) *ir.Value { return b.Add(f.New(ir.Tid, ir.Word)) }
	parted := func(f *ir.Func, b *ir.Block) *ir.Value {
		p := b.Add(f.New(ir.ICmp, ir.Pred, tid(f, b), f.Word(7)))
		p.Sub = ptx.U32
		return p
	}
	for name, tt := range map[string]struct {
		write func(f *ir.Func, b *ir.Block) *ir.Block // returns the block of the branch
		want  bool
	}{
		"behind a barrier": {func(f *ir.Func, b *ir.Block) *ir.Block {
			bar(f, b)
			b.Branch(load(f, b, ptx.Shared, f.Word(64)), f.NewBlock(), f.NewBlock())
			return b
		}, true},
		"of global memory": {func(f *ir.Func, b *ir.Block) *ir.Block {
			bar(f, b)
			b.Branch(load(f, b, ptx.Global, f.Word(64)), f.NewBlock(), f.NewBlock())
			return b
		}, true},
		"of local memory": {func(f *ir.Func, b *ir.Block) *ir.Block {
			bar(f, b)
			b.Branch(load(f, b, ptx.Local, f.Word(64)), f.NewBlock(), f.NewBlock())
			return b
		}, false},
		"before a barrier": {func(f *ir.Func, b *ir.Block) *ir.Block {
			p := load(f, b, ptx.Shared, f.Word(64))
			bar(f, b)
			b.Branch(p, f.NewBlock(), f.NewBlock())
			return b
		}, false},
		"at an address of each lane": {func(f *ir.Func, b *ir.Block) *ir.Block {
			bar(f, b)
			b.Branch(load(f, b, ptx.Shared, tid(f, b)), f.NewBlock(), f.NewBlock())
			return b
		}, false},
		"behind another block's barrier": {func(f *ir.Func, b *ir.Block) *ir.Block {
			bar(f, b)
			next := f.NewBlock()
			b.Jump(next)
			next.Branch(load(f, next, ptx.Shared, f.Word(64)), f.NewBlock(), f.NewBlock())
			return next
		}, false},
		"where some lanes arrive": {func(f *ir.Func, b *ir.Block) *ir.Block {
			side := f.NewBlock()
			b.Branch(parted(f, b), side, f.NewBlock())
			bar(f, side)
			side.Branch(load(f, side, ptx.Shared, f.Word(64)), f.NewBlock(), f.NewBlock())
			return side
		}, false},
		"where lanes meet": {func(f *ir.Func, b *ir.Block) *ir.Block {
			side, meet := f.NewBlock(), f.NewBlock()
			b.Branch(parted(f, b), side, meet)
			side.Jump(meet)
			bar(f, meet)
			meet.Branch(load(f, meet, ptx.Shared, f.Word(64)), f.NewBlock(), f.NewBlock())
			return meet
		}, true},
		"a loop's end": {func(f *ir.Func, b *ir.Block) *ir.Block {
			loop := f.NewBlock()
			b.Jump(loop)
			bar(f, loop)
			loop.Branch(load(f, loop, ptx.Shared, f.Word(64)), loop, f.NewBlock())
			return loop
		}, true},
		"behind a loop that lanes leave one by one": {func(f *ir.Func, b *ir.Block) *ir.Block {
			loop, out := f.NewBlock(), f.NewBlock()
			b.Jump(loop)
			bar(f, loop)
			p := load(f, loop, ptx.Shared, f.Word(64))
			loop.Branch(parted(f, loop), loop, out)
			out.Branch(p, f.NewBlock(), f.NewBlock())
			return out
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			f := ir.NewFunc("k")
			branch := tt.write(f, f.Blocks[0])
			end := f.NewBlock()
			end.End = ir.Exit
			for _, b := range f.Blocks {
				if b.End == ir.Open {
					b.Jump(end)
				}
			}
			f.Order()
			optimize.Uniform(f)
			require.Equal(t, tt.want, branch.Uniform)
		})
	}
}
