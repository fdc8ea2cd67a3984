package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
)

const module = "jacquard"

//go:embed rules.txt
var rulesText string

// rule says what the packages that match from may import besides the standard library. Tests are
// free.
type rule struct {
	from string
	to   []string
}

// pkg is a package as go list describes it.
type pkg struct {
	ImportPath string
	Imports    []string
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

// match reports whether a pattern names a path: "a/..." names a and all below it.
func match(pattern, path string) bool {
	if tree, ok := strings.CutSuffix(pattern, "/..."); ok {
		return path == tree || strings.HasPrefix(path, tree+"/")
	}
	return path == pattern
}

// checkImports compares what every package imports with rules.txt.
func checkImports(root string, w io.Writer) error {
	rules, err := parseRules(rulesText)
	if err != nil {
		return err
	}
	pkgs, err := list(root)
	if err != nil {
		return err
	}
	bad := violations(rules, pkgs)
	for _, b := range bad {
		fmt.Fprintln(w, b)
	}
	if len(bad) > 0 {
		return errors.New("the layers of cmd/check/rules.txt do not allow this: write a design note first")
	}
	return nil
}

// violations returns one line for every import that no rule allows.
func violations(rules []rule, pkgs []pkg) []string {
	var bad []string
	for _, p := range pkgs {
		from := local(p.ImportPath)
		i := slices.IndexFunc(rules, func(r rule) bool { return match(r.from, from) })
		if i < 0 {
			bad = append(bad, fmt.Sprintf("package %s has no rule", from))
			continue
		}
		for _, imp := range p.Imports {
			to := local(imp)
			if !standard(imp) && !slices.ContainsFunc(rules[i].to, func(t string) bool { return match(t, to) }) {
				bad = append(bad, fmt.Sprintf("%s imports %s", from, to))
			}
		}
	}
	return bad
}

// local cuts the module's name off an import path.
func local(path string) string {
	if path == module {
		return "."
	}
	return strings.TrimPrefix(path, module+"/")
}

// standard reports whether the path is of the standard library: its first element has no dot and is
// not this module.
func standard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return first != module && !strings.Contains(first, ".")
}

// list returns the packages of the module, without their tests.
func list(root string) ([]pkg, error) {
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports", "./...")
	cmd.Dir = root
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w: %s", err, stderr.Bytes())
	}
	var pkgs []pkg
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		switch err := d.Decode(&p); {
		case err == io.EOF:
			return pkgs, nil
		case err != nil:
			return nil, fmt.Errorf("go list: %w", err)
		}
		pkgs = append(pkgs, p)
	}
}
