package main

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed rules.txt
var rulesText string

// rule says what the packages that match from may import besides the standard
// library. Tests are free.
type rule struct {
	from string
	to   []string
}

// parseRules reads lines of the form "PACKAGES: PACKAGES"; see rules.txt.
func parseRules(text string) ([]rule, error) {
	var rules []rule
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		if strings.TrimSpace(line) == "" {
			continue
		}
		from, to, ok := strings.Cut(line, ":")
		if !ok || len(strings.Fields(from)) != 1 {
			return nil, fmt.Errorf("rules line %d: want \"package: packages\", not %q", i+1, line)
		}
		rules = append(rules, rule{strings.TrimSpace(from), strings.Fields(to)})
	}
	return rules, nil
}

// match reports whether path is what the pattern names: "a/..." is a and all below it.
func match(pattern, path string) bool {
	if tree, ok := strings.CutSuffix(pattern, "/..."); ok {
		return path == tree || strings.HasPrefix(path, tree+"/")
	}
	return path == pattern
}

// ruleFor returns the first rule that matches, or nil.
func ruleFor(rules []rule, path string) *rule {
	for i := range rules {
		if match(rules[i].from, path) {
			return &rules[i]
		}
	}
	return nil
}

func (r *rule) allows(path string) bool {
	for _, to := range r.to {
		if match(to, path) {
			return true
		}
	}
	return false
}
