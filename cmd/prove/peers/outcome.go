package main

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"jacquard/cubin"
	"jacquard/ptx"
	"jacquard/ptx/compile"
	"jacquard/tesla"
)

// verdict is what a test comes to.
type verdict uint8

// The verdicts.
const (
	passed    verdict = iota
	refused           // with a reason
	different         // another result than expected
)

// outcome is a test and what it comes to.
type outcome struct {
	name    string
	verdict verdict
	reason  string
}

// result has the outcomes of a project.
type result struct {
	title string
	all   []outcome
}

// wrong reports whether a result is another than expected, and no note says why.
func wrong(results []result) bool {
	return slices.ContainsFunc(results, func(r result) bool {
		return slices.ContainsFunc(r.all, func(o outcome) bool { return o.verdict == different && note(o) == "" })
	})
}

// compiled returns the machine code and the module of a text, for sm_13.
func compiled(text []byte, functions bool) (*ptx.Module, *cubin.Image, error) {
	m, err := ptx.Parse("", text)
	if err != nil {
		return nil, nil, err
	}
	whole(m, functions)
	im, err := compile.Compile(m, compile.Options{Arch: tesla.SM13})
	return m, im, err
}

// tried compiles a text and says what came of it.
func tried(name string, text []byte, functions bool) outcome {
	if _, _, err := compiled(text, functions); err != nil {
		return outcome{name, refused, firstLine(err)}
	}
	return outcome{name: name}
}

// firstLine returns the first line of an error, without what would have been right.
func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	line, _, _ = strings.Cut(line, "; expected one of")
	return strings.TrimPrefix(line, ":")
}

// filesOf returns the files of a folder and of those in it that end so, in order.
func filesOf(folder, suffix string) (paths []string, err error) {
	err = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(path, suffix) {
			paths = append(paths, path)
		}
		return err
	})
	if err == nil && len(paths) == 0 {
		err = errors.New("no " + suffix + " files in " + folder)
	}
	return paths, err
}
