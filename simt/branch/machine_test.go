package branch_test

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/branch"
	"jacquard/simt/cfg"
	"jacquard/simt/lane"
	"jacquard/tesla"
)

// The tests run policies on a machine with nothing but control flow. Every lane decides its
// branches by its own number and its visits of the instruction. So a lane's path does not depend on
// other lanes, and each lane run alone is the oracle.

type kind uint8

const (
	plain kind = iota
	bra
	joinat
	breakaddr
	brk
	call
	ret
	preret // not in random programs
)

type instr struct {
	kind   kind
	target int       // instruction index
	cond   int       // 0: always; otherwise selects a family of lane decisions
	lanes  lane.Mask // if not empty: the lanes of a warp that take it, whatever cond
	second lane.Mask // if not empty: the lanes of warps after the first
	rounds int       // if not 0: lanes take it in so many first visits only
	join   bool
	exit   bool

	indirect bool // a bra whose target is known only at run time
	off      int  // bytes from the target's start to the actual target
}

type program []instr

const size = 8 // bytes per instruction

// takes reports whether lane l takes instruction i at its n-th visit.
func (p program) takes(i, l, n int) bool {
	c := p[i].cond
	if m := p[i].lanes; m != 0 {
		if p[i].second != 0 && l >= lane.Width {
			m = p[i].second
		}
		return m>>(l%lane.Width)&1 != 0 && (p[i].rounds == 0 || n < p[i].rounds)
	}
	if c == 0 {
		return true
	}
	h := uint32(l)*2654435761 + uint32(i)*40503 + uint32(n)*97 + uint32(c)*7919
	h ^= h >> 13
	h *= 0x5bd1e995
	h ^= h >> 15
	return h%3 == 0
}

// alone returns the path of lane l when it runs alone.
func (p program) alone(l int) []int {
	var path, breaks, calls []int
	visits := make([]int, len(p))
	depth := []int{0} // open breaks per call level
	for i := 0; ; {
		path = append(path, i)
		in := p[i]
		n := visits[i]
		visits[i]++
		next := i + 1
		switch in.kind {
		case bra:
			if p.takes(i, l, n) {
				next = in.target
			}
		case breakaddr:
			breaks = append(breaks, in.target)
		case brk:
			if p.takes(i, l, n) {
				next = breaks[len(breaks)-1]
				breaks = breaks[:len(breaks)-1]
			}
		case call:
			calls = append(calls, i+1)
			depth = append(depth, len(breaks))
			next = in.target
		case ret:
			if p.takes(i, l, n) {
				if len(calls) == 0 {
					return path
				}
				next = calls[len(calls)-1]
				calls = calls[:len(calls)-1]
				breaks = breaks[:depth[len(depth)-1]]
				depth = depth[:len(depth)-1]
			}
		}
		if in.exit {
			return path
		}
		i = next
	}
}

// step is one issue, for tests of the order of issues.
type step struct {
	pc   int
	mask lane.Mask
}

// run runs the program under a policy and returns each lane's path and the issues of warp 0.
func (p program) run(policy branch.Policy, masks []lane.Mask) (paths [][]int, issues []step, err error) {
	paths = make([][]int, len(masks)*lane.Width)
	visits := make([][]int, len(paths))
	for i := range visits {
		visits[i] = make([]int, len(p))
	}
	policy.Start(masks)
	list := make([]branch.Cohort, lane.MaxWarps)
	live := slices.Clone(masks)
	for round := 0; ; round++ {
		if round > 200000 {
			return nil, nil, fmt.Errorf("no end after %d rounds", round)
		}
		n := cohorts(policy, list)
		if n == 0 {
			return paths, issues, nil
		}
		if err := partition(policy, list[:n], live); err != nil {
			return nil, nil, err
		}
		for k := range n {
			for c := &list[k]; ; {
				i := int(c.PC / size)
				in := p[i]
				note := func() {
					for j := range c.N {
						if c.Warp[j] == 0 {
							issues = append(issues, step{i, c.Mask[j]})
						}
					}
				}
				note()
				for in.kind == plain && !in.join && !in.exit && c.PC+size != c.Stop {
					p.visit(c, visits, paths) // straight on: the policy is not asked
					c.PC += size
					i++
					in = p[i]
					note()
				}
				if to, ok := p.uniform(policy, c, visits); ok { // the policy is not asked here either
					p.visit(c, visits, paths)
					if counting, ok := inner(policy).(branch.Counting); ok && counting.Counts() && in.kind == bra {
						counting.Branched(int(c.Warp[0]), 1)
					}
					if c.PC = to; to == c.Stop {
						policy.Advance(c, to)
						break
					}
					continue
				}
				if in.join {
					if err := policy.Join(c); err != nil {
						return nil, nil, err
					}
					if c.N == 0 {
						break
					}
				}
				e := branch.Event{Target: uint32(in.target * size), Next: uint32((i + 1) * size)}
				e.Lanes = p.visit(c, visits, paths)
				if e.Kind = in.event(); e.Kind == 0 {
					policy.Advance(c, e.Next)
					break
				}
				if _, err := policy.Control(c, &e); err != nil {
					return nil, nil, err
				}
				break
			}
		}
	}
}

