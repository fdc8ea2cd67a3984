package code_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"jacquard/ptx/compile/code"
	"jacquard/simt/mem"
	"jacquard/tesla"

	"github.com/stretchr/testify/require"
)

// program writes functions with nested ifs and loops whose branches depend on values of the
// threads.
type program struct {
	randomFunc
	left          int // statements still to write
	depth         int
	after, around *code.Block // of the innermost loop: where a break and a continue lead
	out           *code.Block // the end of the kernel
}

func newProgram(seed uint64, statements int) *code.Func {
	p := &program{randomFunc: randomFunc{builder: *newBuilder(124), r: rand.New(rand.NewPCG(seed, 3))}, left: statements}
	p.plain = true
	p.f.Literals = make([]uint32, 16)
	p.entryBlock(options{vars: 6})
	p.do(tesla.OpIAdd, p.fuel, p.fuel, 8)
	p.out = &code.Block{End: code.End{Kind: code.Exit}}
	for p.left > 0 {
		p.statement(3)
	}
	p.finish()
	p.f.Blocks = append(p.f.Blocks, p.out)
	return p.f
}

// next begins the block b; the block that is being written goes on there if it is open.
func (p *program) next(b *code.Block, open bool) {
	if open {
		p.jump(b)
	}
	b.ID, b.Depth = len(p.f.Blocks), p.depth
	p.f.Blocks = append(p.f.Blocks, b)
	p.b, p.temps = b, p.temps[:0]
}

func (p *program) work() {
	for range 1 + p.r.IntN(5) {
		p.op()
	}
}

// test returns flags that hold in some lanes.
func (p *program) test() code.Reg {
	m := p.word()
	p.logic(tesla.And, m, p.any(), []int{1, 3, 7, 0x10}[p.r.IntN(4)])
	return p.compare(m, p.one, tesla.Less)
}

// burn takes fuel and returns flags that hold while there is some.
func (p *program) burn() code.Reg {
	p.do(tesla.OpIAdd, p.fuel, p.fuel, ^uint32(0))
	return p.compare(p.fuel, p.one, tesla.Greater)
}

// statement writes one statement and reports whether lanes may come out of it.
func (p *program) statement(nest int) (open bool) {
	p.left--
	if p.left <= 0 || nest == 0 {
		p.work()
		return true
	}
	switch p.r.IntN(8) {
	case 0, 1, 2:
		return p.choice(nest - 1)
	case 3, 4:
		p.loop(nest - 1)
	case 5:
		if p.after != nil {
			p.leave([]*code.Block{p.after, p.around}[p.r.IntN(2)])
		}
	case 6:
		if p.r.IntN(3) == 0 {
			p.leave(p.out)
		}
	}
	p.work()
	return true
}

// leave sends some lanes elsewhere.
func (p *program) leave(to *code.Block) {
	on := &code.Block{}
	p.branch(p.test(), tesla.CondLG, to, on)
	p.next(on, false)
}

func (p *program) block(nest int) (open bool) {
	for range 1 + p.r.IntN(3) {
		if !p.statement(nest) {
			return false
		}
	}
	return true
}

func (p *program) choice(nest int) bool {
	yes, no, end := &code.Block{}, &code.Block{}, &code.Block{}
	if p.r.IntN(4) == 0 {
		p.uniform(yes, no)
	} else {
		p.branch(p.test(), tesla.CondLG, yes, no)
	}
	p.next(yes, false)
	open := p.block(nest)
	if p.after != nil && p.r.IntN(6) == 0 {
		p.jump([]*code.Block{p.after, p.around}[p.r.IntN(2)])
		open = false
	} else if open {
		p.jump(end)
	}
	p.next(no, false)
	if p.r.IntN(2) == 0 {
		p.block(nest)
	}
	p.next(end, true)
	return true
}

func (p *program) loop(nest int) {
	after, around := p.after, p.around
	head, test, end := &code.Block{}, &code.Block{}, &code.Block{}
	p.after, p.around = end, test
	p.depth++
	if p.r.IntN(2) == 0 { // tests first
		body := &code.Block{}
		p.next(test, true)
		p.branch(p.burn(), tesla.CondLG, body, end)
		p.next(body, false)
		p.block(nest)
		p.jump(test)
	} else {
		p.next(head, true)
		p.block(nest)
		p.next(test, true)
		p.branch(p.burn(), tesla.CondLG, head, end)
	}
	p.depth--
	p.after, p.around = after, around
	p.next(end, false)
}

// newMeetings is newProgram with places where lanes must be together: barriers, and what stands for
// votes and shuffles, to which all come or some.
func newMeetings(seed uint64, statements int) *code.Func {
	f := newProgram(seed, statements)
	r := rand.New(rand.NewPCG(seed, 4))
	for _, b := range f.Blocks[1:] {
		if r.IntN(6) > 0 {
			continue
		}
		b.Meet = true
		switch r.IntN(3) {
		case 0:
			b.All, b.Bar = true, true
			bar := code.Instr{In: tesla.Instruction{Op: tesla.OpBar}}
			bar.In.Barrier = tesla.Barrier{Count: 0xfff, Inc: true, Wait: true}
			b.Code = append([]code.Instr{bar}, b.Code...)
		case 1:
			b.All = true
		}
	}
	return f
}

// TestMeetings runs programs whose lanes must come together, if need be by a dispatch.
func TestMeetings(t *testing.T) {
	dispatched := 0
	for seed := range seeds(40) {
		f := newMeetings(uint64(seed), 20)
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			check(t, f, "nvidia", "stackless", "implicit")
			if f.Dispatch != nil {
				dispatched++
			}
		})
	}
	require.NotZero(t, dispatched)
	require.Less(t, dispatched, 40)
}

// TestStructured runs programs under some policies, and compares their numbers of issues, without
// instructions that only steer lanes.
func TestStructured(t *testing.T) {
	count := seeds(200)
	if testing.Short() {
		count = 50
	}
	issues := map[string]float64{}
	policies := []string{"nvidia", "pdom", "stackless", "implicit"}
	for seed := range count {
		f := newProgram(uint64(seed), 30)
		c := clone(f)
		t.Run(fmt.Sprint(seed), func(t *testing.T) { check(t, f, policies...) })
		space := mem.NewSpace(1 << 20)
		at, err := space.Alloc(threads * slotBytes)
		require.NoError(t, err)
		r, err := code.Compile(c)
		require.NoError(t, err)
		for _, p := range policies {
			_, st, err := run(c, r, p, space, at)
			require.NoError(t, err)
			n := float64(st.WarpInstructions - st.Annotations - st.ReissuedJoins)
			issues[p] += n
		}
		_, st, _ := run(c, r, "nvidia", space, at)
		issues["joins"] += float64(st.ReissuedJoins)
		issues["annotations"] += float64(st.Annotations)
	}
	t.Log(issues)
	require.Less(t, issues["nvidia"], 1.01*issues["pdom"], "lanes meet as late as at post-dominators")
}
