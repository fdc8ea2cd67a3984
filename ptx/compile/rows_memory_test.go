package compile_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// written makes a line of statements in which $ stands for the line's registers.
func written(name string, write func(w *kernelText)) line { return line{name: name, write: write} }

// memoryKernels returns kernels with loads and stores of all spaces, types and widths, and with what
// has operands of its own.
func memoryKernels(d dialect) []rowKernel {
	var all []rowKernel
	if d.name == "mapped" { // where f64 moves 32 bits, with undefined ones above
		return nil
	}
	for _, space := range []string{"global", "shared", "local", "const", "param"} {
		k := rowKernel{header: d.header, types: []string{"u64", "u64", "u64", "u64"}}
		k.before = ".shared .align 16 .b8 sh[2048];\n" + constants()
		for _, t := range strings.Fields("b8 u8 s8 b16 u16 s16 b32 u32 s32 f32 b64 u64 s64 f64") {
			for _, n := range []int{1, 2, 4} {
				for _, mod := range []string{"", ".volatile"} {
					if n*bitsOf(t) <= 128 && (mod == "" || space == "global" || space == "shared") {
						k.lines = append(k.lines, access(space, t, mod, n))
					}
				}
			}
		}
		all = append(all, split(k)...)
	}
	if d.arch >= 20 { // where all are forms
		for _, space := range []string{"global", "shared"} {
			k := rowKernel{header: d.header, types: []string{"u64", "u64", "u64"}}
			k.before = ".shared .align 16 .b8 sh[2048];\n"
			k.lines = atomics(space)
			all = append(all, split(k)...)
		}
	}
	moves := rowKernel{header: d.header, types: []string{"u64", "b32", "b16", "f32", "f64"}}
	moves.lines = append(movesOf(), specialsOf()...)
	return append(all, split(moves)...)
}

// split divides the lines of a kernel among kernels that are small enough.
func split(k rowKernel) []rowKernel {
	var all []rowKernel
	for len(k.lines) > mostLines {
		one := k
		one.lines = k.lines[:mostLines]
		k.lines = k.lines[mostLines:]
		all = append(all, one)
	}
	return append(all, k)
}

// constants returns a variable in constant memory.
func constants() string {
	g := rand.New(rand.NewPCG(3, 4))
	var words []string
	for range 64 {
		words = append(words, fmt.Sprintf("0x%x", g.Uint32()))
	}
	return ".const .align 16 .b32 table[64] = {" + strings.Join(words, ", ") + "};"
}

// access returns a line that loads a vector from a space. Spaces that can be written are written
// before with the same type.
func access(space, t, mod string, n int) line {
	width := ""
	if n > 1 {
		width = fmt.Sprintf(".v%d", n)
	}
	return written("ld."+space+mod+width+"."+t, func(w *kernelText) {
		wide := bitsOf(t)*n > 64
		var parts []string
		for i := range n {
			parts = append(parts, w.reg(registerType(t), fmt.Sprintf("v%d", i)))
		}
		list := parts[0]
		if n > 1 {
			list = "{" + strings.Join(parts, ", ") + "}"
		}
		at := fmt.Sprintf("[%%in+%d]", 16)
		switch space {
		case "const":
			at = "[table+32]"
		case "param":
			at = fmt.Sprintf("[in+%d]", 0)
			if wide {
				at = "[in]"
			}
		case "shared", "local":
			at = w.place(space)
			w.put("\tld.global%s.%s %s, [%%in+16];", width, t, list)
			w.put("\tst.%s%s%s.%s %s, %s;", space, mod, width, t, at, list)
		}
		if space == "param" { // the addresses differ: only their sum with themselves is shown
			w.put("\tld.param%s.%s %s, %s;", width, t, list, at)
			return
		}
		w.put("\tld.%s%s%s.%s %s, %s;", space, mod, width, t, list, at)
		to := "wide" // 16 bytes for a thread, which are both results
		if n == 1 {
			to = "out"
		}
		w.put("\tst.global%s%s.%s [%%%s+%d], %s;", mod, width, t, to, 16*w.number*rowThreads, list)
		if n == 1 { // the register's upper bits
			w.store(1, registerType(t), parts[0])
		}
	})
}

// place returns 16 bytes of the thread in a space.
func (w *kernelText) place(space string) string {
	if space == "local" {
		v := fmt.Sprintf("local%d", w.number)
		w.put("\t.local .align 16 .b8 %s[32];", v)
		return "[" + v + "+16]"
	}
	at := w.reg("u32", "at")
	base := w.reg("u32", "base")
	w.put("\tmov.u32 %s, %%tid.x;", at)
	w.put("\tmul.lo.u32 %s, %s, 16;", at, at)
	w.put("\tmov.u32 %s, sh;", base)
	w.put("\tadd.u32 %s, %s, %s;", at, at, base)
	return "[" + at + "+16]"
}

