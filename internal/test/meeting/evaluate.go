package meeting

import (
	"errors"
	"fmt"
	"iter"
)

// ApartError says that the threads of a warp or block do not come together at an operation.
type ApartError struct {
	At     *Stmt
	Reason string
}

func (e *ApartError) Error() string {
	return fmt.Sprintf("operation %d between lanes: %s", e.At.ID, e.Reason)
}

var errTooLong = errors.New("a thread does not end")

const mostSteps = 20000 // of a thread

// Evaluate returns the words that all threads store: Slots for each.
func (p *Program) Evaluate() ([]uint32, error) {
	b := &block{p: p, out: make([]uint32, p.Threads*Slots), shared: make([]uint32, p.Threads)}
	for t := range p.Threads {
		th := &thread{b: b, id: uint32(t)}
		next, stop := iter.Pull(th.run)
		defer stop()
		th.next = next
		b.threads = append(b.threads, th)
	}
	err := b.run()
	return b.out, err
}

// block is a block of threads that run.
type block struct {
	p       *Program
	out     []uint32
	shared  []uint32
	threads []*thread
}

// request is a thread's part of an operation between lanes. The thread waits for the others.
type request struct {
	at    *Stmt
	value uint32
	truth bool
	old   uint32 // old value of the result's variable
	path  uint64 // of the counts of loops around
}

// thread is a thread that runs.
type thread struct {
	b      *block
	id     uint32
	next   func() (*request, bool)
	yield  func(*request) bool
	wait   *request
	answer uint32
	ended  bool
	steps  int
	err    error
}

// run runs a thread, which yields at operations between lanes.
func (t *thread) run(yield func(*request) bool) {
	t.yield = yield
	f := &frame{t: t, counts: map[*Stmt]uint32{}}
	f.v[0], f.v[1], f.v[2], f.v[3] = t.id, t.b.p.In[t.id%Words], 7, t.b.p.N
	if f.block(t.b.p.Body).kind == ended {
		return
	}
	for i, v := range f.v {
		t.b.out[int(t.id)*Slots+finalSlot+i] = v
	}
}

// frame is a kernel or function that a thread runs.
type frame struct {
	t      *thread
	v      [vars]uint32
	counts map[*Stmt]uint32
	path   uint64 // of the callers
}

// way says where a thread goes after a statement.
type way struct {
	kind   int
	to     *Stmt
	tail   int
	result uint32
}

const (
	on = iota
	ended
	leaving   // a loop or region
	returning // from a function
)

func (f *frame) block(b Block) way {
	for _, s := range b {
		if w := f.statement(s); w.kind != on {
			return w
		}
	}
	return way{}
}

func (f *frame) statement(s *Stmt) way {
	if f.t.steps++; f.t.steps > mostSteps {
		f.t.err = errTooLong
		return way{kind: ended}
	}
	switch s.Kind {
	case Set:
		f.v[s.Var] = f.value(s.Value)
	case Store:
		f.store(s.Slot, f.value(s.Value))
	case End:
		if s.Slot >= 0 {
			f.store(s.Slot, s.Amount)
		}
		if s.How >= Trap {
			f.t.err = errors.New("a thread comes to a trap")
		}
		return way{kind: ended}
	case Return:
		return way{kind: returning, result: f.value(s.Value)}
	case Jump, Break, Continue:
		return way{kind: leaving, to: s.To, tail: s.Tail + 10*int(s.Kind)}
	case Call:
		return f.call(s)
	case If, Switch, Loop, Region:
		return f.nested(s)
	default:
		return f.meet(s)
	}
	return way{}
}

func (f *frame) nested(s *Stmt) way {
	switch s.Kind {
	case If:
		if f.truth(s.Cond) {
			return f.block(s.Blocks[0])
		}
		return f.block(s.Blocks[1])
	case Switch:
		return f.fall(s, int(f.value(s.Value)%uint32(len(s.Blocks))), len(s.Blocks))
	case Loop:
		return f.loop(s)
	}
	return f.region(s)
}

// fall runs a block and the blocks after it that it falls into.
func (f *frame) fall(s *Stmt, i, n int) (w way) {
	for {
		if w = f.block(s.Blocks[i]); w.kind != on || !s.Next[i] || i+1 == n {
			return w
		}
		i++
	}
}

func (f *frame) loop(s *Stmt) way {
	n, first := uint32(mostSteps), 0
	if s.Value != nil {
		n = f.value(s.Value) & 7
	}
	if s.Cond != nil && len(s.Blocks) > 1 && f.truth(s.Cond) {
		first = 1
	}
	defer delete(f.counts, s)
	for f.counts[s] = 0; f.counts[s] < n; f.counts[s]++ {
		if f.t.steps++; f.t.steps > mostSteps {
			f.t.err = errTooLong
			return way{kind: ended}
		}
		var w way
		for i := first; i < len(s.Blocks) && w.kind == on; i++ {
			w = f.block(s.Blocks[i])
		}
		first = 0
		if w.kind == leaving && w.to == s {
			if w.tail/10 == int(Break) {
				break
			}
			continue
		}
		if w.kind != on {
			return w
		}
	}
	return way{}
}

// region runs a body and, after a jump, tails. The body itself does not fall into the tails.
func (f *frame) region(s *Stmt) way {
	w := f.block(s.Blocks[0])
	for w.kind == leaving && w.to == s {
		tail := w.tail % 10
		if tail == 0 {
			return way{}
		}
		w = f.fall(s, tail, len(s.Blocks))
	}
	return w
}

func (f *frame) call(s *Stmt) way {
	to := f.t.b.p.Funcs[s.Func]
	g := &frame{t: f.t, counts: map[*Stmt]uint32{}, path: f.where()}
	g.v[0], g.v[1], g.v[2], g.v[3] = f.value(s.Value), f.value(s.Second), f.t.id, f.t.b.p.N
	w := g.block(to.Body)
	switch w.kind {
	case ended:
		return w
	case returning:
		f.v[s.Var] = w.result
	default:
		f.v[s.Var] = g.value(to.Result)
	}
	return way{}
}

func (f *frame) store(slot int, v uint32) { f.t.b.out[int(f.t.id)*Slots+slot] = v }

// where tells the counts of loops, so that threads that meet can be compared.
func (f *frame) where() (sum uint64) {
	sum = f.path * 31
	for s, n := range f.counts {
		sum += uint64(s.ID) * uint64(s.ID+1000) * uint64(n+1)
	}
	return sum
}

func (f *frame) truth(c *Cond) bool {
	a, b := f.value(c.A), f.value(c.B)
	switch c.Op {
	case "==":
		return a == b
	case "!=":
		return a != b
	case "<":
		return a < b
	}
	return a >= b
}

func (f *frame) value(e *Expr) uint32 {
	switch e.Op {
	case Var:
		return f.v[e.N]
	case Const:
		return e.N
	case Lane:
		return f.t.id
	case Same:
		return f.t.b.p.N
	case Count:
		return f.counts[e.Of]
	case Input:
		return f.t.b.p.In[f.value(e.A)%Words]
	case Shift:
		return f.value(e.A) >> e.N
	}
	return compute(e.Op, f.value(e.A), f.value(e.B))
}

func compute(op Op, a, b uint32) uint32 {
	switch op {
	case Add:
		return a + b
	case Sub:
		return a - b
	case Mul:
		return a * b
	case Xor:
		return a ^ b
	case And:
		return a & b
	}
	return a | b
}
