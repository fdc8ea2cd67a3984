package maze

import (
	"jacquard/simt"
	"jacquard/simt/lane"
)

// Step is an issue of one warp.
type Step struct {
	PC     uint32
	Lanes  lane.Mask
	Vetoed bool // the join marker sent the lanes elsewhere before they executed
}

// Steps runs the maze under a policy and returns the issues of its first warp, up to the error if
// there is one.
func (m *Maze) Steps(policy string) ([]Step, error) {
	all, err := m.allSteps(policy)
	return all[0][0], err
}

// allSteps runs the maze under a policy and returns the issues of each warp of each block, up to the
// error if there is one.
func (m *Maze) allSteps(policy string) ([][][]Step, error) {
	s := make(steppers, m.Grid)
	for b := range s {
		s[b] = make(stepper, m.warps())
	}
	_, err := m.Watch(policy, s)
	all := make([][][]Step, m.Grid)
	for b := range s {
		all[b] = s[b]
	}
	return all, err
}

// steppers observe a launch, by block.
type steppers []stepper

// stepper observes a block, by warp.
type stepper [][]Step

// Block implements simt.Observer.
func (s steppers) Block(b *simt.Block) simt.BlockObserver { return s[b.Index()[0]] }

// Issue implements simt.BlockObserver.
func (s stepper) Issue(i *simt.Issue) {
	for w := range i.Warps() {
		s[w.Warp] = append(s[w.Warp], Step{i.PC, w.Active, w.Vetoed})
	}
}

// End implements simt.BlockObserver.
func (stepper) End() {}
