package compile_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"jacquard/ptx"
)

// dialect is a header of modules and the instructions that it suits.
type dialect struct {
	name   string
	header string
	arch   int // the newest forms
	suits  func(f *ptx.Form, name string) bool
}

var dialects = []dialect{
	{"sm_1x", ".version 1.4\n.target sm_13\n", 13, func(*ptx.Form, string) bool { return true }},
	{"mapped", ".version 1.4\n.target sm_13, map_f64_to_f32\n", 13,
		func(_ *ptx.Form, name string) bool { return strings.Contains(name, ".f64") }},
	{"sm_90", ".version 8.2\n.target sm_90\n.address_size 64\n", 90, exact},
}

// exact reports whether an instruction of sm_20 and later treats subnormals of f32 as PTX says: with
// .ftz, and where it converts or changes the sign.
func exact(f *ptx.Form, name string) bool {
	words := strings.Split(name, ".")
	if !slices.Contains(words, "f32") || slices.Contains(words, "ftz") ||
		f.Op == ptx.OpCvt || f.Op == ptx.OpNeg || f.Op == ptx.OpAbs {
		return true
	}
	for _, s := range f.Slots {
		if slices.Contains(s.Words, "ftz") {
			return false
		}
	}
	return true
}

// formOperands are the letters of operands that are registers.
const formOperands = "acfFiqklndDemrwxpPX"

// elsewhere are operations that other tests write, or that have no result that a row can show.
var elsewhere = map[ptx.Op]bool{
	ptx.OpMov: true, ptx.OpBar: true, ptx.OpAlloca: true, ptx.OpStackSave: true,
	ptx.OpStackRestore: true, ptx.OpIsspacep: true, ptx.OpCvta: true, ptx.OpNanosleep: true,
	ptx.OpPmevent: true, ptx.OpActiveMask: true, ptx.OpExit: true, ptx.OpRet: true,
	ptx.OpApplyPriority: true, ptx.OpCreatePolicy: true, ptx.OpDiscard: true, ptx.OpGridDepControl: true,
	ptx.OpSetMaxNReg: true, ptx.OpCp: true,
	ptx.OpTanh: true, // the library's own approximation
	ptx.OpTrap: true, ptx.OpBrkpt: true, ptx.OpMembar: true, ptx.OpFence: true,
}

// byForm reports whether rows are made from a form.
func byForm(f *ptx.Form) bool {
	for _, o := range f.Operands {
		if !strings.ContainsRune(formOperands, rune(o.Letter)) {
			return false
		}
	}
	return !elsewhere[f.Op]
}

// odd reports whether a type is one that no device of ours computes with.
func odd(word string) bool { return word == "u16x2" || word == "s16x2" || word == "b128" }

// half reports whether a type is of 16-bit floats.
func half(word string) bool { return strings.Contains(word, "f16") }

// namesOf returns the ways to write the modifiers of a form: all combinations, but only the plainest
// for types that no device of ours has.
func namesOf(f *ptx.Form) []string {
	names := [][]string{{}}
	for _, s := range f.Slots {
		var next [][]string
		for _, n := range names {
			if s.Optional {
				next = append(next, n)
			}
			for _, w := range s.Words {
				next = append(next, append(slices.Clone(n), w))
			}
		}
		names = next
	}
	var out []string
	strange := map[string]bool{}
	for _, n := range names {
		if unlikely(f.Op, n) {
			continue
		}
		var few []string
		for _, w := range n {
			if odd(w) {
				few = append(few, w)
			}
		}
		key := strings.Join(few, ".")
		if len(few) > 0 && strange[key] {
			continue
		}
		strange[key] = true
		out = append(out, strings.Join(append([]string{f.Op.String()}, n...), "."))
	}
	return out
}

// unlikely reports whether modifiers are left out because many like them are refused the same way:
// modifiers of newer machines, .ftz without f32, and roundings that the types of cvt do not take.
func unlikely(op ptx.Op, words []string) bool {
	last := words[max(len(words)-1, 0)]
	switch op {
	case ptx.OpSet, ptx.OpSetp:
		if slices.ContainsFunc(words, half) && words[1] != "ftz" && !half(words[1]) && words[0] != "geu" {
			return true // a second predicate with one comparison
		}
		return slices.Contains(words, "ftz") && last != "f32" && !half(last) && len(words) > 2+len(last)%2
	case ptx.OpCvt:
	default:
		return false
	}
	newer := slices.ContainsFunc(words, func(w string) bool {
		return w == "relu" && !half(words[len(words)-2]) || w == "rna"
	})
	float := func(t string) bool { return t[0] == 'f' || half(t) }
	to, from := float(words[len(words)-2]), float(last)
	rounded := strings.HasPrefix(words[0], "r")
	integral := rounded && strings.HasSuffix(words[0], "i")
	wrong := rounded && (!from && integral || !to && !integral)
	if newer || wrong {
		return len(words) > 3 || words[len(words)-2] != "f32" && last != "f32"
	}
	return slices.Contains(words, "ftz") && !slices.Contains(words, "f32")
}