// event returns the kind of event of the instruction, 0 if none.
func (in instr) event() branch.EventKind {
	if in.exit {
		return branch.Exit
	}
	return [...]branch.EventKind{plain: 0, bra: branch.Branch, joinat: branch.JoinAt, breakaddr: branch.BreakAddr, brk: branch.Break, call: branch.Call, ret: branch.Return, preret: branch.PreReturn}[in.kind]
}

// uniform returns the next pc of c after an event that c lets the policy skip, if all lanes go the
// same way and not past the stop.
func (p program) uniform(policy branch.Policy, c *branch.Cohort, visits [][]int) (to uint32, ok bool) {
	i := int(c.PC / size)
	in := p[i]
	var asks branch.Kinds
	if e := in.event(); e != 0 {
		asks = branch.KindsOf(e)
	}
	if in.join {
		asks |= branch.JoinMarker
	}
	tell := branch.TellNever
	if s, selective := inner(policy).(branch.Selective); selective {
		tell = s.Tells(c.Skippable, i)
	}
	if asks == 0 || asks&^c.Skippable != 0 || tell == branch.TellAlways {
		return 0, false
	}
	ways := map[uint32]bool{}
	for j := range c.N {
		for l := range lane.Width {
			if c.Mask[j]>>l&1 == 0 {
				continue
			}
			g := int(c.Warp[j])*lane.Width + l
			to = uint32((i + 1) * size)
			if (in.kind == brk || in.kind == ret) && p.takes(i, g, visits[g][i]) {
				return 0, false
			}
			switch takes := p.takes(i, g, visits[g][i]); {
			case in.kind == bra && takes:
				to = uint32(in.target * size)
			case tell == branch.TellUnlessTaken:
				return 0, false
			}
			ways[to] = true
		}
	}
	passes := to != c.Stop && (c.PC < c.Stop) != (to < c.Stop)
	return to, len(ways) == 1 && !passes
}

// visit records that the lanes of c execute the instruction at its pc, and returns the lanes that
// take it.
func (p program) visit(c *branch.Cohort, visits [][]int, paths [][]int) (taken [lane.MaxWarps]lane.Mask) {
	i := int(c.PC / size)
	for j := range c.N {
		for l := range lane.Width {
			if c.Mask[j]>>l&1 == 0 {
				continue
			}
			g := int(c.Warp[j])*lane.Width + l
			if p.takes(i, g, visits[g][i]) {
				taken[j] |= 1 << l
			}
			visits[g][i]++
			paths[g] = append(paths[g], i)
		}
	}
	return taken
}

// told is a policy of a test that looks at every cohort before it issues.
type told interface {
	tell(c *branch.Cohort)
	unwrap() branch.Policy
}

// cohorts fills out with the ready cohorts, and returns their number: one for each warp, or the
// cohort that a mixing policy forms.
func cohorts(p branch.Policy, out []branch.Cohort) (n int) {
	if m, ok := inner(p).(branch.Mixing); ok {
		if m.Form(&out[0]) {
			n = 1
		}
	} else {
		next := p.Warps()
		for w := range lane.MaxWarps {
			if next.Ready>>w&1 != 0 {
				c := &out[n]
				*c = branch.Cohort{PC: next.PC[w], Stop: next.Stop[w], Skippable: next.Skippable[w]}
				c.Full = true
				c.Add(w, next.Mask[w])
				n++
			}
		}
	}
	if listener, ok := p.(told); ok {
		for k := range n {
			listener.tell(&out[k])
		}
	}
	return n
}

