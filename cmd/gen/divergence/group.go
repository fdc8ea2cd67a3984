package main

import (
	"fmt"
	"slices"
	"strings"

	"jacquard/internal/test/maze"
	"jacquard/simt/branch"
)

// group is policies with equal results.
type group[T comparable] struct {
	result   T
	policies []string
}

// groups measures every variant of the policies and groups the variants by result, in the list's
// order.
func groups[T comparable](list []branch.Choice, measure func(policy string) (T, error)) ([]group[T], error) {
	var all []group[T]
	for _, c := range list {
		for _, policy := range maze.Variants(&c) {
			result, err := measure(policy)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", policy, err)
			}
			i := slices.IndexFunc(all, func(g group[T]) bool { return g.result == result })
			if i < 0 {
				i = len(all)
				all = append(all, group[T]{result: result})
			}
			all[i].policies = append(all[i].policies, policy)
		}
	}
	return all, nil
}

// short abbreviates the names of policies: a name stands for all values of its omitted options.
func short(policies []string) []string {
	var list []string
	for _, c := range branch.Policies() {
		all := maze.Variants(&c)
		for _, v := range all {
			if !slices.Contains(policies, v) {
				continue
			}
			if name := shortest(v, policies, all); !slices.Contains(list, name) {
				list = append(list, name)
			}
		}
	}
	return list
}

// shortest cuts options off a policy while all variants of the rest of its name are in there.
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
