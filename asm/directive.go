package asm

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"jacquard/cubin"
	"jacquard/tesla"
)

// fields splits a line into words; a word with a quote first or after "=" is a Go string.
func fields(text string, column int) []tesla.Token {
	var list []tesla.Token
	for i := 0; i < len(text); {
		if text[i] == ' ' || text[i] == '\t' {
			i++
			continue
		}
		end := i + strings.IndexAny(text[i:]+" ", " \t")
		if q := strings.IndexByte(text[i:end], '"'); q >= 0 {
			if quoted, err := strconv.QuotedPrefix(text[i+q:]); err == nil {
				end = i + q + len(quoted)
			}
		}
		list = append(list, tesla.Token{Text: text[i:end], Column: column + i})
		i = end
	}
	return list
}

// arguments are the words of a directive after its name.
type arguments struct {
	*source
	name  tesla.Token
	words []tesla.Token          // words without "="
	named map[string]tesla.Token // words with "="
	err   error
}

// directives lists the statements that are no instructions.
var directives = map[string]struct {
	words  int // arguments without a name, -1 for any number
	named  []string
	kernel bool // belongs to a kernel
	do     func(*arguments)
}{
	".module":   {1, []string{"abi", "name", "pointer", "virtual", "syntax"}, false, (*arguments).startModule},
	".sampler":  {1, []string{"unit"}, false, (*arguments).sampler},
	".constant": {1, []string{"offset", "bytes"}, false, (*arguments).constant},
	".global":   {1, []string{"bytes", "slot"}, false, (*arguments).global},
	".pointer":  {1, []string{"offset", "in"}, false, (*arguments).pointer},
	".bank":     {1, []string{"offset", "bytes"}, false, (*arguments).bank},
	".words":    {-1, nil, false, (*arguments).dataWords},
	".bytes":    {-1, nil, false, (*arguments).dataBytes},
	".kernel":   {1, []string{"registers", "shared", "local", "barriers", "threads", "sizes"}, false, (*arguments).startKernel},
	".params":   {1, nil, true, (*arguments).params},
	".param":    {0, []string{"offset", "bytes", "padded"}, true, (*arguments).param},
	".texture":  {0, []string{"sampler", "unit"}, true, (*arguments).texture},
}

func (r *source) directive(list []tesla.Token) error {
	d, ok := directives[list[0].Text]
	switch {
	case !ok:
		names := make([]string, 0, len(directives))
		for n := range directives {
			names = append(names, n)
		}
		slices.Sort(names)
		return r.fail(list[0].Column, "expected %s; found %q", tesla.Alternatives(names), list[0].Text)
	case !r.module && list[0].Text != ".module":
		return r.fail(list[0].Column, "expected .module first; found %q", list[0].Text)
	case d.kernel && r.kernel == nil:
		return r.fail(list[0].Column, "expected .kernel before %s", list[0].Text)
	}
	a := &arguments{source: r, name: list[0], named: map[string]tesla.Token{}}
	for _, w := range list[1:] {
		key, value, named := strings.Cut(w.Text, "=")
		switch {
		case !named || strings.HasPrefix(w.Text, `"`):
			a.words = append(a.words, w)
		case !slices.Contains(d.named, key):
			return r.fail(w.Column, "expected %s; found %q", tesla.Alternatives(d.named), key)
		case key == "slot" && a.named[key].Text != "":
			a.named[key] = tesla.Token{Text: a.named[key].Text + " " + value, Column: a.named[key].Column}
		default:
			a.named[key] = tesla.Token{Text: value, Column: w.Column + len(key) + 1}
		}
	}
	if d.words >= 0 && len(a.words) != d.words {
		return r.fail(list[0].Column, "expected %d words behind %s that are no name=value; found %d", d.words, list[0].Text, len(a.words))
	}
	d.do(a)
	return a.err
}

func (a *arguments) failf(w tesla.Token, format string, args ...any) {
	if a.err == nil {
		a.err = a.fail(w.Column, format, args...)
	}
}

// number returns an argument, or def if it is missing.
func (a *arguments) number(key string, def int) int {
	w, ok := a.named[key]
	if !ok {
		return def
	}
	v, err := strconv.ParseInt(w.Text, 0, 32)
	if err != nil || v < 0 {
		a.failf(w, "expected a number; found %q", w.Text)
	}
	return int(v)
}

// text returns a word without its quotes.
func (a *arguments) text(w tesla.Token) string {
	if !strings.HasPrefix(w.Text, `"`) {
		return w.Text
	}
	s, err := strconv.Unquote(w.Text)
	if err != nil {
		a.failf(w, "expected a closed string; found %s", w.Text)
	}
	return s
}

