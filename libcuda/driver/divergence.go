package driver

import "jacquard/simt"

// Divergence is what a launch counted of how lanes part and meet. docs/statistics.md says
// what each count means.
type Divergence struct {
	ActiveLanes        [33]uint64 `json:"active_lanes"` // issues by number of lanes
	ReissuedJoins      uint64     `json:"reissued_joins"`
	Annotations        uint64     `json:"annotations"`
	Merges             uint64     `json:"merges"`
	Swaps              uint64     `json:"swaps"`
	MostPaths          int        `json:"most_paths"`
	DeepestStack       int        `json:"deepest_stack"`
	PartialBarriers    uint64     `json:"partial_barriers"`
	PCArbitrations     uint64     `json:"pc_arbitrations"`
	MemoryArbitrations uint64     `json:"memory_arbitrations"`
	NoArbitrations     uint64     `json:"no_arbitrations"`
	BCC                [5]uint64  `json:"bcc"` // issues by number of slots
	SCC                [5]uint64  `json:"scc"`
}

func divergenceOf(s *simt.Stats) Divergence {
	return Divergence{
		ActiveLanes:        s.Active,
		ReissuedJoins:      s.ReissuedJoins,
		Annotations:        s.Annotations,
		Merges:             s.Merges,
		Swaps:              s.Swaps,
		MostPaths:          s.MostPaths,
		DeepestStack:       s.DeepestStack,
		PartialBarriers:    s.PartialBarriers,
		PCArbitrations:     s.Arbiter.PC,
		MemoryArbitrations: s.Arbiter.Memory,
		NoArbitrations:     s.Arbiter.Neither,
		BCC:                s.BCC,
		SCC:                s.SCC,
	}
}
