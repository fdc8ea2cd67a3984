package report

import (
	"cmp"
	"fmt"
	"slices"

	"jacquard/observe/stats"
	"jacquard/simt"
)

// spot is a row of a table of selected instructions.
type spot struct {
	ID, PC, Text               string
	Issues                     uint64
	Lanes                      float64
	Taken, NotTaken, Divergent uint64 // of a branch: issues by outcome
	Went, Came                 uint64 // lanes that took the branch, lanes that reached it
	Cost, Accesses             uint64 // of memory
}

func (k *Kernel) spot(i int) spot {
	s := &k.Sum.ByInstruction[i]
	cost, accesses := k.cost(i)
	return spot{
		Cost: cost, Accesses: accesses,
		ID: k.anchor(k.PCs[i]), PC: fmt.Sprintf("%04x", k.PCs[i]), Text: k.Code[i].String(), Issues: s.Issues, Lanes: k.lanes(i),
		Taken: s.Branch.Taken, NotTaken: s.Branch.NotTaken, Divergent: s.Branch.Divergent, Went: s.Branch.Threads, Came: s.Threads,
	}
}

// hottest returns the instructions with the most issues, at most most of them.
func (k *Kernel) hottest(most int) []spot {
	var order []int
	for i := range k.Code {
		if k.Sum.ByInstruction[i].Issues > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(k.Sum.ByInstruction[b].Issues, k.Sum.ByInstruction[a].Issues)
	})
	return k.spots(order[:min(len(order), most)])
}

// branches returns the instructions with branch outcomes, the most divergent first.
func (k *Kernel) branches() []spot {
	var order []int
	for i := range k.Code {
		if b := &k.Sum.ByInstruction[i].Branch; b.Taken+b.NotTaken+b.Divergent > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(k.Sum.ByInstruction[b].Branch.Divergent, k.Sum.ByInstruction[a].Branch.Divergent)
	})
	return k.spots(order)
}

func (k *Kernel) spots(order []int) []spot {
	spots := make([]spot, len(order))
	for n, i := range order {
		spots[n] = k.spot(i)
	}
	return spots
}

// counter is a counter of launches: its name, meaning and value.
type counter struct {
	Name, Help string
	Value      uint64
}

// counters lists all counters of launches.
func counters(s *simt.Stats) []counter {
	var all []counter
	for _, c := range stats.Columns() {
		all = append(all, counter{title(c.Name), c.Help, *c.Of(s)})
	}
	return all
}
