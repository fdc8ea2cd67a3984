package cfg

import "math/bits"

// Frontiers returns the thread frontier of each block: the blocks, ascending, at whose
// start lanes can wait while others run the block, on a machine that always runs the
// waiting lanes with the least position[block] (Diamos et al., MICRO 2011). Positions must
// differ; Function.Position is one choice, and addresses are another.
//
// Whether lanes can wait at one block while others run another depends on these two groups
// only, so the search is over pairs of blocks, and its result is exact for a function
// in which every branch can go either way. The time is at most the number of pairs times the
// branches.
func (f *Function) Frontiers(position []int) [][]int {
	s := newPairs(f, position)
	s.add(f.Start, f.Start)
	for len(s.todo) > 0 {
		run, wait := s.todo[len(s.todo)-1][0], s.todo[len(s.todo)-1][1]
		s.todo = s.todo[:len(s.todo)-1]
		for i, to := range s.targets[run] {
			if run != wait {
				s.add(to, wait)
				continue
			}
			s.add(to, to)
			for _, other := range s.targets[run][i+1:] {
				s.add(to, other)
			}
		}
	}
	return s.frontiers()
}

// pairs is a set of pairs of blocks: one that runs and one that waits.
type pairs struct {
	position []int
	targets  [][]int
	words    int // of a row
	set      []uint64
	todo     [][2]int
}

func newPairs(f *Function, position []int) *pairs {
	n := len(f.Blocks)
	s := &pairs{position: position, targets: make([][]int, n), words: (n + 63) / 64}
	s.set = make([]uint64, n*s.words)
	for b := range n {
		s.targets[b] = f.Targets(b)
	}
	return s
}

// add adds a and b. The earlier one runs. A block paired with itself runs alone.
func (s *pairs) add(a, b int) {
	if s.position[b] < s.position[a] {
		a, b = b, a
	}
	word, bit := &s.set[a*s.words+b/64], uint64(1)<<(b%64)
	if *word&bit == 0 {
		*word |= bit
		s.todo = append(s.todo, [2]int{a, b})
	}
}

func (s *pairs) frontiers() [][]int {
	out := make([][]int, len(s.targets))
	for b := range out {
		for i, word := range s.set[b*s.words : (b+1)*s.words] {
			for ; word != 0; word &= word - 1 {
				if other := 64*i + bits.TrailingZeros64(word); other != b {
					out[b] = append(out[b], other)
				}
			}
		}
	}
	return out
}
