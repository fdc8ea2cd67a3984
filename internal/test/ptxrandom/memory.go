package ptxrandom

import (
	"fmt"
	"strings"
)

// area is memory that a thread may use.
type area struct {
	space string
	base  string // a register of 64 bits or 32, or a name
	bytes int
	store bool
}

func (g *writer) areas() []area {
	list := []area{{"const", "table", 4 * constWords, false}, {"global", "%in", inBytes, false}}
	if g.inside != nil {
		return list
	}
	return append(list, area{"global", "%out", scratch, true}, area{"shared", "%own", ownShared, true},
		area{"local", "loc", localBytes, true}, area{"shared", "%own", ownShared, true})
}

// access writes a load or a store at a random place of an area.
func (g *writer) access() {
	areas := g.areas()
	a := areas[g.r.IntN(len(areas))]
	t := g.memoryType()
	n := 1
	if g.one(4) {
		n = 2 << g.r.IntN(3)
	}
	size := bitsOf(t) / 8 * n
	if size > 16 {
		n, size = 1, bitsOf(t)/8
	}
	at := g.where(a, size)
	vector, guard := "", g.maybe()
	if n > 1 {
		vector = fmt.Sprintf(".v%d", n)
	}
	volatile := ""
	if a.space != "const" && g.one(8) {
		volatile = ".volatile"
	}
	if a.store && g.one(2) {
		g.line("%sst%s.%s%s.%s %s, %s", guard, volatile, a.space, vector, t, at, g.elements(t, n, g.holder))
		return
	}
	g.line("%sld%s.%s%s.%s %s, %s", guard, volatile, a.space, vector, t, g.results(t, n), at)
}

func (g *writer) memoryType() string {
	list := []string{"u8", "s8", "b8", "u16", "s16", "u32", "s32", "b32", "u64", "s64", "f32", "f32", "u32"}
	if g.o.Double {
		list = append(list, "f64", "f64")
	}
	return list[g.r.IntN(len(list))]
}

// where writes the computation of an address and returns the operand.
func (g *writer) where(a area, size int) string {
	const most = 16 // bytes of an access and its offset
	offset := size * g.r.IntN(most/size)
	if g.one(3) {
		return fmt.Sprintf("[%s+%d]", a.base, size*g.r.IntN(a.bytes/size))
	}
	g.line("and.b32 %%a0, %s, %d", g.register("u32"), (a.bytes-most)&^(size-1))
	if offset > 0 && g.one(4) { // neither part need be a multiple of the size
		part := g.r.IntN(offset)
		g.line("add.u32 %%a0, %%a0, %d", part)
		offset -= part
	}
	if a.space == "global" {
		g.line("cvt.u64.u32 %%q0, %%a0")
		g.line("add.u64 %%q0, %%q0, %s", a.base)
		return fmt.Sprintf("[%%q0+%d]", offset)
	}
	if a.base[0] != '%' {
		g.line("mov.u32 %%a1, %s", a.base)
		g.line("add.u32 %%a0, %%a0, %%a1")
	} else {
		g.line("add.u32 %%a0, %%a0, %s", a.base)
	}
	return fmt.Sprintf("[%%a0+%d]", offset)
}

// holder returns a register for a type of memory; one of 32 bits sometimes holds less.
func (g *writer) holder(t string) string { return g.container(t) }

// elements returns a register, or a vector of them.
func (g *writer) elements(t string, n int, get func(string) string) string {
	if n == 1 {
		return get(t)
	}
	s := "{"
	for i := range n {
		if i > 0 {
			s += ", "
		}
		s += get(t)
	}
	return s + "}"
}

// results is elements for results, which differ.
func (g *writer) results(t string, n int) string {
	c := classOf(t)
	if n == 1 {
		return g.container(t)
	}
	if g.pools.n[c] < n {
		s := "{" + fmt.Sprintf("%%%c0", c)
		for range n - 1 {
			s += ", _"
		}
		return s + "}"
	}
	perm := g.r.Perm(g.pools.n[c])
	i := -1
	return g.elements(t, n, func(string) string {
		i++
		return fmt.Sprintf("%%%c%d", c, perm[i])
	})
}

// atomic adds to one of the words that all threads share.
func (g *writer) atomic() {
	if !g.o.Atomics || g.inside != nil {
		return
	}
	if g.o.Locks && g.one(2) {
		g.locked()
		return
	}
	i := g.r.IntN(sumWords)
	op := []string{"add.u32", "min.s32", "max.u32", "and.b32", "or.b32", "xor.b32", "add.u32", "max.s32"}[i%8]
	g.line("%sred.global.%s [sums+%d], %s", g.maybe(), op, 4*i, g.register("u32"))
}

// locked changes the thread's own shared memory by an atomic operation.
func (g *writer) locked() {
	if g.one(4) {
		at := g.where(area{"shared", "%own", ownShared, true}, 8)
		op := g.pick("add.u64", "exch.b64", "cas.b64")
		more := ""
		if op == "cas.b64" {
			more = ", " + g.register("u64")
		}
		g.line("%satom.shared.%s %s, %s, %s%s", g.maybe(), op, g.register("u64"), at, g.register("u64"), more)
		return
	}
	at := g.where(area{"shared", "%own", ownShared, true}, 4)
	op := g.pick("add.u32", "inc.u32", "dec.u32", "min.s32", "max.u32", "and.b32", "or.b32", "xor.b32",
		"exch.b32", "min.u32", "max.s32")
	if g.one(3) {
		g.line("%sred.shared.%s %s, %s", g.maybe(), strings.Replace(op, "exch", "xor", 1), at, g.register("u32"))
		return
	}
	g.line("%satom.shared.%s %s, %s, %s", g.maybe(), op, g.register("u32"), at, g.register("u32"))
}
