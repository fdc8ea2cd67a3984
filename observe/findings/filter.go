package findings

import (
	"fmt"
	"regexp"
	"strings"
)

// Kernels returns a filter for [Report.Keep]. A pattern is a regular expression between slashes, or
// else a name, in which * stands for any text. It is compared with the mangled name, with the name as
// people write it, and with that name without parameters. Without patterns all kernels are kept.
func Kernels(patterns []string) (keep func(mangled, name string) bool, err error) {
	var all []func(string) bool
	for _, p := range patterns {
		text, regular := strings.CutPrefix(p, "/")
		if text, closed := strings.CutSuffix(text, "/"); regular && closed {
			r, err := regexp.Compile(text)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", p, err)
			}
			all = append(all, r.MatchString)
			continue
		}
		all = append(all, func(name string) bool { return glob(p, name) })
	}
	return func(mangled, name string) bool {
		bare, _, _ := strings.Cut(name, "(")
		for _, matches := range all {
			if matches(mangled) || matches(name) || matches(bare) {
				return true
			}
		}
		return len(all) == 0
	}, nil
}
