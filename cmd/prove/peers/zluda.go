package main

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// rustTest is a test of ZLUDA: a kernel that reads an array and writes an array.
type rustTest struct {
	name     string // of the file, without .ptx
	kernel   string
	in, out  *values // nil if there is none
	threads  int
	compiles bool // nothing but that
}

// zluda runs the tests of a checkout of ZLUDA.
func zluda(ctx context.Context, folder string) (all []outcome, err error) {
	folder = filepath.Join(folder, "ptx", "src", "test", "spirv_run")
	source, err := os.ReadFile(filepath.Join(folder, "mod.rs"))
	if err != nil {
		return nil, err
	}
	tests, err := rustTests(string(source))
	if err != nil {
		return nil, err
	}
	for _, t := range tests {
		text, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(t.name)+".ptx"))
		if err != nil {
			return nil, err
		}
		all = append(all, t.outcome(text))
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return all, nil
}

var (
	comments = regexp.MustCompile(`//.*`)
	calls    = regexp.MustCompile(`(?s)test_ptx(|_with_32|_warp)!\(\s*(\w+)\s*(.*?)\)\s*;`)
	arrays   = regexp.MustCompile(`(?s)\[.*?\]`)
)

// rustTests reads the tests of a mod.rs.
func rustTests(source string) (all []rustTest, err error) {
	for _, m := range calls.FindAllStringSubmatch(comments.ReplaceAllString(source, ""), -1) {
		t := rustTest{name: m[2], kernel: m[2], threads: 1}
		var lists []*values
		for _, text := range arrays.FindAllString(m[3], -1) {
			v, err := arrayOf(text)
			if err != nil {
				return nil, err
			}
			lists = append(lists, &v)
		}
		switch {
		case len(lists) == 0:
			t.compiles = true
		case m[1] == "_warp":
			t.out, t.threads = lists[0], 64
		case len(lists) == 2:
			t.in, t.out = lists[0], lists[1]
		}
		all = append(all, t)
		if m[1] == "_with_32" {
			t.name = "32/" + t.name
			all = append(all, t)
		}
	}
	return all, nil
}

// outcome compiles the kernel and runs it.
func (t rustTest) outcome(text []byte) outcome {
	o := outcome{name: t.name}
	m, image, err := compiled(text, false)
	if err != nil {
		o.verdict, o.reason = refused, firstLine(err)
		return o
	}
	if t.compiles {
		return o
	}
	var reasons []string
	for _, body := range []struct {
		name string
		run  func() ([]byte, error)
	}{
		{"the machine", func() ([]byte, error) { return t.machine(image) }},
		{"the reference", func() ([]byte, error) { return t.reference(m) }},
	} {
		got, err := body.run()
		switch {
		case err != nil:
			reasons = append(reasons, body.name+": "+firstLine(err))
		case !t.out.equal(got):
			reasons = append(reasons, body.name+" gives "+hex(got, t.out.size())+", expected "+hex(t.out.bytes(), t.out.size()))
		}
	}
	if len(reasons) > 0 {
		o.verdict, o.reason = different, strings.Join(reasons, "; ")
	}
	return o
}
