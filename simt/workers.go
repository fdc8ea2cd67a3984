package simt

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"

	"jacquard/simt/lane"
	"jacquard/simt/mem"
)

// worker is a host core at work on a launch: what it counts, and convoys that it can use again.
type worker struct {
	counters
	idle []*convoy
}

// hire makes the workers of a launch.
func (g *grid) hire(n int) {
	g.workers = make([]worker, min(n, g.l.Grid[0]*g.l.Grid[1]))
	for i := range g.workers {
		g.workers[i].counters.init(len(g.l.Program.code))
		g.workers[i].access, g.workers[i].priced = make([]mem.Access, g.l.Program.slots), !g.l.NoStats
	}
}

// wanted returns how many workers the launch is to have.
func (g *grid) wanted() int {
	switch {
	case g.alone() != "" || g.l.Observer != nil: // which is told of one block after another
		return 1
	case g.l.Workers > 0:
		return g.l.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// alone says why one worker must take one block after the other, "" if it need not.
func (g *grid) alone() string {
	switch {
	case g.l.Program.plan.Reference:
		return g.l.Program.plan.Reason
	case g.l.Watchdog > 0:
		return "the watchdog counts the issues of all blocks"
	}
	return ""
}

// each lets the first n workers do work at the same time, the caller being the first of them,
// and returns when all have. What goes wrong in one goes wrong in the caller.
func (g *grid) each(n int, work func(w *worker)) {
	n = min(n, len(g.workers))
	var wait sync.WaitGroup
	var mutex sync.Mutex
	var cause any
	for i := 1; i < n; i++ {
		wait.Go(func() {
			// The memory of a launch can be the program's, which may have taken it away.
			defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
			defer func() {
				if c := recover(); c != nil {
					mutex.Lock()
					defer mutex.Unlock()
					cause = passedOn(c)
				}
			}()
			lane.WithPlainFloats(func() { work(&g.workers[i]) })
		})
	}
	defer func() {
		wait.Wait()
		if cause != nil {
			panic(cause)
		}
	}()
	work(&g.workers[0])
}

// passedOn is what the caller panics with when a worker panicked with cause. Host memory that
// cannot be accessed stays what it is; a mistake of ours keeps the stack that tells where it was.
func passedOn(cause any) any {
	if fault, ok := cause.(interface {
		runtime.Error
		Addr() uintptr
	}); ok {
		return fault
	}
	return fmt.Sprintf("%v\n%s", cause, debug.Stack())
}

// convoy returns a convoy of n blocks for a worker to use: its own, or that of an earlier
// launch, or a new one.
func (g *grid) convoy(w *worker, n int) *convoy {
	c := g.used(w, n)
	if c == nil {
		c = newConvoy(g, n)
	}
	c.employ(g, w)
	for _, b := range c.blocks {
		b.steps, b.watched = newStepWatch(g.l, g.scheme.loose), nil
	}
	return c
}

// used returns a convoy of n blocks that is there to be used again, or nil.
func (g *grid) used(w *worker, n int) *convoy {
	for i, c := range slices.Backward(w.idle) {
		if len(c.blocks) == n {
			w.idle = slices.Delete(w.idle, i, i+1)
			return c
		}
	}
	c, ok := g.scheme.idle.Get().(*convoy)
	if !ok || len(c.blocks) != n || c.blocks[0].warps != len(g.masks) {
		return nil
	}
	return c
}

// dismiss leaves the workers' convoys to later launches.
func (g *grid) dismiss() {
	for i := range g.workers {
		for _, c := range g.workers[i].idle {
			c.retire()
			g.scheme.idle.Put(c)
		}
	}
}

// opening is the first slice of waves of blocks: every block begins and goes as far as the
// slice, most to their end. Waves go on opening until a block is left over; so short blocks
// keep all workers busy to the end of the grid, and long ones leave a wave or two of blocks
// to go on with.
type opening struct {
	g     *grid
	until uint64 // the end of the slice

	sync.Mutex
	next int       // block to begin next
	end  int       // block not to begin
	left []*convoy // those with blocks that did not end, or faulted
}

// claim returns the numbers of blocks to begin next, or none.
func (o *opening) claim() (first, n int) {
	o.Lock()
	defer o.Unlock()
	first = o.next
	n = min(o.g.size, o.end-first, o.g.resident-first%o.g.resident)
	o.next += n
	return first, n
}

// leave keeps a convoy that has more to do, or in which a block faulted. The waves begun so
// far are the last.
func (o *opening) leave(c *convoy) {
	o.Lock()
	defer o.Unlock()
	o.left = append(o.left, c)
	o.end = min(o.end, roundUp(o.next, o.g.resident))
}

// work begins blocks until there are no more.
func (o *opening) work(w *worker) {
	for {
		first, n := o.claim()
		if n == 0 {
			return
		}
		if o.g.l.Observer == nil {
			o.begin(w, o.g.convoy(w, n), first)
		} else {
			o.watch(w, first, n)
		}
	}
}

// begin runs a convoy from a block on as far as the slice.
func (o *opening) begin(w *worker, c *convoy, first int) {
	c.start(first)
	c.run(o.until)
	if !c.done() {
		o.leave(c)
		return
	}
	c.end()
	w.idle = append(w.idle, c)
}

// watch begins n blocks: those that the launch's observer wants to watch each for itself, those
// between them together.
func (o *opening) watch(w *worker, first, n int) {
	between := first
	for i := first; i < first+n; i++ {
		c := o.g.convoy(w, 1)
		if !c.lead.watch(i) {
			w.idle = append(w.idle, c)
			continue
		}
		if between < i {
			o.begin(w, o.g.convoy(w, i-between), between)
		}
		o.begin(w, c, i)
		between = i + 1
	}
	if end := first + n; between < end {
		o.begin(w, o.g.convoy(w, end-between), between)
	}
}
