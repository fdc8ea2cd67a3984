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

// verdict is the result of a test.
type verdict uint8

// The verdicts.
const (
	passed    verdict = iota
	refused           // with a reason
	different         // another result than expected
)

// outcome is a test and its verdict.
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

// wrong reports whether a result differs from the expected result without a note.
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

// tried compiles a text and returns the outcome.
func tried(name string, text []byte, functions bool) outcome {
	if _, _, err := compiled(text, functions); err != nil {
		return outcome{name, refused, firstLine(err)}
	}
	return outcome{name: name}
}

// firstLine returns the first line of an error, without the expected text.
func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	line, _, _ = strings.Cut(line, "; expected one of")
	return strings.TrimPrefix(line, ":")
}

// filesOf returns the files below a folder whose names have an ending, in order.
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