// typesIn returns the types of a name: the first, the second and the one that is twice as wide.
func typesIn(f *ptx.Form, name string) (first, second, wide string) {
	words := strings.Split(name, ".")[1:]
	for _, w := range words {
		if !isType(w) {
			continue
		}
		if first == "" {
			first = w
		} else {
			second = w
		}
	}
	wide = first
	if slices.Contains(words, "wide") {
		wide = fmt.Sprintf("%c%d", first[0], 2*bitsOf(first))
	}
	return first, second, wide
}

func isType(w string) bool {
	switch w {
	case "pred", "f16x2", "bf16x2", "u16x2", "s16x2", "bf16":
		return true
	}
	return len(w) > 1 && strings.ContainsRune("busf", rune(w[0])) && w[1] >= '0' && w[1] <= '9' &&
		w != "f4e" && w != "b4e"
}

// typeOf returns the type of an operand by its letter.
func typeOf(letter byte, first, second, wide string) string {
	switch letter {
	case 'f', 'F':
		return second
	case 'c', 'w':
		return wide
	case 'i', 'x', 'X', 'k':
		return "b32"
	case 'p', 'P', 'q':
		return "pred"
	case 'n':
		return "u64"
	}
	return first
}

// formUse is a form with its modifiers, types and registers chosen.
type formUse struct {
	form    *ptx.Form
	name    string
	results []string // types; a second one is a predicate
	sources []string
	letters []byte // of the sources
	signs   int    // among signs, of the first f32; 0 is none
}

// usesOf returns the uses of a name: with and without optional operands.
func usesOf(f *ptx.Form, name string) []formUse {
	first, second, wide := typesIn(f, name)
	u := formUse{form: f, name: name}
	var optional []formUse
	for _, o := range f.Operands {
		if o.Optional {
			optional = append(optional, u)
		}
		t := typeOf(o.Letter, first, second, wide)
		if strings.IndexByte("dDemrwxpPX", o.Letter) >= 0 && len(u.results) == 0 {
			u.results = append(u.results, t)
			if strings.IndexByte("ePX", o.Letter) >= 0 {
				u.results = append(u.results, "pred")
			}
			continue
		}
		u.sources = append(slices.Clip(u.sources), t)
		u.letters = append(slices.Clip(u.letters), o.Letter)
	}
	hasBool := false
	for _, w := range []string{".and", ".or", ".xor"} {
		hasBool = hasBool || strings.Contains(name, w)
	}
	if (f.Op == ptx.OpSet || f.Op == ptx.OpSetp) && !hasBool {
		return optional
	}
	if f.Op == ptx.OpSet || f.Op == ptx.OpSetp {
		return []formUse{u}
	}
	return append(optional, u)
}

// lines returns the lines of a use: with registers, with an immediate at each place, with nothing
// but immediates, and guarded.
func (u formUse) lines(g *operandSource, all bool) []line {
	out := []line{u.line(g, u.names(g, 0), false)}
	if !all {
		if g.random.IntN(4) == 0 {
			out = append(out, u.line(g, u.names(g, 1+g.random.IntN(1<<len(u.sources))), true))
		}
		return out
	}
	if !strings.Contains(u.name, ".sync") {
		out = append(out, u.line(g, u.names(g, 0), true))
	}
	for mask := 1; mask < 1<<len(u.sources); mask *= 2 {
		out = append(out, u.line(g, u.names(g, mask), false))
	}
	if len(u.sources) > 1 {
		out = append(out, u.line(g, u.names(g, 1<<len(u.sources)-1), false))
	}
	if slices.Contains(u.sources, "f32") {
		for u.signs = 1; u.signs < len(signs); u.signs += min(len(u.sources), 2) {
			out = append(out, u.line(g, u.names(g, 0), false))
		}
	}
	return out
}

// names returns the source operands; operands in the mask are immediates.
func (u formUse) names(g *operandSource, immediate int) []string {
	var all []string
	for i, t := range u.sources {
		switch {
		case i == len(u.sources)-1 && strings.Contains(u.name, ".sync"):
			all = append(all, "0xffffffff")
		case u.letters[i] == 'k':
			all = append(all, fmt.Sprint(g.random.IntN(256)))
		case immediate>>i&1 != 0 && t != "pred" && !strings.Contains(t, "f16"):
			all = append(all, g.immediate(t))
		case t == "pred" && g.random.IntN(3) == 0:
			all = append(all, "!"+operand(i))
		default:
			lane := ""
			if u.letters[i] == 'l' {
				lane = g.lane(u.form.Op, false)
			}
			all = append(all, operand(i)+lane)
		}
	}
	if u.form.Op == ptx.OpVmad && !strings.Contains(u.name, ".po") {
		if i := g.random.IntN(4); i < 3 && all[i][0] == '%' {
			all[i] = "-" + all[i]
		}
	}
	return all
}

