package library

import (
	"embed"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"jacquard/cubin/ptx"
)

//go:embed *.ptx
var files embed.FS

// families are the files. A function stands behind those that it calls.
var families = []string{"integer", "wide", "single", "fused", "double", "root", "convert",
	"bits", "field", "bytes", "test", "directed", "function", "atomic", "lanes", "output"}

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

// PerWarp reports whether a variable in shared memory is one of the library, of which each warp of a
// block has its own.
func PerWarp(v *ptx.Var) bool {
	_, ok := perWarp.Load(v)
	return ok
}

var perWarp sync.Map // of *ptx.Var

// definition is the text of a function, or a function with accesses of another space.
type definition struct {
	name  string
	text  string
	place int           // among all functions
	calls []*definition // functions that the text calls
	unit  *unit
	of    *definition // whose accesses of global memory are of space here
	space ptx.Space

	once     sync.Once
	function *ptx.Func
}

// unit is what is parsed together: a function, or those of a file with variables. It is parsed when
// a kernel needs it, as few kernels need many, and all of them take longer than most kernels.
type unit struct {
	variables string
	members   []*definition
	once      sync.Once
	module    *ptx.Module
}

// starts matches the first line of a function, calls one of its calls, and variables a variable of
// the file.
var (
	starts    = regexp.MustCompile(`(?m)^\.func (?:\(.*?\) )?(\w+) `)
	calls     = regexp.MustCompile(`\bcall (?:\(.*?\), )?(\w+)[,;]`)
	variables = regexp.MustCompile(`(?m)^\.shared .*$`)
)

// definitions returns all functions by name.
var definitions = sync.OnceValue(func() map[string]*definition {
	byName := map[string]*definition{}
	for _, family := range families {
		text := textOf(family)
		var shared *unit
		if list := variables.FindAllString(text, -1); list != nil {
			shared = &unit{variables: strings.Join(list, "\n") + "\n"}
			text = variables.ReplaceAllString(text, "")
		}
		found := starts.FindAllStringSubmatchIndex(text, -1)
		for i, at := range found {
			end := len(text)
			if i+1 < len(found) {
				end = found[i+1][0]
			}
			d := &definition{name: text[at[2]:at[3]], text: text[at[0]:end], place: len(byName), unit: shared}
			if shared == nil {
				d.unit = new(unit)
			}
			d.unit.members = append(d.unit.members, d)
			for _, call := range calls.FindAllStringSubmatch(d.text, -1) {
				d.calls = append(d.calls, byName[call[1]])
			}
			byName[d.name] = d
		}
	}
	addNames(byName)
	return byName
})

// parse parses the functions of a unit behind those that they call.
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

func (d *definition) need(all map[int]*definition) {
	all[d.place] = d
	for _, c := range d.calls {
		c.need(all)
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