// into makes the following data go to init, which holds the given number of bytes.
func (a *arguments) into(init *[]byte, bytes int) { a.data, a.room = init, bytes }

func (a *arguments) startModule() {
	arch, err := tesla.ParseArch(a.words[0].Text)
	if err != nil {
		a.failf(a.words[0], "expected sm_10, sm_11, sm_12 or sm_13; found %q", a.words[0].Text)
	}
	if a.module {
		a.failf(a.name, "a file has one module; the first is further up")
	}
	a.module = true
	a.img.Arch, a.img.ABIVersion, a.img.Pointer = arch, a.number("abi", 1), a.number("pointer", 0)
	a.img.Virtual = a.number("virtual", 0)
	if w, ok := a.named["name"]; ok {
		a.img.Name = a.text(w)
	}
	if w, ok := a.named["syntax"]; ok {
		i := slices.IndexFunc(syntaxes, func(s *Syntax) bool { return s.Name == w.Text })
		if i < 0 {
			a.failf(w, "expected envy or sass; found %q", w.Text)
			return
		}
		a.syntax = *syntaxes[i]
	}
}

var syntaxes = []*Syntax{&Envy, &SASS}

func (a *arguments) sampler() {
	a.img.Samplers = append(a.img.Samplers, cubin.Sampler{Name: a.text(a.words[0]), Unit: a.number("unit", -1)})
}

func (a *arguments) constant() {
	a.img.Constants = append(a.img.Constants, cubin.Variable{Name: a.text(a.words[0]), Offset: a.number("offset", 0), Bytes: a.number("bytes", 0)})
	v := &a.img.Constants[len(a.img.Constants)-1]
	a.into(&v.Init, v.Bytes)
}

func (a *arguments) global() {
	g := cubin.Global{Name: a.text(a.words[0]), Bytes: a.number("bytes", 0)}
	for _, slot := range strings.Fields(a.named["slot"].Text) {
		var s cubin.Slot
		if _, err := fmt.Sscanf(slot, "%d+%d", &s.Offset, &s.Addend); err != nil {
			a.failf(a.named["slot"], "expected OFFSET+ADDEND; found %q", slot)
		}
		g.Slots = append(g.Slots, s)
	}
	a.img.Globals = append(a.img.Globals, g)
	a.into(&a.img.Globals[len(a.img.Globals)-1].Init, g.Bytes)
}

// pointer says where in initial content the address of a variable stands: in bank 0, or in another
// variable.
func (a *arguments) pointer() {
	p := cubin.Pointer{In: -1, Offset: a.number("offset", 0), Of: a.variable(a.words[0])}
	if w, ok := a.named["in"]; ok {
		p.In = a.variable(w)
	}
	a.img.Pointers = append(a.img.Pointers, p)
}

// variable returns the index of a global variable.
func (a *arguments) variable(w tesla.Token) int {
	name := a.text(w)
	i := slices.IndexFunc(a.img.Globals, func(g cubin.Global) bool { return g.Name == name })
	if i < 0 {
		a.failf(w, "there is no .global %s further up", name)
	}
	return i
}

// bank adds a bank to the module, or to the last kernel.
func (a *arguments) bank() {
	number, err := strconv.Atoi(a.words[0].Text)
	if err != nil || number < 0 || number > 15 {
		a.failf(a.words[0], "expected the number of a constant bank, 0 to 15; found %q", a.words[0].Text)
	}
	list := &a.img.Segments
	if a.kernel != nil {
		list = &a.kernel.Segments
	}
	*list = append(*list, cubin.Segment{Bank: number, Offset: a.number("offset", 0), Bytes: a.number("bytes", 0)})
	s := &(*list)[len(*list)-1]
	a.into(&s.Init, s.Bytes)
}

func (a *arguments) dataWords() {
	words, err := a.source.words(a.words)
	if err != nil {
		a.err = err
		return
	}
	var b []byte
	for _, w := range words {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	a.add(b)
}

func (a *arguments) dataBytes() {
	var b []byte
	for _, w := range a.words {
		v, err := strconv.ParseUint(w.Text, 0, 8)
		if err != nil {
			a.failf(w, "expected a byte; found %q", w.Text)
		}
		b = append(b, byte(v))
	}
	a.add(b)
}

func (a *arguments) add(b []byte) {
	switch {
	case a.data == nil:
		a.failf(a.name, "expected .constant, .global or .bank before %s", a.name.Text)
	case len(*a.data)+len(b) > a.room:
		a.failf(a.name, "expected at most %d bytes; found %d", a.room, len(*a.data)+len(b))
	default:
		*a.data = append(*a.data, b...)
	}
}
