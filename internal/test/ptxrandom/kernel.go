package ptxrandom

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
)

// Options shape a kernel.
type Options struct {
	Double  bool // use f64
	Atomics bool // use atomic operations on global memory
	Locks   bool // and on shared memory
	Later   bool // use instructions of later devices, which the compiler expands
}

// Kernel is a module with one kernel, named k, and a launch of it.
type Kernel struct {
	Text        string
	Grid, Block [2]int
	// In are the bytes that the first parameter points to; the kernel does not write them.
	In []byte
	// Out are the bytes that the second parameter points to. They begin as zeros.
	Out int
	// Rest are the parameters after the two pointers.
	Rest []byte
}

// Sizes in bytes.
const (
	inBytes     = 1024
	scratch     = 512 // of a thread, in global memory
	ownShared   = 64  // of a thread
	localBytes  = 64
	constWords  = 64
	sumWords    = 16
	mostPerExit = 2048 // registers at the end, for each thread
)

// New returns the kernel of a seed.
func New(seed uint64, o Options) *Kernel {
	g := &writer{r: rng(seed), o: o}
	k := &Kernel{Grid: [2]int{1 + g.r.IntN(2), 1}, Block: [2]int{1 + g.r.IntN(48), 1}}
	if g.one(3) {
		k.Block = [2]int{1 + g.r.IntN(12), 1 + g.r.IntN(4)}
	}
	g.threads = k.Block[0] * k.Block[1]
	k.In = g.bytes(inBytes)
	k.Rest = g.rest()
	g.module()
	k.Text = g.text.String()
	k.Out = (scratch + mostPerExit) * g.threads * k.Grid[0]
	return k
}

func rng(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 7)) }

// writer writes one kernel.
type writer struct {
	r       *rand.Rand
	o       Options
	text    strings.Builder
	threads int // of a block
	pools   pools
	labels  int
	loops   int
	budget  int // statements that may follow
	// targets are the labels of ends of enclosing blocks, which branches may go to.
	targets []string
	funcs   []function
	inside  *function // that is being written; nil in the kernel
	again   int       // calls of itself
	looping int       // loops around
	// uniform says that all threads come to this statement.
	uniform bool
	// last says that no barrier follows.
	last bool
}

// one reports true once in n times.
func (g *writer) one(n int) bool { return g.r.IntN(n) == 0 }

// pick returns one of some texts.
func (g *writer) pick(of ...string) string { return of[g.r.IntN(len(of))] }

// line writes an instruction.
func (g *writer) line(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if g.o.Later {
		text = single.ReplaceAllString(strings.Replace(text, "mad.f32", "mad.rn.f32", 1), "$1.ftz$2")
	}
	g.text.WriteString("\t" + text + ";\n")
}

// single finds instructions for which Tesla takes subnormal numbers for zeros, even if PTX of
// later targets keeps them.
var single = regexp.MustCompile(`^((?:@!?%p\d+ )?(?:add|sub|mul|mad|fma|min|max|div|sqrt|rcp|rsqrt|setp?|slct))(\.\S*f32 )`)

// bytes returns numbers. Many of them are special.
func (g *writer) bytes(n int) (b []byte) {
	for len(b) < n {
		b = binary.LittleEndian.AppendUint32(b, uint32(g.number(32)))
	}
	return b
}

// rest returns the parameters u32, f32, u16 and u64.
func (g *writer) rest() (b []byte) {
	b = binary.LittleEndian.AppendUint32(b, g.r.Uint32N(6))
	b = binary.LittleEndian.AppendUint32(b, uint32(g.number(32)))
	b = binary.LittleEndian.AppendUint64(b, g.number(16)&0xffff)
	return binary.LittleEndian.AppendUint64(b, g.number(64))
}

