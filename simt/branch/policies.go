package branch

import (
	"fmt"
	"strings"
)

// Scheme is one entry of the list of policies.
type Scheme struct {
	Name string // what --policy and JACQUARD_POLICY take
	Idea string // one line for people
	New  func() Policy
}

// Default is the policy used when none is named.
const Default = "nvidia"

// Schemes lists the policies, the default first.
func Schemes() []Scheme {
	return []Scheme{
		{"nvidia", "token stack driven by joinat, join, breakaddr and call, as Tesla hardware does it", func() Policy { return newPerWarp(newNvidia) }},
	}
}

// UnknownPolicyError says that no policy has the name asked for.
type UnknownPolicyError struct{ Name string }

// Error lists the names there are.
func (e *UnknownPolicyError) Error() string {
	var names []string
	for _, s := range Schemes() {
		names = append(names, s.Name)
	}
	return fmt.Sprintf("unknown divergence policy %q: want %s", e.Name, strings.Join(names, ", "))
}

// Find returns the scheme called name; "" is the default.
func Find(name string) (Scheme, error) {
	if name == "" {
		name = Default
	}
	for _, s := range Schemes() {
		if s.Name == name {
			return s, nil
		}
	}
	return Scheme{}, &UnknownPolicyError{name}
}
