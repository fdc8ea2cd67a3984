package judge

import (
	"maps"
	"sync"

	"jacquard/simt/check"
)

// order knows which work of a context comes before which other: a clock has, by stream, the number of
// the last work that has ended. Streams are numbered in the order of their first work; the default
// stream, 0, waits for all others, and they wait for it, but for those in alone.
type order struct {
	mu      sync.Mutex
	number  map[uintptr]int // of streams, by handle
	count   map[int]int     // of work, by stream
	streams map[int]clock
	alone   map[int]bool // streams that neither wait for the default stream nor it for them
	events  map[uintptr]clock
	host    clock // what the program has waited for
}

type clock = map[int]int

// join takes in what another clock knows.
func join(c, o clock) {
	for s, n := range o {
		c[s] = max(c[s], n)
	}
}

// orderOf returns that of a context.
func orderOf(j *Judge, ctx uintptr) *order {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.orders == nil {
		j.orders = map[uintptr]*order{}
	}
	o := j.orders[ctx]
	if o == nil {
		o = &order{number: map[uintptr]int{0: 0}, count: map[int]int{}, streams: map[int]clock{0: {}}, alone: map[int]bool{}, events: map[uintptr]clock{}, host: clock{}}
		j.orders[ctx] = o
	}
	return o
}

// stream returns the number and the clock of a stream.
func (o *order) stream(handle uintptr) (int, clock) {
	n, ok := o.number[handle]
	if !ok {
		n = len(o.number)
		o.number[handle], o.streams[n] = n, clock{}
	}
	return n, o.streams[n]
}

// all returns what has ended when all work has.
func (o *order) all() clock {
	c := o.waitedFor()
	for n := range o.alone {
		join(c, o.streams[n])
	}
	return c
}

// waitedFor returns what has ended when the default stream's work has.
func (o *order) waitedFor() clock {
	c := maps.Clone(o.host)
	for n, s := range o.streams {
		if !o.alone[n] {
			join(c, s)
		}
	}
	return c
}

// StreamAlone says that a stream of a context was made that does not wait for the default stream.
func (j *Judge) StreamAlone(ctx, stream uintptr) {
	if j == nil {
		return
	}
	o := orderOf(j, ctx)
	o.mu.Lock()
	defer o.mu.Unlock()
	n, _ := o.stream(stream)
	o.alone[n] = true
}

// Work returns the place of work that a stream of a context begins. A nil Judge knows none.
func (j *Judge) Work(ctx, stream uintptr) check.Work {
	if j == nil {
		return check.Work{}
	}
	o := orderOf(j, ctx)
	o.mu.Lock()
	defer o.mu.Unlock()
	n, c := o.stream(stream)
	join(c, o.host)
	done := maps.Clone(o.host)
	if n == 0 {
		join(c, o.waitedFor())
	} else if !o.alone[n] {
		join(c, o.streams[0])
	}
	if len(o.alone) == 0 {
		join(done, o.streams[0])
	}
	w := check.Work{Stream: n, Number: o.count[n] + 1, After: maps.Clone(c), Done: done, Beside: n != 0 || len(o.alone) > 0}
	o.count[n] = w.Number
	c[n] = w.Number
	return w
}

// waited says that the program has waited for the work of a stream, and settles the copies that are
// done.
func (j *Judge) waited(ctx uintptr, until func(*order) clock) {
	if j == nil {
		return
	}
	o := orderOf(j, ctx)
	o.mu.Lock()
	join(o.host, until(o))
	host := maps.Clone(o.host)
	o.mu.Unlock()
	j.settle(func(p *asyncCopy) bool { return p.ctx == ctx && host[p.work.Stream] >= p.work.Number }, true)
}

// Awaited says that the program has waited for all work of a context.
func (j *Judge) Awaited(ctx uintptr) { j.waited(ctx, (*order).all) }

// StreamAwaited says that the program has waited for the work of a stream of a context.
func (j *Judge) StreamAwaited(ctx, stream uintptr) {
	j.waited(ctx, func(o *order) clock {
		n, c := o.stream(stream)
		if n == 0 {
			return o.waitedFor()
		}
		return c
	})
}

// EventAwaited says that the program has waited for an event of a context.
func (j *Judge) EventAwaited(event, ctx uintptr) {
	j.waited(ctx, func(o *order) clock { return o.events[event] })
}

// EventRecorded says that an event stands behind the present work of a stream of a context.
func (j *Judge) EventRecorded(event, ctx, stream uintptr) {
	if j == nil {
		return
	}
	o := orderOf(j, ctx)
	o.mu.Lock()
	defer o.mu.Unlock()
	n, c := o.stream(stream)
	at := maps.Clone(c)
	join(at, o.host)
	if n == 0 {
		at = o.waitedFor()
	}
	o.events[event] = at
}

// StreamWaits says that later work of a stream of a context comes behind an event.
func (j *Judge) StreamWaits(ctx, stream, event uintptr) {
	if j == nil {
		return
	}
	o := orderOf(j, ctx)
	o.mu.Lock()
	defer o.mu.Unlock()
	_, c := o.stream(stream)
	join(c, o.events[event])
}
