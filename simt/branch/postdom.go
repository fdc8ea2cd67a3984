package branch

import "jacquard/simt/cfg"

// postDominators returns, for the last instruction of every block with several ways on, where
// all of these meet again: the pc of the block's immediate post-dominator. Those that meet
// only at the end are not in it, nor those of code that two functions share and leave
// differently.
func postDominators(g *cfg.Graph) map[uint32]uint32 {
	meet := map[uint32]uint32{}
	for _, f := range g.Functions {
		for i := range f.Blocks {
			b := &f.Blocks[i]
			if len(b.Succ) < 2 {
				continue
			}
			pc := NoStop
			if d := f.IPostDom[i]; d >= 0 {
				pc = f.Blocks[d].Start
			}
			if other, known := meet[b.Tail]; known && other != pc {
				pc = NoStop
			}
			meet[b.Tail] = pc
		}
	}
	for tail, pc := range meet {
		if pc == NoStop {
			delete(meet, tail)
		}
	}
	return meet
}
