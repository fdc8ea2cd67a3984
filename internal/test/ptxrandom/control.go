package ptxrandom

import "fmt"

// deepest nesting of blocks.
const deepest = 4

// label returns a new label.
func (g *writer) label() string {
	g.labels++
	return fmt.Sprintf("L%d", g.labels)
}

func (g *writer) mark(label string) { fmt.Fprintf(&g.text, "%s:\n", label) }

// block writes statements.
func (g *writer) block(depth int) {
	n := 2 + g.r.IntN(8)
	if depth == 0 {
		n = g.budget
	}
	for range n {
		if g.budget <= 0 {
			return
		}
		g.budget--
		g.statement(depth)
	}
}

func (g *writer) statement(depth int) {
	switch k := g.r.IntN(40); {
	case k < 4:
		g.access()
	case k < 7:
		g.convert()
	case k < 10 && depth < deepest:
		g.choice(depth)
	case k < 12 && depth < deepest && g.loops < mostLoops:
		g.loop(depth)
	case k == 12 && depth < deepest && g.loops < mostLoops:
		g.tangle(depth)
	case k == 13 && len(g.targets) > 0:
		g.line("%s bra %s", g.guard(), g.targets[g.r.IntN(len(g.targets))])
	case k == 14:
		g.call()
	case k == 15:
		g.exchange()
	case k == 16 && g.last && depth > 0 && g.one(3):
		g.line("%s%s", g.guard(), g.leave())
	case k == 17:
		g.atomic()
	default:
		g.compute()
	}
}

// leave returns an instruction that ends the thread or the function.
func (g *writer) leave() string {
	if g.inside != nil {
		return "ret"
	}
	return g.pick("ret", "exit")
}

// divergent writes statements that not all threads come to.
func (g *writer) divergent(write func()) {
	before := g.uniform
	g.uniform = false
	write()
	g.uniform = before
}

// choice writes an if, with or without an else.
func (g *writer) choice(depth int) {
	other, end := g.label(), g.label()
	g.divergent(func() {
		g.line("%s bra %s", g.guard(), other)
		g.targets = append(g.targets, end)
		g.block(depth + 1)
		if g.one(2) {
			g.line("bra %s", end)
			g.mark(other)
			g.block(depth + 1)
		} else {
			g.mark(other)
		}
		g.targets = g.targets[:len(g.targets)-1]
	})
	g.mark(end)
}

// loop writes a loop whose count is bounded. A pointer may move with it.
func (g *writer) loop(depth int) {
	i := g.loops
	g.loops++
	uniform := g.uniform && g.one(2)
	bound := g.register("u32")
	if uniform {
		bound = "%n"
	}
	g.line("and.b32 %%m%d, %s, %d", i, bound, []int{1, 3, 7}[g.r.IntN(max(1, 3-depth))])
	g.line("mov.u32 %%c%d, %d", i, g.r.IntN(2))
	move := g.pointer(i)
	head, next, end := g.label(), g.label(), g.label()
	before := g.targets
	body := func() {
		g.targets = append(append([]string{}, before...), next, end)
		g.block(depth + 1)
	}
	if uniform { // without branches out of the loop that not all threads take
		g.targets = nil
	}
	test := g.one(2)
	g.mark(head)
	if test {
		g.line("setp.ge.u32 %%e, %%c%d, %%m%d", i, i)
		g.line("@%%e bra %s", end)
	}
	g.looping++
	if uniform {
		g.targets = nil
		g.block(depth + 1)
	} else {
		g.divergent(body)
	}
	g.looping--
	g.mark(next)
	move()
	g.line("add.u32 %%c%d, %%c%d, 1", i, i)
	if test {
		g.line("bra %s", head)
	} else {
		g.line("setp.lt.u32 %%e, %%c%d, %%m%d", i, i)
		g.line("@%%e bra %s", head)
	}
	g.targets = before
	g.mark(end)
}

// pointer sets a pointer of a loop and returns what moves it and uses it.
func (g *writer) pointer(i int) func() {
	step := 4 * (1 + g.r.IntN(4))
	switch g.r.IntN(4) {
	case 0:
		g.place(inBytes/2, 4, "%r1")
		g.line("mov.u64 %%z%d, %%q0", i)
		return func() {
			g.line("ld.global.%s, [%%z%d+%d]", g.word(), i, 4*g.r.IntN(8))
			g.line("add.u64 %%z%d, %%z%d, %d", i, i, step)
		}
	case 1:
		if g.inside != nil {
			break
		}
		g.line("add.u64 %%z%d, %%out, %d", i, 4*g.r.IntN(32))
		return func() {
			g.line("st.global.u32 [%%z%d+%d], %s", i, 4*g.r.IntN(8), g.register("u32"))
			g.line("add.u64 %%z%d, %%z%d, %d", i, i, step)
		}
	case 2:
		if g.inside != nil {
			break
		}
		g.line("mov.u32 %%y%d, %%own", i)
		return func() {
			g.line("ld.shared.%s, [%%y%d+%d]", g.word(), i, 4*g.r.IntN(8))
			g.line("st.shared.u32 [%%y%d], %s", i, g.register("u32"))
			g.line("add.u32 %%y%d, %%y%d, 4", i, i)
		}
	}
	return func() {}
}

// word returns a type of 32 bits and a register of it.
func (g *writer) word() string {
	t := g.pick("u32", "f32", "s32")
	return t + " " + g.register(t)
}

// tangle writes blocks with branches in both directions. Branches back use up fuel.
func (g *writer) tangle(depth int) {
	i := g.loops
	g.loops++
	g.line("and.b32 %%m%d, %s, 7", i, g.register("u32"))
	labels := make([]string, 2+g.r.IntN(5))
	for k := range labels {
		labels[k] = g.label()
	}
	end := g.label()
	g.looping++
	g.divergent(func() {
		for k, l := range labels {
			g.mark(l)
			for range 1 + g.r.IntN(3) {
				g.compute()
			}
			if g.one(4) {
				g.statement(max(depth+1, deepest-1))
			}
			if k+1 < len(labels) && g.one(2) {
				g.line("%s bra %s", g.guard(), labels[k+1+g.r.IntN(len(labels)-k-1)])
			}
			if g.one(2) {
				g.line("sub.u32 %%m%d, %%m%d, 1", i, i)
				g.line("setp.gt.s32 %%e, %%m%d, 0", i)
				g.line("@%%e bra %s", labels[g.r.IntN(k+1)])
			}
			if g.one(5) {
				g.line("%s bra %s", g.guard(), end)
			}
		}
	})
	g.looping--
	g.mark(end)
}

// exchange gives a word to another thread, or votes, if all threads come here.
func (g *writer) exchange() {
	if !g.uniform || g.last || g.inside != nil {
		return
	}
	if g.one(2) {
		p := g.pick("", "!") + g.register("pred")
		g.line("vote.%s.pred %s, %s", g.pick("all", "any", "uni"), g.register("pred"), p)
		return
	}
	g.line("shl.b32 %%a0, %%flat, 2")
	g.line("mov.u32 %%a1, given")
	g.line("add.u32 %%a0, %%a0, %%a1")
	g.line("st.shared.u32 [%%a0], %s", g.register("u32"))
	g.line("bar.sync 0")
	g.line("add.u32 %%a0, %%flat, %d", g.r.IntN(100))
	g.line("rem.u32 %%a0, %%a0, %d", g.threads)
	g.line("shl.b32 %%a0, %%a0, 2")
	g.line("add.u32 %%a0, %%a0, %%a1")
	g.line("ld.shared.u32 %s, [%%a0]", g.register("u32"))
	g.line("bar.sync 0")
}
