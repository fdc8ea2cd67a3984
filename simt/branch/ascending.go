package branch

import "jacquard/simt/cfg"

// ascending is what guides have in common that walk through the code by address. Lanes wait
// ahead of the walk, and it stops where they are.
type ascending struct{ end uint32 } // of the code

// pass goes straight on, but out of the code only with lanes.
func (a ascending) pass(w *walk, pc uint32) uint32 {
	if pc >= a.end {
		return w.least()
	}
	return pc
}

func (ascending) stop(w *walk) uint32 { return w.ahead() }

// codeEnd returns the address behind the code.
func codeEnd(g *cfg.Graph) uint32 {
	if len(g.Code) == 0 {
		return 0
	}
	return g.PC[len(g.Code)]
}

// joins says for every block where the walk goes on that finds nobody to follow at the
// block's end. By word of its instructions; NoStop if lanes can wait nowhere ahead.
type joins []uint32

func newJoins(g *cfg.Graph) joins {
	t := make(joins, codeEnd(g)/4)
	for i := range t {
		t[i] = NoStop
	}
	return t
}

func (t joins) set(b *cfg.Block, pc uint32) {
	for word := b.Start / 4; word < b.End/4; word++ {
		t[word] = pc
	}
}

// before returns the entry of the block with the instruction before pc.
func (t joins) before(pc uint32) uint32 {
	if word := int(pc/4) - 1; word >= 0 && word < len(t) {
		return t[word]
	}
	return NoStop
}
