package study

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"jacquard/observe/bundle"
	"jacquard/study/kerneltest"
	"jacquard/study/launch"
)

// builder makes the runs of a study from its tables.
type builder struct {
	study  *Study
	in     *source
	shared map[string]any // [matrix]
	dumped []string       // absolute paths of files that kernels write
}

// add adds the runs of one [[run]].
func (b *builder) add(number int, t *runTable) error {
	key := fmt.Sprintf("run[%d]", number)
	kind, file, err := b.subject(key, t)
	if err != nil {
		return err
	}
	files, err := b.files(key+"."+string(kind), kind, file)
	if err != nil {
		return err
	}
	some := false
	for _, f := range files {
		r := &run{cell: Cell{Kind: kind, File: f, Subject: t.Name, Options: t.Options, Passes: Passes(t.Passes), Keep: b.study.Keep}}
		path := b.absolute(f)
		switch {
		case kind == Program && !strings.Contains(f, "/"):
			if path, err = exec.LookPath(f); err != nil {
				return b.in.wrong(key+".program", "program = %q: %v", f, errors.Unwrap(err))
			}
		default:
			if _, err := os.Stat(path); err != nil {
				return b.in.wrong(key+"."+string(kind), "%v", err)
			}
		}
		err := b.vary(key, t, r, path)
		if errors.Is(err, errNoBuild) {
			continue
		}
		if err != nil {
			return err
		}
		some = true
		if len(files) > 1 && t.Name != "" {
			r.cell.Subject = t.Name + "-" + plainName(f)
		}
		if r.cell.Subject == "" {
			r.cell.Subject = plainName(f)
		}
		r.files = append(r.files, path)
		if n := b.study.cells(r); n.Cmp(big.NewInt(mostCells)) > 0 {
			return b.in.wrong(key, "the study has %s cells and more: the most is %d; take values from the matrix", n, mostCells)
		}
		b.study.add(r)
	}
	if !some {
		return b.in.wrong(key+".build", "no test has a build for %s", strings.Join(t.Build, " or "))
	}
	return nil
}

