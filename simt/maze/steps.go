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
	s := &stepper{}
	_, err := m.Watch(policy, s)
	return s.list, err
}

// stepper observes the first warp of a launch.
type stepper struct{ list []Step }

// Block implements simt.Observer for the first block.
func (s *stepper) Block(b *simt.Block) simt.BlockObserver {
	if b.Index() != [2]int{} {
		return nil
	}
	return s
}

// Issue implements simt.BlockObserver.
func (s *stepper) Issue(i *simt.Issue) {
	for w := range i.Warps() {
		if w.Warp == 0 {
			s.list = append(s.list, Step{i.PC, w.Active, w.Vetoed})
		}
	}
}

// End implements simt.BlockObserver.
func (s *stepper) End() {}
