package branch

import "jacquard/simt/lane"

// bfs walks the code breadth first: the paths of a warp take turns in a queue, one straight
// run each, and join wherever one comes to stand where another is. Every lane makes progress,
// so lanes may wait for each other; they may meet later than elsewhere for it. From
// C. Collange's lecture on SIMT (2021), "Path scheduling is graph traversal".
type bfs struct{}

func newBFS([]string) Flow { return newPaths(bfs{}) }

func (bfs) begin(p *paths, mask lane.Mask) { together(p, mask) }

// choose sends the path that ran to the back of the queue, with those it made, if it came
// through a branch.
func (bfs) choose(p *paths) (stop uint32) {
	p.merge()
	if p.step {
		p.at = (p.at + 1) % len(p.list)
	}
	p.at %= len(p.list)
	return p.nextAhead()
}

// merge joins all paths that stand at one pc, in the place of the first of them.
func (p *paths) merge() {
	for i := 0; i < len(p.list); i++ {
		for j := len(p.list) - 1; j > i; j-- {
			if p.list[i].pc == p.list[j].pc {
				p.list[i].mask |= p.list[j].mask
				if j == p.at {
					p.at = i
				}
				p.remove(j)
			}
		}
	}
}

// nextAhead returns the least pc of another path ahead of the one that runs: where they
// would meet on straight code.
func (p *paths) nextAhead() (stop uint32) {
	stop = NoStop
	for _, x := range p.list {
		if x.pc > p.list[p.at].pc {
			stop = min(stop, x.pc)
		}
	}
	return stop
}

func (bfs) plain() Kinds { return 0 }
