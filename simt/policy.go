package simt

import (
	"errors"
	"strings"

	"jacquard/simt/branch"
)

// RefusedError says that the divergence policy of a launch cannot run its kernel.
type RefusedError = branch.RefusedError

// WantPolicy returns "" if text names a divergence policy that there is, with options that
// it has, as Launch.Policy takes it. Otherwise it returns what text could be, in words.
func WantPolicy(text string) string {
	_, err := branch.Find(text)
	var option *branch.OptionError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &option):
		return option.Want()
	}
	names := Policies()
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// Policies returns the names of the divergence policies, the default first.
func Policies() (names []string) {
	for _, s := range branch.Policies() {
		names = append(names, s.Name)
	}
	return names
}