func (g *writer) module() {
	head := ".version 3.0\n.target sm_13\n"
	if g.o.Later {
		head = ".version 8.6\n.target sm_100\n"
	}
	g.text.WriteString(head + ".address_size 64\n")
	fmt.Fprintf(&g.text, ".const .align 16 .b32 table[%d] = {", constWords)
	for i := range constWords {
		if i > 0 {
			g.text.WriteString(", ")
		}
		fmt.Fprintf(&g.text, "%#x", g.number(32))
	}
	g.text.WriteString("};\n")
	fmt.Fprintf(&g.text, ".global .align 16 .b32 sums[%d];\n", sumWords)
	fmt.Fprintf(&g.text, ".shared .align 16 .b8 own[%d];\n", ownShared*g.threads)
	fmt.Fprintf(&g.text, ".shared .align 16 .b32 given[%d];\n", g.threads)
	for range g.r.IntN(4) {
		g.function()
	}
	g.entry()
}

func (g *writer) entry() {
	g.text.WriteString(".entry k (.param .u64 in, .param .u64 out, .param .u32 n, .param .f32 x, " +
		".param .u16 h, .param .u64 d)")
	if g.one(3) {
		fmt.Fprintf(&g.text, " .maxnreg %d", 16+g.r.IntN(40))
	}
	g.text.WriteString("\n{\n")
	g.pools = g.newPools(g.one(4))
	g.declare()
	g.text.WriteString("\t.local .align 16 .b8 loc[64];\n\t.reg .u64 %out, %end, %in;\n" +
		"\t.reg .u32 %flat, %id, %own, %n;\n")
	g.prologue()
	g.uniform, g.last = true, false
	g.budget = 10 + g.r.IntN(30)
	if g.one(4) {
		g.budget *= 4
	}
	g.block(0)
	g.uniform, g.last = false, true
	g.budget = max(g.budget, 8)
	g.block(0)
	g.epilogue()
	g.text.WriteString("\tret;\n}\n")
}

// prologue finds the thread's memory and gives registers and memory their first values.
func (g *writer) prologue() {
	g.text.WriteString(`	ld.param.u64 %in, [in];
	ld.param.u64 %out, [out];
	ld.param.u32 %n, [n];
	mov.u32 %flat, %ntid.x;
	mov.u32 %a0, %tid.y;
	mov.u32 %a1, %tid.x;
	mad.lo.u32 %flat, %a0, %flat, %a1;
	mov.u32 %a0, %ctaid.x;
`)
	g.line("mad.lo.u32 %%id, %%a0, %d, %%flat", g.threads)
	g.line("mul.wide.u32 %%q0, %%id, %d", scratch+mostPerExit)
	g.line("add.u64 %%out, %%out, %%q0")
	g.line("add.u64 %%end, %%out, %d", scratch)
	g.line("mov.u32 %%own, own")
	g.line("mad.lo.u32 %%own, %%flat, %d, %%own", ownShared)
	for i := range ownShared / 4 {
		g.line("st.shared.u32 [%%own+%d], %%flat", 4*i)
	}
	for i := range localBytes / 4 {
		g.line("st.local.u32 [loc+%d], %%id", 4*i)
	}
	g.first()
	g.line("ld.param.f32 %%f0, [x]")
	g.line("ld.param.u16 %%h0, [h]")
	g.line("ld.param.u64 %%d0, [d]")
	g.line("mov.u32 %%r0, %%flat")
}

// epilogue stores all registers.
func (g *writer) epilogue() {
	at := 0
	for i := range g.pools.n['p'] {
		g.line("selp.u32 %%a0, 1, 0, %%p%d", i)
		g.line("st.global.u32 [%%end+%d], %%a0", at)
		at += 4
	}
	for _, c := range "hrdfg" {
		at = (at + 7) &^ 7
		for i := range g.pools.n[byte(c)] {
			g.line("st.global.%s [%%end+%d], %%%c%d", classes[byte(c)], at, c, i)
			at += bitsOf(classes[byte(c)]) / 8
		}
	}
	if at > mostPerExit {
		panic("random: too many registers")
	}
}
