package report

import "jacquard/simt"

// divergence is how lanes parted and met, in figures that do not depend on the policy, and what
// skipping idle lanes would save.
type divergence struct {
	Merges, Swaps, Rejoins, Annotations, PartialBarriers uint64
	MostPaths, DeepestStack                              int
	BCC, SCC                                             float64 // slots an issue would take, a mean
}

func divergenceOf(s *simt.Stats) divergence {
	return divergence{
		Merges: s.Merges, Swaps: s.Swaps, Rejoins: s.ReissuedJoins, Annotations: s.Annotations, PartialBarriers: s.PartialBarriers,
		MostPaths: s.MostPaths, DeepestStack: s.DeepestStack, BCC: slots(s.BCC), SCC: slots(s.SCC),
	}
}

// slots is the mean of a histogram of slots.
func slots(issues [simt.Slots + 1]uint64) float64 {
	var sum, all uint64
	for n, i := range issues {
		sum += uint64(n) * i
		all += i
	}
	return ratio(sum, all)
}
