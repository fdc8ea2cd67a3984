package schedule

import "jacquard/simt/check"

// beginCheck tells the launch's checker of the launch.
func (g *grid) beginCheck() {
	l := g.l
	if l.Checker == nil {
		return
	}
	shared := l.sharedBytes()
	g.checks = l.Checker.Begin(&check.Launch{
		Program: l.Program.Program, Machine: &g.shared, Grid: l.Grid, Block: l.Block, Params: l.Params,
		Head: uint32(len(g.head)), Static: uint32(shared - l.Dynamic), Shared: uint32(shared), Warps: len(g.masks),
	})
}
