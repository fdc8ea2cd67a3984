package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// module is the code of a module, as listed by the go command in the current folder.
type module struct {
	root     string
	packages []*goPackage        // to be changed
	tests    map[string][]string // by package: every package in its test program
}

// goPackage is a package as go list describes it.
type goPackage struct {
	ImportPath string
	Dir        string
	GoFiles    []string // without tests, and without files that import "C"
	ForTest    string   // for the package's copy that was compiled for a test
	Name       string
	Deps       []string
	Module     *struct{ Dir string }
}

// readModule lists the packages that match the patterns, and every test of the module.
func readModule(patterns []string) (*module, error) {
	m := &module{tests: map[string][]string{}}
	list, err := goList(append([]string{"-json=ImportPath,Dir,GoFiles,Module"}, patterns...)...)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 || list[0].Module == nil {
		return nil, errors.New("no packages of a module")
	}
	m.packages, m.root = list, list[0].Module.Dir
	programs, err := goList("-test", "-json=ImportPath,Name,ForTest,Deps", "./...")
	if err != nil {
		return nil, err
	}
	for _, p := range programs {
		pkg, isTest := strings.CutSuffix(p.ImportPath, ".test")
		if !isTest || p.Name != "main" {
			continue
		}
		for i, d := range p.Deps {
			p.Deps[i], _, _ = strings.Cut(d, " ") // "a [b.test]" is a, compiled for the tests of b
		}
		m.tests[pkg] = p.Deps
	}
	return m, nil
}

// dependents returns the packages other than pkg whose test programs contain pkg, the smallest
// programs first.
func (m *module) dependents(pkg string) []string {
	var list []string
	for t, deps := range m.tests {
		if t != pkg && slices.Contains(deps, pkg) {
			list = append(list, t)
		}
	}
	slices.SortFunc(list, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(m.tests[a]), len(m.tests[b])), cmp.Compare(a, b))
	})
	return list
}

// generated is the line that marks generated code.
var generated = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)

// faults returns the possible faults of all hand-written files.
func (m *module) faults() ([]*fault, error) {
	var all []*fault
	for _, p := range m.packages {
		for _, name := range p.GoFiles {
			path := filepath.Join(p.Dir, name)
			text, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			if generated.Match(text) {
				continue
			}
			rel, err := filepath.Rel(m.root, path)
			if err != nil {
				return nil, err
			}
			list, err := faultsOf(rel, text)
			if err != nil {
				return nil, err
			}
			for _, f := range list {
				f.Package, f.path = p.ImportPath, path
			}
			all = append(all, list...)
		}
	}
	return all, nil
}

// goList runs go list and returns the packages from its JSON.
func goList(args ...string) ([]*goPackage, error) {
	cmd := exec.Command("go", append([]string{"list"}, args...)...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, errs.Bytes())
	}
	var list []*goPackage
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		p := new(goPackage)
		if err := d.Decode(p); errors.Is(err, io.EOF) {
			return list, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		list = append(list, p)
	}
}
