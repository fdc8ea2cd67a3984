package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
)

const module = "jacquard"

// pkg is the part of go list's answer that the rules are about.
type pkg struct {
	ImportPath string
	Imports    []string
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
		r := ruleFor(rules, from)
		if r == nil {
			bad = append(bad, fmt.Sprintf("package %s has no rule", from))
			continue
		}
		for _, imp := range p.Imports {
			if to := local(imp); !standard(imp) && !r.allows(to) {
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

// standard reports whether the path is of the standard library: the only one whose
// first element has no dot and is not this module.
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
