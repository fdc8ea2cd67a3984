package bundle

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"runtime/debug"
	"slices"
)

// pageSize is the unit in which memory is recorded.
const pageSize = 4096

// mostPages bounds the bytes of pages in one frame.
const mostPages = 1 << 20

// memory is the recorder's view of the content in its bundle: one hash per page. Two contents of a
// page have the same hash once in 2^64.
type memory struct {
	seed    maphash.Seed
	zero    uint64 // of a page of zeros
	numbers int
	known   map[place]*pages
	gone    []int // objects of contexts that are gone, and arrays
}

// place identifies an object.
type place struct {
	context uint64
	kind    Kind
	address uint32
}

// pages is an object of a bundle.
type pages struct {
	number int
	size   int
	slack  int      // of size
	hashes []uint64 // nil while all pages are zeros
	seen   bool     // used by update
}

func newMemory() memory {
	m := memory{seed: maphash.MakeSeed(), known: map[place]*pages{}}
	m.zero = maphash.Bytes(m.seed, make([]byte, pageSize))
	return m
}

func (m *memory) find(context uint64, o *Object) *pages {
	return m.known[place{context, o.Kind, o.Address}]
}

// update compares the objects visible to a launch with the known ones of its context. New objects
// are zeros. Arrays that the launch does not see stay known, because they may still exist.
func (m *memory) update(l *Launch) *objectsFrame {
	changes := &objectsFrame{Context: l.Context, Freed: m.gone}
	m.gone = nil
	for _, o := range l.Memory {
		at := place{l.Context, o.Kind, o.Address}
		p := m.known[at]
		if p != nil && (p.size != len(o.Bytes) || p.slack != o.Slack) {
			changes.Freed = append(changes.Freed, p.number)
			p = nil
		}
		if p == nil {
			p = &pages{number: m.numbers, size: len(o.Bytes), slack: o.Slack}
			m.numbers++
			m.known[at] = p
			changes.Made = append(changes.Made, objectFrame{p.number, o.Kind, o.Address, len(o.Bytes), o.Slack})
		}
		p.seen = true
	}
	for at, p := range m.known {
		if at.context == l.Context && !p.seen && at.kind != Array {
			changes.Freed = append(changes.Freed, p.number)
			delete(m.known, at)
		}
		p.seen = false
	}
	slices.Sort(changes.Freed)
	return changes
}

func (m *memory) forget(context uint64) {
	for at, p := range m.known {
		if at.context == context {
			m.gone = append(m.gone, p.number)
			delete(m.known, at)
		}
	}
}

func (m *memory) forgetArray(context uint64, address uint32) {
	at := place{context, Array, address}
	if p := m.known[at]; p != nil {
		m.gone = append(m.gone, p.number)
		delete(m.known, at)
	}
}

// pages writes the pages of o whose present content is not in the bundle.
func (r *Recorder) pages(h header, context uint64, o *Object) {
	p := r.memory.find(context, o)
	if p == nil {
		return // a recorder that reached its limit forgets
	}
	content, zeros := o.Bytes, []bool(nil) // the pages that hold zeros without being read
	switch {
	case o.Kind == Mapped:
		// The program may write to the memory meanwhile, and the bytes hashed must be the bytes
		// written. Memory that the program has unmapped keeps its last content.
		if content = readable(content); content == nil {
			return
		}
	case len(content) >= mostPages: // smaller memory is not worth the question
		zeros = untouched(content)
	}
	var payload []byte
	first := 0 // of the pending run of changed pages
	flush := func(end int) {
		if end > first {
			payload = appendRun(payload, p.number, first, content[first:end])
		}
		if len(payload) >= mostPages {
			r.frame(h, payload)
			payload = payload[:0]
		}
	}
	for at := 0; at < len(content); at += pageSize {
		end, i := min(at+pageSize, len(content)), at/pageSize
		if zeros != nil && zeros[i] && r.memory.isZero(p, i) || !r.memory.changed(p, i, content[at:end]) {
			flush(at)
			first = end
		} else if end-first >= mostPages {
			flush(end)
			first = end
		}
	}
	flush(len(content))
	if len(payload) > 0 {
		r.frame(h, payload)
	}
}

// readable returns a copy of memory of the program, or nil if it cannot be read.
func readable(memory []byte) (copied []byte) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if cause := recover(); cause != nil {
			if _, fault := cause.(interface{ Addr() uintptr }); !fault {
				panic(cause)
			}
			copied = nil
		}
	}()
	return bytes.Clone(memory)
}

// isZero reports whether page number i of p is zeros in the bundle.
func (m *memory) isZero(p *pages, i int) bool { return p.hashes == nil || p.hashes[i] == m.zero }

// changed reports whether page number i of p has changed, and notes its content.
func (m *memory) changed(p *pages, i int, content []byte) bool {
	hash := maphash.Bytes(m.seed, content)
	if p.hashes == nil {
		if hash == m.zero {
			return false
		}
		p.hashes = make([]uint64, (p.size+pageSize-1)/pageSize)
		for k := range p.hashes {
			p.hashes[k] = m.zero
		}
	}
	if p.hashes[i] == hash {
		return false
	}
	p.hashes[i] = hash
	return true
}

// runHeader is the size of a run before its content: object, offset and length.
const runHeader = 12

func appendRun(b []byte, object, offset int, content []byte) []byte {
	le := binary.LittleEndian
	b = le.AppendUint32(b, uint32(object))
	b = le.AppendUint32(b, uint32(offset))
	b = le.AppendUint32(b, uint32(len(content)))
	return append(b, content...)
}
