package library

import (
	"embed"
	"maps"
	"slices"
	"strings"
	"sync"

	"jacquard/ptx"
)

//go:embed *.ptx
var files embed.FS

// families are the files. A function stands behind its callees.
var families = []string{"integer", "wide", "single", "fused", "double", "root", "convert",
	"bits", "field", "bytes", "test", "directed", "function", "half", "atomic", "copy", "lanes", "output"}

// header begins the library's text. The target is the first that has all types; functions without
// f64 suit older machines, too.
const header = ".version 3.0\n.target sm_13\n.address_size 64\n"

// Func returns a function of the library by its name or another name of it, nil if there is none.
// All callers share it and must not change it.
func Func(name string) *ptx.Func {
	d := definitions()[name]
	if d == nil {
		return nil
	}
	d.unit.once.Do(d.unit.parse)
	d.once.Do(func() {
		if d.of != nil {
			d.function = moved(d.of.unit.module.Func(d.of.name), d.space)
		} else {
			d.function = d.unit.module.Func(d.name)
		}
	})
	return d.function
}

// Names returns the names of all functions, sorted.
func Names() []string { return slices.Sorted(maps.Keys(definitions())) }

// PerWarp reports whether a variable in shared memory belongs to the library. Each warp of a block
// has its own copy.
func PerWarp(v *ptx.Var) bool {
	_, ok := perWarp.Load(v)
	return ok
}

var perWarp sync.Map // of *ptx.Var

// definition is the text of a function, or a function with accesses of another space.
type definition struct {
	name  string
	text  string
	place int // among all functions
	unit  *unit
	of    *definition // whose accesses of global memory are of space here
	space ptx.Space

	once     sync.Once
	function *ptx.Func
}

// unit is a piece of text that is parsed at once: a function, or a whole file with variables. It
// is parsed when a kernel needs it: few kernels need many units, and to parse all takes longer
// than to compile most kernels.
type unit struct {
	variables string
	members   []*definition
	once      sync.Once
	module    *ptx.Module
}

// definitions returns all functions by name. Every process that compiles waits for this: regular
// expressions would take longer than most kernels.
var definitions = sync.OnceValue(func() map[string]*definition {
	byName := map[string]*definition{}
	for _, family := range families {
		variables, functions := split(textOf(family))
		var shared *unit
		if variables != "" {
			shared = &unit{variables: variables}
		}
		for _, text := range functions {
			d := &definition{name: nameAfter(text, ".func "), text: text, place: len(byName), unit: shared}
			if shared == nil {
				d.unit = new(unit)
			}
			d.unit.members = append(d.unit.members, d)
			byName[d.name] = d
		}
	}
	addNames(byName)
	return byName
})

// split returns the variables of a file, and the texts of its functions, each up to the first line
// of the next one.
func split(text string) (variables string, functions []string) {
	start, at := -1, 0
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, ".func "):
			if start >= 0 {
				functions = append(functions, text[start:at])
			}
			start = at
		case strings.HasPrefix(line, ".shared "):
			variables += line
			if start >= 0 {
				functions = append(functions, text[start:at])
			}
			start = -1
		}
		at += len(line)
	}
	if start >= 0 {
		functions = append(functions, text[start:])
	}
	return variables, functions
}

// nameAfter returns the name of a function that stands behind a word and perhaps results in
// parentheses.
func nameAfter(text, word string) string {
	_, rest, _ := strings.Cut(text, word)
	if strings.HasPrefix(rest, "(") {
		_, rest, _ = strings.Cut(rest, ")")
		rest = strings.TrimLeft(rest, ", ")
	}
	return rest[:strings.IndexAny(rest, " ,;")]
}

// parse parses the functions of a unit behind their callees.
func (u *unit) parse() {
	needed := map[int]*definition{}
	for _, d := range u.members {
		d.need(needed)
	}
	var out strings.Builder
	out.WriteString(header + u.variables)
	for _, place := range slices.Sorted(maps.Keys(needed)) {
		out.WriteString(needed[place].text)
	}
	m, err := ptx.Parse("library", []byte(out.String()))
	if err != nil {
		panic("library: " + err.Error())
	}
	for _, item := range m.Items {
		if v, ok := item.(*ptx.Var); ok {
			perWarp.Store(v, true)
		}
	}
	u.module = m
}

// need adds the function and its callees.
func (d *definition) need(all map[int]*definition) {
	all[d.place] = d
	for line := range strings.Lines(d.text) {
		if strings.Contains(line, "call ") && !strings.Contains(line, "//") {
			definitions()[nameAfter(line, "call ")].need(all)
		}
	}
}

// text returns all functions.
func text() string {
	var out strings.Builder
	for _, name := range families {
		out.WriteString(textOf(name))
	}
	return out.String()
}

// textOf returns the functions of a family, with repeated ones written out.
func textOf(family string) string {
	b, err := files.ReadFile(family + ".ptx")
	if err != nil {
		panic("library: " + err.Error())
	}
	var out strings.Builder
	expand(&out, strings.SplitAfter(string(b), "\n"))
	return out.String()
}

// expand writes lines. Lines between "//for NAME in A B" and "//end" are written once for each
// word after "in", with the word instead of NAME. Such parts nest.
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
