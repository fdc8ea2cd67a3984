package main

import (
	"fmt"
	"slices"
	"strings"

	"jacquard/simt/branch"
	"jacquard/simt/maze"
)

// examples lists two small kernels and what four lanes do in them under every policy, one step after the other.
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
		var lines []string
		var names [][]string
		for _, scheme := range branch.Policies() {
			for _, policy := range maze.Variants(&scheme) {
				line, err := steps(e.m, policy)
				if err != nil {
					return "", fmt.Errorf("%s: %w", policy, err)
				}
				i := slices.Index(lines, line)
				if i < 0 {
					i = len(lines)
					lines, names = append(lines, line), append(names, nil)
				}
				names[i] = append(names[i], policy)
			}
		}
		for i, line := range lines {
			fmt.Fprintf(&s, "%s\n    %s\n", strings.Join(short(names[i]), " "), line)
		}
		s.WriteString("```\n\n")
	}
	return strings.TrimSuffix(s.String(), "\n"), nil
}

// steps writes the issues of the kernel: address, lanes, and x for a join that sends them elsewhere.
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
		who := ""
		for l := range m.Block {
			if s.Lanes>>l&1 != 0 {
				who += fmt.Sprint(l)
			}
		}
		words = append(words, fmt.Sprintf("%02x%s%s", s.PC, mark, who))
	}
	return strings.Join(words, " "), nil
}
