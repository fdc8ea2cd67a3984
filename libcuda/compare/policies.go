package compare

import (
	"slices"
	"strings"

	"jacquard/simt/branch"
)

// All stands for every policy in a list of policies, each with its default options but for an option
// that follows All.
const All = "all"

// Policies splits a list of policies at commas. Options of a policy may have commas between them,
// too: a part with "=" and without ":" belongs to the policy before it. The error is a
// *branch.UnknownPolicyError or a *branch.OptionError.
func Policies(text string) ([]string, error) {
	var list []string
	for _, word := range strings.Split(text, ",") {
		name, option, _ := strings.Cut(word, ":")
		switch {
		case name == All:
			for _, s := range branch.Policies() {
				list = append(list, branch.With(s.Name, option))
			}
		case len(list) > 0 && strings.Contains(word, "=") && !strings.Contains(word, ":"):
			list[len(list)-1] += "," + word
		default:
			list = append(list, word)
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
