package branch

// bfs walks the code breadth first: the paths of a warp take turns in a queue, one straight
// run each, and paths that come to one pc join. Every lane makes progress, so lanes may wait for
// each other; the price is that they may meet later than elsewhere. From C. Collange's lecture on
// SIMT (2021), "Path scheduling is graph traversal".
type bfs struct{ together }

// choose sends the path that ran to the back of the queue, with the paths that left it, if it
// came through a branch.
func (bfs) choose(p *paths) (stop uint32) {
	p.merge()
	if p.step {
		p.at = (p.at + 1) % len(p.list)
	}
	p.at %= len(p.list)
	return p.nextAhead()
}
