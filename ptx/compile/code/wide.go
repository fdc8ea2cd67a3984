package code

// outside returns the block at whose end a region begins that holds all ways to j, loops with
// several entries among them. -1 if there is none.
//
// Such a region holds more than it must, but lanes have to meet somewhere before a barrier: the
// machine counts a warp when the first of its lanes comes there.
func (s *structuring) outside(j int32) int32 {
	for p := s.g.Above[j]; p >= 0; p = s.g.Above[p] {
		if !s.returns(p, j) && s.behindAll(p, j) {
			return p
		}
		if p == 0 {
			break
		}
	}
	return -1
}

// behindAll reports whether all ways from block p come to j.
func (s *structuring) behindAll(p, j int32) bool {
	for x := s.ipdom[p]; x >= 0; x = s.ipdom[x] {
		if x == j {
			return true
		}
	}
	return false
}

// returns reports whether a way leads from the end of a block back to the block without block j.
func (s *structuring) returns(p, j int32) bool {
	seen := make([]bool, len(s.f.Blocks))
	seen[j] = true
	work := []int32{p}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, t := range s.g.succ[b] {
			if t == p {
				return true
			}
			if !seen[t] {
				seen[t] = true
				work = append(work, t)
			}
		}
	}
	return false
}
