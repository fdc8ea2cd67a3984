package main

import (
	"bytes"
	"fmt"
	"log"
	"strings"
)

// level is an instruction set.
type level uint8

const (
	avx2 level = iota + 1
	avx512
)

func (l level) String() string { return [...]string{avx2: "AVX2", avx512: "AVX512"}[l] }

func (l level) title() string { return [...]string{avx2: "AVX2", avx512: "AVX-512"}[l] }

// lanes is the number of lanes of a vector.
func (l level) lanes() int { return [...]int{avx2: 8, avx512: 16}[l] }

// vectors is the number of vectors of a row.
func (l level) vectors() int { return 32 / l.lanes() }

// kernel describes a function for both levels.
type kernel struct {
	name   string // the field of lane.Kernels; the function's name adds the level, in lower case
	params []param
	result string // Go type of the result, "" for none
	part   bool   // not a kernel itself: called by Go code
	frame  int    // bytes of the stack frame
	build  func(f *function)
}

// param is a parameter of a function: the Go declaration and the names of its parts in assembly.
type param struct {
	name, typ string
	parts     []part
}

type part struct {
	suffix string
	size   int
}

// word is a parameter of one word.
func word(name, typ string) param { return param{name, typ, []part{{"", 4}}} }

// pointer is a parameter that is an address.
func pointer(name, typ string) param { return param{name, typ, []part{{"", 8}}} }

func rowsParam(name string) param {
	return param{name, "Rows", []part{{"_first", 8}, {"_step", 8}}}
}

var (
	selParam   = pointer("s", "*Sel")
	flagsParam = param{"f", "[]Flags", []part{{"_base", 8}, {"_len", 8}, {"_cap", 8}}}
	widthParam = pointer("width", "int")
)

// function is an assembly function under construction.
//
// Many methods: each prints one operation of a kernel's body.
type function struct {
	level
	*kernel
	name      string
	args      map[string]string // by part: its operand
	argsSize  int
	text      bytes.Buffer
	vectors   [32]bool // in use
	masks     [8]bool  // in use; for AVX-512
	constants map[uint32]vec
	looping   bool   // the first loop began
	suffix    string // of the labels of a second loop
	data      *data  // of the file
	end       func() // code before the function returns; may be nil
}

func newFunction(l level, k *kernel, d *data) *function {
	f := &function{level: l, kernel: k, data: d, args: map[string]string{}, constants: map[uint32]vec{}}
	f.name = strings.ToLower(k.name[:1]) + k.name[1:] + l.String()
	f.masks[0] = true // means "no mask"
	at := 0
	add := func(name string, size int) {
		at = (at + size - 1) / size * size
		f.args[name] = fmt.Sprintf("%s+%d(FP)", name, at)
		at += size
	}
	for _, p := range k.params {
		for _, part := range p.parts {
			add(p.name+part.suffix, part.size)
		}
	}
	if k.result != "" {
		at = (at + 7) / 8 * 8
		add("ret", 4)
	}
	f.argsSize = at
	k.build(f)
	f.leave()
	return f
}

// signature returns parameters and result in Go.
func (f *function) signature() string {
	var list []string
	for _, p := range f.params {
		list = append(list, p.name+" "+p.typ)
	}
	s := "func " + f.name + "(" + strings.Join(list, ", ") + ")"
	if f.result != "" {
		s += " " + f.result
	}
	return s
}

// smallFrame is the largest stack frame in bytes without a check of the stack.
const smallFrame = 64

func (f *function) print(w *bytes.Buffer) {
	flags, locals := "NOSPLIT", ""
	if f.frame > smallFrame {
		flags, locals = "0", "\tNO_LOCAL_POINTERS\n"
	}
	fmt.Fprintf(w, "\n// %s\nTEXT ·%s(SB), %s, $%d-%d\n%s", f.signature(), f.name, flags, f.frame, f.argsSize, locals)
	w.Write(f.text.Bytes())
}

func (f *function) declare(w *bytes.Buffer) {
	fmt.Fprintf(w, "\n//go:noescape\n%s\n", f.signature())
}

// ins prints an instruction; numbers become immediates, vectors and masks registers.
func (f *function) ins(name string, operands ...any) {
	var list []string
	for _, o := range operands {
		switch o := o.(type) {
		case vec:
			list = append(list, f.register(o))
		case mask:
			list = append(list, f.maskRegister(o))
		case int:
			list = append(list, fmt.Sprintf("$%d", o))
		case uint32:
			list = append(list, fmt.Sprintf("$0x%x", o))
		case string:
			list = append(list, o)
		default:
			log.Fatalf("%s: operand %v", name, o)
		}
	}
	fmt.Fprintf(&f.text, "\t%s\n", strings.TrimSpace(fmt.Sprintf("%-12s %s", name, strings.Join(list, ", "))))
}

// arg returns the operand for a part of a parameter, such as d_first.
func (f *function) arg(name string) string {
	a, ok := f.args[name]
	if !ok {
		log.Fatalf("%s has no argument %s", f.name, name)
	}
	return a
}

func (f *function) label(name string) { fmt.Fprintf(&f.text, "\n%s:\n", f.target(name)) }

// target returns the label in a jump's form.
func (f *function) target(name string) string { return name + f.suffix }

// leave ends the function. It clears the upper halves of vectors, which would slow the next legacy
// instruction.
func (f *function) leave() {
	if f.end != nil {
		f.end()
	}
	f.ins("VZEROUPPER")
	f.ins("RET")
}