// lane returns the name of parts of a word that an operand or a result of an instruction may have, or
// none.
func (s *operandSource) lane(op ptx.Op, result bool) string {
	n := op.Lanes()
	if n == 1 {
		return []string{"", ".b0", ".b1", ".b2", ".b3", ".h0", ".h1"}[s.random.IntN(7)]
	}
	name := map[int]string{2: ".h", 4: ".b"}[n]
	for i := n - 1; i >= 0; i-- {
		switch {
		case !result:
			name += fmt.Sprint(s.random.IntN(2 * n))
		case s.random.IntN(2) == 0:
			name += fmt.Sprint(i)
		}
	}
	if len(name) == 2 || s.random.IntN(3) == 0 {
		return ""
	}
	return name
}

// line returns the use with some operands.
func (u formUse) line(g *operandSource, names []string, guarded bool) line {
	lane := ""
	if u.form.Operands[0].Letter == 'r' && len(u.sources) > 2 {
		lane = g.lane(u.form.Op, true)
		for lane == "" && u.form.Op.Lanes() == 1 {
			lane = g.lane(u.form.Op, true)
		}
	}
	return line{name: u.name, types: u.sources, signed: u.signs != 0, write: func(w *kernelText) {
		u.before(w)
		names := u.withSigns(w, names)
		var args []string
		for i, t := range u.results {
			r := w.reg(registerType(t), fmt.Sprintf("d%d", i))
			if guarded {
				w.initial(r, t)
			}
			args = append(args, r)
		}
		text := strings.Join(append([]string{strings.Join(args, "|") + lane}, names...), ", ")
		if len(args) == 0 {
			text = strings.Join(names, ", ")
		}
		guard := ""
		if guarded {
			guard = "@%guard "
		}
		w.put("\t%s%s %s;", guard, u.name, text)
		for i, t := range u.results {
			w.store(i, registerType(t), args[i])
		}
		u.after(w)
	}}
}

// initial gives a result a value before a guarded instruction.
func (w *kernelText) initial(r, t string) {
	if t == "pred" {
		w.put("\tsetp.ne.u32 %s, %%t, 77;", r)
		return
	}
	if w.header == dialects[1].header && t == "f64" {
		w.put("\tmov.f64 %s, 0d4000000000000000;", r)
		return
	}
	w.put("\tld.global.%s %s, [%%in+%d];", registerType(t), r, 8*initSlot)
}

// before sets the carry for an instruction that takes one, by a sum or by a difference.
func (u formUse) before(w *kernelText) {
	if u.form.Op != ptx.OpAddc && u.form.Op != ptx.OpMadc && u.form.Op != ptx.OpSubc {
		return
	}
	op := []string{"add", "sub"}[w.number%2]
	r := w.reg(u.sources[0], "junk")
	w.put("\t%s.cc.%s %s, %s, %s;", op, u.sources[0], r, operand(0), operand(len(u.sources)-1))
}

// after stores the carry of an instruction that gives one.
func (u formUse) after(w *kernelText) {
	if !slices.Contains(strings.Split(u.name, "."), "cc") {
		return
	}
	op, t := []string{"addc", "subc"}[w.number/2%2], u.sources[0]
	r := w.reg(t, "carry")
	w.put("\t%s.%s %s, 0, 0;", op, t, r)
	w.store(1, t, r)
}

// formKernels returns kernels for all forms of a dialect: the lines of an operation with the same
// operands stand in one, as far as they fit.
func formKernels(d dialect) []rowKernel {
	var all []rowKernel
	g := &operandSource{random: rand.New(rand.NewPCG(17, 17)), mapped: d.name == "mapped"}
	forms := ptx.Forms()
	byTypes := map[string]int{}
	for i := range forms {
		f := &forms[i]
		if f.Arch > d.arch || !byForm(f) {
			continue
		}
		for _, name := range namesOf(f) {
			if !d.suits(f, name) {
				continue
			}
			g.quotient = quotient(name)
			for _, u := range usesOf(f, name) {
				key := fmt.Sprint(f.Op, u.sources)
				for _, l := range u.lines(g, full(f, name)) {
					at, ok := byTypes[key]
					if !ok || len(all[at].lines) == mostLines {
						at = len(all)
						byTypes[key] = at
						all = append(all, rowKernel{header: d.header, types: u.sources})
					}
					all[at].lines = append(all[at].lines, l)
				}
			}
		}
	}
	return all
}

// mostLines bounds the lines of a kernel: it reports 100 errors, and has 128 literals.
const mostLines = 30

// full reports whether an instruction gets all its lines. set and setp have too many combinations of
// a second predicate.
func full(f *ptx.Form, name string) bool {
	if f.Op != ptx.OpSet && f.Op != ptx.OpSetp {
		return true
	}
	words := strings.Split(name, ".")
	return !slices.ContainsFunc(words, func(w string) bool {
		return w == "and" || w == "or" || w == "xor"
	})
}
