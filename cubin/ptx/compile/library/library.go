package library

import (
	"embed"
	"strings"
	"sync"

	"jacquard/cubin/ptx"
)

//go:embed *.ptx
var files embed.FS

// families are the files. A function stands behind those that it calls.
var families = []string{"integer", "wide", "single", "fused", "double", "root", "convert",
	"bits", "field", "bytes", "test", "directed", "function", "atomic", "lanes"}

// header begins the library's text. The target is the first that has all types; functions without
// f64 suit older machines, too.
const header = ".version 3.0\n.target sm_13\n.address_size 64\n"

// Module returns the library. All callers share one module and must not change it.
func Module() *ptx.Module { return module() }

var module = sync.OnceValue(func() *ptx.Module {
	m, err := ptx.Parse("library", []byte(header+text()))
	if err != nil {
		panic("library: " + err.Error())
	}
	addNames(m)
	return m
})

// text returns all functions, with repeated ones written out.
func text() string {
	var out strings.Builder
	for _, name := range families {
		b, err := files.ReadFile(name + ".ptx")
		if err != nil {
			panic("library: " + err.Error())
		}
		expand(&out, strings.SplitAfter(string(b), "\n"))
	}
	return out.String()
}

// expand writes lines. Those between "//for NAME in A B" and "//end" are written once for each word
// after "in", with the word instead of NAME. Such parts nest.
func expand(out *strings.Builder, lines []string) {
	for i := 0; i < len(lines); i++ {
		loop, ok := strings.CutPrefix(lines[i], "//for ")
		if !ok {
			out.WriteString(lines[i])
			continue
		}
		end := i + partEnd(lines[i:])
		name, words, _ := strings.Cut(loop, " in ")
		for word := range strings.FieldsSeq(words) {
			body := make([]string, 0, end-i)
			for _, line := range lines[i+1 : end] {
				body = append(body, strings.ReplaceAll(line, name, word))
			}
			expand(out, body)
		}
		i = end
	}
}

// partEnd returns the index of the "//end" that belongs to the "//for" in the first line.
func partEnd(lines []string) int {
	depth := 0
	for i, line := range lines {
		switch {
		case strings.HasPrefix(line, "//for "):
			depth++
		case strings.HasPrefix(line, "//end"):
			depth--
			if depth == 0 {
				return i
			}
		}
	}
	panic("library: //for without //end")
}