// inner returns the policy inside a told one, and any other as it is.
func inner(p branch.Policy) branch.Policy {
	if t, ok := p.(told); ok {
		return t.unwrap()
	}
	return p
}

// only returns the cohort of a policy that has one.
func only(t *testing.T, p branch.Policy) *branch.Cohort {
	t.Helper()
	list := make([]branch.Cohort, lane.MaxWarps)
	require.Equal(t, 1, cohorts(p, list))
	return &list[0]
}

// partition checks that cohorts hold only live lanes, each once, and that no lane returns to life.
func partition(policy branch.Policy, cohorts []branch.Cohort, live []lane.Mask) error {
	var seen [lane.MaxWarps]lane.Mask
	if branch.Mixes(inner(policy)) {
		lanes := 0
		for _, m := range cohorts[0].Mask[:cohorts[0].N] {
			lanes += bits.OnesCount32(uint32(m))
		}
		if len(cohorts) != 1 || lanes > lane.Width {
			return fmt.Errorf("no single issue: %d cohorts, masks %08x", len(cohorts), cohorts[0].Mask)
		}
	}
	for k := range cohorts {
		c := &cohorts[k]
		for j := range c.N {
			w := c.Warp[j]
			if (c.Mask[j] == 0) != c.Empty() || seen[w]&c.Mask[j] != 0 || c.Mask[j]&^policy.Live(int(w)) != 0 {
				return fmt.Errorf("warp %d issues lanes %08x of %08x live, %08x of them twice", w, c.Mask[j], policy.Live(int(w)), seen[w]&c.Mask[j])
			}
			seen[w] |= c.Mask[j]
		}
	}
	for w := range live {
		now := policy.Live(w)
		if err := checkPlaces(policy.Places(w, nil), now); err != nil {
			return fmt.Errorf("warp %d: %w", w, err)
		}
		if now&^live[w] != 0 {
			return fmt.Errorf("warp %d: lanes %08x came back", w, now&^live[w])
		}
		live[w] = now
	}
	return nil
}

// kernel returns the policies' view of the program.
func (p program) kernel() *branch.Kernel {
	events := [...]branch.EventKind{bra: branch.Branch, joinat: branch.JoinAt, breakaddr: branch.BreakAddr, brk: branch.Break, call: branch.Call, ret: branch.Return, preret: branch.PreReturn}
	ops := [...]tesla.Op{plain: tesla.OpNop, bra: tesla.OpBra, joinat: tesla.OpJoinAt, breakaddr: tesla.OpBreakAddr, brk: tesla.OpBreak, call: tesla.OpCall, ret: tesla.OpRet, preret: tesla.OpPreRet}
	k := &branch.Kernel{}
	var code []tesla.Instruction
	for i, in := range p {
		x := branch.Instruction{PC: uint32(i * size), Next: uint32(i*size + size), Kind: events[in.kind], Target: uint32(in.target*size + in.off), Guarded: in.cond != 0 || in.lanes != 0, Join: in.join, Indirect: in.indirect}
		y := tesla.Instruction{Op: ops[in.kind], Target: x.Target, Size: size}
		if x.Guarded {
			y.Guard.Cond = tesla.CondE // some condition
		}
		if in.join {
			y.Marker = tesla.MarkerJoin
		}
		if in.indirect {
			y.Op = tesla.OpBraIndirect
		}
		if in.exit {
			x.Kind, y.Marker = branch.Exit, tesla.MarkerExit
		}
		k.Code = append(k.Code, x)
		code = append(code, y)
	}
	k.Graph = sync.OnceValue(func() *cfg.Graph {
		if len(code) == 0 {
			return &cfg.Graph{}
		}
		g, err := cfg.New(code)
		if err != nil {
			panic(err)
		}
		return g
	})
	return k
}

// policy returns the policy that runs the program, or an error if it refuses the program.
func (p program) policy(s *branch.Choice) (branch.Policy, error) {
	newPolicy, err := s.Prepare(p.kernel())
	if err != nil {
		return nil, err
	}
	return newPolicy(), nil
}

