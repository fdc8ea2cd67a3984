package branch

import "slices"

// dfs walks the code depth first: the paths of a warp are a stack, the top one runs until
// it ends or waits, and the paths that leave it at branches go under it. From C. Collange's
// lecture on SIMT (2021), which asks whether this is a mask stack. It is not: a mask stack stops
// at the end of a conditional until the other side arrives. Here the first path goes past, and
// paths meet only where the top one comes to the pc of another: at the end of a loop or of an if
// without an else, but not after an if/else.
type dfs struct{ together }

func (d dfs) choose(p *paths) (stop uint32) {
	d.raise(p) // above the paths that left it
	p.merge()
	d.raise(p)
	return p.nextAhead()
}

// raise puts the path that runs on top; if it is gone, the path under it is on top already.
func (dfs) raise(p *paths) {
	if i := p.at; i < len(p.list) {
		top := p.list[i]
		p.list = append(slices.Delete(p.list, i, i+1), top)
	}
	p.at = len(p.list) - 1
}
