package main

import (
	"slices"
	"strings"

	"jacquard/simt/branch"
	"jacquard/simt/maze"
)

// short names policies in few words: one of which all settings of the last options are
// there is named without these.
func short(policies []string) []string {
	var list []string
	for _, s := range branch.Policies() {
		for _, v := range maze.Variants(&s) {
			if !slices.Contains(policies, v) {
				continue
			}
			if name := shortest(v, policies, maze.Variants(&s)); !slices.Contains(list, name) {
				list = append(list, name)
			}
		}
	}
	return list
}

// shortest cuts options off a policy as long as all that begin with what is left are there.
func shortest(policy string, there, all []string) string {
	for {
		cut := strings.LastIndexAny(policy, ":,")
		if cut < 0 {
			return policy
		}
		for _, v := range all {
			if strings.HasPrefix(v, policy[:cut]) && !slices.Contains(there, v) {
				return policy
			}
		}
		policy = policy[:cut]
	}
}
