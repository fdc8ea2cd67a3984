package maze

import (
	"jacquard/simt"
	"jacquard/simt/lane"
)

// Step is an issue of one warp.
type Step struct {
	PC     uint32
	Lanes  lane.Mask
	Vetoed bool // the join marker sent them elsewhere before they could execute
}

// Steps runs the maze under a policy and returns the issues of its first warp. After an
// error they are those up to it.
func (m *Maze) Steps(policy string) ([]Step, error) {
	s := &stepper{}
	_, err := m.Watch(policy, s)
	return s.list, err
}

// stepper observes the first warp of a launch.
type stepper struct{ list []Step }

// Block watches the first block.
func (s *stepper) Block(b *simt.Block) simt.BlockObserver {
	if b.Index() != [2]int{} {
		return nil
	}
	return s
}

// Issue adds a step.
func (s *stepper) Issue(i *simt.Issue) {
	for w := range i.Warps() {
		if w.Warp == 0 {
			s.list = append(s.list, Step{i.PC, w.Active, w.Vetoed})
		}
	}
}

// End has nothing to do.
func (s *stepper) End() {}
