package branch

import (
	"slices"

	"jacquard/simt/lane"
)

// dfs walks the code depth first: the paths of a warp are a stack, the top one runs until
// it ends or waits, and those it leaves at branches go under it. From C. Collange's lecture
// on SIMT (2021), which asks whether this is a mask stack. It is not: a mask stack stops at
// the end of a conditional until the other side is there. Here a path that is first goes
// past, and paths meet only where the top one comes to where another still stands: at the
// end of a loop or of an if without an else, but not behind an if/else.
type dfs struct{}

func newDFS([]string) Flow { return newPaths(dfs{}) }

func (dfs) begin(p *paths, mask lane.Mask) { together(p, mask) }

func (d dfs) choose(p *paths) (stop uint32) {
	d.raise(p) // above the paths it left
	p.merge()
	d.raise(p)
	return p.nextAhead()
}

// raise puts the path that runs on top; if it is gone, the one under it is on top already.
func (dfs) raise(p *paths) {
	if i := p.at; i < len(p.list) {
		top := p.list[i]
		p.list = append(slices.Delete(p.list, i, i+1), top)
	}
	p.at = len(p.list) - 1
}

func (dfs) plain() Kinds { return 0 }
