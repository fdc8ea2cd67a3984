package main

import (
	"fmt"

	"jacquard/internal/test/maze"
	"jacquard/simt"
	"jacquard/simt/branch"
)

// measured are the policies of the table of widths: of stacks, of paths, and two that mix warps.
var measured = []string{"nvidia", "stackless", "mimd", "dwf:sched=dpc", "tbc"}

// widths measures random kernels with warps of every width: how many of the lanes of a warp an issue
// has on average, and how many instructions are issued.
func widths() (string, error) {
	rows := [][]string{{"random kernels"}}
	for _, p := range measured {
		rows[0] = append(rows[0], "`"+p+"`")
	}
	for _, lanes := range branch.Widths().Values {
		row := []string{"warps of " + lanes}
		for _, policy := range measured {
			var issues, threads uint64
			option := branch.With(policy, "warp="+lanes)
			for seed := range uint64(100) {
				m := maze.New(seed)
				stats, err := m.Watch(option, nil)
				if err != nil {
					return "", err
				}
				for n, count := range stats.Active {
					issues += count
					threads += uint64(n) * count
				}
			}
			share := float64(threads) / float64(issues*uint64(simt.WarpLanes(option)))
			row = append(row, fmt.Sprintf("%.1f %% in %d", 100*share, issues))
		}
		rows = append(rows, row)
	}
	return table(rows), nil
}
