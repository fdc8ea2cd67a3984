package compile_test

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
)

// line is one use of an instruction whose results are stored.
type line struct {
	// name is the instruction with its modifiers.
	name string
	// types are the types of the source operands, by position in a row.
	types []string
	// signed says that signs of operands change before.
	signed bool
	// write returns the statements. Registers of the line begin with %r<n>_; result i is stored
	// at place 2n+i.
	write func(w *kernelText)
}

// rowKernel is a kernel made of lines that read the same operands.
type rowKernel struct {
	header string
	types  []string
	lines  []line
	before string // variables of the module
	// readings are the parsed lines of the text, without refused ones.
	readings []reading
}

// The rows that a kernel reads: a thread has one of eight operands.
const (
	rowThreads  = 64
	rowOperands = 8
	rowBytes    = 8 * rowOperands
	guardSlot   = 6 // bit 0 guards instructions
	initSlot    = 7 // old value of a guarded result
)

// kernelText is a kernel that grows.
type kernelText struct {
	b      strings.Builder
	number int // of the line
	lineNo int // of the text
	starts map[int]int
	header string
}

// put writes lines of text.
func (w *kernelText) put(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	w.b.WriteString(text + "\n")
	w.starts[w.lineNo] = w.number
	w.lineNo++
	if strings.Contains(text, "\n") {
		panic("one line at a time")
	}
}

// reg returns a register of the line.
func (w *kernelText) reg(t, suffix string) string {
	r := fmt.Sprintf("%%r%d_%s", w.number, suffix)
	w.put("\t.reg .%s %s;", t, r)
	return r
}

// store stores result i of the line.
func (w *kernelText) store(i int, t, value string) {
	if t == "pred" {
		word := w.reg("u32", fmt.Sprintf("s%d", i))
		w.put("\tselp.u32 %s, 1, 0, %s;", word, value)
		t, value = "u32", word
	}
	w.put("\tst.global.%s [%%out+%d], %s;", t, (2*w.number+i)*8*rowThreads, value)
}

// registerType returns the type of a register for values of a type.
func registerType(t string) string {
	switch t {
	case "u8", "s8", "b8":
		return t[:1] + "16"
	case "f16", "bf16":
		return "b16"
	case "f16x2", "bf16x2", "u16x2", "s16x2":
		return "b32"
	}
	return t
}

// operand returns the register that holds operand i of a row.
func operand(i int) string { return fmt.Sprintf("%%a%d", i) }

// signs are instructions that the compiler makes modifiers of operands.
var signs = []string{"", "neg.ftz", "abs", "abs.ftz", "neg"}

// withSigns changes the signs of operands of f32, one sign after the other, and returns all operands.
func (u formUse) withSigns(w *kernelText, names []string) []string {
	if u.signs == 0 {
		return names
	}
	out := slices.Clone(names)
	for i, t := range u.sources {
		if t == "f32" && names[i] == operand(i) {
			out[i] = w.reg(t, fmt.Sprintf("n%d", i))
			w.put("\t%s.f32 %s, %s;", signs[1+(u.signs-1+i)%(len(signs)-1)], out[i], names[i])
		}
	}
	return out
}

// text returns the kernel without some of its lines, and the line that each line of text is of.
func (k *rowKernel) text(without map[int]bool) (string, map[int]int) {
	w := &kernelText{starts: map[int]int{}, number: -1, lineNo: 1, header: k.header}
	for part := range strings.SplitSeq(strings.TrimSpace(k.header+k.before), "\n") {
		w.put("%s", part)
	}
	w.put(".entry k (.param .u64 in, .param .u64 out)")
	w.put("{")
	w.put("\t.reg .u64 %%in, %%out, %%offset, %%wide;")
	w.put("\t.reg .u32 %%t;")
	w.put("\t.reg .pred %%guard;")
	w.put("\tld.param.u64 %%in, [in];")
	w.put("\tld.param.u64 %%out, [out];")
	w.put("\tmov.u32 %%t, %%tid.x;")
	w.put("\tmul.wide.u32 %%offset, %%t, %d;", rowBytes)
	w.put("\tadd.u64 %%in, %%in, %%offset;")
	w.put("\tmul.wide.u32 %%offset, %%t, 8;")
	w.put("\tadd.u64 %%out, %%out, %%offset;")
	w.put("\tadd.u64 %%wide, %%out, %%offset;")
	w.put("\tld.global.u32 %%t, [%%in+%d];", 8*guardSlot)
	w.put("\tand.b32 %%t, %%t, 1;")
	w.put("\tsetp.ne.u32 %%guard, %%t, 0;")
	for i, t := range k.types {
		w.load(operand(i), t, 8*i)
	}
	for n, l := range k.lines {
		w.number = n
		if !without[n] {
			l.write(w)
		}
	}
	w.number = -1
	w.put("\texit;")
	w.put("}")
	return w.b.String(), w.starts
}

// load declares a register and loads it from the row.
func (w *kernelText) load(r, t string, at int) {
	w.put("\t.reg .%s %s;", registerType(t), r)
	switch t {
	case "pred":
		w.put("\tld.global.u32 %%t, [%%in+%d];", at)
		w.put("\tand.b32 %%t, %%t, 1;")
		w.put("\tsetp.ne.u32 %s, %%t, 0;", r)
	case "f16", "bf16", "f16x2", "bf16x2", "u16x2", "s16x2":
		w.put("\tld.global.%s %s, [%%in+%d];", registerType(t), r, at)
	default:
		w.put("\tld.global.%s %s, [%%in+%d];", t, r, at)
	}
}

// key names the kernel, for random numbers.
func (k *rowKernel) key() uint64 {
	h := fnv.New64a()
	fmt.Fprint(h, k.lines[0].name, k.types)
	return h.Sum64()
}
