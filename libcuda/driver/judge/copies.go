package judge

import (
	"hash/maphash"
	"runtime"
	"slices"
	"sync"
	"unsafe"

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
	site  *Call
	ctx   uintptr
	work  check.Work
	block uintptr // of page-locked memory: its address
	rows  [][]byte
	sum   uint64
	reads bool // the host's memory
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

// Copied notes an asynchronous copy of a context, which has happened. Reads tells whether
// the copy read the rows of host memory, or wrote them. block is the page-locked memory that they
// are in, by its address; 0: they are in none, and the copy is done when the call returns.
func (j *Judge) Copied(call *Call, ctx uintptr, work check.Work, block uintptr, reads bool, rows [][]byte) {
	if !j.Has(check.KindAPI) || len(rows) == 0 || len(rows[0]) == 0 {
		return
	}
	if !reads { // in the order of the device, this copy changes what earlier ones left
		j.settle(func(p *asyncCopy) bool { return p.overlaps(rows) }, false)
	}
	if block == 0 {
		return
	}
	a := &j.copies
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.list) == 0 {
		a.seed = maphash.MakeSeed()
	}
	p := &asyncCopy{site: call, ctx: ctx, work: work, block: block, rows: rows, reads: reads}
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
func (j *Judge) settle(done func(*asyncCopy) bool, judge bool) {
	a := &j.copies
	a.mu.Lock()
	defer a.mu.Unlock()
	a.list = slices.DeleteFunc(a.list, func(p *asyncCopy) bool {
		if !done(p) {
			return false
		}
		if judge && j.judges(check.KindAPI) && !a.intact(p) {
			j.found(p.site, "copy", p.changed())
		}
		return true
	})
}

// changed is the finding of a copy whose memory the host has changed.
func (p *asyncCopy) changed() check.Finding {
	text := "the host changes page-locked memory that an asynchronous copy may not have read yet"
	if !p.reads {
		text = "the host changes page-locked memory that an asynchronous copy may not have filled yet"
	}
	return check.Finding{
		Kind: check.KindAPI, What: "early-change", Text: text,
		Advice: "Wait for the stream, or for an event behind the copy, before the memory is used again.",
	}
}

// HostFreed reports the copies that may still use page-locked memory which a call is about to free.
func (j *Judge) HostFreed(block uintptr, call *Call) {
	if !j.Has(check.KindAPI) {
		return
	}
	j.settle(func(p *asyncCopy) bool {
		if p.block != block {
			return false
		}
		if j.judges(check.KindAPI) {
			j.found(call, "freed", check.Finding{
				Kind: check.KindAPI, What: "early-free", With: []check.Site{j.Site(p.site, "copy")},
				Text:   "page-locked memory is freed while an asynchronous copy may still use it",
				Advice: "Wait for the stream, or for an event behind the copy, before the memory is freed.",
			})
		}
		return true
	}, false)
}

// Forget forgets the work of a context that ends.
func (j *Judge) Forget(ctx uintptr) {
	if j != nil {
		j.settle(func(p *asyncCopy) bool { return p.ctx == ctx }, false)
		j.mu.Lock()
		defer j.mu.Unlock()
		delete(j.orders, ctx)
	}
}

// hostFault is Go's panic for an access to absent memory of the host.
type hostFault interface {
	runtime.Error
	Addr() uintptr
}

// addressOf returns the address of the first byte.
func addressOf(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }
