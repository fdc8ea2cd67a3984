package main

import (
	"fmt"
	"strings"

	"jacquard/internal/test/maze"
	"jacquard/simt/branch"
)

// examples lists two small kernels and the steps of four lanes in them under every policy.
func examples() (string, error) {
	var s strings.Builder
	for _, e := range []struct {
		title string
		m     *maze.Maze
	}{
		{"An if with an else; lanes 2 and 3 take the branch.", maze.IfElse(true)},
		{"A loop that lane 0 leaves in the first round, lane 1 in the second, and so on.", maze.Rounds()},
	} {
		listing, err := e.m.Listing()
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&s, "%s\n\n```\n%s\n", e.title, listing)
		list, err := groups(branch.Policies(), func(policy string) (string, error) { return steps(e.m, policy) })
		if err != nil {
			return "", err
		}
		for _, g := range list {
			fmt.Fprintf(&s, "%s\n    %s\n", strings.Join(short(g.policies), " "), g.result)
		}
		s.WriteString("```\n\n")
	}
	return strings.TrimSuffix(s.String(), "\n"), nil
}

// steps writes the issues of the kernel: address, x for a vetoed join, and lanes.
func steps(m *maze.Maze, policy string) (string, error) {
	list, err := m.Steps(policy)
	if _, refused := maze.Refusal(err); refused {
		return "refused", nil
	}
	if err != nil {
		return "", err
	}
	var words []string
	for _, s := range list {
		mark := ":"
		if s.Vetoed {
			mark = "x"
		}
		lanes := ""
		for l := range m.Block {
			if s.Lanes>>l&1 != 0 {
				lanes += fmt.Sprint(l)
			}
		}
		words = append(words, fmt.Sprintf("%02x%s%s", s.PC, mark, lanes))
	}
	return strings.Join(words, " "), nil
}
