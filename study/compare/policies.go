package compare

import (
	"slices"
	"strings"

	"jacquard/simt/branch"
)

// All stands for every policy in a list of policies, each with its default options except one that
// follows All.
const All = "all"

// Policies returns the policies of a list, as branch.Split takes it apart, each once. The error is a
// *branch.UnknownPolicyError or a *branch.OptionError.
func Policies(text string) ([]string, error) {
	var list []string
	for _, p := range branch.Split(text) {
		name, option, _ := strings.Cut(p, ":")
		if name != All {
			list = append(list, p)
			continue
		}
		for _, s := range branch.Policies() {
			list = append(list, branch.With(s.Name, option))
		}
	}
	var unique []string
	for _, p := range list {
		if p == "" {
			p = branch.Default
		}
		if _, err := branch.Find(p); err != nil {
			return nil, err
		}
		if !slices.Contains(unique, p) {
			unique = append(unique, p)
		}
	}
	return unique, nil
}
