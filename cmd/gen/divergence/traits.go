package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"jacquard/simt"
	"jacquard/simt/branch"
	"jacquard/simt/cfg"
	"jacquard/simt/lane"
	"jacquard/simt/maze"
)

// paper is table 1 of "Stack-less SIMT reconvergence at low cost": recursion and indirect
// branches.
var paper = map[string]string{
	"lorie-strong": "no, no", "chap": "no, no", "amd": "sync, no", "pomp": "sync, no", "gma": "no, no", "nvidia": "sync, yes",
	"sandybridge": "no, no", "takahashi": "no, no", "implicit": "no, no", "stackless": "div, yes",
}

// traits are the columns of the table, in order.
type traits [8]string

// traitNames is the head of the table.
var traitNames = []string{"policy", "goes first at a branch", "meets behind an if/else", "recursion", "indirect branches", "in the paper", "any code", "spin locks that end", "issues twice, or with nobody"}

// traitsTable says what every policy does with small kernels. Options that change nothing share
// a row.
func traitsTable() (string, error) {
	rows := [][]string{traitNames}
	for _, s := range branch.Policies() {
		var known []traits
		var names [][]string
		for _, policy := range maze.Variants(&s) {
			t, err := measure(s.Name, policy)
			if err != nil {
				return "", fmt.Errorf("%s: %w", policy, err)
			}
			i := slices.Index(known, t)
			if i < 0 {
				i = len(known)
				known, names = append(known, t), append(names, nil)
			}
			names[i] = append(names[i], policy)
		}
		for i, t := range known {
			label := "`" + s.Name + "`"
			if i > 0 {
				label = "`" + strings.Join(short(names[i]), "` `") + "`"
			}
			rows = append(rows, append([]string{label}, t[:]...))
		}
	}
	return table(rows), nil
}

func measure(name, policy string) (t traits, err error) {
	published := func(string) (string, error) { return paper[name], nil }
	for i, column := range []func(policy string) (string, error){first, meets, recursion, indirect, published, anyCode, locks, wasted} {
		if t[i], err = column(policy); err != nil {
			return t, err
		}
	}
	return t, nil
}

// tried turns the error of a run into what the table says of it; other errors than refusals
// are failures.
func tried(err error) (string, error) {
	if err == nil {
		return "yes", nil
	}
	if _, refused := maze.Refusal(err); refused {
		return "no", nil
	}
	return "", err
}

// first says which side of a branch runs first: by the branch, by where the sides are in the
// code, or by their lanes.
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

// forward is the answer for a policy that runs no code that goes back but in loops.
func forward(taken bool) string {
	if taken {
		return "the side that branches, ahead"
	}
	return "the side that does not, or the lower address"
}

// meets says what it takes for lanes to meet behind an if/else.
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

// readsGraph reports whether the policy looks at the control flow of a kernel before it
// runs. A policy that refuses one without any looked.
func readsGraph(policy string) bool {
	s, err := branch.Find(policy)
	if err != nil {
		return false
	}
	looked := false
	_, err = s.Prepare(&branch.Kernel{Graph: func() *cfg.Graph { looked = true; return &cfg.Graph{} }})
	return looked || err != nil
}

// recursion says whether a subroutine may call itself, and who runs together in it.
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

func indirect(policy string) (string, error) {
	_, err := maze.Indirect().Watch(policy, nil)
	return tried(err)
}

func anyCode(policy string) (string, error) {
	_, err := maze.Crossing().Watch(policy, nil)
	return tried(err)
}

// locks says which ways to write a spin lock end.
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

// wasted says whether structured mazes make the policy issue joins twice, or instructions with no lane.
func wasted(policy string) (string, error) {
	var twice, nobody bool
	for seed := uint64(0); seed < 80; seed += 4 { // structured ones
		stats, err := maze.New(seed).Watch(policy, nil)
		if _, err := tried(err); err != nil {
			return "", err
		}
		if err == nil {
			twice = twice || stats.ReissuedJoins > 0
			nobody = nobody || stats.Active[0] > 0
		}
	}
	switch {
	case twice && nobody:
		return "joins; with nobody", nil
	case twice:
		return "joins", nil
	case nobody:
		return "with nobody", nil
	}
	return "no", nil
}
