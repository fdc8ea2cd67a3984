package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strings"
)

const module = "jacquard"

//go:embed rules.txt
var rulesText string

// house is what rules.txt says: where packages stand, and who may import other modules.
type house struct {
	floors  map[string]int            // of wings; the highest number is the ground floor
	inside  map[string]map[string]int // of wings with an order of their own: the depth of each room
	modules map[string][]string       // the wings that may import a module
	never   map[string][]string       // imports that a package must not have, even through others
}

// pkg is a package as go list describes it.
type pkg struct {
	ImportPath string
	Imports    []string
}

// parseRules reads lines of the forms "floor WINGS", "inside WING: ROOMS > ROOMS", "module PATH:
// WINGS" and "never PACKAGE: ROOMS"; see rules.txt. An indented line goes on with the one before it.
func parseRules(text string) (*house, error) {
	h := &house{map[string]int{}, map[string]map[string]int{}, map[string][]string{}, map[string][]string{}}
	lines := strings.Split(comment.ReplaceAllString(text, ""), "\n")
	for i := 0; i < len(lines); i++ {
		at, line := i+1, lines[i]
		for i+1 < len(lines) && strings.HasPrefix(lines[i+1], " ") {
			i++
			line += lines[i]
		}
		kind, rest, _ := strings.Cut(line, " ")
		name, list, ok := strings.Cut(rest, ":")
		switch {
		case strings.TrimSpace(line) == "":
		case kind == "floor" && !ok && rest != "":
			for _, wing := range strings.Fields(rest) {
				h.floors[wing] = at
			}
		case kind == "inside" && ok:
			h.inside[name] = depths(name, list)
		case kind == "module" && ok:
			h.modules[name] = strings.Fields(list)
		case kind == "never" && ok:
			h.never[name] = strings.Fields(list)
		default:
			return nil, fmt.Errorf("rules line %d: want a floor, the inside of a wing, a module or a never, not %q", at, line)
		}
	}
	return h, nil
}

// comment is the end of a line that rules do not read.
var comment = regexp.MustCompile(` *#.*`)

// depths returns how far inside a wing its rooms are, by their whole names.
func depths(wing, list string) map[string]int {
	depths := map[string]int{}
	for depth, rooms := range strings.Split(list, ">") {
		for _, room := range strings.Fields(rooms) {
			depths[path.Join(wing, room)] = depth
		}
	}
	return depths
}

// below reports whether a path is name or a part of it.
func below(name, path string) bool { return path == name || strings.HasPrefix(path, name+"/") }

// wing returns the wing that a package belongs to, "" if there is none.
func (h *house) wing(pkg string) (wing string) {
	for name := range h.floors {
		if below(name, pkg) && len(name) > len(wing) {
			wing = name
		}
	}
	return wing
}

// allows reports whether package from may import package to of this module.
func (h *house) allows(from, to string) bool {
	a, b := h.wing(from), h.wing(to)
	if a != b {
		return h.floors[a] < h.floors[b]
	}
	rooms, ordered := h.inside[a]
	return !ordered || rooms[from] < rooms[to]
}

// allowsModule reports whether a package may import a package of another module.
func (h *house) allowsModule(from, imported string) bool {
	for module, wings := range h.modules {
		if below(module, imported) {
			return slices.ContainsFunc(wings, func(wing string) bool { return below(wing, from) })
		}
	}
	return false
}

// checkImports compares what every package imports with rules.txt.
func checkImports(root string, w io.Writer) error {
	h, err := parseRules(rulesText)
	if err != nil {
		return err
	}
	pkgs, err := list(root)
	if err != nil {
		return err
	}
	bad := h.violations(pkgs)
	for _, b := range bad {
		fmt.Fprintln(w, b)
	}
	if len(bad) > 0 {
		return errors.New("the floors of cmd/check/rules.txt do not allow this: write a design note first")
	}
	return nil
}

// violations returns a line for every package without a place and for every import that is not
// allowed.
func (h *house) violations(pkgs []pkg) []string {
	var bad []string
	for _, p := range pkgs {
		from := local(p.ImportPath)
		wing := h.wing(from)
		if _, ok := h.inside[wing][from]; wing == "" || h.inside[wing] != nil && !ok {
			bad = append(bad, fmt.Sprintf("package %s has no place", from))
			continue
		}
		for _, imp := range p.Imports {
			to := local(imp)
			ours := to != imp
			if !standard(imp) && !(ours && h.allows(from, to)) && !(!ours && h.allowsModule(from, imp)) {
				bad = append(bad, fmt.Sprintf("%s imports %s", from, to))
			}
		}
	}
	return append(bad, h.reached(pkgs)...)
}

// reached returns a line for every room that a package reaches although it never may.
func (h *house) reached(pkgs []pkg) (bad []string) {
	imports := map[string][]string{}
	for _, p := range pkgs {
		imports[p.ImportPath] = p.Imports
	}
	for _, from := range slices.Sorted(maps.Keys(h.never)) {
		work := []string{module + "/" + from}
		seen := map[string]bool{}
		for len(work) > 0 {
			p := work[len(work)-1]
			work = work[:len(work)-1]
			if seen[p] {
				continue
			}
			seen[p] = true
			work = append(work, imports[p]...)
			if slices.ContainsFunc(h.never[from], func(room string) bool { return below(room, local(p)) }) {
				bad = append(bad, fmt.Sprintf("%s reaches %s", from, local(p)))
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