// plainName returns the last part of a path without its extension.
func plainName(path string) string {
	base := filepath.Base(path)
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// subject returns the test, program, kernel or bundle of a [[run]].
func (b *builder) subject(key string, t *runTable) (kind Kind, file string, err error) {
	for k, f := range map[Kind]string{Program: t.Program, Kernel: t.Kernel, Test: t.Test, Bundle: t.Bundle} {
		if f == "" {
			continue
		}
		if kind != "" {
			return "", "", b.in.wrong(key, "one [[run]] runs one thing: want program, kernel, test or bundle")
		}
		kind, file = k, f
	}
	for _, c := range []struct {
		given bool
		name  string
		only  Kind
	}{{t.Split != nil, "split", Bundle}, {t.Build != nil, "build", Test}} {
		if c.given && kind != "" && kind != c.only {
			return "", "", b.in.wrong(key+"."+c.name, "%s goes with a %s", c.name, c.only)
		}
	}
	switch {
	case kind == "":
		return "", "", b.in.wrong(key, "a [[run]] without what it runs: want program, kernel, test or bundle")
	case t.Split != nil && *t.Split < 1:
		return "", "", b.in.wrong(key+".split", "split = %d: want the launches of a cell, 1 or more", *t.Split)
	}
	return kind, file, nil
}

// plain makes a path a pattern that matches the path alone.
var plain = strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`)

// files returns the files that a pattern matches, in order; a program is no pattern.
func (b *builder) files(key string, kind Kind, pattern string) ([]string, error) {
	if kind == Program || !strings.ContainsAny(pattern, "*?[") {
		return []string{pattern}, nil
	}
	dir := b.study.Dir()
	from := pattern
	if !filepath.IsAbs(pattern) {
		from = filepath.Join(plain.Replace(dir), pattern)
	}
	list, err := filepath.Glob(from)
	if err != nil || len(list) == 0 {
		return nil, b.in.wrong(key, "%s = %q: no file matches", kind, pattern)
	}
	for i := range list {
		if !filepath.IsAbs(pattern) {
			if list[i], err = filepath.Rel(dir, list[i]); err != nil {
				return nil, err
			}
		}
	}
	return list, nil
}

// vary gives the run its axes. The last one changes fastest.
func (b *builder) vary(key string, t *runTable, r *run, path string) error {
	switch r.cell.Kind {
	case Test:
		if err := b.builds(key, t, r, path); err != nil {
			return err
		}
	case Bundle:
		if t.Split != nil {
			if err := split(r, path, *t.Split); err != nil {
				return b.in.wrong(key+".bundle", "%s: %v", path, err)
			}
		}
	}
	if r.cell.Kind == Kernel {
		for _, words := range append([][]string{t.Options}, t.Arguments...) {
			b.buffers(r, words)
		}
	}
	if t.Arguments != nil {
		if len(t.Arguments) == 0 {
			return b.in.wrong(key+".arguments", "arguments = []: want a list of lists")
		}
		r.axes = append(r.axes, axis{len(t.Arguments), func(c *Cell, i int) { c.Arguments = t.Arguments[i] }})
	}
	return b.matrix(key, t, r)
}

// buffers notes the files that flags of jacquard run name. Files that fill buffers or are compared
// with them are files of the run; files that buffers are written to are dumped. Devices, which may
// have no end, are left out.
func (b *builder) buffers(r *run, words []string) {
	for i, word := range words {
		flag, value, joined := strings.Cut(word, "=")
		if !joined && i+1 < len(words) {
			value = words[i+1]
		}
		path, list := "", &r.files
		switch flag {
		case "--arg":
			path = launch.FileOf(value)
		case "--expect":
			_, path, _ = strings.Cut(value, "=")
		case "--dump":
			_, path, _ = strings.Cut(value, "=")
			list = &b.dumped
		}
		if path == "" {
			continue
		}
		path = b.absolute(path)
		if info, err := os.Stat(path); err != nil || info.Mode().IsRegular() {
			*list = append(*list, path)
		}
	}
}

// absolute returns the absolute path of a file that the study names.
func (b *builder) absolute(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(b.study.Dir(), path)
}

// errNoBuild drops a test of a pattern that has none of the builds.
var errNoBuild = errors.New("no build")

// builds adds an axis of the builds of a test: the newest, or the builds that the study names.
func (b *builder) builds(key string, t *runTable, r *run, path string) error {
	test, err := kerneltest.Load(path)
	if err != nil {
		return b.in.wrong(key+".test", "%v", err)
	}
	r.cell.Subject = test.Name
	var builds, files []string
	for i := range test.Builds {
		build := &test.Builds[i]
		if arch := build.Arch.String(); t.Build == nil || slices.Contains(t.Build, arch) {
			builds = append(builds, arch)
			files = append(files, filepath.Join(filepath.Dir(path), build.File))
		}
	}
	if len(builds) == 0 {
		return errNoBuild
	}
	if t.Build == nil {
		last := len(builds) - 1
		builds, files = builds[last:], files[last:]
	}
	r.files = append(r.files, files...)
	r.axes = append(r.axes, axis{len(builds), func(c *Cell, i int) { c.Build = builds[i] }})
	return nil
}

// split adds an axis of parts of a bundle with so many launches each.
func split(r *run, path string, each int) error {
	in, err := bundle.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	launches := 0
	for {
		l, err := in.Next()
		var cut *bundle.CutError
		if err == io.EOF || errors.As(err, &cut) {
			break
		}
		if err != nil {
			return err
		}
		launches = max(launches, l.Number+1)
	}
	r.axes = append(r.axes, axis{max((launches+each-1)/each, 1), func(c *Cell, i int) {
		c.Launches = fmt.Sprintf("%d-%d", i*each, (i+1)*each-1)
	}})
	return nil
}

// The tables of a study that are no knobs, and the knob that has a value in every cell.
const (
	environment = "environment"
	policy      = "policy"
	workers     = "workers"
)

// matrix adds axes for environment variables and knobs: the [[run]]'s, and the study's for names
// that the [[run]] does not give.
func (b *builder) matrix(key string, t *runTable, r *run) error {
	values, keys := map[string]any{workers: "1"}, map[string]string{}
	for _, m := range []struct {
		at    string
		table map[string]any
	}{{"matrix", b.shared}, {key + ".matrix", t.Matrix}} {
		for name, v := range m.table {
			values[name], keys[name] = v, m.at+"."+name
		}
	}
	if v, ok := values[environment]; ok {
		if err := b.variables(keys[environment], v, r); err != nil {
			return err
		}
		delete(values, environment)
	}
	names := slices.Sorted(maps.Keys(values))
	if i := slices.Index(names, policy); i >= 0 {
		names = append(slices.Delete(names, i, i+1), policy) // changes fastest
	}
	for _, name := range names {
		list, err := b.knob(keys[name], name, values[name])
		if err != nil {
			return err
		}
		r.axes = append(r.axes, axis{len(list), func(c *Cell, i int) { c.Knobs[name] = list[i] }})
	}
	return nil
}
