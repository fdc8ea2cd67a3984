package bench

import (
	"slices"
	"time"

	"jacquard/simt"
)

// Bench is a workload ready to be launched.
type Bench struct {
	launch  simt.Launch
	buffers [][]byte // device memory, by buffer parameter
}

// Result is the median launch of a workload.
type Result struct {
	Kernel                      string  `json:"kernel"`
	SIMD                        string  `json:"simd"`
	Workers                     int     `json:"workers"`
	Launches                    int     `json:"launches"`
	WarpInstructions            uint64  `json:"warp_instructions"`
	ThreadInstructions          uint64  `json:"thread_instructions"`
	Seconds                     float64 `json:"seconds"`
	WarpInstructionsPerSecond   float64 `json:"warp_instructions_per_second"`
	ThreadInstructionsPerSecond float64 `json:"thread_instructions_per_second"`
	*Comparison                         // nil where there is no C compiler
}

// workers is how many host cores a launch has: figures of one can be compared between hosts.
const workers = 1

// leastLaunches is how many launches a median is taken of, however long they last.
const leastLaunches = 5

// Run launches the workload once to warm up, then until the time given is over, and
// answers the launch of median duration.
func (b *Bench) Run(d time.Duration) (*Result, error) {
	if _, err := simt.Run(&b.launch); err != nil {
		return nil, err
	}
	var all []*simt.Stats
	for start := time.Now(); len(all) < leastLaunches || time.Since(start) < d; {
		s, err := simt.Run(&b.launch)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b *simt.Stats) int { return int(a.Elapsed - b.Elapsed) })
	median := all[len(all)/2]
	seconds := median.Elapsed.Seconds()
	return &Result{
		Kernel:                      median.Kernel,
		SIMD:                        b.launch.Program.SIMD(),
		Workers:                     workers,
		Launches:                    len(all),
		WarpInstructions:            median.WarpInstructions,
		ThreadInstructions:          median.ThreadInstructions,
		Seconds:                     seconds,
		WarpInstructionsPerSecond:   float64(median.WarpInstructions) / seconds,
		ThreadInstructionsPerSecond: float64(median.ThreadInstructions) / seconds,
	}, nil
}
