package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"jacquard/internal/test/maze"
	"jacquard/simt"
	"jacquard/simt/branch"
	"jacquard/simt/cfg"
	"jacquard/simt/lane"
)

// paper is table 1 of "Stack-less SIMT reconvergence at low cost": recursion and indirect
// branches.
var paper = map[string]string{
	"lorie-strong": "no, no", "chap": "no, no", "amd": "sync, no", "pomp": "sync, no", "gma": "no, no",
	"nvidia": "sync, yes", "sandybridge": "no, no", "takahashi": "no, no", "implicit": "no, no", "stackless": "div, yes",
}

// traits are the columns of the table, in order.
type traits [8]string

// traitNames is the head of the table.
var traitNames = []string{
	"policy", "goes first at a branch", "meets after an if/else", "recursion", "indirect branches",
	"in the paper", "any code", "spin locks that end", "issues twice, or empty",
}

// traitsTable measures every policy on small kernels. Options that change nothing share a row.
func traitsTable() (string, error) {
	rows := [][]string{traitNames}
	for _, c := range branch.Policies() {
		list, err := groups([]branch.Choice{c}, func(policy string) (traits, error) { return measure(c.Name, policy) })
		if err != nil {
			return "", err
		}
		for i, g := range list {
			names := []string{c.Name}
			if i > 0 {
				names = short(g.policies)
			}
			rows = append(rows, append([]string{"`" + strings.Join(names, "` `") + "`"}, g.result[:]...))
		}
	}
	return table(rows), nil
}

func measure(name, policy string) (t traits, err error) {
	published := func(string) (string, error) { return paper[name], nil }
	columns := [len(t)]func(policy string) (string, error){
		first, meets, recursion, runs(maze.Indirect()), published, runs(maze.Crossing()), locks, wasted,
	}
	for i, column := range columns {
		if t[i], err = column(policy); err != nil {
			return t, err
		}
	}
	return t, nil
}

// tried returns "yes" for a run without an error and "no" for a refusal; other errors are failures.
func tried(err error) (string, error) {
	if err == nil {
		return "yes", nil
	}
	if _, refused := maze.Refusal(err); refused {
		return "no", nil
	}
	return "", err
}

// first tells which side of a branch runs first: by the branch, by the addresses of the sides, or
// by their lanes.
func first(policy string) (string, error) {
	var taken [4]bool
	for i := range taken {
		m, toTaken, toFallen := maze.Sides(i&1 != 0, i&2 != 0)
		steps, err := m.Steps(policy)
		if _, refused := maze.Refusal(err); refused && i&1 != 0 {
			return forward(taken[0]), nil
		}
		if err != nil {
			return "", err
		}
		at := slices.IndexFunc(steps, func(s maze.Step) bool { return s.Lanes != 0 && (s.PC == toTaken || s.PC == toFallen) })
		taken[i] = steps[at].PC == toTaken
	}
	switch taken {
	case [4]bool{true, true, true, true}:
		return "the side that branches", nil
	case [4]bool{false, false, false, false}:
		return "the side that does not", nil
	case [4]bool{false, true, false, true}:
		return "the lower address", nil
	case [4]bool{true, false, true, false}:
		return "the higher address", nil
	case [4]bool{false, false, true, true}:
		return "the lowest lane", nil
	}
	return fmt.Sprintf("it depends %v", taken), nil
}

// forward is the answer for a policy that refuses backward branches except in loops.
func forward(taken bool) string {
	if taken {
		return "the side that branches, ahead"
	}
	return "the side that does not, or the lower address"
}

// meets tells what makes lanes meet after an if/else.
func meets(policy string) (string, error) {
	var together [2]bool
	for i, announced := range []bool{false, true} {
		steps, err := maze.IfElse(announced).Steps(policy)
		if err != nil {
			return "", err
		}
		together[i] = steps[len(steps)-1].Lanes == 0xf
	}
	switch graph := readsGraph(policy); {
	case together == [2]bool{true, true} && graph:
		return "found in the flow graph", nil
	case together == [2]bool{true, true}:
		return "by the pc", nil
	case together == [2]bool{false, true}:
		return "if announced", nil
	case together == [2]bool{}:
		return "no", nil
	}
	return "", errors.New("meets only if not announced")
}

// readsGraph reports whether the policy reads the flow graph of a kernel before it runs. A policy
// that refuses the empty graph has read it.
func readsGraph(policy string) bool {
	s, err := branch.Find(policy)
	if err != nil {
		return false
	}
	looked := false
	_, err = s.Prepare(&branch.Kernel{Graph: func() *cfg.Graph { looked = true; return &cfg.Graph{} }})
	return looked || err != nil
}

// recursion tells whether a subroutine may call itself, and which lanes run together in it.
func recursion(policy string) (string, error) {
	o := &depths{alone: true}
	_, err := maze.Depths().Watch(policy, o)
	said, err := tried(err)
	if said != "yes" {
		return said, err
	}
	switch {
	case o.alone:
		return "each lane alone", nil
	case o.mixed:
		return "lanes at any depth together", nil
	}
	return "lanes at one depth together", nil
}

// runs tells whether the policy runs a kernel.
func runs(m *maze.Maze) func(policy string) (string, error) {
	return func(policy string) (string, error) {
		_, err := m.Watch(policy, nil)
		return tried(err)
	}
}

// locks tells which forms of a spin lock end.
func locks(policy string) (string, error) {
	var ends []string
	names := []string{"branch", "break", "inside"}
	for how := maze.LockBranch; how <= maze.LockInside; how++ {
		_, err := maze.SpinLock(how, lane.Width).Watch(policy, nil)
		var f *simt.Fault
		if errors.As(err, &f) && f.Kind == simt.FaultLivelock {
			continue
		}
		said, err := tried(err)
		if err != nil {
			return "", err
		}
		if said == "yes" {
			ends = append(ends, names[how])
		}
	}
	switch len(ends) {
	case len(names):
		return "all", nil
	case 0:
		return "none", nil
	}
	return strings.Join(ends, ", "), nil
}

// wasted tells whether the policy issues joins twice, or issues without lanes, in structured
// mazes.
func wasted(policy string) (string, error) {
	var twice, empty bool
	for seed := uint64(0); seed < 80; seed += 4 { // structured mazes
		stats, err := maze.New(seed).Watch(policy, nil)
		if _, err := tried(err); err != nil {
			return "", err
		}
		if err == nil {
			twice = twice || stats.ReissuedJoins > 0
			empty = empty || stats.Active[0] > 0
		}
	}
	switch {
	case twice && empty:
		return "joins; empty", nil
	case twice:
		return "joins", nil
	case empty:
		return "empty", nil
	}
	return "no", nil
}
