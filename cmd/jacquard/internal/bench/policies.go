package bench

import (
	"slices"
	"time"

	"jacquard/simt"
)

// Undivided names the workload on which divergence policies are compared: its warps stay
// together, so that a policy should cost nothing.
const Undivided = "matmul"

// PolicyCost is how long a workload takes under a divergence policy.
type PolicyCost struct {
	Policy   string  `json:"policy"`
	Seconds  float64 `json:"seconds"`  // median launch
	Relative float64 `json:"relative"` // to the first policy
}

// ComparePolicies launches the workload under nvidia, stackless and pdom in turn, rounds times
// each, and returns what it takes under each. What else the machine does meanwhile falls on
// all alike.
func (w *Workload) ComparePolicies(rounds int) ([]PolicyCost, error) {
	b, err := w.Prepare()
	if err != nil {
		return nil, err
	}
	costs := []PolicyCost{{Policy: "nvidia"}, {Policy: "stackless"}, {Policy: "pdom"}}
	times := make([][]time.Duration, len(costs))
	for round := range 1 + rounds { // the first warms up
		for i := range costs {
			b.launch.Policy = costs[i].Policy
			s, err := simt.Run(&b.launch)
			if err != nil {
				return nil, err
			}
			if round > 0 {
				times[i] = append(times[i], s.Elapsed)
			}
		}
	}
	for i := range costs {
		slices.Sort(times[i])
		costs[i].Seconds = times[i][rounds/2].Seconds()
		costs[i].Relative = costs[i].Seconds / costs[0].Seconds
	}
	return costs, nil
}
