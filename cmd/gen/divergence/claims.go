package main

import (
	"fmt"
	"strings"

	"jacquard/internal/test/maze"
)

// compared are the three policies of "Stack-less SIMT reconvergence at low cost", and one of them
// without its repeated issues, as in "Étude comparée et simulation d'algorithmes de branchements
// pour le GPGPU".
var compared = []string{"nvidia", "implicit", "implicit:meet=once", "stackless"}

// claims measures claims of the literature about three policies, on kernels that show one property
// each and on random kernels.
func claims() (string, error) {
	rows := [][]string{append(append([]string{"kernel"}, compared...), "stackless:key=pc")}
	for _, k := range []struct {
		name string
		m    *maze.Maze
	}{
		{"an if/else of four lanes, announced", maze.IfElse(true)},
		{"a call in an if, the function after it", maze.CallInIf()},
		{"a return in an if in an if", maze.ReturnInIf(true)},
		{"a break in an if in an if", maze.ReturnInIf(false)},
		{"a loop with two entries", maze.Crossing()},
		{"a loop that threads leave one by one", maze.Rounds()},
		{"a row that lane 0 scans alone", maze.RowScan()},
	} {
		row := []string{k.name}
		for _, policy := range rows[0][1:] {
			stats, err := k.m.Watch(policy, nil)
			said, err := tried(err)
			if err != nil {
				return "", err
			}
			cell := "refused"
			if said == "yes" {
				cell = fmt.Sprintf("%.3f in %d", stats.AverageLanes(), stats.WarpInstructions)
			}
			row = append(row, cell)
		}
		rows = append(rows, row)
	}
	counts, err := random()
	if err != nil {
		return "", err
	}
	scan, err := sideBySide(maze.RowScan(), "nvidia", "stackless")
	return "Mean of active lanes, and issues:\n\n" + table(rows) + "\n" + counts +
		"\nThe row that lane 0 scans, step by step:\n\n" + scan, err
}

// sideBySide lists the steps of a kernel under each of the policies.
func sideBySide(m *maze.Maze, policies ...string) (string, error) {
	var s strings.Builder
	for _, policy := range policies {
		line, err := steps(m, policy)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&s, "%s\n    %s\n", policy, line)
	}
	return "```\n" + s.String() + "```\n", nil
}

// mazes is the number of random kernels.
const mazes = 1000

// random counts random kernels for which a claim does not hold.
func random() (string, error) {
	pairs := [][2]string{
		{"stackless", "nvidia"}, {"stackless", "implicit"}, {"stackless", "implicit:meet=once"},
		{"implicit", "nvidia"}, {"implicit:meet=once", "nvidia"},
	}
	type count struct{ both, lanes, issues int }
	counts := make([][maze.Tangled + 1]count, len(pairs))
	for seed := range uint64(mazes) {
		m := maze.New(seed)
		lanes, issues := map[string]float64{}, map[string]uint64{}
		for _, policy := range compared {
			stats, err := m.Watch(policy, nil)
			said, err := tried(err)
			if err != nil {
				return "", err
			}
			if said == "yes" {
				lanes[policy], issues[policy] = stats.AverageLanes(), stats.WarpInstructions
			}
		}
		for i, p := range pairs {
			c := &counts[i][m.Style]
			if issues[p[0]] == 0 || issues[p[1]] == 0 {
				continue
			}
			c.both++
			if lanes[p[0]] < lanes[p[1]] {
				c.lanes++
			}
			if issues[p[0]] > issues[p[1]] {
				c.issues++
			}
		}
	}
	rows := [][]string{{"random kernels"}}
	for s := maze.Structured; s <= maze.Tangled; s++ {
		rows[0] = append(rows[0], s.String())
	}
	for i, p := range pairs {
		fewer := []string{fmt.Sprintf("`%s` has fewer lanes than `%s`", p[0], p[1])}
		more := []string{fmt.Sprintf("`%s` issues more than `%s`", p[0], p[1])}
		for _, c := range counts[i] {
			fewer = append(fewer, fmt.Sprintf("%d of %d", c.lanes, c.both))
			more = append(more, fmt.Sprintf("%d of %d", c.issues, c.both))
		}
		rows = append(rows, fewer, more)
	}
	return table(rows), nil
}