// atomics returns atom and red of all types on a number of the thread's own in a space, which
// becomes result 1.
func atomics(space string) []line {
	var all []line
	for _, c := range []string{"and b32 b64", "or b32 b64", "xor b32 b64", "cas b16 b32 b64 u32 u64",
		"exch b32 b64 u32 s32 u64 f32", "add u32 s32 u64 f32 f16 bf16 f16x2 bf16x2", "inc u32", "dec u32",
		"min u32 s32 u64 s64", "max u32 s32 u64 s64"} {
		words := strings.Fields(c)
		for _, t := range words[1:] {
			all = append(all, atomic("atom", space, words[0], t))
			if words[0] != "cas" && words[0] != "exch" {
				all = append(all, atomic("red", space, words[0], t))
			}
		}
	}
	return all
}

func atomic(op, space, what, t string) line {
	name := op + "." + space + "." + what + "." + t
	return written(name, func(w *kernelText) {
		t, upper := registerType(t), 0
		if bitsOf(t) == 16 { // half of a word
			upper = 2
		}
		var r [4]string
		for i := range 3 {
			r[i] = w.reg(t, fmt.Sprintf("a%d", i))
			w.put("\tld.global.%s %s, [%%in+%d];", t, r[i], 8*i)
		}
		at := fmt.Sprintf("[%%out+%d]", (2*w.number+1)*8*rowThreads+upper)
		if space == "shared" {
			at = w.place(space)
		}
		w.put("\tst.%s.%s %s, %s;", space, t, at, r[0])
		args := at + ", " + r[1]
		if what == "cas" {
			args += ", " + r[2]
		}
		if op == "red" {
			w.put("\t%s %s;", name, args)
		} else {
			d := w.reg(t, "d")
			w.put("\t%s %s, %s;", name, d, args)
			w.store(0, t, d)
		}
		if space == "shared" {
			w.put("\tld.shared.%s %s, %s;", t, r[0], at)
			w.store(1, t, r[0])
		}
	})
}

// movable are the types of mov, and operands of their sizes.
var movable = map[string]int{"b64": 0, "u64": 0, "s64": 0, "b32": 1, "u32": 1, "s32": 1,
	"b16": 2, "u16": 2, "s16": 2, "f32": 3, "f64": 4}

// movesOf returns movs of all types, and movs that pack and unpack.
func movesOf() []line {
	var all []line
	for _, t := range slices.Sorted(maps.Keys(movable)) {
		all = append(all, written("mov."+t, func(w *kernelText) {
			d := w.reg(t, "d")
			w.put("\tmov.%s %s, %s;", t, d, operand(movable[t]))
			w.store(0, t, d)
		}))
	}
	for _, c := range [][3]string{{"b32", "b16", "2"}, {"b64", "b32", "2"}, {"b64", "b16", "4"}} {
		whole, part, n := c[0], c[1], int(c[2][0]-'0')
		i := map[string]int{"b64": 0, "b32": 1}[whole]
		all = append(all, written("mov."+whole, func(w *kernelText) {
			var parts, turned []string
			for k := range n {
				p := w.reg(part, fmt.Sprintf("p%d", k))
				parts, turned = append(parts, p), append([]string{p}, turned...)
			}
			w.put("\tmov.%s {%s}, %s;", whole, strings.Join(parts, ", "), operand(i))
			d := w.reg(whole, "d")
			w.put("\tmov.%s %s, {%s};", whole, d, strings.Join(turned, ", "))
			w.store(0, whole, d)
			w.store(1, part, parts[n-1])
		}))
	}
	return all
}

// specialsOf returns reads of special registers, in 16 and 32 bits.
func specialsOf() []line {
	var all []line
	for _, r := range strings.Fields("tid ntid ctaid nctaid") {
		for _, axis := range []string{"x", "y", "z"} {
			for _, t := range []string{"u32", "u16"} {
				all = append(all, special(r+"."+axis, t))
			}
		}
	}
	for _, r := range []string{"laneid", "warpid", "lanemask_eq", "lanemask_lt", "lanemask_le",
		"lanemask_ge", "lanemask_gt", "gridid"} {
		all = append(all, special(r, "u32"))
	}
	return all
}

func special(r, t string) line {
	return written("mov."+t, func(w *kernelText) {
		d := w.reg(t, "d")
		w.put("\tmov.%s %s, %%%s;", t, d, r)
		w.store(0, t, d)
	})
}
