package simt

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
)

// worker is a host core at work on a launch: what it counts, and blocks that it can use again.
type worker struct {
	counters
	idle []*Block
}

// hire makes the workers of a launch.
func (g *grid) hire(n int) {
	g.workers = make([]worker, min(n, g.l.Grid[0]*g.l.Grid[1]))
	for i := range g.workers {
		g.workers[i].counters.init(len(g.l.Program.code))
	}
}

// wanted returns how many workers the launch is to have.
func (g *grid) wanted() int {
	switch {
	case g.alone() != "":
		return 1
	case g.l.Workers > 0:
		return g.l.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// alone says why one worker must do everything, "" if it need not.
func (g *grid) alone() string {
	switch {
	case g.l.Program.plan.Reference:
		return g.l.Program.plan.Reason
	case g.l.Watchdog > 0:
		return "the watchdog counts the issues of all blocks"
	case g.l.Observer != nil:
		return "an observer is told of one block after another"
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
			work(&g.workers[i])
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

// block returns a block for a worker to use: its own, or that of an earlier launch, or a
// new one.
func (g *grid) block(w *worker) *Block {
	if n := len(w.idle) - 1; n >= 0 {
		b := w.idle[n]
		w.idle = w.idle[:n]
		return b
	}
	b, ok := g.scheme.idle.Get().(*Block)
	if !ok || b.warps != len(g.masks) {
		b = newBlock(g)
	}
	b.g, b.steps = g, newStepWatch(g.l, g.scheme.loose)
	return b
}

// dismiss leaves the workers' blocks to later launches.
func (g *grid) dismiss() {
	for i := range g.workers {
		for _, b := range g.workers[i].idle {
			b.g, b.counters, b.steps, b.watched, b.fault = nil, nil, nil, nil, nil
			g.scheme.idle.Put(b)
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
	next int      // block to begin next
	end  int      // block not to begin
	left []*Block // those that did not end, or faulted
}

// claim returns the next block to begin, or false if there is none.
func (o *opening) claim() (i int, ok bool) {
	o.Lock()
	defer o.Unlock()
	if o.next == o.end {
		return 0, false
	}
	o.next++
	return o.next - 1, true
}

// leave keeps a block that has more to do or faulted. The waves begun so far are the last.
func (o *opening) leave(b *Block) {
	o.Lock()
	defer o.Unlock()
	o.left = append(o.left, b)
	o.end = min(o.end, roundUp(o.next, o.g.resident))
}

// work begins blocks until there are no more.
func (o *opening) work(w *worker) {
	for {
		i, ok := o.claim()
		if !ok {
			return
		}
		b := o.g.block(w)
		b.counters = &w.counters
		b.start(i)
		b.run(o.until)
		if !b.done || b.fault != nil {
			o.leave(b)
			continue
		}
		b.end()
		w.idle = append(w.idle, b)
	}
}
