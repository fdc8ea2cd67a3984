package maze

import (
	"fmt"
	"strings"

	"jacquard/simt"
	"jacquard/simt/branch"
)

// Policies returns every divergence policy with every combination of its options, as a
// launch takes them, the reference first.
func Policies() []string {
	list := []string{Reference}
	for _, c := range branch.Policies() {
		if c.Name != Reference {
			list = append(list, Variants(&c)...)
		}
	}
	return list
}

// With returns every policy of a list with one more option, as "warp=8"; "" is none.
func With(policies []string, option string) (list []string) {
	for _, p := range policies {
		list = append(list, branch.With(p, option))
	}
	return list
}

// Variants returns the policy with every combination of its options.
func Variants(c *branch.Choice) []string {
	names := []string{c.Name}
	for i, o := range c.Options {
		mark := ","
		if i == 0 {
			mark = ":"
		}
		var longer []string
		for _, name := range names {
			for _, v := range o.Values {
				longer = append(longer, name+mark+o.Key+"="+v)
			}
		}
		names = longer
	}
	return names
}

// ParsePolicies returns the policies of a list, as "nvidia,stackless:key=pc". A policy without options
// stands for every combination of its options, "all" for every policy, "all:warp=8" for every policy
// with one more option.
func ParsePolicies(text string) ([]string, error) {
	all := Policies()
	var list []string
	for _, name := range branch.Split(text) {
		if name, option, _ := strings.Cut(name, ":"); name == "all" {
			every := With(all, option)
			if want := simt.WantPolicy(every[0]); want != "" {
				return nil, fmt.Errorf("unknown option %q of all policies: want %s", option, want)
			}
			list = append(list, every...)
			continue
		}
		if want := simt.WantPolicy(name); want != "" {
			return nil, fmt.Errorf("unknown policy %q: want %s", name, want)
		}
		if strings.Contains(name, ":") {
			list = append(list, name)
			continue
		}
		for _, p := range all {
			if base, _, _ := strings.Cut(p, ":"); base == name {
				list = append(list, p)
			}
		}
	}
	return list, nil
}
