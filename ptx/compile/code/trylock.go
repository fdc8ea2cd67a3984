package code

import (
	"slices"

	"jacquard/tesla"
)

// separate gives each loop that tries to lock a word a start of its own. It may begin a loop of the
// program, as an atomic operation on shared memory does there:
//
//	again: if (atomicCAS(&lock, 0, 1)) goto again;
//
// Two loops with one start are one natural loop. Lanes that have left the inner one would not meet
// before they go on in the outer one, and lanes with the program's lock would wait for the others.
func separate(f *Func) {
	g := newSegments(f)
	blocks := f.Blocks
	for _, head := range g.Order {
		if g.loop[head] != head || !slices.ContainsFunc(blocks[head].Code, triesLock) {
			continue
		}
		inner := g.firstLatch(head)
		if inner < 0 {
			continue
		}
		outer := &Block{Depth: blocks[head].Depth, End: End{Kind: Jump, To: [2]*Block{blocks[head]}, Line: blocks[head].End.Line}}
		for _, p := range g.pred[head] {
			if p != inner {
				blocks[p].redirect(blocks[head], outer)
			}
		}
		f.Blocks = append(f.Blocks, outer)
		if head == 0 {
			last := len(f.Blocks) - 1
			f.Blocks[0], f.Blocks[last] = f.Blocks[last], f.Blocks[0]
		}
	}
}

// triesLock reports whether an instruction tries to lock a word of shared memory.
func triesLock(in Instr) bool {
	return in.In.Op == tesla.OpLdShared && in.In.Mods&tesla.Lock != 0
}

// firstLatch returns the block that leads back to a header from before all others that do, -1 if
// there are no others.
func (g *graph) firstLatch(head int32) int32 {
	first, latches := int32(-1), 0
	for _, p := range g.pred[head] {
		if !g.Dominates(head, p) {
			continue
		}
		latches++
		if first < 0 || g.Dominates(p, first) {
			first = p
		}
	}
	if latches < 2 {
		return -1
	}
	return first
}