// tangle generates code without announcements, unlike any compiler: jumps into and out of
// everything, loops with continue, recursive functions, returns anywhere. Lanes end, because they
// leave every backward jump and every call in at least one visit of three.
func tangle(seed uint64) program {
	r := rand.New(rand.NewPCG(seed, 2))
	w := &writer{r: r}
	n, functions := 6+r.IntN(12), 1+r.IntN(2)
	starts := []int{}
	for f := range functions + 1 {
		begin := len(w.code)
		starts = append(starts, begin)
		for range n {
			switch k := r.IntN(10); {
			case k < 4:
				w.emit(instr{})
			case k < 7:
				w.emit(instr{kind: bra, cond: w.cond(), target: begin + r.IntN(n)})
			case k == 7:
				w.emit(instr{kind: ret, cond: w.cond()})
			default:
				w.emit(instr{kind: call, target: r.IntN(functions + 1)})
			}
		}
		w.emit(instr{kind: ret, exit: f == 0})
	}
	for i := range w.code {
		if in := &w.code[i]; in.kind == call {
			if f := in.target; f > 0 && starts[f] > i {
				in.target = starts[f]
			} else { // no endless recursion: a jump that few lanes take
				*in = instr{kind: bra, cond: w.cond(), target: min(i+2, len(w.code)-1)}
			}
		}
	}
	return w.code
}

// recursion is a function that calls itself for some lanes, from both sides of a branch.
var recursion = program{
	{kind: call, target: 2},
	{exit: true},
	{kind: ret, cond: 1}, // f: a third of the lanes return
	{kind: ret, cond: 2},
	{kind: bra, target: 7, cond: 3},
	{kind: ret, cond: 4},
	{kind: call, target: 2},
	{kind: ret, cond: 5},
	{kind: ret, cond: 6},
	{kind: ret},
}

// writer generates structured programs as compilers do: if/else between joinat and join, loops
// between breakaddr and break, subroutines after the end.
type writer struct {
	r    *rand.Rand
	code program
	subs int // subroutines that may be called
	at   []int
}

func generate(seed uint64) program {
	w := &writer{r: rand.New(rand.NewPCG(seed, 1))}
	w.subs = w.r.IntN(3)
	w.block(3, false, 0)
	w.emit(instr{exit: true})
	for s := range w.subs { // subroutine s may call later subroutines
		w.at = append(w.at, len(w.code))
		w.block(2, true, s+1)
		w.emit(instr{kind: ret})
	}
	for i := range w.code {
		if w.code[i].kind == call {
			w.code[i].target = w.at[w.code[i].target]
		}
	}
	return w.code
}

func (w *writer) emit(in instr) int {
	w.code = append(w.code, in)
	return len(w.code) - 1
}

func (w *writer) cond() int { return 1 + w.r.IntN(1000) }

func (w *writer) block(depth int, inSub bool, firstSub int) {
	for range 1 + w.r.IntN(3) {
		switch n := w.r.IntN(9); {
		case depth == 0 || n < 2:
			w.emit(instr{})
		case n < 5:
			w.ifElse(depth, inSub, firstSub)
		case n < 7:
			w.loop(depth, inSub, firstSub)
		case n == 7 && firstSub < w.subs:
			w.emit(instr{kind: call, target: firstSub + w.r.IntN(w.subs-firstSub)})
		default: // some lanes leave early
			if inSub || w.r.IntN(3) == 0 {
				w.emit(instr{kind: ret, cond: w.cond()})
			}
		}
	}
}

func (w *writer) ifElse(depth int, inSub bool, firstSub int) {
	j := w.emit(instr{kind: joinat})
	b := w.emit(instr{kind: bra, cond: w.cond()})
	w.block(depth-1, inSub, firstSub)
	skip := w.emit(instr{kind: bra})
	w.code[b].target = len(w.code)
	w.block(depth-1, inSub, firstSub)
	end := w.emit(instr{join: true})
	w.code[j].target, w.code[skip].target = end, end
}

func (w *writer) loop(depth int, inSub bool, firstSub int) {
	a := w.emit(instr{kind: breakaddr})
	head := len(w.code)
	w.emit(instr{kind: brk, cond: w.cond()})
	w.block(depth-1, inSub, firstSub)
	w.emit(instr{kind: brk, cond: w.cond()})
	w.emit(instr{kind: bra, target: head})
	w.code[a].target = len(w.code)
	w.emit(instr{})
}
