package driver

import (
	"hash/maphash"
	"slices"
	"sync"

	"jacquard/simt/check"
)

// asyncCopies are the copies from and to page-locked memory of the host for which the program has not
// waited. Each is done when its call returns; on a board it may be done until the program waits.
type asyncCopies struct {
	mu   sync.Mutex
	list []*asyncCopy
	seed maphash.Seed
}

// asyncCopy is a copy, and the content of its host memory right behind it.
type asyncCopy struct {
	site    *callSite
	ctx     *context
	streams []Stream // whose waits tell that the copy is done; 0 is the default stream
	events  []Event  // the same
	block   *hostBlock
	rows    [][]byte
	sum     uint64
	reads   bool // the host's memory
}

// sumOf returns a number that changes with the content of the rows.
func (a *asyncCopies) sumOf(rows [][]byte) uint64 {
	var h maphash.Hash
	h.SetSeed(a.seed)
	for _, r := range rows {
		h.Write(r)
	}
	return h.Sum64()
}

// intact reports whether the content is what it was, or can no longer be read.
func (a *asyncCopies) intact(p *asyncCopy) (same bool) {
	defer func() {
		switch cause := recover().(type) {
		case nil:
		case hostFault: // registered memory that the program has unmapped
			same = true
		default:
			panic(cause)
		}
	}()
	return a.sumOf(p.rows) == p.sum
}

// copiesAsync notes a copy in a stream, which has happened. Reads tells whether it read the rows of
// host memory, or wrote them. The caller holds c's lock.
func (c *context) copiesAsync(stream Stream, reads bool, rows ...[]byte) {
	if !c.d.checks(check.KindAPI) || len(rows) == 0 || len(rows[0]) == 0 {
		return
	}
	a := &c.d.copies
	if !reads { // in the order of the device, this copy changes what earlier ones left
		a.settle(c.d, func(p *asyncCopy) bool { return p.overlaps(rows) }, false)
	}
	b := c.d.host.find(addressOf(rows[0]))
	if b == nil {
		return // the copy is done when the call returns
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.list) == 0 {
		a.seed = maphash.MakeSeed()
	}
	p := &asyncCopy{site: c.caller, ctx: c, streams: []Stream{stream}, block: b, rows: rows, reads: reads}
	p.sum = a.sumOf(rows)
	a.list = append(a.list, p)
}

// overlaps reports whether the copy's host memory has a byte in common with rows.
func (p *asyncCopy) overlaps(rows [][]byte) bool {
	return slices.ContainsFunc(p.rows, func(x []byte) bool {
		return slices.ContainsFunc(rows, func(y []byte) bool {
			from, to := addressOf(x), addressOf(y)
			return from-to < uintptr(len(y)) || to-from < uintptr(len(x))
		})
	})
}

// settle forgets the copies of which done tells that they are done. If they are judged, those whose
// memory the host has changed are reported.
func (a *asyncCopies) settle(d *Driver, done func(*asyncCopy) bool, judge bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.list = slices.DeleteFunc(a.list, func(p *asyncCopy) bool {
		if !done(p) {
			return false
		}
		if judge && d.judges() && !a.intact(p) {
			d.changedEarly(p)
		}
		return true
	})
}

func (d *Driver) changedEarly(p *asyncCopy) {
	text := "the host changes page-locked memory that an asynchronous copy may not have read yet"
	if !p.reads {
		text = "the host changes page-locked memory that an asynchronous copy may not have filled yet"
	}
	d.foundAt(p.site, "copy", check.Finding{
		Kind: check.KindAPI, What: "early-change", Text: text,
		Advice: "Wait for the stream, or for an event behind the copy, before the memory is used again.",
	})
}

// awaited says that the program has waited for all work of the current context.
func (t *Thread) awaited() {
	if !t.d.checks(check.KindAPI) {
		return
	}
	if c, err := t.current(); err == nil {
		t.d.copies.settle(t.d, func(p *asyncCopy) bool { return p.ctx == c }, true)
	}
}

// streamAwaited says that the program has waited for the work of a stream of c.
func (c *context) streamAwaited(s Stream) {
	if c.d.checks(check.KindAPI) {
		c.d.copies.settle(c.d, func(p *asyncCopy) bool { return p.in(c, s) }, true)
	}
}

// in reports whether work in a stream comes behind the copy. The default stream waits for all others.
func (p *asyncCopy) in(c *context, s Stream) bool {
	return p.ctx == c && (s == 0 || slices.Contains(p.streams, s))
}

// eventAwaited says that the program has waited for an event.
func (d *Driver) eventAwaited(e Event) {
	if d.checks(check.KindAPI) {
		d.copies.settle(d, func(p *asyncCopy) bool { return slices.Contains(p.events, e) }, true)
	}
}

// eventRecorded says that an event stands behind the present work of a stream of c.
func (c *context) eventRecorded(e Event, s Stream) {
	if !c.d.checks(check.KindAPI) {
		return
	}
	c.d.copies.mu.Lock()
	defer c.d.copies.mu.Unlock()
	for _, p := range c.d.copies.list {
		p.events = slices.DeleteFunc(p.events, func(other Event) bool { return other == e })
		if p.in(c, s) {
			p.events = append(p.events, e)
		}
	}
}

// streamWaits says that later work of a stream comes behind an event.
func (d *Driver) streamWaits(s Stream, e Event) {
	if !d.checks(check.KindAPI) {
		return
	}
	d.copies.mu.Lock()
	defer d.copies.mu.Unlock()
	for _, p := range d.copies.list {
		if slices.Contains(p.events, e) && !slices.Contains(p.streams, s) {
			p.streams = append(p.streams, s)
		}
	}
}

// hostFreed reports copies that may still use host memory which the program has just freed.
func (d *Driver) hostFreed(b *hostBlock, s *callSite) {
	if !d.checks(check.KindAPI) {
		return
	}
	d.copies.settle(d, func(p *asyncCopy) bool {
		if p.block != b {
			return false
		}
		if d.judges() {
			d.foundAt(s, "freed", check.Finding{
				Kind: check.KindAPI, What: "early-free", With: []check.Site{d.site(p.site, "copy")},
				Text:   "page-locked memory is freed while an asynchronous copy may still use it",
				Advice: "Wait for the stream, or for an event behind the copy, before the memory is freed.",
			})
		}
		return true
	}, false)
}

// forgetCopies forgets the copies of a context that ends.
func (c *context) forgetCopies() {
	c.d.copies.settle(c.d, func(p *asyncCopy) bool { return p.ctx == c }, false)
}
